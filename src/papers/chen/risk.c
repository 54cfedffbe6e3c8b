/* Chen and Chua's Figs 4 to 12: relative excess risk and relative estimation error against n, for several
   epsilon; Chen and Chua's seven methods, OP's variants, and tacit's default learner. */
#include "papers/chen/chen.h"
#include "papers/chen/learner.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OURS = 3, LINES = TACIT_CHEN_METHODS + OURS, REPETITIONS = 50 };
static const struct {
  const char *method, *label;
} LEARNERS[OURS] = {
    {"default", "tacit default"}, {"objective", "tacit objective"}, {"gradient", "tacit gradient"}};
static const char *const COLUMNS[] = {"method", "epsilon", "n",          "mean",
                                      "se",     "sd",      "band_lower", "band_upper"};
enum { TEXTS = 1, NUMBERS = sizeof COLUMNS / sizeof *COLUMNS - TEXTS };
static const size_t SIZES[] = {1000, 3000};
static const double EPSILONS[] = {1};

/* Means over 50 repetitions to be expected at d = 3, exogenous, epsilon = 1, delta = 0.01. */
static const struct {
  tacit_chen_method method;
  size_t rows;
  double lower, upper;
} BANDS[] = {
    {TACIT_CHEN_OP, 1000, 0.28, 0.40},
    {TACIT_CHEN_OP, 3000, 0.08, 0.12},
    {TACIT_CHEN_SGP, 1000, 0.18, 0.27},
    {TACIT_CHEN_SGP, 3000, 0.055, 0.080},
};

typedef struct study {
  tacit_chen_problem *problem;
  tacit_chen_learner learners[OURS];
  bool distances; /* chen-error */
  double epsilon, delta;
  size_t rows;
  uint64_t seed;
  double (*out)[LINES];
} study;

static tacit_status run_methods(const study *s, size_t r, const tacit_chen_rows *rows, double *out,
                                tacit_error *error) {
  const tacit_chen_setting setting = tacit_chen_public(s->problem, s->epsilon, s->delta);
  tacit_stream stream;
  for (int m = 0; m < LINES; m++) {
    double theta[TACIT_CHEN_WIDE];
    /* Every method gets the same noise, so that methods differ by what they do. */
    TACIT_TRY(tacit_study_stream(s->seed, TACIT_FOR_NOISE, s->problem->law.endogenous, (uint32_t)r, &stream,
                                 error));
    if (m >= TACIT_CHEN_METHODS)
      TACIT_TRY(tacit_chen_learner_run(&s->learners[m - TACIT_CHEN_METHODS], rows, tacit_stream_bits(&stream),
                                       theta, error));
    else
      TACIT_TRY(tacit_chen_run((tacit_chen_method)m, &setting, rows, &stream, theta, error));
    out[m] = s->distances ? tacit_chen_distance(s->problem, theta) : tacit_chen_excess(s->problem, theta);
  }
  return TACIT_OK;
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const study *s = with;
  tacit_chen_rows rows;
  tacit_stream stream;
  double *space = NULL;
  uint32_t group = s->problem->law.endogenous;
  TACIT_TRY(tacit_study_stream(s->seed, TACIT_FOR_ROWS, group, (uint32_t)r, &stream, error));
  TACIT_TRY(tacit_chen_table(s->problem, s->rows, &stream, &space, &rows, error));
  tacit_status status = run_methods(s, r, &rows, s->out[r], error);
  free(space);
  return status;
}

static void set_band(const study *s, int method, double *lower, double *upper) {
  *lower = *upper = NAN;
  if (s->distances || s->problem->law.endogenous || s->problem->columns != 3 || s->epsilon != 1 ||
      s->delta != TACIT_CHEN_DELTA)
    return;
  for (size_t i = 0; i < sizeof BANDS / sizeof *BANDS; i++)
    if ((int)BANDS[i].method == method && BANDS[i].rows == s->rows) {
      *lower = BANDS[i].lower;
      *upper = BANDS[i].upper;
    }
}

static tacit_status add_rows(const study *s, size_t repetitions, tacit_report *report, tacit_error *error) {
  for (int m = 0; m < LINES; m++) {
    double mean, se, lower, upper;
    tacit_summarise(repetitions, &s->out[0][m], LINES, &mean, &se);
    set_band(s, m, &lower, &upper);
    const char *label = m < TACIT_CHEN_METHODS ? tacit_chen_method_facts((tacit_chen_method)m)->label
                                               : LEARNERS[m - TACIT_CHEN_METHODS].label;
    const double line[NUMBERS] = {
        s->epsilon, (double)s->rows, mean, se, se * sqrt((double)repetitions), lower, upper};
    TACIT_TRY(tacit_report_add(report, &label, line, error));
  }
  return TACIT_OK;
}

static void note_setting(tacit_report *report, const study *s, size_t repetitions) {
  tacit_report_note(
      report,
      "%s of Chen and Chua's demand with d = %zu and %s errors; tau = 0.7, delta = %g, logistic kernel, "
      "B_x = sqrt(101) (the paper states 10, which leaves out the intercept), theta* computed (its (11.41, "
      "5, -2) is not quite the minimiser; here its first entries are %.4g, %.4g, %.4g), B_theta = 2 "
      "||theta*|| = %.4g; %zu repetitions. Risks are exact integrals.\n"
      "The paper prints figures without numbers. Its text: on Fig. 4, OP and DP-SGD \"outperform existing "
      "private methods, and are as good as empirical SGD without smoothing\"; on Fig. 5, \"our algorithms "
      "still perform better\"; on Figs 6 and 7, \"trends remain the same\"; on Figs 8 and 9, \"our private "
      "algorithms outperform existing algorithms\" and Phased-ERM is beyond the axis. The columns "
      "band_lower and band_upper are where an independent run of the published OP and SGP puts them.\n"
      "tacit default and tacit objective: the learners that users get, with seeded noise, under "
      "replace-one and with a guarantee that is exact: method \"default\" at the largest mu that (epsilon, "
      "delta) allows, %.4g for the last epsilon, method \"objective\", which is OP with exact noise, "
      "features on a "
      "known scale and its own choices, and \"gradient\", which is GP likewise.",
      s->distances ? "||theta - theta*|| / ||theta*||" : "(risk - risk(theta*)) / risk(theta*)",
      s->problem->columns, s->problem->law.endogenous ? "endogenous" : "exogenous", s->delta,
      s->problem->best[0], s->problem->best[1], s->problem->best[2], s->problem->bound_theta, repetitions,
      s->learners[0].mu);
}

static tacit_status run_all(study *s, const tacit_reproduce_options *options, size_t repetitions,
                            const tacit_context *context, tacit_report *report, tacit_error *error) {
  const tacit_chen_grid g = tacit_chen_grid_of(options, SIZES, sizeof SIZES / sizeof *SIZES, EPSILONS,
                                               sizeof EPSILONS / sizeof *EPSILONS);
  size_t cells = g.row_count * g.epsilon_count;
  s->delta = g.delta;
  for (size_t at = 0; at < cells; at++) {
    s->epsilon = g.epsilons[at / g.row_count];
    s->rows = g.rows[at % g.row_count];
    for (int k = 0; k < OURS; k++) {
      s->learners[k].epsilon = s->epsilon;
      s->learners[k].delta = s->delta;
      TACIT_TRY(tacit_gdp_mu(s->epsilon, s->delta, &s->learners[k].mu, error));
    }
    TACIT_TRY(tacit_repeat(repetitions, run_one, s, tacit_part_of("methods", at, cells), context, error));
    TACIT_TRY(add_rows(s, repetitions, report, error));
  }
  note_setting(report, s, repetitions);
  tacit_chen_note_methods(report);
  for (size_t k = 0; k < g.epsilon_count; k++) {
    const tacit_chen_setting setting = tacit_chen_public(s->problem, g.epsilons[k], s->delta);
    tacit_chen_note_conditions(report, &setting, g.rows[0], tacit_chen_error_density);
  }
  return TACIT_OK;
}

static tacit_status make(bool distances, const tacit_reproduce_options *options, const tacit_context *context,
                         tacit_report **report, tacit_error *error) {
  size_t repetitions = tacit_repetitions(options, REPETITIONS);
  study s = {.distances = distances, .seed = options->seed};
  s.problem = tacit_alloc(1, sizeof *s.problem);
  s.out = tacit_alloc(repetitions, sizeof *s.out);
  tacit_status status = s.problem && s.out ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK)
    status = tacit_chen_problem_init(s.problem, options->columns ? options->columns : 3, options->endogenous,
                                     error);
  for (int k = 0; status == TACIT_OK && k < OURS; k++)
    status = tacit_chen_learner_init(&s.learners[k], s.problem, LEARNERS[k].method, 0, error);
  if (status == TACIT_OK)
    status = tacit_report_new(distances ? "chen-error" : "chen-risk", TEXTS, NUMBERS, COLUMNS, report, error);
  if (status == TACIT_OK) status = run_all(&s, options, repetitions, context, *report, error);
  for (int k = 0; k < OURS; k++) tacit_chen_learner_clear(&s.learners[k]);
  free(s.problem);
  free(s.out);
  return status;
}

tacit_status tacit_reproduce_chen_risk(const tacit_reproduce_options *options, const tacit_context *context,
                                       tacit_report **report, tacit_error *error) {
  return make(false, options, context, report, error);
}

tacit_status tacit_reproduce_chen_error(const tacit_reproduce_options *options, const tacit_context *context,
                                        tacit_report **report, tacit_error *error) {
  return make(true, options, context, report, error);
}
