/* The loops of the smoothed pass, over several columns at a time where that saves loads. Their sums are
   taken in whatever order the vector unit likes: nothing private rests on them. */
#include "erm/smooth_block.h"

#include "num/clones.h"

#include <math.h>

TACIT_CLONES void tacit_smooth_residuals(size_t m, size_t p, const double *x, size_t n, const double *y,
                                         const double *b, double *restrict r) {
  for (size_t i = 0; i < m; i++) r[i] = y[i];
  size_t j = 0;
  for (; j + 8 <= p; j += 8) {
    const double *c0 = x + j * n, *c1 = c0 + n, *c2 = c1 + n, *c3 = c2 + n;
    const double *c4 = c3 + n, *c5 = c4 + n, *c6 = c5 + n, *c7 = c6 + n;
    double b0 = b[j], b1 = b[j + 1], b2 = b[j + 2], b3 = b[j + 3];
    double b4 = b[j + 4], b5 = b[j + 5], b6 = b[j + 6], b7 = b[j + 7];
    for (size_t i = 0; i < m; i++)
      r[i] -= ((b0 * c0[i] + b1 * c1[i]) + (b2 * c2[i] + b3 * c3[i])) +
              ((b4 * c4[i] + b5 * c5[i]) + (b6 * c6[i] + b7 * c7[i]));
  }
  for (; j + 2 <= p; j += 2) {
    const double *c0 = x + j * n, *c1 = c0 + n;
    double b0 = b[j], b1 = b[j + 1];
    for (size_t i = 0; i < m; i++) r[i] -= b0 * c0[i] + b1 * c1[i];
  }
  for (; j < p; j++)
    for (size_t i = 0; i < m; i++) r[i] -= b[j] * x[j * n + i];
}

TACIT_CLONES void tacit_smooth_arguments(size_t m, const double *r, double scale, double *restrict u) {
  for (size_t i = 0; i < m; i++) u[i] = -r[i] * scale;
}

TACIT_CLONES double tacit_smooth_largest(size_t n, const double *y) {
  double most = 0;
#pragma omp simd reduction(max : most)
  for (size_t i = 0; i < n; i++) most = fabs(y[i]) > most ? fabs(y[i]) : most;
  return most;
}

TACIT_CLONES double tacit_smooth_size(size_t n, const double *y) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < n; i++) sum += fabs(y[i]);
  return sum;
}

TACIT_CLONES double tacit_smooth_losses(size_t m, double tau, double h, const double *r,
                                        const double *excess) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < m; i++) sum += (r[i] > 0 ? tau : tau - 1) * r[i] + h * excess[i];
  return sum;
}

TACIT_CLONES void tacit_smooth_gradient(size_t m, size_t p, const double *x, size_t n, const double *psi,
                                        double *g) {
  size_t j = 0;
  for (; j + 4 <= p; j += 4) {
    const double *c0 = x + j * n, *c1 = c0 + n, *c2 = c1 + n, *c3 = c2 + n;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
    for (size_t i = 0; i < m; i++) {
      s0 += psi[i] * c0[i];
      s1 += psi[i] * c1[i];
      s2 += psi[i] * c2[i];
      s3 += psi[i] * c3[i];
    }
    g[j] += s0;
    g[j + 1] += s1;
    g[j + 2] += s2;
    g[j + 3] += s3;
  }
  for (; j < p; j++) {
    double s = 0;
#pragma omp simd reduction(+ : s)
    for (size_t i = 0; i < m; i++) s += psi[i] * x[j * n + i];
    g[j] += s;
  }
}

TACIT_CLONES void tacit_smooth_weigh(size_t m, const double *w, const double *x, float *restrict z) {
  for (size_t i = 0; i < m; i++) z[i] = (float)(w[i] * x[i]);
}

size_t tacit_smooth_select(size_t m, const double *w, double cut, uint32_t *places) {
  size_t count = 0;
  for (size_t i = 0; i < m; i++) {
    places[count] = (uint32_t)i;
    count += w[i] > cut;
  }
  return count;
}

size_t tacit_smooth_select_near(size_t m, const double *u, double reach, uint32_t *places) {
  size_t count = 0;
  for (size_t i = 0; i < m; i++) {
    places[count] = (uint32_t)i;
    count += !(fabs(u[i]) >= reach);
  }
  return count;
}

TACIT_CLONES void tacit_smooth_weigh_some(size_t m, const double *w, const double *x, const uint32_t *places,
                                          float *restrict z) {
  for (size_t k = 0; k < m; k++) z[k] = (float)(w[k] * x[places[k]]);
}

/* Sixteen products from eight loads. A block is so short that single precision holds its sums. */
TACIT_CLONES void tacit_smooth_moment(size_t m, size_t columns, const float *z, size_t stride, double *s,
                                      size_t side) {
  for (size_t k = 0; k < columns; k += 4)
    for (size_t j = k; j < columns; j += 4) {
      const float *a = z + j * stride, *b = z + k * stride;
      float s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0;
      float s20 = 0, s21 = 0, s22 = 0, s23 = 0, s30 = 0, s31 = 0, s32 = 0, s33 = 0;
#pragma omp simd reduction(+ : s00, s01, s02, s03, s10, s11, s12, s13, s20, s21, s22, s23, s30, s31, s32, s33)
      for (size_t i = 0; i < m; i++) {
        float a0 = a[i], a1 = a[i + stride], a2 = a[i + 2 * stride], a3 = a[i + 3 * stride];
        float b0 = b[i], b1 = b[i + stride], b2 = b[i + 2 * stride], b3 = b[i + 3 * stride];
        s00 += a0 * b0, s01 += a0 * b1, s02 += a0 * b2, s03 += a0 * b3;
        s10 += a1 * b0, s11 += a1 * b1, s12 += a1 * b2, s13 += a1 * b3;
        s20 += a2 * b0, s21 += a2 * b1, s22 += a2 * b2, s23 += a2 * b3;
        s30 += a3 * b0, s31 += a3 * b1, s32 += a3 * b2, s33 += a3 * b3;
      }
      double *c0 = s + k * side + j, *c1 = c0 + side, *c2 = c1 + side, *c3 = c2 + side;
      c0[0] += (double)s00, c0[1] += (double)s10, c0[2] += (double)s20, c0[3] += (double)s30;
      c1[0] += (double)s01, c1[1] += (double)s11, c1[2] += (double)s21, c1[3] += (double)s31;
      c2[0] += (double)s02, c2[1] += (double)s12, c2[2] += (double)s22, c2[3] += (double)s32;
      c3[0] += (double)s03, c3[1] += (double)s13, c3[2] += (double)s23, c3[3] += (double)s33;
    }
}
