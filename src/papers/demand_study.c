/* Demand whose law is known, and what rules cost under it. */
#include "papers/demand_study.h"

#include "num/normal.h"

#include <math.h>

double tacit_demand_centre(const double z[TACIT_DEMAND_FEATURES]) {
  return 100 + 10 * z[0] - 5 * z[1];
}

void tacit_demand_draw(tacit_stream *stream, bool skewed, size_t rows, double *columns) {
  for (size_t i = 0; i < rows; i++) {
    double z[TACIT_DEMAND_FEATURES];
    for (size_t j = 0; j < TACIT_DEMAND_FEATURES; j++) columns[j * rows + i] = z[j] = tacit_normal(stream);
    double e = skewed ? -log(tacit_uniform(stream)) - 1 : tacit_normal(stream);
    columns[TACIT_DEMAND_FEATURES * rows + i] = tacit_demand_centre(z) + TACIT_DEMAND_SPREAD * e;
  }
}

double tacit_demand_exceeds(bool skewed, double above) {
  double u = above / TACIT_DEMAND_SPREAD;
  if (!skewed) return tacit_normal_cdf(-u);
  return u > -1 ? exp(-1 - u) : 1;
}

/* E (20 e - t)+ */
static double beyond(bool skewed, double t) {
  double u = t / TACIT_DEMAND_SPREAD;
  if (!skewed) return TACIT_DEMAND_SPREAD * (tacit_normal_pdf(u) - u * tacit_normal_cdf(-u));
  return TACIT_DEMAND_SPREAD * (u > -1 ? exp(-1 - u) : -u);
}

/* What an order so far above the centre costs: each tier adds what its rate has more than the one before, for
   all beyond where it begins. E (a - 20 e)+ = a + E (20 e - a)+, since e has mean 0. */
static double expected(const tacit_demand_cost *c, double above) {
  const tacit_tiers *t = c->tiers;
  double cost = 0;
  for (size_t k = 0; k < t->shortages; k++)
    cost += (t->shortage[k].rate - (k ? t->shortage[k - 1].rate : 0)) *
            beyond(c->skewed, above + (k ? t->shortage[k - 1].below : 0));
  for (size_t k = 0; k < t->leftovers; k++) {
    double a = above - (k ? t->leftover[k - 1].below : 0);
    cost += (t->leftover[k].rate - (k ? t->leftover[k - 1].rate : 0)) * (a + beyond(c->skewed, a));
  }
  return cost;
}

void tacit_demand_cost_set(tacit_demand_cost *cost, const tacit_tiers *tiers, bool skewed) {
  double low = -6 * TACIT_DEMAND_SPREAD, high = -low;
  *cost = (tacit_demand_cost){.tiers = tiers, .skewed = skewed};
  while (high - low > 1e-9) { /* convex: a third that is dearer holds no minimum */
    double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (expected(cost, a) < expected(cost, b))
      high = b;
    else
      low = a;
  }
  cost->best = (low + high) / 2;
  cost->least = expected(cost, cost->best);
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
    sum += expected(cost, order - tacit_demand_centre(x + 1));
  }
  return 100 * (sum / ROWS / cost->least - 1);
}
