/* Step sizes and bandwidths of descent.

     eta = B_theta / sqrt(2 T (L^2 (1 + T) / n + (L^2 + d sigma^2) / 2 + s kappa_1 sup K B_x^2 / 2)),
     h   = s eta sup K B_x^2,      L = max(tau, 1 - tau) B_x

   s = 1 in the companion's Theorem 4, and 1/2 in Chen and Chua's Theorem 3.4 for any number of steps and any
   batch. */
#include "loss/tuning.h"

#include "num/normal.h"

#include <math.h>

static const double THETA_BOUNDED = 2, THETA_SCALED = 4;
/* Two in units of the residual's spread: 1/f at the median of a normal residual is 2.5 spreads. */
static const double STEP = 2;

double tacit_default_theta_bound(bool bounded) {
  return bounded ? THETA_BOUNDED : THETA_SCALED;
}

/* A public guess of the residual's spread. A `center`/`scale` target has spread 1 by declaration, and
   features are assumed to explain three quarters of its variance; bounds are assumed ten spreads apart. */
static double assumed_spread(bool bounded) {
  return bounded ? 0.2 : 0.5;
}

double tacit_default_step(bool bounded) {
  return STEP * assumed_spread(bounded);
}

double tacit_theory_density(double tau, bool bounded) {
  return tacit_normal_pdf(tacit_normal_quantile(tau)) / assumed_spread(bounded);
}

/* eta <= 1 / max(2 f_u, f_l + tau_bar), densities of a normal residual of that spread. */
double tacit_theory_step(double tau, bool bounded) {
  double spread = assumed_spread(bounded), tau_bar = fmax(tau, 1 - tau);
  double f_u = tacit_normal_pdf(0) / spread, f_l = tacit_theory_density(tau, bounded);
  return 1 / fmax(2 * f_u, f_l + tau_bar);
}

double tacit_projected_step(const tacit_projected_descent *descent) {
  const tacit_kernel_constants *k = tacit_kernel_facts(descent->kernel);
  double B = descent->clip, L = fmax(descent->tau, 1 - descent->tau) * B, T = descent->steps;
  double noise = descent->columns * descent->noise * descent->noise;
  double spread =
      L * L * (1 + T) / descent->rows + (L * L + noise + descent->share * k->kappa1 * k->sup * B * B) / 2;
  return descent->bound / sqrt(2 * T * spread);
}

double tacit_projected_bandwidth(const tacit_projected_descent *descent, double step) {
  const tacit_kernel_constants *k = tacit_kernel_facts(descent->kernel);
  return descent->share * step * k->sup * descent->clip * descent->clip;
}
