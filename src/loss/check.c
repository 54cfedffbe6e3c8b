/* The check loss, its convolution with a kernel (Zhao's eq. 3, Chen and Chua's eq. 2), and the papers'
 * bandwidths. */
#include "loss/check.h"

#include <assert.h>
#include <math.h>

double tacit_check_loss(double tau, double u) {
  return u * (u < 0 ? tau - 1 : tau);
}

/* rho_tau(u) = |u| / 2 + (tau - 1/2) u, and only |u| / 2 feels the smoothing: it gains h excess(u / h).
   Adding the gain to rho_tau keeps l_h >= rho_tau in floating point too. */
double tacit_smooth_loss(tacit_kernel kernel, double tau, double h, double u) {
  assert(h > 0);
  return tacit_check_loss(tau, u) + h * tacit_kernel_excess(kernel, u / h);
}

double tacit_smooth_slope(tacit_kernel kernel, double tau, double h, double u) {
  assert(h > 0);
  return tacit_kernel_cdf(kernel, u / h) + (tau - 1);
}

double tacit_smooth_curve(tacit_kernel kernel, double tau, double h, double u) {
  (void)tau; /* the linear part has no curvature */
  assert(h > 0);
  return tacit_kernel_density(kernel, u / h) / h;
}

double tacit_default_bandwidth(double tau, double rows, double columns) {
  return sqrt(tau * (1 - tau)) * pow((columns + log(rows)) / rows, 0.4);
}

double tacit_theory_bandwidth(double rows, double columns) {
  return pow((columns + log(rows)) / rows, 0.25);
}
