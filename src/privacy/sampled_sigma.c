/* The noise that sampled steps need for an asked guarantee: the privacy curve's bounds inverted. */
#include "privacy/sampled.h"

#include <math.h>

/* What normal noise without sampling would suggest: T q^2 (e^(s^2) - 1) = mu^2. Only a place to start. */
static double first_guess(const tacit_sampled *of, double epsilon, double delta) {
  double mu = 1;
  if (tacit_gdp_mu(epsilon, delta, &mu, NULL) != TACIT_OK) mu = 1;
  double ratio = mu / of->rate, s = sqrt(log1p(ratio * ratio / (double)of->steps));
  double sigma = (of->adjacency == TACIT_REPLACE_ONE ? 2 : 1) / s;
  return fmin(fmax(sigma, TACIT_SAMPLED_SIGMA_MIN), TACIT_SAMPLED_SIGMA_MAX);
}

/* ln of a bound on delta over the asked delta: falls as sigma grows. */
static tacit_status excess(const tacit_sampled *of, double sigma, double epsilon, double delta, bool upper,
                           double *out, tacit_error *error) {
  tacit_sampled at = *of;
  tacit_interval bounds;
  at.sigma = sigma;
  TACIT_TRY(tacit_sampled_delta(&at, epsilon, &bounds, error));
  double bound = upper ? bounds.upper : bounds.lower;
  *out = bound > 0 ? log(bound / delta) : -1000;
  return TACIT_OK;
}

/* A bracket: *low has too little noise by this bound, *high enough. At the smallest sigma both may have
 * enough. */
typedef struct bracket {
  double low, high, at_low, at_high;
} bracket;

static tacit_status find_bracket(const tacit_sampled *of, double epsilon, double delta, bracket *b,
                                 tacit_error *error) {
  double sigma = first_guess(of, epsilon, delta), factor = 1.02, at;
  TACIT_TRY(excess(of, sigma, epsilon, delta, true, &at, error));
  *b = (bracket){sigma, sigma, at, at};
  while (b->at_high > 0) {
    b->low = b->high, b->at_low = b->at_high;
    if (b->high >= TACIT_SAMPLED_SIGMA_MAX)
      return tacit_fail(error, TACIT_USAGE,
                        "no noise up to %g clip norms meets this epsilon and delta; allow more",
                        TACIT_SAMPLED_SIGMA_MAX);
    b->high = fmin(b->high * factor, TACIT_SAMPLED_SIGMA_MAX);
    factor *= factor;
    TACIT_TRY(excess(of, b->high, epsilon, delta, true, &b->at_high, error));
  }
  while (b->at_low <= 0 && b->low > TACIT_SAMPLED_SIGMA_MIN) {
    b->high = b->low, b->at_high = b->at_low;
    b->low = fmax(b->low / factor, TACIT_SAMPLED_SIGMA_MIN);
    factor *= factor;
    TACIT_TRY(excess(of, b->low, epsilon, delta, true, &b->at_low, error));
  }
  return TACIT_OK;
}

/* Good enough: the bound is within this of the asked delta, in ln. */
static const double NEAR = 2e-5;

/* Secants in ln sigma that aim at the safe side, and a halving where they crawl. */
static tacit_status solve(const tacit_sampled *of, double epsilon, double delta, bracket *b,
                          tacit_error *error) {
  TACIT_TRY(find_bracket(of, epsilon, delta, b, error));
  for (int i = 0; b->at_low > 0 && b->at_high < -NEAR && b->high / b->low - 1 > 1e-12; i++) {
    double width = log(b->high / b->low), at;
    double share = i % 4 == 3 ? 0.5 : (b->at_low + NEAR / 2) / (b->at_low - b->at_high);
    double sigma = b->low * exp(width * fmin(fmax(share, 1e-3), 1 - 1e-3));
    TACIT_TRY(excess(of, sigma, epsilon, delta, true, &at, error));
    if (at > 0)
      b->low = sigma, b->at_low = at;
    else
      b->high = sigma, b->at_high = at;
  }
  return TACIT_OK;
}

static tacit_status check_goal(double epsilon, double delta, tacit_error *error) {
  if (!(delta >= 1e-100 && delta < 1))
    return tacit_fail(error, TACIT_USAGE, "delta must be at least 1e-100 and below 1, such as 1e-6");
  if (!(epsilon >= 0 && epsilon <= TACIT_SAMPLED_EPSILON_MAX))
    return tacit_fail(error, TACIT_USAGE, "epsilon must be at least 0 and at most %g",
                      TACIT_SAMPLED_EPSILON_MAX);
  return TACIT_OK;
}

tacit_status tacit_sampled_sigma(const tacit_sampled *sampled, double epsilon, double delta, double *sigma,
                                 tacit_error *error) {
  bracket b;
  TACIT_TRY(check_goal(epsilon, delta, error));
  TACIT_TRY(solve(sampled, epsilon, delta, &b, error));
  *sigma = b.high;
  return TACIT_OK;
}

/* Below the upper bound's answer, first by what the width of the curve's interval suggests, then further. */
tacit_status tacit_sampled_sigma_bounds(const tacit_sampled *sampled, double epsilon, double delta,
                                        tacit_interval *sigma, tacit_error *error) {
  TACIT_TRY(tacit_sampled_sigma(sampled, epsilon, delta, &sigma->upper, error));
  sigma->lower = 0; /* even the least noise there is would do */
  for (int doublings = -12; doublings < 0; doublings += 2) {
    double low = sigma->upper * (1 - ldexp(1, doublings)), at;
    if (low < TACIT_SAMPLED_SIGMA_MIN) return TACIT_OK;
    TACIT_TRY(excess(sampled, low, epsilon, delta, false, &at, error));
    if (at > 0) {
      sigma->lower = low;
      return TACIT_OK;
    }
  }
  return TACIT_OK;
}
