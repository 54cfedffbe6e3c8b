/* The default learner's public constants: functions of n, d, tau, mu and the schema, fitted by simulation on
   synthetic problems (bench/default_learner). */
#include "learn/median_newton.h"

#include "num/gamma.h"

#include <math.h>

/* Shares of mu^2 before they are scaled to one. */
static const tacit_newton_shares KNOWN = {
    .mean = 0.03, .moment = 0.12, .median = 0.45, .quantile = 0.18, .last = 0.06};
static const tacit_newton_shares WIDE = {
    .mean = 0.08, .radius = 0.02, .moment = 0.12, .median = 0.45, .quantile = 0.18, .last = 0.06};
static const tacit_newton_shares NO_FEATURES = {.target = 0.4, .quantile = 0.4, .last = 0.2};
/* Bisection by counts needs a noise of some rows, whatever n: a larger share where n mu is small. */
static const double TARGET_LEAST = 0.03, TARGET_MOST = 0.3, TARGET_FEW = 600;
/* No slopes where n mu < FEW + MANY d: they would be noise. */
static const double FEW = 20, MANY = 2;
/* mu sqrt(n / d) from which on sampling error, not noise, rules. */
static const double RICH = 9;
/* Clip norm of a whitened row in sqrt(d), and bandwidth of the slopes' scores in residual spreads, at least.
 */
static const double CLIP = 0.5, BANDWIDTH = 0.15;
static const double GROWTH = 1.1;

static tacit_newton_shares scaled(tacit_newton_shares s, double target) {
  double rest = (1 - target) / (s.mean + s.radius + s.moment + s.median + s.quantile + s.last);
  return (tacit_newton_shares){.target = target,
                               .mean = s.mean * rest,
                               .radius = s.radius * rest,
                               .moment = s.moment * rest,
                               .median = s.median * rest,
                               .quantile = s.quantile * rest,
                               .last = s.last * rest};
}

/* c with E min(1, B / |z|) z z' = c I for z standard normal in d dimensions: what clipping leaves of the
 * curvature. */
static double clip_gain(double d, double B) {
  return tacit_chi_square_cdf(d + 2, B * B) +
         B / d * sqrt(2) * tacit_gamma_ratio(d) * (1 - tacit_chi_square_cdf(d + 1, B * B));
}

void tacit_newton_choose(tacit_newton *newton, double mu_per_row) {
  double n = newton->n;
  if (n * mu_per_row < FEW + MANY * (double)newton->d) newton->d = 0;
  if (newton->d == 0) {
    newton->share = scaled(NO_FEATURES, NO_FEATURES.target);
    return;
  }
  double d = (double)newton->d, few = TARGET_FEW / (n * mu_per_row) / (n * mu_per_row);
  newton->share = scaled(newton->known ? KNOWN : WIDE, fmax(TARGET_LEAST, fmin(TARGET_MOST, few)));
  newton->rich = fmin(1, mu_per_row * sqrt(n / d) / RICH);
  newton->clip = fmax(CLIP, newton->rich) * sqrt(d);
  newton->clip_gain = clip_gain(d, newton->clip);
  newton->slope_bandwidth = fmax(BANDWIDTH, newton->rich / 2);
}

void tacit_newton_median_shares(double share[TACIT_MEDIAN_STEPS]) {
  double sum = 0;
  for (int t = 0; t < TACIT_MEDIAN_STEPS; t++) sum += share[t] = pow(GROWTH, t);
  for (int t = 0; t < TACIT_MEDIAN_STEPS; t++) share[t] /= sum;
}
