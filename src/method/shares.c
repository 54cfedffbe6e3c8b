/* Shares of a budget of mu^2 and the noise they buy. */
#include "method/shares.h"

#include <math.h>

double tacit_share_sigma(double sensitivity, double mu, double share) {
  return sensitivity / (mu * sqrt(share)) * TACIT_HEADROOM;
}

void tacit_growing_shares(size_t steps, double growth, double *share) {
  double sum = 0, log_growth = log(growth), last = (double)steps - 1;
  for (size_t t = 0; t < steps; t++) { /* at most 1 for any growth and number of steps */
    double power = log_growth >= 0 ? (double)t - last : (double)t;
    sum += share[t] = exp(power * log_growth);
  }
  for (size_t t = 0; t < steps; t++) share[t] /= sum;
}

double tacit_growing_slack(size_t steps, double growth) {
  return 0x1p-48 * fmax(1, (double)steps * fabs(log(growth)));
}
