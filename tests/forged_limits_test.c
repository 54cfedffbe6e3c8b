/* Limits that `fit` has hold in `verify` too: a certificate beyond them, consistent in itself, does not
   verify. */
#include "policy/policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/tacit.h>

/* last: it needs the others */
#include <cmocka.h>

enum { ROWS = 60 };

/* A private policy of the default learner at a mu that buys counts alone. */
static tacit_policy *fit_counts(const char *schema_text) {
  static const char *const names[] = {"x", "y"};
  static const double quantile = 0.7;
  double x[ROWS], y[ROWS];
  const double *columns[] = {x, y};
  tacit_schema *schema;
  tacit_source *source;
  tacit_fit *fit;
  tacit_policy *policy;
  tacit_learn_options options;
  tacit_error error = {""};
  const tacit_goal goal = {.quantile = quantile};
  for (size_t i = 0; i < ROWS; i++) x[i] = y[i] = (double)i / ROWS;
  tacit_learn_options_init(&options);
  options.quantiles = &quantile;
  options.quantile_count = 1;
  options.mu = 1e-3;
  assert_int_equal(tacit_schema_parse(schema_text, strlen(schema_text), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_source_columns(ROWS, 2, names, columns, NULL, &source, NULL), TACIT_OK);
  if (tacit_learn(schema, source, &options, NULL, &fit, &error) != TACIT_OK) fail_msg("%s", error.text);
  assert_int_equal(
      tacit_policy_new(schema, tacit_fit_coefficients(fit), tacit_fit_certificate(fit), &goal, &policy, NULL),
      TACIT_OK);
  tacit_fit_free(fit);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return policy;
}

/* The same promise divided by `less`, with as much more noise. */
static bool verifies(tacit_policy *policy, double less) {
  tacit_policy *again;
  tacit_verdict verdict;
  tacit_certificate *c = policy->certificate;
  c->mu /= less;
  for (size_t i = 0; i < c->mechanism_count; i++) c->mechanisms[i].sigma *= less;
  char *text = tacit_policy_text(policy);
  assert_non_null(text);
  assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_OK);
  tacit_policy_verify(again, &verdict);
  tacit_free(text);
  tacit_policy_free(again);
  return verdict.holds;
}

static void a_smaller_promise_than_fit_makes_does_not_verify(void **state) {
  (void)state;
  static const char SCHEMA[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 1}, \"features\": "
                               "[{\"name\": \"x\", \"min\": 0, \"max\": 1}]}";
  tacit_policy *policy = fit_counts(SCHEMA);
  assert_true(verifies(policy, 1));
  assert_true(verifies(policy, 4));     /* 2.5e-4 for a row */
  assert_false(verifies(policy, 1000)); /* far below what fit refuses */
  tacit_policy_free(policy);
}

static void an_infinite_sensitivity_is_no_policy(void **state) {
  (void)state;
  static const char SCHEMA[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 1}, \"features\": "
                               "[{\"name\": \"x\", \"min\": 0, \"max\": 1}]}";
  tacit_policy *policy = fit_counts(SCHEMA), *again = NULL;
  char *text = tacit_policy_text(policy), *at = strstr(text, "\"sensitivity\": ");
  assert_non_null(at);
  size_t before = (size_t)(at - text) + strlen("\"sensitivity\": "), after = before;
  while (text[after] != ',') after++;
  char *forged = malloc(strlen(text) + 16);
  memcpy(forged, text, before);
  strcpy(forged + before, "1e308");
  strcat(forged, text + after);
  assert_int_equal(tacit_policy_parse(forged, strlen(forged), &again, NULL), TACIT_BAD_INPUT);
  free(forged);
  tacit_free(text);
  tacit_policy_free(policy);
}

/* Three megabytes of empty objects, and as many values as no policy has. */
static void values_without_end_are_refused(void **state) {
  (void)state;
  enum { LENGTH = 36 << 20 };
  tacit_policy *policy = NULL;
  char *text = malloc(LENGTH);
  assert_non_null(text);
  for (size_t i = 0; i + 3 <= LENGTH; i += 3) memcpy(text + i, "{},", 3);
  text[0] = '[';
  assert_int_equal(tacit_policy_parse(text, LENGTH, &policy, NULL), TACIT_BAD_INPUT);
  free(text);
}

/* An engine answers the questions of methods that ask some, about records: no other certificate can say so.
 */
static void rows_held_where_no_engine_can_be(void **state) {
  (void)state;
  static const char *const KEPT[] = {"objective", "sgd-batch"};
  for (size_t i = 0; i < 2; i++) {
    char path[400];
    tacit_policy *policy, *again;
    tacit_verdict verdict;
    snprintf(path, sizeof path, TACIT_TEST_FILES "/../kept/private/%s.json", KEPT[i]);
    assert_int_equal(tacit_policy_read(path, &policy, NULL), TACIT_OK);
    tacit_policy_verify(policy, &verdict);
    assert_true(verdict.holds);
    policy->certificate->engine_rows = true;
    char *text = tacit_policy_text(policy);
    assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_OK);
    tacit_policy_verify(again, &verdict);
    assert_false(verdict.holds);
    tacit_free(text);
    tacit_policy_free(again);
    tacit_policy_free(policy);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_smaller_promise_than_fit_makes_does_not_verify),
                                     cmocka_unit_test(an_infinite_sensitivity_is_no_policy),
                                     cmocka_unit_test(values_without_end_are_refused),
                                     cmocka_unit_test(rows_held_where_no_engine_can_be)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
