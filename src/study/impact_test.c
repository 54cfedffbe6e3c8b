/* tacit impact: the demand's law, money that adds up, the default learner in it, and what is refused. */
#include "study/impact.h"

#include "num/normal.h"
#include "study/near.h"
#include "study/study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "study/report_for_test.h"

static const double SLOPES[] = {1, -0.5};

/* With the default slopes; the options must outlive it. */
static tacit_impact_market market_of(bool laplace, tacit_impact_options *o) {
  tacit_impact_market market;
  tacit_impact_options_init(o);
  o->laplace = laplace;
  o->sd = 1.5;
  tacit_impact_market_init(&market, o);
  return market;
}

/* Lemma EC.7: with normal errors the convolution is normal again. */
static void the_law_of_demand_is_the_convolution(void **state) {
  (void)state;
  tacit_impact_options one, two;
  tacit_impact_demand normal = market_of(false, &one).demand, laplace = market_of(true, &two).demand;
  double sd = sqrt(1 + 0.25 + 2.25);
  for (double t = 4; t <= 16; t += 1.3)
    assert_near(tacit_impact_cdf(&normal, t), tacit_normal_cdf((t - 10) / sd), 1e-9);
  for (double r = 0.07; r < 1; r += 0.15) {
    assert_near(tacit_impact_quantile(&normal, r), 10 + sd * tacit_normal_quantile(r), 1e-6);
    assert_near(tacit_impact_cdf(&laplace, tacit_impact_quantile(&laplace, r)), r, 1e-8);
    double q = tacit_impact_error_quantile(&laplace, r), h = 1e-5; /* the density is the slope's integral */
    assert_near((tacit_impact_error_density(&laplace, q + h) - tacit_impact_error_density(&laplace, q - h)) /
                    (2 * h),
                tacit_impact_error_slope(&laplace, q), 1e-5);
    q = tacit_impact_error_quantile(&normal, r);
    assert_near((tacit_impact_error_density(&normal, q + h) - tacit_impact_error_density(&normal, q - h)) /
                    (2 * h),
                tacit_impact_error_slope(&normal, q), 1e-7);
  }
}

static void money_meets_a_simulation(void **state) {
  (void)state;
  enum { ROWS = 200000 };
  static const double theta[TACIT_IMPACT_COLUMNS] = {9, 0.4, 0.2};
  for (int laplace = 0; laplace < 2; laplace++) {
    tacit_impact_options o;
    const tacit_impact_market market = market_of(laplace, &o);
    tacit_stream stream;
    double sum = 0, square = 0;
    assert_int_equal(tacit_study_stream(5, TACIT_FOR_ROWS, 0, 0, &stream, NULL), TACIT_OK);
    for (int i = 0; i < ROWS; i++) {
      double x[TACIT_IMPACT_COLUMNS], y = tacit_impact_draw(&market.demand, &stream, x);
      double q = theta[0] + theta[1] * x[1] + theta[2] * x[2];
      double profit = o.retail * fmin(y, q) - o.wholesale * q;
      sum += profit;
      square += profit * profit;
    }
    double mean = sum / ROWS, se = sqrt((square / ROWS - mean * mean) / ROWS);
    tacit_impact_money m = tacit_impact_value(&market, theta);
    assert_near(m.newsvendor, mean, 4 * se);
    assert_near(m.supplier, 2 * 9, 1e-9);
    /* profit is what demand would earn if it were known, less the cost */
    assert_near(m.newsvendor, (o.retail - o.wholesale) * 10 - m.cost, 1e-7);
  }
}

/* Orders with a spread are valued on points: a linear one as exactly as it is known otherwise but for their
   number, and one with a spread as a simulation of its own says, within four standard errors. */
static void an_order_with_a_spread_is_valued_on_points(void **state) {
  (void)state;
  enum { ROWS = 200000 };
  tacit_impact_points *points = malloc(sizeof *points);
  assert_non_null(points);
  for (int laplace = 0; laplace < 2; laplace++) {
    tacit_impact_options o;
    const tacit_impact_market market = market_of(laplace, &o);
    tacit_impact_order order = {.theta = {9, 0.9, -0.4}};
    assert_int_equal(tacit_impact_points_draw(&market, points, NULL), TACIT_OK);
    assert_true(tacit_impact_is_linear(&market, &order));
    assert_near(tacit_impact_value_at(&market, points, &order).newsvendor,
                tacit_impact_value(&market, order.theta).newsvendor, 0.02);
    const double spread[] = {-2, 0.3, 0, 4}; /* g, then k: 4 exp(-2 + 0.3 x1) */
    memcpy(order.spread, spread, sizeof spread);
    assert_false(tacit_impact_is_linear(&market, &order));
    tacit_stream stream;
    double sum = 0, square = 0;
    assert_int_equal(tacit_study_stream(5, TACIT_FOR_ROWS, 1, 0, &stream, NULL), TACIT_OK);
    for (int i = 0; i < ROWS; i++) {
      double x[TACIT_IMPACT_COLUMNS], y = tacit_impact_draw(&market.demand, &stream, x);
      double q = 9 + 0.9 * x[1] - 0.4 * x[2] + 4 * exp(-2 + 0.3 * x[1]);
      double profit = o.retail * fmin(y, q) - o.wholesale * q;
      sum += profit;
      square += profit * profit;
    }
    double mean = sum / ROWS, se = sqrt((square / ROWS - mean * mean) / ROWS);
    tacit_impact_money m = tacit_impact_value_at(&market, points, &order);
    assert_near(m.newsvendor, mean, 4 * se);
    assert_near(m.order, 9 + 4 * exp(-2 + 0.045), 0.01); /* E exp(0.3 Z) = exp(0.045) */
    assert_near(m.newsvendor, (o.retail - o.wholesale) * 10 - m.cost, 1e-7);
    /* two orders that differ by 2 have the variance 2 everywhere */
    tacit_impact_order two[2] = {order, order};
    two[1].theta[0] += 2;
    assert_near(tacit_impact_variance_at(&market, points, 2, two), 2, 1e-9);
  }
  free(points);
}

static tacit_report *report_of(const tacit_impact_options *options, int threads) {
  tacit_report *report = NULL;
  tacit_context context;
  tacit_error error = {""};
  tacit_context_init(&context);
  context.threads = threads;
  if (tacit_impact(options, &context, &report, &error) != TACIT_OK) fail_msg("%s", error.text);
  return report;
}

/* One table size, one budget, six repetitions. */
static tacit_impact_options short_options(void) {
  static const size_t rows[] = {5000};
  static const double epsilons[] = {1};
  tacit_impact_options o;
  tacit_impact_options_init(&o);
  o.rows = rows;
  o.row_count = 1;
  o.epsilons = epsilons;
  o.epsilon_count = 1;
  o.repetitions = 6;
  return o;
}

/* Without a rival: the best orders, learning without privacy and the default learner, whose order is near the
   best one and whose shares add up; the same figures for every number of threads. */
static void the_default_learner_stands_by_itself(void **state) {
  (void)state;
  tacit_impact_options o = short_options();
  tacit_report *r = report_of(&o, 1), *again = report_of(&o, 3);
  assert_int_equal(r->rows, 4);
  assert_same_report(r, again);
  for (size_t i = 0; i < r->rows; i++) {
    assert_string_equal(r->text[i * r->texts + 1], "-");
    assert_near(cell(r, i, "newsvendor_share") + cell(r, i, "supplier_share"), 1, 1e-12);
    if (i >= 2) assert_near(cell(r, i, "bias"), 0, 0.2);
  }
  assert_true(cell(r, 1, "cost") > cell(r, 3, "cost")); /* features are worth having */
  assert_non_null(strstr(r->notes, "features are worth"));
  assert_null(strstr(r->notes, "OP"));
  tacit_report_free(r);
  tacit_report_free(again);
}

/* At a critical ratio this far out the default orders with a spread. */
static void far_from_the_median_orders_have_a_spread(void **state) {
  (void)state;
  tacit_impact_options o = short_options();
  o.wholesale = 1;
  o.cost = 0.5;
  tacit_report *r = report_of(&o, 1), *again = report_of(&o, 3);
  assert_int_equal(r->rows, 4);
  assert_same_report(r, again);
  assert_non_null(strstr(r->notes, "with a spread"));
  assert_near(cell(r, 3, "bias"), 0, 0.2);
  assert_near(cell(r, 3, "order"), cell(r, 0, "order") + cell(r, 3, "bias"), 1e-9);
  double best = cell(r, 0, "cost"), own = cell(r, 3, "cost");
  assert_true(own > best && own < 1.05 * best && cell(r, 1, "cost") > own);
  assert_true(cell(r, 3, "variance") > 0 && cell(r, 3, "variance") < 0.1);
  tacit_report_free(r);
  tacit_report_free(again);
}

static void what_is_out_of_range_is_refused(void **state) {
  (void)state;
  tacit_impact_options o;
  tacit_impact_options_init(&o);
  o.slopes = SLOPES;
  o.slope_count = 2;
  tacit_report *r;
  tacit_error error;
  tacit_context context;
  tacit_context_init(&context);
  const tacit_impact_options good = o;
#define REFUSED(change)                                                                                      \
  do {                                                                                                       \
    o = good;                                                                                                \
    change;                                                                                                  \
    assert_int_equal(tacit_impact(&o, &context, &r, &error), TACIT_USAGE);                                   \
    assert_null(r);                                                                                          \
  } while (0)
  REFUSED(o.wholesale = 11);
  REFUSED(o.cost = 7);
  REFUSED(o.cost = 0);
  REFUSED(o.sd = 0);
  REFUSED(o.delta = 0);
  REFUSED(o.slope_count = 0);
  REFUSED(o.slope_count = 21);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_law_of_demand_is_the_convolution),
      cmocka_unit_test(money_meets_a_simulation),
      cmocka_unit_test(an_order_with_a_spread_is_valued_on_points),
      cmocka_unit_test(the_default_learner_stands_by_itself),
      cmocka_unit_test(far_from_the_median_orders_have_a_spread),
      cmocka_unit_test(what_is_out_of_range_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
