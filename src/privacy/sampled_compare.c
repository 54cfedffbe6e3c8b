/* What other accountants say of the same sampled steps. */
#include "privacy/rdp.h"
#include "privacy/sampled.h"
#include "privacy/sampled_rdp.h"

#include <float.h>
#include <math.h>

tacit_status tacit_sampled_rdp_at(const tacit_sampled *sampled, double order, double *rdp,
                                  tacit_error *error) {
  TACIT_TRY(tacit_sampled_check(sampled, error));
  if (!(order > 1 && order <= 1e4))
    return tacit_fail(error, TACIT_USAGE, "the order must be above 1 and at most 1e4");
  *rdp = 0;
  for (size_t i = 0; i < tacit_sampled_directions(sampled); i++) {
    tacit_step_curve curve;
    tacit_step_curve_set(&curve, tacit_sampled_direction(sampled, i), sampled->rate, sampled->sigma);
    *rdp = fmax(*rdp, tacit_step_rdp(&curve, order));
  }
  *rdp *= (double)sampled->steps * (1 + 4 * DBL_EPSILON);
  return TACIT_OK;
}

static tacit_status rdp_epsilon(const tacit_sampled *sampled, double log_order, double delta, double *epsilon,
                                tacit_error *error) {
  double rdp = 0, order = 1 + exp(log_order);
  TACIT_TRY(tacit_sampled_rdp_at(sampled, order, &rdp, error));
  *epsilon = tacit_rdp_epsilon_at(order, rdp, delta);
  return TACIT_OK;
}

/* Golden sections over ln(order - 1); any order gives a bound. */
static tacit_status best_rdp_epsilon(const tacit_sampled *sampled, double delta, double *best,
                                     tacit_error *error) {
  const double golden = 0.6180339887498949;
  double low = log(1e-2), high = log(1e3), a = high - golden * (high - low), b = low + golden * (high - low);
  double at_a, at_b;
  TACIT_TRY(rdp_epsilon(sampled, a, delta, &at_a, error));
  TACIT_TRY(rdp_epsilon(sampled, b, delta, &at_b, error));
  for (int i = 0; i < 24; i++) {
    if (at_a < at_b) {
      high = b, b = a, at_b = at_a, a = high - golden * (high - low);
      TACIT_TRY(rdp_epsilon(sampled, a, delta, &at_a, error));
    } else {
      low = a, a = b, at_a = at_b, b = low + golden * (high - low);
      TACIT_TRY(rdp_epsilon(sampled, b, delta, &at_b, error));
    }
  }
  *best = fmin(at_a, at_b);
  return TACIT_OK;
}

tacit_status tacit_sampled_compare(const tacit_sampled *sampled, double delta, tacit_accountants *out,
                                   tacit_error *error) {
  TACIT_TRY(tacit_sampled_check(sampled, error));
  if (!(delta > 0 && delta < 1)) return tacit_fail(error, TACIT_USAGE, "delta must be above 0 and below 1");
  TACIT_TRY(best_rdp_epsilon(sampled, delta, &out->rdp, error));
  double rho, steps = (double)sampled->steps;
  TACIT_TRY(tacit_zcdp_rho(sampled->adjacency == TACIT_REPLACE_ONE ? 2 : 1, sampled->sigma, sampled->steps,
                           &rho, error));
  TACIT_TRY(tacit_zcdp_epsilon(rho, delta, &out->zcdp, error));
  /* the closed forms are proportional to 1/epsilon; one record of n, so 1/n is the rate */
  out->moments = tacit_published_moments_noise(1, 1 / sampled->rate, steps, 1, delta) / sampled->sigma;
  out->advanced = tacit_published_advanced_noise(1, 1 / sampled->rate, steps, 1, delta) / sampled->sigma;
  return TACIT_OK;
}
