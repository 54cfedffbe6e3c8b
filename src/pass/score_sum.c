/* The exact sum of scores times rows, block by block: margins, kernel, integer scores, products; counts of
   the residuals in the same pass. */
#include "pass/score_sum.h"

#include "base/base.h"
#include "num/clones.h"
#include "pass/narrow_block.h"
#include "pass/row_score.h"

#include <math.h>
#include <string.h>

/* Margins in single precision are good to about 2^-22 of the target's range; in bandwidths below this part of
   it they are computed in doubles. A public choice: bandwidths come from releases and public facts. */
static const double NARROW = 0x1p-10;

/* u = slope'x + base - per_target y for a block, x and y as its integers. */
TACIT_CLONES static void margins(const tacit_block *block, size_t columns, size_t target, const double *slope,
                                 double per_target, double base, double *restrict u) {
  const int32_t *y = block->targets + target * TACIT_BLOCK;
  for (size_t i = 0; i < TACIT_BLOCK; i++) u[i] = base - per_target * (double)y[i];
  for (size_t j = 0; j < columns && block->cells; j++)
    for (size_t i = 0; i < TACIT_BLOCK; i++) u[i] += slope[j] * (double)block->cells[j * TACIT_BLOCK + i];
  for (size_t j = 0; j < columns && block->narrow; j++)
    for (size_t i = 0; i < TACIT_BLOCK; i++) u[i] += slope[j] * (double)block->narrow[j * TACIT_BLOCK + i];
}

enum { AT_ONCE = 8 }; /* passes at most, for which rows are read once */

/* The slopes of the plans made at once: no more of them than one plan may have, because a thread's stack may
   be small. */
typedef struct slopes {
  double wide[TACIT_COLUMNS_MAX];
  float single[TACIT_COLUMNS_MAX];
} slopes;

/* What all blocks share. */
typedef struct plan {
  const tacit_design *design;
  const tacit_score_pass *pass;
  const double *slope;
  double per_target, base;
  tacit_margin margin;   /* the same */
  tacit_margin exponent; /* of the row's spread, in the forms that have one */
  tacit_side_counts *counts;
  bool single; /* in single precision */
  bool scores;
} plan;

/* Plan k of those made at once. */
static void set_plan(plan *p, slopes *room, size_t k) {
  double *wide = room->wide + k * p->design->columns;
  float *single = room->single + k * p->design->columns;
  double per_cell = ldexp(1 / p->pass->bandwidth, -p->design->cell_bits);
  p->single = p->pass->kernel == TACIT_KERNEL_GAUSSIAN && p->pass->bandwidth >= NARROW;
  p->per_target = ldexp(1 / p->pass->bandwidth, -TACIT_TARGET_BITS);
  p->base = p->pass->offset / p->pass->bandwidth;
  p->margin.per_target = (float)p->per_target;
  p->margin.base = (float)p->base;
  for (size_t j = 0; j < p->design->columns; j++) {
    wide[j] = p->pass->coefficients[j] * per_cell;
    single[j] = (float)wide[j];
  }
  p->slope = wide;
  p->margin.slope = single;
}

/* The residual itself, and the exponent of the row's spread. */
static void set_spread(plan *p, slopes *room, slopes *more) {
  const tacit_row_spread *spread = &p->pass->spread;
  const double per_cell = ldexp(1, -p->design->cell_bits);
  for (size_t j = 0; j < p->design->columns; j++) {
    room->single[j] = (float)(p->pass->coefficients[j] * per_cell);
    more->single[j] = (float)(spread->slopes[j] * per_cell);
  }
  p->margin = (tacit_margin){room->single, (float)TACIT_TARGET_STEP, (float)p->pass->offset};
  p->exponent = (tacit_margin){more->single, 0, (float)spread->offset};
  p->single = true;
}

static void set_single(const plan *p, const tacit_margin *margin, const tacit_block *block,
                       const tacit_block *next, float *u) {
  size_t columns = p->design->columns, target = p->pass->target;
  if (block->narrow)
    tacit_narrow_margins(block, columns, target, margin, next, u);
  else
    tacit_block_margins(block, columns, target, margin, u);
}

/* Margins of a block, in single precision or in doubles. */
static void set_margins(const plan *p, const tacit_block *block, const tacit_block *next, float *single,
                        double *u) {
  size_t columns = p->design->columns, target = p->pass->target;
  if (!p->single)
    margins(block, columns, target, p->slope, p->per_target, p->base, u);
  else
    set_single(p, &p->margin, block, next, single);
}

/* A thread's workspace and what it has summed: sum[k * columns + j] for plan k, counts for a plan alone. A
   thread's stack may be small: what is used up makes place. */
typedef struct part {
  uint64_t sum[TACIT_COLUMNS_MAX + 1], within, below;
  uint64_t bins[2][TACIT_UNIT_BINS]; /* units counted, or, in the first one, what they sum up to */
  union {
    struct {
      double u[TACIT_BLOCK], v[TACIT_BLOCK];
    };
    int64_t unit[TACIT_COLUMNS_MAX]; /* what one unit's scores sum up to, once they are made */
  };
  float margin[TACIT_BLOCK], phi[TACIT_BLOCK], spread[TACIT_BLOCK];
  int32_t score[TACIT_BLOCK];
  union {
    int32_t number[TACIT_BLOCK]; /* of each row, what a count adds up, until there are */
    int32_t norms[TACIT_BLOCK];  /* norms with the spread */
  };
  int16_t column[TACIT_BLOCK]; /* as a column */
  int16_t narrow[TACIT_BLOCK]; /* the scores of rows in two bytes */
} part;

/* To single precision and into [0, 1]; a NaN becomes 1. */
static void narrow(const double *from, float *to) {
  for (size_t i = 0; i < TACIT_BLOCK; i++) {
    double k = from[i] < 1 ? from[i] : 1;
    to[i] = (float)(k > 0 ? k : 0);
  }
}

static void count_wide(const plan *p, size_t n, part *out) {
  double span = p->counts->span / p->pass->bandwidth, scale = p->pass->bandwidth / p->counts->smoothing;
  uint64_t within = 0;
  for (size_t i = 0; i < n; i++) within += fabs(out->u[i]) <= span;
  for (size_t i = 0; i < TACIT_BLOCK; i++) out->number[i] = (fabs(out->u[i]) <= span) << TACIT_SCORE_BITS;
  for (size_t i = 0; i < TACIT_BLOCK; i++) out->v[i] = out->u[i] * scale;
  tacit_kernel_cdf_block(TACIT_KERNEL_GAUSSIAN, TACIT_BLOCK, out->v, out->v);
  narrow(out->v, out->phi);
  out->within += within << TACIT_SCORE_BITS;
}

static void count_single(const plan *p, size_t n, part *out) {
  float span = (float)(p->counts->span / p->pass->bandwidth);
  if (p->pass->units)
    for (size_t i = 0; i < TACIT_BLOCK; i++)
      out->number[i] = (fabsf(out->margin[i]) <= span) << TACIT_SCORE_BITS;
  else
    out->within += tacit_block_within(out->margin, n, span);
  tacit_block_phi(out->margin, (float)(p->pass->bandwidth / p->counts->smoothing), out->phi);
  if (p->pass->form == TACIT_FORM_SCALED && p->pass->spread.full > 0)
    tacit_spread_weigh(&p->pass->spread, p->pass->tau, out->spread, out->phi);
}

/* The counts of a block: of its rows, or of its units. */
static void count_block(const plan *p, size_t b, part *out) {
  size_t n = tacit_design_filled(p->design, b);
  (p->single ? count_single : count_wide)(p, n, out);
  if (!p->pass->units) {
    out->below += tacit_block_total(out->phi, n);
    return;
  }
  tacit_block_units units = tacit_units_of_block(p->design, b);
  tacit_unit_numbers(&units, &p->pass->units[1], out->number, out->bins[0]);
  for (size_t i = 0; i < n; i++) out->number[i] = (int32_t)tacit_on_grid(out->phi[i], 1 << TACIT_SCORE_BITS);
  tacit_unit_numbers(&units, &p->pass->units[2], out->number, out->bins[1]);
}

/* The sum of score times the spread's column: 2^10 products below 2^31. */
static uint64_t spread_product(bool narrow, const part *own) {
  int64_t total = 0;
  for (size_t i = 0; i < TACIT_BLOCK; i++)
    total += (int64_t)own->column[i] *
             (narrow ? (int64_t)own->narrow[i] * TACIT_NARROW_STEP : (int64_t)own->score[i]);
  return (uint64_t)total;
}

static void add_units(const plan *p, const tacit_block *block, size_t b, part *out, uint64_t *sum) {
  const tacit_block_units units = tacit_units_of_block(p->design, b);
  const tacit_row_scores scores = {.narrow = block->narrow ? out->narrow : NULL,
                                   .wide = out->score,
                                   .column = p->pass->form == TACIT_FORM_SCALED ? out->column : NULL};
  tacit_unit_scores(&units, p->pass->units, block, p->design->columns, &scores, out->unit, sum);
}

static void add_block(const plan *p, const tacit_block *block, size_t b, part *out, uint64_t *sum) {
  const tacit_score_pass *pass = p->pass;
  size_t columns = p->design->columns;
  const tacit_block *next =
      p->design->stored.block && b + 1 < p->design->blocks ? &p->design->stored.block[b + 1] : block;
  tacit_block with = *block;
  set_margins(p, block, next, out->margin, out->u);
  if (pass->form != TACIT_FORM_LINEAR) {
    set_single(p, &p->exponent, block, block, out->spread);
    tacit_spread_margins(&pass->spread, pass->form, pass->bandwidth, out->margin, out->spread);
  }
  if (p->counts) count_block(p, b, out);
  if (!p->scores) return;
  if (p->single) {
    tacit_block_phi(out->margin, 1, out->phi);
  } else {
    tacit_kernel_cdf_block(pass->kernel, TACIT_BLOCK, out->u, out->u);
    narrow(out->u, out->phi);
  }
  if (pass->form == TACIT_FORM_SCALED) {
    tacit_spread_column(&pass->spread, p->design->cell_bits, out->spread, block->norms, out->column,
                        out->norms);
    with.norms = out->norms;
  }
  if (block->narrow) {
    tacit_narrow_scores(&with, out->phi, pass->tau, &pass->bound, out->narrow);
    if (!pass->units) tacit_narrow_products(&with, columns, out->narrow, &pass->bound, sum);
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
static void add_blocks(const plan *plans, size_t count, int threads, uint64_t *sum) {
  const tacit_design *design = plans->design;
  size_t columns = sum_columns(plans->pass, design);
#pragma omp parallel num_threads(threads) if (design->blocks > 1)
  {
    part own;
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
  plan p = {.design = design, .pass = pass, .counts = counts, .scores = sum != NULL};
  slopes room, more;
  set_plan(&p, &room, 0);
  if (pass->form != TACIT_FORM_LINEAR) set_spread(&p, &room, &more);
  if (sum) memset(sum, 0, sum_columns(pass, design) * sizeof *sum);
  if (counts) *counts = (tacit_side_counts){.span = counts->span, .smoothing = counts->smoothing};
  add_blocks(&p, 1, threads, sum);
  if (!counts || !pass->units || pass->units->bins) return;
  counts->within = counts->bins[0][0];
  counts->below = counts->bins[1][0];
}

void tacit_score_sums(const tacit_design *design, const tacit_score_pass *passes, size_t count, int threads,
                      uint64_t *sums) {
  plan plans[AT_ONCE];
  slopes room;
  size_t columns = design->columns, most = 1;
  while (most < AT_ONCE && (most + 1) * columns <= TACIT_COLUMNS_MAX) most++;
  memset(sums, 0, count * columns * sizeof *sums);
  for (size_t first = 0; first < count; first += most) {
    size_t some = count - first < most ? count - first : most;
    for (size_t k = 0; k < some; k++) {
      plans[k] = (plan){.design = design, .pass = &passes[first + k], .scores = true};
      set_plan(&plans[k], &room, k);
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
  plan p = {.design = design, .pass = &pass};
  slopes room;
  set_plan(&p, &room, 0);
  float single[TACIT_BLOCK];
  set_margins(&p, block, block, single, r);
  for (size_t i = 0; i < TACIT_BLOCK; i++) r[i] = -unit * (p.single ? (double)single[i] : r[i]);
  tacit_wipe(single, sizeof single);
}
