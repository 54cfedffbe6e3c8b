/* The chi-square distribution, through the regularised incomplete gamma function: a series left of the bulk,
   a continued fraction right of it. */
#include "num/gamma.h"

#include <float.h>
#include <math.h>

enum { TERMS_MAX = 100000 };

/* P(a, x) = x^a e^-x / Gamma(a + 1) (1 + x/(a+1) + x^2/((a+1)(a+2)) + ...). */
static double by_series(double a, double x) {
  double term = 1, sum = 1;
  for (int n = 1; n < TERMS_MAX && term > DBL_EPSILON * sum / 4; n++) sum += term *= x / (a + n);
  return sum * exp(a * log(x) - x - lgamma(a + 1));
}

/* 1 - P(a, x) = x^a e^-x / Gamma(a) / (x + 1 - a - 1(1-a)/(x + 3 - a - 2(2-a)/(x + 5 - a - ...))), from the
   front by ratios of successive convergents (Lentz). */
static double by_fraction(double a, double x) {
  double b = x + 1 - a, c = 1 / DBL_MIN, d = 1 / b, value = d;
  for (int n = 1; n < TERMS_MAX; n++) {
    double numerator = n * (a - n);
    b += 2;
    d = 1 / (b + numerator * d);
    c = b + numerator / c;
    value *= c * d;
    if (fabs(c * d - 1) < DBL_EPSILON) break;
  }
  return value * exp(a * log(x) - x - lgamma(a));
}

double tacit_chi_square_cdf(double k, double x) {
  double a = k / 2, half = x / 2;
  if (!(half > 0)) return 0;
  return half < a + 1 ? by_series(a, half) : 1 - by_fraction(a, half);
}

double tacit_gamma_ratio(double k) {
  return exp(lgamma((k + 1) / 2) - lgamma(k / 2));
}
