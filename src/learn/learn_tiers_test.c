/* Learners under costs in tiers: the exact one finds what costs least, the private ones come near the order
   that follows from the law of demand, and their policies verify, with the schema's costs and no others. */
#include "schema/tiers.h"

#include "learn/task.h"
#include "policy/policy.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/solvers.h>

#include <cmocka.h>

enum { N = 20000, P = 3 };
static double column[P][N]; /* two features and demand */
static const char *const NAMES[P] = {"z1", "z2", "y"};
#define FEATURES                                                                                             \
  "\"features\": [{\"name\": \"z1\", \"center\": 0, \"scale\": 1}, {\"name\": \"z2\", \"center\": 0, "       \
  "\"scale\": 1}]"
#define TARGET(more) "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 200" more "}, " FEATURES "}"
static const char CONTRACT[] =
    TARGET(", \"cost\": {\"shortage\": [{\"below\": 15, \"rate\": 10}, {\"rate\": 60}], \"leftover\": "
           "[{\"below\": 30, \"rate\": 15}, {\"rate\": 20}]}");
static const double TAU = 0.75;
/* Where -60 P(D > q + 15) - 10 P(q < D <= q + 15) + 15 P(q - 30 <= D <= q) + 20 P(D < q - 30) is 0 for D ~
   N(100, 20^2): by bisection in another program. The quantile without tiers is 113.49. */
static const double BEST = 107.2234936;

static int set_up(void **state) {
  (void)state;
  tacit_noise_source source;
  tacit_stream stream;
  tacit_noise_source_seeded(&source, 23);
  if (tacit_stream_begin(&source, &stream, NULL) != TACIT_OK) return -1;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < 2; j++) column[j][i] = tacit_normal(&stream);
    column[2][i] = 100 + 10 * column[0][i] - 5 * column[1][i] + 20 * tacit_normal(&stream);
  }
  return tacit_load_solvers(NULL) == TACIT_OK ? 0 : -1;
}

static tacit_schema *schema_of(const char *text) {
  tacit_schema *schema;
  tacit_error error = {""};
  if (tacit_schema_parse(text, strlen(text), &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

static tacit_status learn(const tacit_schema *schema, tacit_learn_options options, size_t rows,
                          tacit_fit **fit, tacit_error *error) {
  const double *columns[P] = {column[0], column[1], column[2]};
  options.quantiles = &TAU;
  options.quantile_count = 1;
  options.seed = 4;
  tacit_source *source;
  assert_int_equal(tacit_source_columns(rows, P, NAMES, columns, NULL, &source, NULL), TACIT_OK);
  tacit_status status = tacit_learn(schema, source, &options, NULL, fit, error);
  tacit_source_free(source);
  return status;
}

static tacit_learn_options by(const char *method, double mu, bool seeded) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = method;
  options.mu = mu;
  options.seeded = seeded;
  if (!strcmp(method, "gradient")) options.gradient.steps = 400;
  return options;
}

static double training_cost(const tacit_tiers *tiers, const double *b, size_t rows) {
  double sum = 0;
  for (size_t i = 0; i < rows; i++)
    sum += tacit_tiers_cost(tiers,
                            column[2][i] - 100 - 100 * (b[0] + b[1] * column[0][i] + b[2] * column[1][i]));
  return sum;
}

/* The cost is convex: where no small step in any of many directions lowers it, nothing costs less. */
static void the_exact_rule_costs_least(void **state) {
  (void)state;
  enum { ROWS = 400 };
  tacit_schema *schema = schema_of(CONTRACT);
  const tacit_tiers *tiers = schema->targets[0].tiers;
  tacit_fit *fit = NULL;
  assert_int_equal(learn(schema, by("erm-exact", 0, false), ROWS, &fit, NULL), TACIT_OK);
  double least = training_cost(tiers, fit->coefficients, ROWS);
  for (int k = 0; k < 720; k++) {
    double b[P], angle = k * 0.5236, lift = 1 - k / 360.0, side = sqrt(1 - lift * lift);
    const double way[P] = {lift, side * cos(angle), side * sin(angle)};
    for (int j = 0; j < P; j++) b[j] = fit->coefficients[j] + 1e-3 * way[j];
    assert_true(training_cost(tiers, b, ROWS) >= least * (1 - 1e-6)); /* weights are rounded to 2^-16 */
  }
  tacit_fit_free(fit);
  /* without features the same along one line */
  assert_int_equal(learn(schema, by("saa", 0, false), ROWS, &fit, NULL), TACIT_OK);
  least = training_cost(tiers, fit->coefficients, ROWS);
  for (int k = -500; k <= 500; k++) {
    const double b[P] = {fit->coefficients[0] + k * 1e-3, 0, 0};
    assert_true(training_cost(tiers, b, ROWS) >= least * (1 - 1e-6));
  }
  tacit_fit_free(fit);
  tacit_schema_free(schema);
}

/* The intercept's error without privacy is 20 sqrt(tau (1 - tau)) / (0.32 sqrt N), about 0.2; noise at mu = 4
   adds less. Bisection and saa have no features: demand's spread is then sqrt(525), and the order another. */
static void learners_come_near_the_best_order(void **state) {
  (void)state;
  static const char *const METHODS[] = {"erm-exact", "default", "median-newton", "noisy-gd", "gradient"};
  tacit_schema *schema = schema_of(CONTRACT);
  for (size_t m = 0; m < sizeof METHODS / sizeof *METHODS; m++) {
    tacit_fit *fit = NULL;
    tacit_error error = {""};
    if (learn(schema, by(METHODS[m], m ? 4 : 0, m > 0), N, &fit, &error) != TACIT_OK)
      fail_msg("%s", error.text);
    double order = 100 + 100 * fit->coefficients[0];
    if (!(fabs(order - BEST) < 1)) fail_msg("%s orders %g", METHODS[m], order);
    assert_true(fabs(100 * fit->coefficients[1] - 10) < 0.8 && fabs(100 * fit->coefficients[2] + 5) < 0.8);
    tacit_fit_free(fit);
  }
  tacit_schema_free(schema);
}

static void policies_verify_with_the_schema_s_costs_alone(void **state) {
  (void)state;
  static const char *const METHODS[] = {"default",  "median-newton", "noisy-gd",
                                        "gradient", "bisection",     "follow"};
  tacit_schema *schema = schema_of(CONTRACT);
  const tacit_goal told = {.quantile = TAU}, dear = {TAU, 60, 20}, wrong = {TAU, 3, 1},
                   far = {.quantile = 0.8};
  for (size_t m = 0; m < sizeof METHODS / sizeof *METHODS; m++) {
    tacit_fit *fit = NULL;
    tacit_policy *policy = NULL, *again = NULL;
    tacit_verdict verdict;
    assert_int_equal(learn(schema, by(METHODS[m], 1, false), 300, &fit, NULL), TACIT_OK);
    assert_int_equal(tacit_policy_from_fit(schema, NULL, fit, &wrong, &policy, NULL), TACIT_BAD_INPUT);
    assert_int_equal(tacit_policy_from_fit(schema, NULL, fit, &far, &policy, NULL), TACIT_BAD_INPUT);
    assert_int_equal(tacit_policy_from_fit(schema, NULL, fit, m % 2 ? &told : &dear, &policy, NULL),
                     TACIT_OK);
    assert_true(tacit_policy_goal(policy, 0).underage == 60 && tacit_policy_goal(policy, 0).overage == 20);
    char *text = tacit_policy_text(policy);
    assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_OK);
    tacit_policy_verify(again, &verdict);
    assert_true(verdict.holds);
    tacit_policy_free(again);
    /* the same list of releases under a method that knows no tiers, or with other costs */
    char *at = strstr(text, "\"underage\": 60");
    assert_non_null(at);
    at[strlen("\"underage\": ")] = '8';
    assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_BAD_INPUT);
    free(text);
    tacit_policy_free(policy);
    tacit_fit_free(fit);
  }
  tacit_schema_free(schema);
}

/* A list of releases that paid for intervals of a plain problem is none of costs in tiers. */
static void intervals_do_not_verify_with_tiers(void **state) {
  (void)state;
  static const tacit_goal dear = {0.75, 60, 20};
  tacit_schema *plain = schema_of(TARGET("")), *contract = schema_of(CONTRACT);
  const tacit_schema *const schemas[] = {plain, contract};
  tacit_learn_options options = by("default", 1, false);
  options.location_scale.intervals = true;
  tacit_fit *fit = NULL;
  assert_int_equal(learn(plain, options, N, &fit, NULL), TACIT_OK);
  for (size_t k = 0; k < 2; k++) {
    tacit_policy *policy = NULL;
    tacit_verdict verdict;
    assert_int_equal(tacit_policy_from_fit(schemas[k], NULL, fit, &dear, &policy, NULL), TACIT_OK);
    tacit_policy_verify(policy, &verdict);
    assert_true(verdict.holds == !k);
    tacit_policy_free(policy);
  }
  tacit_fit_free(fit);
  tacit_schema_free(plain);
  tacit_schema_free(contract);
}

static void what_knows_no_tiers_refuses(void **state) {
  (void)state;
  static const char *const METHODS[] = {"erm", "erm-spread", "objective", "sgd"};
  tacit_schema *schema = schema_of(CONTRACT);
  tacit_fit *fit = NULL;
  for (size_t m = 0; m < sizeof METHODS / sizeof *METHODS; m++) {
    tacit_error error = {""};
    assert_int_equal(learn(schema, by(METHODS[m], m < 2 ? 0 : 1, false), 300, &fit, &error), TACIT_REFUSED);
    assert_non_null(strstr(error.text, "tiers"));
  }
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_exact_rule_costs_least), cmocka_unit_test(learners_come_near_the_best_order),
      cmocka_unit_test(policies_verify_with_the_schema_s_costs_alone),
      cmocka_unit_test(intervals_do_not_verify_with_tiers), cmocka_unit_test(what_knows_no_tiers_refuses)};
  return cmocka_run_group_tests(tests, set_up, NULL);
}
