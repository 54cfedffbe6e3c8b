/* Learners without privacy: smoothed ERM, exact ERM, SAA. Coefficients are of the encoded columns.
   Their policies say that they are not private. */
#ifndef TACIT_SRC_ERM_H
#define TACIT_SRC_ERM_H

#include "data/sample.h"
#include "loss/kernel.h"

/* l_h: the check loss of the quantile tau, smoothed by a kernel of bandwidth h. */
typedef struct tacit_erm_loss {
  double tau;
  tacit_kernel kernel;
  double h;
} tacit_erm_loss;

/* argmin over b of (1/n) sum of l_h(y_i - x_i'b): Newton's method with Levenberg damping and backtracking, to
   a gradient norm of at most 1e-10 (and as far below as rounding allows). target picks y. Rank-deficient
   designs are fine (any minimiser). TACIT_INTERNAL if it cannot get there. */
tacit_status tacit_erm_smooth(const tacit_sample *sample, size_t target, const tacit_erm_loss *loss,
                              double *coefficients, const tacit_context *context,
                              tacit_error *error) TACIT_CHECKED;

/* About the same: a start for the exact fit. A loss->h of zero becomes share (above 0) times the spread of
   the least-squares residuals; a spread of zero fails. */
tacit_status tacit_erm_rough(const tacit_sample *sample, size_t target, tacit_erm_loss *loss, double share,
                             double *coefficients, const tacit_context *context,
                             tacit_error *error) TACIT_CHECKED;

/* Sets loss->h from the residuals of a rough fit, for a smoothed loss that is near the check loss. */
tacit_status tacit_erm_bandwidth(const tacit_sample *sample, size_t target, tacit_erm_loss *loss,
                                 const tacit_context *context, tacit_error *error) TACIT_CHECKED;
/* Smoothed ERM with that bandwidth, or a wider one where rounding does not let it settle. */
tacit_status tacit_erm_fit(const tacit_sample *sample, size_t target, double tau, tacit_kernel kernel,
                           double *coefficients, const tacit_context *context,
                           tacit_error *error) TACIT_CHECKED;

/* A rule with a spread (loss/rule.h) for the quantile tau; reach is the target's (tacit_scale_reach). */
typedef struct tacit_spread_fit {
  double tau, reach;
  double *coefficients, *spread; /* to be filled: columns, columns + 1 */
} tacit_spread_fit;

/* Median regression of y, median regression of the logarithm of its residuals, then quantile regression with
   the spread as one column more. */
tacit_status tacit_erm_spread(const tacit_sample *sample, size_t target, const tacit_spread_fit *out,
                              const tacit_context *context, tacit_error *error) TACIT_CHECKED;

/* argmin over b of sum of rho_tau(y_i - x_i'b), by the dual linear program (Koenker) through CLP, then
   polished on the interpolated rows to full precision. On a large table only rows near a smoothed fit enter
   the program; the result is proved optimal over all rows either way. */
tacit_status tacit_erm_exact(const tacit_sample *sample, size_t target, double tau, double *coefficients,
                             const tacit_context *context, tacit_error *error) TACIT_CHECKED;

/* The ceil(tau n)-th order statistic of the target as intercept, all slopes zero. */
tacit_status tacit_saa(const tacit_sample *sample, size_t target, double tau, double *coefficients,
                       tacit_error *error) TACIT_CHECKED;

/* The same two for costs in tiers (schema/tiers.h), of which the target's own quantile follows. */
tacit_status tacit_erm_exact_tiers(const tacit_sample *sample, size_t target, const tacit_tiers *tiers,
                                   double *coefficients, const tacit_context *context,
                                   tacit_error *error) TACIT_CHECKED;
tacit_status tacit_saa_tiers(const tacit_sample *sample, size_t target, const tacit_tiers *tiers,
                             double *coefficients, tacit_error *error) TACIT_CHECKED;

/* sum of rho_tau over the rows: for tests and for comparing fits. */
double tacit_check_objective(const tacit_sample *sample, size_t target, double tau,
                             const double *coefficients);

#endif
