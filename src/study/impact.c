/* tacit impact: bias and variance of the private order, who earns what under a wholesale contract, and what
   features are worth (E Props 2 to 4, Theorem 8, Lemma EC.7), as E's expansions say and as simulated. */
#include "study/impact.h"

#include "study/chen_methods.h"
#include "study/impact_note.h"
#include "study/report.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/learn.h>

enum { REPETITIONS = 100 };
static const double SLOPES[] = {1, -0.5}, EPSILONS[] = {0.5, 1, 2};
static const size_t SIZES[] = {1000, 10000};
static const char *const COLUMNS[] = {"policy",
                                      "conditions",
                                      "epsilon",
                                      "n",
                                      "order",
                                      "bias",
                                      "bias_se",
                                      "variance",
                                      "newsvendor_profit",
                                      "supplier_profit",
                                      "newsvendor_share",
                                      "supplier_share",
                                      "cost"};
enum { TEXTS = 2, NUMBERS = sizeof COLUMNS / sizeof *COLUMNS - TEXTS };

void tacit_impact_options_init(tacit_impact_options *options) {
  *options = (tacit_impact_options){
      .retail = 10, .wholesale = 6, .cost = 4, .base = 10, .sd = 1, .delta = 0.01, .seed = 1};
}

typedef enum trial { TRIAL_NONE, TRIAL_OP, TRIAL_TACIT, TRIALS } trial;
static const char *const TRIAL_NAMES[TRIALS] = {"no privacy (simulated)", "OP (simulated)",
                                                "tacit default (simulated)"};

typedef struct study {
  const tacit_impact_options *options;
  tacit_impact_plan plan;
  tacit_schema *schema;
  double mu;
  size_t rows;
  trial trial;
  double (*out)[TACIT_IMPACT_COLUMNS];
} study;

static tacit_status check(const tacit_impact_options *o, tacit_error *error) {
  if (!(o->cost > 0 && o->wholesale > o->cost && o->retail > o->wholesale && isfinite(o->retail)))
    return tacit_fail(error, TACIT_USAGE,
                      "prices must rise from --cost over --wholesale to --retail, all above 0");
  if (!(o->sd > 0 && isfinite(o->sd) && isfinite(o->base)))
    return tacit_fail(error, TACIT_USAGE, "--sd must be above 0, and --base a number");
  if (!(o->delta > 0 && o->delta < 1)) return tacit_fail(error, TACIT_USAGE, "--delta must be in (0, 1)");
  if (o->slopes && (o->slope_count < 1 || o->slope_count > TACIT_IMPACT_FEATURES))
    return tacit_fail(error, TACIT_USAGE, "--slope may be given 1 to %d times", TACIT_IMPACT_FEATURES);
  for (size_t i = 0; o->slopes && i < o->slope_count; i++)
    if (!isfinite(o->slopes[i])) return tacit_fail(error, TACIT_USAGE, "--slope must be a number");
  for (size_t i = 0; o->rows && i < o->row_count; i++)
    if (o->rows[i] < 50 || o->rows[i] > 1000000)
      return tacit_fail(error, TACIT_USAGE, "--rows must be between 50 and 1000000");
  for (size_t i = 0; o->epsilons && i < o->epsilon_count; i++)
    if (!(o->epsilons[i] > 0 && o->epsilons[i] <= 100))
      return tacit_fail(error, TACIT_USAGE, "--epsilon must be above 0 and at most 100");
  return TACIT_OK;
}

/* The learner's coefficients are of (y - base) / half, half = 8 standard deviations of demand. */
static double target_half(const tacit_impact_demand *d) {
  double square = d->sd * d->sd;
  for (size_t j = 1; j < d->columns; j++) square += d->theta[j] * d->theta[j];
  return 8 * sqrt(square);
}

static tacit_status make_schema(study *s, tacit_error *error) {
  const tacit_impact_demand *d = &s->plan.demand;
  char text[4096], low[TACIT_NUMBER_TEXT_MAX], high[TACIT_NUMBER_TEXT_MAX];
  tacit_number_text(low, d->theta[0] - target_half(d));
  tacit_number_text(high, d->theta[0] + target_half(d));
  snprintf(text, sizeof text, "{\"target\": {\"name\": \"y\", \"min\": %s, \"max\": %s}, \"features\": [",
           low, high);
  for (size_t j = 1; j < d->columns; j++) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s{\"name\": \"x%zu\", \"center\": 0, \"scale\": 1}",
             j > 1 ? ", " : "", j);
  }
  size_t used = strlen(text);
  snprintf(text + used, sizeof text - used, "]}");
  return tacit_schema_parse(text, strlen(text), &s->schema, error);
}

static tacit_status run_learner(const study *s, const double *x, const double *y, uint64_t seed,
                                double *theta, tacit_error *error) {
  size_t n = s->rows, d = s->plan.demand.columns;
  char names[TACIT_IMPACT_COLUMNS][24];
  const char *name[TACIT_IMPACT_COLUMNS];
  const double *values[TACIT_IMPACT_COLUMNS];
  double *space = tacit_alloc(n * d, sizeof *space);
  if (!space) return tacit_no_memory(error);
  for (size_t j = 0; j < d; j++) {
    snprintf(names[j], sizeof *names, j + 1 < d ? "x%zu" : "y", j + 1);
    name[j] = names[j];
    values[j] = space + j * n;
    for (size_t i = 0; i < n; i++) space[j * n + i] = j + 1 < d ? x[i * d + j + 1] : y[i];
  }
  const tacit_study_table table = {s->schema, n, d, name, values, NULL};
  double half = target_half(&s->plan.demand);
  tacit_status status = tacit_study_learn(&table, s->plan.tau, s->mu, seed, theta, NULL, error);
  free(space);
  for (size_t j = 0; j < d; j++) theta[j] *= half;
  theta[0] += s->plan.demand.theta[0];
  return status;
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const study *s = with;
  size_t n = s->rows, d = s->plan.demand.columns;
  tacit_stream rows, noise;
  TACIT_TRY(tacit_study_stream(s->options->seed, TACIT_FOR_ROWS, 6, (uint32_t)r, &rows, error));
  TACIT_TRY(tacit_study_stream(s->options->seed, TACIT_FOR_NOISE, 6, (uint32_t)r, &noise, error));
  double *x = tacit_alloc(n * (d + 1), sizeof *x);
  if (!x) return tacit_no_memory(error);
  double *y = x + n * d;
  for (size_t i = 0; i < n; i++) y[i] = tacit_impact_draw(&s->plan.demand, &rows, x + i * d);
  const tacit_chen_rows table = {n, d, x, y};
  /* without privacy: smoothed over a tenth of the errors' spread, which biases it by less than a hundredth */
  const tacit_chen_goal plain = {s->plan.tau, 0.1 * s->plan.demand.sd, 1e-9, TACIT_KERNEL_GAUSSIAN, NULL,
                                 NULL};
  if (s->trial == TRIAL_NONE) memset(s->out[r], 0, sizeof s->out[r]);
  tacit_status status =
      s->trial == TRIAL_NONE ? tacit_chen_minimise(&plain, &table, s->out[r], error)
      : s->trial == TRIAL_OP
          ? tacit_chen_run(TACIT_CHEN_OP_COMPANION, &s->plan.setting, &table, &noise, s->out[r], error)
          : run_learner(s, x, y, tacit_stream_bits(&noise), s->out[r], error);
  free(x);
  return status;
}

static tacit_status add(tacit_report *report, const char *name, const char *conditions, double epsilon,
                        double n, double bias, double se, double variance, const tacit_impact_money *money,
                        tacit_error *error) {
  double total = money->newsvendor + money->supplier;
  const double line[NUMBERS] = {epsilon,
                                n,
                                money->order,
                                bias,
                                se,
                                variance,
                                money->newsvendor,
                                money->supplier,
                                money->newsvendor / total,
                                money->supplier / total,
                                money->cost};
  const char *const texts[TEXTS] = {name, conditions};
  return tacit_report_add(report, texts, line, error);
}

/* Means over repetitions; the variance of theta'x given x, averaged over x, is the sum of the coefficients'.
 */
static tacit_status add_trial(const study *s, size_t repetitions, double epsilon, tacit_report *report,
                              tacit_error *error) {
  size_t d = s->plan.demand.columns;
  double variance = 0, bias = 0, se = 0, R = (double)repetitions;
  tacit_impact_money sum = {0};
  for (size_t j = 0; j < d; j++) {
    double mean, error_of_mean;
    tacit_summarise(repetitions, &s->out[0][j], TACIT_IMPACT_COLUMNS, &mean, &error_of_mean);
    variance += error_of_mean * error_of_mean * R;
    if (j) continue;
    bias = mean - s->plan.best[0];
    se = error_of_mean;
  }
  for (size_t r = 0; r < repetitions; r++) {
    tacit_impact_money money = tacit_impact_value(&s->plan.demand, s->options, s->out[r]);
    sum.order += money.order / R;
    sum.newsvendor += money.newsvendor / R;
    sum.supplier += money.supplier / R;
    sum.cost += money.cost / R;
  }
  return add(report, TRIAL_NAMES[s->trial], "-", epsilon, (double)s->rows, bias, se, variance, &sum, error);
}

/* What is known without learning: the best order, the best order without features, and E's expansions. */
static tacit_status add_known(const study *s, tacit_report *report, tacit_error *error) {
  tacit_impact_money best = tacit_impact_value(&s->plan.demand, s->options, s->plan.best);
  double constant[TACIT_IMPACT_COLUMNS] = {s->plan.constant};
  tacit_impact_money without = tacit_impact_value(&s->plan.demand, s->options, constant);
  TACIT_TRY(add(report, "best order", "-", NAN, NAN, 0, NAN, 0, &best, error));
  return add(report, "best without features", "-", NAN, NAN, s->plan.constant - s->plan.best[0], NAN, 0,
             &without, error);
}

static tacit_status add_expansion(const study *s, double epsilon, tacit_report *report, tacit_error *error) {
  tacit_impact_money money = tacit_impact_value(&s->plan.demand, s->options, s->plan.expected);
  return add(report, "OP (Props 2-4)", tacit_impact_conditions(&s->plan), epsilon, (double)s->rows,
             s->plan.expected[0] - s->plan.best[0], NAN, s->plan.variance, &money, error);
}

static tacit_status run_cell(study *s, size_t repetitions, double epsilon, double from, double to,
                             const tacit_context *context, tacit_report *report, tacit_error *error) {
  TACIT_TRY(tacit_gdp_mu(epsilon, s->options->delta, &s->mu, error));
  tacit_impact_plan_set(&s->plan, epsilon, s->options->delta, s->rows);
  TACIT_TRY(add_expansion(s, epsilon, report, error));
  for (s->trial = TRIAL_OP; s->trial < TRIALS; s->trial++) {
    TACIT_TRY(tacit_repeat(repetitions, run_one, s, "orders", from, to, context, error));
    TACIT_TRY(add_trial(s, repetitions, epsilon, report, error));
  }
  return TACIT_OK;
}

static const char COMMANDS[] =
    "array name[3] = ['OP (simulated)', 'OP (Props 2-4)', 'tacit default (simulated)']\n"
    "set logscale x\nset xlabel 'n'\nset key bottom right\nset multiplot layout 1,2\n"
    "stats data u 3 nooutput\n"
    "set title sprintf('bias of the order, epsilon = %g (two standard errors)', STATS_min)\n"
    "plot for [m = 1:3] data u (strcol(1) eq name[m] && $3 == STATS_min ? $4 : NaN):6:(m == 2 ? 0 : 2 * $7) "
    "w "
    "yerrorlines pt 7 lw 2 t name[m]\n"
    "set title 'supplier share of the profit'\n"
    "plot for [m = 1:3] data u (strcol(1) eq name[m] && $3 == STATS_min ? $4 : NaN):12 w lp pt 7 lw 2 t "
    "name[m], "
    "data u (strcol(1) eq 'no privacy (simulated)' ? $4 : NaN):12 w lp pt 6 lw 2 lc 'black' t 'no privacy'\n"
    "unset multiplot\n";

static tacit_status run_all(study *s, size_t repetitions, const tacit_context *context, tacit_report *report,
                            tacit_error *error) {
  const tacit_impact_options *o = s->options;
  const size_t *rows = o->rows ? o->rows : SIZES;
  size_t row_count = o->rows ? o->row_count : sizeof SIZES / sizeof *SIZES;
  const double *epsilons = o->epsilons ? o->epsilons : EPSILONS;
  size_t epsilon_count = o->epsilons ? o->epsilon_count : sizeof EPSILONS / sizeof *EPSILONS, at = 0;
  double cells = (double)(row_count * epsilon_count);
  TACIT_TRY(add_known(s, report, error));
  for (size_t k = 0; k < row_count; k++) {
    s->rows = rows[k];
    s->trial = TRIAL_NONE;
    TACIT_TRY(tacit_repeat(repetitions, run_one, s, "orders", 0, 0, context, error));
    TACIT_TRY(add_trial(s, repetitions, NAN, report, error));
    for (size_t i = 0; i < epsilon_count; i++, at++)
      TACIT_TRY(run_cell(s, repetitions, epsilons[i], (double)at / cells, (double)(at + 1) / cells, context,
                         report, error));
  }
  tacit_impact_note(report, &s->plan, o, repetitions);
  return tacit_report_write(report, o->out, 1200, 480, COMMANDS, error);
}

tacit_status tacit_impact(const tacit_impact_options *options, const tacit_context *context,
                          tacit_report **report, tacit_error *error) {
  *report = NULL;
  TACIT_TRY(check(options, error));
  size_t repetitions = options->repetitions ? options->repetitions : REPETITIONS;
  study s = {.options = options};
  tacit_impact_plan_init(&s.plan, options, options->slopes ? options->slopes : SLOPES,
                         options->slopes ? options->slope_count : sizeof SLOPES / sizeof *SLOPES);
  s.out = tacit_alloc(repetitions, sizeof *s.out);
  tacit_status status = s.out ? make_schema(&s, error) : tacit_no_memory(error);
  if (status == TACIT_OK) status = tacit_report_new("impact", TEXTS, NUMBERS, COLUMNS, report, error);
  if (status == TACIT_OK) status = run_all(&s, repetitions, context, *report, error);
  tacit_schema_free(s.schema);
  free(s.out);
  if (status == TACIT_OK) return TACIT_OK;
  tacit_report_free(*report);
  *report = NULL;
  return status;
}
