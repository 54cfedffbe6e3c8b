/* The demand that tacit impact supposes, and what an order earns under it. Over x an order's error is normal,
   so only the errors' law may need an integral:

     U = y - theta'x = m + spread Z + e,   E max(U, 0) = integral of E max(m + u + spread Z, 0) f_e(u) du  */
#include "num/normal.h"
#include "num/quadrature.h"
#include "study/impact.h"

#include <math.h>

/* E max(m + s Z, 0) */
static double normal_part(double m, double s) {
  return s > 0 ? m * tacit_normal_cdf(m / s) + s * tacit_normal_pdf(m / s) : fmax(m, 0);
}

static double laplace_scale(const tacit_impact_demand *d) {
  return d->sd / sqrt(2);
}

double tacit_impact_error_density(const tacit_impact_demand *d, double u) {
  if (d->laplace) return exp(-fabs(u) / laplace_scale(d)) / (2 * laplace_scale(d));
  return tacit_normal_pdf(u / d->sd) / d->sd;
}

double tacit_impact_error_slope(const tacit_impact_demand *d, double u) {
  double f = tacit_impact_error_density(d, u);
  return d->laplace ? (u > 0 ? -f : f) / laplace_scale(d) : -u / (d->sd * d->sd) * f;
}

double tacit_impact_error_quantile(const tacit_impact_demand *d, double r) {
  if (!d->laplace) return d->sd * tacit_normal_quantile(r);
  return r < 0.5 ? laplace_scale(d) * log(2 * r) : -laplace_scale(d) * log(2 * (1 - r));
}

typedef struct shift {
  const tacit_impact_demand *demand;
  double m, spread;
} shift;

static double excess_at(double u, const void *with) {
  const shift *s = with;
  return normal_part(s->m + u, s->spread) * tacit_impact_error_density(s->demand, u);
}

static double cdf_at(double u, const void *with) {
  const shift *s = with;
  return tacit_normal_cdf((s->m - u) / s->spread) * tacit_impact_error_density(s->demand, u);
}

/* Split where the Laplace density has its kink and the integrand may have one. */
static double integral(double (*f)(double, const void *), const shift *s) {
  double low = fmin(0, -s->m), high = fmax(0, -s->m);
  return tacit_integrate(f, s, -INFINITY, low, 1e-11, NULL) + tacit_integrate(f, s, low, high, 1e-11, NULL) +
         tacit_integrate(f, s, high, INFINITY, 1e-11, NULL);
}

double tacit_impact_excess(const tacit_impact_demand *d, double m, double spread) {
  if (!d->laplace) return normal_part(m, hypot(spread, d->sd));
  if (spread == 0) return fmax(m, 0) + laplace_scale(d) / 2 * exp(-fabs(m) / laplace_scale(d));
  const shift s = {d, m, spread};
  return integral(excess_at, &s);
}

static double feature_spread(const tacit_impact_demand *d) {
  double square = 0;
  for (size_t j = 1; j < d->columns; j++) square += d->theta[j] * d->theta[j];
  return sqrt(square);
}

double tacit_impact_cdf(const tacit_impact_demand *d, double t) {
  const shift s = {d, t - d->theta[0], feature_spread(d)};
  if (!(s.spread > 0)) { /* no feature matters */
    double u = s.m;
    if (!d->laplace) return tacit_normal_cdf(u / d->sd);
    return u < 0 ? exp(u / laplace_scale(d)) / 2 : 1 - exp(-u / laplace_scale(d)) / 2;
  }
  return integral(cdf_at, &s);
}

double tacit_impact_quantile(const tacit_impact_demand *d, double r) {
  double reach = 40 * hypot(feature_spread(d), d->sd), low = d->theta[0] - reach, high = d->theta[0] + reach;
  while (high - low > 1e-10 * reach) {
    double middle = (low + high) / 2;
    if (tacit_impact_cdf(d, middle) < r)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

double tacit_impact_draw(const tacit_impact_demand *d, tacit_stream *stream, double *x) {
  double square, y = d->theta[0];
  do {
    square = 0;
    for (size_t j = 1; j < d->columns; j++) {
      x[j] = tacit_normal(stream);
      square += x[j] * x[j];
    }
  } while (square > d->radius * d->radius);
  x[0] = 1;
  for (size_t j = 1; j < d->columns; j++) y += d->theta[j] * x[j];
  return y + (d->laplace ? laplace_scale(d) * tacit_laplace(stream) : d->sd * tacit_normal(stream));
}

double tacit_impact_half(const tacit_impact_demand *d) {
  double square = d->sd * d->sd;
  for (size_t j = 1; j < d->columns; j++) square += d->theta[j] * d->theta[j];
  return 8 * sqrt(square);
}

tacit_impact_money tacit_impact_earned(const tacit_impact_options *prices, double demand, double order,
                                       double missed) {
  double p = prices->retail, w = prices->wholesale, left = missed - (demand - order);
  return (tacit_impact_money){order, p * (demand - missed) - w * order, (w - prices->cost) * order,
                              (p - w) * missed + w * left};
}

tacit_impact_money tacit_impact_value(const tacit_impact_market *market, const double *theta) {
  const tacit_impact_demand *d = &market->demand;
  double square = 0, m = d->theta[0] - theta[0]; /* E x is 0 */
  for (size_t j = 1; j < d->columns; j++) square += (d->theta[j] - theta[j]) * (d->theta[j] - theta[j]);
  return tacit_impact_earned(market->prices, d->theta[0], theta[0], tacit_impact_excess(d, m, sqrt(square)));
}
