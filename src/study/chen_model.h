/* The demand of Chen and Chua's section 5 with d = 3, y = 10 + 5 x1 - 2 x2 + e on a disc of features, and of
   Chen and Chua's appendix C with d = 51 in the two features on which its errors may depend: the best linear
   order, and the risk of any other. */
#ifndef TACIT_SRC_CHEN_MODEL_H
#define TACIT_SRC_CHEN_MODEL_H

#include "random/random.h"

enum {
  TACIT_CHEN_COLUMNS = 3, /* the intercept, x1 and x2 */
  TACIT_CHEN_RADII = 48,  /* nodes of the risk's integral, from the centre outward */
  TACIT_CHEN_ANGLES = 24, /* in each quadrant: |x1 x2| has its kinks between them */
  TACIT_CHEN_NODES = TACIT_CHEN_RADII * TACIT_CHEN_ANGLES * 4
};
#define TACIT_CHEN_TAU 0.7 /* Chen and Chua's r */

typedef struct tacit_chen {
  bool endogenous;                        /* e = N(0, 9) + x1 - x2 + |x1 x2| instead of N(0, 9) */
  double theta[TACIT_CHEN_COLUMNS];       /* of the demand: y = theta'(1, x1, x2) + e */
  double sd1, sd2, radius;                /* of the features, and where they end */
  double best[TACIT_CHEN_COLUMNS], least; /* theta* and its risk */
  double x1[TACIT_CHEN_NODES], x2[TACIT_CHEN_NODES], weight[TACIT_CHEN_NODES];
} tacit_chen;

/* Fills in all of it. TACIT_INTERNAL when the best order is not found, which does not happen. */
tacit_status tacit_chen_init(tacit_chen *chen, bool endogenous, tacit_error *error) TACIT_CHECKED;
/* The same for features of another law; theta, sd1, sd2, radius and endogenous are the caller's. */
tacit_status tacit_chen_solve(tacit_chen *chen, tacit_error *error) TACIT_CHECKED;
/* One row: x1 ~ N(0, sd1^2) and x2 ~ N(0, sd2^2) within the disc (2, 3 and 10 for d = 3); returns the demand.
 */
double tacit_chen_draw(const tacit_chen *chen, tacit_stream *stream, double *x1, double *x2);
/* E rho_tau(y - b0 - b1 x1 - b2 x2): over e exactly, over x by Gauss's rule, good to about 1e-9. */
double tacit_chen_risk(const tacit_chen *chen, const double b[TACIT_CHEN_COLUMNS]);
/* The same where further features add a normal error of this variance to the order. */
double tacit_chen_risk_wide(const tacit_chen *chen, const double b[TACIT_CHEN_COLUMNS], double variance);

#endif
