/* tacit impact: bias and variance of the private order, who earns what under a wholesale contract, and what
   features are worth, as simulated with the default learner, and beside a published method. */
#include "study/impact.h"

#include "erm/erm.h"
#include "study/report.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/learn.h>

enum { REPETITIONS = 100 };
static const double EPSILONS[] = {0.5, 1, 2};
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

typedef enum trial { TRIAL_NONE, TRIAL_RIVAL, TRIAL_TACIT, TRIALS } trial;

typedef struct study {
  const tacit_impact_market *market;
  const tacit_impact_rival *rival;
  const tacit_context *context;
  tacit_report *report;
  tacit_schema *schema;
  double epsilon, mu;
  size_t rows, repetitions;
  trial trial;
  tacit_impact_points *points; /* drawn */
  bool drawn;                  /* whether any figures are of them */
  tacit_impact_order *out;
} study;

tacit_status tacit_impact_check(const tacit_impact_options *o, tacit_error *error) {
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

static tacit_status make_schema(study *s, tacit_error *error) {
  const tacit_impact_demand *d = &s->market->demand;
  char text[4096], low[TACIT_NUMBER_TEXT_MAX], high[TACIT_NUMBER_TEXT_MAX];
  tacit_number_text(low, d->theta[0] - tacit_impact_half(d));
  tacit_number_text(high, d->theta[0] + tacit_impact_half(d));
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

/* The learner's rule is of (y - base) / half. */
static tacit_status run_learner(const study *s, const tacit_sample *rows, uint64_t seed,
                                tacit_impact_order *order, tacit_error *error) {
  const tacit_impact_demand *demand = &s->market->demand;
  size_t n = rows->rows, d = rows->columns;
  char names[TACIT_IMPACT_COLUMNS][24];
  const char *name[TACIT_IMPACT_COLUMNS];
  const double *values[TACIT_IMPACT_COLUMNS];
  for (size_t j = 0; j < d; j++) {
    snprintf(names[j], sizeof *names, j + 1 < d ? "x%zu" : "y", j + 1);
    name[j] = names[j];
    values[j] = j + 1 < d ? rows->x + (j + 1) * n : rows->y;
  }
  const tacit_study_table table = {s->schema, n, d, name, values, NULL};
  double half = tacit_impact_half(demand);
  tacit_fit *fit = NULL;
  TACIT_TRY(tacit_study_fit(&table, s->market->tau, s->mu, &seed, &fit, error));
  const tacit_rule rule = tacit_study_rule(&table, fit);
  for (size_t j = 0; j < d; j++) order->theta[j] = half * rule.coefficients[j];
  order->theta[0] += demand->theta[0];
  if (rule.spread) {
    memcpy(order->spread, rule.spread, d * sizeof *rule.spread);
    order->spread[d] = half * rule.spread[d];
  }
  tacit_fit_free(fit);
  return TACIT_OK;
}

/* Without privacy: smoothed over a tenth of the errors' spread, which biases it by less than a hundredth. */
static tacit_status run_plain(const study *s, const tacit_sample *rows, double *theta, tacit_error *error) {
  tacit_context context; /* repetitions run side by side, each on one thread */
  tacit_context_init(&context);
  context.threads = 1;
  return tacit_erm_smooth(
      rows, 0, &(const tacit_erm_loss){s->market->tau, TACIT_KERNEL_GAUSSIAN, 0.1 * s->market->demand.sd},
      theta, &context, error);
}

static tacit_status draw_rows(const study *s, tacit_stream *stream, tacit_sample **rows, tacit_error *error) {
  TACIT_TRY(tacit_sample_new(s->market->demand.columns, 1, rows, error));
  for (size_t i = 0; i < s->rows; i++) {
    double x[TACIT_IMPACT_COLUMNS], y = tacit_impact_draw(&s->market->demand, stream, x);
    TACIT_TRY(tacit_sample_add(*rows, x, &y, error));
  }
  return tacit_sample_finish(*rows, error);
}

static tacit_status run_one(void *with, size_t r, tacit_error *error) {
  const study *s = with;
  uint64_t seed = s->market->prices->seed;
  tacit_stream draws, noise;
  tacit_sample *rows = NULL;
  TACIT_TRY(tacit_study_stream(seed, TACIT_FOR_ROWS, 6, (uint32_t)r, &draws, error));
  TACIT_TRY(tacit_study_stream(seed, TACIT_FOR_NOISE, 6, (uint32_t)r, &noise, error));
  tacit_impact_order *order = &s->out[r];
  *order = (tacit_impact_order){{0}, {0}};
  tacit_status status = draw_rows(s, &draws, &rows, error);
  if (status == TACIT_OK)
    status = s->trial == TRIAL_NONE    ? run_plain(s, rows, order->theta, error)
             : s->trial == TRIAL_RIVAL ? s->rival->run(s->rival->self, rows, &noise, order->theta, error)
                                       : run_learner(s, rows, tacit_stream_bits(&noise), order, error);
  tacit_sample_free(rows);
  return status;
}

/* A line of the report; n and epsilon are NaN where they do not matter. */
typedef struct line {
  const char *name, *conditions;
  double epsilon, n, bias, bias_se, variance;
  tacit_impact_money money;
} line;

static tacit_status add(const study *s, const line *l, tacit_error *error) {
  const tacit_impact_money *money = &l->money;
  double total = money->newsvendor + money->supplier;
  const double numbers[NUMBERS] = {l->epsilon,
                                   l->n,
                                   money->order,
                                   l->bias,
                                   l->bias_se,
                                   l->variance,
                                   money->newsvendor,
                                   money->supplier,
                                   money->newsvendor / total,
                                   money->supplier / total,
                                   money->cost};
  const char *const texts[TEXTS] = {l->name, l->conditions};
  return tacit_report_add(s->report, texts, numbers, error);
}

/* The variance of theta'x given x, averaged over x, is the sum of the coefficients'. */
static double linear_variance(const study *s) {
  double mean, se, variance = 0;
  for (size_t j = 0; j < s->market->demand.columns; j++) {
    tacit_summarise(s->repetitions, &s->out->theta[j], sizeof *s->out / sizeof(double), &mean, &se);
    variance += se * se * (double)s->repetitions;
  }
  return variance;
}

static bool all_linear(const study *s) {
  for (size_t r = 0; r < s->repetitions; r++)
    if (!tacit_impact_is_linear(s->market, &s->out[r])) return false;
  return true;
}

/* Means over repetitions. */
static tacit_status add_trial(study *s, const char *name, double epsilon, tacit_error *error) {
  const bool linear = all_linear(s);
  line l = {name, "-", .epsilon = epsilon, .n = (double)s->rows};
  double R = (double)s->repetitions, mean, *orders = tacit_alloc(s->repetitions, sizeof *orders);
  if (!orders) return tacit_no_memory(error);
  for (size_t r = 0; r < s->repetitions; r++) {
    tacit_impact_money money = linear ? tacit_impact_value(s->market, s->out[r].theta)
                                      : tacit_impact_value_at(s->market, s->points, &s->out[r]);
    orders[r] = money.order;
    l.money.order += money.order / R;
    l.money.newsvendor += money.newsvendor / R;
    l.money.supplier += money.supplier / R;
    l.money.cost += money.cost / R;
  }
  tacit_summarise(s->repetitions, orders, 1, &mean, &l.bias_se);
  l.bias = mean - s->market->best[0];
  l.variance =
      linear ? linear_variance(s) : tacit_impact_variance_at(s->market, s->points, s->repetitions, s->out);
  s->drawn |= !linear;
  free(orders);
  return add(s, &l, error);
}

/* What is known without learning: the best order, and the best order without features. */
static tacit_status add_known(const study *s, tacit_error *error) {
  const tacit_impact_market *m = s->market;
  const double constant[TACIT_IMPACT_COLUMNS] = {m->constant};
  const line best = {"best order", "-", NAN, NAN, 0, NAN, 0, tacit_impact_value(m, m->best)};
  const line without = {"best without features",  "-", NAN, NAN,
                        m->constant - m->best[0], NAN, 0,   tacit_impact_value(m, constant)};
  TACIT_TRY(add(s, &best, error));
  return add(s, &without, error);
}

static tacit_status add_expected(const study *s, tacit_error *error) {
  double theta[TACIT_IMPACT_COLUMNS] = {0};
  line l = {.name = s->rival->expected, .epsilon = s->epsilon, .n = (double)s->rows, .bias_se = NAN};
  l.conditions = s->rival->expect(s->rival->self, s->epsilon, s->rows, theta, &l.variance);
  l.bias = theta[0] - s->market->best[0];
  l.money = tacit_impact_value(s->market, theta);
  return add(s, &l, error);
}

static tacit_status run_trial(study *s, trial which, const char *name, tacit_part part, tacit_error *error) {
  s->trial = which;
  TACIT_TRY(tacit_repeat(s->repetitions, run_one, s, part, s->context, error));
  return add_trial(s, name, which == TRIAL_NONE ? NAN : s->epsilon, error);
}

static tacit_status run_cell(study *s, tacit_part part, tacit_error *error) {
  TACIT_TRY(tacit_gdp_mu(s->epsilon, s->market->prices->delta, &s->mu, error));
  if (s->rival) {
    TACIT_TRY(add_expected(s, error));
    TACIT_TRY(run_trial(s, TRIAL_RIVAL, s->rival->simulated, part, error));
  }
  return run_trial(s, TRIAL_TACIT, "tacit default (simulated)", part, error);
}

static tacit_status run_all(study *s, tacit_error *error) {
  const tacit_impact_options *o = s->market->prices;
  const size_t *rows = o->rows ? o->rows : SIZES;
  size_t row_count = o->rows ? o->row_count : sizeof SIZES / sizeof *SIZES;
  const double *epsilons = o->epsilons ? o->epsilons : EPSILONS;
  size_t epsilon_count = o->epsilons ? o->epsilon_count : sizeof EPSILONS / sizeof *EPSILONS;
  TACIT_TRY(add_known(s, error));
  for (size_t k = 0; k < row_count; k++) {
    s->rows = rows[k];
    double before = (double)k / (double)row_count;
    TACIT_TRY(
        run_trial(s, TRIAL_NONE, "no privacy (simulated)", (tacit_part){"orders", before, before}, error));
    for (size_t i = 0; i < epsilon_count; i++) {
      s->epsilon = epsilons[i];
      size_t at = k * epsilon_count + i;
      TACIT_TRY(run_cell(s, tacit_part_of("orders", at, row_count * epsilon_count), error));
    }
  }
  tacit_impact_note(s->report, s->market, s->rows, s->repetitions);
  if (s->drawn)
    tacit_report_note(s->report,
                      "\ntacit default orders with a spread at this critical ratio; its lines are means over "
                      "%d rows of features.",
                      TACIT_IMPACT_POINTS);
  if (s->rival) s->rival->note(s->rival->self, s->report);
  return TACIT_OK;
}

tacit_status tacit_impact_beside(const tacit_impact_market *market, const tacit_impact_rival *rival,
                                 const tacit_context *context, tacit_report **report, tacit_error *error) {
  size_t repetitions = market->prices->repetitions ? market->prices->repetitions : REPETITIONS;
  study s = {.market = market, .rival = rival, .context = context, .repetitions = repetitions};
  s.out = tacit_alloc(repetitions, sizeof *s.out);
  s.points = tacit_alloc(1, sizeof *s.points);
  tacit_status status = s.out && s.points ? make_schema(&s, error) : tacit_no_memory(error);
  if (status == TACIT_OK) status = tacit_impact_points_draw(market, s.points, error);
  if (status == TACIT_OK) status = tacit_report_new("impact", TEXTS, NUMBERS, COLUMNS, &s.report, error);
  if (status == TACIT_OK) status = run_all(&s, error);
  tacit_schema_free(s.schema);
  free(s.out);
  free(s.points);
  if (status != TACIT_OK) tacit_report_free(s.report);
  *report = status == TACIT_OK ? s.report : NULL;
  return status;
}

tacit_status tacit_impact(const tacit_impact_options *options, const tacit_context *context,
                          tacit_report **report, tacit_error *error) {
  *report = NULL;
  TACIT_TRY(tacit_impact_check(options, error));
  tacit_impact_market market;
  tacit_impact_market_init(&market, options);
  return tacit_impact_beside(&market, NULL, context, report, error);
}
