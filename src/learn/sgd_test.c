/* Stochastic and full gradient perturbation: their certificates, samples, sensitivity and refusals. */
#include "learn/learners.h"
#include "method/methods.h"
#include "method/sgd.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tacit/policy.h>

#include <cmocka.h>

enum { N = 300, C = 4 };
static double column[C][N];
static const char *const NAMES[] = {"a", "b", "y", "w"};
static const char SCHEMA[] = "{\"target\": {\"name\": \"y\", \"center\": 0, \"scale\": 2}, \"features\": ["
                             "{\"name\": \"a\", \"center\": 0, \"scale\": 1}, {\"name\": \"b\", \"min\": -3, "
                             "\"max\": 3}], \"nominal_rows\": 250}";
static const char TWO[] = "{\"target\": [{\"name\": \"y\", \"center\": 0, \"scale\": 2}, {\"name\": \"w\", "
                          "\"min\": -9, \"max\": 9}], "
                          "\"features\": [{\"name\": \"a\", \"center\": 0, \"scale\": 1}, {\"name\": \"b\", "
                          "\"min\": -3, \"max\": 3}]}";
static const double TAU[] = {0.7, 0.4};

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
                              double (*table)[N], tacit_fit **fit, tacit_policy **policy,
                              tacit_error *error) {
  const double *columns[C] = {table[0], table[1], table[2], table[3]};
  const char *const *texts[C] = {0};
  tacit_schema *schema;
  tacit_source *source;
  tacit_goal goals[2] = {{.quantile = TAU[0]}, {.quantile = TAU[1]}};
  assert_int_equal(tacit_schema_parse(schema_text, strlen(schema_text), &schema, error), TACIT_OK);
  assert_int_equal(tacit_source_columns(n, C, NAMES, columns, texts, &source, NULL), TACIT_OK);
  tacit_status status = tacit_learn(schema, source, options, NULL, fit, error);
  if (status == TACIT_OK && policy)
    assert_int_equal(tacit_policy_new(schema, tacit_fit_coefficients(*fit), tacit_fit_certificate(*fit),
                                      goals, policy, error),
                     TACIT_OK);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return status;
}

static tacit_fit *learn(const char *schema, const tacit_learn_options *options, size_t n,
                        tacit_policy **policy) {
  tacit_fit *fit = NULL;
  tacit_error error = {""};
  if (try_learn(schema, options, n, column, &fit, policy, &error) != TACIT_OK) fail_msg("%s", error.text);
  return fit;
}

static tacit_learn_options options_of(const char *method, size_t targets) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = method;
  options.quantiles = TAU;
  options.quantile_count = targets;
  if (strcmp(method, "gradient") == 0)
    options.mu = 0.5;
  else
    options.epsilon = 1, options.delta = 1e-4;
  options.sgd.steps = strcmp(method, "gradient") ? 400 : 0;
  options.gradient.steps = strcmp(method, "gradient") ? 0 : 400;
  return options;
}

static void policies_verify(void **state) {
  (void)state;
  for (int k = 0; k < 5; k++) {
    tacit_learn_options options = options_of(k < 3 ? "sgd" : "gradient", k % 2 ? 2 : 1);
    if (k == 0) options.sgd.steps = 0; /* n^2 */
    if (k == 1) options.sgd.rate = 0.1;
    if (k == 2) options.sgd.rate = 0.03, options.adjacency = TACIT_ADD_REMOVE;
    tacit_policy *policy, *again;
    tacit_fit *fit = learn(k % 2 ? TWO : SCHEMA, &options, N, &policy);
    tacit_verdict verdict;
    char *text = tacit_policy_text(policy);
    assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_OK);
    tacit_policy_verify(again, &verdict);
    for (size_t i = 0; i < verdict.count; i++)
      if (!verdict.checks[i].holds) fail_msg("%d: %s", k, verdict.checks[i].text);
    if (k < 3) assert_true(verdict.delta <= 1e-4 && verdict.delta > 0.97e-4);
    if (k == 0) assert_int_equal(tacit_fit_certificate(fit)->releases, N * N);
    double norm = 0;
    for (size_t j = 0; j < 3; j++) norm = hypot(norm, tacit_fit_coefficients(fit)[j]);
    assert_true(norm <= 4 * (1 + 1e-12)); /* B_theta of a target on a known scale */
    free(text);
    tacit_policy_free(policy);
    tacit_policy_free(again);
    tacit_fit_free(fit);
  }
}

static char *tampered(const char *text, const char *key, double factor) {
  const char *at = strstr(text, key);
  assert_non_null(at);
  at += strlen(key);
  char *end, *copy = malloc(strlen(text) + 64);
  double value = strtod(at, &end);
  /* a real number stays one: verify would reject a whole one for its type alone */
  bool real = memchr(at, '.', (size_t)(end - at)) || memchr(at, 'e', (size_t)(end - at));
  value *= factor;
  sprintf(copy,
          !real                   ? "%.*s%.0f%s"
          : value == floor(value) ? "%.*s%.1f%s"
                                  : "%.*s%.17g%s",
          (int)(at - text), text, value, end);
  return copy;
}

static void tampered_certificates_fail(void **state) {
  (void)state;
  for (int poisson = 0; poisson < 2; poisson++) {
    tacit_learn_options options = options_of("sgd", 1);
    options.sgd.steps = 90000;
    if (poisson) options.sgd.rate = 0.05, options.sgd.steps = 400;
    tacit_policy *policy;
    tacit_fit *fit = learn(SCHEMA, &options, N, &policy);
    char *text = tacit_policy_text(policy);
    const char *const keys[] = {
        "\"sigma\": ", "\"rate\": ",  "\"count\": ",     "\"steps\": ",
        "\"clip\": ",  "\"level\": ", "\"clip_norm\": ", poisson ? "\"delta\": " : "\"batch\": "};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
      char *copy = tampered(text, keys[i], i == 7 && !poisson ? 2 : 0.5);
      tacit_policy *mutant;
      if (tacit_policy_parse(copy, strlen(copy), &mutant, NULL) == TACIT_OK) {
        tacit_verdict verdict;
        tacit_policy_verify(mutant, &verdict);
        if (verdict.holds) fail_msg("half of %s still holds", keys[i]);
        tacit_policy_free(mutant);
      }
      free(copy);
    }
    free(text);
    tacit_policy_free(policy);
    tacit_fit_free(fit);
  }
}

static void it_learns(void **state) {
  (void)state;
  tacit_learn_options options = options_of("sgd", 1);
  tacit_policy *policy;
  options.epsilon = 10;
  options.delta = 0.1;
  options.sgd.steps = 2000;
  options.sgd.rate = 0.2;
  tacit_fit *fit = learn(SCHEMA, &options, N, &policy);
  assert_true(fabs(tacit_policy_coefficient(policy, 0, 1) - 1) < 0.6);
  assert_true(fabs(tacit_policy_coefficient(policy, 0, 2) + 1) < 0.6);
  assert_non_null(strstr(tacit_fit_note(fit), "at most 1"));
  tacit_policy_free(policy);
  tacit_fit_free(fit);
  options = options_of("gradient", 1);
  options.mu = 50;
  fit = learn(SCHEMA, &options, N, &policy);
  assert_true(fabs(tacit_policy_coefficient(policy, 0, 1) - 1) < 0.4);
  assert_true(!*tacit_fit_note(fit));
  tacit_policy_free(policy);
  tacit_fit_free(fit);
}

static void add_remove_does_not_know_n(void **state) {
  (void)state;
  tacit_learn_options options = options_of("sgd", 1);
  options.adjacency = TACIT_ADD_REMOVE;
  options.sgd.rate = 0.02;
  options.seeded = true;
  static const size_t n[] = {0, 40, N};
  tacit_fit *fit[3];
  for (int k = 0; k < 3; k++) {
    fit[k] = learn(SCHEMA, &options, n[k], NULL);
    const tacit_certificate *c = tacit_fit_certificate(fit[k]), *zero = tacit_fit_certificate(fit[0]);
    assert_true(c->mechanism_count == 1 && c->rows == 250 && c->setting_count == zero->setting_count);
    assert_memory_equal(&c->mechanisms[0], &zero->mechanisms[0], sizeof c->mechanisms[0]);
    for (size_t i = 0; i < c->setting_count; i++)
      assert_true(c->settings[i].number == zero->settings[i].number);
  }
  for (int k = 0; k < 3; k++) tacit_fit_free(fit[k]);
}

static tacit_status count_spending(void *user, const tacit_cost *cost, tacit_error *error) {
  (void)error;
  int *calls = user;
  ++*calls;
  assert_true(cost->mu == 0 && cost->epsilon == 1 && cost->delta == 1e-4 && cost->rdp[3] > 0);
  return TACIT_OK;
}

static void refusals_come_first(void **state) {
  (void)state;
  static const struct {
    const char *what, *text;
    tacit_status status;
  } cases[] = {{"mu", "not Gaussian", TACIT_USAGE},         {"delta", "delta = 0", TACIT_USAGE},
               {"fixed", "keeps private", TACIT_REFUSED},   {"both", "not both", TACIT_USAGE},
               {"rate", "rate must be", TACIT_USAGE},       {"large", "the table only", TACIT_USAGE},
               {"long", "steps must be", TACIT_USAGE},      {"visits", "use fewer steps", TACIT_REFUSED},
               {"growth", "no option growth", TACIT_USAGE}, {"gradient", "no option growth", TACIT_USAGE},
               {"pair", "is Gaussian", TACIT_USAGE}};
  int calls = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *what = cases[i].what;
    bool gradient = !strcmp(what, "gradient") || !strcmp(what, "pair");
    tacit_learn_options options = options_of(gradient ? "gradient" : "sgd", 1);
    options.spend = count_spending;
    options.spend_user = &calls;
    if (!strcmp(what, "mu")) options.mu = 0.5;
    if (!strcmp(what, "delta")) options.delta = 0;
    if (!strcmp(what, "fixed")) options.adjacency = TACIT_ADD_REMOVE;
    if (!strcmp(what, "both")) options.sgd.batch = 2, options.sgd.rate = 0.1;
    if (!strcmp(what, "rate")) options.sgd.rate = 1.5;
    if (!strcmp(what, "large")) options.sgd.batch = N + 1;
    if (!strcmp(what, "long")) options.sgd.steps = (size_t)1 << 50;
    if (!strcmp(what, "visits")) options.sgd.steps = 100000000000, options.sgd.batch = 200;
    if (!strcmp(what, "growth") || !strcmp(what, "gradient")) options.noisy_gd.growth = 1.1;
    if (!strcmp(what, "pair")) options.epsilon = 1, options.delta = 1e-5;
    tacit_fit *fit = NULL;
    tacit_error error = {""};
    tacit_status status = try_learn(SCHEMA, &options, N, column, &fit, NULL, &error);
    if (status != cases[i].status || !strstr(error.text, cases[i].text))
      fail_msg("%s: %d, \"%s\"", what, (int)status, error.text);
  }
  assert_int_equal(calls, 0);
  tacit_learn_options options = options_of("sgd", 1);
  options.spend = count_spending;
  options.spend_user = &calls;
  options.sgd.rate = 0.1;
  tacit_fit_free(learn(SCHEMA, &options, N, NULL));
  assert_int_equal(calls, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(policies_verify),     cmocka_unit_test(tampered_certificates_fail),
      cmocka_unit_test(it_learns),           cmocka_unit_test(add_remove_does_not_know_n),
      cmocka_unit_test(refusals_come_first),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
