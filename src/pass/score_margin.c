/* Margins and kernel values of a block, by the form of a score. */
#include "pass/score_plan.h"

#include "base/base.h"
#include "num/clones.h"
#include "pass/narrow_block.h"

#include <math.h>

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

/* Plan k of those made at once. */
void tacit_score_plan_set(tacit_score_plan *p, tacit_score_slopes *room, size_t k) {
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
void tacit_score_plan_spread(tacit_score_plan *p, tacit_score_slopes *room, tacit_score_slopes *more) {
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

static void set_single(const tacit_score_plan *p, const tacit_margin *margin, const tacit_block *block,
                       const tacit_block *next, float *u) {
  size_t columns = p->design->columns, target = p->pass->target;
  if (block->narrow)
    tacit_narrow_margins(block, columns, target, margin, next, u);
  else
    tacit_block_margins(block, columns, target, margin, u);
}

/* Margins of a block, in single precision or in doubles. */
void tacit_score_plain_margins(const tacit_score_plan *p, const tacit_block *block, const tacit_block *next,
                               float *single, double *u) {
  size_t columns = p->design->columns, target = p->pass->target;
  if (!p->single)
    margins(block, columns, target, p->slope, p->per_target, p->base, u);
  else
    set_single(p, &p->margin, block, next, single);
}

/* To single precision and into [0, 1]; a NaN becomes 1. */
static void narrow(const double *from, float *to) {
  for (size_t i = 0; i < TACIT_BLOCK; i++) {
    double k = from[i] < 1 ? from[i] : 1;
    to[i] = (float)(k > 0 ? k : 0);
  }
}

/* Phi(u / smoothing). */
void tacit_score_below_wide(const tacit_score_plan *p, tacit_score_room *out) {
  double scale = p->pass->bandwidth / p->counts->smoothing;
  for (size_t i = 0; i < TACIT_BLOCK; i++) out->v[i] = out->u[i] * scale;
  tacit_kernel_cdf_block(TACIT_KERNEL_GAUSSIAN, TACIT_BLOCK, out->v, out->v);
  narrow(out->v, out->phi);
}

void tacit_score_below_single(const tacit_score_plan *p, tacit_score_room *out) {
  tacit_block_phi(out->margin, (float)(p->pass->bandwidth / p->counts->smoothing), out->phi);
  if (p->pass->form == TACIT_FORM_SCALED && p->pass->spread.full > 0)
    tacit_spread_weigh(&p->pass->spread, p->pass->tau, out->spread, out->phi);
}

/* How far below the rule what was sold lies, in standard deviations: of the linear form the span of the
   counts beside it is one. Before spreads have taken the place of residuals, where it is about these. */
static void set_gaps(const tacit_score_plan *p, const tacit_score_room *out, float *gap) {
  const tacit_row_spread *spread = &p->pass->spread;
  float least = (float)spread->least, most = (float)spread->most;
  float unit = (float)(p->pass->form == TACIT_FORM_SCALED ? p->pass->bandwidth * TACIT_SCORE_MAD
                       : p->counts                        ? p->pass->bandwidth / p->counts->span
                                                          : 0);
  for (size_t i = 0; i < TACIT_BLOCK; i++) {
    float e = out->spread[i] > least ? out->spread[i] : least;
    if (p->pass->form == TACIT_FORM_SPREAD)
      gap[i] = out->margin[i] / tacit_single_exp(e < most ? e : most) * (float)TACIT_SCORE_MAD;
    else
      gap[i] = p->single ? out->margin[i] * unit : (float)out->u[i] * unit;
  }
}

/* What u is, by the form, and where days sold out (gap is not NULL) how far the rule lies from what was sold.
 */
void tacit_score_margins(const tacit_score_plan *p, const tacit_block *block, const tacit_block *next,
                         tacit_score_room *out, float *gap) {
  const tacit_score_pass *pass = p->pass;
  tacit_score_plain_margins(p, block, next, out->margin, out->u);
  if (pass->form != TACIT_FORM_LINEAR) set_single(p, &p->exponent, block, block, out->spread);
  if (gap && pass->form == TACIT_FORM_SPREAD) set_gaps(p, out, gap);
  if (pass->form != TACIT_FORM_LINEAR)
    tacit_spread_margins(&pass->spread, pass->form, pass->bandwidth, out->margin, out->spread);
  if (gap && pass->form != TACIT_FORM_SPREAD) set_gaps(p, out, gap);
}

/* Kbar of what u is; of u itself nothing is left. */
void tacit_score_phi(const tacit_score_plan *p, tacit_score_room *out) {
  if (p->single) {
    tacit_block_phi(out->margin, 1, out->phi);
    return;
  }
  tacit_kernel_cdf_block(p->pass->kernel, TACIT_BLOCK, out->u, out->u);
  narrow(out->u, out->phi);
}
