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

/* How a step samples: a batch, or a rate. */
typedef struct sampling {
  size_t batch;
  double rate;
} sampling;

static void open_task(tacit_task *task, const tacit_schema *schema, tacit_design *design, sampling how,
                      uint64_t seed) {
  const tacit_mechanism run = {.kind = TACIT_RELEASE_SAMPLED,
                               .dimension = 3,
                               .level = 0.7,
                               .clip = 1.5,
                               .bits = 33,
                               .count = 1,
                               .sigma = 1};
  tacit_choice *choice = &task->choice;
  assert_int_equal(tacit_choice_open(choice, &task->facts, NULL), TACIT_OK);
  assert_int_equal(tacit_plan_open(&task->plan, &task->facts, NULL), TACIT_OK);
  assert_int_equal(tacit_plan_add(&task->plan, &run, NULL), TACIT_OK);
  assert_int_equal(tacit_certificate_new("test", &task->fit->certificate, NULL), TACIT_OK);
  assert_int_equal(tacit_answerer_new(schema, design, NULL, &task->rows.own, NULL), TACIT_OK);
  tacit_gate_open(&task->gate, &seed, NULL);
  task->gate.plan = &task->plan;
  task->gate.certificate = task->fit->certificate;
  choice->steps = 1;
  choice->batch = how.batch;
  choice->rate = how.rate;
  choice->kernel = TACIT_KERNEL_LOGISTIC;
  choice->clip_norm = 1.5;
  choice->theta[0] = 4;
  choice->bandwidth[0] = 1e-3; /* scores are all or nothing */
  choice->step_size[0] = 1e-6 * tacit_sgd_size(&task->facts, choice);
}

/* One step from zero with next to no noise, on rows given as encoded: -coefficients size / eta is the sum
   over the sample. */
static void one_step(sampling how, double (*x)[3], const double *y, size_t n, uint64_t seed, double *sum) {
  tacit_schema *schema;
  tacit_design *design;
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  assert_int_equal(tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, NULL), TACIT_OK);
  for (size_t i = 0; i < n; i++) assert_int_equal(tacit_design_add(design, x[i], &y[i], NULL), TACIT_OK);
  tacit_fit fit = {.columns = 3, .targets = 1, .coefficients = sum};
  tacit_task task = {.method = &tacit_method_sgd,
                     .schema = schema,
                     .options = &options,
                     .facts = {.schema = schema, .quantiles = TAU, .rows = (double)n},
                     .fit = &fit};
  open_task(&task, schema, design, how, seed);
  assert_int_equal(tacit_learn_sgd(&task, NULL), TACIT_OK);
  for (int j = 0; j < 3; j++) sum[j] *= -1e6;
  tacit_rows_close(&task.rows);
  tacit_plan_close(&task.plan);
  tacit_choice_close(&task.choice);
  tacit_certificate_free(fit.certificate);
  tacit_schema_free(schema);
}

/* Neighbouring tables, the same samples and noise: the sum moves by at most twice a record's radius under
   replace-one and once under add-remove, whatever the records hold; and the search comes near. */
static void sums_move_no_further_than_stated(void **state) {
  (void)state;
  double nearest = 0, x[41][3], y[41], radius = 0.7 * 1.5 * (1 + 1e-4);
  tacit_noise_source source;
  tacit_stream s;
  tacit_noise_source_seeded(&source, 21);
  assert_int_equal(tacit_stream_begin(&source, &s, NULL), TACIT_OK);
  for (int i = 0; i < 41; i++) {
    for (int j = 0; j < 3; j++) x[i][j] = j ? tacit_normal(&s) : 1;
    y[i] = tacit_normal(&s);
  }
  for (int k = 0; k < 400; k++) {
    sampling how = {.batch = k % 3 == 0 ? 30 : 0, .rate = k % 3 == 0 ? 0 : k % 3 == 1 ? 0.5 : 1};
    bool add = k % 3 == 2;
    size_t at = add ? 40 : (size_t)(tacit_uniform(&s) * 40);
    double one[3], two[3], moved = 0;
    for (int turn = 0; turn < 2; turn++) {
      for (int j = 0; j < 3; j++) x[at][j] = (turn && k % 2 ? -1 : 1) * (k % 5 ? 3 * tacit_normal(&s) : 8);
      y[at] = (turn ? -1 : 1) * (k % 7 ? 4 : NAN);
      one_step(how, x, y, add && !turn ? 40 : add ? 41 : 40, (uint64_t)k, turn ? two : one);
    }
    for (int j = 0; j < 3; j++) moved = hypot(moved, one[j] - two[j]);
    double limit = (add ? 1 : 2) * radius;
    if (moved > limit) fail_msg("%d: moved by %g of %g", k, moved, limit);
    nearest = fmax(nearest, moved / limit);
  }
  assert_true(nearest > 0.6);
  tacit_stream_end(&s);
}

/* All rows alike, so that the sum counts them: a batch has exactly its size, a Poisson sample a binomial one.
 */
static void samples_have_their_size(void **state) {
  (void)state;
  static double x[100][3], y[100], sum[3];
  for (int i = 0; i < 100; i++) x[i][0] = 1, y[i] = -5; /* a score of 1 - tau each */
  int seeds = 2000;
  double sums = 0, squares = 0;
  for (int k = 0; k < seeds; k++) {
    if (k < 100) {
      sampling fixed = {.batch = (size_t)k + 1};
      one_step(fixed, x, y, 100, (uint64_t)k, sum);
      assert_true(fabs(sum[0] / 0.3 - k - 1) < 0.01);
    }
    sampling poisson = {.rate = ldexp(floor(ldexp(0.3, 32)), -32)};
    one_step(poisson, x, y, 100, (uint64_t)k, sum);
    double count = sum[0] / 0.3;
    assert_true(fabs(count - nearbyint(count)) < 0.01);
    sums += count;
    squares += count * count;
  }
  double mean = sums / seeds, variance = squares / seeds - mean * mean;
  /* binomial(100, 0.3): mean 30, variance 21; five standard errors each */
  assert_true(fabs(mean - 30) < 5 * sqrt(21.0 / seeds));
  assert_true(fabs(variance - 21) < 5 * 21 * sqrt(2.0 / seeds));
}

/* A batch of all records has each of them once: the full sum, in any order. One record at a time, all come
 * up. */
static void a_batch_has_no_record_twice(void **state) {
  (void)state;
  static double x[64][3], y[64], first[3], sum[3];
  int seen[8] = {0};
  for (int i = 0; i < 64; i++)
    x[i][0] = 1, x[i][1] = 0.01 * (i - 30), x[i][2] = 0.001 * i * i / 64, y[i] = i % 2 ? 5 : -5;
  for (int k = 0; k < 20; k++) {
    sampling all = {.batch = 64};
    one_step(all, x, y, 64, (uint64_t)k, k ? sum : first);
    for (int j = 0; j < 3 && k; j++) assert_true(fabs(sum[j] - first[j]) < 1e-6);
  }
  for (int i = 0; i < 8; i++) x[i][0] = 1, x[i][1] = 0.1 * i, x[i][2] = 0, y[i] = -5;
  for (int k = 0; k < 800; k++) {
    sampling one = {.batch = 1};
    one_step(one, x, y, 8, (uint64_t)k, sum);
    seen[(int)nearbyint(sum[1] / sum[0] * 10)]++;
  }
  for (int i = 0; i < 8; i++) assert_true(seen[i] > 50 && seen[i] < 150); /* 100, standard deviation 9.4 */
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
      cmocka_unit_test(policies_verify),
      cmocka_unit_test(tampered_certificates_fail),
      cmocka_unit_test(sums_move_no_further_than_stated),
      cmocka_unit_test(samples_have_their_size),
      cmocka_unit_test(a_batch_has_no_record_twice),
      cmocka_unit_test(it_learns),
      cmocka_unit_test(add_remove_does_not_know_n),
      cmocka_unit_test(refusals_come_first),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
