/* What orders by a rule cost, row by row, as integer shares of a public bound (proofs/private-evaluation.md).
 */
#include "base/base.h"
#include "loss/rule.h"
#include "pass/answer.h"
#include "schema/tiers.h"

#include <math.h>
#include <string.h>

/* An integer in [0, 2^TACIT_COST_BITS], whatever the arithmetic gave; 0 for a NaN. */
static uint64_t on_grid(double share) {
  const double whole = 1 << TACIT_COST_BITS;
  double v = floor(share * whole + 0.5);
  if (!(v > 0)) return 0;
  return v < whole ? (uint64_t)v : (uint64_t)whole;
}

/* Of a block's rows, wiped after use. */
typedef struct workspace {
  double order[TACIT_BLOCK], spread[TACIT_BLOCK];
} workspace;

/* dot[i] = b'x of row i. */
static void dots(const tacit_design *design, const tacit_block *block, const double *b,
                 double dot[TACIT_BLOCK]) {
  double cell = ldexp(1, -design->cell_bits);
  memset(dot, 0, TACIT_BLOCK * sizeof *dot);
  for (size_t j = 0; j < design->columns; j++) {
    const int32_t *x = block->cells + j * TACIT_BLOCK;
    for (size_t i = 0; i < TACIT_BLOCK; i++) dot[i] += b[j] * (cell * x[i]);
  }
}

/* The orders of a block's rows, by the rule of loss/rule.h. */
static void block_orders(const tacit_design *design, const tacit_costs_question *q, const tacit_block *block,
                         size_t t, double reach, workspace *work) {
  dots(design, block, q->coefficients + t * design->columns, work->order);
  if (!q->spread) return;
  const double *g = q->spread + t * (design->columns + 1);
  dots(design, block, g, work->spread);
  tacit_spreads(reach, TACIT_BLOCK, work->spread, work->spread);
  for (size_t i = 0; i < TACIT_BLOCK; i++) work->order[i] += g[design->columns] * work->spread[i];
}

/* A row's part: its cost as a share of the bound, or, whole or not at all, whether it costs more. What is no
   number costs nothing. */
static uint64_t part_of(double cost, double bound, bool dearer) {
  const uint64_t whole = 1 << TACIT_COST_BITS;
  if (!dearer) return on_grid(cost / bound);
  return (isnan(cost) ? 0 : cost) > bound ? whole : 0;
}

/* The costs of a block's rows for one target. */
static uint64_t block_costs(const tacit_design *design, const tacit_schema *schema,
                            const tacit_question *question, const tacit_block *block, size_t t,
                            workspace *work) {
  const tacit_costs_question *q = &question->costs;
  bool dearer = question->kind == TACIT_QUESTION_DEARER;
  const tacit_scale *scale = &schema->targets[t].scale;
  const tacit_tiers *tiers = schema->targets[t].tiers;
  const int32_t *y = block->targets + t * TACIT_BLOCK;
  uint64_t sum = 0;
  block_orders(design, q, block, t, tacit_scale_reach(scale), work);
  for (size_t i = 0; i < TACIT_BLOCK; i++) {
    if (block->norms[i] == 0) continue; /* no encoding, or no row */
    double cut = fmax(fmin(work->order[i], scale->limit), -scale->limit);
    double d = scale->log_unit == 0
                   ? scale->half * (TACIT_TARGET_STEP * y[i] - cut)
                   : tacit_scale_decode(scale, TACIT_TARGET_STEP * y[i]) - tacit_scale_decode(scale, cut);
    double cost = tiers ? tacit_tiers_cost(tiers, d) : d > 0 ? q->underage[t] * d : -q->overage[t] * d;
    sum += part_of(cost, q->bound[t], dearer);
  }
  return sum;
}

void tacit_answer_costs(const tacit_design *design, const tacit_schema *schema,
                        const tacit_question *question, int threads, uint64_t *answer) {
  memset(answer, 0, design->targets * sizeof *answer);
#pragma omp parallel num_threads(threads) if (design->blocks > 1)
  {
    workspace work;
#pragma omp for schedule(static)
    for (size_t b = 0; b < design->blocks; b++) {
      tacit_block block = tacit_design_block(design, b);
      for (size_t t = 0; t < design->targets; t++) {
        uint64_t part = block_costs(design, schema, question, &block, t, &work);
#pragma omp atomic
        answer[t] += part;
      }
    }
    tacit_wipe(&work, sizeof work);
  }
}
