/* Going on from the last policy: order = x'b at the median, and x'b + k0 + k1 t(x) at another quantile, t(x)
   being how far x'b lies from a usual row's, in spreads of x'b.

   What is known of b is a normal belief, with covariance P. A period adds drift to it: each coefficient by
   itself, and all together, since demand as a whole grows or shrinks. The rows' mean is released, and gives
   their second moment M as if features were independent. In the basis V with V'MV = 1 and V^-1 P V^-1' = diag
   e, a step is made coordinate by coordinate: the released scores g have expectation n f (b - truth), the
   gain is v / (v + noise), and what the sample itself cannot know is kept apart (c = 1 / (4 n f^2)) and
   joined at the end.

   n rows · p columns · s spread of the residuals · f their density at the median, as if they were normal ·
   V as above · x steps so far in its coordinates · e what is believed before, v of the sample's own optimum.
 */
#ifndef TACIT_SRC_LEARN_FOLLOW_H
#define TACIT_SRC_LEARN_FOLLOW_H

#include "learn/task.h"
#include "method/follow.h"
#include "method/state.h"

typedef struct tacit_follower {
  tacit_task *task;
  tacit_follow_recipe recipe;
  tacit_state *state; /* as it will be released */
  size_t p, column;
  double n, range, sampling; /* sampling: c above */
  double *mean;              /* of the rows, the intercept's among them, */
  double *M, *root;          /* their second moment, its square root, */
  double *V, *P;             /* and the basis; P is room, too */
  double *e, *v, *x, *at, *released, *values;
  uint64_t *sum;
  tacit_row_image image;
  double *matrix;
} tacit_follower;

/* Centre and spread of the target by counts, where nothing came before. */
tacit_status tacit_follow_begin(tacit_follower *follower, tacit_error *error) TACIT_CHECKED;
/* Mean and second moment of the rows; then drift and the basis. */
tacit_status tacit_follow_rows(tacit_follower *follower, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_follow_basis(tacit_follower *follower, tacit_error *error) TACIT_CHECKED;
/* Scores of rows seen through the image, at coefficients of its columns; released as the plan's next. With a
   count of residuals within the spread where it is asked for. */
tacit_status tacit_follow_ask(tacit_follower *follower, const tacit_score_part *part, bool count,
                              tacit_error *error) TACIT_CHECKED;
tacit_status tacit_follow_scores(tacit_follower *follower, const tacit_score_part *part, double *sigma,
                                 tacit_error *error) TACIT_CHECKED;
/* The quantile's place above the median. */
tacit_status tacit_follow_tail(tacit_follower *follower, tacit_error *error) TACIT_CHECKED;

#endif
