/* How sure a rule is: intervals hold what they are about about as often as they say, with few rows and noise;
   more rows and more budget make them narrower; rows of larger spread have wider ones; nothing is said where
   the quantile was found another way; and rules are the same to the bit whoever asks. */
#include "learn/task.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 4000 };
static double number[N], demand[N];
static const char *level[N];

static const char SCHEMA[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100}, "
                             "\"features\": [{\"name\": \"c\", \"levels\": [\"a\", \"b\"]}, "
                             "{\"name\": \"x\", \"min\": -2, \"max\": 2}]}";

/* Level b scatters three times as far. The quantile at (level, x) is 40 + 8 level + 5 x + z_tau (2 or 6). */
static void fill(uint64_t seed, bool far) {
  tacit_noise_source source;
  tacit_stream stream;
  tacit_noise_source_seeded(&source, seed);
  assert_int_equal(tacit_stream_begin(&source, &stream, NULL), TACIT_OK);
  for (size_t i = 0; i < N; i++) {
    bool b = tacit_uniform(&stream) < 0.4;
    level[i] = b ? "b" : "a";
    number[i] = fmax(-2, fmin(2, 0.8 * tacit_normal(&stream)));
    demand[i] = 40 + 8 * b + 5 * number[i] + (b ? 6 : 2) * tacit_normal(&stream);
    if (far) demand[i] = tacit_uniform(&stream) < 0.8 ? 0 : 50 + 40 * tacit_uniform(&stream);
  }
}

static tacit_fit *learn(double tau, double mu, size_t rows, uint64_t seed, bool intervals) {
  static const char *const names[] = {"x", "y", "c"};
  const double *columns[] = {number, demand, NULL};
  const char *const *texts[] = {NULL, NULL, level};
  tacit_schema *schema;
  tacit_source *source;
  tacit_fit *fit = NULL;
  tacit_context context;
  tacit_learn_options options;
  tacit_error error = {0};
  tacit_context_init(&context);
  context.threads = 1;
  tacit_learn_options_init(&options);
  options.method = "location-scale";
  options.quantiles = &tau;
  options.quantile_count = 1;
  options.mu = mu;
  options.seeded = true;
  options.seed = seed;
  options.location_scale.intervals = intervals;
  assert_int_equal(tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_source_columns(rows, 3, names, columns, texts, &source, NULL), TACIT_OK);
  if (tacit_learn(schema, source, &options, &context, &fit, &error) != TACIT_OK) fail_msg("%s", error.text);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return fit;
}

/* The order at an encoded row and its standard error, in encoded units. */
static double order_at(const tacit_fit *fit, const double *x, double *error) {
  size_t p = fit->columns, numbers = tacit_rule_numbers(p, fit->spread != NULL);
  const double *c = fit->uncertainty;
  double gradient[7], s = 0, variance = 0;
  tacit_rule rule = tacit_fit_rule(fit, 0, 1);
  for (size_t j = 0; j < p && fit->spread; j++) s += fit->spread[j] * x[j];
  s = exp(s);
  for (size_t j = 0; j < p; j++) {
    gradient[j] = x[j];
    if (fit->spread) gradient[p + j] = fit->spread[p] * s * x[j];
  }
  if (fit->spread) gradient[2 * p] = s;
  for (size_t j = 0; j < numbers; j++)
    for (size_t k = 0; k <= j; k++) variance += (j == k ? 1 : 2) * *c++ * gradient[j] * gradient[k];
  *error = sqrt(variance);
  return tacit_rule_order(&rule, x);
}

static void intervals_hold_what_they_are_about(void **state) {
  (void)state;
  enum { RUNS = 120 };
  static const double taus[] = {0.5, 0.9}, z[] = {0, 1.2816}, mus[] = {0.6, 4};
  const double rows[3][3] = {{1, 0, 0.2}, {1, 1, -0.3}, {1, 0, -0.8}};
  for (int t = 0; t < 2; t++)
    for (int m = 0; m < 2; m++) {
      int held = 0;
      for (uint64_t run = 0; run < RUNS; run++) {
        fill(run + 1, false);
        tacit_fit *fit = learn(taus[t], mus[m], 800, run + 1, true);
        for (int i = 0; i < 3; i++) {
          double b = rows[i][1], error, order = order_at(fit, rows[i], &error);
          double truth = (40 + 8 * b + 10 * rows[i][2] + z[t] * (b > 0 ? 6 : 2) - 50) / 50;
          held += fabs(order - truth) <= 1.645 * error;
        }
        tacit_fit_free(fit);
      }
      double cover = held / (3.0 * RUNS);
      print_message("tau %g mu %g: %.3f\n", taus[t], mus[m], cover);
      assert_true(cover > 0.83 && cover < 0.985);
    }
}

static double error_at(double tau, double mu, size_t rows, const double *x) {
  double error;
  tacit_fit *fit = learn(tau, mu, rows, 5, true);
  (void)order_at(fit, x, &error);
  tacit_fit_free(fit);
  return error;
}

static void more_rows_and_more_budget_are_surer(void **state) {
  (void)state;
  const double a[] = {1, 0, 0}, b[] = {1, 1, 0};
  fill(3, false);
  for (int t = 0; t < 2; t++) {
    double tau = t ? 0.9 : 0.5;
    assert_true(error_at(tau, 1, 4000, a) < 0.75 * error_at(tau, 1, 1000, a));
    assert_true(error_at(tau, 4, 800, a) < error_at(tau, 0.4, 800, a));
    assert_true(error_at(tau, 4, 4000, b) > 1.7 * error_at(tau, 4, 4000, a)); /* three, were all known */
  }
}

static void nothing_is_said_of_a_quantile_far_out(void **state) {
  (void)state;
  fill(4, true);
  tacit_fit *fit = learn(0.9, 2, N, 1, true);
  size_t each = tacit_triangle(tacit_rule_numbers(fit->columns, fit->spread != NULL));
  for (size_t j = 0; j < each; j++) assert_true(fit->uncertainty[j] == 0);
  tacit_fit_free(fit);
}

/* With a spread nothing is released for it: the same rule, to the bit. Without, the budget is shared with it.
 */
static void a_rule_with_a_spread_is_the_same(void **state) {
  (void)state;
  fill(6, false);
  for (int t = 0; t < 2; t++) {
    tacit_fit *plain = learn(t ? 0.9 : 0.5, 1, 2000, 7, false),
              *sure = learn(t ? 0.9 : 0.5, 1, 2000, 7, true);
    assert_null(plain->uncertainty);
    assert_int_equal(!memcmp(plain->coefficients, sure->coefficients, plain->columns * sizeof(double)), t);
    assert_int_equal(plain->certificate->releases == sure->certificate->releases, t);
    assert_true(tacit_certificate_mu(sure->certificate) <= 1);
    tacit_fit_free(plain);
    tacit_fit_free(sure);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(intervals_hold_what_they_are_about),
      cmocka_unit_test(more_rows_and_more_budget_are_surer),
      cmocka_unit_test(nothing_is_said_of_a_quantile_far_out),
      cmocka_unit_test(a_rule_with_a_spread_is_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
