/* The beta distribution by its continued fraction, and Clopper-Pearson limits by bisection of it. */
#include "num/beta.h"

#include <float.h>
#include <math.h>

enum { TERMS_MAX = 100000, HALVINGS = 200 };
static const double SLACK = 1e-9; /* relative, outward: far above the error of the fraction */

/* I_x(a, b) = x^a (1-x)^b / (a B(a, b)) / (1 + d1/(1 + d2/(1 + ...))), converging fast for x < (a+1)/(a+b+2);
   by ratios of successive convergents (Lentz). */
static double by_fraction(double a, double b, double x) {
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  if (fabs(d) < DBL_MIN) d = DBL_MIN;
  d = 1 / d;
  double value = d;
  for (int m = 1; m < TERMS_MAX; m++) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    value *= c * d;
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    value *= c * d;
    if (fabs(c * d - 1) < 4 * DBL_EPSILON) break;
  }
  double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
  return front * value / a;
}

double tacit_beta_cdf(double a, double b, double x) {
  if (!(x > 0)) return 0;
  if (!(x < 1)) return 1;
  return x < (a + 1) / (a + b + 2) ? by_fraction(a, b, x) : 1 - by_fraction(b, a, 1 - x);
}

/* P(at least k of n) at chance p is I_p(k, n - k + 1): the lower limit is where it reaches alpha. */
double tacit_chance_lower(double k, double n, double alpha) {
  double lo = 0, hi = 1;
  if (!(k > 0)) return 0;
  for (int i = 0; i < HALVINGS && hi - lo > DBL_EPSILON * hi; i++) {
    double p = (lo + hi) / 2;
    *(tacit_beta_cdf(k, n - k + 1, p) < alpha ? &lo : &hi) = p;
  }
  return lo * (1 - SLACK);
}

double tacit_chance_upper(double k, double n, double alpha) {
  return 1 - tacit_chance_lower(n - k, n, alpha);
}
