/* What a rule costs on private rows: a noisy sum for each target of costs cut to a bound, over the number of
   rows, and the share of them that was cut (proofs/private-evaluation.md).

     mean = B / n (sum_i v_i + sigma Z),   v_i = min(cost(d_i, q(x_i)) / B, 1),
     cost(d, q) = underage (d - q)+ + overage (q - d)+,   q (loss/rule.h) cut to the target's bounds

   v on the grid 2^-24, an integer: the sum is exact, and moves by at most 1 for each row of a unit, under
   both adjacencies. estimate_releases.c has what else is released: n where it is not public, and B. */
#include "learn/estimate_cost.h"

#include "base/base.h"
#include "learn/ranks.h"
#include "privacy/commitment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double tacit_estimate_largest(const tacit_estimate_pass *p, size_t t) {
  const tacit_scale *scale = &p->schema->targets[t].scale;
  double bound = tacit_scale_width(scale) * fmax(p->options->underage[t], p->options->overage[t]);
  return p->options->bound > 0 ? fmin(bound, p->options->bound) : bound;
}

static tacit_status check_options(const tacit_schema *schema, const tacit_estimate_options *o,
                                  tacit_error *error) {
  for (size_t t = 0; t < schema->target_count; t++)
    if (!(o->underage[t] > 0 && o->overage[t] > 0 && isfinite(o->underage[t] + o->overage[t])))
      return tacit_fail(error, TACIT_USAGE, "costs must be above 0 and finite");
  if (!(o->mu > 0 && o->mu <= TACIT_MU_MAX))
    return tacit_fail(error, TACIT_USAGE, "mu must be above 0 and at most %g", TACIT_MU_MAX);
  if (o->bound != 0 && !(o->bound > 0 && isfinite(o->bound)))
    return tacit_fail(error, TACIT_USAGE, "the bound of a row's cost must be above 0 and finite");
  if (o->nominal_rows > TACIT_ROWS_MAX)
    return tacit_fail(error, TACIT_USAGE, "the nominal rows must be at most %llu",
                      (unsigned long long)TACIT_ROWS_MAX);
  return tacit_schema_check_promise(schema, o->adjacency, o->nominal_rows, error);
}

static tacit_status check_alone(const tacit_ranks *ranks, const tacit_schema *schema,
                                const tacit_source *source, const tacit_estimate_options *o,
                                tacit_error *error) {
  TACIT_TRY(check_options(schema, o, error));
  TACIT_TRY(tacit_source_check_promise(source, schema, o->adjacency, false, error));
  return tacit_ranks_check(ranks, schema, source, true, error);
}

/* What is asked, target by target: the rule, what a unit short and a unit over cost, and the bound, as the
   caller gave it or, where it is known, the target's own. */
static double *goals_of(const tacit_schema *schema, const tacit_estimate_options *o, const double *bound,
                        size_t *count) {
  size_t columns = schema->columns, spread = o->spread ? columns + 1 : 0;
  *count = schema->target_count * (columns + spread + 3);
  double *goals = tacit_alloc(*count, sizeof *goals), *at = goals;
  for (size_t t = 0; goals && t < schema->target_count; t++) {
    memcpy(at, o->coefficients + t * columns, columns * sizeof *at);
    at += columns;
    if (spread) memcpy(at, o->spread + t * spread, spread * sizeof *at);
    at += spread;
    *at++ = o->underage[t];
    *at++ = o->overage[t];
    *at++ = bound ? bound[t] : o->bound;
  }
  return goals;
}

/* What can be refused before a row is read, on all ranks; and that they ask the same. */
static tacit_status check_together(const tacit_ranks *ranks, const tacit_schema *schema,
                                   const tacit_source *source, const tacit_estimate_options *o,
                                   tacit_error *error) {
  char hash[TACIT_RANKS_HASH] = "";
  tacit_status status = check_alone(ranks, schema, source, o, error);
  if (!ranks) return status;
  size_t count = 0;
  double *goals = goals_of(schema, o, NULL, &count);
  if (!goals && status == TACIT_OK) status = tacit_no_memory(error);
  if (status == TACIT_OK) {
    tacit_ranks_hash(&(const tacit_ranks_asked){.schema = schema,
                                                .source = source,
                                                .method = "evaluate",
                                                .region = "",
                                                .adjacency = o->adjacency,
                                                .nominal_rows = o->nominal_rows,
                                                .mu = o->mu,
                                                .goals = goals,
                                                .goal_count = count},
                     hash);
  }
  free(goals);
  return tacit_ranks_same(ranks, status, hash, error);
}

/* The releases as they will be made, paid for. */
static tacit_status spend(const tacit_estimate_pass *p, tacit_error *error) {
  const tacit_estimate_options *o = p->options;
  tacit_cost cost = {.mu = o->mu};
  if (!o->spend) return TACIT_OK;
  size_t count;
  double *goals = goals_of(p->schema, o, p->bound, &count);
  if (!goals) return tacit_no_memory(error);
  p->made->adjacency = o->adjacency;
  p->made->rows_per_unit = p->schema->rows_per_unit;
  p->made->rows = (size_t)p->facts.rows;
  p->made->mu = o->mu;
  p->made->noise = o->seeded ? TACIT_NOISE_SEEDED : TACIT_NOISE_OS;
  const tacit_committed committed = {.certificate = p->made,
                                     .releases = p->plan.list,
                                     .schema_hash = p->schema->hash,
                                     .goals = goals,
                                     .goal_count = count};
  tacit_status status = tacit_commitment(&committed, cost.commitment, error);
  free(goals);
  return status == TACIT_OK ? o->spend(o->spend_user, &cost, error) : status;
}

static tacit_status set_rule(tacit_estimate_pass *p, tacit_error *error) {
  for (size_t t = 0; t < p->schema->target_count; t++) {
    size_t first = t * p->schema->columns, next = t * (p->schema->columns + 1);
    tacit_schema_encoded_units(p->schema, t, p->options->coefficients + first, p->b + first);
    if (p->g) tacit_schema_encoded_spread(p->schema, t, p->options->spread + next, p->g + next);
    p->bound[t] = tacit_estimate_largest(p, t);
    if (!(p->bound[t] > 0 && isfinite(p->bound[t])))
      return tacit_fail(error, TACIT_REFUSED, "costs and bounds leave the range of numbers; use other units");
  }
  return TACIT_OK;
}

/* Every refusal, then the spending, then the first noise bit. */
static tacit_status estimate(tacit_estimate_pass *p, tacit_source *source, const tacit_context *context,
                             tacit_estimate *estimates, tacit_error *error) {
  tacit_read_counts counts;
  TACIT_TRY(set_rule(p, error));
  tacit_estimate_share(p);
  TACIT_TRY(tacit_estimate_plan(p, error));
  TACIT_TRY(tacit_certificate_new("evaluate", &p->made, error));
  tacit_status status = tacit_rows_open(source, p->schema, NULL, context, &p->rows, &counts, error);
  TACIT_TRY(tacit_ranks_agree(p->ranks, status, &counts, error));
  TACIT_TRY(tacit_ranks_tally(p->ranks, source, p->schema, error));
  TACIT_TRY(tacit_public_rows(p->schema, p->options->adjacency, p->options->nominal_rows, &counts,
                              &p->facts.rows, error));
  status = tacit_ranks_first(p->ranks) ? spend(p, error) : TACIT_OK;
  TACIT_TRY(tacit_ranks_share(p->ranks, status, NULL, 0, error));
  p->gate.plan = &p->plan;
  p->gate.certificate = p->made;
  p->gate.paid = true;
  return tacit_estimate_release_all(p, estimates, error);
}

tacit_status tacit_estimate_cost(const tacit_schema *schema, tacit_source *source,
                                 const tacit_estimate_options *options, const tacit_context *context,
                                 tacit_estimate *estimates, tacit_error *error) {
  return tacit_estimate_cost_probed(schema, source, options, context, NULL, estimates, error);
}

tacit_status tacit_estimate_cost_probed(const tacit_schema *schema, tacit_source *source,
                                        const tacit_estimate_options *options, const tacit_context *context,
                                        const tacit_release_probe *probe, tacit_estimate *estimates,
                                        tacit_error *error) {
  size_t targets = schema->target_count, spread = options->spread ? targets * (schema->columns + 1) : 0;
  const tacit_ranks *ranks = context ? context->ranks : NULL;
  TACIT_TRY(check_together(ranks, schema, source, options, error));
  tacit_estimate_pass p = {.schema = schema,
                           .options = options,
                           .ranks = ranks,
                           .facts = {.schema = schema, .mu = options->mu, .adjacency = options->adjacency},
                           .b = tacit_alloc(targets * schema->columns, sizeof(double)),
                           .g = spread ? tacit_alloc(spread, sizeof(double)) : NULL,
                           .bound = tacit_alloc(targets, sizeof(double)),
                           .at = tacit_alloc(targets, sizeof(double)),
                           .sum = tacit_alloc(targets, sizeof(uint64_t))};
  tacit_gate_open(&p.gate, options->seeded ? &options->seed : NULL, ranks);
  p.gate.probe = probe;
  bool room = p.b && (p.g || !spread) && p.bound && p.at && p.sum;
  tacit_status status = room ? estimate(&p, source, context, estimates, error) : tacit_no_memory(error);
  tacit_rows_close(&p.rows);
  tacit_plan_close(&p.plan);
  tacit_certificate_free(p.made);
  free(p.b);
  free(p.g);
  free(p.bound);
  free(p.at);
  tacit_free_wiped(p.sum, targets * sizeof *p.sum);
  return status;
}
