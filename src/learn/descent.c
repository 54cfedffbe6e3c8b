/* Noisy smoothed gradient descent (Zhao's Algorithm 1), sound: exact sums, exact noise, every choice public.

     b <- b - (eta / n) [ sum_i { Kbar((x_i'b - d_i) / h) - tau } w_i + sigma_t g_t ],
     w_i = x_i min(1, B / ||x_i||),  g_t standard normal,  t = 1..T

   b coefficients of the encoded columns · eta step size · h bandwidth · n public number of rows · B clip
   norm. The sum moves by at most Delta = 2 tau_bar B (replace-one) or tau_bar B (add-remove) per row of a
   unit, and mu^2 = sum_t (Delta / sigma_t)^2 (proofs/exact-sums.md, proofs/composition.md). With a public
   second moment Sigma it is the same iteration on the rows Sigma^(-1/2) x. Gradient perturbation is the same
   with equal shares, iterates projected to |b| <= B_theta and all of them averaged. */
#include "base/base.h"
#include "learn/learners.h"
#include "method/shares.h"

#include <stdlib.h>

/* What one target has of its own. Steps are taken for all targets at once, so that rows are read once for all
   of them. */
typedef struct course {
  double *b, *gradient, *average; /* columns */
  uint64_t *sum;                  /* columns */
} course;

typedef struct descent {
  tacit_task *task;
  size_t columns, targets;
  double *share;           /* of mu^2, step by step */
  tacit_score_part *parts; /* what is asked for each target, */
  course *course;          /* and what becomes of it */
  double *numbers;         /* their memory */
  uint64_t *sums;
} descent;

/* All zero, where every course begins. */
static tacit_status open_courses(descent *d, tacit_error *error) {
  const tacit_choice *choice = &d->task->choice;
  size_t p = d->columns;
  d->share = tacit_alloc(choice->steps, sizeof *d->share);
  d->parts = tacit_alloc(d->targets, sizeof *d->parts);
  d->course = tacit_alloc(d->targets, sizeof *d->course);
  d->numbers = tacit_alloc(3 * d->targets * p, sizeof *d->numbers);
  d->sums = tacit_alloc(d->targets * p, sizeof *d->sums);
  if (!d->share || !d->parts || !d->course || !d->numbers || !d->sums) return tacit_no_memory(error);
  tacit_growing_shares(choice->steps, choice->growth, d->share);
  for (size_t k = 0; k < d->targets; k++) {
    const tacit_mechanism *planned = tacit_plan_next(&d->task->plan, k);
    course *c = &d->course[k];
    c->b = d->numbers + 3 * k * p;
    c->gradient = c->b + p;
    c->average = c->gradient + p;
    c->sum = d->sums + k * p;
    if (!planned) return tacit_gate_astray(error);
    d->parts[k] = (tacit_score_part){.target = tacit_task_column(d->task, k),
                                     .tau = planned->level,
                                     .kernel = choice->kernel,
                                     .bandwidth = choice->bandwidth[k],
                                     .clip_norm = planned->clip,
                                     .coefficients = c->b};
  }
  return TACIT_OK;
}

static void close_courses(descent *d) {
  free(d->share);
  free(d->parts);
  free(d->course);
  free(d->numbers);
  if (d->sums) tacit_free_wiped(d->sums, d->targets * d->columns * sizeof *d->sums);
}

/* Coefficients of the encoded columns from those of whitened ones: Sigma^(-1/2) b. */
static tacit_status unwhiten(const descent *d, tacit_error *error) {
  size_t p = d->columns;
  bool whitened = d->task->choice.whiten;
  double *root = tacit_alloc(p * p, sizeof *root);
  int bits;
  tacit_status status = root ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK && whitened) status = tacit_schema_whitening(d->task->schema, root, &bits, error);
  for (size_t k = 0; k < d->targets && status == TACIT_OK; k++) {
    double *coefficients = tacit_task_coefficients(d->task, k);
    const double *b = d->course[k].average;
    for (size_t j = 0; j < p; j++) {
      coefficients[j] = whitened ? 0 : b[j];
      for (size_t i = 0; whitened && i < p; i++) coefficients[j] += root[j * p + i] * b[i];
    }
  }
  free(root);
  return status;
}

/* One step of one target, from the sum of its scores times rows. */
static tacit_status take_step(const descent *d, size_t k, size_t t, tacit_error *error) {
  const tacit_choice *choice = &d->task->choice;
  course *c = &d->course[k];
  TACIT_TRY(tacit_release_sum(&d->task->gate, k, TACIT_RELEASE_SCORES, c->sum, c->gradient, NULL, error));
  for (size_t j = 0; j < d->columns; j++)
    c->b[j] -= choice->step_size[k] / d->task->facts.rows * c->gradient[j];
  tacit_project(c->b, d->columns, choice->theta[k]);
  if (t + choice->average < choice->steps) return TACIT_OK;
  for (size_t j = 0; j < d->columns; j++) c->average[j] += d->share[t] * c->b[j];
  return TACIT_OK;
}

static tacit_status descend(const descent *d, tacit_error *error) {
  const tacit_choice *choice = &d->task->choice;
  const tacit_question question = {.kind = TACIT_QUESTION_SCORES,
                                   .scores = {.parts = d->parts, .count = d->targets, .scores = true}};
  double weight = 0;
  for (size_t k = 0; k < d->targets && choice->sphere; k++) /* or zero: public either way */
    TACIT_TRY(tacit_gate_direction(&d->task->gate, d->columns, d->course[k].b, error));
  for (size_t t = 0; t < choice->steps; t++) {
    TACIT_TRY(tacit_progress(d->task->context, "learning", (double)t / (double)choice->steps, error));
    TACIT_TRY(tacit_rows_ask(&d->task->rows, &question, d->sums, error));
    for (size_t k = 0; k < d->targets; k++) TACIT_TRY(take_step(d, k, t, error));
    if (t + choice->average >= choice->steps) weight += d->share[t];
  }
  for (size_t k = 0; k < d->targets; k++)
    for (size_t j = 0; j < d->columns; j++) d->course[k].average[j] /= weight;
  return unwhiten(d, error);
}

tacit_status tacit_learn_descent(tacit_task *task, tacit_error *error) {
  descent d = {.task = task, .columns = task->schema->columns, .targets = task->schema->target_count};
  tacit_status status = open_courses(&d, error);
  if (status == TACIT_OK) status = tacit_task_pay(task, error);
  if (status == TACIT_OK) status = descend(&d, error);
  close_courses(&d);
  return status;
}
