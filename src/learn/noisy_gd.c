/* Noisy smoothed gradient descent (Z Algorithm 1), sound: exact sums, exact noise, every choice public.

     b <- b - (eta / n) [ sum_i { Kbar((x_i'b - d_i) / h) - tau } w_i + sigma_t g_t ],
     w_i = x_i min(1, B / ||x_i||),  g_t standard normal,  t = 1..T

   b coefficients of the encoded columns · eta step size · h bandwidth · n public number of rows · B clip
   norm. The sum moves by at most Delta = 2 tau_bar B (replace-one) or tau_bar B (add-remove) per row of a
   unit, and mu^2 = sum_t (Delta / sigma_t)^2 (Z Theorem 1; proofs/exact-sums.md, proofs/composition.md). Z
   eq. (6) with a public Sigma is the same iteration on the rows Sigma^(-1/2) x. */
#include "learn/noisy_gd.h"

#include "learn/budget.h"
#include "learn/ranks.h"
#include "learn/release.h"
#include "loss/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one target has of its own. Steps are taken for all targets at once, so that rows are read once for all
   of them. */
typedef struct course {
  tacit_mechanism release;        /* of a step; its sigma is set from step to step */
  double eta, bandwidth;          /* in encoded units */
  double bound;                   /* on the norm of b; 0: none */
  double *b, *gradient, *average; /* columns */
  uint64_t *sum;                  /* columns */
} course;

typedef struct descent {
  const tacit_schema *schema;
  const tacit_learn_options *options;
  const tacit_context *context;
  const tacit_noisy_gd *choice;
  tacit_rows *asked;
  double rows; /* public */
  tacit_release gate;
  double *share;           /* of mu^2, step by step */
  tacit_score_part *parts; /* of the question, one for each target */
  course *course;          /* of each target */
  double *numbers;         /* their memory */
  uint64_t *sums;
} descent;

/* The noise of a step: Delta / (mu_target sqrt(share_t)), with room left on the grid. */
static double sigma_at(const descent *d, double sensitivity, size_t t) {
  double mu = d->options->mu / sqrt((double)d->schema->target_count);
  return tacit_share_sigma(sensitivity, mu, d->share[t]);
}

static tacit_status check_noise(const descent *d, double sensitivity, tacit_error *error) {
  for (size_t t = 0; t < d->choice->steps; t++)
    if (!(sigma_at(d, sensitivity, t) <= TACIT_SIGMA_MAX))
      return tacit_fail(
          error, TACIT_REFUSED,
          "step %zu gets too small a share of the budget for its noise to fit the grid; use a larger mu, "
          "fewer steps, a growth nearer 1 or a smaller clip norm",
          t + 1);
  return TACIT_OK;
}

/* A target's releases, step size and bandwidth. */
static tacit_status plan_target(descent *d, size_t target, tacit_error *error) {
  const tacit_noisy_gd *choice = d->choice;
  course *c = &d->course[target];
  tacit_mechanism *m = &c->release;
  *m = (tacit_mechanism){.kind = TACIT_RELEASE_SCORES,
                         .target = target,
                         .dimension = d->schema->columns,
                         .level = d->options->quantiles[target],
                         .clip = choice->clip_norm,
                         .bits = choice->cell_bits + TACIT_SCORE_BITS,
                         .count = 1};
  TACIT_TRY(tacit_mechanism_sensitivity(m, d->options->adjacency, d->schema->rows_per_unit, &m->sensitivity,
                                        error));
  TACIT_TRY(check_noise(d, m->sensitivity, error));
  c->eta = tacit_noisy_gd_step_size(d->schema, target, d->options);
  c->bandwidth = tacit_learn_bandwidth(d->schema, target, d->options, d->rows);
  if (choice->bound > 0) {
    c->bound = tacit_theta_bound(d->schema, target, d->options);
    tacit_gradient_tune(choice, d->schema, target, d->options, d->rows,
                        ldexp(sigma_at(d, m->sensitivity, 0), -m->bits) / d->rows, &c->eta, &c->bandwidth);
  }
  d->parts[target] = (tacit_score_part){.target = target,
                                        .tau = m->level,
                                        .kernel = choice->kernel,
                                        .bandwidth = c->bandwidth,
                                        .clip_norm = choice->clip_norm,
                                        .coefficients = c->b};
  return TACIT_OK;
}

static tacit_status draw_direction(const descent *d, double *b, tacit_error *error) {
  tacit_stream stream;
  TACIT_TRY(tacit_stream_begin(d->gate.noise, &stream, error));
  tacit_direction(&stream, d->schema->columns, b);
  tacit_stream_end(&stream);
  return TACIT_OK;
}

/* Z: 0, or a random point of the unit sphere; public randomness either way. */
static tacit_status start(const descent *d, double *b, tacit_error *error) {
  if (!d->choice->sphere) return TACIT_OK;
  const tacit_ranks *ranks = d->gate.noise->ranks;
  tacit_status status = tacit_ranks_first(ranks) ? draw_direction(d, b, error) : TACIT_OK;
  return tacit_ranks_share(ranks, status, b, d->schema->columns * sizeof *b, error);
}

/* Coefficients of the encoded columns from those of whitened ones: Sigma^(-1/2) b. */
static void unwhiten(const descent *d, const double *b, double *coefficients) {
  size_t p = d->schema->columns;
  const double *root = d->choice->whiten;
  for (size_t j = 0; j < p; j++) {
    coefficients[j] = root ? 0 : b[j];
    for (size_t k = 0; root && k < p; k++) coefficients[j] += root[j * p + k] * b[k];
  }
}

/* One step of one target, from the sum of its scores times rows. */
static tacit_status take_step(const descent *d, course *c, size_t t, tacit_error *error) {
  size_t p = d->schema->columns;
  c->release.sigma = sigma_at(d, c->release.sensitivity, t);
  TACIT_TRY(tacit_release_sum(&d->gate, &c->release, c->sum, c->gradient, error));
  for (size_t j = 0; j < p; j++) c->b[j] -= c->eta / d->rows * c->gradient[j];
  if (c->bound > 0) tacit_project(c->b, p, c->bound);
  if (t + d->choice->average < d->choice->steps) return TACIT_OK;
  for (size_t j = 0; j < p; j++) c->average[j] += d->share[t] * c->b[j];
  return TACIT_OK;
}

static tacit_status descend(const descent *d, double *coefficients, tacit_error *error) {
  size_t p = d->schema->columns, T = d->choice->steps, targets = d->schema->target_count;
  const tacit_question question = {.kind = TACIT_QUESTION_SCORES,
                                   .scores = {.parts = d->parts, .count = targets, .scores = true}};
  double weight = 0;
  for (size_t k = 0; k < targets; k++) TACIT_TRY(start(d, d->course[k].b, error));
  for (size_t t = 0; t < T; t++) {
    TACIT_TRY(tacit_step(d->context, "learning", (double)t / (double)T, error));
    TACIT_TRY(tacit_rows_ask(d->asked, &question, d->sums, error));
    for (size_t k = 0; k < targets; k++) TACIT_TRY(take_step(d, &d->course[k], t, error));
    if (t + d->choice->average >= T) weight += d->share[t];
  }
  for (size_t k = 0; k < targets; k++) {
    for (size_t j = 0; j < p; j++) d->course[k].average[j] /= weight;
    unwhiten(d, d->course[k].average, coefficients + k * p);
  }
  return TACIT_OK;
}

/* Everything public that the result depends on, for the certificate. */
static tacit_status record(const descent *d, tacit_certificate *c, tacit_error *error) {
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
    const course *own = &d->course[t];
    char name[2][40] = {"step_size", "bandwidth"};
    if (d->schema->target_count > 1) {
      snprintf(name[0], sizeof name[0], "step_size[%zu]", t + 1);
      snprintf(name[1], sizeof name[1], "bandwidth[%zu]", t + 1);
    }
    TACIT_TRY(tacit_certificate_number(c, name[0], own->eta, error));
    TACIT_TRY(tacit_certificate_number(c, name[1], own->bandwidth * d->schema->targets[t].scale.half, error));
  }
  return TACIT_OK;
}

/* All releases of all targets as they will be made: the guarantee they give, rounded up, is at most the asked
   one. Then they are paid for. */
static tacit_status check_and_spend(const descent *d, const tacit_certificate *made, tacit_error *error) {
  tacit_certificate *planned;
  TACIT_TRY(tacit_certificate_new("plan", &planned, error));
  tacit_status status = TACIT_OK;
  for (size_t k = 0; k < d->schema->target_count; k++) {
    tacit_mechanism m = d->course[k].release;
    for (size_t t = 0; t < d->choice->steps && status == TACIT_OK; t++) {
      m.sigma = sigma_at(d, m.sensitivity, t);
      status = tacit_certificate_add(planned, &m, error);
    }
  }
  if (status == TACIT_OK && !(tacit_certificate_mu(planned) <= d->options->mu))
    status = tacit_fail(error, TACIT_INTERNAL,
                        "the planned noise would not keep the promise; nothing was released");
  if (status == TACIT_OK)
    status = tacit_ranks_spend(d->gate.noise->ranks, d->schema, d->options, made, planned, error);
  tacit_certificate_free(planned);
  return status;
}

/* Memory for the targets' courses, all zero. */
static tacit_status open_courses(descent *d, tacit_error *error) {
  size_t p = d->schema->columns, targets = d->schema->target_count;
  d->share = tacit_alloc(d->choice->steps, sizeof *d->share);
  d->parts = tacit_alloc(targets, sizeof *d->parts);
  d->course = tacit_alloc(targets, sizeof *d->course);
  d->numbers = tacit_alloc(3 * targets * p, sizeof *d->numbers);
  d->sums = tacit_alloc(targets * p, sizeof *d->sums);
  if (!d->share || !d->parts || !d->course || !d->numbers || !d->sums) return tacit_no_memory(error);
  for (size_t k = 0; k < targets; k++) {
    course *c = &d->course[k];
    c->b = d->numbers + 3 * k * p;
    c->gradient = c->b + p;
    c->average = c->gradient + p;
    c->sum = d->sums + k * p;
  }
  return TACIT_OK;
}

/* Every target is planned, and refused, before the budget is spent; the budget before the first noise bit. */
static tacit_status learn_rows(descent *d, tacit_fit *fit, tacit_error *error) {
  size_t targets = d->schema->target_count;
  tacit_status status = open_courses(d, error);
  if (status == TACIT_OK) tacit_growing_shares(d->choice->steps, d->choice->growth, d->share);
  for (size_t k = 0; k < targets && status == TACIT_OK; k++) status = plan_target(d, k, error);
  if (status == TACIT_OK) status = record(d, fit->certificate, error);
  if (status == TACIT_OK) status = check_and_spend(d, fit->certificate, error);
  if (status == TACIT_OK) status = descend(d, fit->coefficients, error);
  free(d->share);
  free(d->parts);
  free(d->course);
  free(d->numbers);
  if (d->sums) tacit_free_wiped(d->sums, targets * d->schema->columns * sizeof *d->sums);
  return status;
}

/* Z's algorithm, or E's gradient perturbation, which is the same with its own choices. */
static tacit_status learn(const tacit_schema *schema, tacit_source *source,
                          const tacit_learn_options *options, bool gradient, const tacit_context *context,
                          tacit_fit *fit, tacit_error *error) {
  tacit_noisy_gd choice = {.steps = 0};
  tacit_rows asked = {.own = NULL};
  tacit_noise_source noise;
  tacit_learn_noise(options, &noise);
  noise.ranks = context ? context->ranks : NULL;
  tacit_status status = gradient ? tacit_gradient_choose(&choice, schema, options, error)
                                 : tacit_noisy_gd_choose(&choice, schema, options, error);
  if (status == TACIT_OK) {
    status = tacit_rows_open(source, schema, choice.whiten, choice.cell_bits, context, &asked, &fit->counts,
                             error);
    status = tacit_ranks_agree(noise.ranks, status, &fit->counts, error);
  }
  descent d = {.schema = schema,
               .options = options,
               .context = context,
               .choice = &choice,
               .asked = &asked,
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
  tacit_rows_close(&asked);
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
