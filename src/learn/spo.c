/* What the learners that predict for a decision's sake share. */
#include "learn/spo.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bounds of a column are taken to lie eight spreads apart. */
static const double BOUNDED_SPREAD = 0.25;

/* One public unit for all costs, so that coordinates can be compared: the root mean square of their declared
   spreads. */
static double cost_unit(const tacit_schema *schema) {
  double largest = 0, square = 0;
  for (size_t t = 0; t < schema->target_count; t++) largest = fmax(largest, schema->targets[t].scale.half);
  for (size_t t = 0; t < schema->target_count; t++) {
    const tacit_target *target = &schema->targets[t];
    double spread = target->scale.half / largest * (target->bounded ? BOUNDED_SPREAD : 1);
    square += spread * spread;
  }
  return largest * sqrt(square / (double)schema->target_count);
}

/* The width of the widest coordinate of a decision. */
static tacit_status region_width(const tacit_region *region, double *width, tacit_error *error) {
  size_t d = region->dimension;
  double *cost = tacit_alloc(2 * d + region->work, sizeof *cost);
  if (!cost) return tacit_no_memory(error);
  tacit_status status = TACIT_OK;
  *width = 0;
  for (size_t j = 0; j < d && status == TACIT_OK; j++) {
    double least = 0, most = 0;
    cost[j] = 1;
    status = tacit_region_minimise(region, cost, NULL, cost + 2 * d, cost + d, &least, error);
    cost[j] = -1;
    if (status == TACIT_OK)
      status = tacit_region_minimise(region, cost, NULL, cost + 2 * d, cost + d, &most, error);
    cost[j] = 0;
    *width = fmax(*width, -most - least);
  }
  free(cost);
  if (status == TACIT_OK && !(*width > 0 && isfinite(*width)))
    return tacit_fail(error, TACIT_BAD_INPUT, "the region has a single point: there is nothing to decide");
  return status;
}

tacit_status tacit_decisions_open(tacit_decisions *s, tacit_task *task, size_t numbers, tacit_error *error) {
  *s = (tacit_decisions){.task = task,
                         .region = task->options->region,
                         .p = task->schema->columns,
                         .d = task->schema->target_count,
                         .unit = cost_unit(task->schema)};
  s->cells = s->p * s->d;
  s->numbers = tacit_alloc(numbers, sizeof *s->numbers);
  s->sum = tacit_alloc(s->cells, sizeof *s->sum);
  if (!s->numbers || !s->sum) return tacit_no_memory(error);
  return region_width(s->region, &s->width, error);
}

void tacit_decisions_close(tacit_decisions *s) {
  free(s->numbers);
  free(s->whitening);
  if (s->sum) tacit_free_wiped(s->sum, s->cells * sizeof *s->sum);
}

double tacit_decisions_beyond(const tacit_decisions *s) {
  return 1 + TACIT_SCALE_LIMIT * sqrt((double)s->p);
}

double tacit_decisions_step(const tacit_decisions *s, double size) {
  return size * 2 * s->region->diameter / s->width / s->task->facts.rows;
}

tacit_status tacit_decisions_sum(tacit_decisions *s, const double *rule, double radius, tacit_error *error) {
  tacit_question question = {
      .kind = TACIT_QUESTION_DECISIONS,
      .image = s->whitening ? &s->white : NULL,
      .last_image = true,
      .decisions = {.region = s->region, .unit = s->unit, .radius = radius, .rule = rule}};
  memcpy(question.decisions.region_hash, s->task->fit->certificate->region_hash,
         sizeof question.decisions.region_hash);
  return tacit_rows_ask(&s->task->rows, &question, s->sum, error);
}

void tacit_decisions_finish(const tacit_decisions *s, const double *rule) {
  size_t p = s->p;
  for (size_t t = 0; t < s->d; t++)
    for (size_t j = 0; j < p; j++) {
      double sum = s->whitening ? 0 : rule[t * p + j];
      for (size_t k = 0; s->whitening && k < p; k++) sum += rule[t * p + k] * s->whitening[k * p + j];
      tacit_task_coefficients(s->task, t)[j] = sum * (s->unit / s->task->schema->targets[t].scale.half);
    }
}
