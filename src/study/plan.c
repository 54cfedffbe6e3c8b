/* What a guarantee will cost, from public facts alone: the default learner on simulated rows, over a grid of
   mu and n, beside the same rows without privacy (plan.h has the simulated problems). */
#include "study/plan.h"

#include "base/base.h"
#include "num/normal.h"
#include "privacy/gdp.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

enum { MUS = TACIT_PLAN_MUS, SIZES = TACIT_PLAN_SIZES };
static const double MU_GRID[MUS] = {0.1, 0.2, 0.3, 0.5, 0.9, 1.5, 3};
static const double MU_PER_ROW_LEAST = 1e-4; /* below it the learner refuses */

/* Simulated rows: at most so many, and fewer where they have so many cells that time or memory would run out.
 */
enum { ROWS_MOST = 20000, TEST_MOST = 4000, TEST_LEAST = 1000, CELLS_MOST = 2000000 };

/* By default as many problems as take seconds; a fit's work is about rows x columns^2. */
enum { REPETITIONS_MOST = 20, REPETITIONS_LEAST = 6, REPETITIONS_LIMIT = 1000000 };
static const double WORK = 4e9;

void tacit_plan_options_init(tacit_plan_options *options) {
  *options = (tacit_plan_options){.mu = 0.5, .adjacency = TACIT_REPLACE_ONE, .seed = 1};
}

static tacit_status check_options(const tacit_schema *schema, const tacit_plan_options *o,
                                  tacit_error *error) {
  if (o->goal_count != schema->target_count)
    return tacit_fail(error, TACIT_USAGE, "the schema has %zu targets, but %zu goals were given",
                      schema->target_count, o->goal_count);
  for (size_t t = 0; t < o->goal_count; t++) {
    const tacit_goal *g = &o->goals[t];
    if (!(g->quantile > 0 && g->quantile < 1 && g->underage >= 0 && g->overage >= 0 &&
          isfinite(g->underage + g->overage)))
      return tacit_fail(error, TACIT_USAGE,
                        "quantiles must be above 0 and below 1, costs finite and not below 0");
  }
  if (!(o->mu > 0 && o->mu <= TACIT_MU_MAX))
    return tacit_fail(error, TACIT_USAGE, "mu must be above 0 and at most %g; 0.5 is a reasonable promise",
                      TACIT_MU_MAX);
  if (o->repetitions == 1 || o->repetitions > REPETITIONS_LIMIT)
    return tacit_fail(error, TACIT_USAGE, "from 2 to %d repetitions: one has no standard error",
                      REPETITIONS_LIMIT);
  if (o->rows < 1 || o->rows > TACIT_ROWS_MAX / SIZES)
    return tacit_fail(error, TACIT_USAGE, "the number of rows must be at least 1 and at most %llu",
                      (unsigned long long)(TACIT_ROWS_MAX / SIZES));
  TACIT_TRY(tacit_schema_check_promise(schema, o->adjacency, o->rows, error));
  if (o->rows < schema->columns + schema->largest_lag)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "%zu rows are too few for %zu encoded columns%s; use more rows or fewer features",
                      o->rows, schema->columns, schema->largest_lag ? " behind the reach of the lags" : "");
  return TACIT_OK;
}

/* The grid with the asked guarantee in its place. Of the others, none that the learner would refuse. */
static void set_mus(tacit_planner *p, tacit_plan_result *result) {
  double share = sqrt((double)p->schema->target_count) * (double)p->schema->rows_per_unit;
  bool placed = false;
  for (size_t m = 0; m <= MUS; m++) {
    double next = m < MUS ? MU_GRID[m] : INFINITY;
    if (!placed && p->options->mu <= next) {
      placed = true;
      result->asked_mu = p->mu_count;
      p->mu[p->mu_count++] = p->options->mu;
    }
    if (m < MUS && next != p->options->mu && next >= MU_PER_ROW_LEAST * share) p->mu[p->mu_count++] = next;
  }
}

static void set_sizes(tacit_planner *p, tacit_plan_result *result) {
  size_t n = p->options->rows, lag = p->schema->largest_lag, least = p->schema->columns;
  size_t fit = CELLS_MOST / least < ROWS_MOST ? CELLS_MOST / least : ROWS_MOST;
  p->cap = lag + (fit > 2 * least ? fit : 2 * least);
  p->test_rows = fit < TEST_LEAST ? TEST_LEAST : fit < TEST_MOST ? fit : TEST_MOST;
  const size_t sizes[SIZES] = {n / 2, n, 2 * n, 4 * n};
  for (size_t k = 0; k < SIZES; k++) {
    if (sizes[k] < least + lag) continue; /* half of the rows may be too few */
    if (sizes[k] == n) result->asked_size = p->size_count;
    p->simulated[p->size_count] = sizes[k] < p->cap ? sizes[k] : p->cap;
    p->size[p->size_count++] = sizes[k];
  }
}

static size_t choose_repetitions(const tacit_planner *p) {
  if (p->options->repetitions) return p->options->repetitions;
  double columns = (double)p->schema->columns, rows = 0;
  for (size_t k = 0; k < p->size_count; k++) rows += (double)p->simulated[k];
  return (size_t)fmin(fmax(WORK / (rows * columns * columns), REPETITIONS_LEAST), REPETITIONS_MOST);
}

/* The largest norm of a simulated problem's best coefficients: the law's, with the noise's quantile. */
static double largest_norm(const tacit_planner *p) {
  double largest = 0;
  const double *b = p->laws;
  for (size_t r = 0; r < p->repetitions; r++)
    for (size_t t = 0; t < p->schema->target_count; t++, b += p->schema->columns) {
      double spread = tacit_plan_spread(&p->schema->targets[t]);
      double first = b[0] + spread * tacit_normal_quantile(p->options->goals[t].quantile);
      double square = first * first;
      for (size_t j = 1; j < p->schema->columns; j++) square += b[j] * b[j];
      largest = fmax(largest, sqrt(square));
    }
  return largest;
}

static double worst_case(const tacit_planner *p, double norm, double rows, double mu) {
  double sum = 0;
  for (size_t t = 0; t < p->schema->target_count; t++) {
    const tacit_goal *goal = &p->options->goals[t];
    const tacit_scale *scale = &p->schema->targets[t].scale;
    /* of a logarithm at most the steepest slope back to the user's units */
    double unit = scale->log_unit == 0 ? 1 : scale->log_unit * exp(scale->center + scale->half);
    sum += tacit_plan_goal_weight(goal) * unit * scale->half *
           tacit_plan_worst_case(p->schema, p->options, goal->quantile, norm, rows, mu);
  }
  return sum;
}

/* One cell: means over the problems, the price of privacy scaled where fewer rows were simulated than asked.
 */
static tacit_status fill_cell(const tacit_planner *p, size_t m, size_t k, double norm, tacit_plan_row *row,
                              tacit_error *error) {
  size_t count = p->repetitions, cells = TACIT_PLAN_BASELINES + p->mu_count;
  double lag = (double)p->schema->largest_lag, n = (double)p->size[k], unused, sum[3] = {0};
  double shrink = pow(((double)p->simulated[k] - lag) / (n - lag), 2);
  double *percent = tacit_alloc(count, sizeof *percent);
  if (!percent) return tacit_no_memory(error);
  *row = (tacit_plan_row){.mu = p->mu[m], .rows = p->size[k], .extrapolated = p->simulated[k] < p->size[k]};
  for (size_t r = 0; r < count; r++) {
    const double *cost = p->costs + (r * p->size_count + k) * cells;
    double private = cost[0] + shrink * (cost[TACIT_PLAN_BASELINES + m] - cost[0]);
    percent[r] = 100 * (private - cost[0]) / cost[0];
    sum[0] += private;
    sum[1] += cost[0];
    sum[2] += cost[1];
  }
  tacit_summarise(count, percent, 1, &unused, &row->percent_se);
  free(percent);
  row->cost = sum[0] / (double)count;
  row->cost_without_privacy = sum[1] / (double)count;
  row->cost_without_features = sum[2] / (double)count;
  row->percent = 100 * (row->cost - row->cost_without_privacy) / row->cost_without_privacy;
  row->worst_case = worst_case(p, norm, n - lag, p->mu[m]);
  row->worst_case_percent = 100 * row->worst_case / row->cost_without_privacy;
  row->rate = tacit_plan_rate((double)p->schema->columns, n, p->mu[m]);
  return TACIT_OK;
}

static tacit_status fill(tacit_planner *p, const tacit_context *context, tacit_plan_result *result,
                         tacit_error *error) {
  const tacit_schema *schema = p->schema;
  set_mus(p, result);
  set_sizes(p, result);
  size_t count = result->repetitions = p->repetitions = choose_repetitions(p);
  TACIT_TRY(tacit_plan_columns_new(schema, &p->columns, error));
  p->laws = tacit_alloc(count, schema->target_count * schema->columns * sizeof *p->laws);
  p->costs = tacit_alloc(count, SIZES * (TACIT_PLAN_BASELINES + p->mu_count) * sizeof *p->costs);
  result->rows = tacit_alloc(p->mu_count * p->size_count, sizeof *result->rows);
  if (!p->laws || !p->costs || !result->rows) return tacit_no_memory(error);
  result->mu_count = p->mu_count;
  result->size_count = p->size_count;
  TACIT_TRY(tacit_plan_try(p, context, error));
  double norm = largest_norm(p);
  for (size_t m = 0; m < p->mu_count; m++)
    for (size_t k = 0; k < p->size_count; k++)
      TACIT_TRY(fill_cell(p, m, k, norm, &result->rows[m * p->size_count + k], error));
  tacit_plan_describe(&(tacit_plan_facts){schema, p->options, p->cap, p->test_rows, norm}, result);
  return TACIT_OK;
}

tacit_status tacit_plan(const tacit_schema *schema, const tacit_plan_options *options,
                        const tacit_context *context, tacit_plan_result **result, tacit_error *error) {
  *result = NULL;
  TACIT_TRY(check_options(schema, options, error));
  tacit_planner planner = {.schema = schema, .options = options};
  tacit_plan_result *made = tacit_alloc(1, sizeof *made);
  tacit_status status = made ? fill(&planner, context, made, error) : tacit_no_memory(error);
  tacit_plan_columns_free(&planner.columns);
  free(planner.laws);
  free(planner.costs);
  if (status == TACIT_OK)
    *result = made;
  else
    tacit_plan_free(made);
  return status;
}

void tacit_plan_free(tacit_plan_result *result) {
  if (!result) return;
  free(result->rows);
  free(result);
}
