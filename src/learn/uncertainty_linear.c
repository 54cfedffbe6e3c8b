/* How sure a linear rule is. Its releases so far do not say how thick demand lies around it, nor how that
   differs from row to row: the spread of its residuals is learned as that of a rule with one, with a small
   share, and one count says how many are near. */
#include "learn/uncertainty.h"

#include "base/base.h"
#include "loss/rule.h"
#include "num/linalg.h"
#include "num/normal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LOCATION_BANDWIDTH = 0.15; /* as median_newton_step.c has it, in normal spreads */
static const double WINDOW = 0.29;             /* what counting within half a spread smooths by */
static const double NEAR_VARIANCE = 0.06;      /* of the logarithm of how many are near, beforehand */

/* The density at the quantile of a normal residual of spread 1 that is smoothed by h. */
static double smoothed(double tau, double h) {
  double wide = sqrt(1 + h * h);
  return tacit_normal_pdf(tacit_normal_quantile(tau) / wide) / wide;
}

/* One spread for all rows, where the budget buys no more. */
static void one_spread(tacit_scaled *scaled) {
  const tacit_newton *newton = &scaled->newton;
  tacit_log_spread_bounds(newton->range, &scaled->least, &scaled->most);
  scaled->ag = fmax(scaled->least, fmin(scaled->most, log(TACIT_MAD * newton->s)));
  for (size_t k = 0; k < newton->d; k++) scaled->xg[k] = 0;
}

/* The density of residuals in spreads around 0. */
static tacit_status find_near(tacit_scaled *scaled, double *f, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  double z = tacit_normal_quantile(newton->tau), half = TACIT_NEAR_QUANTILE * TACIT_MAD, count, sigma;
  double usual = newton->recipe.share.sure > 0 ? tacit_normal_cdf(half) - tacit_normal_cdf(-half)
                                               : tacit_normal_cdf(z + half) - tacit_normal_cdf(z - half);
  const tacit_score_part part = tacit_scaled_part(scaled, newton->x, newton->a, 0);
  TACIT_TRY(tacit_scaled_ask(scaled, &part, false, error));
  TACIT_TRY(tacit_scaled_within(scaled, &count, &sigma, error));
  double noise = sigma / (newton->n * usual), keep = NEAR_VARIANCE / (NEAR_VARIANCE + noise * noise);
  double more = fmax(0.2, fmin(4, count / (newton->n * usual)));
  *f = usual * (1 + keep * (more - 1)) / (2 * TACIT_NEAR_QUANTILE);
  return TACIT_OK;
}

/* The inverse of [1, c'; c, S + cc'], c and S of rows weighed by 1 / s. */
static tacit_status inverse(const tacit_scaled *scaled, double *A, tacit_error *error) {
  size_t d = scaled->newton.d, size = d + 1;
  double *c = tacit_alloc(d + d * d + size * size, sizeof *c), *S = c + d, *L = S + d * d;
  bool right = c && tacit_weighed_rows(scaled, -1, c, S);
  if (right) {
    L[0] = 1;
    for (size_t j = 0; j < d; j++) {
      L[j + 1] = L[(j + 1) * size] = c[j];
      for (size_t k = 0; k < d; k++) L[(j + 1) * size + k + 1] = S[j * d + k] + c[j] * c[k];
    }
    right = tacit_cholesky(size, L, size);
  }
  memset(A, 0, size * size * sizeof *A);
  for (size_t j = 0; right && j < size; j++) {
    A[j * size + j] = 1;
    tacit_solve_lower(size, L, size, A + j * size);
    tacit_solve_lower_turned(size, L, size, A + j * size);
  }
  free(c);
  return right ? TACIT_OK : tacit_no_memory(error);
}

/* Location and slopes: what rows by chance are, as far as steps have followed them, and what noise and belief
   leave. */
static tacit_status covariance(const tacit_scaled *scaled, double f_spreads, double *C, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  size_t size = newton->d + 1;
  tacit_tilted tilted;
  TACIT_TRY(tacit_scaled_tilted(scaled, &tilted, error));
  double f = f_spreads / tilted.h / smoothed(newton->tau, WINDOW), h = newton->recipe.slope_bandwidth;
  double f_location = f * smoothed(newton->tau, LOCATION_BANDWIDTH), f_slopes = f * smoothed(newton->tau, h);
  double location = tacit_score_variance(newton->tau, LOCATION_BANDWIDTH * newton->s, f_location) /
                    newton->n / (f_location * f_location);
  double reach = fmax(1, newton->recipe.score_clip / newton->recipe.clip_part), slopes = 0;
  if (newton->d)
    slopes = tacit_score_variance(newton->tau, h * newton->s, f_slopes) / newton->n / (f_slopes * f_slopes) *
             tacit_clip_scatter(reach * reach, newton->recipe.score_clip);
  double *A = tacit_alloc(size * size, sizeof *A);
  tacit_status status = A ? inverse(scaled, A, error) : tacit_no_memory(error);
  for (size_t i = 0; status == TACIT_OK && i < size; i++)
    for (size_t j = 0; j < size; j++) {
      double sum = 0, taken = (1 - (i ? newton->left[i - 1] : newton->left_a)) *
                              (1 - (j ? newton->left[j - 1] : newton->left_a));
      for (size_t k = 0; k < size; k++)
        sum += A[i * size + k] * (k ? slopes * newton->gamma[k - 1] : location) * A[j * size + k];
      C[i * size + j] = taken * sum + (i != j ? 0 : i ? newton->V[i - 1] : newton->Va);
    }
  free(A);
  return status;
}

static tacit_status carry(const tacit_scaled *scaled, double f, tacit_sources *sources, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  double *x = newton->step; /* it is not needed any more */
  TACIT_TRY(covariance(scaled, f, sources->covariance, error));
  for (size_t i = 0; i <= newton->d; i++) {
    for (size_t k = 0; k < newton->d; k++) x[k] = k + 1 == i;
    tacit_newton_coefficients(newton, x, i == 0, sources->carried + i * sources->numbers);
  }
  return tacit_sources_give(sources, newton->task, newton->target, error);
}

tacit_status tacit_linear_uncertainty(tacit_scaled *scaled, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  tacit_sources sources;
  double f;
  bool far = newton->task->choice.way[newton->target] == TACIT_WAY_FAR;
  if (!newton->task->choice.intervals || far) return TACIT_OK;
  if (newton->recipe.share.sure > 0)
    TACIT_TRY(tacit_scaled_spread(scaled, error));
  else
    one_spread(scaled);
  TACIT_TRY(find_near(scaled, &f, error));
  bool opened = tacit_sources_open(&sources, newton->d + 1, newton->task);
  tacit_status status = opened ? carry(scaled, f, &sources, error) : tacit_no_memory(error);
  tacit_sources_close(&sources);
  for (size_t k = 0; k < newton->d; k++) scaled->xg[k] = 0; /* the rule has none */
  scaled->ag = 0;
  return status;
}
