/* The market that tacit impact supposes: the best orders in it, and what features are worth.

     Theorem 8 of Chen and Chua's companion: what SAA loses against theta* is at most
     rbar (E |q_n - q*| + E |theta*'x - q*|)                                                               */
#include "num/normal.h"
#include "study/impact.h"
#include "study/report.h"

#include <math.h>

static const double SLOPES[] = {1, -0.5}; /* where the caller gives none */

void tacit_impact_market_init(tacit_impact_market *market, const tacit_impact_options *o) {
  *market = (tacit_impact_market){.prices = o, .tau = (o->retail - o->wholesale) / o->retail};
  tacit_impact_demand *d = &market->demand;
  const double *slopes = o->slopes ? o->slopes : SLOPES;
  size_t slope_count = o->slopes ? o->slope_count : sizeof SLOPES / sizeof *SLOPES;
  d->columns = slope_count + 1;
  d->theta[0] = o->base;
  d->sd = o->sd;
  d->laplace = o->laplace;
  d->radius = 4 * sqrt((double)slope_count);
  for (size_t j = 1; j <= slope_count; j++) d->theta[j] = slopes[j - 1];
  for (size_t j = 0; j < d->columns; j++)
    market->best[j] = d->theta[j] + (j ? 0 : tacit_impact_error_quantile(d, market->tau));
  market->constant = tacit_impact_quantile(d, market->tau);
}

/* E |a + s Z| */
static double mean_absolute(double a, double s) {
  return s > 0 ? a * (1 - 2 * tacit_normal_cdf(-a / s)) + 2 * s * tacit_normal_pdf(a / s) : fabs(a);
}

static void note_features(tacit_report *report, const tacit_impact_market *m, size_t rows) {
  const tacit_impact_demand *d = &m->demand;
  double square = 0, constant[TACIT_IMPACT_COLUMNS] = {m->constant};
  for (size_t j = 1; j < d->columns; j++) square += m->best[j] * m->best[j];
  double with = tacit_impact_value(m, m->best).cost, without = tacit_impact_value(m, constant).cost;
  double top = fmax(m->tau, 1 - m->tau), n = (double)rows, price = m->prices->retail;
  double apart = mean_absolute(m->best[0] - m->constant, sqrt(square));
  /* the least slope of F_y within one standard deviation of demand around q*, by its secants */
  double reach = hypot(sqrt(square), d->sd), least = INFINITY;
  for (int i = -20; i <= 20; i++)
    if (i) {
      double off = reach * i / 20;
      least = fmin(least, (tacit_impact_cdf(d, m->constant + off) - m->tau) / off);
    }
  tacit_report_note(report,
                    "\n"
                    "value of features (Theorem 8, Lemma EC.7): the best order costs %.4g, the best "
                    "without features %.4g, which is what SAA comes to: features are worth %.4g a period. "
                    "Theorem 8 bounds what SAA loses by %.4g, and at n = %zu, with probability 0.95, by "
                    "%.4g.",
                    with, without, without - with, price * top * apart, rows,
                    price * top * (apart + sqrt(log(2 / 0.05) / (2 * n)) / least));
}

void tacit_impact_note(tacit_report *report, const tacit_impact_market *m, size_t rows, size_t repetitions) {
  const tacit_impact_demand *d = &m->demand;
  const tacit_impact_options *o = m->prices;
  tacit_report_note(
      report,
      "A newsvendor buys at %g what costs the supplier %g and sells it at %g: critical ratio %.4g. Demand "
      "is %g + %zu features + %s errors of standard deviation %g. Orders, profits and costs are means per "
      "period over the features; a bias is the order less the best one's, a variance that of an order "
      "given its features; %zu repetitions. tacit default is the learner that users get, at the largest mu "
      "that (epsilon, delta = %g) allows. A share is of what both earn.",
      o->wholesale, o->cost, o->retail, m->tau, o->base, d->columns - 1, d->laplace ? "Laplace" : "normal",
      d->sd, repetitions, o->delta);
  note_features(report, m, rows);
}
