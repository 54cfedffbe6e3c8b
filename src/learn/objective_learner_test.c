/* The objective's learner: what its certificate says, what must not change it, and what is refused. */
#include "learn/task.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tacit/policy.h>

#include <cmocka.h>

enum { N = 1500, C = 4 };
static double column[C][N];
static const char *const NAMES[] = {"a", "b", "y", "w"};
static const char SCHEMA[] = "{\"target\": {\"name\": \"y\", \"center\": 0, \"scale\": 2}, \"features\": ["
                             "{\"name\": \"a\", \"center\": 0, \"scale\": 1}, {\"name\": \"b\", \"min\": -3, "
                             "\"max\": 3}], \"nominal_rows\": 1000}";
static const char TWO[] = "{\"target\": [{\"name\": \"y\", \"center\": 0, \"scale\": 2}, {\"name\": \"w\", "
                          "\"min\": -9, \"max\": 9}], "
                          "\"features\": [{\"name\": \"a\", \"center\": 0, \"scale\": 1}, {\"name\": \"b\", "
                          "\"min\": -3, \"max\": 3}]}";

static int set_up(void **state) {
  (void)state;
  tacit_noise_source source;
  tacit_stream s;
  tacit_noise_source_seeded(&source, 7);
  if (tacit_stream_begin(&source, &s, NULL) != TACIT_OK) return -1;
  for (int i = 0; i < N; i++) {
    column[0][i] = tacit_normal(&s);
    column[1][i] = tacit_normal(&s);
    column[2][i] = 1 + column[0][i] - column[1][i] + tacit_normal(&s);
    column[3][i] = -column[0][i] + tacit_normal(&s);
  }
  return 0;
}

static tacit_status try_learn(const char *schema_text, const tacit_learn_options *options, size_t n,
                              int threads, bool backwards, tacit_fit **fit, tacit_policy **policy,
                              tacit_error *error) {
  static double copy[C][N];
  const double *columns[C];
  const char *const *texts[C] = {0};
  for (int j = 0; j < C; j++) {
    for (size_t i = 0; i < n; i++) copy[j][i] = column[j][backwards ? n - 1 - i : i];
    columns[j] = copy[j];
  }
  tacit_schema *schema;
  tacit_source *source;
  tacit_context context;
  tacit_goal goals[2] = {{.quantile = options->quantiles[0]},
                         {.quantile = options->quantile_count > 1 ? options->quantiles[1] : 0}};
  tacit_context_init(&context);
  context.threads = threads;
  assert_int_equal(tacit_schema_parse(schema_text, strlen(schema_text), &schema, error), TACIT_OK);
  assert_int_equal(tacit_source_columns(n, C, NAMES, columns, texts, &source, NULL), TACIT_OK);
  tacit_status status = tacit_learn(schema, source, options, &context, fit, error);
  if (status == TACIT_OK && policy)
    assert_int_equal(tacit_policy_new(schema, tacit_fit_coefficients(*fit), tacit_fit_certificate(*fit),
                                      goals, policy, error),
                     TACIT_OK);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return status;
}

static tacit_fit *learn(const char *schema, const tacit_learn_options *options, size_t n, int threads,
                        bool backwards, tacit_policy **policy) {
  tacit_fit *fit = NULL;
  tacit_error error = {""};
  if (try_learn(schema, options, n, threads, backwards, &fit, policy, &error) != TACIT_OK)
    fail_msg("%s", error.text);
  return fit;
}

static const double TAU[] = {0.7, 0.4};

static tacit_learn_options options_of(double epsilon, double delta, size_t targets) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = "objective";
  options.quantiles = TAU;
  options.quantile_count = targets;
  options.epsilon = epsilon;
  options.delta = delta;
  return options;
}

static void policies_verify(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    tacit_learn_options options = options_of(k % 2 ? 1 : 3, 1e-5, k < 4 ? 1 : 2);
    options.adjacency = k < 4 && k % 4 > 1 ? TACIT_ADD_REMOVE : TACIT_REPLACE_ONE;
    if (k % 3 == 1) options.objective.preset = "part-2";
    if (k % 3 == 2) options.objective.kernel = "gaussian";
    tacit_policy *policy, *again;
    tacit_fit *fit = learn(k < 4 ? SCHEMA : TWO, &options, N, 1, false, &policy);
    tacit_verdict verdict;
    char *text = tacit_policy_text(policy);
    assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_OK);
    tacit_policy_verify(again, &verdict);
    for (size_t i = 0; i < verdict.count; i++)
      if (!verdict.checks[i].holds) fail_msg("%s", verdict.checks[i].text);
    /* two targets share what a grid of losses bounds, to within its width */
    assert_true(verdict.holds && verdict.delta <= 1e-5 && verdict.delta > (k < 4 ? 0.99e-5 : 0.97e-5));
    free(text);
    tacit_policy_free(policy);
    tacit_policy_free(again);
    tacit_fit_free(fit);
  }
}

/* The number in the file that follows the nth occurrence of a key is multiplied by a factor. */
static char *tampered(const char *text, const char *key, int nth, double factor) {
  const char *at = text;
  for (int k = 0; k <= nth; k++) {
    at = strstr(at, key);
    assert_non_null(at);
    at += strlen(key);
  }
  char *end, *copy = malloc(strlen(text) + 64);
  double value = strtod(at, &end);
  sprintf(copy, "%.*s%.17g%s", (int)(at - text), text, value * factor, end);
  return copy;
}

static void tampered_certificates_fail(void **state) {
  (void)state;
  tacit_learn_options options = options_of(1, 1e-5, 1);
  tacit_policy *policy;
  tacit_fit *fit = learn(SCHEMA, &options, N, 1, false, &policy);
  char *text = tacit_policy_text(policy);
  static const struct {
    const char *key;
    int nth;
    double factor;
  } edits[] = {{"\"sigma\": ", 0, 0.999},     {"\"sigma\": ", 1, 0.5},     {"\"smoothness\": ", 0, 0.99},
               {"\"lambda\": ", 0, 1.01},     {"\"lambda\": ", 1, 1.01},   {"\"sensitivity\": ", 0, 0.99},
               {"\"sensitivity\": ", 1, 0.5}, {"\"epsilon\": ", 0, 0.99},  {"\"delta\": ", 0, 0.9},
               {"\"clip\": ", 0, 0.9},        {"\"gradient\": ", 0, 10},   {"\"clip_norm\": ", 0, 0.9},
               {"\"bandwidth\": ", 0, 0.9},   {"\"dimension\": ", 0, 2},   {"\"count\": ", 0, 2},
               {"\"level\": ", 0, 0.9},       {"\"gradient\": ", 0, 1e-3}, {"\"grid_bits\": ", 0, 0},
               {"\"rows\": ", 0, 1000}};
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    char *copy = tampered(text, edits[i].key, edits[i].nth, edits[i].factor);
    tacit_policy *mutant;
    if (tacit_policy_parse(copy, strlen(copy), &mutant, NULL) == TACIT_OK) {
      tacit_verdict verdict;
      tacit_policy_verify(mutant, &verdict);
      if (verdict.holds) fail_msg("%s[%d] times %g still holds", edits[i].key, edits[i].nth, edits[i].factor);
      tacit_policy_free(mutant);
    }
    free(copy);
  }
  free(text);
  tacit_policy_free(policy);
  tacit_fit_free(fit);
}

/* Threads change nothing; the order of rows nothing beyond the certified distance. */
static void rows_and_seed_alone_matter(void **state) {
  (void)state;
  tacit_learn_options options = options_of(1, 1e-5, 1);
  options.seeded = true;
  options.seed = 5;
  tacit_fit *one = learn(SCHEMA, &options, N, 1, false, NULL),
            *three = learn(SCHEMA, &options, N, 3, false, NULL),
            *back = learn(SCHEMA, &options, N, 2, true, NULL);
  for (int j = 0; j < 3; j++) {
    double a = tacit_fit_coefficients(one)[j];
    assert_true(a == tacit_fit_coefficients(three)[j]);
    assert_true(fabs(a - tacit_fit_coefficients(back)[j]) < 1e-9);
  }
  assert_false(tacit_fit_certificate(one)->private);
  tacit_fit_free(one);
  tacit_fit_free(three);
  tacit_fit_free(back);
}

/* Under add-remove nothing in the certificate depends on how many rows there are. */
static void add_remove_does_not_know_n(void **state) {
  (void)state;
  tacit_learn_options options = options_of(1, 1e-5, 1);
  options.adjacency = TACIT_ADD_REMOVE;
  options.seeded = true;
  const tacit_certificate *c[3];
  tacit_fit *fit[3];
  static const size_t n[] = {0, 40, N};
  for (int k = 0; k < 3; k++) {
    fit[k] = learn(SCHEMA, &options, n[k], 1, false, NULL);
    c[k] = tacit_fit_certificate(fit[k]);
    assert_true(c[k]->mechanism_count == 2 && c[k]->rows == 1000);
    for (int i = 0; i < 2; i++)
      assert_memory_equal(&c[k]->mechanisms[i], &c[0]->mechanisms[i], sizeof c[k]->mechanisms[i]);
  }
  for (int k = 0; k < 3; k++) tacit_fit_free(fit[k]);
}

/* With next to no noise it is ridge regression at the quantile: the slopes come out. */
static void it_learns(void **state) {
  (void)state;
  tacit_learn_options options = options_of(60, 0.1, 1);
  options.objective.lambda = 1e-4;
  tacit_policy *policy;
  tacit_fit *fit = learn(SCHEMA, &options, N, 1, false, &policy);
  assert_true(fabs(tacit_policy_coefficient(policy, 0, 0) - 1.524) < 0.15);
  assert_true(fabs(tacit_policy_coefficient(policy, 0, 1) - 1) < 0.15);
  assert_true(fabs(tacit_policy_coefficient(policy, 0, 2) + 1) < 0.15);
  tacit_policy_free(policy);
  tacit_fit_free(fit);
}

/* A row far beyond B_x is clipped, not refused, and moves the result like any other row. */
static void long_rows_are_clipped(void **state) {
  (void)state;
  tacit_learn_options options = options_of(1, 1e-5, 1);
  options.objective.clip_norm = 1;
  options.seeded = true;
  tacit_fit *fit = learn(SCHEMA, &options, N, 1, false, NULL);
  assert_true(tacit_fit_certificate(fit)->mechanisms[0].clip == 1);
  tacit_fit_free(fit);
}

static tacit_status count_spending(void *user, const tacit_cost *cost, tacit_error *error) {
  (void)error;
  int *calls = user;
  ++*calls;
  assert_true(cost->mu == 0 && cost->epsilon == 1 && cost->delta == 1e-5);
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) {
    double a = tacit_rdp_orders[i], epsilon = cost->rdp[i] + log(1e5) / (a - 1);
    assert_true(cost->rdp[i] > 0 && isfinite(cost->rdp[i]) && epsilon > 1); /* no better than the curve */
  }
  return TACIT_OK;
}

static void refusals_come_first(void **state) {
  (void)state;
  int calls = 0;
  static const struct {
    const char *what, *text;
    tacit_status status;
  } cases[] = {{"mu", "not Gaussian", TACIT_USAGE},
               {"delta", "delta = 0", TACIT_USAGE},
               {"epsilon", "epsilon must be", TACIT_USAGE},
               {"lambda", "lambda is too small", TACIT_REFUSED},
               {"preset", "part-1", TACIT_USAGE},
               {"unit", "rows per unit", TACIT_REFUSED},
               {"theta", "theta-bound must be", TACIT_USAGE},
               {"little", "bound of theta", TACIT_USAGE},
               {"tiny", "exact", TACIT_REFUSED}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tacit_learn_options options = options_of(1, 1e-5, 1);
    const char *what = cases[i].what, *schema = SCHEMA;
    options.spend = count_spending;
    options.spend_user = &calls;
    if (!strcmp(what, "mu")) options.mu = 0.5;
    if (!strcmp(what, "delta")) options.delta = 0;
    if (!strcmp(what, "epsilon")) options.epsilon = -1;
    if (!strcmp(what, "lambda")) options.objective.lambda = 1e-3, options.objective.bandwidth = 0.1;
    if (!strcmp(what, "preset")) options.objective.preset = "zhao";
    if (!strcmp(what, "theta")) options.objective.theta_bound = 1e9;
    if (!strcmp(what, "little")) options.objective.theta_bound = 1e-200;
    if (!strcmp(what, "tiny")) options.objective.lambda = 1e-9;
    if (!strcmp(what, "unit"))
      schema =
          "{\"target\": {\"name\": \"y\", \"center\": 0, \"scale\": 2}, \"features\": [{\"name\": \"a\", "
          "\"center\": 0, \"scale\": 1}], \"unit\": {\"rows_per_unit\": 3}}";
    tacit_fit *fit = NULL;
    tacit_error error = {""};
    tacit_status status = try_learn(schema, &options, N, 1, false, &fit, NULL, &error);
    if (status != cases[i].status || !strstr(error.text, cases[i].text))
      fail_msg("%s: %d, \"%s\"", what, (int)status, error.text);
  }
  assert_int_equal(calls, 0);
  tacit_learn_options options = options_of(1, 1e-5, 1);
  options.spend = count_spending;
  options.spend_user = &calls;
  tacit_fit_free(learn(SCHEMA, &options, N, 1, false, NULL));
  assert_int_equal(calls, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(policies_verify),
      cmocka_unit_test(tampered_certificates_fail),
      cmocka_unit_test(rows_and_seed_alone_matter),
      cmocka_unit_test(add_remove_does_not_know_n),
      cmocka_unit_test(it_learns),
      cmocka_unit_test(long_rows_are_clipped),
      cmocka_unit_test(refusals_come_first),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
