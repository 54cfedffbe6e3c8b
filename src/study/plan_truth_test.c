/* A plan's range holds, at least four times in five, what privacy costs under laws of demand that are not
 * among its cases. */
#include "study/plan.h"

#include "base/base.h"
#include "loss/check.h"
#include "study/study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "study/plan_schemas_for_test.h"

enum { SHOPS = 6, ROWS = 1500, FRESH = 4000, TABLES = 10, COLUMNS = SHOPS + 1 };
static const char SHOP_SCHEMA[] =
    "{'target': {'name': 'y', 'min': 0, 'max': 300}, 'features': [{'name': 'shop', 'levels': ['A', 'B', 'C', "
    "'D', 'E', 'F']}, {'name': 'price', 'min': 0, 'max': 1}]%s}";
/* What a unit is: whoever has ten rows, a row's demand alone, a customer who is at most 3 of the demand of
   four rows, once more from events. */
static const char *const UNIT_KINDS[] = {", 'unit': {'rows_per_unit': 10, 'column': 'who'}",
                                         ", 'private': 'target'",
                                         ", 'private': 'target', 'unit': {'rows_per_unit': 4, 'change': 3}",
                                         ", 'private': 'target', 'unit': {'rows_per_unit': 4, 'change': 3}, "
                                         "'events': {'customer': 'c', 'key': 'k'}"};
static const char *const NAMES[] = {"shop", "price", "y", "who"};
static const char *const LETTERS[] = {"A", "B", "C", "D", "E", "F"};

typedef struct row {
  size_t shop;
  double price;
} row;
typedef double (*law)(row at, tacit_stream *stream);

/* Shops of different size sell gamma amounts, fewer at a high price. */
static double gamma_by_shop(row at, tacit_stream *stream) {
  static const double size[SHOPS] = {3.2, 2.4, 3.9, 2.9, 3.5, 2.0};
  double gamma = 0;
  for (int i = 0; i < 3; i++) gamma -= log(tacit_uniform(stream)) / 3;
  return exp(size[at.shop] - 0.6 * at.price) * gamma;
}

/* Demand within limits of its own for each shop, every amount as likely as another. */
static double flat_by_shop(row at, tacit_stream *stream) {
  static const double middle[SHOPS] = {90, 120, 60, 140, 100, 75}, width[SHOPS] = {20, 60, 30, 90, 45, 15};
  return middle[at.shop] - 30 * at.price + width[at.shop] * (tacit_uniform(stream) - 0.5);
}

/* Two days out of ten are counted in dozens, at random. */
static double dozens(row at, tacit_stream *stream) {
  static const double mean[SHOPS] = {20, 35, 10, 50, 28, 15};
  double amount = mean[at.shop] * (1 + 0.25 * tacit_student(stream, 5)) - 8 * at.price;
  return tacit_uniform(stream) < 0.2 ? 12 * floor(amount / 4) : floor(amount);
}

typedef struct data {
  row at[FRESH];
  double price[FRESH], y[FRESH], who[FRESH];
  const char *shop[FRESH];
} data;

static void draw(law demand, size_t rows, uint32_t number, data *d) {
  tacit_stream stream;
  tacit_error error;
  assert_int_equal(tacit_study_stream(11, TACIT_FOR_ROWS, 9, number, &stream, &error), TACIT_OK);
  for (size_t i = 0; i < rows; i++) {
    d->at[i] = (row){tacit_stream_below(&stream, SHOPS + 2), tacit_uniform(&stream)};
    if (d->at[i].shop >= SHOPS) d->at[i].shop = 0; /* one shop sells on more days */
    d->price[i] = d->at[i].price;
    d->who[i] = (double)(i / 10);
    d->shop[i] = LETTERS[d->at[i].shop];
    d->y[i] = fmin(fmax(demand(d->at[i], &stream), 0), 300);
  }
}

static double learned_cost(const tacit_schema *schema, const data *train, const data *test, double tau,
                           double mu, uint64_t seed) {
  const double *const values[] = {NULL, train->price, train->y, train->who};
  const char *const *const texts[] = {train->shop, NULL, NULL, NULL};
  const tacit_study_table table = {schema, ROWS, 4, NAMES, values, texts};
  const tacit_scale *scale = &schema->targets[0].scale;
  tacit_fit *fit;
  tacit_error error = {""};
  double sum = 0;
  if (tacit_study_fit(&table, tau, mu, &seed, &fit, &error)) fail_msg("%s", error.text);
  const tacit_rule rule = tacit_study_rule(&table, fit);
  for (size_t i = 0; i < FRESH; i++) {
    double x[COLUMNS] = {1};
    if (test->at[i].shop) x[test->at[i].shop] = 1;
    x[COLUMNS - 1] = 2 * test->at[i].price - 1;
    double order = fmin(fmax(tacit_rule_order(&rule, x), -1), 1);
    sum += tacit_check_loss(tau, test->y[i] - tacit_scale_decode(scale, order));
  }
  tacit_fit_free(fit);
  return sum / FRESH;
}

static double measured(const tacit_schema *schema, law demand, double tau, double mu) {
  data *d = tacit_alloc(2, sizeof *d);
  double noisy = 0, quiet = 0, little = 0;
  draw(demand, FRESH, 0, &d[1]);
  for (uint32_t r = 1; r <= TABLES; r++) {
    draw(demand, ROWS, r, &d[0]);
    noisy += learned_cost(schema, &d[0], &d[1], tau, mu, r);
    quiet += learned_cost(schema, &d[0], &d[1], tau, 1e4, r);
    little += learned_cost(schema, &d[0], &d[1], tau, 20, r);
  }
  free(d);
  return fmax(100 * (noisy / fmin(quiet, little) - 1), 0);
}

static tacit_schema *shops_with(const char *facts) {
  char text[sizeof SHOP_SCHEMA + 256];
  snprintf(text, sizeof text, SHOP_SCHEMA, facts);
  return parse(text);
}

static tacit_plan_result *plan_of(const tacit_schema *schema, double tau) {
  const tacit_goal goal = {tau, 0, 0};
  tacit_plan_options options;
  tacit_plan_result *result;
  tacit_error error = {""};
  tacit_plan_options_init(&options);
  options.rows = ROWS;
  options.goals = &goal;
  options.goal_count = 1;
  options.repetitions = 6;
  if (tacit_plan(schema, &options, NULL, &result, &error)) fail_msg("%s", error.text);
  return result;
}

/* Seeds are fixed: the figures are the same everywhere. */
static void ranges_hold_what_privacy_costs_under_other_laws(void **state) {
  (void)state;
  static const law LAWS[] = {gamma_by_shop, flat_by_shop, dozens};
  static const double TAUS[] = {0.5, 0.9};
  tacit_schema *schema = shops_with("");
  size_t held = 0;
  for (size_t t = 0; t < 2; t++) {
    tacit_plan_result *result = plan_of(schema, TAUS[t]);
    for (size_t m = 0; m < 5; m++) /* mu = 0.1, 0.25, 0.5, 1, 2 */
      for (size_t l = 0; l < 3; l++) {
        const tacit_plan_row *said = &result->by_mu[m];
        double price = measured(schema, LAWS[l], TAUS[t], said->mu);
        held += said->low <= price && price <= said->high;
        print_message("tau %g, mu %g, law %zu: %.2f in %.2f ... %.2f\n", TAUS[t], said->mu, l, price,
                      said->low, said->high);
      }
    tacit_plan_free(result);
  }
  assert_true(held >= 24); /* of 30 */
  tacit_schema_free(schema);
}

/* With few rows beyond the quantile the learner without noise follows single ones: more are simulated there.
   Next to no noise is no bargain either: no price is below 0, and no range. */
static void outer_quantiles_have_more_rows_and_no_price_is_below_nothing(void **state) {
  (void)state;
  static const double TAUS[] = {0.5, 0.9, 0.02, 0.98}, SIMULATED[] = {5000, 5000, 12000, 12000};
  tacit_schema *schema = shops_with("");
  for (size_t t = 0; t < 4; t++)
    for (double mu = 1; mu < 2000; mu *= 1000) {
      const tacit_goal goal = {TAUS[t], 0, 0};
      tacit_plan_options options;
      tacit_plan_row said;
      tacit_plan_options_init(&options);
      options.rows = 12000;
      options.mu = mu;
      options.goals = &goal;
      options.goal_count = 1;
      options.repetitions = 2;
      assert_int_equal(tacit_plan_glance(schema, &options, NULL, &said, NULL), TACIT_OK);
      assert_true((double)said.simulated == SIMULATED[t]);
      assert_true(said.low >= 0 && said.middle >= 0 && said.high >= said.low + 3 - 1e-9);
      assert_true(said.high <= fmax(5 * said.low, said.low + 3) + 1e-9);
      for (size_t k = 0; k < TACIT_PLAN_CASES; k++) assert_true(said.percent[k] >= 0);
    }
  tacit_schema_free(schema);
}

/* The same for units of other kinds, at mu = 0.5 and 1. Nobody has to have events in order to plan for them:
   their totals are planned for, as they are learned from. */
static void ranges_hold_for_every_unit(void **state) {
  (void)state;
  static const law LAWS[] = {gamma_by_shop, flat_by_shop, dozens};
  static const double TAUS[] = {0.5, 0.9};
  size_t held[4] = {0};
  for (size_t u = 0; u < 3; u++) {
    tacit_schema *schema = shops_with(UNIT_KINDS[u]), *events = u == 2 ? shops_with(UNIT_KINDS[3]) : NULL;
    for (size_t t = 0; t < 2; t++) {
      tacit_plan_result *result = plan_of(schema, TAUS[t]), *same = events ? plan_of(events, TAUS[t]) : NULL;
      for (size_t m = 2; m < 4; m++)
        for (size_t l = 0; l < 3; l++) {
          const tacit_plan_row *said = &result->by_mu[m];
          double price = measured(schema, LAWS[l], TAUS[t], said->mu);
          held[u] += said->low <= price && price <= said->high;
          if (same) assert_true(same->by_mu[m].low == said->low && same->by_mu[m].high == said->high);
          print_message("unit %zu, tau %g, mu %g: %.2f in %.2f ... %.2f\n", u, TAUS[t], said->mu, price,
                        said->low, said->high);
        }
      tacit_plan_free(same);
      tacit_plan_free(result);
    }
    tacit_schema_free(events);
    tacit_schema_free(schema);
  }
  print_message("held %zu, %zu, %zu of 12\n", held[0], held[1], held[2]);
  assert_true(held[0] + held[1] + held[2] >= 29); /* of 36 */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_hold_what_privacy_costs_under_other_laws),
      cmocka_unit_test(outer_quantiles_have_more_rows_and_no_price_is_below_nothing),
      cmocka_unit_test(ranges_hold_for_every_unit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
