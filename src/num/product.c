/* Products of matrices, in tiles that stay in registers. An entry's sum is one chain of additions; many
   entries at a time keep the processor busy. */
#include "num/product.h"

#include "num/clones.h"

#include <stdlib.h>
#include <string.h>

enum {
  LANES = 4,
  STRIP = 2 * LANES, /* columns of b that are packed together */
  TILE = 4,          /* rows of a at a time */
  MANY = 1 << 21,    /* multiplications that are worth threads */
};
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

/* TILE rows of a times a packed strip of b. */
TACIT_CLONES static void multiply(size_t inner, const double *const a[TILE], const double *strip,
                                  double out[TILE][STRIP]) {
  const double *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3];
  lanes s00 = {0}, s01 = {0}, s10 = {0}, s11 = {0}, s20 = {0}, s21 = {0}, s30 = {0}, s31 = {0}, x, y;
  for (size_t l = 0; l < inner; l++) {
    memcpy(&x, strip + l * STRIP, sizeof x);
    memcpy(&y, strip + l * STRIP + LANES, sizeof y);
    s00 += a0[l] * x, s01 += a0[l] * y;
    s10 += a1[l] * x, s11 += a1[l] * y;
    s20 += a2[l] * x, s21 += a2[l] * y;
    s30 += a3[l] * x, s31 += a3[l] * y;
  }
  const lanes all[TILE][2] = {{s00, s01}, {s10, s11}, {s20, s21}, {s30, s31}};
  memcpy(out, all, sizeof all);
}

/* Columns `first` on of c, with room for a strip of b. */
static void multiply_strip(const tacit_matrix *a, const tacit_matrix *b, const tacit_matrix *c, size_t first,
                           double *strip) {
  size_t inner = b->rows, width = b->columns - first < STRIP ? b->columns - first : STRIP;
  double out[TILE][STRIP];
  memset(strip, 0, inner * STRIP * sizeof *strip);
  for (size_t l = 0; l < inner; l++)
    memcpy(strip + l * STRIP, b->at + l * b->stride + first, width * sizeof *strip);
  for (size_t i = 0; i < a->rows; i += TILE) {
    const double *row[TILE];
    size_t rows = a->rows - i < TILE ? a->rows - i : TILE;
    for (size_t t = 0; t < TILE; t++) row[t] = a->at + (t < rows ? i + t : i) * a->stride;
    multiply(inner, row, strip, out);
    for (size_t t = 0; t < rows; t++)
      memcpy(c->at + (i + t) * c->stride + first, out[t], width * sizeof **out);
  }
}

bool tacit_product(const tacit_matrix *a, const tacit_matrix *b, const tacit_matrix *c, int threads) {
  bool failed = false;
#pragma omp parallel num_threads(threads) if (a->rows * b->rows * b->columns >= MANY)
  {
    double *strip = malloc((b->rows + 1) * STRIP * sizeof *strip);
#pragma omp for schedule(dynamic)
    for (size_t first = 0; first < b->columns; first += STRIP)
      if (strip) multiply_strip(a, b, c, first, strip);
#pragma omp critical
    failed = failed || !strip;
    free(strip);
  }
  return !failed;
}
