/* The default learner on Chen and Chua's data: relative excess risk by n and epsilon, beside the constant
 * order. */
#include "papers/promise.h"
#include "papers/reproduce.h"
#include "papers/score.h"
#include "study/chen_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { P = TACIT_CHEN_COLUMNS, SIZES = 4, EPSILONS = 3, CELLS = 2 * SIZES * EPSILONS, REPETITIONS = 300 };
static const size_t SIZE[SIZES] = {100, 300, 1000, 3000};
static const double EPSILON[EPSILONS] = {0.5, 1, 2}, DELTA = 0.01;
static const char *const NAMES[P] = {"x1", "x2", "y"};
static const char SCHEMA[] = "{\"target\": {\"name\": \"y\", \"min\": -40, \"max\": 60}, \"features\": ["
                             "{\"name\": \"x1\", \"center\": 0, \"scale\": 2},"
                             "{\"name\": \"x2\", \"center\": 0, \"scale\": 3}]}";
/* An encoded row is (1, x1 / 2, x2 / 3), the encoded target (y - 10) / 50. */
static const double UNIT[P] = {1, 2, 3}, TARGET_CENTRE = 10, TARGET_HALF = 50;
static const double CONSTANT[P] = {-40 + TACIT_CHEN_TAU * 100, 0, 0};

static const char NOTES[] =
    "Mean relative excess risk, risk(b) / risk(theta*) - 1, of Chen and Chua's data with d = 3, r = 0.7, "
    "delta = 0.01, %zu repetitions; standard errors in parentheses. The column mu is the largest that "
    "(epsilon, delta) allows.\n"
    "bar: what tacit is to stay below; 0.006 at n = 1000 and 0.022 at n = 300 for epsilon = 1, else the "
    "constant order's figure.\n"
    "constant_order: min + r (max - min) = 30, which reads no data.\n"
    "tacit: method \"default\" with seeded noise; features center 0, scale 2 and 3, target between -40 and "
    "60.\n"
    "Risks are integrals over the features' disc, exact in the errors; theta* minimises them. "
    "\"endogenous\": errors with the mean x1 - x2 + |x1 x2|, so that the best linear order is not the best "
    "order.";

typedef struct cell {
  const tacit_chen *chen;
  const tacit_schema *schema;
  size_t rows, repetitions;
  double mu;
  uint64_t seed;
  tacit_study_promise promise;
  double (*out)[2]; /* excess risk, and whether the certificate is above mu */
} cell;

static tacit_status draw_table(const cell *c, size_t r, double **space, const double *values[P],
                               tacit_study_table *table, tacit_error *error) {
  tacit_stream stream;
  TACIT_TRY(tacit_study_stream(c->seed, TACIT_FOR_ROWS, c->chen->endogenous, (uint32_t)r, &stream, error));
  double *x = *space = tacit_alloc(P * c->rows, sizeof *x);
  if (!x) return tacit_no_memory(error);
  for (size_t i = 0; i < c->rows; i++)
    x[2 * c->rows + i] = tacit_chen_draw(c->chen, &stream, &x[i], &x[c->rows + i]);
  for (size_t j = 0; j < P; j++) values[j] = x + j * c->rows;
  *table = (tacit_study_table){c->schema, c->rows, P, NAMES, values, NULL};
  return TACIT_OK;
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const cell *c = with;
  double *space = NULL, b[P];
  const double *values[P];
  tacit_study_table table;
  tacit_stream stream;
  TACIT_TRY(tacit_study_stream(c->seed, TACIT_FOR_NOISE, c->chen->endogenous, (uint32_t)r, &stream, error));
  TACIT_TRY(draw_table(c, r, &space, values, &table, error));
  tacit_status status =
      tacit_study_learn(&table, TACIT_CHEN_TAU, c->mu, tacit_stream_bits(&stream), b, &c->out[r][1], error);
  free(space);
  TACIT_TRY(status);
  for (int j = 0; j < P; j++) b[j] *= TARGET_HALF / UNIT[j];
  b[0] += TARGET_CENTRE;
  c->out[r][0] = tacit_chen_risk(c->chen, b) / c->chen->least - 1;
  return TACIT_OK;
}

static tacit_status verify(cell *c, tacit_error *error) {
  double *space = NULL;
  const double *values[P];
  tacit_study_table table;
  TACIT_TRY(draw_table(c, 0, &space, values, &table, error));
  tacit_status status = tacit_study_verify(&table, TACIT_CHEN_TAU, c->mu, &c->promise, error);
  free(space);
  return status;
}

static tacit_status run_cell(cell *c, size_t at, const tacit_context *context, tacit_report *report,
                             tacit_error *error) {
  double epsilon = EPSILON[at % EPSILONS];
  tacit_score score;
  c->rows = SIZE[at / EPSILONS % SIZES];
  TACIT_TRY(tacit_gdp_mu(epsilon, DELTA, &c->mu, error));
  TACIT_TRY(tacit_repeat(c->repetitions, run_one, c,
                         tacit_part_of(c->chen->endogenous ? "endogenous" : "exogenous", at, CELLS), context,
                         error));
  tacit_score_init(&score, TACIT_CHEN_TAU, c->mu, c->rows, c->repetitions);
  snprintf(score.setting, sizeof score.setting, "%s n=%zu eps=%g", c->chen->endogenous ? "endo" : "exo",
           c->rows, epsilon);
  tacit_summarise(c->repetitions, &c->out[0][0], 2, &score.tacit, &score.tacit_se);
  score.other = score.bar = tacit_chen_risk(c->chen, CONSTANT) / c->chen->least - 1;
  if (epsilon == 1 && c->rows == 1000) score.bar = 0.006;
  if (epsilon == 1 && c->rows == 300) score.bar = 0.022;
  tacit_study_promise_count(&c->promise, c->repetitions, &c->out[0][1], 2);
  TACIT_TRY(verify(c, error));
  return tacit_score_report_add(report, &score, error);
}

static tacit_status run_all(cell *c, tacit_chen *chen, const tacit_context *context, tacit_report *report,
                            tacit_error *error) {
  for (size_t at = 0; at < CELLS; at++) {
    if (at % (CELLS / 2) == 0) TACIT_TRY(tacit_chen_init(chen, at > 0, error));
    TACIT_TRY(run_cell(c, at, context, report, error));
  }
  tacit_report_note(report, NOTES, c->repetitions);
  tacit_study_promise_note(&c->promise, report);
  return TACIT_OK;
}

tacit_status tacit_reproduce_default_chen(const tacit_reproduce_options *options,
                                          const tacit_context *context, tacit_report **report,
                                          tacit_error *error) {
  tacit_schema *schema = NULL;
  TACIT_TRY(tacit_score_report("default-chen", "constant_order", report, error));
  TACIT_TRY(tacit_schema_parse(SCHEMA, sizeof SCHEMA - 1, &schema, error));
  tacit_chen *chen = tacit_alloc(1, sizeof *chen);
  cell c = {.chen = chen,
            .schema = schema,
            .seed = options->seed,
            .repetitions = tacit_repetitions(options, REPETITIONS)};
  c.out = tacit_alloc(c.repetitions, sizeof *c.out);
  tacit_status status = chen && c.out ? run_all(&c, chen, context, *report, error) : tacit_no_memory(error);
  free(c.out);
  free(chen);
  tacit_schema_free(schema);
  return status;
}
