/* Known values of the beta distribution, and limits of proportions that cover what they should. */
#include "num/beta.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void near(double value, double expected, double relative) {
  if (!(fabs(value - expected) <= relative * fabs(expected)))
    fail_msg("%.15g, expected %.15g", value, expected);
}

static void known_values(void **state) {
  (void)state;
  near(tacit_beta_cdf(1, 1, 0.3), 0.3, 1e-12);
  near(tacit_beta_cdf(2, 3, 0.4), 0.5248, 1e-12); /* a polynomial: 6 x^2 - 8 x^3 + 3 x^4 */
  near(tacit_beta_cdf(0.5, 0.5, 0.5), 0.5, 1e-12);
  near(tacit_beta_cdf(3, 1, 0.9), 0.729, 1e-12);
  near(tacit_beta_cdf(5000, 5001, 0.5), 0.5039893230696917, 1e-9);
  assert_true(tacit_beta_cdf(2, 2, 0) == 0 && tacit_beta_cdf(2, 2, 1) == 1);
}

/* Closed forms: all of n succeed, alpha^(1/n); one of one. */
static void limits_in_closed_form(void **state) {
  (void)state;
  near(tacit_chance_lower(100, 100, 0.001), pow(0.001, 0.01), 1e-8);
  near(tacit_chance_upper(0, 100, 0.001), 1 - pow(0.001, 0.01), 1e-7);
  near(tacit_chance_lower(1, 1, 0.05), 0.05, 1e-8);
  assert_true(tacit_chance_lower(0, 50, 0.01) == 0 && tacit_chance_upper(50, 50, 0.01) == 1);
}

static double binomial_tail(int k, int n, double p) { /* P(at least k) */
  double sum = 0;
  for (int i = k; i <= n; i++)
    sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) + i * log(p) + (n - i) * log1p(-p));
  return sum;
}

/* At the limit the tail is alpha, from below; so no chance is missed more often than alpha says. */
static void limits_cover(void **state) {
  (void)state;
  static const double alphas[] = {0.05, 0.001, 0.00025};
  for (int n = 5; n <= 200; n += 39)
    for (int k = 1; k < n; k += 7)
      for (int a = 0; a < 3; a++) {
        double lower = tacit_chance_lower(k, n, alphas[a]), upper = tacit_chance_upper(k, n, alphas[a]);
        double tail = binomial_tail(k, n, lower), other = binomial_tail(n - k, n, 1 - upper);
        assert_true(tail <= alphas[a] && tail > 0.999 * alphas[a]);
        assert_true(other <= alphas[a] && other > 0.999 * alphas[a]);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_values),
      cmocka_unit_test(limits_in_closed_form),
      cmocka_unit_test(limits_cover),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
