/* The exact sums of mapped rows over one part of a block: plain loops over rows that the compiler vectorises.
   Every step is the one that row_sum.c takes for a single row, in the same order: the integers are the same.
 */
#include "pass/row_block.h"

#include "num/clones.h"

#include <math.h>
#include <string.h>

enum { ROWS = TACIT_ROWS };

TACIT_CLONES void tacit_rows_column(const int32_t *numbers, double unit, double shift, double out[ROWS]) {
  for (size_t i = 0; i < ROWS; i++) out[i] = unit * numbers[i] - shift;
}

void tacit_rows_decode(const tacit_design *design, const tacit_block *block, size_t first, double *x,
                       double *y) {
  double cell = 1.0 / (double)(1 << design->cell_bits), target = 1.0 / (1 << TACIT_TARGET_BITS);
  for (size_t j = 0; j < design->columns; j++)
    tacit_rows_column(block->cells + j * TACIT_BLOCK + first, cell, 0, x + j * ROWS);
  for (size_t t = 0; t < design->targets; t++)
    tacit_rows_column(block->targets + t * TACIT_BLOCK + first, target, 0, y + t * ROWS);
}

/* Each row's factor onto the grid, that holds it to the radius, and whether it is kept. */
TACIT_CLONES static void find_scales(const tacit_row_pass *pass, const int32_t *norms, double radius,
                                     const double *square, double *restrict scale, double *restrict keep) {
  double unit = ldexp(1, pass->bits), clip = radius / unit;
  for (size_t i = 0; i < ROWS; i++) {
    double norm = sqrt(square[i]), down = clip / norm * TACIT_ROW_INSIDE, factor = norm > clip ? down : 1;
    scale[i] = factor * unit;
    keep[i] = (norm < INFINITY) & (norms[i] != 0); /* not for a NaN */
  }
}

/* Toward zero. A kept row's values are below radius + 1 in magnitude; of the others a NaN becomes the limit,
   which is no constant because the compiler then fails to vectorise. */
TACIT_CLONES static void cut_column(const double *restrict scale, const double *restrict keep, double limit,
                                    double *restrict v, double *restrict length) {
  for (size_t i = 0; i < ROWS; i++) {
    double value = v[i] * scale[i];
    value = value > -limit ? value : -limit;
    value = value < limit ? value : limit;
    int32_t whole = (int32_t)value;
    v[i] = whole * keep[i];
    length[i] += v[i] * v[i];
  }
}

TACIT_CLONES void tacit_rows_cut(const tacit_row_pass *pass, const int32_t *norms, double radius,
                                 double *out) {
  double square[ROWS] = {0}, scale[ROWS], keep[ROWS], length[ROWS] = {0}, most = radius * radius;
  for (size_t j = 0; j < pass->width; j++)
    for (size_t i = 0; i < ROWS; i++) square[i] += out[j * ROWS + i] * out[j * ROWS + i];
  find_scales(pass, norms, radius, square, scale, keep);
  for (size_t j = 0; j < pass->width; j++) cut_column(scale, keep, 2 * radius, out + j * ROWS, length);
  int32_t beyond = 0;
  for (size_t i = 0; i < ROWS; i++) beyond += length[i] > most;
  for (size_t i = 0; beyond && i < ROWS; i++)
    for (size_t j = 0; length[i] > most && j < pass->width; j++) out[j * ROWS + i] = 0;
}

TACIT_CLONES void tacit_rows_add(size_t width, const double *v, double *sum) {
  for (size_t j = 0; j < width; j++) {
    double s = 0;
#pragma omp simd reduction(+ : s)
    for (size_t i = 0; i < ROWS; i++) s += v[j * ROWS + i];
    sum[j] += s;
  }
}

/* Sixteen products from eight loads. */
TACIT_CLONES void tacit_rows_multiply(size_t columns, const double *v, double *sum, size_t side) {
  for (size_t k = 0; k < columns; k += 4)
    for (size_t j = k; j < columns; j += 4) {
      const double *a = v + j * ROWS, *b = v + k * ROWS;
      double s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0;
      double s20 = 0, s21 = 0, s22 = 0, s23 = 0, s30 = 0, s31 = 0, s32 = 0, s33 = 0;
#pragma omp simd reduction(+ : s00, s01, s02, s03, s10, s11, s12, s13, s20, s21, s22, s23, s30, s31, s32, s33)
      for (size_t i = 0; i < ROWS; i++) {
        double a0 = a[i], a1 = a[i + ROWS], a2 = a[i + 2 * ROWS], a3 = a[i + 3 * ROWS];
        double b0 = b[i], b1 = b[i + ROWS], b2 = b[i + 2 * ROWS], b3 = b[i + 3 * ROWS];
        s00 += a0 * b0, s01 += a0 * b1, s02 += a0 * b2, s03 += a0 * b3;
        s10 += a1 * b0, s11 += a1 * b1, s12 += a1 * b2, s13 += a1 * b3;
        s20 += a2 * b0, s21 += a2 * b1, s22 += a2 * b2, s23 += a2 * b3;
        s30 += a3 * b0, s31 += a3 * b1, s32 += a3 * b2, s33 += a3 * b3;
      }
      double *c0 = sum + k * side + j, *c1 = c0 + side, *c2 = c1 + side, *c3 = c2 + side;
      c0[0] += s00, c0[1] += s10, c0[2] += s20, c0[3] += s30;
      c1[0] += s01, c1[1] += s11, c1[2] += s21, c1[3] += s31;
      c2[0] += s02, c2[1] += s12, c2[2] += s22, c2[3] += s32;
      c3[0] += s03, c3[1] += s13, c3[2] += s23, c3[3] += s33;
    }
}
