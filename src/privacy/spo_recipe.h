/* The public rules of the learners that predict for a decision's sake: how many releases, with which shares,
   radii and grids, as a function of public facts. The learners follow them, and verification rebuilds their
   lists from them (proofs/spo.md). */
#ifndef TACIT_SRC_SPO_RECIPE_H
#define TACIT_SRC_SPO_RECIPE_H

#include <stddef.h>

/* The radius of one row's product, as a share of the clip norm: the decision's error is measured in diameters
   of the region, and few errors are as long as the diameter. Cutting the rest costs less than their noise. */
#define TACIT_SPO_RADIUS_SHARE 0.5

enum {
  TACIT_SPO_STEPS = 40,
  TACIT_SPO_AVERAGE = 12,
  TACIT_SPO_RESPONSES = 100, /* steps of exponential descent */
  TACIT_SPO_STEPS_MAX = 100000,
  TACIT_SPO_MOMENT_REACH = 18 /* the moment's grid makes its radius at most 2^18 units */
};
#define TACIT_SPO_GROWTH 1.08
#define TACIT_SPO_RESPONSE_STEP 0.1 /* length of a step of exponential descent, in spreads of the costs */

/* 3 at six columns, the norm that a row of five unit-scale features rarely exceeds, growing with the root. */
double tacit_spo_clip_norm(size_t columns);
/* Step size of Gaussian descent, in spreads of the costs. mu_per_row: the guarantee over the rows of a unit.
 */
double tacit_spo_step_size(double rows, size_t columns, size_t dimension, double radius, double mu_per_row);
/* share[t] proportional to growth^t, summing to 1. */
void tacit_spo_shares(size_t steps, double growth, double *share);

/* Noisy least squares releases one moment of (row, costs): rows are stretched by `stretch` so that they weigh
   as much as the costs, and the whole is clipped. */
typedef struct tacit_spo_moment {
  double stretch, clip;
  int bits; /* of the vector; the moment's grid has twice as many */
} tacit_spo_moment;
tacit_spo_moment tacit_spo_moment_choose(size_t columns, size_t dimension);

#endif
