/* The public rules of `bounded-change`: which ramps it asks for, how wide they are, and what they cost, as a
   function of public facts and of two spreads that it finds on the way (proofs/bounded-change.md). */
#ifndef TACIT_SRC_BOUNDED_CHANGE_H
#define TACIT_SRC_BOUNDED_CHANGE_H

#include "method/method.h"

enum {
  TACIT_BOUNDED_CENTRE = 6,   /* halvings for the target's centre, */
  TACIT_BOUNDED_SPREAD = 5,   /* for its spread, */
  TACIT_BOUNDED_RESIDUAL = 4, /* and for that of what the first slopes leave */
  TACIT_BOUNDED_MEDIAN = 6,   /* steps at the median, */
  TACIT_BOUNDED_SPREADS = 3,  /* of the spread, */
  TACIT_BOUNDED_QUANTILE = 4, /* and at the quantile, with one more of the location */
  TACIT_BOUNDED_RUNGS = 48    /* a spread is the range times 2^(-k / 4), k below this */
};

/* Shares of a goal's mu^2. */
typedef struct tacit_bounded_shares {
  double centre, spread, start, residual, median, spreads, quantile, last;
} tacit_bounded_shares;

typedef struct tacit_bounded {
  size_t d;                     /* features used: 0 where the budget buys none */
  double change;                /* of one row's target, in units of its grid */
  double range;                 /* |y| <= range */
  double target_spread, spread; /* on their ladder; 0: not found yet */
  double clip;                  /* of a whitened row; 0: not found yet */
  double strength;              /* rows times mu, as if one row's target could do anything */
  tacit_bounded_shares share;
  /* half windows of ramps, once the spreads are found */
  double start_width, slope_width, location_width, spread_width, quantile_width, quantile_location_width,
      last_width;
} tacit_bounded;

void tacit_bounded_rules(const tacit_facts *facts, const tacit_choice *choice, size_t goal,
                         tacit_bounded *rules);
/* The half window of halving i of a bracket of this length. */
double tacit_bounded_halving(double length, int i);
/* The nearest rung of the ladder; and the one with this number. */
double tacit_bounded_rung(double range, double spread);
/* Of a step's share what the location gets, the rest is for the slopes. */
#define TACIT_BOUNDED_LOCATION 0.12

/* Plans on, after a spread or a clip norm was found. */
tacit_status tacit_bounded_plan_on(const tacit_facts *facts, tacit_choice *choice, tacit_release_plan *plan,
                                   tacit_error *error) TACIT_CHECKED;

#endif
