/* Rows that are not known to a point, in a pass over scores: means over the kinks of costs in tiers, chances
   of days that sold out. */
#include "base/base.h"
#include "pass/row_score.h"
#include "pass/score_plan.h"

#include <math.h>
#include <string.h>

/* The same plan for targets that are larger by `shift`. */
static tacit_score_plan shifted(const tacit_score_plan *p, double shift) {
  tacit_score_plan q = *p;
  double unit = p->pass->form == TACIT_FORM_LINEAR ? p->pass->bandwidth : 1;
  q.base = (p->pass->offset - shift) / p->pass->bandwidth;
  q.margin.base = (float)((p->pass->offset - shift) / unit);
  return q;
}

/* What rows add that are not known to a point: chances of days that sold out, and means over the kinks of
   costs in tiers (proofs/tiers.md): weights are whole numbers of 2^-16 that sum to 1, so that a row is within
   span or not by whole numbers too, and counts at most 1. */
typedef struct means {
  float phi[TACIT_BLOCK], below[TACIT_BLOCK];
  int32_t within[TACIT_BLOCK];
  float gap[TACIT_BLOCK];
} means;

static void add_kink(const tacit_score_plan *p, int32_t weight, const tacit_block *block,
                     const tacit_block *next, tacit_score_room *out, means *m) {
  const float share = (float)weight / (1 << TACIT_KINK_BITS);
  tacit_score_margins(p, block, next, out, p->pass->sold ? m->gap : NULL);
  if (p->counts) {
    double span = p->counts->span / p->pass->bandwidth;
    for (size_t i = 0; i < TACIT_BLOCK; i++) {
      double size = p->single ? (double)fabsf(out->margin[i]) : fabs(out->u[i]);
      m->within[i] += size <= (p->single ? (double)(float)span : span) ? weight : 0;
    }
    (p->single ? tacit_score_below_single : tacit_score_below_wide)(p, out);
    for (size_t i = 0; i < TACIT_BLOCK; i++) m->below[i] += share * out->phi[i];
  }
  if (!p->scores) return;
  tacit_score_phi(p, out);
  for (size_t i = 0; i < TACIT_BLOCK; i++) m->phi[i] += share * out->phi[i];
}

void tacit_score_plan_sold(tacit_score_plan *p) {
  bool scaled = p->pass->form == TACIT_FORM_SCALED;
  double span = scaled && p->counts ? p->counts->span * TACIT_SCORE_MAD : 1;
  p->sold = tacit_sold_rule_of(p->pass->tau, span, scaled ? p->pass->spread.skew : 0);
}

/* Days that sold out count with their chances. In the scaled form those of the count are drawn to tau as any
   row's (spread_block.c). */
static void add_chances(const tacit_score_plan *p, const tacit_block *block, const tacit_score_room *out,
                        means *m) {
  const tacit_score_pass *pass = p->pass;
  const int32_t *y = block->targets + pass->target * TACIT_BLOCK;
  const tacit_sold_rule rule = p->sold;
  bool drawn = pass->form == TACIT_FORM_SCALED && pass->spread.full > 0;
  for (size_t i = 0; i < TACIT_BLOCK; i++) {
    if (!tacit_is_sold(y, i)) continue;
    bool near = pass->form == TACIT_FORM_SPREAD;
    m->phi[i] = m->below[i] = near ? tacit_sold_near(m->gap[i]) : tacit_sold_below(&rule, m->gap[i]);
    if (!near)
      m->within[i] = (int32_t)tacit_on_grid(tacit_sold_within(&rule, m->gap[i]), 1 << TACIT_SCORE_BITS);
    if (!drawn) continue;
    float share = out->spread[i] / (float)pass->spread.full, level = rule.tau;
    m->below[i] = level + (share < 1 ? share : 1) * (m->below[i] - level);
  }
}

void tacit_score_means(const tacit_score_plan *p, const tacit_block *block, const tacit_block *next, size_t b,
                       tacit_score_room *out) {
  const tacit_tiers *tiers = p->pass->tiers;
  means m = {{0}, {0}, {0}, {0}};
  for (size_t k = 0; k < (tiers ? tiers->kinks : 1); k++) {
    const tacit_score_plan q = shifted(p, tiers ? tiers->shift[k] : 0);
    add_kink(&q, tiers ? tiers->weight[k] : 1 << TACIT_KINK_BITS, block, next, out, &m);
  }
  bool asked = p->pass->form != TACIT_FORM_LINEAR || p->counts; /* it says how far demand strays */
  if (p->pass->sold && asked) add_chances(p, block, out, &m);
  if (p->counts) {
    size_t n = tacit_design_filled(p->design, b);
    memcpy(out->number, m.within, sizeof m.within);
    memcpy(out->phi, m.below, sizeof m.below);
    for (size_t i = 0; i < n; i++) out->within += (uint64_t)m.within[i];
    tacit_score_add_counts(p, b, out);
  }
  /* rounding may have left a mean just above 1, where features are public a difference of 1 is all there is
   */
  for (size_t i = 0; i < TACIT_BLOCK; i++) out->phi[i] = m.phi[i] < 1 ? m.phi[i] : 1;
  tacit_wipe(&m, sizeof m);
}
