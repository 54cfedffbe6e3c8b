/* Each column is scaled so that its squares add up to 2^30: then no number is beyond two bytes and, by Cauchy
   and Schwarz, no sum of products beyond four. */
#include "erm/smooth_pairs.h"

#include "num/clones.h"
#include "num/pairs.h"

#include <math.h>
#include <string.h>

enum { TILE = TACIT_PAIR_TILE, STRIDE = TACIT_SMOOTH_WAIT, NEAR = 64 };

/* Returns what one is worth; 0 for a column of zeros, or one without a length. */
TACIT_CLONES static float narrow(size_t rows, const float *restrict z, float limit, int16_t *restrict whole) {
  float square = 0;
#pragma omp simd reduction(+ : square)
  for (size_t i = 0; i < rows; i++) square += z[i] * z[i];
  if (!(square > 1e-30f && square < 1e30f)) {
    memset(whole, 0, rows * sizeof *whole);
    return 0;
  }
  float unit = sqrtf(square) * 0x1p-15f, scale = 1 / unit;
  for (size_t i = 0; i < rows; i++) {
    float value = z[i] * scale;
    value = value < limit ? value : limit;
    value = value > -limit ? value : -limit;
    whole[i] = (int16_t)(int32_t)(value + (value > 0 ? 0.5f : -0.5f));
  }
  return unit;
}

static void add_tile(const tacit_smooth_waiting *w, size_t k, size_t j, double *s, size_t side) {
  int32_t part[TILE][TILE];
  tacit_pair_products(w->rows, w->whole + k * STRIDE, w->whole + j * STRIDE, STRIDE, part);
  for (size_t t = 0; t < TILE; t++)
    for (size_t u = 0; u < TILE; u++)
      s[(k + t) * side + j + u] += (double)part[t][u] * ((double)w->unit[k + t] * (double)w->unit[j + u]);
}

void tacit_smooth_moment_pairs(const tacit_smooth_waiting *w, double *s, size_t side) {
  size_t columns = w->columns;
  for (size_t k = 0; k < columns; k++)
    w->unit[k] = narrow(w->rows, w->z + k * STRIDE, INT16_MAX, w->whole + k * STRIDE);
  for (size_t k0 = 0; k0 < columns; k0 += NEAR)
    for (size_t j0 = k0; j0 < columns; j0 += NEAR)
      for (size_t k = k0; k < columns && k < k0 + NEAR; k += TILE)
        for (size_t j = j0 > k ? j0 : k; j < columns && j < j0 + NEAR; j += TILE) add_tile(w, k, j, s, side);
}
