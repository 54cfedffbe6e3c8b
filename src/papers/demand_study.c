/* Demand whose law is known, and what rules cost under it. */
#include "papers/demand_study.h"

#include "num/normal.h"

#include <math.h>

double tacit_demand_centre(const double z[TACIT_DEMAND_FEATURES]) {
  return 100 + 10 * z[0] - 5 * z[1];
}

void tacit_demand_draw(tacit_stream *stream, size_t rows, double *columns) {
  for (size_t i = 0; i < rows; i++) {
    double z[TACIT_DEMAND_FEATURES];
    for (size_t j = 0; j < TACIT_DEMAND_FEATURES; j++) columns[j * rows + i] = z[j] = tacit_normal(stream);
    columns[TACIT_DEMAND_FEATURES * rows + i] =
        tacit_demand_centre(z) + TACIT_DEMAND_SPREAD * tacit_normal(stream);
  }
}

/* E (D - t)+ for D ~ N(mean, spread^2). */
static double beyond(double mean, double t) {
  double a = (mean - t) / TACIT_DEMAND_SPREAD;
  return TACIT_DEMAND_SPREAD * tacit_normal_pdf(a) + (mean - t) * tacit_normal_cdf(a);
}

/* Each tier adds what its rate has more than the one before, for all beyond where it begins. */
static double side(const tacit_tier *tiers, size_t count, double mean) {
  double cost = 0;
  for (size_t k = 0; k < count; k++)
    cost += (tiers[k].rate - (k ? tiers[k - 1].rate : 0)) * beyond(mean, k ? tiers[k - 1].below : 0);
  return cost;
}

/* What an order so far above the centre costs. */
static double expected(const tacit_tiers *t, double above) {
  return side(t->shortage, t->shortages, -above) + side(t->leftover, t->leftovers, above);
}

void tacit_demand_cost_set(tacit_demand_cost *cost, const tacit_tiers *tiers) {
  double low = -6 * TACIT_DEMAND_SPREAD, high = -low;
  while (high - low > 1e-9) { /* convex: a third that is dearer holds no minimum */
    double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (expected(tiers, a) < expected(tiers, b))
      high = b;
    else
      low = a;
  }
  *cost = (tacit_demand_cost){tiers, (low + high) / 2, expected(tiers, (low + high) / 2)};
}

/* A point of the Kronecker sequence with this step, as a normal quantile. */
static double spread_out(size_t i, double step) {
  double t = ((double)i + 0.5) * step;
  return tacit_normal_quantile(t - floor(t));
}

double tacit_demand_excess(const tacit_demand_cost *cost, const tacit_rule *rule, const tacit_scale *scale) {
  enum { ROWS = 1000 };
  double sum = 0;
  for (size_t i = 0; i < ROWS; i++) {
    double x[TACIT_DEMAND_FEATURES + 1] = {1, spread_out(i, 0.6180339887498949),
                                           spread_out(i, 0.4142135623730951),
                                           spread_out(i, 0.7320508075688772)};
    double order = tacit_rule_order(rule, x);
    order = tacit_scale_decode(scale, fmax(-scale->limit, fmin(scale->limit, order)));
    sum += expected(cost->tiers, order - tacit_demand_centre(x + 1));
  }
  return 100 * (sum / ROWS / cost->least - 1);
}
