/* What is fixed about the default learner's releases: the learner makes them so, and verification expects
 * them so. */
#ifndef TACIT_SRC_RECIPE_H
#define TACIT_SRC_RECIPE_H

enum {
  TACIT_MEDIAN_STEPS = 20,
  TACIT_QUANTILE_STEPS = 4,
  TACIT_CENTRE_COUNTS = 8, /* halvings for the centre of the target, */
  TACIT_SPREAD_COUNTS = 5, /* its spread, */
  TACIT_RADIUS_COUNTS = 5, /* and the radius of rows whose scale is not known */
  TACIT_MEAN_BITS = 17,    /* grid of the rows behind the mean */
  TACIT_WHITE_BITS = 15,   /* grid of whitened rows: they reach 32 */
  TACIT_MOMENT_REACH = 18  /* the moment's grid makes its radius at most 2^18 units */
};

#endif
