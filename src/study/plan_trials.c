/* The trials behind a plan: on each simulated problem a learner at every asked mu and with next to no noise,
   from the same rows and tested on the same fresh ones. */
#include "base/base.h"
#include "method/methods.h"
#include "privacy/gdp.h"
#include "study/plan.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <tacit/learn.h>

/* Streams of a problem's rows, by what they are for. */
enum { TRAIN, TEST, LAW };

static const double PAIR_DELTA = 1e-5; /* of methods whose promise is a pair: epsilon is mu's at this delta */
static const double PAIR_MU_MOST = 10; /* for them that is next to no noise */

/* Rows and noise of a problem while its cells are filled. */
typedef struct problem {
  const tacit_planner *p;
  size_t number;
  tacit_plan_table train, test;
  double *quantiles;
  tacit_learn_options options;
} problem;

tacit_status tacit_plan_add_cell(tacit_planner *p, double mu, size_t rows, tacit_error *error) {
  size_t problems = p->rounds_most * TACIT_PLAN_CASES, lag = p->schema->largest_lag;
  if (p->cell_count == TACIT_PLAN_CELLS)
    return tacit_fail(error, TACIT_INTERNAL, "a plan has room for %d cells", TACIT_PLAN_CELLS);
  tacit_plan_cell *cell = &p->cells[p->cell_count];
  *cell = (tacit_plan_cell){.mu = mu, .rows = rows, .simulated = rows < p->cap ? rows : p->cap};
  cell->simulated_mu = fmin(mu * (double)(rows - lag) / (double)(cell->simulated - lag), TACIT_MU_MAX);
  cell->percent = tacit_alloc(problems, sizeof *cell->percent);
  cell->quiet = tacit_alloc(problems, sizeof *cell->quiet);
  cell->least = tacit_alloc(problems, sizeof *cell->least);
  p->cell_count++;
  if (!cell->percent || !cell->quiet || !cell->least) return tacit_no_memory(error);
  for (size_t j = 0; j < problems; j++) cell->percent[j] = cell->quiet[j] = NAN;
  return TACIT_OK;
}

static tacit_status simulate(const tacit_planner *p, size_t number, uint32_t group, size_t rows,
                             tacit_plan_table *table, tacit_error *error) {
  tacit_stream stream;
  TACIT_TRY(tacit_plan_table_new(&p->columns, rows, table, error));
  TACIT_TRY(tacit_study_stream(p->options->seed, TACIT_FOR_ROWS, group, (uint32_t)number, &stream, error));
  tacit_plan_simulate(&p->columns, &p->laws[number], &stream, table);
  return TACIT_OK;
}

static tacit_status open_problem(const tacit_planner *p, size_t number, problem *q, tacit_error *error) {
  size_t targets = p->schema->target_count, rows = 0;
  tacit_stream stream;
  *q = (problem){.p = p, .number = number, .quantiles = tacit_alloc(targets, sizeof *q->quantiles)};
  if (!q->quantiles) return tacit_no_memory(error);
  for (size_t k = p->from; k < p->to; k++) rows = rows < p->cells[k].simulated ? p->cells[k].simulated : rows;
  if (!p->laws[number].kind) {
    TACIT_TRY(tacit_study_stream(p->options->seed, TACIT_FOR_ROWS, LAW, (uint32_t)number, &stream, error));
    TACIT_TRY(tacit_plan_law_new(&p->columns, &tacit_plan_cases[number % TACIT_PLAN_CASES], &stream,
                                 &p->laws[number], error));
  }
  TACIT_TRY(simulate(p, number, TRAIN, rows, &q->train, error));
  TACIT_TRY(simulate(p, number, TEST, p->test_rows + p->schema->largest_lag, &q->test, error));
  TACIT_TRY(tacit_study_stream(p->options->seed, TACIT_FOR_NOISE, 0, (uint32_t)number, &stream, error));
  tacit_learn_options_init(&q->options);
  q->options.seeded = true;
  q->options.seed = tacit_stream_bits(&stream); /* common to all cells: noise differs in its scale alone */
  q->options.region = p->options->region;
  q->options.adjacency = p->options->adjacency;
  if (q->options.region) return TACIT_OK;
  for (size_t t = 0; t < targets; t++) q->quantiles[t] = p->options->goals[t].quantile;
  q->options.quantiles = q->quantiles;
  q->options.quantile_count = targets;
  return TACIT_OK;
}

static void close_problem(problem *q) {
  tacit_plan_table_free(&q->p->columns, &q->train);
  tacit_plan_table_free(&q->p->columns, &q->test);
  free(q->quantiles);
}

/* The real learner, as a table of these rows would meet it. */
static tacit_status learn_cost(problem *q, size_t rows, double *cost, tacit_error *error) {
  const tacit_planner *p = q->p;
  tacit_context context; /* problems are tried side by side, each on one thread */
  tacit_context_init(&context);
  context.threads = 1;
  tacit_source *source = NULL;
  tacit_fit *fit = NULL;
  if (q->options.adjacency == TACIT_ADD_REMOVE) q->options.nominal_rows = rows;
  tacit_status status =
      tacit_source_columns(rows, p->columns.count, p->columns.names, (const double *const *)q->train.numbers,
                           (const char *const *const *)q->train.texts, &source, error);
  if (status == TACIT_OK) source->origin.added_up = p->schema->events != NULL; /* simulated rows are totals */
  if (status == TACIT_OK) status = tacit_learn(p->schema, source, &q->options, &context, &fit, error);
  if (status == TACIT_OK) status = tacit_plan_cost(p, &q->test, fit, cost, error);
  tacit_fit_free(fit);
  tacit_source_free(source);
  return status;
}

/* The planned method at this guarantee. */
static tacit_status private_cost(problem *q, size_t rows, double mu, double *cost, tacit_error *error) {
  q->options.method = tacit_method_name(q->p->method);
  q->options.mu = mu;
  q->options.epsilon = q->options.delta = 0;
  if (tacit_method_promise(q->p->method) == TACIT_PROMISE_PAIR) {
    q->options.mu = 0;
    q->options.delta = PAIR_DELTA;
    TACIT_TRY(tacit_gdp_epsilon(fmin(mu, PAIR_MU_MOST), PAIR_DELTA, &q->options.epsilon, error));
  }
  return learn_cost(q, rows, cost, error);
}

static tacit_status constant_cost(problem *q, size_t rows, double *cost, tacit_error *error) {
  q->options.method = tacit_method_saa.name;
  q->options.mu = q->options.epsilon = q->options.delta = 0;
  return learn_cost(q, rows, cost, error);
}

/* What the learner reaches on a cell's rows where noise is no matter: with next to none, or with the little
   that the asked rows have at a large mu, whichever is cheaper. On few rows some noise helps, and what it
   saves is no part of the price of more. */
static tacit_status quiet_cost(problem *q, const tacit_plan_cell *cell, tacit_error *error) {
  const tacit_planner *p = q->p;
  double lag = (double)p->schema->largest_lag, rows = (double)p->cells[p->asked].rows - lag;
  double little = TACIT_PLAN_LITTLE * fmax(1, rows / ((double)cell->simulated - lag));
  double *quiet = &cell->quiet[q->number], *least = &cell->least[q->number];
  TACIT_TRY(private_cost(q, cell->simulated, TACIT_MU_MAX, quiet, error));
  *least = *quiet;
  if (little >= TACIT_MU_MAX || tacit_method_promise(p->method) == TACIT_PROMISE_PAIR) return TACIT_OK;
  TACIT_TRY(private_cost(q, cell->simulated, little, least, error));
  *least = fmin(*quiet, *least);
  return TACIT_OK;
}

/* What noise of this cell costs on this problem. Cells for which the same rows stand share what they learn
   without noise, and all of it where noise weighs the same. */
static tacit_status try_cell(problem *q, const tacit_plan_cell *cell, tacit_error *error) {
  const tacit_planner *p = q->p;
  double *quiet = &cell->quiet[q->number], *least = &cell->least[q->number];
  double *percent = &cell->percent[q->number], noisy;
  for (const tacit_plan_cell *other = p->cells; other < p->cells + p->cell_count; other++) {
    if (other == cell || other->simulated != cell->simulated || isnan(other->quiet[q->number])) continue;
    *quiet = other->quiet[q->number];
    *least = other->least[q->number];
    if (fabs(other->simulated_mu / cell->simulated_mu - 1) < 1e-9 && !isnan(other->percent[q->number])) {
      *percent = other->percent[q->number];
      return TACIT_OK;
    }
  }
  if (isnan(*quiet)) TACIT_TRY(quiet_cost(q, cell, error));
  TACIT_TRY(private_cost(q, cell->simulated, cell->simulated_mu, &noisy, error));
  *percent = fmax(100 * (noisy - *least) / fabs(*least), 0);
  return TACIT_OK;
}

static tacit_status try_problem(void *self, size_t at, tacit_error *error) {
  const tacit_planner *p = self;
  problem q;
  tacit_status status = open_problem(p, p->begin + at, &q, error);
  for (size_t k = p->from; status == TACIT_OK && k < p->to; k++) {
    const tacit_plan_cell *cell = &p->cells[k];
    status = try_cell(&q, cell, error);
    if (status == TACIT_OK && cell->constant && !q.options.region)
      status = constant_cost(&q, cell->simulated, &cell->constant[q.number], error);
  }
  close_problem(&q);
  return status;
}

tacit_status tacit_plan_try(tacit_planner *p, tacit_plan_work work, const tacit_context *context,
                            tacit_error *error) {
  p->from = work.from;
  p->to = work.to;
  p->begin = work.first * TACIT_PLAN_CASES;
  size_t count = (work.last - work.first) * TACIT_PLAN_CASES;
  return tacit_repeat(count, try_problem, p, (tacit_part){"planning", work.done, work.all}, context, error);
}
