/* The noise that sampled steps need for an asked guarantee: the privacy curve's bounds inverted. */
#include "privacy/sampled.h"
#include "privacy/sampled_rdp.h"

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

static tacit_status find_bracket(const tacit_sampled *of, double epsilon, double delta, bool upper,
                                 bracket *b, tacit_error *error) {
  double sigma = first_guess(of, epsilon, delta), factor = 1.02, at;
  TACIT_TRY(excess(of, sigma, epsilon, delta, upper, &at, error));
  *b = (bracket){sigma, sigma, at, at};
  while (b->at_high > 0) {
    b->low = b->high, b->at_low = b->at_high;
    if (b->high >= TACIT_SAMPLED_SIGMA_MAX)
      return tacit_fail(error, TACIT_USAGE,
                        "no noise up to %g clip norms meets this epsilon and delta; allow more",
                        TACIT_SAMPLED_SIGMA_MAX);
    b->high = fmin(b->high * factor, TACIT_SAMPLED_SIGMA_MAX);
    factor *= factor;
    TACIT_TRY(excess(of, b->high, epsilon, delta, upper, &b->at_high, error));
  }
  while (b->at_low <= 0 && b->low > TACIT_SAMPLED_SIGMA_MIN) {
    b->high = b->low, b->at_high = b->at_low;
    b->low = fmax(b->low / factor, TACIT_SAMPLED_SIGMA_MIN);
    factor *= factor;
    TACIT_TRY(excess(of, b->low, epsilon, delta, upper, &b->at_low, error));
  }
  return TACIT_OK;
}

/* Secants in ln sigma, kept inside the bracket and never less than a thirtieth of it away from its ends. */
static tacit_status solve(const tacit_sampled *of, double epsilon, double delta, bool upper, bracket *b,
                          tacit_error *error) {
  TACIT_TRY(find_bracket(of, epsilon, delta, upper, b, error));
  while (b->at_low > 0 && b->high / b->low - 1 > 1e-7) {
    double width = log(b->high / b->low), share = b->at_low / (b->at_low - b->at_high), at;
    share = fmin(fmax(share, 1.0 / 30), 29.0 / 30);
    double sigma = b->low * exp(width * share);
    TACIT_TRY(excess(of, sigma, epsilon, delta, upper, &at, error));
    if (at > 0)
      b->low = sigma, b->at_low = at;
    else
      b->high = sigma, b->at_high = at;
  }
  return TACIT_OK;
}

tacit_status tacit_sampled_sigma(const tacit_sampled *sampled, double epsilon, double delta, double *sigma,
                                 tacit_error *error) {
  bracket b;
  if (!(delta > 0 && delta < 1)) return tacit_fail(error, TACIT_USAGE, "delta must be above 0 and below 1");
  TACIT_TRY(solve(sampled, epsilon, delta, true, &b, error));
  *sigma = b.high;
  return TACIT_OK;
}

tacit_status tacit_sampled_sigma_bounds(const tacit_sampled *sampled, double epsilon, double delta,
                                        tacit_interval *sigma, tacit_error *error) {
  bracket b;
  TACIT_TRY(tacit_sampled_sigma(sampled, epsilon, delta, &sigma->upper, error));
  TACIT_TRY(solve(sampled, epsilon, delta, false, &b, error));
  sigma->lower = b.at_low > 0 ? b.low : 0; /* 0: even the least noise there is would do */
  return TACIT_OK;
}
