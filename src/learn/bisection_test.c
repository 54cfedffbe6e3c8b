/* Bisection: it finds the quantile as nearly as its noise allows, spends its budget, looks at nothing but
   rows and seed, and its policies verify as they were written and in no other way. */
#include "learn/task.h"
#include "method/shares.h"
#include "policy/policy.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 5000, TARGETS = 2 };
static double column[TARGETS + 1][N]; /* two targets and a feature */
static const char *const NAMES[] = {"y", "w", "x"};

#define Y "{\"name\": \"y\", \"min\": -20, \"max\": 60}"
#define W "{\"name\": \"w\", \"center\": 5, \"scale\": 2}"
#define X ", \"features\": [{\"name\": \"x\", \"min\": -4, \"max\": 4}]"
static const char ONE[] = "{\"target\": " Y X "}";
static const char TWO[] = "{\"target\": [" Y ", " W "]" X "}";
static const char UNITS[] = "{\"target\": " Y X ", \"nominal_rows\": 900, \"unit\": {\"rows_per_unit\": 3}}";

static int set_up(void **state) {
  (void)state;
  tacit_noise_source source;
  tacit_stream stream;
  tacit_noise_source_seeded(&source, 17);
  if (tacit_stream_begin(&source, &stream, NULL) != TACIT_OK) return -1;
  for (int i = 0; i < N; i++) {
    column[2][i] = tacit_normal(&stream);
    column[0][i] = 10 + 3 * column[2][i] + 2 * tacit_normal(&stream);
    column[1][i] = 5 - log(tacit_uniform(&stream));
  }
  return 0;
}

static tacit_schema *schema_of(const char *text) {
  tacit_schema *schema;
  tacit_error error = {""};
  if (tacit_schema_parse(text, strlen(text), &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

static tacit_learn_options asked(const tacit_schema *schema, const double *taus, double mu, uint64_t seed) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = "bisection";
  options.quantiles = taus;
  options.quantile_count = schema->target_count;
  options.mu = mu;
  options.seeded = seed != 0;
  options.seed = seed;
  return options;
}

/* From the first rows, in their order or the reverse. */
static tacit_fit *learn(const tacit_schema *schema, const tacit_learn_options *options, size_t rows,
                        int threads, bool reversed) {
  static double copy[TARGETS + 1][N];
  const double *columns[TARGETS + 1];
  for (size_t j = 0; j <= TARGETS; j++) {
    for (size_t i = 0; i < rows; i++) copy[j][i] = column[j][reversed ? rows - 1 - i : i];
    columns[j] = copy[j];
  }
  tacit_source *source;
  tacit_fit *fit = NULL;
  tacit_error error = {""};
  tacit_context context;
  tacit_context_init(&context);
  context.threads = threads;
  assert_int_equal(tacit_source_columns(rows, TARGETS + 1, NAMES, columns, NULL, &source, NULL), TACIT_OK);
  tacit_status status = tacit_learn(schema, source, options, &context, &fit, &error);
  tacit_source_free(source);
  if (status != TACIT_OK) fail_msg("%s", error.text);
  return fit;
}

static double share_below(size_t target, double order, size_t rows) {
  size_t below = 0;
  for (size_t i = 0; i < rows; i++) below += column[target][i] <= order;
  return (double)below / (double)rows;
}

/* If no noise is more than 5 sigma, then before the last bracket at most tau + 5 sigma / n of the rows lie,
   and up to its end at least tau - 5 sigma / n. Of the 6000 noises here one is larger with a chance of 0.4 %;
   the seeds are fixed. */
static void assert_near(const tacit_fit *fit, const tacit_schema *schema, size_t target, double tau,
                        size_t rows) {
  const tacit_scale *scale = &schema->targets[target].scale;
  const tacit_mechanism *m = &fit->certificate->mechanisms[target];
  double noise = 5 * ldexp(m->sigma, -m->bits) / (double)rows;
  double width = ldexp(2 * fmin(scale->limit, TACIT_SCALE_LIMIT), -(int)m->count) * scale->half;
  double order = scale->center + scale->half * fit->coefficients[target * schema->columns];
  if (share_below(target, order - width * 1.001, rows) > tau + noise ||
      share_below(target, order + width * 1.001, rows) < tau - noise)
    fail_msg("target %zu, quantile %g, %zu rows: %g, where %g is below", target, tau, rows, order,
             share_below(target, order, rows));
}

static void it_learns_as_nearly_as_noise_allows(void **state) {
  (void)state;
  static const double mus[] = {0.05, 0.5, 2, 50}, taus[] = {0.02, 0.5, 0.9};
  tacit_schema *schema = schema_of(TWO);
  for (int k = 0; k < 4 * 3 * 2; k++)
    for (uint64_t seed = 1; seed <= 8; seed++) {
      const double both[] = {taus[k % 3], taus[(k + 1) % 3]};
      size_t rows = k < 12 ? N : N / 10;
      tacit_learn_options options = asked(schema, both, mus[k / 3 % 4], seed);
      tacit_fit *fit = learn(schema, &options, rows, 2, false);
      for (size_t t = 0; t < 2; t++) {
        assert_near(fit, schema, t, both[t], rows);
        assert_true(fit->coefficients[t * schema->columns + 1] == 0);
      }
      tacit_fit_free(fit);
    }
  tacit_schema_free(schema);
}

/* With next to no noise the bracket closes around the quantile: within 2 rows of 5000 and the width of one.
 */
static void without_noise_it_is_the_quantile(void **state) {
  (void)state;
  const double tau = 0.75;
  tacit_schema *schema = schema_of(ONE);
  tacit_learn_options options = asked(schema, &tau, 1000, 1);
  tacit_fit *fit = learn(schema, &options, N, 1, false);
  double order = 20 + 40 * fit->coefficients[0];
  assert_true(fabs(share_below(0, order, N) - tau) < 2.5 / N);
  tacit_fit_free(fit);
  tacit_schema_free(schema);
}

/* The whole budget, whatever the unit, the adjacency and the number of targets; and as many counts as the
   certificate states. */
static void it_spends_what_was_asked(void **state) {
  (void)state;
  static const char *const schemas[] = {ONE, TWO, UNITS};
  const double taus[] = {0.6, 0.3};
  for (int k = 0; k < 3 * 2; k++) {
    tacit_schema *schema = schema_of(schemas[k % 3]);
    tacit_learn_options options = asked(schema, taus, 0.7, 3);
    options.adjacency = k < 3 ? TACIT_REPLACE_ONE : TACIT_ADD_REMOVE;
    options.nominal_rows = k < 3 ? 0 : 800;
    tacit_fit *fit = learn(schema, &options, N, 1, false);
    const tacit_certificate *c = fit->certificate;
    double mu = tacit_certificate_mu(c);
    assert_true(mu <= 0.7 && mu > 0.7 * (1 - 1e-9));
    assert_int_equal(c->mechanism_count, schema->target_count);
    assert_true(tacit_certificate_find(c, "halvings")->number * (double)schema->target_count ==
                (double)c->releases);
    assert_true(c->mechanisms[0].sensitivity == ldexp((double)schema->rows_per_unit, TACIT_SCORE_BITS));
    tacit_fit_free(fit);
    tacit_schema_free(schema);
  }
}

static void nothing_but_rows_and_seed_matters(void **state) {
  (void)state;
  const double taus[] = {0.6, 0.3};
  tacit_schema *schema = schema_of(TWO);
  tacit_learn_options options = asked(schema, taus, 1, 5);
  tacit_fit *first = learn(schema, &options, N, 1, false);
  for (int k = 1; k < 6; k++) {
    tacit_fit *again = learn(schema, &options, N, k, k % 2);
    assert_memory_equal(first->coefficients, again->coefficients, 4 * sizeof(double));
    tacit_fit_free(again);
  }
  tacit_fit_free(first);
  tacit_schema_free(schema);
}

/* Under add-remove the number of rows is private: three rows give the certificate of five thousand. */
static void a_private_number_of_rows_is_not_told(void **state) {
  (void)state;
  const double tau = 0.6;
  tacit_schema *schema = schema_of(UNITS);
  tacit_learn_options options = asked(schema, &tau, 1, 5);
  options.adjacency = TACIT_ADD_REMOVE;
  tacit_fit *many = learn(schema, &options, N, 1, false), *few = learn(schema, &options, 3, 1, false);
  const tacit_certificate *a = many->certificate, *b = few->certificate;
  assert_true(a->rows == b->rows && a->releases == b->releases);
  assert_true(a->mechanisms[0].sigma == b->mechanisms[0].sigma);
  assert_true(a->settings[0].number == b->settings[0].number);
  tacit_fit_free(many);
  tacit_fit_free(few);
  tacit_schema_free(schema);
}

static bool verifies(const tacit_schema *schema, const double *coefficients,
                     const tacit_certificate *certificate) {
  static const tacit_goal goals[] = {{.quantile = 0.6}, {.quantile = 0.3}};
  tacit_policy *policy;
  tacit_verdict verdict;
  assert_int_equal(tacit_policy_new(schema, coefficients, certificate, goals, &policy, NULL), TACIT_OK);
  tacit_policy_verify(policy, &verdict);
  tacit_policy_free(policy);
  return verdict.holds;
}

/* Noise of the operating system, since a seeded policy does not verify. */
static void its_list_verifies_and_no_other_does(void **state) {
  (void)state;
  const double taus[] = {0.6, 0.3};
  tacit_schema *schema = schema_of(TWO);
  tacit_learn_options options = asked(schema, taus, 1, 0);
  tacit_fit *fit = learn(schema, &options, N, 1, false);
  tacit_certificate *c = fit->certificate;
  double *b = fit->coefficients;
  assert_true(verifies(schema, b, c));
  for (size_t i = 0; i < c->mechanism_count; i++) {
    tacit_mechanism *m = &c->mechanisms[i], as_it_was = *m;
    const double factors[] = {0.999, 1 - 1e-12, 1 + 1e-12, 1.001};
    for (int k = 0; k < 4; k++) { /* more noise is no more what the plan says than less is */
      m->sigma = as_it_was.sigma * factors[k];
      assert_false(verifies(schema, b, c));
    }
    *m = as_it_was;
    m->count--;
    assert_false(verifies(schema, b, c));
    *m = as_it_was;
  }
  c->settings[0].number++;
  assert_false(verifies(schema, b, c));
  c->settings[0].number--;
  b[1] = 1e-9; /* a slope that nothing paid for */
  assert_false(verifies(schema, b, c));
  b[1] = 0;
  double order = b[0];
  b[0] = 1.01; /* beyond the target's bounds */
  assert_false(verifies(schema, b, c));
  b[0] = order;
  assert_true(verifies(schema, b, c));
  tacit_fit_free(fit);
  tacit_schema_free(schema);
}

/* Nor does a list that keeps the promise, but with another number of halvings than the public facts give. */
static void another_plan_does_not_verify(void **state) {
  (void)state;
  const double tau = 0.6;
  tacit_schema *schema = schema_of(ONE);
  tacit_learn_options options = asked(schema, &tau, 1, 0);
  tacit_fit *fit = learn(schema, &options, N, 1, false);
  tacit_certificate *c = fit->certificate;
  tacit_mechanism *m = &c->mechanisms[0];
  uint64_t halvings = m->count;
  for (uint64_t k = halvings - 1; k <= halvings + 1; k++) {
    c->settings[0].number = (double)k;
    c->releases = m->count = k;
    m->sigma = tacit_share_sigma(m->sensitivity, 1, 1 / (double)k);
    assert_true(tacit_certificate_mu(c) <= 1);
    assert_int_equal(verifies(schema, fit->coefficients, c), k == halvings);
  }
  tacit_fit_free(fit);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_learns_as_nearly_as_noise_allows),
      cmocka_unit_test(without_noise_it_is_the_quantile),
      cmocka_unit_test(it_spends_what_was_asked),
      cmocka_unit_test(nothing_but_rows_and_seed_matters),
      cmocka_unit_test(a_private_number_of_rows_is_not_told),
      cmocka_unit_test(its_list_verifies_and_no_other_does),
      cmocka_unit_test(another_plan_does_not_verify),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
