/* The companion's Prop. 1: S products' policies from one table. Advanced composition gives each of them
   (epsilon_0, delta_0) = (epsilon / (2 sqrt(2 S ln(2/delta))), delta / (2 S)); Gaussian privacy mu / sqrt(S),
   exactly. Both beside what they cost the default learner and OP. */
#include "papers/chen/chen.h"
#include "papers/chen/learner.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

enum { REPETITIONS = 20, LINES = 3 };
static const size_t SIZES[] = {3000};
static const double EPSILONS[] = {1};
static const size_t PRODUCTS[] = {1, 2, 5, 10, 20, 50};
static const char *const COLUMNS[] = {"promise", "products",    "mu_each",  "epsilon_0",     "delta_0",
                                      "mu_0",    "times_noise", "risk_gdp", "risk_advanced", "risk_op"};

typedef struct study {
  tacit_chen_problem *problem;
  tacit_chen_learner learner;
  double mu[2]; /* each product's, under Gaussian privacy and under advanced composition */
  double epsilon, delta;
  size_t repetitions, rows;
  uint64_t seed;
  double (*out)[LINES];
} study;

static tacit_status run_methods(const study *s, size_t r, const tacit_chen_rows *rows, double *out,
                                tacit_error *error) {
  double theta[TACIT_CHEN_WIDE];
  tacit_stream stream;
  for (int k = 0; k < LINES; k++) {
    TACIT_TRY(tacit_study_stream(s->seed, TACIT_FOR_NOISE, 5, (uint32_t)r, &stream, error));
    if (k < 2) {
      tacit_chen_learner learner = s->learner;
      learner.mu = s->mu[k];
      TACIT_TRY(tacit_chen_learner_run(&learner, rows, tacit_stream_bits(&stream), theta, error));
    } else {
      const tacit_chen_setting setting = tacit_chen_public(s->problem, s->epsilon, s->delta);
      TACIT_TRY(tacit_chen_run(TACIT_CHEN_OP, &setting, rows, &stream, theta, error));
    }
    out[k] = tacit_chen_excess(s->problem, theta);
  }
  return TACIT_OK;
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const study *s = with;
  tacit_chen_rows rows;
  tacit_stream stream;
  double *space = NULL;
  TACIT_TRY(tacit_study_stream(s->seed, TACIT_FOR_ROWS, 5, (uint32_t)r, &stream, error));
  TACIT_TRY(tacit_chen_table(s->problem, s->rows, &stream, &space, &rows, error));
  tacit_status status = run_methods(s, r, &rows, s->out[r], error);
  free(space);
  return status;
}

static tacit_status run_all(study *s, const tacit_chen_grid *g, const tacit_context *context,
                            tacit_report *report, tacit_error *error) {
  double mu, epsilon = g->epsilons[0], delta = g->delta;
  size_t repetitions = s->repetitions;
  enum { COUNT = sizeof PRODUCTS / sizeof *PRODUCTS };
  TACIT_TRY(tacit_gdp_mu(epsilon, delta, &mu, error));
  for (size_t k = 0; k < COUNT; k++) {
    double S = (double)PRODUCTS[k], mean[LINES], se;
    s->epsilon = epsilon / (2 * sqrt(2 * S * log(2 / delta)));
    s->delta = delta / (2 * S);
    s->mu[0] = mu / sqrt(S);
    TACIT_TRY(tacit_gdp_mu(s->epsilon, s->delta, &s->mu[1], error));
    if (PRODUCTS[k] == 1) { /* nothing to compose */
      s->epsilon = epsilon;
      s->delta = delta;
      s->mu[1] = mu;
    }
    TACIT_TRY(tacit_repeat(repetitions, run_one, s, tacit_part_of("products", k, COUNT), context, error));
    for (int j = 0; j < LINES; j++) tacit_summarise(repetitions, &s->out[0][j], LINES, &mean[j], &se);
    char text[TACIT_REPORT_TEXT];
    const char *label = text;
    snprintf(text, sizeof text, "epsilon %g delta %g", epsilon, delta);
    const double line[] = {S,       s->mu[0], s->epsilon, s->delta, s->mu[1], s->mu[0] / s->mu[1],
                           mean[0], mean[1],  mean[2]};
    TACIT_TRY(tacit_report_add(report, &label, line, error));
  }
  tacit_report_note(
      report,
      "S policies from one table with one promise for all of them together (companion, Prop. 1). mu_each = "
      "mu / sqrt(S) is exact for Gaussian releases; advanced composition (companion, Lemma EC.3) leaves "
      "each policy (epsilon_0, delta_0), in which mu_0 fits, so that its noise is times_noise as large. "
      "The risks are relative excess risks of one product's policy, Chen and Chua's demand with d = 3, %s, "
      "n = %zu, %zu repetitions: tacit's default learner at mu_each and at mu_0, and the published OP at "
      "(epsilon_0, delta_0), which carries no certificate. The rates of the companion's Prop. 1 need "
      "epsilon >= Omega(S^(5/4) / n^(1/4)), without its constant; at S = 50 and this n that is %.3g "
      "without it. Under the companion's own proof the products share one record of S demands, which "
      "Gaussian releases do here as well.",
      s->problem->law.endogenous ? "endogenous" : "exogenous", s->rows, repetitions,
      pow(50, 1.25) / pow((double)s->rows, 0.25));
  return TACIT_OK;
}

tacit_status tacit_reproduce_chen_products(const tacit_reproduce_options *options,
                                           const tacit_context *context, tacit_report **report,
                                           tacit_error *error) {
  const tacit_chen_grid g = tacit_chen_grid_of(options, SIZES, 1, EPSILONS, 1);
  study s = {
      .repetitions = tacit_repetitions(options, REPETITIONS), .rows = g.rows[0], .seed = options->seed};
  s.problem = tacit_alloc(1, sizeof *s.problem);
  s.out = tacit_alloc(s.repetitions, sizeof *s.out);
  tacit_status status = s.problem && s.out ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK)
    status = tacit_chen_problem_init(s.problem, options->columns ? options->columns : 3, options->endogenous,
                                     error);
  if (status == TACIT_OK) status = tacit_chen_learner_init(&s.learner, s.problem, "default", 0, error);
  if (status == TACIT_OK)
    status =
        tacit_report_new("chen-products", 1, sizeof COLUMNS / sizeof *COLUMNS - 1, COLUMNS, report, error);
  if (status == TACIT_OK) status = run_all(&s, &g, context, *report, error);
  tacit_chen_learner_clear(&s.learner);
  free(s.problem);
  free(s.out);
  return status;
}
