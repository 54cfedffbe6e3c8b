/* The least eigenvalue lies between the two numbers that some products find, and a triangle's inverse is one:
   both the same bits for any number of threads. */
#include "num/linalg.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 522 }; /* several slices, and rows that no four make up */
static double a[N * N], b[N * N], c[N * N], value[N];

static void fill(double wide) {
  uint64_t state = 7;
  for (size_t j = 0; j < N; j++)
    for (size_t k = 0; k <= j; k++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      a[j * N + k] = a[k * N + j] = j == k ? 1 : wide * (double)(int64_t)state * 0x1p-63;
    }
}

static void the_least_lies_between(void **state) {
  (void)state;
  const double widths[] = {0, 0.01, 0.3};
  for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
    fill(widths[w]);
    double above, other, below = tacit_least_eigenvalue(N, a, &above, 1);
    assert_true(below == tacit_least_eigenvalue(N, a, &other, 2) && above == other);
    memcpy(b, a, sizeof b);
    assert_true(tacit_eigen(N, b, value));
    double width = value[N - 1] - value[0];
    assert_true(below <= value[0] + 1e-12 && value[0] <= above + 1e-12);
    assert_true(above - below <= 0.05 * width + 1e-12);
  }
  a[5 * N + 4] = NAN;
  double above;
  assert_true(isnan(tacit_least_eigenvalue(N, a, &above, 2)));
}

static void an_inverse_undoes_its_triangle(void **state) {
  (void)state;
  fill(0.01);
  assert_true(tacit_cholesky(N, a, N));
  tacit_invert_lower(N, a, b, 1);
  tacit_invert_lower(N, a, c, 3);
  assert_memory_equal(b, c, sizeof b);
  for (size_t i = 0; i < N; i++)
    for (size_t j = 0; j < i; j++) assert_true(b[i * N + j] == 0);
  for (size_t i = 0; i < N; i += 37)
    for (size_t j = 0; j < N; j++) {
      double sum = 0; /* row i of L, whose entry k stands in column k, times column j of its inverse */
      for (size_t k = 0; k <= i; k++) sum += a[k * N + i] * b[j * N + k];
      assert_true(fabs(sum - (i == j)) < 1e-12);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_least_lies_between),
      cmocka_unit_test(an_inverse_undoes_its_triangle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
