/* Several quantiles of one target: names, the file and back, orders that never cross, and quantiles between
   them. */
#include "policy/policy_for_test.h"

#include "method/fit.h"
#include "num/normal.h"
#include "random/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char SCHEMA[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100}, \"features\": [{\"name\": \"t\", \"min\": "
    "-1, \"max\": 1}, {\"name\": \"day\", \"levels\": [\"MON\", \"TUE\"]}]}";
enum { P = 3, GOALS = 4 };
static const tacit_goal ASKED[GOALS] = {
    {.quantile = 0.1}, {.quantile = 0.5}, {9.0 / (9 + 1), 9, 1}, {.quantile = 0.98}};

static tacit_schema *schema_of(const char *text) {
  tacit_schema *schema;
  assert_int_equal(tacit_schema_parse(text, strlen(text), &schema, NULL), TACIT_OK);
  return schema;
}

/* Slopes that differ so much between quantiles that orders would cross in most of the room. */
static tacit_policy *make(const double *coefficients) {
  tacit_schema *schema = schema_of(SCHEMA);
  tacit_fit fit = {.columns = P, .targets = GOALS};
  tacit_policy *policy;
  fit.coefficients = (double *)coefficients;
  fit.certificate = noisy_gd_certificate(P, 0.5);
  assert_int_equal(tacit_policy_from_fit(schema, NULL, &fit, ASKED, &policy, NULL), TACIT_OK);
  tacit_certificate_free(fit.certificate);
  tacit_schema_free(schema);
  return policy;
}

static const double CROSSING[GOALS * P] = {0.1, 0.9, -0.3, 0.0, -0.8, 0.4, 0.2, 0.5, 0.1, 0.15, -0.9, -0.2};

static void goals_have_names(void **state) {
  (void)state;
  tacit_policy *policy = make(CROSSING);
  static const char *const names[] = {"y@0.1", "y@0.5", "y@0.9", "y@0.98"};
  assert_int_equal(tacit_policy_goal_count(policy), GOALS);
  for (size_t g = 0; g < GOALS; g++) {
    assert_string_equal(tacit_policy_goal_name(policy, g), names[g]);
    assert_int_equal(tacit_policy_goal_target(policy, g), 0);
    assert_true(tacit_policy_goal(policy, g).quantile == ASKED[g].quantile);
  }
  tacit_policy_free(policy);
}

static void the_file_comes_back(void **state) {
  (void)state;
  tacit_policy *policy = make(CROSSING), *again;
  char *text = tacit_policy_text(policy);
  assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_OK);
  char *second = tacit_policy_text(again);
  assert_string_equal(text, second);
  const double x[P] = {1, 0.25, 1};
  for (size_t g = 0; g < GOALS; g++)
    assert_true(tacit_policy_decide(policy, g, x) == tacit_policy_decide(again, g, x));
  free(text);
  free(second);
  tacit_policy_free(policy);
  tacit_policy_free(again);
}

/* Quantiles that do not ascend, one that is there twice, and names that are not theirs. */
static void other_lists_are_refused(void **state) {
  (void)state;
  static const char *const changed[][2] = {{"\"quantile\": 0.5", "\"quantile\": 0.05"},
                                           {"\"quantile\": 0.5", "\"quantile\": 0.10000000000000001"},
                                           {"\"y@0.5\"", "\"y@0.50\""},
                                           {"\"quantile\": 0.97999999999999998", "\"quantile\": 0.97"}};
  tacit_policy *policy = make(CROSSING), *again;
  char *text = tacit_policy_text(policy), other[20000];
  for (size_t k = 0; k < sizeof changed / sizeof *changed; k++) {
    const char *at = strstr(text, changed[k][0]);
    assert_non_null(at);
    snprintf(other, sizeof other, "%.*s%s%s", (int)(at - text), text, changed[k][1],
             at + strlen(changed[k][0]));
    assert_int_equal(tacit_policy_parse(other, strlen(other), &again, NULL), TACIT_BAD_INPUT);
  }
  free(text);
  tacit_policy_free(policy);
}

static void orders_never_cross(void **state) {
  (void)state;
  tacit_noise_source source;
  tacit_stream draw;
  double coefficients[GOALS * P], x[P] = {1};
  size_t crossed = 0;
  tacit_noise_source_seeded(&source, 5);
  assert_int_equal(tacit_stream_begin(&source, &draw, NULL), TACIT_OK);
  for (size_t k = 0; k < 100; k++) {
    for (size_t j = 0; j < GOALS * P; j++) coefficients[j] = 2 * tacit_uniform(&draw) - 1;
    tacit_policy *policy = make(coefficients);
    for (size_t i = 0; i < 10000; i++) {
      x[1] = 2 * tacit_uniform(&draw) - 1;
      x[2] = tacit_uniform(&draw) < 0.5;
      double last = -INFINITY, raw = -INFINITY;
      for (size_t g = 0; g < GOALS; g++) {
        double order = tacit_policy_decide(policy, g, x), own = 0;
        for (size_t j = 0; j < P; j++) own += coefficients[g * P + j] * x[j];
        assert_true(order >= last && order >= 0 && order <= 100);
        crossed += own < raw;
        last = order;
        raw = own;
      }
    }
    tacit_policy_free(policy);
  }
  tacit_stream_end(&draw);
  assert_true(crossed > 100000); /* so that sorting did something */
}

static void one_between_two_is_interpolated(void **state) {
  (void)state;
  tacit_policy *policy = make(CROSSING);
  const double x[P] = {1, -0.5, 0};
  tacit_pick pick;
  assert_int_equal(tacit_policy_pick(policy, 0.5, &pick, NULL), TACIT_OK);
  assert_true(pick.weight == 0 &&
              tacit_policy_decide_picked(policy, &pick, x) == tacit_policy_decide(policy, 1, x));
  double middle = tacit_normal_cdf((tacit_normal_quantile(0.5) + tacit_normal_quantile(0.9)) / 2);
  assert_int_equal(tacit_policy_pick(policy, middle, &pick, NULL), TACIT_OK);
  double low = tacit_policy_decide(policy, 1, x), high = tacit_policy_decide(policy, 2, x);
  assert_true(low < high && fabs(pick.weight - 0.5) < 1e-9);
  assert_true(fabs(tacit_policy_decide_picked(policy, &pick, x) - (low + high) / 2) < 1e-6);
  assert_int_equal(tacit_policy_pick(policy, 0.05, &pick, NULL), TACIT_USAGE);
  assert_int_equal(tacit_policy_pick(policy, 0.99, &pick, NULL), TACIT_USAGE);
  assert_int_equal(tacit_policy_pick(policy, NAN, &pick, NULL), TACIT_USAGE);
  tacit_policy_free(policy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(goals_have_names), cmocka_unit_test(the_file_comes_back),
      cmocka_unit_test(other_lists_are_refused), cmocka_unit_test(orders_never_cross),
      cmocka_unit_test(one_between_two_is_interpolated)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
