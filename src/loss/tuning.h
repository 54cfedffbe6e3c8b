/* Step sizes and bandwidths of descent by the published rules, from public numbers alone: what the learners
   take where nobody gives any, and what verification compares with. Encoded units throughout. */
#ifndef TACIT_SRC_TUNING_H
#define TACIT_SRC_TUNING_H

#include "loss/kernel.h"

/* What options may be at most, and at least. Coefficients then stay far inside the range of numbers, whatever
   the noise: every fit ends with a policy. */
#define TACIT_STEP_SIZE_MAX 1e6
#define TACIT_STEP_SIZE_LEAST 1e-100 /* a bandwidth that follows from it is still above 0 in any units */
#define TACIT_GROWTH_MAX 1e6         /* where decisions are learned */
#define TACIT_REGION_CLIP_MAX 1e4    /* likewise */
#define TACIT_THETA_BOUND_MAX 1e4
#define TACIT_THETA_BOUND_LEAST 1e-100
#define TACIT_BANDWIDTH_REACH 1e100 /* a bandwidth lies between this and one over it, in encoded units */
enum { TACIT_STEPS_MAX = 1000000 }; /* where every step visits every row */
/* Visits of a row that anybody would wait for: about an hour. */
#define TACIT_VISITS_MAX 1e12

/* B_theta when nobody gives one: a bounded target spans [-1, 1], one on a known scale a few units. */
double tacit_default_theta_bound(bool bounded);

/* Noisy gradient descent: two spreads of the residual as it is assumed, and what Zhao's Theorem 2 allows for
 * it.
 */
double tacit_default_step(bool bounded);
double tacit_theory_step(double tau, bool bounded);
/* The density f_l at the quantile that the step assumes. */
double tacit_theory_density(double tau, bool bounded);

/* Gradient perturbation with projected and averaged iterates. */
typedef struct tacit_projected_descent {
  double tau, clip, bound; /* the quantile, B_x and B_theta */
  double steps, rows, columns;
  double noise; /* of one coordinate of a mean gradient */
  tacit_kernel kernel;
  double share; /* 1 for the companion's Theorem 4, 1/2 for Chen and Chua's Theorem 3.4: what a step sees of
                   the loss's curvature */
} tacit_projected_descent;
double tacit_projected_step(const tacit_projected_descent *descent);
/* The bandwidth that goes with a step. */
double tacit_projected_bandwidth(const tacit_projected_descent *descent, double step);

#endif
