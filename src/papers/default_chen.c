/* The default learner on C's data: relative excess risk by n and epsilon, beside the constant order. */
#include "papers/reproduce.h"
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
    "Mean relative excess risk, risk(b) / risk(theta*) - 1, of C's data with d = 3, r = 0.7, delta = 0.01, "
    "%zu "
    "repetitions; standard errors in parentheses. The column mu is the largest that (epsilon, delta) "
    "allows.\n"
    "bar (in place of a paper's figure): what tacit is to stay below; 0.006 at n = 1000 and 0.022 at n = 300 "
    "for epsilon = 1, else the constant order's figure.\n"
    "published: the constant order min + r (max - min) = 30, which reads no data.\n"
    "tacit: method \"default\" with seeded noise; features center 0, scale 2 and 3, target between -40 and "
    "60.\n"
    "Risks are integrals over the features' disc, exact in the errors; theta* minimises them. "
    "\"endogenous\": "
    "errors with the mean x1 - x2 + |x1 x2|, so that the best linear order is not the best order.";

typedef struct cell {
  const tacit_chen *chen;
  const tacit_schema *schema;
  size_t rows;
  double mu;
  uint64_t seed;
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

static tacit_status verify(const cell *c, tacit_study_promise *promise, tacit_error *error) {
  double *space = NULL;
  const double *values[P];
  tacit_study_table table;
  TACIT_TRY(draw_table(c, 0, &space, values, &table, error));
  tacit_status status = tacit_study_verify(&table, TACIT_CHEN_TAU, c->mu, promise, error);
  free(space);
  return status;
}

static tacit_status run_cell(cell *c, size_t at, size_t repetitions, tacit_study_promise *promise,
                             const tacit_context *context, tacit_study_row *row, tacit_error *error) {
  double epsilon = EPSILON[at % EPSILONS];
  char label[48];
  c->rows = SIZE[at / EPSILONS % SIZES];
  TACIT_TRY(tacit_gdp_mu(epsilon, DELTA, &c->mu, error));
  TACIT_TRY(tacit_repeat(repetitions, run_one, c,
                         tacit_part_of(c->chen->endogenous ? "endogenous" : "exogenous", at, CELLS), context,
                         error));
  snprintf(label, sizeof label, "%s n=%zu eps=%g", c->chen->endogenous ? "endo" : "exo", c->rows, epsilon);
  tacit_study_row_init(row, label, TACIT_CHEN_TAU, c->mu, c->rows, repetitions);
  tacit_summarise(repetitions, &c->out[0][0], 2, &row->tacit, &row->tacit_se);
  row->published = row->paper = tacit_chen_risk(c->chen, CONSTANT) / c->chen->least - 1;
  if (epsilon == 1 && c->rows == 1000) row->paper = 0.006;
  if (epsilon == 1 && c->rows == 300) row->paper = 0.022;
  tacit_study_promise_count(promise, repetitions, &c->out[0][1], 2);
  return verify(c, promise, error);
}

static tacit_status run_all(cell *c, tacit_chen *chen, size_t repetitions, tacit_study_promise *promise,
                            const tacit_context *context, tacit_study_row *rows, tacit_error *error) {
  for (size_t at = 0; at < CELLS; at++) {
    if (at % (CELLS / 2) == 0) TACIT_TRY(tacit_chen_init(chen, at > 0, error));
    TACIT_TRY(run_cell(c, at, repetitions, promise, context, &rows[at], error));
  }
  return TACIT_OK;
}

tacit_status tacit_reproduce_default_chen(const tacit_study_options *options, const tacit_context *context,
                                          tacit_study_row **rows, size_t *count, char *notes,
                                          tacit_error *error) {
  size_t repetitions = options->repetitions ? options->repetitions : REPETITIONS;
  tacit_study_promise promise = {0};
  tacit_schema *schema = NULL;
  TACIT_TRY(tacit_schema_parse(SCHEMA, sizeof SCHEMA - 1, &schema, error));
  tacit_chen *chen = tacit_alloc(1, sizeof *chen);
  cell c = {.chen = chen, .schema = schema, .seed = options->seed};
  c.out = tacit_alloc(repetitions, sizeof *c.out);
  *rows = tacit_alloc(CELLS, sizeof **rows);
  tacit_status status = chen && c.out && *rows
                            ? run_all(&c, chen, repetitions, &promise, context, *rows, error)
                            : tacit_no_memory(error);
  free(c.out);
  free(chen);
  tacit_schema_free(schema);
  if (status == TACIT_OK) {
    *count = CELLS;
    snprintf(notes, TACIT_NOTES, NOTES, repetitions);
    tacit_study_promise_note(&promise, notes);
    return TACIT_OK;
  }
  free(*rows);
  *rows = NULL;
  return status;
}
