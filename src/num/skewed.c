/* Laws with a skew, by bisection: both equations are monotone. */
#include "num/skewed.h"

#include "num/normal.h"

#include <math.h>

enum { HALVINGS = 50 };
static const double SMALL = 1e-4; /* below it the law is the normal one to 1e-4 of its spread */
static const double MAD = 0.6744897501960817;

/* How much of the law lies within 1 of the median: with e^(gz) = 1 +- w. */
static double within(double g, double w) {
  return tacit_normal_cdf(log1p(w) / g) - tacit_normal_cdf(log1p(-w) / g);
}

tacit_skewed tacit_skewed_of(double g) {
  g = g > -TACIT_SKEW_MOST ? (g < TACIT_SKEW_MOST ? g : TACIT_SKEW_MOST) : g <= 0 ? -TACIT_SKEW_MOST : 0;
  double size = fabs(g), low = 0, high = 1;
  if (size < SMALL) return (tacit_skewed){.g = 0, .w = 0, .per = MAD};
  for (int k = 0; k < HALVINGS; k++) {
    double middle = (low + high) / 2;
    if (within(size, middle) < 0.5)
      low = middle;
    else
      high = middle;
  }
  return (tacit_skewed){.g = g, .w = copysign(low, g), .per = low / size};
}

double tacit_skewed_quantile(const tacit_skewed *law, double tau) {
  double z = tacit_normal_quantile(tau);
  return law->g == 0 ? z / law->per : expm1(law->g * z) / law->w;
}

double tacit_skew_with_quantile(double tau, double at) {
  double low = -TACIT_SKEW_MOST, high = TACIT_SKEW_MOST;
  if (tau == 0.5) return 0;
  for (int k = 0; k < HALVINGS; k++) {
    const tacit_skewed law = tacit_skewed_of((low + high) / 2);
    if (tacit_skewed_quantile(&law, tau) < at)
      low = (low + high) / 2;
    else
      high = (low + high) / 2;
  }
  return (low + high) / 2;
}
