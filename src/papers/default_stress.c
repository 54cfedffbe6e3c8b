/* The default learner on ten awkward problems, with its features and without, paired by data: where features
   cannot be learned they must not hurt. */
#include "loss/check.h"
#include "papers/promise.h"
#include "papers/reproduce.h"
#include "papers/score.h"
#include "papers/stress_problems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 2 * TACIT_STRESSES, REPETITIONS = 100, TEST = 5000 };
static const double ALLOWED = 1.1; /* of the cost without features */

static const char NOTES[] =
    "Mean cost of a fresh row with b + h = 1, in the target's units, over %zu runs; standard errors in "
    "parentheses.\n"
    "without_features: the default learner without features, on the same rows with noise of its own. "
    "tacit: with features.\n"
    "bar: 1.1 times without_features plus two standard errors of the difference, which stand beside it.\n"
    "known: normal features with centre and scale; bounded: skewed features within bounds, whole demand. n "
    "= 500, mu = 0.5, four features where not said; p = 200 has n = 2000, n = 50 has mu = 1 and mu = 0.05 "
    "has n = 1000, so that slopes are learned at all. p = 1 has no features: both columns are the same "
    "learner.\n"
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
  size_t repetitions;
  tacit_study_promise *promise;
  outcome *out;
} cell;

/* The rule's columns are the first of the test rows' columns; the target is encoded like the orders. */
static double test_cost(const cell *c, const tacit_rule *rule) {
  const tacit_sample *t = c->test;
  double x[TACIT_STRESS_FEATURES + 1], sum = 0;
  for (size_t i = 0; i < t->rows; i++) {
    for (size_t j = 0; j < rule->columns; j++) x[j] = t->x[j * t->rows + i];
    /* as a policy decides: within the target's bounds */
    double order = fmax(-1, fmin(1, tacit_rule_order(rule, x)));
    sum += tacit_check_loss(c->problem->stress->tau, t->y[i] - order);
  }
  return sum / (double)t->rows * (c->problem->high - c->problem->low) / 2;
}

static tacit_status learn_cost(const cell *c, const tacit_study_table *table, uint64_t seed, double *cost,
                               double *beyond, tacit_error *error) {
  const tacit_stress *s = c->problem->stress;
  tacit_fit *fit = NULL;
  TACIT_TRY(tacit_study_fit(table, s->tau, s->mu, &seed, &fit, error));
  const tacit_rule rule = tacit_study_rule(table, fit);
  *cost = test_cost(c, &rule);
  *beyond = tacit_study_beyond(fit, s->mu);
  tacit_fit_free(fit);
  return TACIT_OK;
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const cell *c = with;
  const tacit_stress_problem *p = c->problem;
  const double *values[TACIT_STRESS_FEATURES + 1];
  double *space = NULL;
  outcome *out = &c->out[r];
  tacit_study_table table;
  tacit_stream rows, noise;
  TACIT_TRY(tacit_study_stream(c->seed, TACIT_FOR_ROWS, c->group, (uint32_t)r, &rows, error));
  TACIT_TRY(tacit_study_stream(c->seed, TACIT_FOR_NOISE, c->group, (uint32_t)r, &noise, error));
  tacit_status status = tacit_stress_draw(p, &rows, p->stress->rows, &space, values, &table, error);
  if (status == TACIT_OK)
    status = learn_cost(c, &table, tacit_stream_bits(&noise), &out->with, &out->beyond_with, error);
  table.schema = p->without;
  if (status == TACIT_OK)
    status = learn_cost(c, &table, tacit_stream_bits(&noise), &out->without, &out->beyond_without, error);
  free(space);
  TACIT_TRY(status);
  out->difference = out->with - out->without;
  return TACIT_OK;
}

/* Fresh rows of a stream that no repetition has, once encoded for the costs and once more for `verify`. */
static tacit_status prepare(cell *c, tacit_error *error) {
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
    status = tacit_encode_source(source, p->with, true,
                                 &(const tacit_row_taker){.add = tacit_sample_add, .self = c->test}, &counts,
                                 NULL, error);
  if (status == TACIT_OK) status = tacit_sample_finish(c->test, error);
  table.rows = p->stress->rows;
  if (status == TACIT_OK)
    status = tacit_study_verify(&table, p->stress->tau, p->stress->mu, c->promise, error);
  tacit_source_free(source);
  free(space);
  return status;
}

static tacit_status run_problem(cell *c, const tacit_context *context, tacit_report *report,
                                tacit_error *error) {
  const tacit_stress *s = c->problem->stress;
  size_t repetitions = c->repetitions;
  double difference;
  tacit_score score;
  TACIT_TRY(prepare(c, error));
  TACIT_TRY(tacit_repeat(repetitions, run_one, c, tacit_part_of(s->label, c->group, CELLS), context, error));
  tacit_score_init(&score, s->tau, s->mu, s->rows, repetitions);
  snprintf(score.setting, sizeof score.setting, "%s, %s", s->label, c->problem->known ? "known" : "bounded");
  tacit_summarise(repetitions, &c->out->with, STRIDE, &score.tacit, &score.tacit_se);
  tacit_summarise(repetitions, &c->out->without, STRIDE, &score.other, &score.other_se);
  tacit_summarise(repetitions, &c->out->difference, STRIDE, &difference, &score.bar_se);
  score.bar = ALLOWED * score.other + 2 * score.bar_se;
  tacit_study_promise_count(c->promise, repetitions, &c->out->beyond_with, STRIDE);
  tacit_study_promise_count(c->promise, repetitions, &c->out->beyond_without, STRIDE);
  return tacit_score_report_add(report, &score, error);
}

static tacit_status run_all(const cell *first, const tacit_context *context, tacit_report *report,
                            tacit_error *error) {
  for (uint32_t at = 0; at < CELLS; at++) {
    tacit_stress_problem problem;
    cell c = *first;
    c.problem = &problem;
    c.group = at;
    tacit_status status = tacit_stress_open(&tacit_stresses[at / 2], at % 2 == 0, &problem, error);
    if (status == TACIT_OK) status = run_problem(&c, context, report, error);
    tacit_sample_free(c.test);
    tacit_stress_close(&problem);
    TACIT_TRY(status);
  }
  tacit_report_note(report, NOTES, first->repetitions);
  tacit_study_promise_note(first->promise, report);
  return TACIT_OK;
}

tacit_status tacit_reproduce_default_stress(const tacit_reproduce_options *options,
                                            const tacit_context *context, tacit_report **report,
                                            tacit_error *error) {
  tacit_study_promise promise = {0};
  cell c = {
      .seed = options->seed, .repetitions = tacit_repetitions(options, REPETITIONS), .promise = &promise};
  TACIT_TRY(tacit_score_report("default-stress", "without_features", report, error));
  c.out = tacit_alloc(c.repetitions, sizeof *c.out);
  tacit_status status = c.out ? run_all(&c, context, *report, error) : tacit_no_memory(error);
  free(c.out);
  return status;
}
