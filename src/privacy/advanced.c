/* Advanced composition, and the closed forms that the papers set beside it. */
#include "privacy/rdp.h"

#include <float.h>
#include <math.h>

tacit_status tacit_advanced_composition(double epsilon, double delta, uint64_t steps, double slack,
                                        double *total_epsilon, double *total_delta, tacit_error *error) {
  if (!(epsilon >= 0 && epsilon < 100 && delta >= 0 && delta < 1 && slack > 0 && slack < 1 && steps > 0))
    return tacit_fail(error, TACIT_USAGE,
                      "epsilon must be in [0, 100), delta in [0, 1), the slack in (0, 1), steps at least 1");
  double t = (double)steps;
  *total_epsilon = fmin(epsilon * sqrt(-2 * t * log(slack)) + t * epsilon * expm1(epsilon), t * epsilon);
  *total_epsilon *= 1 + 16 * DBL_EPSILON;
  *total_delta = fmin(1, (t * delta + slack) * (1 + 4 * DBL_EPSILON));
  return TACIT_OK;
}

double tacit_published_moments_noise(double lipschitz, double rows, double steps, double epsilon,
                                     double delta) {
  return lipschitz / (rows * epsilon) * sqrt(-8 * steps * log(delta));
}

double tacit_published_advanced_noise(double lipschitz, double rows, double steps, double epsilon,
                                      double delta) {
  return lipschitz / (rows * epsilon) * sqrt(64 * steps * log(2.5 * steps / delta) * log(2 / delta));
}
