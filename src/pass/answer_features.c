/* Sums over rows that know no target: of shortened rows, and of their products with the whole ones. For
   features that are public (proofs/public-features.md); integers all the same, so that every number of
   threads, ranks and parts gives the same bits. */
#include "base/base.h"
#include "pass/answer.h"
#include "pass/narrow_block.h"
#include "pass/spread_block.h"

#include <math.h>
#include <stdlib.h>

/* What all blocks share. */
typedef struct sum_plan {
  const tacit_design *design;
  const tacit_features_question *question;
  tacit_margin exponent; /* of a row's spread */
  int64_t clip;          /* in units of the rows' grid */
  size_t width;          /* columns, with that of the spread */
} sum_plan;

/* A thread's: the rows of a block as it takes them, and its sums. */
typedef struct part {
  float spread[TACIT_BLOCK], unused[TACIT_BLOCK];
  int16_t column[TACIT_BLOCK];
  int32_t norms[TACIT_BLOCK];
  int64_t weight[TACIT_BLOCK];
  int64_t *sum; /* as many as the answer has */
} part;

/* The spread as a column, and the rows' norms with it. */
static const int32_t *set_column(const sum_plan *p, const tacit_block *block, part *own) {
  const tacit_row_spread *spread = &p->question->spread;
  if (!p->question->scaled) return block->norms;
  tacit_narrow_margins(block, p->design->columns, 0, &p->exponent, block, own->spread);
  for (size_t i = 0; i < TACIT_BLOCK; i++) own->unused[i] = 0;
  tacit_spread_margins(spread, TACIT_FORM_SCALED, 1, own->unused, own->spread);
  tacit_spread_column(spread, p->design->cell_bits, own->spread, block->norms, own->column, own->norms);
  return own->norms;
}

static void add_block(const sum_plan *p, const tacit_block *block, size_t n, part *own) {
  const int32_t *norms = set_column(p, block, own);
  const int64_t one = INT64_C(1) << TACIT_FEATURE_BITS;
  size_t columns = p->design->columns, at = p->width;
  for (size_t i = 0; i < n; i++)
    own->weight[i] = norms[i] > p->clip ? p->clip * one / norms[i] : one; /* both below 2^31 */
  for (size_t j = 0; j < p->width; j++) {
    const int16_t *a = j < columns ? block->narrow + j * TACIT_BLOCK : own->column;
    for (size_t i = 0; i < n; i++) own->sum[j] += own->weight[i] * a[i];
    for (size_t k = j; k < p->width; k++, at++) {
      const int16_t *b = k < columns ? block->narrow + k * TACIT_BLOCK : own->column;
      int64_t total = 0; /* 2^10 products of at most 2^38 */
      for (size_t i = 0; i < n; i++) total += own->weight[i] * a[i] / (one >> TACIT_PRODUCT_BITS) * b[i];
      own->sum[at] += total;
    }
  }
}

static bool add_blocks(const sum_plan *p, size_t entries, int threads, uint64_t *answer) {
  const tacit_design *design = p->design;
  bool whole = true;
#pragma omp parallel num_threads(threads) if (design->blocks > 1)
  {
    part *own = tacit_alloc(1, sizeof *own);
    if (own) own->sum = tacit_alloc(entries, sizeof *own->sum);
    bool right = own && own->sum;
#pragma omp for schedule(static)
    for (size_t b = 0; b < design->blocks; b++) {
      size_t n = tacit_design_filled(design, b);
      const tacit_block block = tacit_design_block(design, b);
      if (right) add_block(p, &block, n, own);
    }
#pragma omp critical
    {
      whole = whole && right;
      for (size_t k = 0; right && k < entries; k++) answer[k] += (uint64_t)own->sum[k];
    }
    if (own) free(own->sum);
    free(own);
  }
  return whole;
}

tacit_status tacit_answer_features(const tacit_design *design, const tacit_features_question *question,
                                   int threads, uint64_t *answer, tacit_error *error) {
  size_t columns = design->columns, width = columns + question->scaled;
  size_t entries = width + width * (width + 1) / 2;
  float *slope = tacit_alloc(columns, sizeof *slope);
  if (!slope) return tacit_no_memory(error);
  sum_plan p = {.design = design,
                .question = question,
                .exponent = {slope, 0, (float)question->spread.offset},
                .clip = (int64_t)fmin(tacit_clip_radius(question->clip, design->cell_bits), INT32_MAX),
                .width = width};
  for (size_t j = 0; question->scaled && j < columns; j++)
    slope[j] = (float)ldexp(question->spread.slopes[j], -design->cell_bits);
  for (size_t k = 0; k < entries; k++) answer[k] = 0;
  bool whole = add_blocks(&p, entries, threads, answer);
  free(slope);
  return whole ? TACIT_OK : tacit_no_memory(error);
}
