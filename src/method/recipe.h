/* The default learner's public rules: what it releases, with which shares and clip norms, as a function of
   the public number of rows, the guarantee and the schema's kind. The learner follows them, and verification
   rebuilds its list from them (proofs/default-learner.md). */
#ifndef TACIT_SRC_RECIPE_H
#define TACIT_SRC_RECIPE_H

#include <stdbool.h>
#include <stddef.h>

enum {
  TACIT_MEDIAN_STEPS = 20, /* at most */
  TACIT_QUANTILE_STEPS = 4,
  TACIT_TAIL_COUNTS = 8,   /* halvings instead of them, where the quantile is far out */
  TACIT_CENTRE_COUNTS = 8, /* halvings for the centre of the target, */
  TACIT_SPREAD_COUNTS = 5, /* its spread, */
  TACIT_RADIUS_COUNTS = 5, /* and the radius of rows whose scale is not known */
  TACIT_RADIUS_OCTAVES = 6,
  TACIT_MEAN_BITS = 17,      /* grid of the rows behind the mean */
  TACIT_WHITE_BITS = 10,     /* grid of whitened rows: in two bytes they reach 32 */
  TACIT_OLD_WHITE_BITS = 15, /* the same when they had four: older policies hold to it */
  TACIT_MOMENT_REACH = 18    /* the moment's grid makes its radius at most 2^18 units */
};

/* Of the target's share what its centre gets, the rest its spread; of a step's what the location and the
   spread get, the rest is for the slopes. */
#define TACIT_CENTRE_PART 0.6
#define TACIT_LOCATION_PART 0.12
#define TACIT_SPREAD_PART 0.06

/* Shares of mu^2. A share of 0 means that the release is not made. */
typedef struct tacit_recipe_shares {
  double target; /* centre and spread of y, by counts */
  double mean, radius, moment;
  double median, tail, quantile, last; /* Newton steps at the median; whether tau is far out; steps at tau,
                                          and the last one of the location */
} tacit_recipe_shares;

typedef struct tacit_recipe {
  size_t d;    /* features used: 0 where the budget buys none */
  bool known;  /* every feature has a public centre and scale */
  double rich; /* 1 where sampling error rules, small where noise does */
  tacit_recipe_shares share;
  double mean_clip;    /* norm of a row behind the mean */
  double moment_clip;  /* of one behind the moment, when scales are known; else it is found by counts, */
  double largest_clip; /* from this, 2^-TACIT_RADIUS_OCTAVES of it at least */
  double score_clip;   /* of a whitened row behind scores */
  double clip_gain;    /* what that leaves of the curvature */
  double slope_bandwidth;
  int median_steps;
  bool secant; /* steps learn the curvature as they go (learn/secant.h), and fewer of them do */
} tacit_recipe;

/* mu_per_row: the target's guarantee over the rows of a unit. */
void tacit_recipe_choose(tacit_recipe *recipe, double rows, size_t features, bool known, double mu_per_row);
/* How the steps at the median share theirs: early ones only have to come near. */
void tacit_recipe_median_shares(int steps, double share[TACIT_MEDIAN_STEPS]);

#endif
