/* What decisions over a region cost on a table whose costs are known. Not private. */
#include "base/base.h"
#include "data/encode.h"
#include "policy/policy.h"

#include <math.h>
#include <tacit/study.h>

typedef struct room {
  double *x, *y, *costs, *predicted, *w, *work;
} room;

/* c'w of the decision for `predicted`, ties against us, and z*(c). */
static tacit_status add_row(const tacit_policy *policy, const room *r, tacit_spo_evaluation *sum,
                            tacit_error *error) {
  const tacit_region *region = policy->region;
  double best, paid = 0;
  for (size_t t = 0; t < region->dimension; t++) {
    r->costs[t] = tacit_scale_decode(&policy->schema->targets[t].scale, r->y[t]);
    r->predicted[t] = tacit_policy_decide(policy, t, r->x);
  }
  TACIT_TRY(tacit_region_minimise(region, r->costs, NULL, r->work, r->w, &best, error));
  TACIT_TRY(tacit_region_minimise(region, r->predicted, r->costs, r->work, r->w, NULL, error));
  for (size_t t = 0; t < region->dimension; t++) paid += r->costs[t] * r->w[t];
  sum->rows++;
  sum->mean_spo_loss += paid - best;
  sum->mean_optimal_cost += best;
  return TACIT_OK;
}

static tacit_status evaluate_rows(const tacit_policy *policy, tacit_encoder *encoder, const room *r,
                                  tacit_spo_evaluation *result, const tacit_context *context,
                                  tacit_error *error) {
  bool ready, more;
  for (size_t record = 0;; record++) {
    if (record % 4096 == 0) TACIT_TRY(tacit_progress(context, "evaluating", 0, error));
    TACIT_TRY(tacit_encoder_next(encoder, r->x, r->y, &ready, &more, error));
    if (!more) break;
    if (ready) TACIT_TRY(add_row(policy, r, result, error));
  }
  if (result->rows == 0) return tacit_fail(error, TACIT_BAD_INPUT, "there are no rows to evaluate");
  result->mean_spo_loss /= (double)result->rows;
  result->mean_optimal_cost /= (double)result->rows;
  result->normalized_spo_loss =
      result->mean_optimal_cost > 0 ? result->mean_spo_loss / result->mean_optimal_cost : NAN;
  return TACIT_OK;
}

tacit_status tacit_spo_evaluate(const tacit_policy *policy, tacit_source *source,
                                tacit_spo_evaluation *result, const tacit_context *context,
                                tacit_error *error) {
  *result = (tacit_spo_evaluation){0};
  if (!policy->region)
    return tacit_fail(error, TACIT_USAGE, "this policy orders quantities: use tacit evaluate");
  size_t d = policy->region->dimension, p = policy->schema->columns, width = p + 4 * d + policy->region->work;
  room r = {.x = tacit_alloc(width, sizeof(double))};
  if (!r.x) return tacit_no_memory(error);
  r.y = r.x + p;
  r.costs = r.y + d;
  r.predicted = r.costs + d;
  r.w = r.predicted + d;
  r.work = r.w + d;
  tacit_encoder *encoder = NULL;
  source->reader.settled = true;
  tacit_status status = tacit_encoder_new(source, policy->schema, true, &encoder, error);
  if (status == TACIT_OK) status = evaluate_rows(policy, encoder, &r, result, context, error);
  tacit_encoder_free(encoder);
  tacit_free_wiped(r.x, width * sizeof(double));
  return status;
}
