/* Without privacy: least squares, and SPO+ by subgradient descent from there. Not private: what noise and
   clipping cost is measured against these. */
#include "base/base.h"
#include "learn/spo.h"
#include "num/linalg.h"

#include <math.h>
#include <stdlib.h>

/* Subgradient steps shrink as 1/sqrt(t); the second half is averaged. */
enum { STEPS = 400 };
static const double STEP = 0.3;
/* A direction of rows with less than this share of the largest moment counts as none. */
static const double DEPENDENT = 1e-11;

typedef struct baseline {
  tacit_spo_task *task;
  size_t p, d;
  double *inverse; /* p x p: pseudo-inverse of the rows' moment */
  double *cross;   /* d x p: moment of costs and rows */
  double *rule;    /* d x p */
  double *x, *values, *gram;
} baseline;

static void add_moments(baseline *b) {
  const tacit_schema *schema = b->task->schema;
  size_t p = b->p, d = b->d;
  double *y = b->x + p;
  for (size_t i = 0; i < b->task->asked->own->design->rows; i++) {
    tacit_design_row(b->task->asked->own->design, i, b->x, y);
    for (size_t j = 0; j < p; j++)
      for (size_t k = 0; k < p; k++) b->gram[j * p + k] += b->x[j] * b->x[k] / b->task->rows;
    for (size_t t = 0; t < d; t++)
      for (size_t k = 0; k < p; k++)
        b->cross[t * p + k] +=
            y[t] * (schema->targets[t].scale.half / b->task->unit) * b->x[k] / b->task->rows;
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
  tacit_spo_task *task = b->task;
  size_t cells = b->p * b->d, steps = task->options->steps ? task->options->steps : STEPS;
  double radius = 1 + TACIT_SCALE_LIMIT * sqrt((double)b->p), weight = 0;
  double size = (task->options->step_size > 0 ? task->options->step_size : STEP) * 2 *
                task->region->diameter / task->width / task->rows;
  uint64_t *sum = tacit_alloc(cells, sizeof *sum);
  double *gradient = tacit_alloc(2 * cells, sizeof *gradient), *mean = gradient + cells;
  tacit_status status = sum && gradient ? TACIT_OK : tacit_no_memory(error);
  for (size_t t = 0; t < steps && status == TACIT_OK; t++) {
    status = tacit_step(task->context, "learning", (double)t / (double)steps, error);
    if (status == TACIT_OK) status = tacit_spo_sum(task, b->rule, radius, sum, error);
    for (size_t k = 0; k < cells && status == TACIT_OK; k++)
      gradient[k] = ldexp((double)(int64_t)sum[k], -(TACIT_CELL_BITS + TACIT_SCORE_BITS));
    if (status != TACIT_OK) break;
    precondition(b, gradient, -size / sqrt((double)t + 1), b->rule);
    if (t < steps / 2) continue;
    weight += 1;
    for (size_t k = 0; k < cells; k++) mean[k] += b->rule[k];
  }
  for (size_t k = 0; k < cells && status == TACIT_OK; k++) b->rule[k] = mean[k] / weight;
  if (sum) tacit_free_wiped(sum, cells * sizeof *sum);
  free(gradient);
  return status;
}

static tacit_status learn(tacit_spo_task *task, bool decisions, tacit_error *error) {
  baseline b = {.task = task, .p = task->schema->columns, .d = task->region->dimension};
  size_t square = b.p * b.p, cells = b.p * b.d;
  b.inverse = tacit_alloc(2 * square + 2 * cells + 2 * b.p + b.d, sizeof(double));
  if (!b.inverse) return tacit_no_memory(error);
  b.gram = b.inverse + square;
  b.cross = b.gram + square;
  b.rule = b.cross + cells;
  b.values = b.rule + cells;
  b.x = b.values + b.p;
  tacit_status status = regress(&b, error);
  if (status == TACIT_OK && decisions) status = descend(&b, error);
  if (status == TACIT_OK) tacit_spo_finish(task, b.rule);
  tacit_free_wiped(b.inverse, (2 * square + 2 * cells + 2 * b.p + b.d) * sizeof(double));
  return status;
}

tacit_status tacit_spo_least_squares_exact(tacit_spo_task *task, tacit_error *error) {
  return learn(task, false, error);
}

tacit_status tacit_spo_learn_plus(tacit_spo_task *task, tacit_error *error) {
  return learn(task, true, error);
}
