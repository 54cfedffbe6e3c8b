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

#include "learn/budget.h"
#include "learn/learn.h"
#include "privacy/recipe.h"

/* Shares of mu^2. A share of 0 means that the release is not made. */
typedef struct tacit_newton_shares {
  double target; /* centre and spread of y, by counts */
  double mean, radius, moment;
  double median, quantile, last; /* Newton steps at the median, at tau, and the last one of the location */
} tacit_newton_shares;

typedef struct tacit_newton {
  const tacit_design *design; /* encoded rows */
  tacit_design *white;        /* the same records as whitened rows, d columns */
  tacit_budget budget;
  size_t target;
  int threads;
  double n, tau, range; /* |y| <= range */
  size_t d;             /* 0: no features */
  bool known;           /* every feature has a public centre and scale */
  double rich;          /* 1 where sampling error rules, small where noise does */
  tacit_newton_shares share;
  double *values; /* one number for each row */
  /* released so far, and what follows from it */
  double a, Va, s, Vs, y_spread;
  double radius, clip, clip_gain, slope_bandwidth;
  double *mean;         /* d */
  double *W;            /* d x d: a whitened row is W' (z - mean) */
  double *moment;       /* (d + 1)(d + 2) / 2 */
  double *x, *V, *step; /* d */
  uint64_t *sum;        /* d */
} tacit_newton;

/* The public choices for n rows, d features and the guarantee mu per row of a unit; median_newton_choices.c.
 */
void tacit_newton_choose(tacit_newton *newton, double mu_per_row);
/* Shares of the steps at the median: they grow. */
void tacit_newton_median_shares(double share[TACIT_MEDIAN_STEPS]);

/* The parts, in their order; scale.c, whiten.c and step.c. */
tacit_status tacit_newton_scale(tacit_newton *newton,
                                tacit_error *error) TACIT_CHECKED; /* centre and spread of y */
tacit_status tacit_newton_centre(tacit_newton *newton,
                                 tacit_error *error) TACIT_CHECKED; /* mean and radius of rows */
tacit_status tacit_newton_whiten(tacit_newton *newton,
                                 tacit_error *error) TACIT_CHECKED; /* moment, W, first slopes */
tacit_status tacit_newton_at_median(tacit_newton *newton, const tacit_context *context,
                                    tacit_error *error) TACIT_CHECKED;
tacit_status tacit_newton_at_quantile(tacit_newton *newton, const tacit_context *context,
                                      tacit_error *error) TACIT_CHECKED;

/* The gain of a measurement with noise variance v against a state of variance *V, which is updated; trust < 1
   says how much of a step of the linear model is believed to arrive. */
double tacit_newton_gain(double *V, double v, double trust);
/* Scales V down so that its entries sum to at most `total`. */
void tacit_newton_cap(double *V, size_t d, double total);

#define TACIT_NEWTON_TRUST 0.8 /* of a Newton step of the slopes */

#endif
