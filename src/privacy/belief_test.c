/* The table of beliefs: against exact numbers, against the worst release there is, and against delta. */
#include "privacy/gdp.h"

#include "num/normal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double bayes(double prior, double loss) {
  return prior * exp(loss) / (1 - prior + prior * exp(loss));
}

/* Phi^-1 by bisection. */
static double quantile(double p) {
  double lo = -40, hi = 40;
  for (int i = 0; i < 200; i++) {
    double middle = (lo + hi) / 2;
    if (tacit_normal_cdf(middle) < p)
      lo = middle;
    else
      hi = middle;
  }
  return hi;
}

static void beliefs_follow_from_the_trade_off(void **state) {
  (void)state;
  static const double mus[] = {1e-6, 0.01, 0.1, 0.5, 1, 2, 5};
  tacit_beliefs b;
  for (size_t m = 0; m < sizeof mus / sizeof *mus; m++) {
    assert_int_equal(tacit_beliefs_from(mus[m], 0, 0, &b, NULL), TACIT_OK);
    for (size_t i = 0; i < TACIT_PRIORS; i++)
      for (size_t k = 0; k < TACIT_EXCEPTIONS; k++) {
        double q = b.except[k], exact = log(q / tacit_normal_cdf(quantile(q) - mus[m]));
        double belief = bayes(b.prior[i], exact);
        assert_true(b.at_most[i][k] > belief * (1 - 1e-9) && b.at_most[i][k] < belief * (1 + 1e-9) + 1e-12);
        assert_true(b.at_most[i][k] >= b.prior[i] && b.at_most[i][k] <= 1);
        /* the Gaussian release itself stays below: P(loss > x) = Phi(mu / 2 - x / mu) */
        double gaussian = mus[m] * mus[m] / 2 - mus[m] * quantile(q);
        assert_true(b.at_most[i][k] >= bayes(b.prior[i], gaussian) - 1e-12);
      }
  }
}

/* A release may tell no more than one bit, drawn to be as telling as mu-GDP allows: it reaches the bound. A
   table made from delta(x) instead, or from the Gaussian's own loss, would be broken by it. */
static void the_worst_release_reaches_the_bound(void **state) {
  (void)state;
  double mu = 0.5, delta;
  tacit_beliefs b;
  assert_int_equal(tacit_beliefs_from(mu, 0, 0, &b, NULL), TACIT_OK);
  for (size_t k = 0; k < TACIT_EXCEPTIONS; k++) {
    double yes_true = b.except[k], yes_other = tacit_normal_cdf(quantile(yes_true) - mu);
    double belief = 0.5 * yes_true / (0.5 * yes_true + 0.5 * yes_other);
    assert_true(fabs(belief - b.at_most[2][k]) < 1e-9);
    assert_true(belief > bayes(0.5, mu * mu / 2 - mu * quantile(yes_true)) + 1e-3);
    double x = log(yes_true / yes_other) * (1 - 1e-9);
    assert_int_equal(tacit_gdp_delta(mu, x, &delta, NULL), TACIT_OK);
    assert_true(yes_true > delta); /* P(loss > x) is far above delta(x) */
  }
  /* MATH: at mu = 0.5, x = 1.99 the Gaussian has P(loss > x) = 9.3e-5 and delta = 1e-5 */
  assert_true(fabs(tacit_normal_cdf(-1.99 / 0.5 + 0.25) - 9.3e-5) < 5e-6);
  assert_int_equal(tacit_gdp_delta(0.5, 1.99, &delta, NULL), TACIT_OK);
  assert_true(fabs(delta - 1e-5) < 5e-7);
}

static void a_pair_bounds_beliefs_too(void **state) {
  (void)state;
  tacit_beliefs b;
  assert_int_equal(tacit_beliefs_from(0, 1, 1e-6, &b, NULL), TACIT_OK);
  for (size_t k = 0; k < TACIT_EXCEPTIONS; k++) {
    double loss = 1 - log1p(-1e-6 / b.except[k]);
    assert_true(b.at_most[1][k] >= bayes(0.1, loss) * (1 - 1e-14));
    assert_true(b.at_most[1][k] <= bayes(0.1, loss) * (1 + 1e-12));
  }
  assert_int_equal(tacit_beliefs_from(0, 1, 0.01, &b, NULL), TACIT_OK);
  assert_true(b.at_most[0][0] < 1 && b.at_most[0][1] == 1 && b.at_most[0][2] == 1); /* delta may show all */
  assert_int_equal(tacit_beliefs_from(0, 0, 0, &b, NULL), TACIT_OK);
  assert_true(b.at_most[0][0] >= 0.01 && b.at_most[0][0] < 0.01 + 1e-15);
  assert_int_equal(tacit_beliefs_from(1e4, 0, 0, &b, NULL), TACIT_OK);
  assert_true(b.at_most[0][0] == 1);
  assert_int_equal(tacit_beliefs_from(-1, 0, 0, &b, NULL), TACIT_USAGE);
  assert_int_equal(tacit_beliefs_from(NAN, 1, 0.1, &b, NULL), TACIT_USAGE);
  assert_int_equal(tacit_beliefs_from(0, 1, 1, &b, NULL), TACIT_USAGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(beliefs_follow_from_the_trade_off),
      cmocka_unit_test(the_worst_release_reaches_the_bound),
      cmocka_unit_test(a_pair_bounds_beliefs_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
