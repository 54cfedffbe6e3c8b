/* The eigenproblem in slices and by threads against the plain one: the same bits. */
#include "num/linalg.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS = 60, MOST = 230 };

/* The plain one: every loop as the book has it. */

static double reflect(size_t n, double *a, size_t k, double *w, double *beside) {
  double square = 0, vv, vp = 0;
  for (size_t i = k + 1; i < n; i++) square += a[i * n + k] * a[i * n + k];
  double first = a[(k + 1) * n + k], alpha = first > 0 ? -sqrt(square) : sqrt(square);
  *beside = alpha;
  vv = 2 * (square - alpha * first);
  if (!(vv > 0)) return 0;
  a[(k + 1) * n + k] = first - alpha;
  for (size_t i = k + 1; i < n; i++) {
    double sum = 0;
    for (size_t j = k + 1; j < n; j++) sum += (j <= i ? a[i * n + j] : a[j * n + i]) * a[j * n + k];
    w[i] = 2 * sum / vv;
    vp += a[i * n + k] * w[i];
  }
  for (size_t i = k + 1; i < n; i++) w[i] -= vp / vv * a[i * n + k];
  for (size_t i = k + 1; i < n; i++)
    for (size_t j = k + 1; j <= i; j++) a[i * n + j] -= a[i * n + k] * w[j] + w[i] * a[j * n + k];
  return vv;
}

static void tridiagonal(size_t n, double *a, double *d, double *e, double *w, double *length, double *q) {
  for (size_t k = 0; k + 1 < n; k++) length[k] = reflect(n, a, k, w, &e[k]);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) q[i * n + j] = i == j;
  for (size_t i = 0; i < n; i++) d[i] = a[i * n + i];
  for (size_t k = n - 1; k-- > 0;) {
    if (!(length[k] > 0)) continue;
    for (size_t r = k + 1; r < n; r++) { /* each row of Q' times H_k from the right */
      double sum = 0, *row = q + r * n;
      for (size_t j = k + 1; j < n; j++) sum += row[j] * a[j * n + k];
      for (size_t j = k + 1; j < n; j++) row[j] -= 2 * sum / length[k] * a[j * n + k];
    }
  }
}

static void rotate(size_t n, double *x, double *y, double c, double s) {
  for (size_t j = 0; j < n; j++) {
    double t = c * x[j] + s * y[j];
    y[j] = c * y[j] - s * x[j];
    x[j] = t;
  }
}

static void step(size_t n, double *d, double *e, double *q, size_t lo, size_t hi) {
  double half = (d[hi - 1] - d[hi]) / 2, t = e[hi - 1], root = sqrt(half * half + t * t);
  double shift = d[hi] - t * t / (half < 0 ? half - root : half + root), x = d[lo] - shift, z = e[lo];
  for (size_t k = lo; k < hi; k++) {
    double r = sqrt(x * x + z * z), c = r > 0 ? x / r : 1, s = r > 0 ? z / r : 0;
    if (k > lo) e[k - 1] = r;
    double a = d[k], b = e[k], g = d[k + 1];
    d[k] = c * c * a + 2 * c * s * b + s * s * g;
    d[k + 1] = s * s * a - 2 * c * s * b + c * c * g;
    e[k] = c * s * (g - a) + (c * c - s * s) * b;
    rotate(n, q + k * n, q + (k + 1) * n, c, s);
    if (k + 1 == hi) break;
    x = e[k];
    z = s * e[k + 1];
    e[k + 1] *= c;
  }
}

static bool diagonal(size_t n, double *d, double *e, double *q) {
  size_t steps = 0;
  for (size_t hi = n - 1; hi > 0;) {
    size_t lo = hi;
    while (lo > 0 && fabs(e[lo - 1]) > DBL_EPSILON * (fabs(d[lo - 1]) + fabs(d[lo])) &&
           fabs(e[lo - 1]) > DBL_MIN)
      lo--;
    if (lo == hi) {
      e[--hi] = 0;
      steps = 0;
    } else {
      if (++steps > STEPS) return false;
      step(n, d, e, q, lo, hi);
    }
  }
  return true;
}

static bool plain(size_t n, double *a, double *values) {
  static double q[MOST * MOST], e[MOST], w[MOST], length[MOST], unit;
  unit = 0;
  for (size_t i = 0; i < n * n; i++) unit = fmax(unit, fabs(a[i]));
  if (!(unit > 0)) unit = 1;
  for (size_t i = 0; i < n * n; i++) a[i] /= unit;
  tridiagonal(n, a, values, e, w, length, q);
  if (!diagonal(n, values, e, q)) return false;
  for (size_t k = 0; k < n; k++) {
    size_t least = k;
    for (size_t i = k + 1; i < n; i++)
      if (values[i] < values[least]) least = i;
    double t = values[k];
    values[k] = values[least];
    values[least] = t;
    for (size_t j = 0; j < n; j++) {
      a[j * n + k] = q[least * n + j];
      q[least * n + j] = q[k * n + j];
    }
  }
  for (size_t i = 0; i < n; i++) values[i] *= unit;
  return true;
}

/* Full, in blocks of equal numbers, one, sparse, and zero. */
static double entry(int kind, size_t i, size_t j) {
  double z = sin(1000.5 * (double)(i * MOST + j)) + 2 * (i == j);
  return kind == 0   ? z
         : kind == 1 ? i / 5 == j / 5
         : kind == 2 ? i == j
         : kind == 3 ? z * ((i + j) % 4 == 0)
                     : 0;
}

static void slices_and_threads_change_no_bit(void **state) {
  (void)state;
  static double a[MOST * MOST], b[MOST * MOST], u[MOST], v[MOST];
  for (int kind = 0; kind < 5; kind++)
    for (size_t n = 1; n <= MOST; n += 1 + n / 4)
      for (int threads = 1; threads <= 3; threads++) {
        for (size_t i = 0; i < n; i++)
          for (size_t j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = entry(kind, i, j);
        memcpy(b, a, n * n * sizeof *a);
        assert_true(tacit_eigen_by(n, a, u, threads));
        assert_true(plain(n, b, v));
        assert_memory_equal(u, v, n * sizeof *u);
        assert_memory_equal(a, b, n * n * sizeof *a);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slices_and_threads_change_no_bit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
