/* The chi-square distribution against closed forms and quadrature. */
#include "num/gamma.h"

#include "num/normal.h"
#include "num/quadrature.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void one_and_two_degrees_have_closed_forms(void **state) {
  (void)state;
  for (double x = 0.01; x < 60; x *= 1.3) {
    assert_true(fabs(tacit_chi_square_cdf(1, x) - (1 - 2 * tacit_normal_cdf(-sqrt(x)))) < 1e-13);
    assert_true(fabs(tacit_chi_square_cdf(2, x) - (1 - exp(-x / 2))) < 1e-13);
  }
  assert_true(tacit_chi_square_cdf(3, 0) == 0 && tacit_chi_square_cdf(3, -1) == 0);
  assert_true(tacit_chi_square_cdf(200, 1e6) == 1);
}

static double density(double x, const void *with) {
  double k = *(const double *)with;
  return exp((k / 2 - 1) * log(x) - x / 2 - k / 2 * log(2) - lgamma(k / 2));
}

static void many_degrees_agree_with_quadrature(void **state) {
  (void)state;
  const double ks[] = {3, 5, 12, 50, 199};
  for (int i = 0; i < 5; i++)
    for (double x = ks[i] / 2; x < 3 * ks[i]; x *= 1.4)
      assert_true(fabs(tacit_chi_square_cdf(ks[i], x) - tacit_integrate(density, &ks[i], 0, x, 1e-12, NULL)) <
                  1e-9);
}

static void ratio_of_gammas(void **state) {
  (void)state;
  assert_true(fabs(tacit_gamma_ratio(1) - 1 / sqrt(acos(-1))) < 1e-14);
  assert_true(fabs(tacit_gamma_ratio(2) - sqrt(acos(-1)) / 2) < 1e-14);
  for (double k = 3; k < 300; k *= 2) /* Gamma(k/2 + 1) = k/2 Gamma(k/2) */
    assert_true(fabs(tacit_gamma_ratio(k) * tacit_gamma_ratio(k + 1) - k / 2) < 1e-10 * k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_and_two_degrees_have_closed_forms),
      cmocka_unit_test(many_degrees_agree_with_quadrature),
      cmocka_unit_test(ratio_of_gammas),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
