/* The bandwidth of smoothed ERM: near the exact fit in any units, with wild rows, with most demand at one
   value; and rules with a spread, which are better where spreads differ. */
#include "base/base.h"
#include "erm/erm.h"
#include "erm/erm_for_test.h"
#include "loss/check.h"
#include "loss/rule.h"

#include <string.h>

enum { MOST = 8 };
static const double TAUS[] = {0.02, 0.1, 0.5, 0.9, 0.98};
enum { LEVELS = sizeof TAUS / sizeof *TAUS };

static double exact_loss(const tacit_sample *s, double tau) {
  double b[MOST];
  assert_int_equal(tacit_erm_exact(s, 0, tau, b, NULL, NULL), TACIT_OK);
  return tacit_check_objective(s, 0, tau, b);
}

static double fitted_loss(const tacit_sample *s, double tau) {
  double b[MOST];
  assert_int_equal(tacit_erm_fit(s, 0, tau, TACIT_KERNEL_GAUSSIAN, b, NULL, NULL), TACIT_OK);
  return tacit_check_objective(s, 0, tau, b);
}

/* Within 1 % of the exact fit, or the finest bandwidth of a loss of zero. */
static void assert_near(const tacit_sample *s, int kind, double tau, double loss) {
  double n = (double)s->rows, exact = exact_loss(s, tau);
  if (!(loss <= (exact < 1e-9 * n ? 1e-5 * n : 1.01 * exact)))
    fail_msg("shape %d, tau %g: %g is more than %g", kind, tau, loss, exact);
}

/* Bounds a hundred times as far apart as demand scatters: encoded demand is as much smaller, and a bandwidth
   that goes by the bounds smooths all of it. */
static void wide_bounds_do_not_matter(void **state) {
  (void)state;
  for (size_t n = 500; n <= 32000; n *= 8) {
    tacit_sample *s = draw(n, 5, n);
    for (size_t i = 0; i < n; i++) s->y[i] /= 100;
    for (size_t k = 0; k < LEVELS; k++) assert_near(s, -1, TAUS[k], fitted_loss(s, TAUS[k]));
    const tacit_erm_loss by_bounds = {0.9, TACIT_KERNEL_GAUSSIAN, tacit_default_bandwidth(0.9, (double)n, 5)};
    double b[MOST];
    assert_int_equal(tacit_erm_smooth(s, 0, &by_bounds, b, NULL, NULL), TACIT_OK);
    assert_true(tacit_check_objective(s, 0, 0.9, b) > 1.1 * exact_loss(s, 0.9));
    discard(s);
  }
}

typedef enum shape { MOSTLY_ONE_VALUE, WILD, MINORITY, LINEAR, CONSTANT, TWICE, SHAPES } shape;

static void bend(tacit_sample *s, shape kind, uint64_t seed) {
  size_t n = s->rows;
  for (size_t i = 0; i < n; i++) {
    double u = uniform(&seed), *y = &s->y[i];
    if (kind == MOSTLY_ONE_VALUE && u < 0.7) *y = -0.9;
    if (kind == WILD) *y *= 1e-3 / u;
    if (kind == MINORITY) *y = 1e-3 * *y + (s->x[n + i] > 0.7);
    if (kind == LINEAR) *y = 0.3 * s->x[n + i] - 0.1;
    if (kind == CONSTANT) *y = 0.4;
    if (kind == TWICE) s->x[2 * n + i] = s->x[n + i];
  }
}

static void no_shape_of_demand_hides_the_spread(void **state) {
  (void)state;
  for (int kind = 0; kind < SHAPES; kind++) {
    tacit_sample *s = draw(3000, 4, 7);
    bend(s, (shape)kind, 8);
    for (size_t k = 0; k < LEVELS; k++) assert_near(s, kind, TAUS[k], fitted_loss(s, TAUS[k]));
    discard(s);
  }
}

/* Demand of large tables in weeks: every seventh row, or every fourteenth, would see Sundays alone. */
static void rows_may_come_in_weeks(void **state) {
  (void)state;
  for (size_t n = 28000; n <= 56000; n *= 2) {
    tacit_sample *s = draw(n, 3, 9);
    for (size_t i = 0; i < n; i++) s->y[i] *= i % 7 ? 1e-3 : 1;
    tacit_erm_loss loss = {0.5, TACIT_KERNEL_GAUSSIAN, 0};
    assert_int_equal(tacit_erm_bandwidth(s, 0, &loss, NULL, NULL), TACIT_OK);
    assert_true(loss.h > 1e-6 && loss.h < 1e-4);
    discard(s);
  }
}

/* Demand whose spread doubles several times from one end of a feature to the other, the same in all units. */
static tacit_sample *fan(size_t n, uint64_t seed) {
  tacit_sample *s = draw(n, 3, seed);
  for (size_t i = 0; i < n; i++) {
    double x = s->x[n + i], e = log(uniform(&seed)) - log(uniform(&seed));
    s->y[i] = 0.1 * x - 0.1 * s->x[2 * n + i] + 0.02 * exp(2 * x) * e;
  }
  return s;
}

static double spread_loss(const tacit_sample *s, double tau, double *spread) {
  double b[MOST], loss = 0;
  const tacit_spread_fit fit = {.tau = tau, .reach = 1, .coefficients = b, .spread = spread};
  const tacit_rule rule = {.columns = s->columns, .coefficients = b, .spread = spread, .reach = 1};
  assert_int_equal(tacit_erm_spread(s, 0, &fit, NULL, NULL), TACIT_OK);
  for (size_t i = 0; i < s->rows; i++) {
    double x[MOST];
    for (size_t j = 0; j < s->columns; j++) x[j] = s->x[j * s->rows + i];
    loss += tacit_check_loss(tau, s->y[i] - tacit_rule_order(&rule, x));
  }
  return loss;
}

/* Where spreads differ the rule costs much less than the best linear one, and finds how they do: demand is
   Laplace's, whose quantile at 0.95 lies 2.3 scales, log 10 / log 2 spreads, from the median. */
static void a_spread_is_found(void **state) {
  (void)state;
  tacit_sample *s = fan(20000, 11);
  double spread[MOST], loss = spread_loss(s, 0.95, spread);
  assert_true(loss < 0.9 * exact_loss(s, 0.95));
  assert_true(fabs(spread[1] - 2) < 0.05 && fabs(spread[2]) < 0.05);
  assert_true(fabs(spread[0] - log(0.02 * log(2))) < 0.05);
  assert_true(fabs(spread[3] - log(10) / log(2)) < 0.4);
  discard(s);
}

/* Where they do not, it costs no more than the best linear one: that is one of its rules. */
static void equal_spreads_cost_nothing(void **state) {
  (void)state;
  for (int kind = 0; kind <= SHAPES; kind++) {
    tacit_sample *s = draw(2000, 4, 12);
    double spread[MOST];
    if (kind < SHAPES) bend(s, (shape)kind, 13);
    for (size_t k = 0; k < LEVELS; k++) assert_near(s, kind, TAUS[k], spread_loss(s, TAUS[k], spread));
    discard(s);
  }
}

/* Rows whose residuals are so unlike each other that rounding does not let the first bandwidth settle. */
static void a_fit_that_does_not_settle_is_smoothed_more(void **state) {
  (void)state;
  tacit_sample *s = draw(1340, 4, 26);
  double spread[MOST];
  bend(s, WILD, 126);
  assert_near(s, WILD, 0.9, spread_loss(s, 0.9, spread));
  discard(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wide_bounds_do_not_matter),
      cmocka_unit_test(no_shape_of_demand_hides_the_spread),
      cmocka_unit_test(rows_may_come_in_weeks),
      cmocka_unit_test(a_spread_is_found),
      cmocka_unit_test(equal_spreads_cost_nothing),
      cmocka_unit_test(a_fit_that_does_not_settle_is_smoothed_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
