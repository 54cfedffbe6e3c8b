/* Orders with a spread in the market of tacit impact. Over x their errors are not normal, so they are valued
   on rows of features that are drawn once; over the errors of demand they are exact there. What the best rule
   earns is known exactly and lies close, so only the difference to it is taken from the points. */
#include "loss/rule.h"
#include "study/impact.h"
#include "study/study.h"

#include <math.h>

bool tacit_impact_is_linear(const tacit_impact_market *market, const tacit_impact_order *order) {
  return order->spread[market->demand.columns] == 0;
}

tacit_status tacit_impact_points_draw(const tacit_impact_market *market, tacit_impact_points *points,
                                      tacit_error *error) {
  tacit_stream stream;
  TACIT_TRY(tacit_study_stream(market->prices->seed, TACIT_FOR_ROWS, 7, 0, &stream, error));
  for (size_t i = 0; i < TACIT_IMPACT_POINTS; i++)
    (void)tacit_impact_draw(&market->demand, &stream, points->x[i]);
  return TACIT_OK;
}

/* As a policy orders: within the target's bounds, whose reach is 1 in the learner's units. */
static double order_at(const tacit_impact_market *market, const tacit_impact_order *order, const double *x) {
  const tacit_impact_demand *d = &market->demand;
  const tacit_rule rule = {d->columns, order->theta, order->spread, 1};
  double base = d->theta[0], half = tacit_impact_half(d);
  return fmax(base - half, fmin(base + half, tacit_rule_order(&rule, x)));
}

static tacit_impact_money earned_at(const tacit_impact_market *market, const double *x, double order) {
  const tacit_impact_demand *d = &market->demand;
  double mean = 0;
  for (size_t j = 0; j < d->columns; j++) mean += d->theta[j] * x[j];
  return tacit_impact_earned(market->prices, mean, order, tacit_impact_excess(d, mean - order, 0));
}

tacit_impact_money tacit_impact_value_at(const tacit_impact_market *market, const tacit_impact_points *points,
                                         const tacit_impact_order *order) {
  tacit_impact_money money = tacit_impact_value(market, market->best);
  for (size_t i = 0; i < TACIT_IMPACT_POINTS; i++) {
    const double *x = points->x[i];
    double best = 0;
    for (size_t j = 0; j < market->demand.columns; j++) best += market->best[j] * x[j];
    const tacit_impact_money its = earned_at(market, x, order_at(market, order, x)),
                             other = earned_at(market, x, best);
    money.order += (its.order - other.order) / TACIT_IMPACT_POINTS;
    money.newsvendor += (its.newsvendor - other.newsvendor) / TACIT_IMPACT_POINTS;
    money.supplier += (its.supplier - other.supplier) / TACIT_IMPACT_POINTS;
    money.cost += (its.cost - other.cost) / TACIT_IMPACT_POINTS;
  }
  return money;
}

double tacit_impact_variance_at(const tacit_impact_market *market, const tacit_impact_points *points,
                                size_t count, const tacit_impact_order *orders) {
  double total = 0;
  for (size_t i = 0; i < TACIT_IMPACT_POINTS; i++) {
    double mean = 0, square = 0;
    for (size_t r = 0; r < count; r++) { /* Welford's way, which loses no digits */
      double order = order_at(market, &orders[r], points->x[i]), off = order - mean;
      mean += off / (double)(r + 1);
      square += off * (order - mean);
    }
    total += square / (double)(count - 1);
  }
  return total / TACIT_IMPACT_POINTS;
}
