/* The trials behind a plan: on each simulated problem the default learner at every mu, and learning without
   privacy, from the same rows and tested on the same fresh ones. */
#include "base/base.h"
#include "loss/check.h"
#include "method/fit.h"
#include "method/methods.h"
#include "study/plan.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/learn.h>

enum { CHUNK = 8 }; /* repetitions between two looks at the caller's wishes */
static const tacit_method *const BASELINE[TACIT_PLAN_BASELINES] = {&tacit_method_erm, &tacit_method_saa};

/* Streams of a problem's rows, by what they are for. */
enum { TRAIN, TEST, LAW };

double tacit_plan_goal_weight(const tacit_goal *goal) {
  return goal->underage > 0 ? goal->underage + goal->overage : 1; /* only a quantile: costs tau, 1 - tau */
}

static tacit_status draw_law(void *self, size_t r, tacit_error *error) {
  tacit_planner *p = self;
  tacit_stream stream;
  TACIT_TRY(tacit_study_stream(p->options->seed, TACIT_FOR_ROWS, LAW, (uint32_t)r, &stream, error));
  return tacit_plan_law(&p->columns, &stream, p->laws + r * p->schema->target_count * p->schema->columns,
                        error);
}

static tacit_status simulate(const tacit_planner *p, size_t r, uint32_t group, size_t rows,
                             tacit_plan_table *table, tacit_error *error) {
  tacit_stream stream;
  TACIT_TRY(tacit_plan_table_new(&p->columns, rows, table, error));
  TACIT_TRY(tacit_study_stream(p->options->seed, TACIT_FOR_ROWS, group, (uint32_t)r, &stream, error));
  tacit_plan_simulate(&p->columns, p->laws + r * p->schema->target_count * p->schema->columns, &stream,
                      table);
  return TACIT_OK;
}

/* Money per row on the test rows behind the lags' reach, summed over targets. */
static double test_cost(const tacit_planner *p, const tacit_plan_table *test, const tacit_fit *fit) {
  const tacit_schema *schema = p->schema;
  double total = 0;
  for (size_t t = 0; t < schema->target_count; t++) {
    const tacit_goal *goal = &p->options->goals[t];
    const tacit_scale *scale = &schema->targets[t].scale;
    const tacit_rule rule = tacit_fit_rule(fit, t, tacit_scale_reach(scale));
    double sum = 0, weight = tacit_plan_goal_weight(goal);
    for (size_t i = schema->largest_lag; i < test->rows; i++) {
      double order = tacit_rule_order(&rule, test->x + i * schema->columns);
      double demand = test->y[i * schema->target_count + t];
      sum += tacit_check_loss(goal->quantile, scale->log_unit == 0
                                                  ? demand - order
                                                  : tacit_scale_decode(scale, demand) -
                                                        tacit_scale_decode(scale, fmin(order, scale->limit)));
    }
    double unit = scale->log_unit == 0 ? scale->half : 1;
    total += weight * unit * sum / (double)(test->rows - schema->largest_lag);
  }
  return total;
}

/* The real learner, as a table of these rows would meet it. */
static tacit_status learn_cost(const tacit_planner *p, const tacit_plan_table *train,
                               const tacit_plan_table *test, tacit_learn_options *options, double *cost,
                               tacit_error *error) {
  tacit_context context; /* repetitions run side by side, each on one thread */
  tacit_context_init(&context);
  context.threads = 1;
  tacit_source *source = NULL;
  tacit_fit *fit = NULL;
  tacit_status status = tacit_source_columns(train->rows, p->columns.count, p->columns.names,
                                             (const double *const *)train->numbers,
                                             (const char *const *const *)train->texts, &source, error);
  if (status == TACIT_OK) status = tacit_learn(p->schema, source, options, &context, &fit, error);
  if (status == TACIT_OK) *cost = test_cost(p, test, fit);
  tacit_fit_free(fit);
  tacit_source_free(source);
  return status;
}

static tacit_status try_all(const tacit_planner *p, size_t r, const tacit_plan_table *train,
                            const tacit_plan_table *test, const double *quantiles, tacit_error *error) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  tacit_stream stream;
  TACIT_TRY(tacit_study_stream(p->options->seed, TACIT_FOR_NOISE, 0, (uint32_t)r, &stream, error));
  options.seeded = true;
  options.seed = tacit_stream_bits(&stream); /* common to all cells: their noise differs in its scale alone */
  options.quantiles = quantiles;
  options.quantile_count = p->schema->target_count;
  options.adjacency = p->options->adjacency;
  if (options.adjacency == TACIT_ADD_REMOVE) options.nominal_rows = train->rows;
  double *cost = p->costs + (r * p->size_count + p->now) * (TACIT_PLAN_BASELINES + p->mu_count);
  for (size_t k = 0; k < TACIT_PLAN_BASELINES + p->mu_count; k++) {
    options.method = k < TACIT_PLAN_BASELINES ? BASELINE[k]->name : "default";
    options.mu = k < TACIT_PLAN_BASELINES ? 0 : p->mu[k - TACIT_PLAN_BASELINES];
    TACIT_TRY(learn_cost(p, train, test, &options, &cost[k], error));
  }
  return TACIT_OK;
}

static tacit_status try_problem(void *self, size_t at, tacit_error *error) {
  const tacit_planner *p = self;
  size_t r = p->begin + at, targets = p->schema->target_count;
  tacit_plan_table train = {0}, test = {0};
  double *quantiles = tacit_alloc(targets, sizeof *quantiles);
  tacit_status status = quantiles ? TACIT_OK : tacit_no_memory(error);
  for (size_t t = 0; status == TACIT_OK && t < targets; t++) quantiles[t] = p->options->goals[t].quantile;
  if (status == TACIT_OK) status = simulate(p, r, TRAIN, p->simulated[p->now], &train, error);
  if (status == TACIT_OK) status = simulate(p, r, TEST, p->test_rows + p->schema->largest_lag, &test, error);
  if (status == TACIT_OK) status = try_all(p, r, &train, &test, quantiles, error);
  tacit_plan_table_free(&p->columns, &train);
  tacit_plan_table_free(&p->columns, &test);
  free(quantiles);
  return status;
}

static void copy_costs(const tacit_planner *p) {
  size_t cells = TACIT_PLAN_BASELINES + p->mu_count;
  for (size_t r = 0; r < p->repetitions; r++) {
    double *cost = p->costs + (r * p->size_count + p->now) * cells;
    memcpy(cost, cost - cells, cells * sizeof *cost);
  }
}

tacit_status tacit_plan_try(tacit_planner *p, const tacit_context *context, tacit_error *error) {
  size_t count = p->repetitions, done = 0, all = 0;
  TACIT_TRY(tacit_repeat(count, draw_law, p, (tacit_part){"planning", 0, 0}, context, error));
  for (size_t k = 0; k < p->size_count; k++) all += p->simulated[k];
  for (p->now = 0; p->now < p->size_count; done += p->simulated[p->now++]) {
    if (p->now && p->simulated[p->now] == p->simulated[p->now - 1]) { /* beyond the most that is simulated */
      copy_costs(p);
      continue;
    }
    for (p->begin = 0; p->begin < count; p->begin += CHUNK) {
      double part = (double)p->simulated[p->now] * (double)p->begin / (double)count;
      double at = ((double)done + part) / (double)all;
      size_t some = count - p->begin < CHUNK ? count - p->begin : CHUNK;
      TACIT_TRY(tacit_repeat(some, try_problem, p, (tacit_part){"planning", at, at}, context, error));
    }
  }
  return tacit_progress(context, "planning", 1, error);
}
