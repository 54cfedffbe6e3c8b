/* What smoothing does to SPO+ (Wang and Qin, section 3.2), on Elmachtoub and Grigas's shortest paths: descent
   on the smoothed loss at several smoothings, and the learner's subgradient descent, beside the exact
   minimiser. */
#include "base/base.h"
#include "papers/path_sample.h"
#include "papers/reproduce.h"
#include "papers/spo_exact.h"
#include "papers/spo_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  P = TACIT_PATH_FEATURES + 1,
  CELLS = TACIT_PATH_EDGES * P,
  TEST_ROWS = 2000,
  REPETITIONS = 5,
  STEPS = 100
};
enum { SMOOTHINGS = 4, EXACT = SMOOTHINGS, LEARNER, WAYS };
/* In units of a cost's spread: of mu_s, whose bias is at most mu_s ||w||^2 / 2, and here ||w||^2 = 8. */
static const double SMOOTHING[SMOOTHINGS] = {0, 0.1, 1, 10};
static const size_t ROWS[] = {60, 200};
enum { SIZES = sizeof ROWS / sizeof *ROWS, DEGREE = 4 };
static const double HALF_WIDTH = 0.5;
static const char *const COLUMNS[] = {
    "method", "n", "smoothing", "bias_at_most", "training_spo_plus", "above_minimum", "test_spo", "test_se"};
enum { TEXTS = 1, NUMBERS = sizeof COLUMNS / sizeof *COLUMNS - TEXTS };

typedef struct study {
  size_t rows;
  uint64_t seed;
  const tacit_region *region;
  const tacit_schema *schema;
  double scale;
  double (*training)[WAYS], (*test)[WAYS]; /* by repetition; relative to the mean best cost */
} study;

/* Full gradients from 0 in units of the cost's spread, the last half averaged: without noise, without
 * privacy. */
static tacit_status descend(const study *s, const tacit_spo_sample *train, double smoothing, double *rule,
                            tacit_error *error) {
  double b[CELLS] = {0}, g[CELLS], chat[TACIT_PATH_EDGES], slope[TACIT_PATH_EDGES];
  double *work = tacit_alloc(tacit_spo_work(s->region), sizeof *work);
  if (!work) return tacit_no_memory(error);
  memset(rule, 0, sizeof b);
  tacit_status status = TACIT_OK;
  for (int t = 0; t < STEPS && status == TACIT_OK; t++) {
    memset(g, 0, sizeof g);
    for (size_t i = 0; i < train->rows && status == TACIT_OK; i++) {
      const double *x = train->x + i * P;
      for (size_t j = 0; j < TACIT_PATH_EDGES; j++) {
        chat[j] = 0;
        for (size_t k = 0; k < P; k++) chat[j] += b[j * P + k] * x[k];
      }
      const tacit_spo_forecast f = {train->c + i * train->d, train->best + i * train->d, chat};
      status = tacit_spo_plus(s->region, smoothing * s->scale, &f, work, NULL, slope, error);
      for (size_t j = 0; j < TACIT_PATH_EDGES; j++)
        for (size_t k = 0; k < P; k++) g[j * P + k] += slope[j] * x[k] / (double)train->rows;
    }
    double step = s->scale / sqrt(1 + t);
    for (int k = 0; k < CELLS; k++) {
      b[k] -= step * g[k];
      if (t >= STEPS / 2) rule[k] += b[k] / (STEPS - STEPS / 2);
    }
  }
  free(work);
  return status;
}

static tacit_status learner(const study *s, const tacit_spo_sample *train, double *rule, tacit_error *error) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = "spo-plus";
  options.spo_plus.steps = STEPS;
  return tacit_spo_fit_sample(train, s->schema, &options, rule, NULL, error);
}

static tacit_status compare(const study *s, size_t r, const tacit_spo_sample *train,
                            const tacit_spo_sample *test, tacit_error *error) {
  double rule[CELLS], loss, best;
  for (int w = 0; w < WAYS; w++) {
    if (w == EXACT)
      TACIT_TRY(tacit_spo_exact(train, rule, error));
    else if (w == LEARNER)
      TACIT_TRY(learner(s, train, rule, error));
    else
      TACIT_TRY(descend(s, train, SMOOTHING[w], rule, error));
    TACIT_TRY(tacit_spo_sample_loss(test, rule, &loss, &best, error));
    s->test[r][w] = loss / best;
    TACIT_TRY(tacit_spo_sample_plus(train, 0, rule, &loss, error));
    s->training[r][w] = loss / best;
  }
  return TACIT_OK;
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const study *s = with;
  tacit_stream stream;
  tacit_path_model model;
  tacit_spo_sample *train = NULL, *test = NULL;
  TACIT_TRY(tacit_study_stream(s->seed, TACIT_FOR_ROWS, (uint32_t)s->rows, (uint32_t)r, &stream, error));
  tacit_path_model_draw(&model, DEGREE, HALF_WIDTH, &stream);
  tacit_status status = tacit_path_sample(&model, s->region, s->rows, &stream, &train, error);
  if (status == TACIT_OK) status = tacit_path_sample(&model, s->region, TEST_ROWS, &stream, &test, error);
  if (status == TACIT_OK) status = compare(s, r, train, test, error);
  tacit_spo_sample_free(train);
  tacit_spo_sample_free(test);
  tacit_stream_end(&stream);
  return status;
}

static tacit_status add_rows(const study *s, size_t repetitions, tacit_report *report, tacit_error *error) {
  double least, mean, se, test, test_se;
  tacit_summarise(repetitions, &s->training[0][EXACT], WAYS, &least, &se);
  for (int w = 0; w < WAYS; w++) {
    const char *label = w == EXACT ? "linear program" : w == LEARNER ? "tacit spo-plus" : "descent";
    double smoothing = w < SMOOTHINGS ? SMOOTHING[w] : NAN;
    tacit_summarise(repetitions, &s->training[0][w], WAYS, &mean, &se);
    tacit_summarise(repetitions, &s->test[0][w], WAYS, &test, &test_se);
    const double line[NUMBERS] = {
        (double)s->rows, smoothing * s->scale, smoothing * s->scale * 4, mean, mean - least, test, test_se};
    TACIT_TRY(tacit_report_add(report, &label, line, error));
  }
  return TACIT_OK;
}

static tacit_status run_all(study *s, const tacit_reproduce_options *options, size_t repetitions,
                            const tacit_context *context, tacit_report *report, tacit_error *error) {
  const size_t *rows = options->row_count ? options->rows : ROWS;
  size_t sizes = options->row_count ? options->row_count : SIZES;
  for (size_t k = 0; k < sizes; k++) {
    s->rows = rows[k];
    TACIT_TRY(tacit_repeat(repetitions, run_one, s, tacit_part_of("smoothing", k, sizes), context, error));
    TACIT_TRY(add_rows(s, repetitions, report, error));
  }
  tacit_report_note(
      report,
      "Shortest paths on the 5 x 5 grid, degree 4, half-width 0.5, %zu repetitions, without noise and "
      "without a certificate. Losses over the mean best cost of the test rows; training_spo_plus is the "
      "mean SPO+ loss (without smoothing) on the training rows, above_minimum how far it is above the exact "
      "minimum, which the linear program finds. descent: %d full steps of the size spread/sqrt(t) on the "
      "loss smoothed by mu_s, the last half averaged; its bias is at most mu_s ||w||^2 / 2. tacit "
      "spo-plus: the learner without privacy.",
      repetitions, (int)STEPS);
  return TACIT_OK;
}

tacit_status tacit_reproduce_spo_smoothing(const tacit_reproduce_options *options,
                                           const tacit_context *context, tacit_report **report,
                                           tacit_error *error) {
  size_t repetitions = tacit_repetitions(options, REPETITIONS);
  tacit_region *region = NULL;
  tacit_schema *schema = NULL;
  double center;
  study s = {.seed = options->seed};
  s.training = tacit_alloc(repetitions, sizeof *s.training);
  s.test = tacit_alloc(repetitions, sizeof *s.test);
  tacit_path_spread(DEGREE, HALF_WIDTH, &center, &s.scale);
  tacit_status status = s.training && s.test ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK)
    status = tacit_region_parse(tacit_path_region, strlen(tacit_path_region), &region, error);
  if (status == TACIT_OK) status = tacit_path_schema(DEGREE, HALF_WIDTH, &schema, error);
  s.region = region;
  s.schema = schema;
  if (status == TACIT_OK) status = tacit_report_new("spo-smoothing", TEXTS, NUMBERS, COLUMNS, report, error);
  if (status == TACIT_OK) status = run_all(&s, options, repetitions, context, *report, error);
  tacit_schema_free(schema);
  tacit_region_free(region);
  free(s.training);
  free(s.test);
  return status;
}
