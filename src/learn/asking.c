/* Questions whose answers are released: sums of rows, counts, and the quantile that counts give by
   bisection. */
#include "base/base.h"
#include "learn/task.h"

#include <math.h>
#include <stdlib.h>

/* What is asked is what the plan counts with: the radius that rows are held to, and the grid. */
static bool as_planned(const tacit_mechanism *m, const tacit_question *question, size_t width) {
  const tacit_rows_question *q = &question->rows;
  const tacit_unit_parts *units = &question->units;
  return m && m->kind == (q->moment ? TACIT_RELEASE_MOMENT : TACIT_RELEASE_ROWS) && m->dimension == width &&
         m->clip == q->clip && m->unit == (units->whole ? units->clip[0] : 0) &&
         m->bits == (q->moment ? 2 * q->bits : q->bits);
}

tacit_status tacit_private_rows(tacit_task *task, size_t target, const tacit_question *question, double *out,
                                double *sigma, tacit_error *error) {
  const tacit_mechanism *planned = tacit_plan_next(&task->plan, target);
  size_t width = tacit_question_width(question, &task->rows.facts);
  if (!as_planned(planned, question, width)) return tacit_gate_astray(error);
  tacit_release_kind kind = planned->kind;
  uint64_t *sum = tacit_alloc(width, sizeof *sum);
  if (!sum) return tacit_no_memory(error);
  tacit_status status = tacit_rows_ask(&task->rows, question, sum, error);
  if (status == TACIT_OK) status = tacit_release_sum(&task->gate, target, kind, sum, out, sigma, error);
  tacit_free_wiped(sum, width * sizeof *sum);
  return status;
}

tacit_status tacit_private_count(tacit_task *task, size_t target, const tacit_question *question,
                                 double *count, double *sigma, tacit_error *error) {
  uint64_t sum;
  const tacit_unit_parts *units = &question->units;
  const tacit_mechanism *planned = tacit_plan_next(&task->plan, target);
  if (!planned || planned->unit != (units->whole ? units->clip[0] : 0)) return tacit_gate_astray(error);
  TACIT_TRY(tacit_rows_ask(&task->rows, question, &sum, error));
  tacit_status status =
      tacit_release_sum(&task->gate, target, TACIT_RELEASE_COUNT, &sum, count, sigma, error);
  tacit_wipe(&sum, sizeof sum);
  /* each row was taken less the level, on the grid */
  if (status == TACIT_OK && units->whole)
    *count += task->facts.rows * ldexp(rint(ldexp(units->level[0], TACIT_SCORE_BITS)), -TACIT_SCORE_BITS);
  return status;
}

tacit_status tacit_private_quantile(tacit_task *task, size_t target, tacit_question *question,
                                    const tacit_bisection *search, double *quantile, tacit_error *error) {
  double lo = search->lo, hi = search->hi;
  double below = 0, above = 1; /* shares of rows at most lo and at most hi, as far as is known */
  for (int i = 0; i < search->halvings; i++) {
    double middle = (lo + hi) / 2, counted = 0;
    question->count.above = false;
    question->units.level[0] = search->level;
    question->count.at = search->octaves ? exp2(middle) : middle;
    TACIT_TRY(tacit_private_count(task, target, question, &counted, NULL, error));
    double part = fmin(fmax(counted / task->facts.rows, below), above);
    if (part < search->level)
      lo = middle, below = part;
    else
      hi = middle, above = part;
  }
  double inside = above - below;
  *quantile = lo + (hi - lo) * (inside > 1e-9 ? (search->level - below) / inside : 0.5);
  return TACIT_OK;
}

tacit_status tacit_public_answer(tacit_task *task, const tacit_question *question, double *out,
                                 tacit_error *error) {
  TACIT_TRY(tacit_gate_public(&task->gate, question, error));
  size_t width = tacit_question_width(question, &task->rows.facts);
  uint64_t *sum = tacit_alloc(width, sizeof *sum);
  if (!sum) return tacit_no_memory(error);
  tacit_status status = tacit_rows_ask(&task->rows, question, sum, error);
  for (size_t k = 0; k < width; k++) out[k] = (double)(int64_t)sum[k];
  free(sum);
  return status;
}

tacit_status tacit_task_plan_on(tacit_task *task, tacit_error *error) {
  TACIT_TRY(task->method->plan_on(&task->facts, &task->choice, &task->plan, error));
  TACIT_TRY(tacit_plan_continues(&task->plan, task->fit->certificate, error));
  return tacit_plan_check(&task->plan, error);
}

void tacit_project(double *theta, size_t columns, double bound) {
  double square = 0;
  for (size_t j = 0; j < columns; j++) square += theta[j] * theta[j];
  if (bound == 0 || square <= bound * bound) return;
  double scale = bound / sqrt(square);
  for (size_t j = 0; j < columns; j++) theta[j] *= scale;
}
