/* A policy with a spread: the same bytes there and back, orders that a reader computes from the file alone,
   and files that do not hang together are refused. */
#include "policy/policy_for_test.h"

#include "method/fit.h"
#include "policy/rebuilt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FEATURES                                                                                             \
  "\"features\": [{\"name\": \"t\", \"min\": -15, \"max\": 40}, {\"name\": \"z\", \"center\": 3, "           \
  "\"scale\": 0.5}, {\"name\": \"day\", \"levels\": [\"MON\", \"TUE\", \"SUN\"]}]"
static const char PLAIN[] = "{\"target\": {\"name\": \"y\", \"min\": 10, \"max\": 110}, " FEATURES "}";
static const char GUESSED[] = "{\"target\": {\"name\": \"y\", \"center\": 50, \"scale\": 5}, " FEATURES "}";
static const char LOGARITHM[] = "{\"target\": {\"name\": \"y\", \"min\": 10, \"max\": 900, \"transform\": "
                                "\"log\", \"log_unit\": 20}, " FEATURES "}";
static const char BOTH[] =
    "{\"target\": [{\"name\": \"y\", \"min\": 10, \"max\": 110}, {\"name\": \"w\", "
    "\"min\": 10, \"max\": 900, \"transform\": \"log\", \"log_unit\": 20}], " FEATURES "}";
static const char *const SCHEMAS[] = {PLAIN, GUESSED, LOGARITHM, BOTH};
enum { P = 5, SCHEMAS_COUNT = sizeof SCHEMAS / sizeof *SCHEMAS };

static tacit_schema *parse(const char *text) {
  tacit_schema *schema;
  assert_int_equal(tacit_schema_parse(text, strlen(text), &schema, NULL), TACIT_OK);
  return schema;
}

/* As a learner leaves it. */
static tacit_fit *make_fit(size_t targets, double k) {
  static const double b[] = {0.1, -0.3, 0.02, 0.2, -1.0 / 3}, g[] = {-1.2, 0.6, 0.1, -0.3, 0.7};
  tacit_fit *fit = calloc(1, sizeof *fit);
  fit->columns = P;
  fit->targets = targets;
  fit->coefficients = calloc(targets * P, sizeof(double));
  assert_int_equal(tacit_fit_want_spread(fit, NULL), TACIT_OK);
  for (size_t t = 0; t < targets; t++) {
    double *spread = fit->spread + t * (P + 1);
    for (size_t j = 0; j <= P; j++) assert_true(spread[j] == 0);
    memcpy(fit->coefficients + t * P, b, sizeof b);
    memcpy(spread, g, sizeof g);
    spread[P] = k + (double)t;
  }
  fit->certificate = noisy_gd_certificate(P, 0.5);
  return fit;
}

static tacit_policy *make(const char *text, double k) {
  tacit_schema *schema = parse(text);
  tacit_policy *policy;
  tacit_fit *fit = make_fit(tacit_schema_targets(schema), k);
  const tacit_goal goals[] = {{0.6, 3, 2}, {.quantile = 0.7}};
  assert_int_equal(tacit_policy_from_fit(schema, NULL, fit, goals, &policy, NULL), TACIT_OK);
  tacit_fit_free(fit);
  tacit_schema_free(schema);
  return policy;
}

static void text_and_back_are_the_same_bytes(void **state) {
  (void)state;
  for (size_t i = 0; i < SCHEMAS_COUNT; i++) {
    tacit_policy *policy = make(SCHEMAS[i], 0.7), *again;
    char *text = tacit_policy_text(policy);
    assert_non_null(strstr(text, "\"rule\": \"linear-with-spread\""));
    assert_non_null(strstr(text, "What the coefficients and the spread in this file tell about"));
    assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_OK);
    assert_true(tacit_policy_has_spread(again));
    char *copy = tacit_policy_text(again);
    assert_string_equal(text, copy);
    size_t numbers = policy->schema->target_count * (P + 1);
    assert_memory_equal(policy->encoded_spread, again->encoded_spread, numbers * sizeof(double));
    free(text);
    free(copy);
    tacit_policy_free(policy);
    tacit_policy_free(again);
  }
}

/* For t = 12, z = 3.4 and this day (0 is the base), from the file's own numbers as docs/formats/policy.md
 *says; spread is held to its bounds or not. */
static double by_hand(json_t *file, const char *name, size_t day, double width, double *free_spread) {
  static const char *const days[] = {NULL, "day=TUE", "day=SUN"};
  json_t *c = json_object_get(file, "coefficients"), *s = json_object_get(file, "spread");
  if (name) c = json_object_get(c, name), s = json_object_get(s, name);
  json_t *map[] = {c, json_object_get(s, "logarithm")};
  double dot[2];
  for (size_t k = 0; k < 2; k++) {
    dot[k] = json_real_value(json_object_get(map[k], "(intercept)")) +
             12 * json_real_value(json_object_get(map[k], "t")) +
             3.4 * json_real_value(json_object_get(map[k], "z"));
    if (days[day]) dot[k] += json_real_value(json_object_get(map[k], days[day]));
  }
  *free_spread = exp(dot[1]);
  double spread = fmax(width / 4096, fmin(width, *free_spread));
  return dot[0] + json_real_value(json_object_get(s, "spreads")) * spread;
}

static void check_order(const tacit_policy *policy, size_t target, const char *name, double width,
                        double unit) {
  char *text = tacit_policy_text(policy);
  json_t *file = json_loads(text, 0, NULL);
  for (size_t day = 0; day < 3; day++) {
    const double x[P] = {1, (12 - 12.5) / 27.5, 0.8, day == 1, day == 2};
    double free_spread, v = by_hand(file, name, day, width, &free_spread),
                        order = unit > 0 ? unit * expm1(v) : v;
    assert_true(free_spread > width / 4096 && free_spread < width); /* these numbers show the unit */
    assert_true(fabs(tacit_policy_decide(policy, target, x) - order) < 1e-10 * fabs(order));
  }
  json_decref(file);
  free(text);
}

static void orders_follow_from_the_file_alone(void **state) {
  (void)state;
  double log_width = log1p(900 / 20.0) - log1p(10 / 20.0);
  tacit_policy *plain = make(PLAIN, 0.7), *guessed = make(GUESSED, -0.4), *logarithm = make(LOGARITHM, 0.2),
               *both = make(BOTH, -0.9);
  check_order(plain, 0, NULL, 100, 0);
  check_order(guessed, 0, NULL, 80, 0);
  check_order(logarithm, 0, NULL, log_width, 20);
  check_order(both, 0, "y", 100, 0);
  check_order(both, 1, "w", log_width, 20);
  tacit_policy_free(plain);
  tacit_policy_free(guessed);
  tacit_policy_free(logarithm);
  tacit_policy_free(both);
}

/* Before it is a policy a fit orders the same, in encoded units. */
static void a_fit_and_its_policy_order_the_same(void **state) {
  (void)state;
  tacit_policy *policy = make(BOTH, 0.3);
  tacit_fit *fit = make_fit(2, 0.3);
  const double x[P] = {1, -0.4, 0.8, 0, 1};
  for (size_t t = 0; t < 2; t++) {
    const tacit_scale *scale = &policy->schema->targets[t].scale;
    const tacit_rule rule = tacit_fit_rule(fit, t, tacit_scale_reach(scale));
    double order = tacit_scale_decode(scale, tacit_rule_order(&rule, x));
    assert_true(fabs(order / tacit_policy_decide(policy, t, x) - 1) < 1e-12);
  }
  tacit_fit_free(fit);
  tacit_policy_free(policy);
}

/* A spread far out is the target's whole range, or its 4096th part; and an order stays within the target's
   bounds. */
static void the_bounds_hold_in_the_users_units(void **state) {
  (void)state;
  static const double grows[] = {50, -50};
  for (size_t i = 0; i < 2; i++) {
    tacit_schema *schema = parse(GUESSED);
    tacit_fit *fit = make_fit(1, 0.5);
    tacit_policy *policy;
    const tacit_goal goal = {.quantile = 0.6};
    const double x[P] = {1, 0, 0, 0, 0};
    fit->coefficients[0] = 0;
    fit->spread[0] = grows[i];
    assert_int_equal(tacit_policy_from_fit(schema, NULL, fit, &goal, &policy, NULL), TACIT_OK);
    double order = tacit_policy_decide(policy, 0, x), width = 16 * 5;
    assert_true(fabs(order - (50 + 0.5 * (i ? width / 4096 : width))) < 1e-9);
    tacit_policy_free(policy);
    fit->spread[P] = 1e9;
    assert_int_equal(tacit_policy_from_fit(schema, NULL, fit, &goal, &policy, NULL), TACIT_OK);
    assert_true(tacit_policy_decide(policy, 0, x) == 50 + 64 * 5);
    tacit_policy_free(policy);
    fit->spread[1] = NAN;
    assert_int_equal(tacit_policy_from_fit(schema, NULL, fit, &goal, &policy, NULL), TACIT_INTERNAL);
    assert_null(policy);
    tacit_fit_free(fit);
    tacit_schema_free(schema);
  }
}

static tacit_status read(const json_t *file) {
  char *text = json_dumps(file, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
  tacit_policy *policy;
  tacit_error error = {""};
  tacit_status status = tacit_policy_parse(text, strlen(text), &policy, &error);
  assert_true((status == TACIT_OK) == (policy != NULL) && (policy || error.text[0]));
  tacit_policy_free(policy);
  free(text);
  return status;
}

static json_t *file_of(const char *schema) {
  tacit_policy *policy = make(schema, 0.7);
  char *text = tacit_policy_text(policy);
  json_t *file = json_loads(text, 0, NULL);
  free(text);
  tacit_policy_free(policy);
  return file;
}

/* The key's value in the object replaced, or taken out. */
static void refuse(json_t *file, json_t *object, const char *key, json_t *value) {
  json_t *kept = json_incref(json_object_get(object, key));
  if (value)
    json_object_set_new(object, key, value);
  else
    json_object_del(object, key);
  assert_int_equal(read(file), TACIT_BAD_INPUT);
  if (kept)
    json_object_set_new(object, key, kept);
  else
    json_object_del(object, key);
  assert_int_equal(read(file), TACIT_OK);
}

static void what_does_not_hang_together_is_refused(void **state) {
  (void)state;
  static const char *const others[] = {"null", "true", "\"1\"", "[]", "{}", "1e201", "-1e308", "[0.5]"};
  for (size_t i = 0; i < SCHEMAS_COUNT; i++) {
    json_t *file = file_of(SCHEMAS[i]), *spread = json_object_get(file, "spread");
    refuse(file, file, "rule", json_string("linear"));
    refuse(file, file, "rule", json_string("location-scal"));
    refuse(file, file, "version", json_integer(1)); /* had no rules */
    refuse(file, file, "spread", NULL);
    if (SCHEMAS[i] == BOTH) {
      refuse(file, spread, "w", NULL);
      refuse(file, spread, "v", json_deep_copy(json_object_get(spread, "w")));
      spread = json_object_get(spread, "w");
    }
    json_t *logarithm = json_object_get(spread, "logarithm");
    refuse(file, spread, "more", json_real(1));
    refuse(file, logarithm, "more", json_real(1));
    refuse(file, logarithm, "day=SUN", NULL);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
      refuse(file, file, "spread", json_loads(others[k], JSON_DECODE_ANY, NULL));
      refuse(file, spread, "logarithm", json_loads(others[k], JSON_DECODE_ANY, NULL));
      refuse(file, spread, "spreads", json_loads(others[k], JSON_DECODE_ANY, NULL));
      refuse(file, logarithm, "(intercept)", json_loads(others[k], JSON_DECODE_ANY, NULL));
    }
    json_decref(file);
  }
}

static void a_linear_policy_has_no_spread(void **state) {
  (void)state;
  tacit_schema *schema = parse(PLAIN);
  tacit_fit *fit = make_fit(1, 0.7);
  tacit_policy *policy;
  const tacit_goal goal = {0.6, 3, 2};
  free(fit->spread);
  fit->spread = NULL;
  assert_int_equal(tacit_policy_from_fit(schema, NULL, fit, &goal, &policy, NULL), TACIT_OK);
  assert_true(!tacit_policy_has_spread(policy) && tacit_policy_log_spread(policy, 0, 1) == 0 &&
              tacit_policy_spreads(policy, 0) == 0);
  char *text = tacit_policy_text(policy);
  assert_null(strstr(text, "spread"));
  json_t *file = json_loads(text, 0, NULL), *other = file_of(PLAIN);
  refuse(file, file, "rule", json_string("linear-with-spread"));
  refuse(file, file, "spread", json_incref(json_object_get(other, "spread")));
  refuse(file, file, "spread", json_null());
  json_decref(file);
  json_decref(other);
  free(text);
  tacit_policy_free(policy);
  tacit_fit_free(fit);
  tacit_schema_free(schema);
}

static bool verifies(const tacit_policy *policy) {
  tacit_verdict verdict;
  tacit_policy_verify(policy, &verdict);
  return verdict.holds;
}

static bool buys_none(const tacit_choice *choice) {
  (void)choice;
  return false;
}

/* A method that says so may have it; slopes that nothing paid for are none here either. */
static void only_some_methods_have_one(void **state) {
  (void)state;
  tacit_policy *policy = make(PLAIN, 0.7);
  tacit_rebuilt rebuilt;
  assert_false(verifies(policy));
  tacit_rebuild(policy, &rebuilt);
  assert_true(rebuilt.inputs && rebuilt.listed && !rebuilt.method->spread);
  assert_false(tacit_rebuilt_coefficients(&rebuilt, policy));
  tacit_method other = *rebuilt.method;
  other.spread = true;
  rebuilt.method = &other;
  assert_true(tacit_rebuilt_coefficients(&rebuilt, policy));
  other.slopes = buys_none;
  assert_false(tacit_rebuilt_coefficients(&rebuilt, policy));
  for (size_t j = 1; j < P; j++) policy->raw[j] = 0;
  assert_false(tacit_rebuilt_coefficients(&rebuilt, policy));
  for (size_t j = 1; j < P; j++) policy->raw_spread[j] = 0;
  assert_true(tacit_rebuilt_coefficients(&rebuilt, policy));
  tacit_rebuilt_free(&rebuilt);
  free(policy->raw_spread);
  free(policy->encoded_spread);
  policy->raw_spread = policy->encoded_spread = NULL;
  assert_true(verifies(policy)); /* nothing else was wrong with it */
  tacit_policy_free(policy);
}

static void decisions_over_a_region_have_none(void **state) {
  (void)state;
  static const char ball[] = "{\"kind\": \"ball\", \"dimension\": 1, \"radius\": 1}";
  tacit_schema *schema = parse(PLAIN);
  tacit_fit *fit = make_fit(1, 0.7);
  tacit_region *region;
  tacit_policy *policy;
  assert_int_equal(tacit_region_parse(ball, strlen(ball), &region, NULL), TACIT_OK);
  assert_int_equal(tacit_policy_from_fit(schema, region, fit, NULL, &policy, NULL), TACIT_USAGE);
  assert_null(policy);
  free(fit->spread);
  fit->spread = NULL;
  assert_int_equal(tacit_policy_from_fit(schema, region, fit, NULL, &policy, NULL), TACIT_OK);
  char *text = tacit_policy_text(policy);
  json_t *file = json_loads(text, 0, NULL), *other = file_of(PLAIN);
  json_object_set(file, "spread", json_object_get(other, "spread"));
  json_object_set_new(file, "rule", json_string("linear-with-spread"));
  assert_int_equal(read(file), TACIT_BAD_INPUT);
  json_decref(file);
  json_decref(other);
  free(text);
  tacit_policy_free(policy);
  tacit_region_free(region);
  tacit_fit_free(fit);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_and_back_are_the_same_bytes),
      cmocka_unit_test(orders_follow_from_the_file_alone),
      cmocka_unit_test(a_fit_and_its_policy_order_the_same),
      cmocka_unit_test(the_bounds_hold_in_the_users_units),
      cmocka_unit_test(what_does_not_hang_together_is_refused),
      cmocka_unit_test(a_linear_policy_has_no_spread),
      cmocka_unit_test(only_some_methods_have_one),
      cmocka_unit_test(decisions_over_a_region_have_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
