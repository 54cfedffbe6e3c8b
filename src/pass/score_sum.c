/* The exact sum of scores times rows, block by block: margins, kernel, integer scores, products; counts of
   the residuals in the same pass. */
#include "pass/score_sum.h"

#include "base/base.h"
#include "pass/narrow_block.h"
#include "pass/row_score.h"
#include "pass/score_plan.h"

#include <math.h>
#include <string.h>

enum { AT_ONCE = 8 }; /* passes at most, for which rows are read once */

static void count_wide(const tacit_score_plan *p, size_t n, tacit_score_room *out) {
  double span = p->counts->span / p->pass->bandwidth;
  uint64_t within = 0;
  for (size_t i = 0; i < n; i++) within += fabs(out->u[i]) <= span;
  for (size_t i = 0; i < TACIT_BLOCK; i++) out->number[i] = (fabs(out->u[i]) <= span) << TACIT_SCORE_BITS;
  tacit_score_below_wide(p, out);
  out->within += within << TACIT_SCORE_BITS;
}

static void count_single(const tacit_score_plan *p, size_t n, tacit_score_room *out) {
  float span = (float)(p->counts->span / p->pass->bandwidth);
  if (p->pass->units)
    for (size_t i = 0; i < TACIT_BLOCK; i++)
      out->number[i] = (fabsf(out->margin[i]) <= span) << TACIT_SCORE_BITS;
  else
    out->within += tacit_block_within(out->margin, n, span);
  tacit_score_below_single(p, out);
}

/* The counts of a block: of its rows, which are added to `within` already, or of its units. */
void tacit_score_add_counts(const tacit_score_plan *p, size_t b, tacit_score_room *out) {
  size_t n = tacit_design_filled(p->design, b);
  if (!p->pass->units) {
    out->below += tacit_block_total(out->phi, n);
    return;
  }
  tacit_block_units units = tacit_units_of_block(p->design, b);
  tacit_unit_numbers(&units, &p->pass->units[1], out->number, out->bins[0]);
  for (size_t i = 0; i < n; i++) out->number[i] = (int32_t)tacit_on_grid(out->phi[i], 1 << TACIT_SCORE_BITS);
  tacit_unit_numbers(&units, &p->pass->units[2], out->number, out->bins[1]);
}

static void count_block(const tacit_score_plan *p, size_t b, tacit_score_room *out) {
  (p->single ? count_single : count_wide)(p, tacit_design_filled(p->design, b), out);
  tacit_score_add_counts(p, b, out);
}

/* The sum of score times the spread's column: 2^10 products below 2^31. */
static uint64_t spread_product(bool narrow, const tacit_score_room *own) {
  int64_t total = 0;
  for (size_t i = 0; i < TACIT_BLOCK; i++)
    total += (int64_t)own->column[i] *
             (narrow ? (int64_t)own->narrow[i] * TACIT_NARROW_STEP : (int64_t)own->score[i]);
  return (uint64_t)total;
}

static void add_units(const tacit_score_plan *p, const tacit_block *block, size_t b, tacit_score_room *out,
                      uint64_t *sum) {
  const tacit_block_units units = tacit_units_of_block(p->design, b);
  const tacit_row_scores scores = {.narrow = block->narrow ? out->narrow : NULL,
                                   .wide = out->score,
                                   .column = p->pass->form == TACIT_FORM_SCALED ? out->column : NULL};
  tacit_unit_scores(&units, p->pass->units, block, p->design->columns, &scores, out->unit, sum);
}

static void add_block(const tacit_score_plan *p, const tacit_block *block, size_t b, tacit_score_room *out,
                      uint64_t *sum) {
  const tacit_score_pass *pass = p->pass;
  size_t columns = p->design->columns;
  const tacit_block *next =
      p->design->stored.block && b + 1 < p->design->blocks ? &p->design->stored.block[b + 1] : block;
  tacit_block with = *block;
  if (pass->tiers || pass->sold) {
    tacit_score_means(p, block, next, b, out);
  } else {
    tacit_score_margins(p, block, next, out, NULL);
    if (p->counts) count_block(p, b, out);
    if (p->scores) tacit_score_phi(p, out);
  }
  if (!p->scores) return;
  if (pass->form == TACIT_FORM_SCALED) {
    tacit_spread_column(&pass->spread, p->design->cell_bits, out->spread, block->norms, out->column,
                        out->norms);
    with.norms = out->norms;
  }
  if (block->narrow) {
    tacit_narrow_scores(&with, out->phi, pass->tau, &pass->bound, out->narrow);
    if (!pass->units) tacit_narrow_products(&with, columns, out->narrow, sum);
  } else {
    tacit_block_scores(&with, out->phi, pass->tau, &pass->bound, out->score);
    if (!pass->units) tacit_block_products(&with, columns, out->score, next, sum);
  }
  if (pass->units)
    add_units(p, block, b, out, sum);
  else if (pass->form == TACIT_FORM_SCALED)
    sum[columns] += spread_product(block->narrow != NULL, out);
}

static size_t sum_columns(const tacit_score_pass *pass, const tacit_design *design) {
  if (pass->units && pass->units->bins) return TACIT_UNIT_BINS;
  return design->columns + (pass->form == TACIT_FORM_SCALED);
}

/* All plans' sums over all blocks; sum[k * columns + j] is plan k's. Counts are for a plan alone. */
static void add_blocks(const tacit_score_plan *plans, size_t count, int threads, uint64_t *sum) {
  const tacit_design *design = plans->design;
  size_t columns = sum_columns(plans->pass, design);
#pragma omp parallel num_threads(threads) if (design->blocks > 1)
  {
    tacit_score_room own;
    memset(own.sum, 0, count * columns * sizeof *own.sum);
    own.within = own.below = 0;
    memset(own.bins, 0, sizeof own.bins);
#pragma omp for schedule(static)
    for (size_t b = 0; b < design->blocks; b++) {
      const tacit_block block = tacit_design_block(design, b);
      for (size_t k = 0; k < count; k++) add_block(&plans[k], &block, b, &own, own.sum + k * columns);
    }
#pragma omp critical
    {
      tacit_side_counts *counts = plans->counts;
      for (size_t j = 0; sum && j < count * columns; j++) sum[j] += own.sum[j];
      if (counts) counts->within += own.within, counts->below += own.below;
      for (size_t j = 0; counts && j < TACIT_UNIT_BINS; j++)
        counts->bins[0][j] += own.bins[0][j], counts->bins[1][j] += own.bins[1][j];
    }
    tacit_wipe(&own, sizeof own);
  }
}

void tacit_step_sum(const tacit_design *design, const tacit_score_pass *pass, int threads, uint64_t *sum,
                    tacit_side_counts *counts) {
  tacit_score_plan p = {.design = design, .pass = pass, .counts = counts, .scores = sum != NULL};
  tacit_score_slopes room, more;
  tacit_score_plan_set(&p, &room, 0);
  if (pass->form != TACIT_FORM_LINEAR) tacit_score_plan_spread(&p, &room, &more);
  if (pass->sold) tacit_score_plan_sold(&p);
  if (sum) memset(sum, 0, sum_columns(pass, design) * sizeof *sum);
  if (counts) *counts = (tacit_side_counts){.span = counts->span, .smoothing = counts->smoothing};
  add_blocks(&p, 1, threads, sum);
  if (!counts || !pass->units || pass->units->bins) return;
  counts->within = counts->bins[0][0];
  counts->below = counts->bins[1][0];
}

void tacit_score_sums(const tacit_design *design, const tacit_score_pass *passes, size_t count, int threads,
                      uint64_t *sums) {
  tacit_score_plan plans[AT_ONCE];
  tacit_score_slopes room;
  size_t columns = design->columns, most = 1;
  while (most < AT_ONCE && (most + 1) * columns <= TACIT_COLUMNS_MAX) most++;
  memset(sums, 0, count * columns * sizeof *sums);
  for (size_t first = 0; first < count; first += most) {
    size_t some = count - first < most ? count - first : most;
    for (size_t k = 0; k < some; k++) {
      plans[k] = (tacit_score_plan){.design = design, .pass = &passes[first + k], .scores = true};
      tacit_score_plan_set(&plans[k], &room, k);
    }
    add_blocks(plans, some, threads, sums + first * columns);
  }
}

void tacit_score_sum(const tacit_design *design, const tacit_score_pass *pass, int threads, uint64_t *sum) {
  tacit_score_sums(design, pass, 1, threads, sum);
}

void tacit_residuals(const tacit_design *design, const tacit_block *block, size_t target,
                     const double *coefficients, double unit, double *r) {
  const tacit_score_pass pass = {
      .target = target, .kernel = TACIT_KERNEL_GAUSSIAN, .bandwidth = unit, .coefficients = coefficients};
  tacit_score_plan p = {.design = design, .pass = &pass};
  tacit_score_slopes room;
  tacit_score_plan_set(&p, &room, 0);
  float single[TACIT_BLOCK];
  tacit_score_plain_margins(&p, block, block, single, r);
  for (size_t i = 0; i < TACIT_BLOCK; i++) r[i] = -unit * (p.single ? (double)single[i] : r[i]);
  tacit_wipe(single, sizeof single);
}
