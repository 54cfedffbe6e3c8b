/* A policy straight from a fit, and its orders for a whole table. */
#include "base/base.h"
#include "method/fit.h"
#include "method/state.h"
#include "policy/policy.h"

#include <math.h>
#include <stdlib.h>
#include <tacit/data.h>

tacit_status tacit_policy_from_fit(const tacit_schema *schema, const tacit_region *region,
                                   const tacit_fit *fit, const tacit_goal *goals, tacit_policy **policy,
                                   tacit_error *error) {
  *policy = NULL;
  if (region && fit->spread)
    return tacit_fail(error, TACIT_USAGE, "a rule over a region has no spread: learn it for the region");
  if (region) return tacit_spo_policy_new(schema, region, fit->coefficients, fit->certificate, policy, error);
  const tacit_learned learned = {.schema = schema,
                                 .coefficients = fit->coefficients,
                                 .spread = fit->spread,
                                 .certificate = fit->certificate,
                                 .goals = goals,
                                 .goal_count = fit->targets};
  TACIT_TRY(tacit_policy_make(&learned, NULL, policy, error));
  tacit_status status =
      fit->uncertainty ? tacit_policy_fill_uncertainty(*policy, fit->uncertainty, error) : TACIT_OK;
  if (status == TACIT_OK && fit->state) status = tacit_state_copy(fit->state, &(*policy)->state, error);
  if (status != TACIT_OK) {
    tacit_policy_free(*policy);
    *policy = NULL;
  }
  return status;
}

/* A table under way. */
typedef struct ordering {
  const tacit_policy *policy;
  tacit_encoder *encoder;
  double *x, *y, *orders;
  size_t rows, capacity; /* capacity: of numbers */
} ordering;

static tacit_status add_row(ordering *o, bool ready, tacit_error *error) {
  size_t goals = tacit_policy_goal_count(o->policy);
  double *grown = tacit_grow(o->orders, &o->capacity, (o->rows + 1) * goals, sizeof *grown);
  if (!grown) return tacit_no_memory(error);
  o->orders = grown;
  for (size_t g = 0; g < goals; g++)
    grown[o->rows * goals + g] = ready ? tacit_policy_decide(o->policy, g, o->x) : NAN;
  o->rows++;
  return TACIT_OK;
}

static tacit_status order_rows(ordering *o, tacit_error *error) {
  bool ready, more = true;
  if (!o->x || !o->y) return tacit_no_memory(error);
  while (more) {
    TACIT_TRY(tacit_encoder_next(o->encoder, o->x, o->y, &ready, &more, error));
    if (more) TACIT_TRY(add_row(o, ready, error));
  }
  return TACIT_OK;
}

tacit_status tacit_policy_orders(const tacit_policy *policy, tacit_source *source, double **orders,
                                 size_t *rows, tacit_error *error) {
  const tacit_schema *schema = policy->schema;
  *orders = NULL;
  *rows = 0;
  ordering o = {.policy = policy,
                .x = tacit_alloc(schema->columns, sizeof(double)),
                .y = tacit_alloc(schema->target_count, sizeof(double))};
  tacit_status status = tacit_encoder_new(source, schema, false, &o.encoder, error);
  if (status == TACIT_OK) status = order_rows(&o, error);
  tacit_encoder_free(o.encoder);
  free(o.x);
  free(o.y);
  if (status != TACIT_OK) {
    free(o.orders);
    return status;
  }
  *orders = o.orders;
  *rows = o.rows;
  return TACIT_OK;
}
