/* Products, triangles and Gaussian elimination in plain loops. */
#include "num/small.h"

#include "num/clones.h"

#include <math.h>

TACIT_CLONES void tacit_small_take(size_t n, double factor, const double *a, double *restrict b) {
  for (size_t i = 0; i < n; i++) b[i] -= factor * a[i];
}

/* Four sums in a fixed order, so that the compiler may keep them side by side. */
double tacit_small_dot(size_t n, const double *a, const double *b) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  for (; i < n; i++) s0 += a[i] * b[i];
  return (s0 + s1) + (s2 + s3);
}

double tacit_small_norm(size_t n, const double *a) {
  double most = 0, sum = 0;
  for (size_t i = 0; i < n; i++)
    if (!(fabs(a[i]) <= most)) most = fabs(a[i]); /* a NaN stays */
  if (!(most > 0) || !isfinite(most)) return most;
  if (most > 1e-140 && most < 1e140) return sqrt(tacit_small_dot(n, a, a));
  for (size_t i = 0; i < n; i++) sum += (a[i] / most) * (a[i] / most);
  return most * sqrt(sum);
}

/* out[k] += the products of x with four columns, which are read once for all of them */
TACIT_CLONES static void dots(size_t m, const double *x, const double *y, size_t stride, double out[4]) {
  enum { LANES = 8 };
  double sums[4][LANES] = {{0}};
  size_t i = 0;
  for (; i + LANES <= m; i += LANES)
    for (size_t k = 0; k < 4; k++)
      for (size_t l = 0; l < LANES; l++) sums[k][l] += x[i + l] * y[k * stride + i + l];
  for (; i < m; i++)
    for (size_t k = 0; k < 4; k++) sums[k][0] += x[i] * y[k * stride + i];
  for (size_t k = 0; k < 4; k++)
    for (size_t l = 0; l < LANES; l++) out[k] += sums[k][l];
}

void tacit_small_add_gram(size_t m, size_t p, const double *x, size_t stride, double *out,
                          size_t out_stride) {
  for (size_t j = 0; j < p; j++) {
    size_t i = j;
    for (; i + 4 <= p; i += 4) dots(m, x + j * stride, x + i * stride, stride, out + j * out_stride + i);
    for (; i < p; i++) out[j * out_stride + i] += tacit_small_dot(m, x + i * stride, x + j * stride);
  }
}

void tacit_small_divide(size_t m, size_t n, const double *u, size_t u_stride, double *z, size_t stride) {
  for (size_t k = 0; k < n; k++) {
    double *column = z + k * stride;
    for (size_t j = 0; j < k; j++) tacit_small_take(m, u[k * u_stride + j], z + j * stride, column);
    for (size_t i = 0; i < m; i++) column[i] /= u[k * u_stride + k];
  }
}

void tacit_small_cholesky(size_t n, double *a) {
  static const double DEPENDENT = 1e-14, LEFT_OUT = 1e100;
  for (size_t k = 0; k < n; k++) {
    double *column = a + k * n, before = column[k];
    for (size_t j = 0; j < k; j++) tacit_small_take(n - k, a[j * n + k], a + j * n + k, column + k);
    if (!(column[k] > DEPENDENT * before)) {
      column[k] = LEFT_OUT;
      for (size_t i = k + 1; i < n; i++) column[i] = 0;
      continue;
    }
    double root = sqrt(column[k]);
    for (size_t i = k; i < n; i++) column[i] /= root;
  }
}

static void exchange(double *a, double *b) {
  double kept = *a;
  *a = *b;
  *b = kept;
}

/* Rows are exchanged so that the largest number of what is left of a column stands on the diagonal. */
bool tacit_small_solve(size_t n, double *a, double *b) {
  for (size_t k = 0; k < n; k++) {
    double *column = a + k * n;
    size_t at = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(column[i]) > fabs(column[at])) at = i;
    if (!(fabs(column[at]) > 0)) return false;
    if (at != k) {
      for (size_t j = 0; j < n; j++) exchange(a + j * n + k, a + j * n + at);
      exchange(b + k, b + at);
    }
    for (size_t i = k + 1; i < n; i++) column[i] /= column[k];
    for (size_t j = k + 1; j < n; j++)
      tacit_small_take(n - k - 1, a[j * n + k], column + k + 1, a + j * n + k + 1);
    tacit_small_take(n - k - 1, b[k], column + k + 1, b + k + 1);
  }
  for (size_t k = n; k-- > 0;) {
    b[k] /= a[k * n + k];
    tacit_small_take(k, b[k], a + k * n, b);
  }
  return true;
}
