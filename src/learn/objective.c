/* Objective perturbation (C Algorithm 2, E Lemma EC.1), sound:

     argmin  sum_i l_h(theta; z_i) + (Lambda/2) |theta|^2 + b'theta,   b ~ N(0, sigma^2 I),  Lambda = 2 n
   lambda

   on rows clipped to norm B_x, then Gaussian noise for the distance of the computed minimiser to the exact
   one, then projection to |theta| <= B_theta. lambda and h from C Theorem 3.6, sigma from the exact curve
   under the asked adjacency (proofs/objective-perturbation.md). Lambda, h, sigma, B_x, B_theta and gamma are
   public. */
#include "learn/objective_plan.h"

#include "data/design.h"
#include "learn/budget.h"
#include "learn/noisy_gd.h"
#include "learn/release.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
  const tacit_schema *schema;
  const tacit_learn_options *options;
  const tacit_context *context;
  const tacit_design *design;
  const tacit_objective_plan *plans; /* one for each target */
  tacit_release gate;
} run;

/* Every release as it will be made, to be freed also after a failure: together they are at most the asked
   guarantee. */
static tacit_status plan_all(const run *r, double rows, tacit_certificate **planned, tacit_error *error) {
  TACIT_TRY(tacit_certificate_new("plan", planned, error));
  (*planned)->adjacency = r->options->adjacency;
  (*planned)->rows = (size_t)rows;
  for (size_t t = 0; t < r->schema->target_count; t++) {
    TACIT_TRY(tacit_certificate_add(*planned, &r->plans[t].objective, error));
    TACIT_TRY(tacit_certificate_add(*planned, &r->plans[t].minimiser, error));
  }
  return tacit_learn_check_pair(r->options, *planned, error);
}

/* theta from its grid to the release's, each coordinate cut to the nearest power of two above B_theta: both
   move two points no further apart than the release's sensitivity counts with. */
static void to_grid(const tacit_objective_plan *plan, const tacit_int128 *theta, size_t d, uint64_t *out) {
  int down = TACIT_THETA_BITS - plan->minimiser.bits;
  tacit_int128 most = (tacit_int128)1 << (plan->minimiser.bits + plan->reach_bits);
  for (size_t j = 0; j < d; j++) {
    tacit_int128 v = (theta[j] + ((tacit_int128)1 << (down - 1))) >> down; /* to nearest */
    v = v > most ? most : v < -most ? -most : v;
    out[j] = (uint64_t)(int64_t)v;
  }
}

/* Room for one target's solution: secret until it has its noise. */
typedef struct secret {
  tacit_int128 theta[TACIT_COLUMNS_MAX];
  int64_t linear[TACIT_COLUMNS_MAX];
  uint64_t rounded[TACIT_COLUMNS_MAX];
  tacit_kernel_table table;
  tacit_clipped_rows rows;
  tacit_solver_room room;
} secret;

static tacit_status learn_target(const run *r, size_t t, secret *s, double *coefficients,
                                 tacit_error *error) {
  const tacit_objective_plan *plan = &r->plans[t];
  size_t d = r->design->columns;
  tacit_clipped_rows_fill(r->design, t, plan->objective.clip, &s->rows);
  double per_row = plan->objective.clip * 0x1p-56; /* the rounding of a score, times the row */
  double grid = ldexp(sqrt((double)d), -plan->objective.bits);
  tacit_perturbed problem = {.rows = &s->rows,
                             .table = &s->table,
                             .tau = plan->objective.level,
                             .bandwidth = plan->bandwidth,
                             .lambda = plan->objective.lambda,
                             .steepest = plan->steepest,
                             .smoothness = plan->objective.smoothness,
                             .slack = (double)s->rows.rows * per_row + grid / 2,
                             .linear = s->linear,
                             .linear_bits = plan->objective.bits,
                             .threads = tacit_threads(r->context)};
  tacit_status status = tacit_release_linear(&r->gate, &plan->objective, s->linear, error);
  if (status == TACIT_OK)
    status =
        tacit_perturbed_solve(&problem, plan->minimiser.clip, &s->room, r->context, s->theta, NULL, error);
  if (status == TACIT_OK) {
    to_grid(plan, s->theta, d, s->rounded);
    status = tacit_release_sum(&r->gate, &plan->minimiser, s->rounded, coefficients, error);
  }
  if (status == TACIT_OK) tacit_project(coefficients, d, plan->theta_bound);
  return status;
}

static tacit_status record(const run *r, double rows, tacit_certificate *c, tacit_error *error) {
  const tacit_objective_plan *first = &r->plans[0];
  TACIT_TRY(tacit_learn_promise(r->schema, r->options, rows, c, error));
  TACIT_TRY(tacit_certificate_number(c, "clip_norm", first->objective.clip, error));
  TACIT_TRY(tacit_certificate_number(c, "theta_bound", first->theta_bound, error));
  TACIT_TRY(tacit_certificate_text(c, "kernel", tacit_kernel_facts(first->kernel)->name, error));
  TACIT_TRY(tacit_certificate_text(c, "rule", first->part == 1 ? "C Thm 3.6(1)" : "C Thm 3.6(2)", error));
  for (size_t t = 0; t < r->schema->target_count; t++) {
    char name[40] = "bandwidth";
    if (r->schema->target_count > 1) snprintf(name, sizeof name, "bandwidth[%zu]", t + 1);
    TACIT_TRY(
        tacit_certificate_number(c, name, r->plans[t].bandwidth * r->schema->targets[t].scale.half, error));
  }
  return TACIT_OK;
}

static void free_secret(secret *s) {
  if (!s) return;
  tacit_clipped_rows_free(&s->rows);
  tacit_solver_room_free(&s->room);
  tacit_free_wiped(s, sizeof *s);
}

/* All memory, and the kernel's table; to be freed also after a failure. */
static tacit_status open_secret(const run *r, secret **s, tacit_error *error) {
  *s = tacit_alloc_aligned(1, sizeof **s);
  if (!*s) return tacit_no_memory(error);
  TACIT_TRY(tacit_clipped_rows_new(r->design, &(*s)->rows, error));
  TACIT_TRY(tacit_solver_room_new(&(*s)->rows, tacit_threads(r->context), &(*s)->room, error));
  if (tacit_kernel_table_fill(&(*s)->table, r->plans[0].kernel)) return TACIT_OK;
  return tacit_fail(error, TACIT_INTERNAL, "the kernel's table is steeper than the kernel");
}

/* All refusals, then the budget, then the first noise bit. */
static tacit_status learn_rows(run *r, double rows, tacit_fit *fit, tacit_error *error) {
  tacit_certificate *planned = NULL;
  secret *s = NULL;
  tacit_status status = plan_all(r, rows, &planned, error);
  if (status == TACIT_OK) status = open_secret(r, &s, error);
  if (status == TACIT_OK) status = record(r, rows, fit->certificate, error);
  if (status == TACIT_OK) status = tacit_learn_spend(r->schema, r->options, fit->certificate, planned, error);
  for (size_t t = 0; t < r->schema->target_count && status == TACIT_OK; t++)
    status = learn_target(r, t, s, fit->coefficients + t * fit->columns, error);
  tacit_certificate_free(planned);
  free_secret(s);
  return status;
}

tacit_status tacit_objective_learn_target(const tacit_schema *schema, const tacit_design *design,
                                          const tacit_objective_plan *plan, const tacit_context *context,
                                          const tacit_release *gate, double *coefficients,
                                          tacit_error *error) {
  secret *s = NULL;
  run r = {.schema = schema, .context = context, .design = design, .plans = plan, .gate = *gate};
  tacit_status status = open_secret(&r, &s, error);
  if (status == TACIT_OK) status = learn_target(&r, 0, s, coefficients, error);
  free_secret(s);
  return status;
}

tacit_status tacit_learn_objective(const tacit_schema *schema, tacit_source *source,
                                   const tacit_learn_options *options, const tacit_context *context,
                                   tacit_fit *fit, tacit_error *error) {
  tacit_design *design = NULL;
  tacit_noise_source noise;
  double rows = 0;
  tacit_learn_noise(options, &noise);
  TACIT_TRY(tacit_objective_check(schema, options, error));
  tacit_objective_plan *plans = tacit_alloc(schema->target_count, sizeof *plans);
  if (!plans) return tacit_no_memory(error);
  tacit_status status = tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, error);
  if (status == TACIT_OK)
    status =
        tacit_encode_source(source, schema, true, tacit_design_add, design, &fit->counts, context, error);
  if (status == TACIT_OK) status = tacit_learn_rows(schema, options, &fit->counts, &rows, error);
  for (size_t t = 0; t < schema->target_count && status == TACIT_OK; t++)
    status = tacit_objective_plan_target(schema, options, rows, t, &plans[t], fit->note, error);
  run r = {schema, options, context, design, plans, {&noise, fit->certificate, fit->probe}};
  if (status == TACIT_OK) status = learn_rows(&r, rows, fit, error);
  tacit_design_free(design);
  free(plans);
  return status;
}
