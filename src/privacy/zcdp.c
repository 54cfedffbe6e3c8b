/* Zero-concentrated differential privacy (Bun and Steinke 2016): rho-zCDP is a divergence of at most alpha
   rho at every order alpha > 1. Gaussian noise has rho = (sensitivity/sigma)^2 / 2, and rho adds up. */
#include "privacy/rdp.h"

#include <float.h>
#include <math.h>

tacit_status tacit_zcdp_rho(double sensitivity, double sigma, uint64_t steps, double *rho,
                            tacit_error *error) {
  if (!(sensitivity > 0 && sigma > 0 && sensitivity < INFINITY && sigma < INFINITY && steps > 0))
    return tacit_fail(error, TACIT_USAGE,
                      "sensitivity and sigma must be above 0 and finite, steps at least 1");
  double ratio = sensitivity / sigma;
  *rho = ratio * ratio / 2 * (double)steps * (1 + 8 * DBL_EPSILON);
  return TACIT_OK;
}

/* The best order, by golden sections in ln(alpha - 1): the bound has one minimum there. */
tacit_status tacit_zcdp_epsilon(double rho, double delta, double *epsilon, tacit_error *error) {
  if (!(rho > 0 && rho < INFINITY)) return tacit_fail(error, TACIT_USAGE, "rho must be above 0 and finite");
  if (!(delta > 0 && delta < 1)) return tacit_fail(error, TACIT_USAGE, "delta must be above 0 and below 1");
  /* around the order sqrt(ln(1/delta)/rho) + 1 of the simple bound rho + 2 sqrt(rho ln(1/delta)) */
  double middle = log(sqrt(-log(delta) / rho)), low = middle - 8, high = middle + 8, best = INFINITY;
  const double golden = 0.6180339887498949;
  for (int i = 0; i < 80; i++) {
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = tacit_rdp_epsilon_at(1 + exp(a), (1 + exp(a)) * rho, delta);
    double at_b = tacit_rdp_epsilon_at(1 + exp(b), (1 + exp(b)) * rho, delta);
    best = fmin(best, fmin(at_a, at_b)); /* every order is a bound */
    if (at_a < at_b)
      high = b;
    else
      low = a;
  }
  *epsilon = best;
  return TACIT_OK;
}
