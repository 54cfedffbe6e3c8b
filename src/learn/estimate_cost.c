/* What a rule costs on private rows: one noisy sum for each target of costs clamped to a public bound
   (proofs/private-evaluation.md).

     mean = bound / n (sum_i v_i + sigma Z),   v_i = min(cost(d_i, q(x_i)) / bound, 1),
     cost(d, q) = underage (d - q)+ + overage (q - d)+,   q (loss/rule.h) cut to the target's bounds

   n public number of rows · v on the grid 2^-24, an integer: the sum is exact, and moves by at most 1 for
   each row of a unit, under both adjacencies. */
#include "base/base.h"
#include "learn/ranks.h"
#include "learn/task.h"
#include "privacy/commitment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pass {
  const tacit_schema *schema;
  const tacit_estimate_options *options;
  const tacit_ranks *ranks;
  tacit_facts facts;
  tacit_release_plan plan;
  tacit_gate gate;
  tacit_certificate *made;
  double *b;     /* targets x columns, encoded */
  double *g;     /* targets x (columns + 1), encoded; NULL: the rule is linear */
  double *bound; /* of a row's cost, by target */
  uint64_t *sum;
} pass;

/* The largest cost that bounds on demand and order leave, or the caller's smaller one. */
static double cost_bound(const pass *p, size_t t) {
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

/* One release for each target, refused while nothing is spent, and within mu when composed, rounded up. */
static tacit_status make_plan(pass *p, tacit_error *error) {
  tacit_mechanism m = {.kind = TACIT_RELEASE_COUNT, .dimension = 1, .bits = TACIT_COST_BITS};
  TACIT_TRY(tacit_plan_open(&p->plan, &p->facts, error));
  for (m.target = 0; m.target < p->schema->target_count; m.target++)
    TACIT_TRY(tacit_plan_share(&p->plan, m, 1, 1, error));
  return tacit_plan_check(&p->plan, error);
}

static tacit_status release(pass *p, tacit_estimate *estimates, tacit_error *error) {
  double rows = p->facts.rows;
  for (size_t t = 0; t < p->schema->target_count; t++) {
    const tacit_mechanism m = p->plan.list->mechanisms[t];
    double sum, sigma;
    TACIT_TRY(tacit_release_sum(&p->gate, t, TACIT_RELEASE_COUNT, &p->sum[t], &sum, &sigma, error));
    estimates[t] = (tacit_estimate){.mean_cost = p->bound[t] * sum / rows,
                                    .standard_error = p->bound[t] * sigma / rows,
                                    .bound = p->bound[t],
                                    .mu = tacit_facts_mu(&p->facts),
                                    .sensitivity = ldexp(m.sensitivity, -m.bits),
                                    .sigma = sigma,
                                    .grid_bits = m.bits,
                                    .rows = rows};
  }
  return TACIT_OK;
}

/* The releases as they will be made, paid for. */
static tacit_status spend(const pass *p, tacit_error *error) {
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

/* The exact sums, one for each target. */
static tacit_status ask(const pass *p, tacit_rows *asked, tacit_error *error) {
  const tacit_question question = {.kind = TACIT_QUESTION_COSTS,
                                   .costs = {.coefficients = p->b,
                                             .underage = p->options->underage,
                                             .overage = p->options->overage,
                                             .bound = p->bound,
                                             .spread = p->g}};
  return tacit_rows_ask(asked, &question, p->sum, error);
}

static tacit_status set_rule(pass *p, tacit_error *error) {
  for (size_t t = 0; t < p->schema->target_count; t++) {
    size_t first = t * p->schema->columns, next = t * (p->schema->columns + 1);
    tacit_schema_encoded_units(p->schema, t, p->options->coefficients + first, p->b + first);
    if (p->g) tacit_schema_encoded_spread(p->schema, t, p->options->spread + next, p->g + next);
    p->bound[t] = cost_bound(p, t);
    if (!(p->bound[t] > 0 && isfinite(p->bound[t])))
      return tacit_fail(error, TACIT_REFUSED, "costs and bounds leave the range of numbers; use other units");
  }
  return TACIT_OK;
}

/* Every refusal, then the spending, then the first noise bit. */
static tacit_status estimate(pass *p, tacit_source *source, const tacit_context *context,
                             tacit_estimate *estimates, tacit_error *error) {
  tacit_read_counts counts;
  tacit_rows asked;
  TACIT_TRY(set_rule(p, error));
  TACIT_TRY(make_plan(p, error));
  TACIT_TRY(tacit_certificate_new("evaluate", &p->made, error));
  tacit_status status = tacit_rows_open(source, p->schema, NULL, context, &asked, &counts, error);
  status = tacit_ranks_agree(p->ranks, status, &counts, error);
  if (status == TACIT_OK)
    status = tacit_public_rows(p->schema, p->options->adjacency, p->options->nominal_rows, &counts,
                               &p->facts.rows, error);
  if (status == TACIT_OK) status = ask(p, &asked, error);
  tacit_rows_close(&asked);
  TACIT_TRY(status);
  status = tacit_ranks_first(p->ranks) ? spend(p, error) : TACIT_OK;
  TACIT_TRY(tacit_ranks_share(p->ranks, status, NULL, 0, error));
  p->gate.plan = &p->plan;
  p->gate.certificate = p->made;
  p->gate.paid = true;
  return release(p, estimates, error);
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
  pass p = {.schema = schema,
            .options = options,
            .ranks = ranks,
            .facts = {.schema = schema, .mu = options->mu, .adjacency = options->adjacency},
            .b = tacit_alloc(targets * schema->columns, sizeof(double)),
            .g = spread ? tacit_alloc(spread, sizeof(double)) : NULL,
            .bound = tacit_alloc(targets, sizeof(double)),
            .sum = tacit_alloc(targets, sizeof(uint64_t))};
  tacit_gate_open(&p.gate, options->seeded ? &options->seed : NULL, ranks);
  p.gate.probe = probe;
  bool room = p.b && (p.g || !spread) && p.bound && p.sum;
  tacit_status status = room ? estimate(&p, source, context, estimates, error) : tacit_no_memory(error);
  tacit_plan_close(&p.plan);
  tacit_certificate_free(p.made);
  free(p.b);
  free(p.g);
  free(p.bound);
  tacit_free_wiped(p.sum, targets * sizeof *p.sum);
  return status;
}
