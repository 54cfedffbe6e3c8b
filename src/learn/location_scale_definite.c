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
   Much faster than looking at them. E is spoilt. */
static bool is_definite(size_t d, double *E) {
  for (size_t j = 0; j < d; j++) E[j * d + j] -= CORRELATION_FLOOR;
  return tacit_cholesky(d, E, d);
}

/* Noise that leaves correlations indefinite has spread all of their eigenvalues, and those that it has made
   large are as wrong as those that only raising would mend: all correlations become smaller, by what takes
   the least eigenvalue to the floor. */
static void shrink(size_t d, double least, double *S) {
  double keep = (1 - CORRELATION_FLOOR) / (1 - least);
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < d; k++) S[j * d + k] *= j == k ? 1 : keep;
}

/* Many columns, for which looking at eigenvalues takes long; *done: there is no need to. False without
 * memory.
 */
static bool hold_many(size_t d, double *S, const double *size, double *E, bool *done, int threads) {
  double above, least = tacit_least_eigenvalue(d, E, &above, threads);
  if (!(least <= above)) return false;
  if (above < 0) shrink(d, least, S);
  *done = above < 0 || is_definite(d, E);
  if (!*done) correlate(d, S, size, E);
  return true;
}

bool tacit_scaled_definite(size_t d, double *S, int threads) {
  double *size = tacit_alloc(2 * d, sizeof *size), *E = tacit_alloc(d * d, sizeof *E), *ev = size + d;
  bool right = size && E, done = false;
  for (size_t j = 0; right && j < d; j++) size[j] = sqrt(S[j * d + j]);
  if (right) correlate(d, S, size, E);
  if (right && d >= TACIT_MANY_COLUMNS) right = hold_many(d, S, size, E, &done, threads);
  if (right && !done) right = tacit_eigen_by(d, E, ev, threads) && put_together(d, E, ev, size, S, threads);
  free(size);
  free(E);
  return right;
}
