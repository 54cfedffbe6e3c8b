/* The simulated shops: rows as a person would look at them first, and what the schema that goes with them is
   worth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/learn.h>
#include <tacit/study.h>

#include <cmocka.h>

#include "study/simulated_for_test.h"

enum { ROWS = 12 * 731, SHOPS = 4, PRODUCTS = 3 };
static const char *const SHOP[SHOPS] = {"Harbour", "Market", "Station", "University"};
static const char *const PRODUCT[PRODUCTS] = {"bread", "cake", "croissant"};

typedef struct row {
  char date[11], shop[16], product[16], promotion[8], rest[32];
  double temperature;
  bool measured;
  int demand;
} row;

static text rows_of(row *rows) {
  text t = simulated("shops", 0, 1);
  size_t count = 0;
  assert_int_equal(strncmp(t.bytes, "date,shop,product,promotion,temperature,demand\n", 47), 0);
  for (const char *line = strchr(t.bytes, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
    row *r = &rows[count++];
    assert_int_equal(sscanf(line, "%10[^,],%15[^,],%15[^,],%7[^,],%31[^\n]", r->date, r->shop, r->product,
                            r->promotion, r->rest),
                     5);
    r->measured = r->rest[0] != ',';
    r->temperature = r->measured ? strtod(r->rest, NULL) : 0;
    r->demand = atoi(strchr(r->rest, ',') + 1);
  }
  assert_int_equal(count, ROWS);
  return t;
}

/* Every product of every shop on every day, in an order that a person would expect. */
static void the_rows_are_in_order(void **state) {
  (void)state;
  static row rows[ROWS];
  text t = rows_of(rows);
  size_t promotions = 0, empty = 0;
  for (size_t i = 0; i < ROWS; i++) {
    assert_string_equal(rows[i].shop, SHOP[i / PRODUCTS % SHOPS]);
    assert_string_equal(rows[i].product, PRODUCT[i % PRODUCTS]);
    assert_true(rows[i].demand >= 0 && rows[i].demand < 300);
    assert_true(rows[i].temperature >= -15 && rows[i].temperature <= 40);
    assert_true(!strcmp(rows[i].promotion, "true") || !strcmp(rows[i].promotion, "false"));
    if (i % 12) assert_string_equal(rows[i].date, rows[i - 1].date);
    promotions += !strcmp(rows[i].promotion, "true");
    empty += !rows[i].measured;
  }
  assert_string_equal(rows[0].date, "2023-01-01");
  assert_string_equal(rows[12 * 365].date, "2024-01-01");
  assert_string_equal(rows[ROWS - 1].date, "2024-12-31");
  assert_true(promotions > ROWS / 12 && promotions < ROWS / 6);
  assert_true(empty > 0 && empty < ROWS / 30);
  free(t.bytes);
}

/* Mean demand for bread of a shop on weekdays from `first` to `last` (0 is Sunday, the first day). */
static double bread(const row *rows, size_t shop, size_t first, size_t last) {
  double sum = 0, count = 0;
  for (size_t day = 0; day < ROWS / 12; day++) {
    if (day % 7 < first || day % 7 > last) continue;
    sum += rows[12 * day + PRODUCTS * shop].demand;
    count++;
  }
  return sum / count;
}

/* Each shop has a week of its own: at weekends people are by the harbour, else at the station. */
static void shops_have_weeks_of_their_own(void **state) {
  (void)state;
  static row rows[ROWS];
  text t = rows_of(rows);
  assert_true(bread(rows, 0, 0, 0) > 1.6 * bread(rows, 0, 1, 4));
  assert_true(bread(rows, 1, 6, 6) > 2.5 * bread(rows, 1, 0, 0));
  assert_true(bread(rows, 2, 1, 5) > 2.5 * bread(rows, 2, 0, 0));
  assert_true(bread(rows, 3, 1, 4) > 3.5 * bread(rows, 3, 0, 0));
  free(t.bytes);
}

static double cost_of(const char *schema_text, const text *t) {
  tacit_schema *schema = NULL;
  tacit_source *source = NULL;
  tacit_fit *fit = NULL;
  tacit_policy *policy = NULL;
  tacit_evaluated *result = NULL;
  double tau = 0.75;
  tacit_goal goal = {.quantile = tau, .underage = 3, .overage = 1};
  tacit_evaluate_options evaluate = {0};
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.quantiles = &tau;
  options.quantile_count = 1;
  options.mu = 0.5;
  options.seeded = true;
  assert_int_equal(tacit_schema_parse(schema_text, strlen(schema_text), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_source_csv_text(t->bytes, t->length, &source, NULL), TACIT_OK);
  assert_int_equal(tacit_learn(schema, source, &options, NULL, &fit, NULL), TACIT_OK);
  assert_int_equal(tacit_fit_count(fit).rows, ROWS);
  assert_int_equal(tacit_policy_from_fit(schema, NULL, fit, &goal, &policy, NULL), TACIT_OK);
  tacit_source_free(source);
  assert_int_equal(tacit_source_csv_text(t->bytes, t->length, &source, NULL), TACIT_OK);
  assert_int_equal(tacit_evaluate(policy, source, &evaluate, NULL, &result, NULL), TACIT_OK);
  double cost = result->all[0].mean_cost;
  assert_true(cost < 0.6 * result->all[0].cost_without_features);
  tacit_evaluated_free(result);
  tacit_policy_free(policy);
  tacit_fit_free(fit);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return cost;
}

/* The schema without one of its words. */
static char *without(const char *word) {
  const char *whole = tacit_simulator_schema("shops"), *at = strstr(whole, word);
  char *rest = malloc(strlen(whole) + 1);
  assert_true(rest && at);
  size_t before = (size_t)(at - whole);
  memcpy(rest, whole, before);
  strcpy(rest + before, at + strlen(word));
  return rest;
}

/* Logarithms and the interaction each take more than a tenth off what a private rule costs. */
static void the_schema_says_what_is_worth_knowing(void **state) {
  (void)state;
  static row rows[ROWS];
  text t = rows_of(rows);
  char *linear = without(", \"transform\": \"log\"");
  char *alike = without(",\n    {\"interaction\": [\"shop\", \"weekday\"]}");
  double cost = cost_of(tacit_simulator_schema("shops"), &t);
  assert_true(cost < 0.9 * cost_of(linear, &t));
  assert_true(cost < 0.9 * cost_of(alike, &t));
  free(linear);
  free(alike);
  free(t.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rows_are_in_order),
      cmocka_unit_test(shops_have_weeks_of_their_own),
      cmocka_unit_test(the_schema_says_what_is_worth_knowing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
