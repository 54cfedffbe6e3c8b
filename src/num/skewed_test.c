/* Laws with a skew against simulated quantiles of the formula itself, and against laws that they are close
   to. */
#include "num/skewed.h"

#include "num/normal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Half of the law lies within 1 of 0, counted on a grid of normal quantiles; half of it below 0. */
static void a_spread_is_one(void **state) {
  (void)state;
  enum { STEPS = 100000 };
  const double skews[] = {-1.2, -0.5, -0.01, 0, 0.3, 0.9, 1.2};
  for (size_t k = 0; k < sizeof skews / sizeof *skews; k++) {
    const tacit_skewed law = tacit_skewed_of(skews[k]);
    int near = 0;
    for (int i = 0; i < STEPS; i++) near += fabs(tacit_skewed_quantile(&law, (i + 0.5) / STEPS)) < 1;
    assert_true(fabs(near / (double)STEPS - 0.5) < 1e-4);
    assert_true(tacit_skewed_quantile(&law, 0.5) == 0);
  }
}

/* Of the exponential law the median is log 2 and half of it lies within 0.48121 = log((1 + sqrt 5) / 2) of
   that: e^-(m - s) - e^-(m + s) = sinh s = 1/2. A law with its 0.9-quantile has its other quantiles, too. */
static void a_law_is_close_to_the_exponential_one(void **state) {
  (void)state;
  double median = log(2), spread = asinh(0.5);
  double skew = tacit_skew_with_quantile(0.9, (log(10) - median) / spread);
  const tacit_skewed law = tacit_skewed_of(skew);
  assert_true(fabs(skew - 0.73) < 0.01);
  for (double tau = 0.2; tau < 0.92; tau += 0.05)
    assert_true(fabs(tacit_skewed_quantile(&law, tau) - (-log1p(-tau) - median) / spread) < 0.1);
}

static void a_quantile_finds_its_skew(void **state) {
  (void)state;
  const double taus[] = {0.02, 0.2, 0.8, 0.98};
  for (int t = 0; t < 4; t++)
    for (double g = -1.15; g < 1.2; g += 0.23) {
      const tacit_skewed law = tacit_skewed_of(g);
      double at = tacit_skewed_quantile(&law, taus[t]);
      assert_true(fabs(tacit_skew_with_quantile(taus[t], at) - g) < 1e-3);
    }
  assert_true(fabs(tacit_skew_with_quantile(0.9, tacit_normal_quantile(0.9) / 0.67449)) < 1e-3);
  assert_true(tacit_skew_with_quantile(0.9, 1e9) <= TACIT_SKEW_MOST);
  assert_true(tacit_skew_with_quantile(0.9, -1e9) >= -TACIT_SKEW_MOST);
}

static void odd_skews_are_held(void **state) {
  (void)state;
  const double odd[] = {INFINITY, -INFINITY, NAN, 1e300, -5};
  const double held[] = {TACIT_SKEW_MOST, -TACIT_SKEW_MOST, 0, TACIT_SKEW_MOST, -TACIT_SKEW_MOST};
  for (int k = 0; k < 5; k++) assert_true(tacit_skewed_of(odd[k]).g == held[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_spread_is_one), cmocka_unit_test(a_law_is_close_to_the_exponential_one),
      cmocka_unit_test(a_quantile_finds_its_skew), cmocka_unit_test(odd_skews_are_held)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
