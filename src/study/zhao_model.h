/* The linear demand of Zhao, Zhou and Wang's section 6.1: d = x'theta* + e with three laws of e and one more,
   its best policy, and the regret of any other. */
#ifndef TACIT_SRC_ZHAO_MODEL_H
#define TACIT_SRC_ZHAO_MODEL_H

#include "data/sample.h"
#include "random/random.h"

typedef enum tacit_zhao_law {
  TACIT_ZHAO_NORMAL,                  /* N(0, 1) */
  TACIT_ZHAO_T3,                      /* Student's t, three degrees of freedom */
  TACIT_ZHAO_MIXTURE,                 /* 0.9 N(0, 1) + 0.1 N(0, 100) */
  TACIT_ZHAO_LAWS,                    /* the paper's, in its order */
  TACIT_ZHAO_HETERO = TACIT_ZHAO_LAWS /* ours: N(0, 1) times 1 + |z1| / 2; zhao_hetero.c */
} tacit_zhao_law;

enum { TACIT_ZHAO_COLUMNS = 5 }; /* the intercept and z1..z4 */

const char *tacit_zhao_label(tacit_zhao_law law);

/* One row: x = (1, z), z normal with covariance 0.5^|j-k|; returns the demand d. */
double tacit_zhao_draw(tacit_stream *stream, tacit_zhao_law law, double x[TACIT_ZHAO_COLUMNS]);
/* So many rows in their own units; *sample is the caller's, finished. A shorter sample is the start of a
 * longer. */
tacit_status tacit_zhao_sample(tacit_stream *stream, tacit_zhao_law law, size_t rows, tacit_sample **sample,
                               tacit_error *error) TACIT_CHECKED;

double tacit_zhao_cdf(tacit_zhao_law law, double e);
double tacit_zhao_quantile(tacit_zhao_law law, double tau);
/* beta* = theta* + (Q_e(tau), 0, 0, 0, 0) */
void tacit_zhao_best(tacit_zhao_law law, double tau, double best[TACIT_ZHAO_COLUMNS]);

/* E C(x'b, d) - E C(x'beta*, d) for b + h = 1, without simulation: x'(b - theta*) is normal, so the mean over
   x is one integral, and for normal errors none at all. Good to about 1e-9. */
double tacit_zhao_regret(tacit_zhao_law law, double tau, const double b[TACIT_ZHAO_COLUMNS]);

/* The same three for TACIT_ZHAO_HETERO; theta are the true coefficients. */
double tacit_zhao_hetero_spread(double z1);
double tacit_zhao_hetero_cdf(double e);
double tacit_zhao_hetero_regret(double tau, double q, const double theta[TACIT_ZHAO_COLUMNS],
                                const double b[TACIT_ZHAO_COLUMNS]);

#endif
