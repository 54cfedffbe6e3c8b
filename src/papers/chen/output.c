/* The companion's Prop. EC.1: perturbing the order itself, without features. The order statistic q of n
   demands in [0, ybar] moves by as much as ybar when one of them changes, whatever n, so q + N(0, sigma^2)
   with sigma = sqrt(2 ln(1.25/delta)) ybar / epsilon never becomes consistent. Demand here is uniform on [0,
   1]. */
#include "num/normal.h"
#include "papers/chen/chen.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

enum { REPETITIONS = 1000 };
static const double TAU = 0.7, MARGIN = 0.1; /* q* = 0.7; the companion's epsilon-ball has this radius */
static const size_t SIZES[] = {100, 1000, 10000, 100000};
static const double EPSILONS[] = {1};
static const char *const COLUMNS[] = {"mechanism",      "n",  "epsilon",      "sigma",
                                      "mean_abs_error", "se", "share_beyond", "lower_bound"};

typedef struct study {
  size_t rows;
  uint64_t seed;
  double (*out)[2]; /* the order before noise, and a standard normal */
} study;

/* The k-th smallest of n uniforms is Beta(k, n + 1 - k): by the Renyi representation, one exponential after
   the other from the nearer end. */
static double order_statistic(tacit_stream *stream, size_t n, size_t k) {
  double log_gap = 0;
  for (size_t i = n; i >= k; i--) log_gap += log(tacit_uniform(stream)) / (double)i;
  return exp(log_gap); /* the largest is U^(1/n), and each next one a power 1/i of it further down */
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const study *s = with;
  tacit_stream stream;
  TACIT_TRY(tacit_study_stream(s->seed, TACIT_FOR_ROWS, 3, (uint32_t)r, &stream, error));
  s->out[r][0] = order_statistic(&stream, s->rows, (size_t)ceil((double)s->rows * TAU));
  s->out[r][1] = tacit_normal(&stream);
  return TACIT_OK;
}

static tacit_status add_row(const study *s, size_t repetitions, const char *name, double epsilon,
                            double sigma, tacit_report *report, tacit_error *error) {
  double sum = 0, square = 0, beyond = 0, n = (double)repetitions;
  for (size_t r = 0; r < repetitions; r++) {
    double off = fabs(s->out[r][0] + sigma * s->out[r][1] - TAU);
    sum += off;
    square += off * off;
    beyond += off >= MARGIN;
  }
  double mean = sum / n, se = sqrt(fmax(0, square / n - mean * mean) / n);
  /* (EC.40), before its tail bound */
  double lower =
      sigma > 0 ? tacit_normal_cdf(-(TAU + MARGIN) / sigma) + tacit_normal_cdf(-(1 + MARGIN - TAU) / sigma)
                : 0;
  const double line[] = {(double)s->rows, epsilon, sigma, mean, se, beyond / n, lower};
  return tacit_report_add(report, &name, line, error);
}

static tacit_status run_all(study *s, const tacit_reproduce_options *options, size_t repetitions,
                            const tacit_context *context, tacit_report *report, tacit_error *error) {
  const tacit_chen_grid g = tacit_chen_grid_of(options, SIZES, sizeof SIZES / sizeof *SIZES, EPSILONS,
                                               sizeof EPSILONS / sizeof *EPSILONS);
  double delta = g.delta, mu, sigma;
  for (size_t k = 0; k < g.row_count; k++) {
    s->rows = g.rows[k];
    TACIT_TRY(tacit_repeat(repetitions, run_one, s, tacit_part_of("orders", k, g.row_count), context, error));
    TACIT_TRY(add_row(s, repetitions, "no noise", NAN, 0, report, error));
    for (size_t i = 0; i < g.epsilon_count; i++) {
      TACIT_TRY(tacit_gdp_mu(g.epsilons[i], delta, &mu, error));
      TACIT_TRY(tacit_gdp_sigma(mu, 1, 1, &sigma, error));
      TACIT_TRY(add_row(s, repetitions, "as published", g.epsilons[i],
                        sqrt(2 * log(1.25 / delta)) / g.epsilons[i], report, error));
      TACIT_TRY(add_row(s, repetitions, "exact noise", g.epsilons[i], sigma, report, error));
    }
  }
  tacit_report_note(
      report,
      "Output perturbation without features (companion, Prop. EC.1): demand uniform on [0, 1], r = 0.7, q* "
      "= 0.7, delta = %g, %zu repetitions. share_beyond is how often the order is %g or more from q*; "
      "lower_bound is (EC.40), which no n changes: the order is not consistent, with the published noise "
      "or with the least that the promise needs.\n"
      "The published noise is the classical Gaussian mechanism, whose theorem is for epsilon < 1 (at 1 and "
      "above its argument does not carry the claim); \"exact noise\" is ybar / mu for the largest mu that "
      "(epsilon, delta) allows. Both protect a record that is replaced; floating point, no certificate. "
      "The companion writes max{q*, ybar - q*} for the range of its margin; here the margin is below both.",
      delta, repetitions, MARGIN);
  return TACIT_OK;
}

tacit_status tacit_reproduce_chen_output(const tacit_reproduce_options *options, const tacit_context *context,
                                         tacit_report **report, tacit_error *error) {
  size_t repetitions = tacit_repetitions(options, REPETITIONS);
  study s = {.seed = options->seed};
  s.out = tacit_alloc(repetitions, sizeof *s.out);
  tacit_status status = s.out ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK)
    status = tacit_report_new("chen-output", 1, sizeof COLUMNS / sizeof *COLUMNS - 1, COLUMNS, report, error);
  if (status == TACIT_OK) status = run_all(&s, options, repetitions, context, *report, error);
  free(s.out);
  return status;
}
