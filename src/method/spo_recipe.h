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
  TACIT_SPO_RESPONSES_LEAST = 4, /* steps of exponential descent: this, or the double, and so on */
  TACIT_SPO_RESPONSES_MOST = 128,
  TACIT_SPO_STEPS_MAX = 100000,
  TACIT_SPO_MOMENT_REACH = 18 /* the moment's grid makes its radius at most 2^18 units */
};

/* 3 at six columns, the norm that a row of five unit-scale features rarely exceeds, growing with the root. */
double tacit_spo_clip_norm(size_t columns);
/* How far the sum of all rows can stand above the noise of one release with the whole budget: what step size
   and growth of the shares depend on. mu_per_row: the guarantee over the rows of a unit. */
double tacit_spo_clarity(double rows, size_t columns, size_t dimension, double radius, double mu_per_row);
/* Step size of Gaussian descent, in spreads of the costs: with little clarity noise must not carry the rule
   away, and small steps average it. */
double tacit_spo_step_size(double clarity);
/* Growth of the budget's shares from step to step. Late steps decide where the rule ends only if early ones
   have brought it near; with little clarity all count the same. */
double tacit_spo_growth(double clarity);

/* Rows whose scale is not known are whitened by a private moment of their own, clipped at tacit_spo_row_clip.
 */
#define TACIT_SPO_WHITEN_SHARE 0.15 /* of mu^2 */
enum { TACIT_SPO_WHITE_BITS = 15 }; /* grid of whitened rows: they reach 32 */
double tacit_spo_row_clip(size_t columns);
int tacit_spo_row_bits(size_t columns); /* of the row; the moment's grid has twice as many */

/* Noisy least squares releases one moment of (row, costs): rows are stretched by `stretch` so that they weigh
   as much as the costs, and the whole is clipped. */
typedef struct tacit_spo_moment {
  double stretch, clip;
  int bits; /* of the vector; the moment's grid has twice as many */
} tacit_spo_moment;
tacit_spo_moment tacit_spo_moment_choose(size_t columns, size_t dimension);

#endif
