/* What a rule costs on simulated rows: of orders the newsvendor's cost, over a region the decisions'. */
#include "base/base.h"
#include "loss/check.h"
#include "method/fit.h"
#include "study/plan.h"

#include <math.h>
#include <stdlib.h>

double tacit_plan_goal_weight(const tacit_goal *goal) {
  return goal->underage > 0 ? goal->underage + goal->overage : 1; /* only a quantile: costs tau, 1 - tau */
}

/* Money per row on the test rows behind the lags' reach, summed over targets. */
static double order_cost(const tacit_planner *p, const tacit_plan_table *test, const tacit_fit *fit) {
  const tacit_schema *schema = p->schema;
  double total = 0;
  for (size_t t = 0; t < schema->target_count; t++) {
    const tacit_goal *goal = &p->options->goals[t];
    const tacit_scale *scale = &schema->targets[t].scale;
    const tacit_rule rule = tacit_fit_rule(fit, t, tacit_scale_reach(scale));
    double sum = 0, weight = tacit_plan_goal_weight(goal), limit = scale->limit;
    for (size_t i = schema->largest_lag; i < test->rows; i++) {
      /* as `order` gives it: within the target's bounds */
      double order = fmin(fmax(tacit_rule_order(&rule, test->x + i * schema->columns), -limit), limit);
      double demand = test->y[i * schema->target_count + t];
      sum += tacit_check_loss(goal->quantile, scale->log_unit == 0 ? demand - order
                                                                   : tacit_scale_decode(scale, demand) -
                                                                         tacit_scale_decode(scale, order));
    }
    double unit = scale->log_unit == 0 ? scale->half : 1;
    total += weight * unit * sum / (double)(test->rows - schema->largest_lag);
  }
  return total;
}

/* The mean of c'w, w the decision for the predicted costs; room is for both, w and the region's work. */
static tacit_status decision_cost(const tacit_planner *p, const tacit_plan_table *test, const tacit_fit *fit,
                                  double *room, double *cost, tacit_error *error) {
  const tacit_schema *schema = p->schema;
  size_t d = schema->target_count, first = schema->largest_lag;
  double *costs = room, *predicted = costs + d, *w = predicted + d, *work = w + d, sum = 0;
  for (size_t i = first; i < test->rows; i++) {
    for (size_t t = 0; t < d; t++) {
      const tacit_scale *scale = &schema->targets[t].scale;
      const tacit_rule rule = tacit_fit_rule(fit, t, tacit_scale_reach(scale));
      costs[t] = tacit_scale_decode(scale, test->y[i * d + t]);
      predicted[t] = tacit_scale_decode(scale, tacit_rule_order(&rule, test->x + i * schema->columns));
    }
    TACIT_TRY(tacit_region_minimise(p->options->region, predicted, costs, work, w, NULL, error));
    for (size_t t = 0; t < d; t++) sum += costs[t] * w[t];
  }
  *cost = sum / (double)(test->rows - first);
  return TACIT_OK;
}

tacit_status tacit_plan_cost(const tacit_planner *p, const tacit_plan_table *test, const tacit_fit *fit,
                             double *cost, tacit_error *error) {
  const tacit_region *region = p->options->region;
  if (!region) {
    *cost = order_cost(p, test, fit);
    return TACIT_OK;
  }
  double *room = tacit_alloc(3 * p->schema->target_count + tacit_region_work(region), sizeof *room);
  tacit_status status = room ? decision_cost(p, test, fit, room, cost, error) : tacit_no_memory(error);
  free(room);
  return status;
}
