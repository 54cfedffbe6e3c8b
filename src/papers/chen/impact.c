/* The companion's objective perturbation in the market of tacit impact, published, beside the default
   learner: its expansions, its runs, and the conditions under which the expansions are stated. The features
   have second moments I, so J = f_e(0) I, f_e the density of y - theta*'x at 0:

     Prop. 2   E theta = theta* - 2 lambda theta* / f_e(0) - (h^2 kappa_2 / 2) (f_e'(0) / f_e(0)) (1, 0, ...,
   0) Prop. 3   Var(q | x), averaged over x: d r (1 - r) / (n f^2) - 2 h K d / (n f) + d sigma^2 / (n^2 f^2)
 */
#include "study/impact.h"
#include "papers/chen/methods.h"
#include "study/report.h"

#include <math.h>
#include <stdlib.h>
#include <tacit/papers.h>

typedef struct op {
  const tacit_impact_market *market;
  tacit_chen_setting setting;     /* its public facts */
  tacit_chen_constants constants; /* of the companion's Theorem 2 */
  double density, slope;          /* f_e(0) and its derivative */
  double expected;                /* the intercept that Prop. 2 expects */
} op;

static void init(op *p, const tacit_impact_market *m) {
  const tacit_impact_demand *d = &m->demand;
  double square = 0, q = m->best[0] - d->theta[0];
  for (size_t j = 0; j < d->columns; j++) square += m->best[j] * m->best[j];
  *p = (op){.market = m,
            .density = tacit_impact_error_density(d, q),
            .slope = tacit_impact_error_slope(d, q),
            .setting = {m->tau, 1, m->prices->delta, sqrt(1 + d->radius * d->radius), 2 * sqrt(square),
                        TACIT_KERNEL_LOGISTIC}};
}

static bool small_lambda(const op *p) {
  return 2 * p->constants.lambda / p->density < 0.1;
}

static bool small_bandwidth(const op *p) {
  return p->constants.bandwidth < p->market->demand.sd / 2;
}

/* Whether lambda and h are small enough for the expansions to mean anything. A tenth of theta*, and half the
   errors' spread: where the simulated bias is within a tenth of the expansion's. */
static const char *conditions(const op *p) {
  bool lambda = small_lambda(p), h = small_bandwidth(p);
  if (p->market->demand.laplace && p->market->tau == 0.5) return "FAIL: no derivative at 0";
  if (lambda) return h ? "hold" : "FAIL: h not small";
  return h ? "FAIL: lambda not small" : "FAIL: lambda, h not small";
}

/* The variance is Prop. 3's lower bound, without its term c_1 lambda. */
static const char *expect(void *self, double epsilon, size_t rows, double *theta, double *variance) {
  op *p = self;
  const tacit_impact_market *m = p->market;
  const tacit_kernel_constants *k = tacit_kernel_facts(p->setting.kernel);
  double n = (double)rows, columns = (double)m->demand.columns, f = p->density;
  p->setting.epsilon = epsilon;
  tacit_chen_set_constants(TACIT_CHEN_OP_COMPANION, &p->setting, rows, m->demand.columns, &p->constants);
  double h = p->constants.bandwidth, lambda = p->constants.lambda, sigma = p->constants.sigma;
  for (size_t j = 0; j < m->demand.columns; j++)
    theta[j] = m->best[j] * (1 - 2 * lambda / f) - (j ? 0 : h * h * k->kappa2 / 2 * p->slope / f);
  p->expected = theta[0];
  *variance = columns * (m->tau * (1 - m->tau) / (n * f * f) - 2 * h * k->cross / (n * f) +
                         sigma * sigma / (n * n * f * f));
  return conditions(p);
}

static tacit_status run(const void *self, const tacit_sample *rows, tacit_stream *noise, double *theta,
                        tacit_error *error) {
  const op *p = self;
  size_t n = rows->rows, d = rows->columns;
  double *x = tacit_alloc(n * d, sizeof *x);
  if (!x) return tacit_no_memory(error);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < d; j++) x[i * d + j] = rows->x[j * n + i];
  const tacit_chen_rows table = {n, d, x, rows->y};
  tacit_status status = tacit_chen_run(TACIT_CHEN_OP_COMPANION, &p->setting, &table, noise, theta, error);
  free(x);
  return status;
}

static const char *verdict(bool holds) {
  return holds ? "holds" : "FAILS";
}

static void note_market(const op *p, tacit_report *report) {
  const tacit_impact_market *m = p->market;
  const tacit_impact_demand *d = &m->demand;
  double square = 0, squeeze = m->best[0] - p->expected;
  for (size_t j = 1; j < d->columns; j++) square += m->best[j] * m->best[j];
  double lowest = m->best[0] - d->radius * sqrt(square);
  tacit_report_note(report,
                    "\n  %s: errors are normal with variance 1 (Prop. 4, formally EC.2; another variance is "
                    "another unit of demand)",
                    verdict(!d->laplace && d->sd == 1));
  tacit_report_note(report, "\n  %s: the best order is positive for every x, the least is %.4g (Prop. 4)",
                    verdict(lowest > 0), lowest);
  tacit_report_note(report, "\n  %s: the private order is below the best one (Prop. 4): by %.4g%s",
                    verdict(squeeze > 0), squeeze,
                    m->prices->wholesale >= m->prices->retail / 2
                        ? "; w >= p/2, so both terms of the bias are"
                        : "; w < p/2, so smoothing pulls the other way");
}

static void note(const void *self, tacit_report *report) {
  const op *p = self;
  const tacit_impact_demand *d = &p->market->demand;
  double h = p->constants.bandwidth, lambda = p->constants.lambda;
  tacit_report_note(
      report,
      "\nOP is the companion's, published, in floating point and without a certificate; conditions "
      "of its expansions at the last n and epsilon (lambda = %.3g, h = %.3g):",
      lambda, h);
  tacit_report_note(report,
                    "\n  %s: lambda and h near 0, so that 2 lambda / f = %.3g and h^2 kappa_2 / 2 are small "
                    "against 1 and theta* (Props 2, 3)",
                    verdict(small_lambda(p) && small_bandwidth(p)), 2 * lambda / p->density);
  tacit_report_note(report, "\n  %s: the errors' density has a derivative at 0 (Props 2, 3)",
                    verdict(!d->laplace || p->market->tau != 0.5));
  note_market(p, report);
  tacit_report_note(report, "\n  %s: delta <= e^(-epsilon/2) (companion, Theorem 2)",
                    verdict(p->setting.delta <= exp(-p->setting.epsilon / 2)));
  tacit_report_note(report,
                    "\n  FAILS: features normal and bounded at once (Theorem 8 and Props 2 to 4 each need "
                    "one); here they are normal, and redrawn beyond a norm of %.3g",
                    d->radius);
}

tacit_status tacit_impact_published(const tacit_impact_options *options, const tacit_context *context,
                                    tacit_report **report, tacit_error *error) {
  *report = NULL;
  TACIT_TRY(tacit_impact_check(options, error));
  tacit_impact_market market;
  op p;
  tacit_impact_market_init(&market, options);
  init(&p, &market);
  const tacit_impact_rival rival = {"OP (Props 2-4)", "OP (simulated)", &p, expect, run, note};
  return tacit_impact_beside(&market, &rival, context, report, error);
}
