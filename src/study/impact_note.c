/* E's expansions for tacit impact's demand. Its features have second moments I, so J = f_e(0) I, f_e the
   density of y - theta*'x at 0:

     Prop. 2   E theta = theta* - 2 lambda theta* / f_e(0) - (h^2 kappa_2 / 2) (f_e'(0) / f_e(0)) (1, 0, ...,
   0) Prop. 3   Var(q | x), averaged over x: d r (1 - r) / (n f^2) - 2 h K d / (n f) + d sigma^2 / (n^2 f^2)
     Theorem 8 what SAA loses against theta*: at most rbar (E |q_n - q*| + E |theta*'x - q*|)              */
#include "study/impact_note.h"

#include "num/normal.h"

#include <math.h>

void tacit_impact_plan_init(tacit_impact_plan *plan, const tacit_impact_options *o, const double *slopes,
                            size_t slope_count) {
  *plan = (tacit_impact_plan){.tau = (o->retail - o->wholesale) / o->retail};
  tacit_impact_demand *d = &plan->demand;
  d->columns = slope_count + 1;
  d->theta[0] = o->base;
  d->sd = o->sd;
  d->laplace = o->laplace;
  d->radius = 4 * sqrt((double)slope_count);
  double square = 0;
  for (size_t j = 1; j <= slope_count; j++) d->theta[j] = slopes[j - 1];
  for (size_t j = 0; j < d->columns; j++) {
    plan->best[j] = d->theta[j] + (j ? 0 : tacit_impact_error_quantile(d, plan->tau));
    square += plan->best[j] * plan->best[j];
  }
  plan->constant = tacit_impact_quantile(d, plan->tau);
  plan->setting = (tacit_chen_setting){
      plan->tau, 1, o->delta, sqrt(1 + d->radius * d->radius), 2 * sqrt(square), TACIT_KERNEL_LOGISTIC};
}

void tacit_impact_plan_set(tacit_impact_plan *plan, double epsilon, double delta, size_t rows) {
  const tacit_impact_demand *d = &plan->demand;
  const tacit_kernel_constants *k = tacit_kernel_facts(plan->setting.kernel);
  plan->setting.epsilon = epsilon;
  plan->setting.delta = delta;
  plan->rows = rows;
  tacit_chen_set_constants(TACIT_CHEN_OP_COMPANION, &plan->setting, rows, d->columns, &plan->constants);
  double q = plan->best[0] - d->theta[0], f = tacit_impact_error_density(d, q), n = (double)rows;
  double slope = tacit_impact_error_slope(d, q), h = plan->constants.bandwidth,
         lambda = plan->constants.lambda;
  double columns = (double)d->columns, sigma = plan->constants.sigma;
  for (size_t j = 0; j < d->columns; j++)
    plan->expected[j] = plan->best[j] * (1 - 2 * lambda / f) - (j ? 0 : h * h * k->kappa2 / 2 * slope / f);
  plan->variance = columns * (plan->tau * (1 - plan->tau) / (n * f * f) - 2 * h * k->cross / (n * f) +
                              sigma * sigma / (n * n * f * f));
}

/* A tenth of theta*, and half the errors' spread: where the simulated bias is within a tenth of the
 * expansion's.
 */
const char *tacit_impact_conditions(const tacit_impact_plan *plan) {
  const tacit_impact_demand *d = &plan->demand;
  double f = tacit_impact_error_density(d, plan->best[0] - d->theta[0]);
  bool lambda = 2 * plan->constants.lambda / f < 0.1, h = plan->constants.bandwidth < d->sd / 2;
  if (d->laplace && plan->tau == 0.5) return "FAIL: no derivative at 0";
  if (lambda) return h ? "hold" : "FAIL: h not small";
  return h ? "FAIL: lambda not small" : "FAIL: lambda, h not small";
}

static const char *verdict(bool holds) {
  return holds ? "holds" : "FAILS";
}

/* E |a + s Z| */
static double mean_absolute(double a, double s) {
  return s > 0 ? a * (1 - 2 * tacit_normal_cdf(-a / s)) + 2 * s * tacit_normal_pdf(a / s) : fabs(a);
}

static void note_features(tacit_report *report, const tacit_impact_plan *plan,
                          const tacit_impact_options *o) {
  const tacit_impact_demand *d = &plan->demand;
  double square = 0, constant[TACIT_IMPACT_COLUMNS] = {plan->constant};
  for (size_t j = 1; j < d->columns; j++) square += plan->best[j] * plan->best[j];
  double with = tacit_impact_value(d, o, plan->best).cost, without = tacit_impact_value(d, o, constant).cost;
  double top = fmax(plan->tau, 1 - plan->tau), n = (double)plan->rows;
  double apart = mean_absolute(plan->best[0] - plan->constant, sqrt(square));
  /* the least slope of F_y within one standard deviation of demand around q*, by its secants */
  double reach = hypot(sqrt(square), d->sd), least = INFINITY;
  for (int i = -20; i <= 20; i++)
    if (i) {
      double off = reach * i / 20;
      least = fmin(least, (tacit_impact_cdf(d, plan->constant + off) - plan->tau) / off);
    }
  tacit_report_note(report,
                    "\nvalue of features (Theorem 8, Lemma EC.7): the best order costs %.4g, the best "
                    "without features %.4g, "
                    "which is what SAA comes to: features are worth %.4g a period. Theorem 8 bounds what SAA "
                    "loses by %.4g, and "
                    "at n = %zu, with probability 0.95, by %.4g.",
                    with, without, without - with, o->retail * top * apart, plan->rows,
                    o->retail * top * (apart + sqrt(log(2 / 0.05) / (2 * n)) / least));
}

void tacit_impact_note(tacit_report *report, const tacit_impact_plan *plan, const tacit_impact_options *o,
                       size_t repetitions) {
  const tacit_impact_demand *d = &plan->demand;
  double square = 0, h = plan->constants.bandwidth, lambda = plan->constants.lambda;
  for (size_t j = 1; j < d->columns; j++) square += plan->best[j] * plan->best[j];
  double lowest = plan->best[0] - d->radius * sqrt(square), q = plan->best[0] - d->theta[0];
  double f = tacit_impact_error_density(d, q);
  tacit_report_note(
      report,
      "A newsvendor buys at %g what costs the supplier %g and sells it at %g: critical ratio %.4g. Demand is "
      "%g + "
      "%zu features + %s errors of standard deviation %g. Orders, profits and costs are means per period "
      "over the "
      "features; a bias is the order less the best one's, a variance that of an order given its features; "
      "%zu "
      "repetitions. OP is E's, published, in floating point and without a certificate; tacit default is the "
      "learner that users get, at the largest mu that (epsilon, delta = %g) allows. A share is of what both "
      "earn.",
      o->wholesale, o->cost, o->retail, plan->tau, o->base, d->columns - 1, d->laplace ? "Laplace" : "normal",
      d->sd, repetitions, o->delta);
  note_features(report, plan, o);
  tacit_report_note(report, "\nconditions at the last n and epsilon (lambda = %.3g, h = %.3g):", lambda, h);
  tacit_report_note(report,
                    "\n  %s: lambda and h near 0, so that 2 lambda / f = %.3g and h^2 kappa_2 / 2 are small "
                    "against 1 and theta* (Props 2, 3)",
                    verdict(2 * lambda / f < 0.1 && h < d->sd / 2), 2 * lambda / f);
  tacit_report_note(report, "\n  %s: the errors' density has a derivative at 0 (Props 2, 3)",
                    verdict(!d->laplace || plan->tau != 0.5));
  tacit_report_note(report,
                    "\n  %s: errors are normal with variance 1 (Prop. 4, formally EC.2; another variance is "
                    "another unit of demand)",
                    verdict(!d->laplace && d->sd == 1));
  tacit_report_note(report, "\n  %s: the best order is positive for every x, the least is %.4g (Prop. 4)",
                    verdict(lowest > 0), lowest);
  double squeeze = plan->best[0] - plan->expected[0];
  tacit_report_note(report, "\n  %s: the private order is below the best one (Prop. 4): by %.4g%s",
                    verdict(squeeze > 0), squeeze,
                    o->wholesale >= o->retail / 2 ? "; w >= p/2, so both terms of the bias are"
                                                  : "; w < p/2, so smoothing pulls the other way");
  tacit_report_note(report, "\n  %s: delta <= e^(-epsilon/2) (E Theorem 2)",
                    verdict(plan->setting.delta <= exp(-plan->setting.epsilon / 2)));
  tacit_report_note(report,
                    "\n  FAILS: features normal and bounded at once (Theorem 8 and Props 2 to 4 each need "
                    "one); here they are normal, and redrawn beyond a norm of %.3g",
                    d->radius);
}
