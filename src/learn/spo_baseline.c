/* Without privacy: least squares, and SPO+ by subgradient descent from there. Not private: what noise and
   clipping cost is measured against these. */
#include "base/base.h"
#include "learn/spo.h"
#include "num/linalg.h"

#include <math.h>

/* Subgradient steps shrink as 1/sqrt(t); the second half is averaged. */
enum { STEPS = 400 };
static const double STEP = 0.3;
/* A direction of rows with less than this share of the largest moment counts as none. */
static const double DEPENDENT = 1e-11;

typedef struct baseline {
  tacit_decisions *all;
  size_t p, d;
  double *inverse; /* p x p: pseudo-inverse of the rows' moment */
  double *cross;   /* d x p: moment of costs and rows */
  double *rule;    /* d x p */
  double *x, *values, *gram;
} baseline;

static void add_moments(baseline *b) {
  const tacit_task *task = b->all->task;
  const tacit_design *design = task->rows.own->design;
  double rows = task->facts.rows;
  size_t p = b->p, d = b->d;
  double *y = b->x + p;
  for (size_t i = 0; i < design->rows; i++) {
    tacit_design_row(design, i, b->x, y);
    for (size_t j = 0; j < p; j++)
      for (size_t k = 0; k < p; k++) b->gram[j * p + k] += b->x[j] * b->x[k] / rows;
    for (size_t t = 0; t < d; t++)
      for (size_t k = 0; k < p; k++)
        b->cross[t * p + k] += y[t] * (task->schema->targets[t].scale.half / b->all->unit) * b->x[k] / rows;
  }
  tacit_wipe(b->x, (p + d) * sizeof(double));
}

/* to = from * inverse; both d x p. */
static void precondition(const baseline *b, const double *from, double scale, double *to) {
  for (size_t t = 0; t < b->d; t++)
    for (size_t j = 0; j < b->p; j++) {
      double sum = 0;
      for (size_t k = 0; k < b->p; k++) sum += from[t * b->p + k] * b->inverse[k * b->p + j];
      to[t * b->p + j] += scale * sum;
    }
}

static tacit_status regress(baseline *b, tacit_error *error) {
  size_t p = b->p;
  add_moments(b);
  if (!tacit_eigen(p, b->gram, b->values))
    return tacit_fail(error, TACIT_INTERNAL, "the eigenvalues of a moment could not be found");
  for (size_t e = 0; e < p; e++) {
    if (b->values[e] <= DEPENDENT * b->values[p - 1]) continue;
    for (size_t j = 0; j < p; j++)
      for (size_t k = 0; k < p; k++)
        b->inverse[j * p + k] += b->gram[j * p + e] * b->gram[k * p + e] / b->values[e];
  }
  precondition(b, b->cross, 1, b->rule);
  return TACIT_OK;
}

/* The private learner's exact sum with a radius that no row reaches. */
static tacit_status descend(baseline *b, tacit_error *error) {
  const tacit_task *task = b->all->task;
  const tacit_spo_plus_options *o = &task->options->spo_plus;
  size_t cells = b->p * b->d, steps = o->steps ? o->steps : STEPS;
  double *gradient = b->rule + cells, *mean = gradient + cells, weight = 0;
  double size = tacit_decisions_step(b->all, o->step_size > 0 ? o->step_size : STEP);
  for (size_t t = 0; t < steps; t++) {
    TACIT_TRY(tacit_progress(task->context, "learning", (double)t / (double)steps, error));
    TACIT_TRY(tacit_decisions_sum(b->all, b->rule, tacit_decisions_beyond(b->all), error));
    for (size_t k = 0; k < cells; k++)
      gradient[k] = ldexp((double)(int64_t)b->all->sum[k], -(TACIT_CELL_BITS + TACIT_SCORE_BITS));
    precondition(b, gradient, -size / sqrt((double)t + 1), b->rule);
    if (t < steps / 2) continue;
    weight += 1;
    for (size_t k = 0; k < cells; k++) mean[k] += b->rule[k];
  }
  for (size_t k = 0; k < cells; k++) b->rule[k] = mean[k] / weight;
  return TACIT_OK;
}

static tacit_status learn(tacit_task *task, bool decide, tacit_error *error) {
  tacit_decisions all;
  baseline b = {.all = &all, .p = task->schema->columns, .d = task->schema->target_count};
  size_t square = b.p * b.p, cells = b.p * b.d, numbers = 2 * square + 4 * cells + 2 * b.p + b.d;
  tacit_status status = tacit_decisions_open(&all, task, numbers, error);
  if (status == TACIT_OK) {
    b.inverse = all.numbers;
    b.gram = b.inverse + square;
    b.cross = b.gram + square;
    b.values = b.cross + cells;
    b.x = b.values + b.p;
    b.rule = b.x + b.p + b.d; /* and behind it what descent needs */
    status = regress(&b, error);
  }
  if (status == TACIT_OK && decide) status = descend(&b, error);
  if (status == TACIT_OK) tacit_decisions_finish(&all, b.rule);
  if (all.numbers) tacit_wipe(all.numbers, numbers * sizeof(double));
  tacit_decisions_close(&all);
  return status;
}

tacit_status tacit_learn_spo_least_squares_exact(tacit_task *task, tacit_error *error) {
  return learn(task, false, error);
}

tacit_status tacit_learn_spo_plus(tacit_task *task, tacit_error *error) {
  return learn(task, true, error);
}
