/* Days that sold out, in a pass over scores: their demand was more than what was sold, and each counts with
   the chance that it lay below the order, given that (proofs/sold-out.md). */
#ifndef TACIT_SRC_SOLD_BLOCK_H
#define TACIT_SRC_SOLD_BLOCK_H

#include "data/design.h"

/* Demand about the rule is taken to have a law with a skew (num/skewed.h), normal without, and the rule to be
   its tau-quantile: what was sold lies `gap` below the rule, where demand has the probability F(z - gap) to
   be less. Distances are in standard deviations of a normal law of the same spread. */
typedef struct tacit_sold_rule {
  float tau, z;           /* the law's tau-quantile */
  float skew, per, along; /* F(t) = Phi(log(1 + along t) per), with skew 0 Phi(t) */
  float low, high;        /* F at span below and above the rule */
} tacit_sold_rule;
tacit_sold_rule tacit_sold_rule_of(double tau, double span, double skew);

/* Whether a row's target says so (schema/sold.h). */
static inline bool tacit_is_sold(const int32_t *targets, size_t i) {
  return targets[i] & 1;
}

/* The chance to lie below the rule, and that to lie within span of it; in [0, 1]. */
float tacit_sold_below(const tacit_sold_rule *rule, float gap);
float tacit_sold_within(const tacit_sold_rule *rule, float gap);
/* Of a spread s about the median: the chance of |demand - median| < s, where what was sold lies `gap`
   standard deviations below the median. */
float tacit_sold_near(float gap);

#endif
