/* Renyi differential privacy: the orders at which releases that are not Gaussian are added up, and the best
   known way from a curve of divergences to (epsilon, delta). */
#include "privacy/rdp.h"

#include <float.h>
#include <math.h>

const double tacit_rdp_orders[TACIT_RDP_ORDERS] = {1.25, 1.5, 1.75, 2,  2.5, 3,  4,  5,  6,   8,
                                                   10,   12,  16,   20, 24,  32, 48, 64, 128, 256};

/* Canonne, Kamath and Steinke 2020, Proposition 12: a divergence of order a at most r gives
   delta = e^((a-1)(r - epsilon)) (1 - 1/a)^a / (a - 1), which is solved for epsilon. */
double tacit_rdp_epsilon_at(double order, double rdp, double delta) {
  double epsilon = rdp + log1p(-1 / order) - (log(delta) + log(order)) / (order - 1);
  return fmax(0, epsilon + 64 * DBL_EPSILON * (rdp + fabs(log(delta)) / (order - 1) + 1));
}

static double log_delta_at(double order, double rdp, double epsilon) {
  double log_delta = (order - 1) * (rdp - epsilon) + (order - 1) * log1p(-1 / order) - log(order);
  return log_delta + 64 * DBL_EPSILON * ((order - 1) * (rdp + epsilon) + 8);
}

static tacit_status check(size_t n, const double *orders, const double *rdp, tacit_error *error) {
  if (n == 0) return tacit_fail(error, TACIT_USAGE, "there must be at least one order");
  for (size_t i = 0; i < n; i++)
    if (!(orders[i] > 1 && orders[i] < 1e6 && rdp[i] >= 0))
      return tacit_fail(error, TACIT_USAGE, "orders must be above 1 and divergences at least 0");
  return TACIT_OK;
}

tacit_status tacit_rdp_epsilon(size_t n, const double *orders, const double *rdp, double delta,
                               double *epsilon, tacit_error *error) {
  TACIT_TRY(check(n, orders, rdp, error));
  if (!(delta > 0 && delta < 1)) return tacit_fail(error, TACIT_USAGE, "delta must be above 0 and below 1");
  *epsilon = INFINITY;
  for (size_t i = 0; i < n; i++) *epsilon = fmin(*epsilon, tacit_rdp_epsilon_at(orders[i], rdp[i], delta));
  return TACIT_OK;
}

tacit_status tacit_rdp_delta(size_t n, const double *orders, const double *rdp, double epsilon, double *delta,
                             tacit_error *error) {
  TACIT_TRY(check(n, orders, rdp, error));
  if (!(epsilon >= 0 && epsilon < INFINITY))
    return tacit_fail(error, TACIT_USAGE, "epsilon must be at least 0 and finite");
  double least = 0;
  for (size_t i = 0; i < n; i++) least = fmin(least, log_delta_at(orders[i], rdp[i], epsilon));
  *delta = fmin(1, exp(least) * (1 + 8 * DBL_EPSILON) + DBL_TRUE_MIN);
  return TACIT_OK;
}
