/* Noisy smoothed gradient descent (Z Algorithm 1), sound: exact sums, exact noise, every choice public.

     b <- b - (eta / n) [ sum_i { Kbar((x_i'b - d_i) / h) - tau } w_i + sigma_t g_t ],
     w_i = x_i min(1, B / ||x_i||),  g_t standard normal,  t = 1..T

   b coefficients of the encoded columns · eta step size · h bandwidth · n public number of rows · B clip
   norm. The sum moves by at most Delta = 2 tau_bar B (replace-one) or tau_bar B (add-remove) per row of a
   unit, and mu^2 = sum_t (Delta / sigma_t)^2 (Z Theorem 1; proofs/exact-sums.md, proofs/composition.md). Z
   eq. (6) with a public Sigma is the same iteration on the rows Sigma^(-1/2) x. */
#include "learn/noisy_gd.h"

#include "data/read.h"
#include "learn/budget.h"
#include "learn/ranks.h"
#include "learn/release.h"
#include "learn/score_sum.h"
#include "loss/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct descent {
  const tacit_schema *schema;
  const tacit_learn_options *options;
  const tacit_context *context;
  const tacit_noisy_gd *choice;
  const tacit_design *design;
  double rows; /* public */
  tacit_release gate;
  double eta, bandwidth; /* of the target at hand, in encoded units */
  double *share, *sigma; /* steps */
  double *b, *gradient;  /* columns */
  uint64_t *sum;         /* columns */
} descent;

/* The noise of each step: Delta / (mu_target sqrt(share_t)), with room left on the grid. */
static tacit_status plan_noise(descent *d, double sensitivity, tacit_error *error) {
  double mu = d->options->mu / sqrt((double)d->schema->target_count);
  tacit_noisy_gd_shares(d->choice, d->share);
  for (size_t t = 0; t < d->choice->steps; t++) {
    d->sigma[t] = sensitivity / (mu * sqrt(d->share[t])) * TACIT_HEADROOM;
    if (!(d->sigma[t] <= TACIT_SIGMA_MAX))
      return tacit_fail(
          error, TACIT_REFUSED,
          "step %zu gets too small a share of the budget for its noise to fit the grid; use a larger mu, "
          "fewer steps, a growth nearer 1 or a smaller clip norm",
          t + 1);
  }
  return TACIT_OK;
}

/* The step size and the bandwidth, once the noise is planned. */
static void tune(descent *d, size_t target, int bits) {
  const tacit_noisy_gd *choice = d->choice;
  d->eta = tacit_noisy_gd_step_size(d->schema, target, d->options);
  d->bandwidth = tacit_learn_bandwidth(d->schema, target, d->options, d->rows);
  if (choice->bound > 0)
    tacit_gradient_tune(choice, d->schema, target, d->options, d->rows, ldexp(d->sigma[0], -bits) / d->rows,
                        &d->eta, &d->bandwidth);
}

static tacit_status draw_direction(descent *d, tacit_error *error) {
  tacit_stream stream;
  TACIT_TRY(tacit_stream_begin(d->gate.noise, &stream, error));
  tacit_direction(&stream, d->design->columns, d->b);
  tacit_stream_end(&stream);
  return TACIT_OK;
}

/* Z: 0, or a random point of the unit sphere; public randomness either way. */
static tacit_status start(descent *d, tacit_error *error) {
  memset(d->b, 0, d->design->columns * sizeof *d->b);
  if (!d->choice->sphere) return TACIT_OK;
  const tacit_ranks *ranks = d->gate.noise->ranks;
  tacit_status status = tacit_ranks_first(ranks) ? draw_direction(d, error) : TACIT_OK;
  return tacit_ranks_share(ranks, status, d->b, d->design->columns * sizeof *d->b, error);
}

/* Coefficients of the encoded columns from those of whitened ones: Sigma^(-1/2) b. */
static void unwhiten(const descent *d, const double *b, double *coefficients) {
  size_t p = d->design->columns;
  const double *root = d->choice->whiten;
  for (size_t j = 0; j < p; j++) {
    coefficients[j] = root ? 0 : b[j];
    for (size_t k = 0; root && k < p; k++) coefficients[j] += root[j * p + k] * b[k];
  }
}

static tacit_status descend(descent *d, const tacit_mechanism *plan, double *coefficients,
                            tacit_error *error) {
  size_t p = d->design->columns, T = d->choice->steps, target = plan->target;
  double bound = d->choice->bound > 0 ? tacit_theta_bound(d->schema, target, d->options) : 0;
  tacit_mechanism release = *plan;
  tacit_score_pass pass = {.target = target,
                           .tau = d->options->quantiles[target],
                           .kernel = d->choice->kernel,
                           .bandwidth = d->bandwidth,
                           .coefficients = d->b};
  TACIT_TRY(tacit_score_bound_set(&pass.bound, pass.tau, d->choice->clip_norm, d->choice->cell_bits, error));
  double *average = d->gradient + p, weight = 0;
  memset(average, 0, p * sizeof *average);
  TACIT_TRY(start(d, error));
  for (size_t t = 0; t < T; t++) {
    double done = ((double)target + (double)t / (double)T) / (double)d->schema->target_count;
    TACIT_TRY(tacit_step(d->context, "learning", done, error));
    tacit_score_sum(d->design, &pass, tacit_threads_for(d->context, d->design->rows * d->design->columns),
                    d->sum);
    release.sigma = d->sigma[t];
    TACIT_TRY(tacit_release_sum(&d->gate, &release, d->sum, d->gradient, error));
    for (size_t j = 0; j < p; j++) d->b[j] -= d->eta / d->rows * d->gradient[j];
    if (bound > 0) tacit_project(d->b, p, bound);
    if (t + d->choice->average < T) continue;
    weight += d->share[t];
    for (size_t j = 0; j < p; j++) average[j] += d->share[t] * d->b[j];
  }
  for (size_t j = 0; j < p; j++) average[j] /= weight;
  unwhiten(d, average, coefficients);
  return TACIT_OK;
}

/* Everything public that the result depends on, for the certificate. */
static tacit_status plan_target(descent *d, size_t target, tacit_mechanism *plan, tacit_error *error);

static tacit_status record(descent *d, tacit_certificate *c, tacit_error *error) {
  const tacit_noisy_gd *choice = d->choice;
  TACIT_TRY(tacit_learn_promise(d->schema, d->options, d->rows, c, error));
  TACIT_TRY(tacit_certificate_number(c, "steps", (double)choice->steps, error));
  TACIT_TRY(tacit_certificate_number(c, "clip_norm", choice->clip_norm, error));
  TACIT_TRY(tacit_certificate_number(c, "growth", choice->growth, error));
  TACIT_TRY(tacit_certificate_number(c, "average", (double)choice->average, error));
  TACIT_TRY(tacit_certificate_text(c, "kernel", tacit_kernel_facts(choice->kernel)->name, error));
  TACIT_TRY(tacit_certificate_text(c, "start", choice->sphere ? "sphere" : "zero", error));
  TACIT_TRY(tacit_certificate_text(c, "update", choice->whiten ? "Z eq. (6)" : "Z eq. (7)", error));
  if (choice->bound > 0) TACIT_TRY(tacit_certificate_number(c, "theta_bound", choice->bound, error));
  for (size_t t = 0; t < d->schema->target_count; t++) {
    tacit_mechanism plan;
    TACIT_TRY(plan_target(d, t, &plan, error));
    char name[2][40] = {"step_size", "bandwidth"};
    if (d->schema->target_count > 1) {
      snprintf(name[0], sizeof name[0], "step_size[%zu]", t + 1);
      snprintf(name[1], sizeof name[1], "bandwidth[%zu]", t + 1);
    }
    TACIT_TRY(tacit_certificate_number(c, name[0], d->eta, error));
    TACIT_TRY(tacit_certificate_number(c, name[1], d->bandwidth * d->schema->targets[t].scale.half, error));
  }
  return TACIT_OK;
}

/* The release of each step for a target, with the noise of all steps. */
static tacit_status plan_target(descent *d, size_t target, tacit_mechanism *plan, tacit_error *error) {
  *plan = (tacit_mechanism){.kind = TACIT_RELEASE_SCORES,
                            .target = target,
                            .dimension = d->design->columns,
                            .level = d->options->quantiles[target],
                            .clip = d->choice->clip_norm,
                            .bits = d->choice->cell_bits + TACIT_SCORE_BITS,
                            .count = 1};
  TACIT_TRY(tacit_mechanism_sensitivity(plan, d->options->adjacency, d->schema->rows_per_unit,
                                        &plan->sensitivity, error));
  TACIT_TRY(plan_noise(d, plan->sensitivity, error));
  tune(d, target, plan->bits);
  return TACIT_OK;
}

/* All releases of all targets as they will be made: the guarantee they give, rounded up, is at most the asked
 * one. */
static tacit_status check_plan(descent *d, tacit_error *error) {
  tacit_certificate *planned;
  TACIT_TRY(tacit_certificate_new("plan", &planned, error));
  tacit_status status = TACIT_OK;
  for (size_t target = 0; target < d->schema->target_count && status == TACIT_OK; target++) {
    tacit_mechanism plan;
    status = plan_target(d, target, &plan, error);
    for (size_t t = 0; t < d->choice->steps && status == TACIT_OK; t++) {
      plan.sigma = d->sigma[t];
      status = tacit_certificate_add(planned, &plan, error);
    }
  }
  if (status == TACIT_OK && !(tacit_certificate_mu(planned) <= d->options->mu))
    status = tacit_fail(error, TACIT_INTERNAL,
                        "the planned noise would not keep the promise; nothing was released");
  tacit_certificate_free(planned);
  return status;
}

/* Every target is planned, and refused, before the budget is spent; the budget before the first noise bit. */
static tacit_status learn_targets(descent *d, tacit_fit *fit, tacit_error *error) {
  TACIT_TRY(check_plan(d, error));
  TACIT_TRY(tacit_ranks_spend(d->gate.noise->ranks, d->options, error));
  for (size_t target = 0; target < d->schema->target_count; target++) {
    tacit_mechanism plan;
    TACIT_TRY(plan_target(d, target, &plan, error));
    TACIT_TRY(descend(d, &plan, fit->coefficients + target * fit->columns, error));
  }
  return TACIT_OK;
}

static tacit_status learn_rows(descent *d, tacit_fit *fit, tacit_error *error) {
  size_t p = d->design->columns, T = d->choice->steps;
  d->share = tacit_alloc(T, sizeof(double));
  d->sigma = tacit_alloc(T, sizeof(double));
  d->b = tacit_alloc(p, sizeof(double));
  d->gradient = tacit_alloc(2 * p, sizeof(double));
  d->sum = tacit_alloc(p, sizeof(uint64_t));
  bool ready = d->share && d->sigma && d->b && d->gradient && d->sum;
  tacit_status status = ready ? record(d, fit->certificate, error) : tacit_no_memory(error);
  if (status == TACIT_OK) status = learn_targets(d, fit, error);
  free(d->share);
  free(d->sigma);
  free(d->b);
  free(d->gradient);
  if (d->sum) tacit_free_wiped(d->sum, p * sizeof(uint64_t));
  return status;
}

/* Z's algorithm, or E's gradient perturbation, which is the same with its own choices. */
static tacit_status learn(const tacit_schema *schema, tacit_source *source,
                          const tacit_learn_options *options, bool gradient, const tacit_context *context,
                          tacit_fit *fit, tacit_error *error) {
  tacit_noisy_gd choice = {.steps = 0};
  tacit_design *design = NULL;
  tacit_noise_source noise;
  tacit_learn_noise(options, &noise);
  noise.ranks = context ? context->ranks : NULL;
  tacit_status status = gradient ? tacit_gradient_choose(&choice, schema, options, error)
                                 : tacit_noisy_gd_choose(&choice, schema, options, error);
  if (status == TACIT_OK) {
    status = tacit_read_design(source, schema, choice.whiten, choice.cell_bits, &design, &fit->counts,
                               context, error);
    status = tacit_ranks_agree(noise.ranks, status, &fit->counts, error);
  }
  descent d = {.schema = schema,
               .options = options,
               .context = context,
               .choice = &choice,
               .design = design,
               .gate = {&noise, fit->certificate, fit->probe}};
  if (status == TACIT_OK) status = tacit_learn_rows(schema, options, &fit->counts, &d.rows, error);
  if (status == TACIT_OK && gradient) status = tacit_gradient_choose_rows(&choice, options, d.rows, error);
  if (status == TACIT_OK) {
    if (gradient)
      tacit_gradient_note(&choice, options, d.rows, fit->note);
    else
      tacit_noisy_gd_choose_rows(&choice, schema, options, d.rows);
    status = learn_rows(&d, fit, error);
  }
  tacit_design_free(design);
  free(choice.whiten);
  return status;
}

tacit_status tacit_learn_noisy_gd(const tacit_schema *schema, tacit_source *source,
                                  const tacit_learn_options *options, const tacit_context *context,
                                  tacit_fit *fit, tacit_error *error) {
  return learn(schema, source, options, false, context, fit, error);
}

tacit_status tacit_learn_gradient(const tacit_schema *schema, tacit_source *source,
                                  const tacit_learn_options *options, const tacit_context *context,
                                  tacit_fit *fit, tacit_error *error) {
  return learn(schema, source, options, true, context, fit, error);
}
