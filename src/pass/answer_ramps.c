/* Sums of ramps, and of ramps times rows, in whole numbers from the target on: what a target that moves a
   little can do to them is known exactly (proofs/bounded-change.md). The margin is the machine's, but it is
   made of features and public numbers, and is the same whatever the target is. */
#include "base/base.h"
#include "pass/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ONE (INT64_C(1) << TACIT_RAMP_BITS)
static const double FARTHEST = 0x1p40; /* of a margin, in units of the targets' grid */

/* Everything but the target. */
typedef struct pass {
  const tacit_design *design;
  const tacit_ramps_question *question;
  int64_t half, below_half, within_half, span, clip;
} pass;

/* A thread's sums; rows' margins on the targets' grid, and their caps. */
typedef struct part {
  double margin[TACIT_BLOCK];
  int64_t at[TACIT_BLOCK], ramp[TACIT_BLOCK];
  uint64_t sum[TACIT_COLUMNS_MAX + 2];
} part;

/* From 0 to 2^24 as `above`, a target's distance below the middle, goes from -half to half. */
static inline int64_t ramp(int64_t above, int64_t half) {
  above = above < half ? above : half;
  above = above > -half ? above : -half;
  return (above + half) * ONE / (2 * half); /* at most 2^32 times 2^24; not below 0, so it is cut downwards */
}

/* Rows within the clip norm count whole, longer ones less, far longer ones not at all. */
static inline int64_t shortened(int64_t value, int64_t norm, int64_t clip) {
  if (norm <= clip) return value;
  int64_t cap = clip * ONE / norm; /* below 2^24 */
  return norm <= TACIT_RAMP_LONGEST * clip ? value * cap / ONE - cap / 2 : 0;
}

static void set_margins(const pass *p, const tacit_block *block, part *own) {
  const tacit_design *design = p->design;
  for (size_t i = 0; i < TACIT_BLOCK; i++) own->margin[i] = p->question->offset;
  for (size_t j = 0; j < design->columns; j++) {
    double slope = ldexp(p->question->coefficients[j], -design->cell_bits);
    const int16_t *cells = block->narrow + j * TACIT_BLOCK;
    for (size_t i = 0; i < TACIT_BLOCK; i++) own->margin[i] += slope * cells[i];
  }
  for (size_t i = 0; i < TACIT_BLOCK; i++) { /* a NaN is as far as can be */
    double m = ldexp(own->margin[i], TACIT_TARGET_BITS);
    m = m < FARTHEST ? m : FARTHEST;
    own->at[i] = (int64_t)floor(m > -FARTHEST ? m : -FARTHEST);
  }
}

static void add_block(const pass *p, const tacit_block *block, size_t n, part *own) {
  size_t columns = p->question->scores ? p->design->columns : 0;
  const int32_t *y = block->targets + p->question->target * TACIT_BLOCK;
  set_margins(p, block, own);
  for (size_t i = 0; i < n; i++) {
    int64_t above = own->at[i] - y[i];
    own->sum[columns] += (uint64_t)ramp(above, p->below_half);
    own->sum[columns + 1] +=
        (uint64_t)(ramp(above + p->span, p->within_half) - ramp(above - p->span, p->within_half));
    if (!columns) continue;
    int64_t value = ramp(above, p->half), norm = block->norms[i];
    own->ramp[i] = norm <= p->clip ? value - ONE / 2 : shortened(value, norm, p->clip);
  }
  for (size_t j = 0; j < columns; j++) {
    const int16_t *cells = block->narrow + j * TACIT_BLOCK;
    int64_t total = 0; /* 2^10 products of at most 2^39 */
    for (size_t i = 0; i < n; i++) total += own->ramp[i] * cells[i];
    own->sum[j] += (uint64_t)total;
  }
}

static bool add_blocks(const pass *p, size_t width, int threads, uint64_t *answer) {
  const tacit_design *design = p->design;
  bool whole = true;
#pragma omp parallel num_threads(threads) if (design->blocks > 1)
  {
    part *own = tacit_alloc(1, sizeof *own);
#pragma omp for schedule(static)
    for (size_t b = 0; b < design->blocks; b++) {
      size_t n = tacit_design_filled(design, b);
      const tacit_block block = tacit_design_block(design, b);
      if (own) add_block(p, &block, n, own);
    }
#pragma omp critical
    {
      whole = whole && own;
      for (size_t k = 0; own && k < width; k++) answer[k] += own->sum[k];
    }
    if (own) tacit_free_wiped(own, sizeof *own);
  }
  return whole;
}

tacit_status tacit_answer_ramps(const tacit_design *design, const tacit_ramps_question *question, int threads,
                                uint64_t *answer, tacit_error *error) {
  tacit_ramp_bound scores = {1, 1}, below, within;
  if (question->scores) TACIT_TRY(tacit_ramp_bound_set(&scores, question->width, 1, error));
  TACIT_TRY(tacit_ramp_bound_set(&below, question->below_width, 1, error));
  TACIT_TRY(tacit_ramp_bound_set(&within, question->within_width, 1, error));
  const pass p = {.design = design,
                  .question = question,
                  .half = scores.half,
                  .below_half = below.half,
                  .within_half = within.half,
                  .span = (int64_t)floor(ldexp(question->span, TACIT_TARGET_BITS)),
                  .clip = (int64_t)fmin(tacit_clip_radius(question->clip_norm, design->cell_bits), 0x1p30)};
  size_t width = (question->scores ? design->columns : 0) + 2;
  memset(answer, 0, width * sizeof *answer);
  return add_blocks(&p, width, threads, answer) ? TACIT_OK : tacit_no_memory(error);
}
