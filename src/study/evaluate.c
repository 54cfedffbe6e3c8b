/* What a policy costs on a labelled table: mean costs, service level, pinball loss. Not private. */
#include "base/base.h"
#include "loss/check.h"
#include "policy/policy.h"

#include <math.h>
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
  sum->mean_order += order;
  sum->mean_demand += demand;
  sum->mean_missed += short_by;
  sum->mean_pinball += tacit_check_loss(goal->quantile, demand - order);
}

static void finish(tacit_evaluation *sum) {
  double rows = (double)sum->rows;
  sum->mean_underage_cost /= rows;
  sum->mean_overage_cost /= rows;
  sum->mean_cost = sum->mean_underage_cost + sum->mean_overage_cost;
  sum->service_level /= rows;
  sum->mean_pinball /= rows;
  sum->mean_order /= rows;
  sum->mean_demand /= rows;
  sum->mean_missed /= rows;
}

static tacit_status evaluate_rows(const tacit_policy *policy, tacit_encoder *encoder, double *row,
                                  tacit_evaluation *results, const tacit_context *context,
                                  tacit_error *error) {
  const tacit_schema *schema = policy->schema;
  double *y = row + schema->columns;
  bool ready, more;
  for (size_t record = 0;; record++) {
    if (record % 4096 == 0) TACIT_TRY(tacit_progress(context, "evaluating", 0, error));
    TACIT_TRY(tacit_encoder_next(encoder, row, y, &ready, &more, error));
    if (!more) break;
    for (size_t t = 0; ready && t < schema->target_count; t++) {
      double demand = tacit_scale_decode(&schema->targets[t].scale, y[t]);
      add_row(&policy->goals[t], demand, tacit_policy_decide(policy, t, row), &results[t]);
    }
  }
  if (results[0].rows == 0) return tacit_fail(error, TACIT_BAD_INPUT, "there are no rows to evaluate");
  for (size_t t = 0; t < schema->target_count; t++) finish(&results[t]);
  return TACIT_OK;
}

tacit_status tacit_evaluate(const tacit_policy *policy, tacit_source *source, tacit_evaluation *results,
                            const tacit_context *context, tacit_error *error) {
  if (policy->region)
    return tacit_fail(error, TACIT_USAGE, "this policy decides over a region: use tacit spo evaluate");
  size_t width = policy->schema->columns + policy->schema->target_count;
  double *row = tacit_alloc(width, sizeof *row);
  if (!row) return tacit_no_memory(error);
  for (size_t t = 0; t < policy->schema->target_count; t++) results[t] = (tacit_evaluation){0};
  tacit_encoder *encoder = NULL;
  tacit_status status = tacit_encoder_new(source, policy->schema, true, &encoder, error);
  if (status == TACIT_OK) status = evaluate_rows(policy, encoder, row, results, context, error);
  tacit_encoder_free(encoder);
  tacit_free_wiped(row, width * sizeof *row);
  return status;
}
