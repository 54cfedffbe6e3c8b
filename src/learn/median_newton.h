/* The default learner: slopes by noisy Newton steps at the median, then the quantile itself.

   Each quantity is released in small steps, and each step is believed as far as it deserves: with a prior
   variance V and a step whose noise has variance v (both known), the step is taken with gain V / (V + v).
   Where the budget buys little, gains are small, slopes stay near zero, and the policy falls back to a
   private unconditional quantile.

   n public number of rows · d features · tau quantile · mu guarantee · z rows without intercept, centred ·
   W whitening · x slopes in whitened units · a location · s spread of the residual · V, Va their variances.
 */
#ifndef TACIT_SRC_MEDIAN_NEWTON_H
#define TACIT_SRC_MEDIAN_NEWTON_H

#include "learn/learners.h"
#include "learn/secant.h"

typedef struct tacit_newton {
  tacit_task *task;
  const tacit_schema *schema;
  tacit_row_image white; /* how the encoded rows are seen whitened, in d columns */
  size_t target;
  size_t planned;       /* where its part of the plan begins */
  double n, tau, range; /* |y| <= range */
  tacit_recipe recipe;  /* the public choices */
  size_t d;             /* features, as the recipe says */
  /* released so far, and what follows from it */
  double a, Va, s, Vs, y_spread;
  double radius;
  double *mean;             /* d */
  double *matrix;           /* d x columns: of the whitened rows */
  double *W;                /* d x d: a whitened row is W' (z - mean) */
  double *moment;           /* (d + 1)(d + 2) / 2 */
  double *x, *V, *u, *step; /* d */
  uint64_t *sum;            /* d, of the last pass, and its counts: */
  uint64_t *within, *below;
  tacit_secant secant;
} tacit_newton;

/* The whitened rows, newton->matrix times the encoded ones. */
tacit_status tacit_newton_set_white(tacit_newton *newton, tacit_error *error) TACIT_CHECKED;

/* Whether nobody will ask about the rows themselves again: the last target's are being asked through their
 * image. */
static inline bool tacit_newton_last(const tacit_newton *newton) {
  return newton->target + 1 == newton->schema->target_count;
}

/* The parts, in their order; median_newton_scale.c, _whiten.c, _step.c and _tail.c. */
tacit_status tacit_newton_scale(tacit_newton *newton,
                                tacit_error *error) TACIT_CHECKED; /* centre and spread of y */
tacit_status tacit_newton_centre(tacit_newton *newton,
                                 tacit_error *error) TACIT_CHECKED; /* mean and radius of rows */
tacit_status tacit_newton_whiten(tacit_newton *newton,
                                 tacit_error *error) TACIT_CHECKED; /* moment, W, first slopes */
tacit_status tacit_newton_at_median(tacit_newton *newton, tacit_error *error) TACIT_CHECKED;
/* At the residuals of the median: whether the quantile is far out; the location is then moved there; tail.c.
 */
tacit_status tacit_newton_tail(tacit_newton *newton, bool *far, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_newton_at_quantile(tacit_newton *newton, tacit_error *error) TACIT_CHECKED;

/* The gain of a measurement with noise variance v against a state of variance *V, which is updated; trust < 1
   says how much of a step of the linear model is believed to arrive. */
double tacit_newton_gain(double *V, double v, double trust);
/* Scales V down so that its entries sum to at most `total`. */
void tacit_newton_cap(double *V, size_t d, double total);

#define TACIT_NEWTON_TRUST 0.8 /* of a Newton step of the slopes, where noise rules or steps are few */

#endif
