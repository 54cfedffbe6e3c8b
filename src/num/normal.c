/* The standard normal distribution: density, distribution function and quantile, each accurate relative to
   its own size, however small. */
#include "num/normal.h"

#include "num/vmath_core.h"

#include <math.h>

static const double SQRT_2PI = 2.50662827463100050242;
static const double LN_SQRT_2PI = 0.918938533204672741780;
static const double SQRT_HALF = 0.707106781186547524401;

double tacit_normal_pdf(double x) {
  return tacit_core_density(x);
}

double tacit_normal_cdf(double x) {
  return tacit_core_phi(x);
}

/* One step of Halley's method where Newton's would be `newton`, for any equation Phi(x) = constant or
   Phi(-x) = constant: in both the second derivative is -x times the first. */
static double halley(double x, double newton) {
  return x + newton / (1 - 0.5 * x * newton);
}

/* x with Phi(x) - 1/2 = d for |d| <= 1/4. erf keeps the relative accuracy that Phi loses near 1/2. Starting
   from the tangent at 0, Halley's method needs at most three steps there; a fourth absorbs rounding. */
static double quantile_centre(double d) {
  double x = d * SQRT_2PI;
  for (int step = 0; step < 4; step++) x = halley(x, (d - 0.5 * erf(x * SQRT_HALF)) / tacit_core_density(x));
  return x;
}

/* Phi(-x) / phi(x) for x > 7.9 by its continued fraction 1/(x + 1/(x + 2/(x + 3/(x + ...)))): sixteen levels
   leave 2e-18 of it there. */
static double mills_far(double x) {
  double level = x;
  for (int k = 16; k >= 1; k--) level = x + k / level;
  return 1 / level;
}

/* x with Phi(-x) = q for q < 2^-50 = Phi(-7.96), where logarithms are well conditioned and nothing
   underflows: the root of x^2/2 + ln sqrt(2 pi) - ln mills(x) = -ln q, whose slope is 1 / mills(x). */
static double quantile_far(double q) {
  double target = -log(q), x = sqrt(2 * target);
  for (int step = 0; step < 6; step++) {
    double mills = mills_far(x);
    x -= mills * (0.5 * x * x + LN_SQRT_2PI - log(mills) - target);
  }
  return x;
}

/* x with Phi(-x) = q for 2^-50 <= q <= 1/4. ln Phi(-x) is concave, so Newton's method on it comes down to the
   root from the right, where sqrt(-2 ln q) lies; Halley's method on Phi itself then gives the last bits. */
static double quantile_tail(double q) {
  double ln_q = log(q), x = sqrt(-2 * ln_q);
  for (int step = 0; step < 4; step++) {
    double phi = tacit_core_phi(-x);
    x += (log(phi) - ln_q) * phi / tacit_core_density(x);
  }
  return halley(x, (tacit_core_phi(-x) - q) / tacit_core_density(x));
}

double tacit_normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return NAN;
  if (p == 0) return -INFINITY;
  if (p == 1) return INFINITY;
  double d = p - 0.5; /* exact for p >= 1/4 */
  if (fabs(d) <= 0.25) return quantile_centre(d);
  double q = d < 0 ? p : 1 - p; /* exact */
  double x = q < 0x1p-50 ? quantile_far(q) : quantile_tail(q);
  return d < 0 ? -x : x;
}
