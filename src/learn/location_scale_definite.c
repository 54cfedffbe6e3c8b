/* Covariances as they can be: noise may leave correlations without a positive least eigenvalue. */
#include "base/base.h"
#include "learn/location_scale.h"
#include "num/linalg.h"
#include "num/product.h"

#include <math.h>
#include <stdlib.h>

/* The least eigenvalue of correlations. */
static const double CORRELATION_FLOOR = 0.2;

/* S = E' diag(ev, not below the floor) E times the sizes on both sides, E by rows. */
static bool put_together(size_t d, const double *E, const double *ev, const double *size, double *S,
                         int threads) {
  double *room = tacit_alloc(3 * d * d, sizeof *room), *left = room, *right = left + d * d,
         *all = right + d * d;
  if (!room) return false;
  for (size_t j = 0; j < d; j++)
    for (size_t l = 0; l < d; l++) {
      left[j * d + l] = E[j * d + l] * fmax(ev[l], CORRELATION_FLOOR);
      right[l * d + j] = E[j * d + l];
    }
  bool done = tacit_product(&(tacit_matrix){left, d, d, d}, &(tacit_matrix){right, d, d, d},
                            &(tacit_matrix){all, d, d, d}, threads);
  for (size_t j = 0; done && j < d; j++)
    for (size_t k = j; k < d; k++) S[j * d + k] = S[k * d + j] = all[j * d + k] * size[j] * size[k];
  free(room);
  return done;
}

static void correlate(size_t d, const double *S, const double *size, double *E) {
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < d; k++) E[j * d + k] = S[j * d + k] / (size[j] * size[k]);
}

/* Whether no eigenvalue of the correlations is below the floor: what is left of them above it has a triangle.
   Much faster than looking at them, and worth it where there are many. */
static bool is_definite(size_t d, double *E) {
  enum { MANY = 256 };
  for (size_t j = 0; d >= MANY && j < d; j++) E[j * d + j] -= CORRELATION_FLOOR;
  return d >= MANY && tacit_cholesky(d, E, d);
}

bool tacit_scaled_definite(size_t d, double *S, int threads) {
  double *size = tacit_alloc(2 * d, sizeof *size), *E = tacit_alloc(d * d, sizeof *E), *ev = size + d;
  bool right = size && E, already = false;
  for (size_t j = 0; right && j < d; j++) size[j] = sqrt(S[j * d + j]);
  if (right) {
    correlate(d, S, size, E);
    already = is_definite(d, E);
  }
  if (right && !already) {
    correlate(d, S, size, E);
    right = tacit_eigen_by(d, E, ev, threads) && put_together(d, E, ev, size, S, threads);
  }
  free(size);
  free(E);
  return right;
}
