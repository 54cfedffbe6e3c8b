/* The default learner on ten awkward problems, with its features and without, paired by data: where features
   cannot be learned they must not hurt. */
#include "loss/check.h"
#include "papers/reproduce.h"
#include "papers/stress_problems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 2 * TACIT_STRESSES, REPETITIONS = 100, TEST = 5000 };
static const double ALLOWED = 1.1; /* of the cost without features */

static const char NOTES[] =
    "Mean cost of a fresh row with b + h = 1, in the target's units, over %zu runs; standard errors in "
    "parentheses.\n"
    "published: the default learner without features, on the same rows with noise of its own. tacit: with "
    "features.\n"
    "bar (in place of a paper's figure): 1.1 times `published` plus two standard errors of the difference, "
    "which stand in parentheses beside it.\n"
    "known: normal features with centre and scale; bounded: skewed features within bounds, whole demand. n = "
    "500, mu = 0.5, four features where not said; p = 200 has n = 2000, n = 50 has mu = 1 and mu = 0.05 has "
    "n "
    "= 1000, so that slopes are learned at all. p = 1 has no features: both columns are the same learner.\n"
    "Costs are means over 5,000 fresh rows, the same in every run; demand beyond the bounds counts as the "
    "bound.";

typedef struct outcome {
  double with, without, difference, beyond_with, beyond_without;
} outcome;
enum { STRIDE = sizeof(outcome) / sizeof(double) };

typedef struct cell {
  const tacit_stress_problem *problem;
  tacit_sample *test; /* as the schema with all features encodes it */
  uint32_t group;
  uint64_t seed;
  outcome *out;
} cell;

/* The first `columns` coefficients are of the test rows' columns; the target is encoded like the orders. */
static double test_cost(const cell *c, size_t columns, const double *b) {
  const tacit_sample *t = c->test;
  double sum = 0;
  for (size_t i = 0; i < t->rows; i++) {
    double order = 0;
    for (size_t j = 0; j < columns; j++) order += b[j] * t->x[j * t->rows + i];
    order = fmax(-1, fmin(1, order)); /* as a policy decides: within the target's bounds */
    sum += tacit_check_loss(c->problem->stress->tau, t->y[i] - order);
  }
  return sum / (double)t->rows * (c->problem->high - c->problem->low) / 2;
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const cell *c = with;
  const tacit_stress_problem *p = c->problem;
  const double *values[TACIT_STRESS_FEATURES + 1];
  double *space = NULL, b[TACIT_STRESS_FEATURES + 1];
  outcome *out = &c->out[r];
  tacit_study_table table;
  tacit_stream rows, noise;
  TACIT_TRY(tacit_study_stream(c->seed, TACIT_FOR_ROWS, c->group, (uint32_t)r, &rows, error));
  TACIT_TRY(tacit_study_stream(c->seed, TACIT_FOR_NOISE, c->group, (uint32_t)r, &noise, error));
  tacit_status status = tacit_stress_draw(p, &rows, p->stress->rows, &space, values, &table, error);
  if (status == TACIT_OK)
    status = tacit_study_learn(&table, p->stress->tau, p->stress->mu, tacit_stream_bits(&noise), b,
                               &out->beyond_with, error);
  if (status == TACIT_OK) {
    out->with = test_cost(c, p->features + 1, b);
    table.schema = p->without;
    status = tacit_study_learn(&table, p->stress->tau, p->stress->mu, tacit_stream_bits(&noise), b,
                               &out->beyond_without, error);
  }
  free(space);
  TACIT_TRY(status);
  out->without = test_cost(c, 1, b);
  out->difference = out->with - out->without;
  return TACIT_OK;
}

/* Fresh rows of a stream that no repetition has, once encoded for the costs and once more for `verify`. */
static tacit_status prepare(cell *c, tacit_study_promise *promise, tacit_error *error) {
  const tacit_stress_problem *p = c->problem;
  const double *values[TACIT_STRESS_FEATURES + 1];
  double *space = NULL;
  tacit_study_table table;
  tacit_source *source = NULL;
  tacit_read_counts counts;
  tacit_stream stream;
  TACIT_TRY(tacit_study_stream(c->seed, TACIT_FOR_ROWS, c->group, UINT32_MAX, &stream, error));
  TACIT_TRY(tacit_sample_new(p->features + 1, 1, &c->test, error));
  tacit_status status = tacit_stress_draw(p, &stream, TEST, &space, values, &table, error);
  if (status == TACIT_OK)
    status = tacit_source_columns(TEST, table.columns, table.names, values, NULL, &source, error);
  if (status == TACIT_OK)
    status = tacit_encode_source(source, p->with, true, tacit_sample_add, c->test, &counts, NULL, error);
  if (status == TACIT_OK) status = tacit_sample_finish(c->test, error);
  table.rows = p->stress->rows;
  if (status == TACIT_OK) status = tacit_study_verify(&table, p->stress->tau, p->stress->mu, promise, error);
  tacit_source_free(source);
  free(space);
  return status;
}

static tacit_status run_problem(cell *c, size_t repetitions, tacit_study_promise *promise,
                                const tacit_context *context, tacit_study_row *row, tacit_error *error) {
  const tacit_stress *s = c->problem->stress;
  char label[48];
  TACIT_TRY(prepare(c, promise, error));
  TACIT_TRY(tacit_repeat(repetitions, run_one, c, tacit_part_of(s->label, c->group, CELLS), context, error));
  snprintf(label, sizeof label, "%s, %s", s->label, c->problem->known ? "known" : "bounded");
  tacit_study_row_init(row, label, s->tau, s->mu, s->rows, repetitions);
  double difference;
  tacit_summarise(repetitions, &c->out->with, STRIDE, &row->tacit, &row->tacit_se);
  tacit_summarise(repetitions, &c->out->without, STRIDE, &row->published, &row->published_se);
  tacit_summarise(repetitions, &c->out->difference, STRIDE, &difference, &row->paper_sd);
  row->paper = ALLOWED * row->published + 2 * row->paper_sd;
  tacit_study_promise_count(promise, repetitions, &c->out->beyond_with, STRIDE);
  tacit_study_promise_count(promise, repetitions, &c->out->beyond_without, STRIDE);
  return TACIT_OK;
}

static tacit_status run_all(uint64_t seed, outcome *out, size_t repetitions, tacit_study_promise *promise,
                            const tacit_context *context, tacit_study_row *rows, tacit_error *error) {
  for (uint32_t at = 0; at < CELLS; at++) {
    tacit_stress_problem problem;
    cell c = {.problem = &problem, .group = at, .seed = seed, .out = out};
    tacit_status status = tacit_stress_open(&tacit_stresses[at / 2], at % 2 == 0, &problem, error);
    if (status == TACIT_OK) status = run_problem(&c, repetitions, promise, context, &rows[at], error);
    tacit_sample_free(c.test);
    tacit_stress_close(&problem);
    TACIT_TRY(status);
  }
  return TACIT_OK;
}

tacit_status tacit_reproduce_default_stress(const tacit_study_options *options, const tacit_context *context,
                                            tacit_study_row **rows, size_t *count, char *notes,
                                            tacit_error *error) {
  size_t repetitions = options->repetitions ? options->repetitions : REPETITIONS;
  tacit_study_promise promise = {0};
  outcome *out = tacit_alloc(repetitions, sizeof *out);
  *rows = tacit_alloc(CELLS, sizeof **rows);
  tacit_status status = out && *rows
                            ? run_all(options->seed, out, repetitions, &promise, context, *rows, error)
                            : tacit_no_memory(error);
  free(out);
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
