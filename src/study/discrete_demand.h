/* The restricted discrete demand of the companion's EC.2.4. */
#ifndef TACIT_SRC_DISCRETE_DEMAND_H
#define TACIT_SRC_DISCRETE_DEMAND_H

#include "random/random.h"

enum { TACIT_DISCRETE_COLUMNS = 3 };
#define TACIT_DISCRETE_TAU 0.7
#define TACIT_DISCRETE_THRESHOLD 0.5 /* Assumption EC.1's tau */

/* y = 10 + 5 x1 - 2 x2 + e with whole numbers x1, x2: Chen and Chua's normal features, rounded, within the
   disc of radius
   10. e is a whole number, but with probability e^(-4) lies within 1/2 of its 0.7-quantile 1/2, at a distance
   T with Pr(T <= t) = e^(-1/t^2): Assumption EC.1 with equality. x[0] = 1; returns y. */
double tacit_discrete_draw(tacit_stream *stream, double x[TACIT_DISCRETE_COLUMNS]);
/* The minimiser of the expected loss at r = 0.7: (10.5, 5, -2) (companion, Lemma EC.8). */
extern const double tacit_discrete_best[TACIT_DISCRETE_COLUMNS];
/* Its expected loss. */
double tacit_discrete_least(void);
/* The relative excess expected loss of another rule, exactly. */
double tacit_discrete_excess(const double theta[TACIT_DISCRETE_COLUMNS]);

#endif
