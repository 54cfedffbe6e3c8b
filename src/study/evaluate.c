/* What a policy costs on a labelled table: mean costs, service level, pinball loss. Not private. */
#include "data/encode.h"
#include "loss/check.h"
#include "policy/policy.h"

#include <math.h>
#include <stdlib.h>
#include <tacit/study.h>

static void add_row(const tacit_goal *goal, double demand, double order, tacit_evaluation *sum) {
  bool costs = goal->underage > 0;
  double underage = costs ? goal->underage : goal->quantile,
         overage = costs ? goal->overage : 1 - goal->quantile;
  double short_by = fmax(demand - order, 0), over_by = fmax(order - demand, 0);
  sum->rows++;
  sum->mean_underage_cost += underage * short_by;
  sum->mean_overage_cost += overage * over_by;
  sum->service_level += demand <= order;
  sum->mean_pinball += tacit_check_loss(goal->quantile, demand - order);
}

static void finish(tacit_evaluation *sum) {
  double rows = (double)sum->rows;
  sum->mean_underage_cost /= rows;
  sum->mean_overage_cost /= rows;
  sum->mean_cost = sum->mean_underage_cost + sum->mean_overage_cost;
  sum->service_level /= rows;
  sum->mean_pinball /= rows;
}

typedef struct evaluation {
  const tacit_policy *policy;
  tacit_evaluation *results;
} evaluation;

/* The sink of encoded rows; costs are counted in the target's own units. */
static tacit_status evaluate_row(void *self, const double *x, const double *y, tacit_error *error) {
  (void)error;
  const evaluation *e = self;
  for (size_t t = 0; t < e->policy->schema->target_count; t++) {
    double demand = tacit_scale_decode(&e->policy->schema->targets[t].scale, y[t]);
    add_row(&e->policy->goals[t], demand, tacit_policy_decide(e->policy, t, x), &e->results[t]);
  }
  return TACIT_OK;
}

tacit_status tacit_evaluate(const tacit_policy *policy, tacit_source *source, tacit_evaluation *results,
                            const tacit_context *context, tacit_error *error) {
  evaluation self = {policy, results};
  tacit_read_counts counts;
  for (size_t t = 0; t < policy->schema->target_count; t++) results[t] = (tacit_evaluation){0};
  TACIT_TRY(tacit_encode_source(source, policy->schema, true, evaluate_row, &self, &counts, context, error));
  if (counts.rows == 0) return tacit_fail(error, TACIT_BAD_INPUT, "no rows are left to evaluate");
  for (size_t t = 0; t < policy->schema->target_count; t++) finish(&results[t]);
  return TACIT_OK;
}
