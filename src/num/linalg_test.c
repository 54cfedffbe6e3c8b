/* The inverse root squares to the inverse, and matrices that have none are turned away. */
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_root_times_itself_times_a_is_one),
      cmocka_unit_test(singular_and_indefinite_matrices_have_none),
      cmocka_unit_test(eigenvectors_are_what_they_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
