/* The inverse root squares to the inverse, triangles are factors, and matrices that have none are turned
 * away. */
#include "num/linalg.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void inverse_root_times_itself_times_a_is_one(void **state) {
  (void)state;
  enum { N = 7 };
  double a[N * N], r[N * N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i * N + j] = pow(0.5, abs(i - j)) * (i + 1) * (j + 1);
  assert_true(tacit_inverse_root(N, a, r));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++)
        for (int l = 0; l < N; l++) sum += r[i * N + k] * r[k * N + l] * a[l * N + j];
      assert_true(fabs(sum - (i == j)) < 1e-10);
    }
}

static void singular_and_indefinite_matrices_have_none(void **state) {
  (void)state;
  double singular[4] = {1, 1, 1, 1}, indefinite[4] = {1, 2, 2, 1}, out[4];
  assert_false(tacit_inverse_root(2, singular, out));
  assert_false(tacit_inverse_root(2, indefinite, out));
}

/* Vectors are orthonormal and A v = lambda v, for sizes 1 to 60: dense, diagonal, zero, of rank one, with
   equal eigenvalues, badly scaled. */
static void eigenvectors_are_what_they_are(void **state) {
  (void)state;
  enum { MOST = 60, KINDS = 6 };
  static double a[MOST * MOST], v[MOST * MOST], values[MOST];
  for (size_t n = 1; n <= MOST; n += n < 6 ? 1 : 9)
    for (int kind = 0; kind < KINDS; kind++) {
      double largest = 1e-300;
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
          double x = sin(12.9898 * (double)(i * n + j + 1)) * 43758.5453;
          x -= floor(x);
          if (kind == 1) x = i == j ? (double)(i % 3) : 0;
          if (kind == 2) x = 0;
          if (kind == 3) x = (double)((i + 1) * (j + 1));
          if (kind == 4) x = (i == j) + 1;
          if (kind == 5) x *= pow(10, (double)((i + j) % 40)) * 1e80;
          a[i * n + j] = a[j * n + i] = x;
          largest = fmax(largest, fabs(x));
        }
      memcpy(v, a, n * n * sizeof *v);
      assert_true(tacit_eigen(n, v, values));
      for (size_t k = 0; k < n; k++) {
        assert_true(k == 0 || values[k - 1] <= values[k]);
        for (size_t l = 0; l <= k; l++) {
          double dot = 0;
          for (size_t i = 0; i < n; i++) dot += v[i * n + k] * v[i * n + l];
          assert_true(fabs(dot - (k == l)) < 1e-12);
        }
        for (size_t i = 0; i < n; i++) {
          double sum = 0;
          for (size_t j = 0; j < n; j++) sum += a[i * n + j] * v[j * n + k];
          assert_true(fabs(sum - values[k] * v[i * n + k]) < 1e-12 * largest * (double)n);
        }
      }
    }
  a[0] = NAN;
  assert_false(tacit_eigen(1, a, values));
}

/* L L' gives the matrix back, the four solves undo their triangle, for every size around the unrolled loops
   and columns further apart than they are long; nothing below the matrix changes. */
static void triangles_are_factors_and_are_undone(void **state) {
  (void)state;
  enum { MOST = 45, STRIDE = MOST + 3 };
  static double a[MOST * STRIDE], l[MOST * STRIDE];
  for (size_t n = 1; n <= MOST; n++) {
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < STRIDE; i++) {
        double far = (double)i - (double)j;
        a[j * STRIDE + i] =
            (i < n ? 1 + 50 * (i == j) : 3) * exp(-0.01 * far * far) * (double)((i + 1) * (j + 1));
      }
    memcpy(l, a, sizeof l);
    assert_true(tacit_cholesky(n, l, STRIDE));
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < STRIDE; i++) {
        double sum = 0;
        for (size_t k = 0; k <= j; k++) sum += l[k * STRIDE + i] * l[k * STRIDE + j];
        if (i >= n) assert_true(l[j * STRIDE + i] == a[j * STRIDE + i]);
        if (i >= j && i < n) assert_true(fabs(sum - a[j * STRIDE + i]) <= 1e-14 * a[i * (STRIDE + 1)]);
      }
    void (*solve[])(size_t, const double *, size_t, double *) = {tacit_solve_lower, tacit_solve_lower_turned,
                                                                 tacit_solve_upper, tacit_solve_upper_turned};
    for (size_t kind = 0; kind < 4; kind++) {
      double x[MOST], b[MOST];
      for (size_t i = 0; i < n; i++) x[i] = sin(3 * (double)i + 1);
      for (size_t i = 0; i < n; i++) { /* triangle (i, j), of which a turned one is its mirror image */
        b[i] = 0;
        for (size_t j = 0; j < n; j++) {
          size_t row = kind % 2 ? j : i, column = kind % 2 ? i : j;
          if (kind < 2 ? row >= column : row <= column)
            b[i] += (kind < 2 ? l : a)[column * STRIDE + row] * x[j];
        }
      }
      solve[kind](n, kind < 2 ? l : a, STRIDE, b);
      for (size_t i = 0; i < n; i++) assert_true(fabs(b[i] - x[i]) < 1e-10);
    }
  }
}

static void an_indefinite_matrix_has_no_triangle(void **state) {
  (void)state;
  enum { N = 6 };
  for (size_t bad = 0; bad < N; bad++)
    for (int kind = 0; kind < 3; kind++) {
      double a[N * N] = {0};
      for (size_t i = 0; i < N; i++) a[i * (N + 1)] = 1;
      a[bad * (N + 1)] = kind == 0 ? 0 : kind == 1 ? -1 : NAN;
      assert_false(tacit_cholesky(N, a, N));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_root_times_itself_times_a_is_one),
      cmocka_unit_test(singular_and_indefinite_matrices_have_none),
      cmocka_unit_test(eigenvectors_are_what_they_are),
      cmocka_unit_test(triangles_are_factors_and_are_undone),
      cmocka_unit_test(an_indefinite_matrix_has_no_triangle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
