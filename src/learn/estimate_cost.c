/* What a rule costs on private rows: one noisy sum for each target of costs clamped to a public bound
   (proofs/private-evaluation.md).

     mean = bound / n (sum_i v_i + sigma Z),   v_i = min(cost(d_i, q(x_i)) / bound, 1),
     cost(d, q) = underage (d - q)+ + overage (q - d)+,   q cut to the target's bounds

   n public number of rows · v on the grid 2^-24, an integer: the sum is exact, and moves by at most 1 for
   each row of a unit, under both adjacencies. */
#include "learn/budget.h"
#include "learn/learn.h"
#include "learn/ranks.h"
#include "privacy/commitment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pass {
  const tacit_schema *schema;
  const tacit_estimate_options *options;
  const tacit_release_probe *probe; /* NULL but for tests */
  const tacit_ranks *ranks;
  double *b;     /* targets x columns, encoded */
  double *bound; /* of a row's cost, by target */
  uint64_t *sum;
} pass;

/* The largest cost that bounds on demand and order leave, or the caller's smaller one. */
static double cost_bound(const pass *p, size_t t) {
  const tacit_scale *scale = &p->schema->targets[t].scale;
  double bound = 2 * scale->limit * scale->half * fmax(p->options->underage[t], p->options->overage[t]);
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
  return tacit_schema_check_promise(schema, o->adjacency == TACIT_ADD_REMOVE, o->nominal_rows, error);
}

/* Nothing but the sums depends on the number of rows under add-remove. */
static tacit_status public_rows(const pass *p, const tacit_read_counts *counts, double *rows,
                                tacit_error *error) {
  const tacit_estimate_options *o = p->options;
  if (o->adjacency == TACIT_ADD_REMOVE) {
    *rows = (double)(o->nominal_rows ? o->nominal_rows : p->schema->nominal_rows);
    return TACIT_OK;
  }
  TACIT_TRY(tacit_read_counts_check(counts, p->schema, error));
  *rows = (double)(counts->records - counts->dropped_lag);
  return TACIT_OK;
}

/* All releases as they will be made: refused while nothing is spent, and within mu when composed, rounded up.
 */
static tacit_status plan(const pass *p, tacit_mechanism *m, tacit_error *error) {
  const tacit_estimate_options *o = p->options;
  size_t targets = p->schema->target_count;
  const tacit_budget each = {.mu = o->mu / sqrt((double)targets)};
  *m = (tacit_mechanism){
      .kind = TACIT_RELEASE_COUNT, .dimension = 1, .bits = TACIT_COST_BITS, .count = targets};
  TACIT_TRY(tacit_mechanism_sensitivity(m, o->adjacency, p->schema->rows_per_unit, &m->sensitivity, error));
  m->sigma = tacit_budget_sigma(&each, m->sensitivity, 1);
  if (!(m->sigma <= TACIT_SIGMA_MAX))
    return tacit_fail(error, TACIT_REFUSED,
                      "this guarantee needs more noise than the grid can hold; use a "
                      "larger mu");
  tacit_certificate *planned;
  TACIT_TRY(tacit_certificate_new("evaluate", &planned, error));
  tacit_status status = tacit_certificate_add(planned, m, error);
  if (status == TACIT_OK && !(tacit_certificate_mu(planned) <= o->mu))
    status = tacit_fail(error, TACIT_INTERNAL,
                        "the planned noise would not keep the promise; nothing was released");
  tacit_certificate_free(planned);
  m->count = 1;
  return status;
}

static tacit_status release(const pass *p, const tacit_mechanism *plan, double rows,
                            tacit_estimate *estimates, tacit_error *error) {
  const tacit_estimate_options *o = p->options;
  tacit_noise_source noise;
  tacit_certificate *made;
  TACIT_TRY(tacit_certificate_new("evaluate", &made, error));
  if (o->seeded)
    tacit_noise_source_seeded(&noise, o->seed);
  else
    tacit_noise_source_os(&noise);
  noise.ranks = p->ranks;
  const tacit_release gate = {&noise, made, p->probe};
  tacit_status status = TACIT_OK;
  for (size_t t = 0; t < p->schema->target_count && status == TACIT_OK; t++) {
    tacit_mechanism m = *plan;
    double sum;
    m.target = t;
    status = tacit_release_sum(&gate, &m, &p->sum[t], &sum, error);
    if (status != TACIT_OK) break;
    double sigma = ldexp(m.sigma, -m.bits);
    estimates[t] = (tacit_estimate){.mean_cost = p->bound[t] * sum / rows,
                                    .standard_error = p->bound[t] * sigma / rows,
                                    .bound = p->bound[t],
                                    .mu = o->mu / sqrt((double)p->schema->target_count),
                                    .sensitivity = ldexp(m.sensitivity, -m.bits),
                                    .sigma = sigma,
                                    .grid_bits = m.bits,
                                    .rows = rows};
  }
  tacit_certificate_free(made);
  return status;
}

/* What is asked, target by target: the rule, what a unit short and a unit over cost, and the bound. */
static double *goals_of(const pass *p) {
  const tacit_estimate_options *o = p->options;
  size_t columns = p->schema->columns, targets = p->schema->target_count;
  double *goals = tacit_alloc(targets * (columns + 3), sizeof *goals), *at = goals;
  for (size_t t = 0; goals && t < targets; t++, at += columns + 3) {
    memcpy(at, o->coefficients + t * columns, columns * sizeof *at);
    at[columns] = o->underage[t];
    at[columns + 1] = o->overage[t];
    at[columns + 2] = p->bound[t];
  }
  return goals;
}

/* The releases as they will be made, paid for; one for each target. */
static tacit_status spend(const pass *p, tacit_mechanism m, double rows, tacit_error *error) {
  const tacit_estimate_options *o = p->options;
  tacit_cost cost = {.mu = o->mu};
  tacit_certificate *planned;
  if (!o->spend) return TACIT_OK;
  double *goals = goals_of(p);
  if (!goals) return tacit_no_memory(error);
  tacit_status status = tacit_certificate_new("evaluate", &planned, error);
  for (m.target = 0; m.target < p->schema->target_count && status == TACIT_OK; m.target++)
    status = tacit_certificate_add(planned, &m, error);
  if (status == TACIT_OK) {
    planned->adjacency = o->adjacency;
    planned->rows_per_unit = p->schema->rows_per_unit;
    planned->rows = (size_t)rows;
    planned->mu = o->mu;
    planned->noise = o->seeded ? TACIT_NOISE_SEEDED : TACIT_NOISE_OS;
    const tacit_committed committed = {.certificate = planned,
                                       .releases = planned,
                                       .schema_hash = p->schema->hash,
                                       .goals = goals,
                                       .goal_count = p->schema->target_count * (p->schema->columns + 3)};
    status = tacit_commitment(&committed, cost.commitment, error);
  }
  tacit_certificate_free(planned);
  free(goals);
  return status == TACIT_OK ? o->spend(o->spend_user, &cost, error) : status;
}

/* The exact sums, one for each target. */
static tacit_status ask(const pass *p, tacit_rows *asked, tacit_error *error) {
  const tacit_question question = {.kind = TACIT_QUESTION_COSTS,
                                   .costs = {.coefficients = p->b,
                                             .underage = p->options->underage,
                                             .overage = p->options->overage,
                                             .bound = p->bound}};
  return tacit_rows_ask(asked, &question, p->sum, error);
}

/* Every refusal, then the spending, then the first noise bit. */
static tacit_status estimate(pass *p, tacit_source *source, const tacit_context *context,
                             tacit_estimate *estimates, tacit_error *error) {
  const tacit_estimate_options *o = p->options;
  tacit_read_counts counts;
  tacit_mechanism m;
  double rows;
  for (size_t t = 0; t < p->schema->target_count; t++) {
    size_t first = t * p->schema->columns;
    tacit_schema_encoded_units(p->schema, t, o->coefficients + first, p->b + first);
    p->bound[t] = cost_bound(p, t);
    if (!(p->bound[t] > 0 && isfinite(p->bound[t])))
      return tacit_fail(error, TACIT_REFUSED, "costs and bounds leave the range of numbers; use other units");
  }
  TACIT_TRY(plan(p, &m, error));
  tacit_rows asked;
  tacit_status status =
      tacit_rows_open(source, p->schema, NULL, TACIT_CELL_BITS, context, &asked, &counts, error);
  status = tacit_ranks_agree(p->ranks, status, &counts, error);
  if (status == TACIT_OK) status = public_rows(p, &counts, &rows, error);
  if (status == TACIT_OK) status = ask(p, &asked, error);
  tacit_rows_close(&asked);
  TACIT_TRY(status);
  status = tacit_ranks_first(p->ranks) ? spend(p, m, rows, error) : TACIT_OK;
  TACIT_TRY(tacit_ranks_share(p->ranks, status, NULL, 0, error));
  return release(p, &m, rows, estimates, error);
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
  size_t targets = schema->target_count;
  TACIT_TRY(check_options(schema, options, error));
  TACIT_TRY(tacit_source_check_promise(source, schema, options->adjacency == TACIT_ADD_REMOVE, false, error));
  TACIT_TRY(tacit_ranks_check_table(context ? context->ranks : NULL, schema, source, true, error));
  pass p = {.schema = schema,
            .options = options,
            .probe = probe,
            .ranks = context ? context->ranks : NULL,
            .b = tacit_alloc(targets * schema->columns, sizeof(double)),
            .bound = tacit_alloc(targets, sizeof(double)),
            .sum = tacit_alloc(targets, sizeof(uint64_t))};
  tacit_status status =
      p.b && p.bound && p.sum ? estimate(&p, source, context, estimates, error) : tacit_no_memory(error);
  free(p.b);
  free(p.bound);
  tacit_free_wiped(p.sum, targets * sizeof *p.sum);
  return status;
}
