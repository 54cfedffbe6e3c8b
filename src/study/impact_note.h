/* E's expansions for tacit impact's demand, and the conditions under which they are stated. */
#ifndef TACIT_SRC_IMPACT_NOTE_H
#define TACIT_SRC_IMPACT_NOTE_H

#include "study/chen_methods.h"
#include "study/impact.h"
#include "study/report.h"

typedef struct tacit_impact_plan {
  tacit_impact_demand demand;
  double tau;                        /* (p - w) / p */
  double best[TACIT_IMPACT_COLUMNS]; /* theta* */
  double constant;                   /* the best order without features, F_y^-1(tau) */
  tacit_chen_setting setting;        /* OP's public facts */
  tacit_chen_constants constants;    /* E Theorem 2's */
  size_t rows;
  double expected[TACIT_IMPACT_COLUMNS]; /* theta* - 2 lambda J^-1 theta* - h^2 kappa_2 v / 2 (Prop. 2) */
  double variance;                       /* Prop. 3's lower bound, without its term c_1 lambda */
} tacit_impact_plan;

void tacit_impact_plan_init(tacit_impact_plan *plan, const tacit_impact_options *options,
                            const double *slopes, size_t slope_count);
void tacit_impact_plan_set(tacit_impact_plan *plan, double epsilon, double delta, size_t rows);
/* Whether lambda and h are small enough for the expansions to mean anything, in a few words. */
const char *tacit_impact_conditions(const tacit_impact_plan *plan);
void tacit_impact_note(tacit_report *report, const tacit_impact_plan *plan,
                       const tacit_impact_options *options, size_t repetitions);

#endif
