/* Sales are not demand: where some days sell out, what the default learner's orders cost that is told which
   (the schema's "stock"), beside one that knows demand, one that takes sales for demand, and one that leaves
   such days out. */
#include "num/normal.h"
#include "papers/demand_study.h"
#include "papers/reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEMAND = TACIT_DEMAND_FEATURES, STOCK, COLUMNS, REPETITIONS = 200, CASES = 8, SIZES = 2, BUDGETS = 2 };
static const size_t SIZE[SIZES] = {1000, 3000};
static const double BUDGET[BUDGETS] = {0.5, 1};
static const char *const NAMES[COLUMNS] = {"z1", "z2", "z3", "demand", "stock"};
#define TARGET(more)                                                                                         \
  "{\"target\": {\"name\": \"demand\", \"min\": 0, \"max\": 200" more "}, " TACIT_DEMAND_KNOWN "}"
static const char KNOWN[] = TARGET(""), TOLD[] = TARGET(", \"stock\": \"stock\"");
#define RATES(under, over)                                                                                   \
  TARGET(", \"cost\": {\"shortage\": [{\"rate\": " under "}], \"leftover\": [{\"rate\": " over "}]}")
/* Quantile, errors, and how far the stock strays from the rule behind it, in units of demand. */
static const struct {
  double tau;
  const char *costs;
  bool skewed;
  double stray;
} CASE[CASES] = {{0.5, RATES("1", "1"), false, 20}, {0.7, RATES("7", "3"), false, 20},
                 {0.7, RATES("7", "3"), false, 10}, {0.9, RATES("9", "1"), false, 20},
                 {0.9, RATES("9", "1"), false, 10}, {0.5, RATES("1", "1"), true, 20},
                 {0.7, RATES("7", "3"), true, 20},  {0.9, RATES("9", "1"), true, 20}};
static const double SOLD_OUT = 0.15;
static const char *const REPORT[] = {
    "errors", "quantile", "stock_strays", "mu",    "n",        "demand_known", "demand_known_se",
    "told",   "told_se",  "ratio",        "sales", "sales_se", "without_days", "without_days_se"};
enum { TEXTS = 1, NUMBERS = sizeof REPORT / sizeof *REPORT - TEXTS };
enum { BY_DEMAND, BY_TOLD, BY_SALES, BY_OTHER_DAYS, WAYS };

typedef struct study {
  tacit_schema *known, *told, *costs;
  tacit_demand_cost cost;
  double tau, stray, above; /* how far above demand's centre stock lies */
  size_t rows;
  double mu;
  uint64_t seed;
  double (*out)[WAYS];
} study;

/* The share of days that sell out with stock so far above the centre: a mean over the stock's own law. */
static double share_sold_out(const study *s, double above) {
  enum { STEPS = 2000 };
  double sum = 0;
  for (int k = 0; k < STEPS; k++)
    sum += tacit_demand_exceeds(s->cost.skewed, above + s->stray * tacit_normal_quantile((k + 0.5) / STEPS));
  return sum / STEPS;
}

static void set_stock(study *s) {
  double low = -100, high = 200;
  while (high - low > 1e-6) {
    double middle = (low + high) / 2;
    if (share_sold_out(s, middle) > SOLD_OUT)
      low = middle;
    else
      high = middle;
  }
  s->above = low;
}

/* What a shop has on record: sales, and the stock; the days that did not sell out go to the front of `kept`.
 */
static size_t sell(const study *s, tacit_stream *stream, double *columns, double *sales, double *kept) {
  size_t n = s->rows, left = 0;
  for (size_t i = 0; i < n; i++) {
    const double z[] = {columns[i], columns[n + i], columns[2 * n + i]};
    double stock = fmax(0, tacit_demand_centre(z) + s->above + s->stray * tacit_normal(stream)),
           demand = columns[DEMAND * n + i];
    columns[STOCK * n + i] = stock;
    sales[i] = fmin(demand, stock);
    if (demand >= stock) continue;
    for (size_t j = 0; j < COLUMNS; j++) kept[j * n + left] = columns[j * n + i];
    left++;
  }
  return left;
}

static tacit_status learn(const study *s, int way, const tacit_study_table *table, uint64_t seed,
                          double *excess, tacit_error *error) {
  tacit_fit *fit = NULL;
  TACIT_TRY(tacit_study_fit(table, s->tau, s->mu, &seed, &fit, error));
  const tacit_rule rule = tacit_study_rule(table, fit);
  *excess = tacit_demand_excess(&s->cost, &rule, &table->schema->targets[0].scale);
  tacit_fit_free(fit);
  (void)way;
  return TACIT_OK;
}

static tacit_status learn_all(const study *s, size_t r, double *columns, double *sales, double *kept,
                              tacit_stream *stream, tacit_error *error) {
  const double *values[WAYS][COLUMNS];
  size_t left = sell(s, stream, columns, sales, kept);
  uint64_t seed = tacit_stream_bits(stream);
  for (int way = 0; way < WAYS; way++) {
    for (size_t j = 0; j < COLUMNS; j++)
      values[way][j] = (way == BY_OTHER_DAYS ? kept : columns) + j * s->rows;
    if (way == BY_TOLD || way == BY_SALES) values[way][DEMAND] = sales;
    const tacit_study_table table = {way == BY_TOLD ? s->told : s->known,
                                     way == BY_OTHER_DAYS ? left : s->rows,
                                     COLUMNS,
                                     NAMES,
                                     values[way],
                                     NULL};
    TACIT_TRY(learn(s, way, &table, seed, &s->out[r][way], error));
  }
  return TACIT_OK;
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const study *s = with;
  tacit_stream stream;
  TACIT_TRY(tacit_study_stream(s->seed, TACIT_FOR_ROWS, (uint32_t)s->rows, (uint32_t)r, &stream, error));
  double *space = tacit_alloc((2 * COLUMNS + 1) * s->rows, sizeof *space);
  if (!space) return tacit_no_memory(error);
  tacit_demand_draw(&stream, s->cost.skewed, s->rows, space);
  double *sales = space + COLUMNS * s->rows;
  tacit_status status = learn_all(s, r, space, sales, sales + s->rows, &stream, error);
  tacit_stream_end(&stream);
  free(space);
  return status;
}

static tacit_status add_row(const study *s, size_t repetitions, tacit_report *report, tacit_error *error) {
  double mean[WAYS], se[WAYS];
  const char *label = s->cost.skewed ? "skewed" : "normal";
  for (int way = 0; way < WAYS; way++)
    tacit_summarise(repetitions, &s->out[0][way], WAYS, &mean[way], &se[way]);
  const double line[NUMBERS] = {s->tau,           s->stray,        s->mu,
                                (double)s->rows,  mean[BY_DEMAND], se[BY_DEMAND],
                                mean[BY_TOLD],    se[BY_TOLD],     mean[BY_TOLD] / mean[BY_DEMAND],
                                mean[BY_SALES],   se[BY_SALES],    mean[BY_OTHER_DAYS],
                                se[BY_OTHER_DAYS]};
  return tacit_report_add(report, &label, line, error);
}

static tacit_status run_case(study *s, size_t k, const tacit_reproduce_options *options, size_t repetitions,
                             const tacit_context *context, tacit_report *report, tacit_error *error) {
  const size_t *rows = options->row_count ? options->rows : SIZE;
  size_t sizes = options->row_count ? options->row_count : SIZES, cells = CASES * sizes * BUDGETS;
  TACIT_TRY(tacit_schema_parse(CASE[k].costs, strlen(CASE[k].costs), &s->costs, error));
  s->tau = CASE[k].tau;
  s->stray = CASE[k].stray;
  tacit_demand_cost_set(&s->cost, s->costs->targets[0].tiers, CASE[k].skewed);
  set_stock(s);
  for (size_t c = 0; c < sizes * BUDGETS; c++) {
    s->rows = rows[c / BUDGETS];
    s->mu = BUDGET[c % BUDGETS];
    TACIT_TRY(tacit_repeat(repetitions, run_one, s, tacit_part_of("sold out", k * sizes * BUDGETS + c, cells),
                           context, error));
    TACIT_TRY(add_row(s, repetitions, report, error));
  }
  return TACIT_OK;
}

static tacit_status run_all(study *s, const tacit_reproduce_options *options, size_t repetitions,
                            const tacit_context *context, tacit_report *report, tacit_error *error) {
  TACIT_TRY(tacit_schema_parse(KNOWN, sizeof KNOWN - 1, &s->known, error));
  TACIT_TRY(tacit_schema_parse(TOLD, sizeof TOLD - 1, &s->told, error));
  for (size_t k = 0; k < CASES; k++) {
    tacit_status status = run_case(s, k, options, repetitions, context, report, error);
    tacit_schema_free(s->costs);
    s->costs = NULL;
    TACIT_TRY(status);
  }
  tacit_report_note(report,
                    "Percent by which orders cost more than the best ones, %zu repetitions, standard errors "
                    "in parentheses; costs are "
                    "exact in the errors. Demand is 100 + 10 z1 - 5 z2 + 20 e, e normal or skewed "
                    "(exponential, less 1). Stock follows "
                    "demand's centre and strays from it by stock_strays, so that 15 %% of days sell out. "
                    "demand_known: the default "
                    "learner on demand itself. told: on sales, with the schema's \"stock\". ratio: told over "
                    "demand_known, which is to "
                    "be at most 1.5. sales: on sales as if they were demand. without_days: on demand of the "
                    "days that did not sell "
                    "out. Noise is seeded, and the certificates say so.",
                    repetitions);
  return TACIT_OK;
}

tacit_status tacit_reproduce_sold_out(const tacit_reproduce_options *options, const tacit_context *context,
                                      tacit_report **report, tacit_error *error) {
  size_t repetitions = tacit_repetitions(options, REPETITIONS);
  study s = {.seed = options->seed};
  TACIT_TRY(tacit_report_new("sold-out", TEXTS, NUMBERS, REPORT, report, error));
  s.out = tacit_alloc(repetitions, sizeof *s.out);
  tacit_status status =
      s.out ? run_all(&s, options, repetitions, context, *report, error) : tacit_no_memory(error);
  tacit_schema_free(s.known);
  tacit_schema_free(s.told);
  free(s.out);
  return status;
}
