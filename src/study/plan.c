/* What a guarantee will cost, from public facts alone: a learner on simulated rows of several kinds, beside
   itself with next to no noise, for several mu at the asked rows and for several numbers of rows at the asked
   mu. What noise does depends on mu times rows: beyond some rows fewer stand for them, at a larger mu. */
#include "study/plan.h"

#include "base/base.h"
#include "method/methods.h"
#include "num/normal.h"
#include "privacy/gdp.h"

#include <math.h>
#include <stdlib.h>

/* Most of them lie a factor of two apart, as numbers of rows do: then one trial may do for both. */
enum { MUS = 6, SIZES = TACIT_PLAN_SIZES, K = TACIT_PLAN_CASES };
static const double MU_GRID[MUS] = {0.1, 0.25, 0.5, 1, 2, 4};
static const double MU_PER_ROW_LEAST = 1e-4; /* below it learners refuse */

/* Simulated rows, by what a fit of p columns costs: rows x p^2; and for methods whose work grows faster. At
   outer quantiles more of them, or so few would lie beyond that the learner without noise, which prices are
   measured by, would follow single rows. */
enum { ROWS_MOST = 5000, ROWS_SLOW = 1000, TEST_ROWS = 4000, TEST_DECISIONS = 1000 };
static const double ROWS_WORK = 1.6e8, OUTER = 0.1, MORE_MOST = 4;

/* Problems of each case, unless the caller says: until the asked cell's error is small, as long as the work
   is. */
enum { ROUNDS_LEAST = 2, ROUNDS_MOST = 12 };
enum { ROUNDS_GLANCE = 2 }; /* where the asked cell is all that is wanted */
static const double WORK = 1e10, SE_POINTS = 0.1, SE_SHARE = 0.05;

static double more_rows(const tacit_plan_options *options, size_t targets) {
  double more = 1;
  for (size_t t = 0; !options->region && t < targets; t++) {
    double tau = options->goals[t].quantile;
    more = fmax(more, fmin(OUTER / fmax(fmin(tau, 1 - tau), OUTER / MORE_MOST), MORE_MOST));
  }
  return more;
}

/* How many rows are simulated, and how many problems at most. */
static void set_work(tacit_planner *p) {
  const tacit_schema *schema = p->schema;
  double columns = (double)schema->columns, targets = (double)schema->target_count;
  bool quick = p->method == tacit_method_find("default", p->options->region != NULL) ||
               p->method == &tacit_method_median_newton || p->method == &tacit_method_bisection;
  double more = quick ? more_rows(p->options, schema->target_count) : 1;
  double fit = fmin(fmax(more * ROWS_WORK / (columns * columns), 20 * columns),
                    more * (quick ? ROWS_MOST : ROWS_SLOW));
  p->cap = schema->largest_lag + (size_t)fmax(fit, 4 * columns);
  p->test_rows = p->options->region ? TEST_DECISIONS : TEST_ROWS;
  double rows = fmin((double)p->cap, (double)p->options->rows);
  double work = K * (MUS + SIZES) * targets * (rows * columns * (columns + 60) + 2e6);
  p->rounds_most = (size_t)fmin(fmax(WORK / work, ROUNDS_LEAST), ROUNDS_MOST);
  if (p->options->repetitions) p->rounds_most = p->options->repetitions;
}

/* The asked cell first, so that there is a figure soon; then the other guarantees and numbers of rows. None
   that the learner would refuse. */
static tacit_status set_cells(tacit_planner *p, tacit_error *error) {
  const tacit_schema *schema = p->schema;
  size_t n = p->options->rows, least = schema->columns + schema->largest_lag, problems = p->rounds_most * K;
  double share = sqrt((double)schema->target_count) * (double)schema->rows_per_unit, mu = p->options->mu;
  TACIT_TRY(tacit_plan_add_cell(p, mu, n, error));
  p->cells[p->asked].constant = tacit_alloc(problems, sizeof(double));
  if (!p->cells[p->asked].constant) return tacit_no_memory(error);
  for (size_t m = 0; m < MUS; m++)
    if (MU_GRID[m] != mu && MU_GRID[m] >= MU_PER_ROW_LEAST * share)
      TACIT_TRY(tacit_plan_add_cell(p, MU_GRID[m], n, error));
  const size_t sizes[SIZES - 1] = {n / 2, 2 * n, 4 * n};
  for (size_t k = 0; k < SIZES - 1; k++)
    if (sizes[k] >= least) TACIT_TRY(tacit_plan_add_cell(p, mu, sizes[k], error));
  p->laws = tacit_alloc(problems, sizeof *p->laws);
  return p->laws ? TACIT_OK : tacit_no_memory(error);
}

static bool precise(const tacit_plan_row *row) {
  return row->middle_se <= fmax(SE_POINTS, SE_SHARE * fabs(row->middle));
}

/* Rounds until the asked cell is known well enough. */
static tacit_status try_all(tacit_planner *p, const tacit_context *context, tacit_error *error) {
  const tacit_plan_options *o = p->options;
  double each = 1 / (double)p->rounds_most;
  for (size_t r = 0; r < p->rounds_most; r++) {
    double from = (double)r * each;
    TACIT_TRY(tacit_plan_try(p, (tacit_plan_work){0, 1, r, r + 1, from, from + each / 4}, context, error));
    p->rounds = r + 1;
    tacit_plan_row row;
    TACIT_TRY(tacit_plan_fill(p, &p->cells[p->asked], &row, error));
    if (r == 0 && o->first) o->first(o->first_user, &row);
    tacit_plan_work rest = {1, p->cell_count, r, r + 1, from + each / 4, from + each};
    TACIT_TRY(tacit_plan_try(p, rest, context, error));
    if (!o->repetitions && r + 1 >= ROUNDS_LEAST && precise(&row)) break;
  }
  return TACIT_OK;
}

static double worst_case(const tacit_planner *p, double norm, const tacit_plan_cell *cell) {
  double sum = 0, rows = (double)(cell->rows - p->schema->largest_lag);
  if (p->options->region) return NAN;
  for (size_t t = 0; t < p->schema->target_count; t++) {
    const tacit_goal *goal = &p->options->goals[t];
    const tacit_scale *scale = &p->schema->targets[t].scale;
    /* of a logarithm at most the steepest slope back to the user's units */
    double unit = scale->log_unit == 0 ? 1 : scale->log_unit * exp(scale->center + scale->half);
    sum += tacit_plan_goal_weight(goal) * unit * scale->half *
           tacit_plan_worst_case(p->schema, p->options, goal->quantile, norm, rows, cell->mu);
  }
  return sum;
}

double tacit_plan_largest_norm(const tacit_planner *p) {
  double largest = 0;
  if (p->options->region) return NAN;
  for (size_t r = 0; r < p->rounds; r++)
    for (size_t t = 0; t < p->schema->target_count; t++) {
      const tacit_plan_law *law = &p->laws[r * K];
      const double *b = law->b + t * p->schema->columns;
      double first = b[0] + law->unit[t] * tacit_normal_quantile(p->options->goals[t].quantile);
      double square = first * first;
      for (size_t j = 1; j < p->schema->columns; j++) square += b[j] * b[j];
      largest = fmax(largest, sqrt(square));
    }
  return largest;
}

static tacit_status fill_row(const tacit_planner *p, const tacit_plan_cell *cell, double norm,
                             const tacit_plan_result *result, tacit_plan_row *row, tacit_error *error) {
  TACIT_TRY(tacit_plan_fill(p, cell, row, error));
  row->worst_case = worst_case(p, norm, cell);
  row->worst_case_percent = 100 * row->worst_case / result->cases[0].cost_without_privacy;
  return TACIT_OK;
}

/* Cells in their order, the asked one among them: they come ascending but for it. */
static tacit_status fill_lines(const tacit_planner *p, double norm, tacit_plan_result *r,
                               tacit_error *error) {
  const tacit_plan_cell *asked = &p->cells[p->asked];
  bool mu_placed = false, size_placed = false;
  for (size_t k = 1; k <= p->cell_count; k++) {
    const tacit_plan_cell *cell = k < p->cell_count ? &p->cells[k] : NULL;
    bool of_rows = !cell || cell->rows != asked->rows;
    if (!mu_placed && (of_rows || cell->mu > asked->mu)) {
      mu_placed = true;
      r->asked_mu = r->mu_count;
      TACIT_TRY(fill_row(p, asked, norm, r, &r->by_mu[r->mu_count++], error));
    }
    if (of_rows && !size_placed && (!cell || cell->rows > asked->rows)) {
      size_placed = true;
      r->asked_size = r->size_count;
      TACIT_TRY(fill_row(p, asked, norm, r, &r->by_rows[r->size_count++], error));
    }
    if (cell && of_rows)
      TACIT_TRY(fill_row(p, cell, norm, r, &r->by_rows[r->size_count++], error));
    else if (cell)
      TACIT_TRY(fill_row(p, cell, norm, r, &r->by_mu[r->mu_count++], error));
  }
  return TACIT_OK;
}

static void fill_cases(const tacit_planner *p, tacit_plan_result *result) {
  for (size_t k = 0; k < K; k++) {
    tacit_plan_demand_case *c = &result->cases[k];
    *c = (tacit_plan_demand_case){.name = tacit_plan_cases[k].name, .about = tacit_plan_cases[k].about};
    for (size_t r = 0; r < p->rounds; r++) {
      c->cost_without_privacy += p->cells[p->asked].quiet[r * K + k] / (double)p->rounds;
      c->cost_without_features += p->cells[p->asked].constant[r * K + k] / (double)p->rounds;
    }
    if (p->options->region) c->cost_without_features = NAN;
  }
}

static tacit_status fill(tacit_planner *p, const tacit_context *context, tacit_plan_result *result,
                         tacit_error *error) {
  set_work(p);
  TACIT_TRY(set_cells(p, error));
  TACIT_TRY(tacit_plan_columns_new(p->schema, &p->columns, error));
  result->by_mu = tacit_alloc(MUS + 1, sizeof *result->by_mu);
  result->by_rows = tacit_alloc(SIZES, sizeof *result->by_rows);
  if (!result->by_mu || !result->by_rows) return tacit_no_memory(error);
  TACIT_TRY(try_all(p, context, error));
  double norm = tacit_plan_largest_norm(p);
  result->repetitions = p->rounds;
  fill_cases(p, result);
  TACIT_TRY(fill_lines(p, norm, result, error));
  if (p->options->percent > 0) TACIT_TRY(tacit_plan_back(p, context, &result->answer, error));
  TACIT_TRY(tacit_progress(context, "planning", 1, error));
  tacit_plan_describe(p, norm, result);
  return TACIT_OK;
}

static void close_planner(tacit_planner *p) {
  for (size_t k = 0; k < p->cell_count; k++) {
    free(p->cells[k].percent);
    free(p->cells[k].quiet);
    free(p->cells[k].least);
    free(p->cells[k].constant);
  }
  for (size_t j = 0; p->laws && j < p->rounds_most * K; j++) tacit_plan_law_free(&p->laws[j]);
  free(p->laws);
  tacit_plan_columns_free(&p->columns);
}

tacit_status tacit_plan(const tacit_schema *schema, const tacit_plan_options *options,
                        const tacit_context *context, tacit_plan_result **result, tacit_error *error) {
  *result = NULL;
  tacit_plan_series series;
  tacit_planner planner = {.schema = &series.schema, .options = options};
  planner.method = tacit_method_for(options->method, options->region != NULL, schema);
  TACIT_TRY(tacit_plan_options_check(schema, options, planner.method, error));
  tacit_plan_result *made = tacit_alloc(1, sizeof *made);
  tacit_status status = tacit_plan_series_open(schema, &series, error);
  if (!made) status = tacit_no_memory(error);
  if (status == TACIT_OK) status = fill(&planner, context, made, error);
  close_planner(&planner);
  tacit_plan_series_close(&series);
  if (status == TACIT_OK)
    *result = made;
  else
    tacit_plan_free(made);
  return status;
}

/* The asked cell alone, of as few problems as have an error. */
static tacit_status glance(tacit_planner *p, const tacit_context *context, tacit_plan_row *row,
                           tacit_error *error) {
  const tacit_plan_options *o = p->options;
  set_work(p);
  p->rounds_most = p->rounds = o->repetitions ? o->repetitions : ROUNDS_GLANCE;
  TACIT_TRY(tacit_plan_add_cell(p, o->mu, o->rows, error));
  p->laws = tacit_alloc(p->rounds * K, sizeof *p->laws);
  if (!p->laws) return tacit_no_memory(error);
  TACIT_TRY(tacit_plan_columns_new(p->schema, &p->columns, error));
  TACIT_TRY(tacit_plan_try(p, (tacit_plan_work){0, 1, 0, p->rounds, 0, 1}, context, error));
  return tacit_plan_fill(p, &p->cells[p->asked], row, error);
}

tacit_status tacit_plan_glance(const tacit_schema *schema, const tacit_plan_options *options,
                               const tacit_context *context, tacit_plan_row *row, tacit_error *error) {
  tacit_plan_series series;
  tacit_planner planner = {.schema = &series.schema, .options = options};
  planner.method = tacit_method_for(options->method, options->region != NULL, schema);
  TACIT_TRY(tacit_plan_options_check(schema, options, planner.method, error));
  tacit_status status = tacit_plan_series_open(schema, &series, error);
  if (status == TACIT_OK) status = glance(&planner, context, row, error);
  close_planner(&planner);
  tacit_plan_series_close(&series);
  return status;
}

void tacit_plan_free(tacit_plan_result *result) {
  if (!result) return;
  free(result->by_mu);
  free(result->by_rows);
  free(result);
}
