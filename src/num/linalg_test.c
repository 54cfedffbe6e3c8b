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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_root_times_itself_times_a_is_one),
      cmocka_unit_test(singular_and_indefinite_matrices_have_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
