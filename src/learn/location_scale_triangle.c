/* Whitening by a triangle: W = L'^-1 with L L' = S + worth. Any such W whitens rows alike, and a triangle
   takes a small part of the time that eigenvectors take, as half of W is zero half the time of making rows.
   But directions that are worth less than the noise of their steps are no columns of it: so it is for many
   columns, all of whose directions are worth far more. */
#include "base/base.h"
#include "learn/location_scale.h"
#include "num/linalg.h"

#include <stdlib.h>
#include <string.h>

static const double NEGLIGIBLE = 1e-3; /* of a direction's curvature, what its steps' noise is worth */

/* Whether an entry of a level's row of W is beyond what whitened rows hold. */
static bool outgrows(const tacit_newton *newton) {
  size_t d = newton->d;
  bool large = false;
  for (size_t f = 0; f < newton->schema->feature_count; f++) {
    const tacit_feature *feature = &newton->schema->features[f];
    if (!tacit_is_level(newton, feature)) continue;
    const double *row = newton->W + (feature->first - 1) * d;
    for (size_t i = 0; i < feature->width * d; i++)
      large |= row[i] > TACIT_LEVEL_REACH || row[i] < -TACIT_LEVEL_REACH;
  }
  return large;
}

/* The squared lengths of the columns. */
static void square_columns(size_t d, const double *a, double *square) {
  memset(square, 0, d * sizeof *square);
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < d; k++) square[k] += a[j * d + k] * a[j * d + k];
}

/* L by columns, in the place of S + worth, becomes one by rows. */
static void turn(size_t d, double *a) {
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < j; k++) {
      a[j * d + k] = a[k * d + j];
      a[k * d + j] = 0;
    }
}

bool tacit_scaled_triangle(tacit_scaled *scaled, double worth) {
  tacit_newton *newton = &scaled->newton;
  size_t d = newton->d;
  double *L = scaled->back;
  if (d < TACIT_MANY_COLUMNS) return false;
  memcpy(L, scaled->S, d * d * sizeof *L);
  for (size_t k = 0; k < d; k++) L[k * d + k] += worth;
  if (!tacit_cholesky(d, L, d)) return false;
  tacit_invert_lower(d, L, newton->W, tacit_threads(newton->task->context));
  square_columns(d, newton->W, scaled->apart);
  bool small = !outgrows(newton);
  for (size_t k = 0; k < d; k++) small &= worth * scaled->apart[k] <= NEGLIGIBLE;
  if (!small) return false;
  turn(d, L);
  square_columns(d, L, scaled->size);
  for (size_t k = 0; k < d; k++) {
    newton->gamma[k] = 1 - worth * scaled->apart[k];
    scaled->apart[k] = 1 / scaled->apart[k];
  }
  return true;
}
