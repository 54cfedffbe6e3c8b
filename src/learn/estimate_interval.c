/* The interval of a quotient of two numbers with Gaussian noise (Fieller).

     s = S + sigma Z, n = N + eta W:   s - m n has, for m = S / N, the variance sigma^2 + m^2 eta^2,

   so {m : (s - m n)^2 <= z^2 (sigma^2 + m^2 eta^2)} has the true quotient in it in 95 of 100 cases, whatever
   S and N are. With N known (eta = 0) it is m = s / n +- z sigma / n. */
#include "learn/estimate_cost.h"

#include <math.h>

/* 95 % of a normal distribution lie within this many standard deviations. */
static const double WIDTH = 1.959963984540054;

static double held(double x, double most) {
  return fmin(fmax(x, 0), most);
}

tacit_estimate_figure tacit_ratio_interval(const tacit_noisy_ratio *ratio) {
  double s = ratio->sum, n = ratio->rows, z = WIDTH;
  double sigma = z * ratio->sum_sigma, eta = z * ratio->rows_sigma;
  double lead = (n - eta) * (n + eta); /* of the quadratic in m */
  tacit_estimate_figure f = {.value = held(n > 0 ? s / n : 0, ratio->most), .low = 0, .high = ratio->most};
  if (!(n > 0 && lead > 0)) return f; /* no number of rows can be ruled out, and so no quotient */
  double root = hypot(sigma * sqrt(lead), eta * s); /* squares of small costs would be 0 */
  f.low = held((s * n - root) / lead, ratio->most);
  f.high = held((s * n + root) / lead, ratio->most);
  return f;
}
