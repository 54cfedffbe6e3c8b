/* Counts over one number per row, made block by block when it is counted and never kept. */
#include "base/base.h"
#include "num/clones.h"
#include "pass/answer.h"
#include "pass/score_sum.h"
#include "pass/unit_sum.h"

#include <math.h>
#include <string.h>

/* A row without encoding is counted nowhere. */
static inline double unless_empty(double value, int32_t norm) {
  return norm ? value : NAN;
}

TACIT_CLONES static void targets(const tacit_count_question *q, const tacit_block *block, double shift,
                                 double *restrict values) {
  const int32_t *y = block->targets + q->target * TACIT_BLOCK;
  for (size_t i = 0; i < TACIT_BLOCK; i++)
    values[i] = unless_empty(TACIT_TARGET_STEP * y[i] + shift, block->norms[i]);
}

TACIT_CLONES static void distances(const tacit_count_question *q, const tacit_block *block, double shift,
                                   double *restrict values) {
  const int32_t *y = block->targets + q->target * TACIT_BLOCK;
  double a = q->centre - shift;
  for (size_t i = 0; i < TACIT_BLOCK; i++)
    values[i] = unless_empty(fabs(TACIT_TARGET_STEP * y[i] - a), block->norms[i]);
}

TACIT_CLONES static void lengths(const tacit_design *design, const tacit_count_question *q,
                                 const tacit_block *block, double *values) {
  double cell = ldexp(1, -design->cell_bits);
  for (size_t i = 0; i < TACIT_BLOCK; i++) values[i] = 0;
  for (size_t j = 1; j < design->columns; j++) {
    const int32_t *x = block->cells + j * TACIT_BLOCK;
    double mean = q->vector[j - 1];
    for (size_t i = 0; i < TACIT_BLOCK; i++) values[i] += (cell * x[i] - mean) * (cell * x[i] - mean);
  }
  for (size_t i = 0; i < TACIT_BLOCK; i++) values[i] = unless_empty(sqrt(values[i]), block->norms[i]);
}

static void sides(const tacit_design *design, const tacit_count_question *q, const tacit_block *block,
                  double shift, double *values) {
  tacit_residuals(design, block, q->target, q->vector, q->unit, values);
  for (size_t i = 0; i < TACIT_BLOCK; i++) values[i] = q->side * (values[i] + shift - q->centre);
}

/* Of targets that are larger by `shift`. */
static void make_values(const tacit_design *design, const tacit_count_question *q, const tacit_block *block,
                        double shift, double *values) {
  switch (q->value) {
  case TACIT_VALUE_TARGET:
    targets(q, block, shift, values);
    break;
  case TACIT_VALUE_DISTANCE:
    distances(q, block, shift, values);
    break;
  case TACIT_VALUE_LENGTH:
    lengths(design, q, block, values);
    break;
  case TACIT_VALUE_SIDE:
    sides(design, q, block, shift, values);
    break;
  }
}

/* A NaN is on neither side. */
TACIT_CLONES static uint64_t count_block(const double *v, size_t n, bool above, double t) {
  int64_t count = 0;
  if (above)
    for (size_t i = 0; i < n; i++) count += v[i] > t;
  else
    for (size_t i = 0; i < n; i++) count += v[i] <= t;
  return (uint64_t)count;
}

/* What each row counts, of 2^TACIT_SCORE_BITS: all or nothing, or with costs in tiers the weights of the
   kinks for which it does, which together are no more. */
static void set_numbers(const tacit_design *design, const tacit_count_question *q, const tacit_tiers *tiers,
                        const tacit_block *block, double *v, int32_t *number) {
  memset(number, 0, TACIT_BLOCK * sizeof *number);
  for (size_t k = 0; k < (tiers ? tiers->kinks : 1); k++) {
    int32_t weight = tiers ? tiers->weight[k] : 1 << TACIT_SCORE_BITS;
    make_values(design, q, block, tiers ? tiers->shift[k] : 0, v);
    for (size_t i = 0; i < TACIT_BLOCK; i++)
      number[i] += (q->above ? v[i] > q->at : v[i] <= q->at) ? weight : 0;
  }
}

/* The same for units: each one's sum of indicators less the level. */
static void count_units(const tacit_design *design, const tacit_tiers *tiers, const tacit_question *asked,
                        int threads, uint64_t *answer) {
  const tacit_count_question *q = &asked->count;
  const tacit_unit_rule rule = tacit_unit_rule_of(&asked->units, 0, tacit_count_radius(TACIT_SCORE_BITS));
  uint64_t total[TACIT_UNIT_BINS] = {0};
#pragma omp parallel num_threads(threads) if (design->blocks > 1) reduction(+ : total)
  {
    double v[TACIT_BLOCK];
    int32_t number[TACIT_BLOCK];
#pragma omp for schedule(static)
    for (size_t b = 0; b < design->blocks; b++) {
      tacit_block block = tacit_design_block(design, b);
      tacit_block_units units = tacit_units_of_block(design, b);
      set_numbers(design, q, tiers, &block, v, number);
      tacit_unit_numbers(&units, &rule, number, total);
    }
    tacit_wipe(v, sizeof v);
    tacit_wipe(number, sizeof number);
  }
  memcpy(answer, total, (rule.bins ? TACIT_UNIT_BINS : 1) * sizeof *answer);
}

/* The same for rows. */
static void count_tiers(const tacit_design *design, const tacit_tiers *tiers, const tacit_count_question *q,
                        int threads, uint64_t *answer) {
  uint64_t total = 0;
#pragma omp parallel num_threads(threads) if (design->blocks > 1) reduction(+ : total)
  {
    double v[TACIT_BLOCK];
    int32_t number[TACIT_BLOCK];
#pragma omp for schedule(static)
    for (size_t b = 0; b < design->blocks; b++) {
      size_t n = tacit_design_filled(design, b);
      tacit_block block = tacit_design_block(design, b);
      set_numbers(design, q, tiers, &block, v, number);
      for (size_t i = 0; i < n; i++) total += (uint64_t)number[i];
    }
    tacit_wipe(v, sizeof v);
    tacit_wipe(number, sizeof number);
  }
  *answer = total;
}

void tacit_answer_count(const tacit_design *design, const tacit_schema *schema, const tacit_question *asked,
                        int threads, uint64_t *answer) {
  const tacit_count_question *question = &asked->count;
  bool of_target = question->value != TACIT_VALUE_LENGTH;
  const tacit_tiers *tiers = of_target ? schema->targets[question->target].tiers : NULL;
  if (asked->units.whole) {
    count_units(design, tiers, asked, threads, answer);
    return;
  }
  if (tiers) {
    count_tiers(design, tiers, question, threads, answer);
    return;
  }
  uint64_t total = 0;
#pragma omp parallel num_threads(threads) if (design->blocks > 1) reduction(+ : total)
  {
    double v[TACIT_BLOCK];
#pragma omp for schedule(static)
    for (size_t b = 0; b < design->blocks; b++) {
      size_t n = tacit_design_filled(design, b);
      tacit_block block = tacit_design_block(design, b);
      make_values(design, question, &block, 0, v);
      total += count_block(v, n, question->above, question->at);
    }
    tacit_wipe(v, sizeof v);
  }
  *answer = total << TACIT_SCORE_BITS;
}
