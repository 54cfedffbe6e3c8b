/* Horowitz's smoothing, the Moreau envelopes of the check loss, and Gaussian smoothing of piecewise-linear
   functions: what the papers compare convolution smoothing with, or extend it to. */
#include "loss/envelope.h"

#include <assert.h>
#include <math.h>

double tacit_horowitz_loss(tacit_kernel kernel, double tau, double h, double u) {
  assert(h > 0);
  return u * (tau - tacit_kernel_cdf(kernel, -u / h));
}

/* Zhao's eq. 4 is the l2 envelope with beta = 1 and h = gamma. */
double tacit_moreau_loss(double tau, double gamma, double u) {
  return tacit_general_moreau_loss(TACIT_PHI_L2, 1, tau, gamma, u);
}

double tacit_moreau_slope(double tau, double gamma, double u) {
  return tacit_general_moreau_slope(TACIT_PHI_L2, 1, tau, gamma, u);
}

double tacit_phi_value(tacit_phi phi, double parameter, double x) {
  double a = fabs(x);
  switch (phi) {
  case TACIT_PHI_ENERGY:
    return pow(a, parameter) / parameter;
  case TACIT_PHI_L2:
    return 0.5 * parameter * x * x;
  case TACIT_PHI_HUBER:
    return parameter * (a <= 1 ? 0.5 * a * a : a - 0.5);
  case TACIT_PHI_HELLINGER:
    return parameter * hypot(1, x);
  }
  return NAN;
}

static double clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x; /* NaN stays */
}

static double phi_slope(tacit_phi phi, double parameter, double x) {
  switch (phi) {
  case TACIT_PHI_ENERGY:
    return copysign(pow(fabs(x), parameter - 1), x);
  case TACIT_PHI_L2:
    return parameter * x;
  case TACIT_PHI_HUBER:
    return parameter * clamp(x, -1, 1);
  case TACIT_PHI_HELLINGER: /* x / sqrt(1 + x^2), also where x^2 overflows */
    return isinf(x) ? copysign(parameter, x) : parameter * (x / hypot(1, x));
  }
  return NAN;
}

double tacit_phi_conjugate(tacit_phi phi, double parameter, double y) {
  double a = fabs(y);
  switch (phi) {
  case TACIT_PHI_ENERGY: { /* |y|^q / q with 1/p + 1/q = 1 */
    double q = parameter / (parameter - 1);
    return pow(a, q) / q;
  }
  case TACIT_PHI_L2:
    return y * y / (2 * parameter);
  case TACIT_PHI_HUBER:
    return a <= parameter ? y * y / (2 * parameter) : INFINITY;
  case TACIT_PHI_HELLINGER: /* (beta - |y|)(beta + |y|) = beta^2 - y^2 without cancellation */
    return a <= parameter ? -sqrt((parameter - a) * (parameter + a)) : INFINITY;
  }
  return NAN;
}

/* E Condition 1: the conjugate's domain must hold every slope of rho_tau; for Huber and Hellinger it is the
   ball of radius beta, and on its edge the minimum is not attained or not unique. */
static int eligible(tacit_phi phi, double parameter, double tau) {
  if (phi == TACIT_PHI_ENERGY) return parameter > 1;
  if (phi == TACIT_PHI_L2) return parameter > 0;
  return parameter > fmax(tau, 1 - tau);
}

/* The minimiser v is 0 while the slope s = phi'(u / h) of the penalty lies between the slopes tau - 1 and tau
   of the loss. Otherwise v moves until the penalty's slope is the nearer of the two, y, and the value is y u
   - h phi*(y). */
double tacit_general_moreau_loss(tacit_phi phi, double parameter, double tau, double h, double u) {
  assert(h > 0);
  if (!eligible(phi, parameter, tau)) return NAN;
  double s = phi_slope(phi, parameter, u / h);
  if (s >= tau - 1 && s <= tau) return h * tacit_phi_value(phi, parameter, u / h);
  double y = s > tau ? tau : tau - 1;
  return y * u - h * tacit_phi_conjugate(phi, parameter, y);
}

/* the companion's Lemma EC.5, part 1. */
double tacit_general_moreau_slope(tacit_phi phi, double parameter, double tau, double h, double u) {
  assert(h > 0);
  if (!eligible(phi, parameter, tau)) return NAN;
  return clamp(phi_slope(phi, parameter, u / h), tau - 1, tau);
}

double tacit_l1_smooth(size_t m, const double *u, double h, double *gradient) {
  assert(h > 0);
  double sum = 0;
  for (size_t j = 0; j < m; j++) {
    sum += h * tacit_kernel_absolute(TACIT_KERNEL_GAUSSIAN, u[j] / h);
    /* 2 Phi(u / h) - 1 = erf(u / (h sqrt 2)), which keeps small slopes accurate */
    if (gradient) gradient[j] = erf(u[j] / (h * 1.41421356237309504880));
  }
  return sum;
}

double tacit_relu_smooth(double h, double u) {
  assert(h > 0);
  return (u > 0 ? u : 0) + h * tacit_kernel_excess(TACIT_KERNEL_GAUSSIAN, u / h);
}

/* (|u| - t)+ = max(0, u - t) + max(0, -u - t) for t >= 0. */
double tacit_soft_threshold_smooth(double threshold, double h, double u) {
  assert(threshold >= 0);
  return tacit_relu_smooth(h, u - threshold) + tacit_relu_smooth(h, -u - threshold);
}

/* The line through the first kink with the first slope, plus a rectifier for each change of slope. */
double tacit_piecewise_smooth(size_t kinks, const double *at, const double *slopes, double value_at_first,
                              double h, double u) {
  assert(kinks > 0);
  double value = value_at_first + slopes[0] * (u - at[0]);
  for (size_t k = 0; k < kinks; k++) value += (slopes[k + 1] - slopes[k]) * tacit_relu_smooth(h, u - at[k]);
  return value;
}
