/* What can be planned: the options of a plan, and what is refused before anything is simulated. */
#include "base/base.h"
#include "privacy/gdp.h"
#include "study/plan.h"

#include <math.h>

enum { ROUNDS_LIMIT = 100000 };

void tacit_plan_options_init(tacit_plan_options *options) {
  *options = (tacit_plan_options){.mu = 0.5, .method = "default", .adjacency = TACIT_REPLACE_ONE, .seed = 1};
}

static tacit_status check_goals(const tacit_schema *schema, const tacit_plan_options *o, tacit_error *error) {
  if (o->region) {
    if (tacit_region_dimension(o->region) == schema->target_count) return TACIT_OK;
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the region has %zu coordinates, the schema %zu targets: each needs its cost",
                      tacit_region_dimension(o->region), schema->target_count);
  }
  if (o->goal_count != schema->target_count)
    return tacit_fail(error, TACIT_USAGE, "the schema has %zu targets, but %zu goals were given",
                      schema->target_count, o->goal_count);
  if (schema->targets[0].tiers)
    return tacit_fail(
        error, TACIT_REFUSED,
        "a plan knows one price of a unit, not costs in tiers: leave out the schema's \"cost\", "
        "and plan for the quantile %.4g",
        o->goals[0].quantile);
  for (size_t t = 0; t < o->goal_count; t++) {
    const tacit_goal *g = &o->goals[t];
    if (!(g->quantile > 0 && g->quantile < 1 && g->underage >= 0 && g->overage >= 0 &&
          isfinite(g->underage + g->overage)))
      return tacit_fail(error, TACIT_USAGE,
                        "quantiles must be above 0 and below 1, costs finite and not below 0");
  }
  return TACIT_OK;
}

tacit_status tacit_plan_options_check(const tacit_schema *schema, const tacit_plan_options *o,
                                      const tacit_method *method, tacit_error *error) {
  TACIT_TRY(check_goals(schema, o, error));
  if (!method || tacit_method_promise(method) == TACIT_PROMISE_NOTHING)
    return tacit_fail(error, TACIT_USAGE,
                      "no method of this name promises anything%s: there is nothing to plan",
                      o->region ? " over a region" : "");
  if (!(o->mu > 0 && o->mu <= TACIT_MU_MAX))
    return tacit_fail(error, TACIT_USAGE, "mu must be above 0 and at most %g; 0.5 is a reasonable promise",
                      TACIT_MU_MAX);
  if (!(o->percent >= 0 && isfinite(o->percent)))
    return tacit_fail(error, TACIT_USAGE, "a price in percent must be above 0; 2 is a reasonable one");
  if (o->repetitions == 1 || o->repetitions > ROUNDS_LIMIT)
    return tacit_fail(error, TACIT_USAGE, "from 2 to %d repetitions: one has no standard error",
                      ROUNDS_LIMIT);
  if (o->rows < 1 || o->rows > TACIT_ROWS_MAX / TACIT_PLAN_SIZES)
    return tacit_fail(error, TACIT_USAGE, "the number of rows must be at least 1 and at most %llu",
                      (unsigned long long)(TACIT_ROWS_MAX / TACIT_PLAN_SIZES));
  TACIT_TRY(tacit_schema_check_promise(schema, o->adjacency, o->rows, error));
  if (o->rows < schema->columns + schema->largest_lag)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "%zu rows are too few for %zu encoded columns%s; use more rows or fewer features",
                      o->rows, schema->columns, schema->largest_lag ? " behind the reach of the lags" : "");
  return TACIT_OK;
}
