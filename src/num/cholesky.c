/* Cholesky's factorisation and triangular solves in plain loops. BLAS would start threads of its own for them
   from a hundred columns on, and those go on spinning while ours want the cores. */
#include "num/linalg.h"

#include "num/clones.h"
#include "num/small.h"

#include <math.h>

enum { WIDE = 4 }; /* columns that are brought up to date together */

/* The columns k to k + 3 of a, from row k on, less what the columns before them take away. */
TACIT_CLONES static void update_four(size_t n, double *a, size_t stride, size_t k) {
  double *restrict c0 = a + k * stride, *restrict c1 = c0 + stride, *restrict c2 = c1 + stride,
                   *restrict c3 = c2 + stride;
  for (size_t j = 0; j + 2 <= k; j += 2) {
    const double *l = a + j * stride, *m = l + stride;
    double l0 = l[k], l1 = l[k + 1], l2 = l[k + 2], l3 = l[k + 3];
    double m0 = m[k], m1 = m[k + 1], m2 = m[k + 2], m3 = m[k + 3];
    for (size_t i = k; i < n; i++) {
      c0[i] -= l[i] * l0 + m[i] * m0;
      c1[i] -= l[i] * l1 + m[i] * m1;
      c2[i] -= l[i] * l2 + m[i] * m2;
      c3[i] -= l[i] * l3 + m[i] * m3;
    }
  }
}

bool tacit_cholesky(size_t n, double *a, size_t stride) {
  for (size_t k = 0; k < n; k += WIDE) {
    size_t end = k + WIDE <= n ? k + WIDE : n, done = 0;
    if (end == k + WIDE) {
      update_four(n, a, stride, k);
      done = k;
    }
    for (size_t c = k; c < end; c++) {
      double *column = a + c * stride;
      for (size_t j = done; j < c; j++)
        tacit_small_take(n - c, a[j * stride + c], a + j * stride + c, column + c);
      if (!(column[c] > 0)) return false;
      double root = sqrt(column[c]);
      for (size_t i = c; i < n; i++) column[i] /= root;
    }
  }
  return true;
}

TACIT_CLONES void tacit_solve_lower(size_t n, const double *l, size_t stride, double *b) {
  for (size_t k = 0; k < n; k++) {
    const double *column = l + k * stride;
    double s = b[k] /= column[k];
    for (size_t i = k + 1; i < n; i++) b[i] -= s * column[i];
  }
}

void tacit_solve_lower_turned(size_t n, const double *l, size_t stride, double *b) {
  for (size_t k = n; k-- > 0;) {
    const double *column = l + k * stride;
    b[k] = (b[k] - tacit_small_dot(n - k - 1, column + k + 1, b + k + 1)) / column[k];
  }
}

TACIT_CLONES void tacit_solve_upper(size_t n, const double *u, size_t stride, double *b) {
  for (size_t k = n; k-- > 0;) {
    const double *column = u + k * stride;
    double s = b[k] /= column[k];
    for (size_t i = 0; i < k; i++) b[i] -= s * column[i];
  }
}

void tacit_solve_upper_turned(size_t n, const double *u, size_t stride, double *b) {
  for (size_t k = 0; k < n; k++) {
    const double *column = u + k * stride;
    b[k] = (b[k] - tacit_small_dot(k, column, b)) / column[k];
  }
}
