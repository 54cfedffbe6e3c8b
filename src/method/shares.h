/* Shares of a budget of mu^2 and the noise they buy: what learners spend by, and what verification computes
   again (proofs/composition.md). */
#ifndef TACIT_SRC_SHARES_H
#define TACIT_SRC_SHARES_H

#include <stddef.h>

/* Noise is raised by this much, so that the recomputed guarantee, rounded up, stays within the claimed one.
 */
#define TACIT_HEADROOM (1 + 0x1p-40)

/* The noise of a release that gets a share of mu^2, in the units of its sensitivity. */
double tacit_share_sigma(double sensitivity, double mu, double share);
/* share[t] proportional to growth^t, summing to 1. */
void tacit_growing_shares(size_t steps, double growth, double *share);
/* How far the noise of such shares, computed with another system's exponentials and logarithms, may be from
   this one's, relatively. */
double tacit_growing_slack(size_t steps, double growth);

#endif
