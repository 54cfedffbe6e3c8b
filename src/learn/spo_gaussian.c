/* Gaussian descent on the SPO+ loss (W Algorithm 2, sound form): noisy subgradients, public steps.

     minimise over B   mean of  max_w (c - 2 chat)'w + 2 chat'w*(c) - z*(c),   chat = centre + unit B x

   A subgradient in chat is 2 (w*(c) - w*(2 chat - c)). Each step releases the sum of these times rows, cut to
   integers and held to a radius (proofs/spo.md), with a share of mu^2 that grows from step to step; the last
   iterates are averaged by their shares. Rows whose scale is not known are whitened first. Every number below
   depends on public facts and on releases alone. */
#include "base/base.h"
#include "learn/spo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct descent {
  tacit_spo_task *task;
  tacit_budget budget;
  size_t steps, average, cells;
  bool whiten;
  double growth, step_size, clip_norm, radius;
  double *share;                  /* steps */
  double *rule, *mean, *gradient; /* cells each */
  uint64_t *sum;                  /* cells */
} descent;

static void choose(descent *d) {
  const tacit_spo_options *o = d->task->options;
  const tacit_schema *schema = d->task->schema;
  d->steps = o->steps ? o->steps : TACIT_SPO_STEPS;
  d->average = o->average ? o->average : TACIT_SPO_AVERAGE;
  if (d->average > d->steps) d->average = d->steps;
  d->whiten = !tacit_schema_scales_known(schema);
  d->clip_norm = o->clip_norm > 0        ? o->clip_norm
                 : schema->clip_norm > 0 ? schema->clip_norm
                                         : tacit_spo_clip_norm(schema->columns);
  d->radius = TACIT_SPO_RADIUS_SHARE * d->clip_norm;
  double clarity = tacit_spo_clarity(d->task->rows, schema->columns, d->task->region->dimension, d->radius,
                                     o->mu / (double)schema->rows_per_unit);
  d->growth = o->growth > 0 ? o->growth : tacit_spo_growth(clarity);
  d->step_size = o->step_size > 0 ? o->step_size : tacit_spo_step_size(clarity);
}

static tacit_mechanism release_of(const descent *d) {
  return (tacit_mechanism){.kind = TACIT_RELEASE_OUTER,
                           .dimension = d->cells,
                           .clip = d->radius,
                           .bits = (d->whiten ? (int)TACIT_SPO_WHITE_BITS : (int)TACIT_CELL_BITS) +
                                   TACIT_SCORE_BITS};
}

/* All releases as they will be made, paid for. */
static tacit_status spend(const descent *d, tacit_error *error) {
  tacit_certificate *planned;
  TACIT_TRY(tacit_certificate_new("plan", &planned, error));
  tacit_mechanism m = tacit_spo_whiten_mechanism(d->task);
  tacit_status status = TACIT_OK;
  if (d->whiten) status = tacit_budget_fill(&d->budget, TACIT_SPO_WHITEN_SHARE, &m, error);
  if (d->whiten && status == TACIT_OK) status = tacit_certificate_add(planned, &m, error);
  for (size_t t = 0; t < d->steps && status == TACIT_OK; t++) {
    m = release_of(d);
    status = tacit_budget_fill(&d->budget, d->share[t], &m, error);
    if (status == TACIT_OK) status = tacit_certificate_add(planned, &m, error);
  }
  if (status == TACIT_OK) status = tacit_spo_spend(d->task, planned, error);
  tacit_certificate_free(planned);
  return status;
}

/* The step with the smallest share needs the most noise: refused before anything is spent. */
static tacit_status check_noise(const descent *d, tacit_error *error) {
  tacit_mechanism m = release_of(d);
  double least = 1;
  TACIT_TRY(
      tacit_mechanism_sensitivity(&m, d->budget.adjacency, d->budget.rows_per_unit, &m.sensitivity, error));
  for (size_t t = 0; t < d->steps; t++) least = fmin(least, d->share[t]);
  if (least > 0 && tacit_budget_sigma(&d->budget, m.sensitivity, least) <= TACIT_SIGMA_MAX) return TACIT_OK;
  return tacit_fail(error, TACIT_REFUSED,
                    "this guarantee needs more noise than the grid can hold; use a larger mu, a smaller "
                    "clip norm, fewer steps or a smaller growth");
}

/* Everything public that the result depends on, for the certificate. */
static tacit_status record(const descent *d, tacit_error *error) {
  tacit_certificate *c = d->task->fit->certificate;
  TACIT_TRY(tacit_certificate_number(c, "steps", (double)d->steps, error));
  TACIT_TRY(tacit_certificate_number(c, "clip_norm", d->clip_norm, error));
  TACIT_TRY(tacit_certificate_text(c, "scales", d->whiten ? "wide" : "known", error));
  TACIT_TRY(tacit_certificate_number(c, "step_size", d->step_size, error));
  TACIT_TRY(tacit_certificate_number(c, "growth", d->growth, error));
  return tacit_certificate_number(c, "average", (double)d->average, error);
}

static tacit_status descend(descent *d, tacit_error *error) {
  const tacit_spo_task *task = d->task;
  /* the sum is in diameters; a subgradient is twice as long, and a step is a share of the widest coordinate
   */
  double step = d->step_size * 2 * task->region->diameter / task->width / task->rows, weight = 0;
  for (size_t t = 0; t < d->steps; t++) {
    TACIT_TRY(tacit_step(task->context, "learning", (double)t / (double)d->steps, error));
    TACIT_TRY(tacit_spo_sum(task, d->rule, d->radius, d->sum, error));
    TACIT_TRY(tacit_budget_release(&d->budget, release_of(d), d->share[t], d->sum, d->gradient, NULL, error));
    for (size_t k = 0; k < d->cells; k++) d->rule[k] -= step * d->gradient[k];
    if (t + d->average < d->steps) continue;
    weight += d->share[t];
    for (size_t k = 0; k < d->cells; k++) d->mean[k] += d->share[t] * d->rule[k];
  }
  for (size_t k = 0; k < d->cells; k++) d->mean[k] /= weight;
  tacit_spo_finish(task, d->mean);
  return TACIT_OK;
}

static tacit_status run(descent *d, tacit_error *error) {
  d->share = tacit_alloc(d->steps, sizeof(double));
  d->rule = tacit_alloc(3 * d->cells, sizeof(double));
  d->sum = tacit_alloc(d->cells, sizeof(uint64_t));
  if (!d->share || !d->rule || !d->sum) return tacit_no_memory(error);
  d->mean = d->rule + d->cells;
  d->gradient = d->mean + d->cells;
  tacit_growing_shares(d->steps, d->growth, d->share);
  for (size_t t = 0; d->whiten && t < d->steps; t++) d->share[t] *= 1 - TACIT_SPO_WHITEN_SHARE;
  TACIT_TRY(check_noise(d, error));
  TACIT_TRY(record(d, error));
  TACIT_TRY(spend(d, error));
  if (d->whiten) TACIT_TRY(tacit_spo_whiten(d->task, &d->budget, error));
  return descend(d, error);
}

tacit_status tacit_spo_gaussian(tacit_spo_task *task, tacit_error *error) {
  tacit_noise_source noise;
  tacit_learn_noise(&task->promise, &noise);
  noise.ranks = task->context ? task->context->ranks : NULL;
  descent d = {.task = task, .cells = task->region->dimension * task->schema->columns};
  d.budget = (tacit_budget){.gate = {&noise, task->fit->certificate, task->fit->probe},
                            .mu = task->options->mu,
                            .target = TACIT_ALL_TARGETS,
                            .adjacency = task->options->adjacency,
                            .rows_per_unit = task->schema->rows_per_unit};
  choose(&d);
  tacit_status status = run(&d, error);
  free(d.share);
  free(d.rule);
  if (d.sum) tacit_free_wiped(d.sum, d.cells * sizeof(uint64_t));
  return status;
}
