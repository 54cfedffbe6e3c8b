/* A policy has a spread exactly where its releases paid for one: changed fits whose lists and promises are in
   order do not verify. */
#include "method/fit.h"
#include "policy/policy.h"
#include "random/random.h"
#include "schema/schema.h"

#include <tacit/learn.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 3000, COLUMNS = 3 };

static const char SCHEMA[] =
    "{\"target\": [{\"name\": \"y\", \"min\": 0, \"max\": 100}, {\"name\": \"z\", \"min\": 0, \"max\": "
    "100}], "
    "\"features\": [{\"name\": \"a\", \"min\": -3, \"max\": 3}, {\"name\": \"b\", \"min\": -3, \"max\": 3}]}";

/* y is mostly 0 where asked for; its quantile then lies beyond any number of spreads. */
static tacit_source *table(bool far) {
  static double numbers[4][N];
  static const char *const names[] = {"a", "b", "y", "z"};
  static const double *columns[4];
  static const char *const *texts[4];
  tacit_noise_source noise;
  tacit_stream stream;
  tacit_source *source;
  tacit_noise_source_seeded(&noise, 3);
  assert_int_equal(tacit_stream_begin(&noise, &stream, NULL), TACIT_OK);
  for (size_t i = 0; i < N; i++) {
    double a = tacit_normal(&stream), e = tacit_normal(&stream);
    numbers[0][i] = a, numbers[1][i] = tacit_normal(&stream);
    numbers[2][i] = far ? (tacit_uniform(&stream) < 0.9 ? 0 : 60) : 50 + exp(0.7 * a) * e;
    numbers[3][i] = 50 + a + e;
  }
  for (size_t j = 0; j < 4; j++) columns[j] = numbers[j];
  assert_int_equal(tacit_source_columns(N, 4, names, columns, texts, &source, NULL), TACIT_OK);
  return source;
}

static tacit_fit *learn(const tacit_schema *schema, const double *quantiles, bool far) {
  tacit_learn_options options;
  tacit_source *source = table(far);
  tacit_fit *fit;
  tacit_learn_options_init(&options);
  options.method = "location-scale";
  options.quantiles = quantiles;
  options.quantile_count = 2;
  options.mu = 2;
  assert_int_equal(tacit_learn(schema, source, &options, NULL, &fit, NULL), TACIT_OK);
  tacit_source_free(source);
  return fit;
}

static bool verifies(const tacit_schema *schema, const tacit_fit *fit, const double *quantiles) {
  const tacit_goal goals[] = {{.quantile = quantiles[0]}, {.quantile = quantiles[1]}};
  tacit_policy *policy;
  tacit_verdict verdict;
  assert_int_equal(tacit_policy_from_fit(schema, NULL, fit, goals, &policy, NULL), TACIT_OK);
  tacit_policy_verify(policy, &verdict);
  bool right = verdict.holds;
  tacit_policy_free(policy);
  return right;
}

static void expect_held(double *number, double other, const tacit_schema *schema, const tacit_fit *fit,
                        const double *quantiles) {
  double before = *number;
  *number = other;
  assert_false(verifies(schema, fit, quantiles));
  *number = before;
  assert_true(verifies(schema, fit, quantiles));
}

static void a_spread_is_there_where_it_was_paid_for(void **state) {
  (void)state;
  static const double outer[] = {0.95, 0.5}, middle[] = {0.6, 0.5};
  enum { K = COLUMNS, OTHER = COLUMNS + 1 };
  tacit_schema *schema;
  assert_int_equal(tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL), TACIT_OK);

  tacit_fit *fit = learn(schema, outer, false);
  assert_true(fit->spread && verifies(schema, fit, outer));
  double *spread = fit->spread;
  expect_held(&spread[OTHER + K], 3, schema, fit, outer); /* the second target's was not learned */
  expect_held(&spread[OTHER + 1], 0.5, schema, fit, outer);
  expect_held(&spread[OTHER], 0.5, schema, fit, outer);
  expect_held(&spread[OTHER + K], -0.0, schema, fit, outer);
  fit->spread = NULL;
  assert_false(verifies(schema, fit, outer)); /* the first one's was */
  fit->spread = spread;
  tacit_fit_free(fit);

  fit = learn(schema, middle, false);
  assert_true(!fit->spread && verifies(schema, fit, middle));
  assert_int_equal(tacit_fit_want_spread(fit, NULL), TACIT_OK);
  assert_false(verifies(schema, fit, middle));
  tacit_fit_free(fit);

  fit = learn(schema, outer, true);
  assert_true(fit->spread && fit->spread[K] == 0 && verifies(schema, fit, outer));
  expect_held(&fit->spread[K], 5, schema, fit, outer); /* it was given up */
  tacit_fit_free(fit);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_spread_is_there_where_it_was_paid_for)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
