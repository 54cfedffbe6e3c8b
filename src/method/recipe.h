/* The Newton learners' public rules: what they release, with which shares and clip norms, as a function of
   the public number of rows, the guarantee and the schema's kind. The learner follows them, and verification
   rebuilds its list from them (proofs/median-newton.md). */
#ifndef TACIT_SRC_RECIPE_H
#define TACIT_SRC_RECIPE_H

#include <stdbool.h>
#include <stddef.h>

enum {
  TACIT_MEDIAN_STEPS = 20, /* at most */
  TACIT_QUANTILE_STEPS = 4,
  TACIT_TAIL_COUNTS = 8,   /* halvings instead of them, where the quantile is far out */
  TACIT_SPREAD_STEPS = 4,  /* of the model of the spread, */
  TACIT_TIMES_STEPS = 5,   /* of how many spreads the quantile is, */
  TACIT_SCALED_STEPS = 8,  /* and at the quantile after them; */
  TACIT_SCALED_MORE = 16,  /* where noise is so small that levels can find out how far they have to go, */
  TACIT_SCALED_MANY = 32,  /* where few rows of each column lie beyond the quantile, */
  TACIT_SCALED_MOST = 64,  /* and where both is so */
  TACIT_FAR_COUNTS = 5,    /* halvings for how far the targets of some rows lie */
  TACIT_CENTRE_COUNTS = 8, /* halvings for the centre of the target, */
  TACIT_SPREAD_COUNTS = 5, /* its spread, */
  TACIT_RADIUS_COUNTS = 5, /* and the radius of rows whose scale is not known */
  TACIT_RADIUS_OCTAVES = 6,
  TACIT_UNIT_STEPS = 4,      /* steps at the median before it is counted how far units reach */
  TACIT_MEAN_BITS = 17,      /* grid of the rows behind the mean */
  TACIT_WHITE_BITS = 10,     /* grid of whitened rows: in two bytes they reach 32 */
  TACIT_OLD_WHITE_BITS = 15, /* the same when they had four: older policies hold to it */
  TACIT_MOMENT_REACH = 18,   /* the moment's grid makes its radius at most 2^18 units, */
  TACIT_WIDE_REACH = 14,     /* or 2^14 from so many features on: its rows then have two bytes, which are */
  TACIT_WIDE_FEATURES = 64   /* multiplied in pairs */
};

/* Of the target's share what its centre gets, the rest its spread; of a step's what the location and the
   spread get, the rest is for the slopes. */
/* Whitened rows are taken to reach at least this far, whatever the noise. */
#define TACIT_LEAST_REACH 0.5
#define TACIT_CENTRE_PART 0.6
#define TACIT_LOCATION_PART 0.12
#define TACIT_SPREAD_PART 0.06

/* Shares of mu^2. A share of 0 means that the release is not made. */
typedef struct tacit_recipe_shares {
  double target; /* centre and spread of y, by counts */
  double far;    /* how far those of some rows lie */
  double mean, radius, moment;
  double start; /* of the slopes, by scores, where features are public: the three before are then 0 */
  double median, tail, quantile, last; /* Newton steps at the median; whether tau is far out; steps at tau,
                                          and the last one of the location */
  double sure, near; /* for intervals, of a linear rule: how its residuals spread, and how many are near 0 */
  double spread, times, density; /* the model of the spread, and how many of them the quantile is */
  /* where units are clipped as a whole, how many there are of which size, and how far their scores reach: at
     the median, in steps of the spread, at the quantile */
  double size, reach, spread_reach, far_reach;
} tacit_recipe_shares;

typedef struct tacit_recipe {
  size_t d;       /* features used: 0 where the budget buys none */
  bool known;     /* every feature has a public centre and scale */
  bool units;     /* they are clipped as a whole */
  bool levels;    /* what levels are is believed, whitening follows the noise, and goals share releases
                     (method/location_scale.c) */
  bool scaled;    /* the quantile is looked for in spreads */
  bool open;      /* features are public: what is about rows alone is exact and has no release */
  size_t targets; /* in the moment of the rows */
  double whole;   /* what the shares of all goals add up to before they are scaled; 0: not added up yet */
  double rich;    /* 1 where sampling error rules, small where noise does */
  tacit_recipe_shares share;
  double mean_clip;    /* norm of a row behind the mean */
  double moment_clip;  /* of one behind the moment, when scales are known; else it is found by counts, */
  double largest_clip; /* from this, 2^-TACIT_RADIUS_OCTAVES of it at least */
  double score_clip;   /* of a whitened row behind scores */
  double clip_gain;    /* what that leaves of the curvature */
  double clip_part;    /* with levels both are found: the norm is this times that of most rows */
  double slope_bandwidth;
  int median_steps;
  int scaled_steps; /* at the quantile, in spreads; */
  int stretched;    /* from this one on each level finds out how long its steps should be */
  bool thin;        /* those know no curvature but the computed one: single rows decide what is found */
  bool secant;      /* steps learn the curvature as they go (learn/secant.h), and fewer of them do */
} tacit_recipe;

/* How much there is to learn from. */
typedef struct tacit_recipe_size {
  double rows;
  size_t features;
  bool known;        /* every feature has a public centre and scale */
  bool open;         /* features are public */
  double mu_per_row; /* the target's guarantee over the rows of a unit */
  bool units;        /* these are clipped as a whole */
} tacit_recipe_size;
void tacit_recipe_choose(tacit_recipe *recipe, const tacit_recipe_size *size);
/* Whether a quantile is so far from the median that spreads matter to it. */
bool tacit_recipe_is_outer(double tau);
/* What goals share where rules have a spread: one for each of several targets, or several quantiles of one.
   Shares are then of a goal's part of mu^2 and sum to the number of goals. */
typedef struct tacit_recipe_goals {
  const double *tau;
  size_t count;
  bool several; /* quantiles of one target */
} tacit_recipe_goals;
/* What the shares of all goals add up to, before they are scaled. */
double tacit_recipe_whole(const tacit_recipe_size *size, const tacit_recipe_goals *goals);
/* The same for rules with a spread, of one of the goals; recipe->whole is added up where it is 0. square: of
   the longest row; mu_per_row: of a target. */
void tacit_recipe_with_spread(tacit_recipe *recipe, const tacit_recipe_size *size, double square,
                              const tacit_recipe_goals *goals, size_t goal);
/* How many steps a rule with levels takes at its quantile: as today; or as older policies did, sixteen where
   noise is small, or always eight. */
typedef enum tacit_steps_rule { TACIT_STEPS_NOW, TACIT_STEPS_SIXTEEN, TACIT_STEPS_EIGHT } tacit_steps_rule;
void tacit_recipe_at_levels(tacit_recipe *recipe, const tacit_recipe_size *size, double tau,
                            tacit_steps_rule rule);
/* Of a linear rule, what it takes to say how sure it is. strength: rows times the guarantee per row. */
void tacit_recipe_with_intervals(tacit_recipe *recipe, double strength);
/* What clipping standard normal rows of d dimensions to norm B leaves of the curvature. */
double tacit_clip_gain(double d, double B);
/* How the steps at the median share theirs: early ones only have to come near. */
void tacit_recipe_median_shares(int steps, double share[TACIT_MEDIAN_STEPS]);

#endif
