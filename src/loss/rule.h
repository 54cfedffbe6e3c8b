/* How an order follows from an encoded row x, intercept first, in units of the encoded target:

     q(x) = b'x,   or with a spread   q(x) = b'x + k exp(g'x),   g'x held to [log(2R/2^12), log(2R)].

   b coefficients · exp(g'x) the spread of demand there, between a part of the target's range and all of it ·
   k how many spreads the order lies above b'x · R half the target's range (tacit_scale_reach). */
#ifndef TACIT_SRC_RULE_H
#define TACIT_SRC_RULE_H

#include <stdbool.h>
#include <stddef.h>

enum { TACIT_SPREAD_BITS = 12 }; /* a spread is at least 2^-12 of the target's range */

typedef struct tacit_rule {
  size_t columns;
  const double *coefficients; /* b */
  const double *spread;       /* NULL: the rule is linear; else columns + 1 numbers: g, then k */
  double reach;               /* R; of a linear rule it does not matter */
} tacit_rule;

/* Without a spread, or none of it in the order: k = 0. */
bool tacit_rule_is_linear(const tacit_rule *rule);
/* Not held to the target's bounds: that is for who orders. */
double tacit_rule_order(const tacit_rule *rule, const double *x);

/* What spreads and their logarithms are held to. */
void tacit_log_spread_bounds(double reach, double *low, double *high);
/* spread[i] = exp(logarithm[i]), the logarithm held to its bounds; a NaN counts as the upper one. The same
   bits for any n, and on any processor. Both may be the same array. */
void tacit_spreads(double reach, size_t n, const double *logarithm, double *spread);

#endif
