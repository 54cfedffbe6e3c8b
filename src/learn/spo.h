/* What the learners that predict for a decision's sake share: one unit for all costs, rows that may be
   whitened, and the exact sum that descent releases.

   d coordinates of a decision, as many costs · p encoded columns · c costs of a row in their own units ·
   B the rule, d x p, in common units: prediction = centre + unit B x · w*(c) the best decision for costs c.
 */
#ifndef TACIT_SRC_LEARN_SPO_H
#define TACIT_SRC_LEARN_SPO_H

#include "learn/learners.h"
#include "loss/region.h"
#include "method/spo_recipe.h"

typedef struct tacit_decisions {
  tacit_task *task;
  const tacit_region *region;
  size_t p, d, cells;    /* cells: d p */
  double unit;           /* a typical spread of the costs: public, the same for all of them */
  double width;          /* of the decision's widest coordinate: public */
  double *whitening;     /* p x p: what whitens rows; NULL: they are as encoded, */
  tacit_row_image white; /* and how they are seen then */
  double *numbers;       /* memory for the learner, */
  uint64_t *sum;         /* and for sums: cells; secret */
} tacit_decisions;

/* With `numbers` doubles for the learner, all zero. To be closed in any case. */
tacit_status tacit_decisions_open(tacit_decisions *decisions, tacit_task *task, size_t numbers,
                                  tacit_error *error) TACIT_CHECKED;
void tacit_decisions_close(tacit_decisions *decisions);

/* Whitens the rows, by the next release: a private moment of theirs; spo_whiten.c. */
tacit_status tacit_decisions_whiten(tacit_decisions *decisions, tacit_error *error) TACIT_CHECKED;
/* decisions->sum becomes the sum over rows that descent releases, d x p, at this rule and held to this radius
   (pass/decision_sum.h). */
tacit_status tacit_decisions_sum(tacit_decisions *decisions, const double *rule, double radius,
                                 tacit_error *error) TACIT_CHECKED;
/* A radius that no row reaches. */
double tacit_decisions_beyond(const tacit_decisions *decisions);
/* The length of a step whose size is in spreads of the costs: the sum is in diameters, and a subgradient
   twice as long. */
double tacit_decisions_step(const tacit_decisions *decisions, double size);
/* The rule as coefficients of the encoded columns, into the fit. */
void tacit_decisions_finish(const tacit_decisions *decisions, const double *rule);

#endif
