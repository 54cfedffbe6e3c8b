/* Chen and Chua's Table 2: seconds of all seven methods beside the published ones, and of tacit's own
 * learners. */
#include "papers/chen/chen.h"
#include "papers/chen/learner.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

enum { QUICK = 5 }; /* repetitions of what takes no time */
static const size_t SIZES[] = {5000}, COLUMNS_OF[] = {3, TACIT_CHEN_WIDE};
static const double EPSILONS[] = {1};
static const char *const COLUMNS[] = {"method",        "d",          "n", "seconds", "published_seconds",
                                      "times_as_fast", "excess_risk"};

/* Chen and Chua's Table 2: n = 100, 1000, 5000. Its authors' machine is not stated. */
enum { PUBLISHED = 3 };
static const size_t PUBLISHED_ROWS[PUBLISHED] = {100, 1000, 5000};
static const double SECONDS[2][TACIT_CHEN_SEVEN][PUBLISHED] = {
    {{0.0, 0.1, 0.4},
     {0.0, 0.3, 2.8},
     {0.7, 62.4, 1575.1},
     {0.6, 59.3, 1431.8},
     {0.6, 19.4, 317.7},
     {0.2, 0.2, 0.3},
     {0.1, 0.1, 0.1}},
    {{0.1, 0.2, 1.6},
     {0.1, 0.8, 6.1},
     {1.1, 69.5, 1600.0},
     {1.0, 62.2, 1528.3},
     {0.6, 24.9, 323.6},
     {1.0, 4.2, 8.4},
     {0.3, 0.3, 0.3}},
};

static double published(size_t columns, int method, size_t rows) {
  for (int k = 0; k < PUBLISHED; k++)
    if (method < TACIT_CHEN_SEVEN && rows == PUBLISHED_ROWS[k]) return SECONDS[columns != 3][method][k];
  return NAN;
}

typedef struct study {
  const tacit_reproduce_options *options;
  tacit_chen_problem *problem;
  tacit_chen_rows rows;
  double *columns; /* the same rows column by column, for tacit's learners */
  double epsilon, delta;
} study;

/* A method of the table, or one of tacit's learners and the row of the table that it answers. */
typedef struct contestant {
  const char *label;
  int method;          /* of the published table */
  const char *learner; /* NULL: as published */
} contestant;

static tacit_status run_once(const study *s, const contestant *c, const tacit_chen_learner *learner, size_t r,
                             double *theta, double *seconds, tacit_error *error) {
  const tacit_chen_setting setting = tacit_chen_public(s->problem, s->epsilon, s->delta);
  tacit_stream stream;
  TACIT_TRY(tacit_study_stream(s->options->seed, TACIT_FOR_NOISE, 4, (uint32_t)r, &stream, error));
  double before = s->options->seconds(s->options->user);
  if (c->learner)
    TACIT_TRY(tacit_chen_learner_learn(learner, s->rows.rows, s->columns, tacit_stream_bits(&stream), theta,
                                       error));
  else
    TACIT_TRY(tacit_chen_run((tacit_chen_method)c->method, &setting, &s->rows, &stream, theta, error));
  *seconds = s->options->seconds(s->options->user) - before;
  return TACIT_OK;
}

static tacit_status measure(const study *s, const contestant *c, tacit_report *report, tacit_error *error) {
  bool slow = c->method == TACIT_CHEN_SGP || c->method == TACIT_CHEN_EMPIRICAL;
  size_t repetitions = s->options->repetitions ? s->options->repetitions : slow ? 1 : QUICK;
  double theta[TACIT_CHEN_WIDE], best = INFINITY, seconds = 0, mu;
  tacit_chen_learner learner = {0};
  TACIT_TRY(tacit_gdp_mu(s->epsilon, s->delta, &mu, error));
  if (c->learner) TACIT_TRY(tacit_chen_learner_init(&learner, s->problem, c->learner, mu, error));
  learner.epsilon = s->epsilon;
  learner.delta = s->delta;
  tacit_status status = TACIT_OK;
  for (size_t r = 0; status == TACIT_OK && r < repetitions; r++) {
    status = run_once(s, c, &learner, r, theta, &seconds, error);
    best = fmin(best, seconds);
  }
  tacit_chen_learner_clear(&learner);
  TACIT_TRY(status);
  double theirs = published(s->problem->columns, c->method, s->rows.rows);
  const double line[] = {(double)s->problem->columns,
                         (double)s->rows.rows,
                         best,
                         theirs,
                         theirs > 0 ? theirs / best : NAN,
                         tacit_chen_excess(s->problem, theta)};
  return tacit_report_add(report, &c->label, line, error);
}

static const contestant OURS[] = {
    {"tacit objective (OP, exact)", TACIT_CHEN_OP, "objective"},
    {"tacit sgd (SGP, exact)", TACIT_CHEN_SGP, "sgd"},
    {"tacit default", TACIT_CHEN_METHODS, "default"},
};

static tacit_status run_size(study *s, size_t n, const tacit_context *context, double from, double to,
                             tacit_report *report, tacit_error *error) {
  double *space = NULL;
  tacit_stream stream;
  TACIT_TRY(tacit_study_stream(s->options->seed, TACIT_FOR_ROWS, 4, 0, &stream, error));
  TACIT_TRY(tacit_chen_table(s->problem, n, &stream, &space, &s->rows, error));
  s->columns = tacit_alloc(n * s->problem->columns, sizeof *s->columns);
  tacit_status status = s->columns ? TACIT_OK : tacit_no_memory(error);
  if (s->columns) tacit_chen_learner_columns(&s->rows, s->columns);
  for (int m = 0; status == TACIT_OK && m < TACIT_CHEN_SEVEN; m++) {
    const contestant c = {tacit_chen_method_facts((tacit_chen_method)m)->label, m, NULL};
    status = tacit_progress(context, c.label, from + (to - from) * m / TACIT_CHEN_SEVEN, error);
    if (status == TACIT_OK) status = measure(s, &c, report, error);
  }
  for (size_t k = 0; status == TACIT_OK && k < sizeof OURS / sizeof *OURS; k++)
    status = measure(s, &OURS[k], report, error);
  free(space);
  free(s->columns);
  return status;
}

static tacit_status run_all(study *s, const tacit_context *context, tacit_report *report,
                            tacit_error *error) {
  const tacit_reproduce_options *o = s->options;
  const tacit_chen_grid g = tacit_chen_grid_of(o, SIZES, 1, EPSILONS, 1);
  size_t at = 0, cells = g.row_count * (o->columns ? 1 : 2);
  s->epsilon = g.epsilons[0];
  s->delta = g.delta;
  for (int k = 0; k < 2; k++) {
    if (o->columns && o->columns != COLUMNS_OF[k]) continue;
    TACIT_TRY(tacit_chen_problem_init(s->problem, COLUMNS_OF[k], o->endogenous, error));
    for (size_t i = 0; i < g.row_count; i++, at++)
      TACIT_TRY(run_size(s, g.rows[i], context, (double)at / (double)cells, (double)(at + 1) / (double)cells,
                         report, error));
  }
  tacit_report_note(
      report,
      "Processor seconds on one thread of this machine, the best of up to %d runs, at epsilon = %g, delta "
      "= %g; published_seconds is Chen and Chua's Table 2, whose machine is not stated. Drawing the rows "
      "is not counted. SGP and EmpSGD take n^2 steps as published. Published methods run in floating point "
      "with simulated noise and carry no certificate; tacit's own learners read the rows as columns, "
      "encode them and draw exact noise, all of which is counted. Chen and Chua's Moreau seconds grow as "
      "n^1.5, as T m of Bassily et al. 2019 does, at 3 to 5 ms for each proximal step; here that step is a "
      "closed form.",
      (int)QUICK, s->epsilon, s->delta);
  return TACIT_OK;
}

tacit_status tacit_reproduce_chen_time(const tacit_reproduce_options *options, const tacit_context *context,
                                       tacit_report **report, tacit_error *error) {
  if (!options->seconds) return tacit_fail(error, TACIT_USAGE, "chen-time needs a clock");
  study s = {.options = options};
  s.problem = tacit_alloc(1, sizeof *s.problem);
  tacit_status status = s.problem ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK)
    status = tacit_report_new("chen-time", 1, sizeof COLUMNS / sizeof *COLUMNS - 1, COLUMNS, report, error);
  if (status == TACIT_OK) status = run_all(&s, context, *report, error);
  free(s.problem);
  return status;
}
