/* Costs that rise with the amount: what is missing or left over is charged by tiers, each dearer than the one
   before (Chen and Chua, section 6).

     cost(d) = sum of shortage rates over d > 0, of leftover rates over -d > 0,   d = demand - order

   The slope of the cost in the order, from -B to H, is B + H times F(order - demand) - tau, with tau =
   B / (B + H) and F a distribution function of a few steps: at the kinks s_k, of heights w_k. So the cheapest
   order is the tau-quantile of demand + S, where S is s_k with probability w_k, and whatever a learner asks
   about a row's target is answered as the mean over S (proofs/tiers.md). */
#ifndef TACIT_SRC_TIERS_H
#define TACIT_SRC_TIERS_H

#include "schema/fields.h"

enum {
  TACIT_TIERS_MAX = 8, /* of shortages, and of leftovers */
  TACIT_KINKS_MAX = 2 * TACIT_TIERS_MAX - 1,
  TACIT_KINK_BITS = 16 /* a kink's weight is an integer multiple of 2^-16 */
};

typedef struct tacit_tier {
  double below, rate; /* `rate` for each unit up to `below` of them, beyond the tier before; +inf: for all */
} tacit_tier;

struct tacit_tiers {
  tacit_tier shortage[TACIT_TIERS_MAX], leftover[TACIT_TIERS_MAX];
  size_t shortages, leftovers;
  size_t kinks;
  double shift[TACIT_KINKS_MAX];   /* s_k in units of the encoded target, ascending */
  int32_t weight[TACIT_KINKS_MAX]; /* w_k, together 2^TACIT_KINK_BITS */
  double underage, overage;        /* B and H, the rates of the last tiers */
};

/* The key "cost" of a target, whose scale is known. */
tacit_status tacit_tiers_parse(const tacit_fields *fields, tacit_target *target) TACIT_CHECKED;
/* What a shortage (above 0) or a leftover (below 0) costs, in the user's units. */
double tacit_tiers_cost(const tacit_tiers *tiers, double shortage);

#endif
