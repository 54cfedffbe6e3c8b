/* Costs in tiers (Chen and Chua, section 6) under the promise of the plain problem: by how much the default
   learner's orders cost more than the best ones, beside the plain problem with the dearest rates, for the
   same rows, noise and mu. */
#include "papers/demand_study.h"
#include "papers/reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/solvers.h>

enum { COLUMNS = TACIT_DEMAND_FEATURES + 1, REPETITIONS = 200, PROBLEMS = 3, SIZES = 3, BUDGETS = 2 };
static const size_t SIZE[SIZES] = {300, 1000, 3000};
static const double BUDGET[BUDGETS] = {0.5, 1};
static const char *const NAMES[COLUMNS] = {"z1", "z2", "z3", "demand"};
#define TARGET "{\"target\": {\"name\": \"demand\", \"min\": 0, \"max\": 200"
#define COST(shortage, leftover)                                                                             \
  TARGET ", \"cost\": {\"shortage\": [" shortage "], \"leftover\": [" leftover "]}}, " TACIT_DEMAND_KNOWN "}"
static const char PLAIN[] = TARGET "}, " TACIT_DEMAND_KNOWN "}";
/* Each contract, and one rate instead of its tiers, the dearest. */
static const struct {
  const char *label, *tiers, *one_rate;
} PROBLEM[PROBLEMS] = {
    {"shortage 30, 60 from 10 on; leftover 10, 20 from 20 on",
     COST("{\"below\": 10, \"rate\": 30}, {\"rate\": 60}", "{\"below\": 20, \"rate\": 10}, {\"rate\": 20}"),
     COST("{\"rate\": 60}", "{\"rate\": 20}")},
    {"shortage 10, 20 from 15 on; leftover 5, 10 from 5 on, 20 from 30 on",
     COST("{\"below\": 15, \"rate\": 10}, {\"rate\": 20}",
          "{\"below\": 5, \"rate\": 5}, {\"below\": 30, \"rate\": 10}, {\"rate\": 20}"),
     COST("{\"rate\": 20}", "{\"rate\": 20}")},
    {"shortage 30, 90 from 10 on; leftover 10",
     COST("{\"below\": 10, \"rate\": 30}, {\"rate\": 90}", "{\"rate\": 10}"),
     COST("{\"rate\": 90}", "{\"rate\": 10}")}};
static const char *const REPORT[] = {"costs",    "quantile", "mu",       "n",     "plain",
                                     "plain_se", "tiers",    "tiers_se", "ratio", "tiers_without_privacy"};
enum { TEXTS = 1, NUMBERS = sizeof REPORT / sizeof *REPORT - TEXTS };
enum { BY_PLAIN, BY_TIERS, BY_EXACT, WAYS };

typedef struct study {
  tacit_schema *plain, *tiers, *one_rate;
  tacit_demand_cost cost[2]; /* of one rate, and of tiers */
  size_t rows;
  double mu;
  uint64_t seed;
  double (*out)[WAYS];
} study;

static tacit_status learn(const study *s, int way, const tacit_study_table *table, uint64_t seed,
                          double *excess, tacit_error *error) {
  const tacit_demand_cost *cost = &s->cost[way != BY_PLAIN];
  tacit_fit *fit = NULL;
  double tau = cost->tiers->underage / (cost->tiers->underage + cost->tiers->overage);
  tacit_study_table own = *table;
  own.schema = way == BY_PLAIN ? s->plain : s->tiers;
  if (way == BY_EXACT)
    TACIT_TRY(tacit_study_exact(&own, tau, &fit, error));
  else
    TACIT_TRY(tacit_study_fit(&own, tau, s->mu, &seed, &fit, error));
  const tacit_rule rule = tacit_study_rule(&own, fit);
  *excess = tacit_demand_excess(cost, &rule, &own.schema->targets[0].scale);
  tacit_fit_free(fit);
  return TACIT_OK;
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const study *s = with;
  tacit_stream stream;
  const double *values[COLUMNS];
  TACIT_TRY(tacit_study_stream(s->seed, TACIT_FOR_ROWS, (uint32_t)s->rows, (uint32_t)r, &stream, error));
  double *space = tacit_alloc(COLUMNS * s->rows, sizeof *space);
  if (!space) return tacit_no_memory(error);
  tacit_demand_draw(&stream, false, s->rows, space);
  uint64_t seed = tacit_stream_bits(&stream);
  tacit_stream_end(&stream);
  for (size_t j = 0; j < COLUMNS; j++) values[j] = space + j * s->rows;
  const tacit_study_table table = {s->plain, s->rows, COLUMNS, NAMES, values, NULL};
  tacit_status status = TACIT_OK;
  for (int way = 0; way < WAYS && status == TACIT_OK; way++)
    status = learn(s, way, &table, seed, &s->out[r][way], error);
  free(space);
  return status;
}

static tacit_status add_row(const study *s, const char *label, size_t repetitions, tacit_report *report,
                            tacit_error *error) {
  double mean[WAYS], se[WAYS];
  const tacit_tiers *t = s->cost[1].tiers;
  for (int way = 0; way < WAYS; way++)
    tacit_summarise(repetitions, &s->out[0][way], WAYS, &mean[way], &se[way]);
  const double line[NUMBERS] = {t->underage / (t->underage + t->overage),
                                s->mu,
                                (double)s->rows,
                                mean[BY_PLAIN],
                                se[BY_PLAIN],
                                mean[BY_TIERS],
                                se[BY_TIERS],
                                mean[BY_TIERS] / mean[BY_PLAIN],
                                mean[BY_EXACT]};
  return tacit_report_add(report, &label, line, error);
}

static tacit_status run_problem(study *s, size_t p, const tacit_reproduce_options *options,
                                size_t repetitions, const tacit_context *context, tacit_report *report,
                                tacit_error *error) {
  const size_t *rows = options->row_count ? options->rows : SIZE;
  size_t sizes = options->row_count ? options->row_count : SIZES, cells = PROBLEMS * sizes * BUDGETS;
  TACIT_TRY(tacit_schema_parse(PROBLEM[p].tiers, strlen(PROBLEM[p].tiers), &s->tiers, error));
  TACIT_TRY(tacit_schema_parse(PROBLEM[p].one_rate, strlen(PROBLEM[p].one_rate), &s->one_rate, error));
  tacit_demand_cost_set(&s->cost[0], s->one_rate->targets[0].tiers, false);
  tacit_demand_cost_set(&s->cost[1], s->tiers->targets[0].tiers, false);
  for (size_t k = 0; k < sizes * BUDGETS; k++) {
    s->rows = rows[k / BUDGETS];
    s->mu = BUDGET[k % BUDGETS];
    TACIT_TRY(tacit_repeat(repetitions, run_one, s, tacit_part_of("tiers", p * sizes * BUDGETS + k, cells),
                           context, error));
    TACIT_TRY(add_row(s, PROBLEM[p].label, repetitions, report, error));
  }
  return TACIT_OK;
}

static tacit_status run_all(study *s, const tacit_reproduce_options *options, size_t repetitions,
                            const tacit_context *context, tacit_report *report, tacit_error *error) {
  TACIT_TRY(tacit_schema_parse(PLAIN, sizeof PLAIN - 1, &s->plain, error));
  for (size_t p = 0; p < PROBLEMS; p++) {
    tacit_status status = run_problem(s, p, options, repetitions, context, report, error);
    tacit_schema_free(s->tiers);
    tacit_schema_free(s->one_rate);
    s->tiers = s->one_rate = NULL;
    TACIT_TRY(status);
  }
  tacit_report_note(
      report,
      "Percent by which orders cost more than the best ones, %zu repetitions, standard errors in "
      "parentheses. "
      "Demand is 100 + 10 z1 - 5 z2 + 20 e, all normal; z1, z2 and a third feature are known to their scale. "
      "plain: the default learner where a unit costs the dearest rates whatever the amount, scored by these. "
      "tiers: the default learner on the same rows with the schema's tiers, scored by them. ratio: the "
      "second "
      "over the first, which is to be at most 1.5. tiers_without_privacy: erm-exact. Costs are exact in e. "
      "Noise is seeded, and the certificates say so.",
      repetitions);
  return TACIT_OK;
}

tacit_status tacit_reproduce_chen_tiers(const tacit_reproduce_options *options, const tacit_context *context,
                                        tacit_report **report, tacit_error *error) {
  size_t repetitions = tacit_repetitions(options, REPETITIONS);
  study s = {.seed = options->seed};
  TACIT_TRY(tacit_report_new("chen-tiers", TEXTS, NUMBERS, REPORT, report, error));
  TACIT_TRY(tacit_load_solvers(error));
  s.out = tacit_alloc(repetitions, sizeof *s.out);
  tacit_status status =
      s.out ? run_all(&s, options, repetitions, context, *report, error) : tacit_no_memory(error);
  tacit_schema_free(s.plain);
  free(s.out);
  return status;
}
