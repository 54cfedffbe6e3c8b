/* Learners for a decision's sake: how well they do, what they promise, what they refuse. */
#include "learn/spo.h"
#include "policy/policy.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/study.h>

#include <cmocka.h>

/* A grid of 3 x 3 with the generator of reference/spo.md, degree 6 and noise 0.5. */
enum { D = 12, FEATURES = 3, N = 1500, TEST = 2000, COLUMNS = FEATURES + D };
static const char GRID[] = "{\"kind\": \"grid\", \"rows\": 3, \"columns\": 3}";
static double values[COLUMNS][N], unseen[COLUMNS][TEST];
static const char *names[COLUMNS];
static tacit_region *region;
static tacit_schema *known, *wide; /* features on a known scale, or only within bounds */

static tacit_schema *schema_of(const char *feature) {
  static char text[8192];
  size_t at = (size_t)snprintf(text, sizeof text, "{\"target\": [");
  for (int t = 0; t < D; t++)
    at += (size_t)snprintf(text + at, sizeof text - at,
                           "%s{\"name\": \"%s\", \"center\": 730, \"scale\": 1000}", t ? ", " : "",
                           names[FEATURES + t]);
  at += (size_t)snprintf(text + at, sizeof text - at, "], \"features\": [");
  for (int j = 0; j < FEATURES; j++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%s{\"name\": \"%s\", %s}", j ? ", " : "", names[j],
                           feature);
  snprintf(text + at, sizeof text - at, "]}");
  tacit_schema *schema;
  tacit_error error = {""};
  if (tacit_schema_parse(text, strlen(text), &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

static void draw(tacit_stream *stream, const int *model, double (*row)(int column, int i, double v),
                 int rows) {
  for (int i = 0; i < rows; i++) {
    double x[FEATURES];
    for (int j = 0; j < FEATURES; j++) row(j, i, x[j] = tacit_normal(stream));
    for (int t = 0; t < D; t++) {
      double sum = 0;
      for (int j = 0; j < FEATURES; j++) sum += model[t * FEATURES + j] * x[j];
      row(FEATURES + t, i, (pow(sum / sqrt(FEATURES) + 3, 6) + 1) * (0.5 + tacit_uniform(stream)));
    }
  }
}
static double train(int column, int i, double v) {
  return values[column][i] = v;
}
static double test(int column, int i, double v) {
  return unseen[column][i] = v;
}

static int set_up(void **state) {
  (void)state;
  static char text[COLUMNS][8];
  tacit_noise_source source;
  tacit_stream stream;
  int model[D * FEATURES];
  tacit_noise_source_seeded(&source, 5);
  if (tacit_stream_begin(&source, &stream, NULL) != TACIT_OK) return -1;
  for (int j = 0; j < COLUMNS; j++) {
    snprintf(text[j], sizeof text[j], j < FEATURES ? "x%d" : "c%d", j < FEATURES ? j : j - FEATURES);
    names[j] = text[j];
  }
  for (int k = 0; k < D * FEATURES; k++) model[k] = (int)tacit_stream_below(&stream, 2);
  draw(&stream, model, train, N);
  draw(&stream, model, test, TEST);
  known = schema_of("\"center\": 0, \"scale\": 1");
  wide = schema_of("\"min\": -4, \"max\": 12");
  return tacit_region_parse(GRID, strlen(GRID), &region, NULL) == TACIT_OK ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  tacit_schema_free(known);
  tacit_schema_free(wide);
  tacit_region_free(region);
  return 0;
}

static tacit_learn_options options_of(const char *method, double mu) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = method;
  options.region = region;
  options.mu = mu;
  options.seeded = true;
  options.seed = 17;
  return options;
}

static tacit_source *table(double (*columns)[N], size_t rows) {
  static const double *numbers[COLUMNS];
  static const char *const *texts[COLUMNS];
  tacit_source *source;
  for (int j = 0; j < COLUMNS; j++) numbers[j] = columns ? columns[j] : unseen[j];
  assert_int_equal(tacit_source_columns(rows, COLUMNS, names, numbers, texts, &source, NULL), TACIT_OK);
  return source;
}

static tacit_policy *learn(const tacit_schema *schema, const tacit_learn_options *options, int threads) {
  tacit_fit *fit;
  tacit_policy *policy;
  tacit_error error = {""};
  tacit_context context;
  tacit_context_init(&context);
  context.threads = threads;
  tacit_source *source = table(values, N);
  if (tacit_learn(schema, source, options, &context, &fit, &error) != TACIT_OK) fail_msg("%s", error.text);
  assert_int_equal(tacit_spo_policy_new(schema, region, tacit_fit_coefficients(fit),
                                        tacit_fit_certificate(fit), &policy, &error),
                   TACIT_OK);
  tacit_source_free(source);
  tacit_fit_free(fit);
  return policy;
}

/* Normalised SPO loss on rows that were not learned from. */
static double loss_of(tacit_policy *policy) {
  tacit_spo_evaluation result;
  tacit_source *source = table(NULL, TEST);
  assert_int_equal(tacit_spo_evaluate(policy, source, &result, NULL, NULL), TACIT_OK);
  tacit_source_free(source);
  tacit_policy_free(policy);
  return result.normalized_spo_loss;
}

static double loss(const tacit_schema *schema, const char *method, double mu) {
  tacit_learn_options options = options_of(method, mu);
  return loss_of(learn(schema, &options, 1));
}

static void learning_for_the_decision_pays(void **state) {
  (void)state;
  double best = loss(known, "spo-plus", 0), squares = loss(known, "least-squares-exact", 0);
  double private = loss(known, "default", 1), noisy = loss(known, "least-squares", 1);
  assert_true(best < squares);
  assert_true(private < 1.1 * best + 0.003); /* what privacy costs */
  assert_true(private < noisy);
  assert_true(private < squares);
  /* bounds alone, in which features fill an eighth: whitening makes up for it */
  assert_true(loss(wide, "default", 1) < 1.2 * best + 0.005);
}

static void exponential_descent_moves_the_right_way(void **state) {
  (void)state;
  tacit_learn_options options = options_of("exponential", 0);
  options.epsilon = 200; /* next to no privacy: nearly every sign is told truly */
  options.delta = 1e-5;
  options.spo_exponential.steps = 400;
  double told = loss_of(learn(known, &options, 1));
  options.epsilon = 0.01;
  double coin = loss_of(learn(known, &options, 1));
  assert_true(told < 0.6 * coin);
}

static void threads_do_not_change_a_byte(void **state) {
  (void)state;
  static const char *const methods[] = {"default", "least-squares", "spo-plus"};
  for (size_t i = 0; i < 3; i++) {
    tacit_learn_options options = options_of(methods[i], i < 2 ? 0.5 : 0);
    if (i == 2) options.spo_plus.steps = 10;
    tacit_policy *one = learn(wide, &options, 1), *many = learn(wide, &options, 3);
    char *a = tacit_policy_text(one), *b = tacit_policy_text(many);
    assert_string_equal(a, b);
    free(a);
    free(b);
    tacit_policy_free(one);
    tacit_policy_free(many);
  }
}

typedef struct purse {
  tacit_cost cost;
  int calls;
  tacit_status answer;
} purse;
static tacit_status pay(void *user, const tacit_cost *cost, tacit_error *error) {
  (void)error;
  purse *p = user;
  p->cost = *cost;
  p->calls++;
  return p->answer;
}

/* Real noise: the promise is kept and verifies; what was spent is what was asked for. */
static void promises_hold(void **state) {
  (void)state;
  static const char *const methods[] = {"default", "least-squares", "exponential"};
  for (size_t i = 0; i < 6; i++) {
    purse p = {.answer = TACIT_OK};
    tacit_learn_options options = options_of(methods[i % 3], i % 3 == 2 ? 0 : 0.7);
    options.seeded = false;
    options.epsilon = i % 3 == 2 ? 2 : 0;
    options.delta = i % 3 == 2 ? 1e-6 : 0;
    options.spend = pay;
    options.spend_user = &p;
    options.adjacency = i < 3 ? TACIT_REPLACE_ONE : TACIT_ADD_REMOVE;
    options.nominal_rows = i < 3 ? 0 : 1000;
    tacit_policy *policy = learn(i % 2 ? known : wide, &options, 1), *again;
    tacit_verdict verdict;
    tacit_policy_verify(policy, &verdict);
    for (size_t k = 0; k < verdict.count; k++)
      if (!verdict.checks[k].holds) fail_msg("%s: %s", methods[i % 3], verdict.checks[k].text);
    assert_true(verdict.holds);
    if (i % 3 == 2)
      assert_true(verdict.delta <= 1e-6 && p.cost.mu == 0 && p.cost.epsilon == 2 && p.cost.rdp[3] > 0);
    else
      assert_true(verdict.mu <= 0.7 && verdict.mu > 0.6999 && p.cost.mu == 0.7);
    assert_int_equal(p.calls, 1);
    assert_int_equal(policy->certificate->rows, i < 3 ? N : 1000);
    char *text = tacit_policy_text(policy);
    assert_int_equal(tacit_policy_parse(text, strlen(text), &again, NULL), TACIT_OK);
    char *copy = tacit_policy_text(again);
    assert_string_equal(text, copy);
    tacit_policy_verify(again, &verdict);
    assert_true(verdict.holds);
    free(text);
    free(copy);
    tacit_policy_free(policy);
    tacit_policy_free(again);
  }
}

/* Under add-remove nothing but the sums may depend on the number of rows: not a refusal, not the steps. */
static void an_empty_table_is_learned_from(void **state) {
  (void)state;
  static const char *const methods[] = {"default", "least-squares"};
  for (size_t i = 0; i < 2; i++) {
    tacit_learn_options options = options_of(methods[i], 1);
    options.adjacency = TACIT_ADD_REMOVE;
    options.nominal_rows = 500;
    tacit_source *source = table(values, 0);
    tacit_fit *fit;
    assert_int_equal(tacit_learn(wide, source, &options, NULL, &fit, NULL), TACIT_OK);
    tacit_fit_free(fit);
    tacit_source_free(source);
  }
}

static void a_refused_payment_releases_nothing(void **state) {
  (void)state;
  static const char *const methods[] = {"default", "least-squares"};
  for (size_t i = 0; i < 2; i++) {
    purse p = {.answer = TACIT_REFUSED};
    tacit_learn_options options = options_of(methods[i], 0.5);
    options.spend = pay;
    options.spend_user = &p;
    tacit_source *source = table(values, N);
    tacit_fit *fit;
    assert_int_equal(tacit_learn(known, source, &options, NULL, &fit, NULL), TACIT_REFUSED);
    assert_null(fit);
    assert_int_equal(p.calls, 1);
    tacit_source_free(source);
  }
}

static void expect(tacit_status status, const char *text, const tacit_learn_options *options) {
  tacit_source *source = table(values, N);
  tacit_fit *fit;
  tacit_error error = {""};
  assert_int_equal(tacit_learn(known, source, options, NULL, &fit, &error), status);
  assert_null(fit);
  if (!strstr(error.text, text)) fail_msg("\"%s\" does not say \"%s\"", error.text, text);
  tacit_source_free(source);
}

static void refusals_come_first(void **state) {
  (void)state;
  tacit_learn_options o = options_of("default", 0);
  expect(TACIT_USAGE, "mu must be above 0", &o);
  o = options_of("default", 1);
  o.epsilon = 1;
  expect(TACIT_USAGE, "is Gaussian: give mu", &o);
  o = options_of("exponential", 1);
  expect(TACIT_USAGE, "give epsilon", &o);
  o = options_of("exponential", 0);
  o.epsilon = 1;
  expect(TACIT_USAGE, "delta", &o);
  o = options_of("least-squares", 1);
  o.spo_gaussian.steps = 4;
  expect(TACIT_USAGE, "no option steps; it has none", &o);
  o = options_of("best", 1);
  expect(TACIT_USAGE, "no method", &o);
  o = options_of("default", 1e-5);
  expect(TACIT_REFUSED, "too little", &o);
  o = options_of("least-squares", 1e-5);
  expect(TACIT_REFUSED, "too little", &o);
  o = options_of("default", 1);
  o.spo_gaussian.growth = 1e6;
  o.spo_gaussian.steps = 100000;
  expect(TACIT_REFUSED, "more noise than the grid", &o);
  o = options_of("default", 1);
  o.spo_gaussian.clip_norm = -1;
  expect(TACIT_USAGE, "clip-norm must be", &o);
  o = options_of("default", 1);
  o.adjacency = TACIT_ADD_REMOVE;
  expect(TACIT_REFUSED, "nominal", &o);
  tacit_region *other;
  static const char simplex[] = "{\"kind\": \"simplex\", \"dimension\": 5}";
  assert_int_equal(tacit_region_parse(simplex, strlen(simplex), &other, NULL), TACIT_OK);
  o = options_of("default", 1);
  o.region = other;
  expect(TACIT_BAD_INPUT, "5 coordinates, but the schema has 12", &o);
  tacit_region_free(other);
}

/* A mutated file is refused, fails to verify, or still promises no less than its mechanisms give. */
static void mutated_files_do_no_harm(void **state) {
  (void)state;
  tacit_learn_options options = options_of("default", 0.7);
  options.seeded = false;
  tacit_policy *policy = learn(wide, &options, 1);
  char *text = tacit_policy_text(policy), *start = strstr(text, "\"schema\"");
  size_t length = strlen(text), from = (size_t)(start - text);
  char *copy = malloc(length + 1);
  static const char bytes[] = "0123456789.-eE{}[]\",: truefalsn";
  uint64_t random = 88172645463325252u;
  int held = 0, mutants = getenv("TACIT_QUICK") ? 100 : 1500;
  for (int i = 0; i < mutants; i++) {
    memcpy(copy, text, length + 1);
    for (int k = 0; k <= i % 3; k++) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      size_t at = i % 4 ? from + (random >> 8) % (length - from) : (random >> 8) % length;
      copy[at] = bytes[random % (sizeof bytes - 1)];
    }
    tacit_policy *mutant;
    if (tacit_policy_parse(copy, length, &mutant, NULL) != TACIT_OK) continue;
    tacit_verdict verdict;
    tacit_policy_verify(mutant, &verdict);
    if (verdict.holds) {
      held++;
      const tacit_certificate *c = mutant->certificate;
      assert_true(tacit_certificate_mu(c) <= c->mu && c->private && c->noise == TACIT_NOISE_OS);
      assert_int_equal(c->releases, policy->certificate->releases);
      assert_true(json_equal(mutant->region->json, policy->region->json));
    }
    tacit_policy_free(mutant);
  }
  if (mutants > 1000) assert_true(held > 0); /* some change only a last digit of a coefficient */
  free(copy);
  free(text);
  tacit_policy_free(policy);
}

static void a_decision_minimises_the_predicted_cost(void **state) {
  (void)state;
  tacit_learn_options options = options_of("default", 1);
  tacit_policy *policy = learn(known, &options, 1);
  const double x[FEATURES + 1] = {1, 0.3, -1, 0.7};
  double *work = calloc(D + tacit_region_work(region) + 1, sizeof *work), w[D], best[D], costs[D];
  assert_int_equal(tacit_spo_decide(policy, x, work, w, NULL), TACIT_OK);
  for (size_t t = 0; t < D; t++) {
    costs[t] = tacit_policy_coefficient(policy, t, 0);
    for (size_t j = 1; j <= FEATURES; j++) costs[t] += x[j] * tacit_policy_coefficient(policy, t, j);
    assert_true(fabs(costs[t] - tacit_policy_decide(policy, t, x)) < 1e-6);
  }
  assert_int_equal(tacit_region_minimise(region, costs, NULL, work, best, NULL, NULL), TACIT_OK);
  assert_memory_equal(w, best, sizeof w);
  free(work);
  tacit_policy_free(policy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(learning_for_the_decision_pays),
      cmocka_unit_test(exponential_descent_moves_the_right_way),
      cmocka_unit_test(threads_do_not_change_a_byte),
      cmocka_unit_test(promises_hold),
      cmocka_unit_test(an_empty_table_is_learned_from),
      cmocka_unit_test(a_refused_payment_releases_nothing),
      cmocka_unit_test(refusals_come_first),
      cmocka_unit_test(mutated_files_do_no_harm),
      cmocka_unit_test(a_decision_minimises_the_predicted_cost),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
