/* What a policy says of what was learned, beyond its rule, so that the next one can go on from it: where the
   median lies and how sure that is, how far demand scatters around it, and how the quantile lies to it. In
   encoded units, computed from releases alone (proofs/follow.md). */
#ifndef TACIT_SRC_STATE_H
#define TACIT_SRC_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <tacit/base.h>
#include <tacit/method.h>

typedef struct tacit_state {
  size_t columns;
  double *centre;         /* coefficients of the median, */
  double *covariance;     /* the lower triangle of their covariance, row by row; */
  double spread;          /* two thirds of the residuals are within it, */
  double spread_variance; /* and how sure its logarithm is; */
  /* the quantile lies tail[0] above the median of a usual row, and tail[1] more for each spread of medians */
  double tail[2], tail_variance[2];
} tacit_state;

/* The square of so many columns is kept. */
enum { TACIT_STATE_COLUMNS_MAX = 400 };

tacit_status tacit_state_new(size_t columns, tacit_state **state, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_state_copy(const tacit_state *from, tacit_state **to, tacit_error *error) TACIT_CHECKED;
void tacit_state_free(tacit_state *state);
/* Whether these can be such numbers, and none so large that a learner could not go on. */
bool tacit_state_sound(const tacit_state *state);

/* A policy that a fit goes on from: made by tacit_policy_start (src/policy), which looks whether it may be.
 */
struct tacit_start {
  tacit_state *state;
  double quantile;
  bool private;    /* false: whatever is learned from here is not either */
  char hash[65];   /* of the policy's bytes, */
  char schema[65]; /* and of its schema */
};

#endif
