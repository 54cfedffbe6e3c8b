/* Linear rules by Newton steps: it learns, it keeps its budget, it never fails, and only rows and seed decide
 * its result. */
#include "learn/median_newton.h"
#include "learn/task.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 600, D_MAX = 60 };
static double feature[D_MAX][N], demand[N];
static char names_text[D_MAX][32];

typedef enum shape { PLAIN, COLLINEAR, CONSTANT, BINARY, HEAVY, ALL_ZERO, TIED, SHAPES } shape;

static void fill(shape kind, uint64_t seed) {
  tacit_noise_source source;
  tacit_stream stream;
  tacit_noise_source_seeded(&source, seed);
  assert_int_equal(tacit_stream_begin(&source, &stream, NULL), TACIT_OK);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < D_MAX; j++) feature[j][i] = tacit_normal(&stream);
    demand[i] = 1 + feature[0][i] - 2 * feature[1][i] + tacit_normal(&stream);
    if (kind == COLLINEAR) feature[2][i] = feature[0][i];
    if (kind == CONSTANT) feature[1][i] = 3;
    if (kind == BINARY) demand[i] = demand[i] > 0;
    if (kind == HEAVY) demand[i] += 50 * tacit_normal(&stream) / tacit_uniform(&stream);
    if (kind == TIED) demand[i] = tacit_uniform(&stream) < 0.8 ? 0 : 10 + 20 * tacit_uniform(&stream);
    if (kind == ALL_ZERO) demand[i] = feature[0][i] = feature[1][i] = 0;
  }
}

/* Features either on a known scale or with bounds that are much too wide. */
static tacit_schema *schema_for(size_t d, bool known, size_t targets) {
  static char text[D_MAX * 64 + 200];
  size_t used = (size_t)snprintf(
      text, sizeof text,
      "{\"target\": %s{\"name\": \"y\", \"min\": -40, \"max\": 40}%s, \"nominal_rows\": 600, \"features\": [",
      targets > 1 ? "[" : "", targets > 1 ? ", {\"name\": \"x0\", \"center\": 0, \"scale\": 1}]" : "");
  for (size_t j = targets - 1; j < d; j++) {
    snprintf(names_text[j], sizeof names_text[j], "x%zu", j);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s{\"name\": \"x%zu\", %s}",
                             j > targets - 1 ? "," : "", j,
                             known ? "\"center\": 0, \"scale\": 1" : "\"min\": -30, \"max\": 30");
  }
  snprintf(text + used, sizeof text - used, "]}");
  snprintf(names_text[0], sizeof names_text[0], "x0");
  tacit_schema *schema;
  tacit_error error;
  if (tacit_schema_parse(text, strlen(text), &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

static tacit_status learn(const tacit_schema *schema, size_t d, const tacit_learn_options *options,
                          int threads, bool reversed, size_t rows, tacit_fit **fit) {
  static double copy[D_MAX + 1][N];
  const double *columns[D_MAX + 1];
  const char *names[D_MAX + 1];
  const char *const *texts[D_MAX + 1] = {0};
  for (size_t j = 0; j <= d; j++) {
    for (size_t i = 0; i < rows; i++) {
      size_t from = reversed ? rows - 1 - i : i;
      copy[j][i] = j < d ? feature[j][from] : demand[from];
    }
    columns[j] = copy[j];
    names[j] = j < d ? names_text[j] : "y";
  }
  tacit_source *source;
  tacit_context context;
  tacit_context_init(&context);
  context.threads = threads;
  assert_int_equal(tacit_source_columns(rows, d + 1, names, columns, texts, &source, NULL), TACIT_OK);
  tacit_status status = tacit_learn(schema, source, options, &context, fit, NULL);
  tacit_source_free(source);
  return status;
}

static tacit_learn_options seeded(const double *tau, size_t targets, double mu, uint64_t seed) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = "median-newton";
  options.quantiles = tau;
  options.quantile_count = targets;
  options.mu = mu;
  options.seeded = true;
  options.seed = seed;
  return options;
}

/* With next to no noise the slopes are the true ones; at mu = 0.5 they are near. */
static void it_learns(void **state) {
  (void)state;
  fill(PLAIN, 1);
  double tau = 0.7;
  for (int known = 0; known < 2; known++)
    for (int noisy = 0; noisy < 2; noisy++) {
      tacit_schema *schema = schema_for(4, known, 1);
      tacit_learn_options options = seeded(&tau, 1, noisy ? 0.5 : 1000, 5);
      tacit_fit *fit;
      assert_int_equal(learn(schema, 4, &options, 2, false, N, &fit), TACIT_OK);
      /* user's units: y half-range 40; features in scales, or in thirtieths */
      double unit = 40 / (known ? 1.0 : 30.0), within = noisy ? 0.6 : 0.15;
      assert_true(fabs(fit->coefficients[1] * unit - 1) < within);
      assert_true(fabs(fit->coefficients[2] * unit + 2) < within);
      assert_true(fabs(fit->coefficients[3] * unit) < within);
      assert_true(fabs(fit->coefficients[0] * 40 - (1 + 0.524)) < within); /* Q(0.7) = 0.524 */
      tacit_fit_free(fit);
      tacit_schema_free(schema);
    }
}

/* All releases together are the asked guarantee, for both adjacencies and several targets, and fewer rows
   change nothing under add-remove. */
static void it_keeps_its_budget(void **state) {
  (void)state;
  fill(PLAIN, 2);
  const double taus[] = {0.6, 0.2};
  for (int adjacency = 0; adjacency < 2; adjacency++)
    for (size_t targets = 1; targets <= 2; targets++) {
      tacit_schema *schema = schema_for(3, false, targets);
      tacit_learn_options options = seeded(taus, targets, 0.7, 3);
      options.adjacency = (tacit_adjacency)adjacency;
      tacit_fit *fit, *few;
      assert_int_equal(learn(schema, 3, &options, 1, false, N, &fit), TACIT_OK);
      double mu = tacit_certificate_mu(fit->certificate);
      assert_true(mu <= 0.7 && mu > 0.7 * (1 - 1e-9));
      if (adjacency == TACIT_ADD_REMOVE) {
        assert_int_equal(learn(schema, 3, &options, 1, false, 1, &few), TACIT_OK);
        assert_int_equal(few->certificate->releases, fit->certificate->releases);
        assert_int_equal(few->certificate->rows, fit->certificate->rows);
        tacit_fit_free(few);
      }
      tacit_fit_free(fit);
      tacit_schema_free(schema);
    }
}

static void nothing_but_rows_and_seed_matters(void **state) {
  (void)state;
  fill(PLAIN, 3);
  double tau = 0.4;
  tacit_schema *schema = schema_for(5, true, 1);
  tacit_learn_options options = seeded(&tau, 1, 0.8, 4);
  tacit_fit *first, *again;
  assert_int_equal(learn(schema, 5, &options, 1, false, N, &first), TACIT_OK);
  const int threads[] = {1, 2, 7};
  for (int k = 0; k < 6; k++) {
    assert_int_equal(learn(schema, 5, &options, threads[k % 3], k >= 3, N, &again), TACIT_OK);
    assert_memory_equal(first->coefficients, again->coefficients, 6 * sizeof(double));
    tacit_fit_free(again);
  }
  tacit_fit_free(first);
  tacit_schema_free(schema);
}

/* Awkward data, extreme budgets and quantiles, many and no features: always a policy with finite
 * coefficients. */
static void it_never_fails(void **state) {
  (void)state;
  const double taus[] = {0.01, 0.5, 0.99}, mus[] = {0.002, 0.05, 1, 10, 1000};
  const size_t dimensions[] = {0, 1, 6, 59};
  for (int kind = 0; kind < SHAPES; kind++) {
    fill((shape)kind, 10 + (uint64_t)kind);
    for (int k = 0; k < 3 * 5 * 4 * 2; k++) {
      size_t d = dimensions[k / 15 % 4], rows = k % 2 ? N : 61;
      tacit_schema *schema = schema_for(d, k / 60 == 0, 1);
      tacit_learn_options options = seeded(&taus[k % 3], 1, mus[k % 5], (uint64_t)k);
      tacit_fit *fit;
      assert_int_equal(learn(schema, d, &options, 1, false, rows, &fit), TACIT_OK);
      for (size_t j = 0; j <= d; j++) assert_true(fabs(fit->coefficients[j]) < 1e6);
      tacit_fit_free(fit);
      tacit_schema_free(schema);
    }
  }
}

static tacit_status count_spending(void *user, const tacit_cost *cost, tacit_error *error) {
  (void)error;
  *(double *)user += cost->mu;
  return cost->mu > 0.6 ? TACIT_REFUSED : TACIT_OK;
}

static void the_budget_is_spent_once_before_any_release(void **state) {
  (void)state;
  fill(PLAIN, 4);
  double tau = 0.5, spent = 0;
  tacit_schema *schema = schema_for(2, true, 1);
  tacit_learn_options options = seeded(&tau, 1, 0.5, 1);
  options.spend = count_spending;
  options.spend_user = &spent;
  tacit_fit *fit;
  assert_int_equal(learn(schema, 2, &options, 1, false, N, &fit), TACIT_OK);
  assert_true(spent == 0.5);
  tacit_fit_free(fit);
  options.mu = 0.7;
  assert_int_equal(learn(schema, 2, &options, 1, false, N, &fit), TACIT_REFUSED);
  assert_null(fit);
  options.mu = 1e-5; /* too little: refused before it is spent */
  spent = 0;
  assert_int_equal(learn(schema, 2, &options, 1, false, N, &fit), TACIT_REFUSED);
  assert_true(spent == 0);
  tacit_schema_free(schema);
}

/* Demand is 0 on four days of five, else uniform on 10..30. Its 0.9-quantile is 20 and its 0.1-quantile 0;
   mirrored, they are 0 and -20. The spread around the median is nothing, and the quantile is found all the
   same, in the place of the steps at tau. */
static void most_demand_may_have_one_value(void **state) {
  (void)state;
  for (int known = 0; known < 2; known++)
    for (int mirrored = 0; mirrored < 2; mirrored++)
      for (int low = 0; low < 2; low++) {
        double tau = low ? 0.1 : 0.9, sign = mirrored ? -1 : 1;
        fill(TIED, 3);
        for (int i = 0; i < N; i++) demand[i] *= sign;
        tacit_schema *schema = schema_for(2, known, 1);
        tacit_learn_options options = seeded(&tau, 1, 1, 9);
        tacit_fit *fit;
        assert_int_equal(learn(schema, 2, &options, 1, false, N, &fit), TACIT_OK);
        bool far = low == mirrored;
        double order = fit->coefficients[0] * 40;
        assert_true(far ? fabs(sign * order - 20) < 4 : fabs(order) < 1);
        for (size_t i = 0; i < fit->certificate->mechanism_count; i++)
          if (far) assert_true(fit->certificate->mechanisms[i].level != tau);
        assert_true(tacit_certificate_mu(fit->certificate) <= 1);
        tacit_fit_free(fit);
        tacit_schema_free(schema);
      }
}

/* An event of one row in two hundred, as a level and the only feature: nearly all rows coincide, and the
   moment's radius is theirs. It adds 20 to demand; without the variance that its mean tells, the slope has
   the wrong sign and several times the size. */
static void a_rare_level_is_not_blown_up(void **state) {
  (void)state;
  enum { ROWS = 60000 };
  static double y[ROWS];
  static const char *event[ROWS];
  const char *json = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 120}, "
                     "\"features\": [{\"name\": \"e\", \"levels\": [\"no\", \"yes\"]}]}";
  const char *names[] = {"e", "y"};
  const double *numbers[] = {NULL, y};
  const char *const *texts[] = {event, NULL};
  tacit_noise_source noise;
  tacit_stream stream;
  tacit_noise_source_seeded(&noise, 1);
  assert_int_equal(tacit_stream_begin(&noise, &stream, NULL), TACIT_OK);
  for (int i = 0; i < ROWS; i++) {
    bool on = tacit_uniform(&stream) < 0.005;
    event[i] = on ? "yes" : "no";
    y[i] = 50 + 20 * on + 3 * tacit_normal(&stream);
  }
  for (uint64_t seed = 1; seed <= 3; seed++) {
    double tau = 0.8;
    tacit_schema *schema;
    tacit_source *source;
    tacit_fit *fit;
    tacit_learn_options options = seeded(&tau, 1, 1, seed);
    assert_int_equal(tacit_schema_parse(json, strlen(json), &schema, NULL), TACIT_OK);
    assert_int_equal(tacit_source_columns(ROWS, 2, names, numbers, texts, &source, NULL), TACIT_OK);
    assert_int_equal(tacit_learn(schema, source, &options, NULL, &fit, NULL), TACIT_OK);
    double slope = 60 * fit->coefficients[1];
    assert_true(slope > 0 && slope < 25);
    tacit_fit_free(fit);
    tacit_source_free(source);
    tacit_schema_free(schema);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_learns),
      cmocka_unit_test(it_keeps_its_budget),
      cmocka_unit_test(nothing_but_rows_and_seed_matters),
      cmocka_unit_test(it_never_fails),
      cmocka_unit_test(most_demand_may_have_one_value),
      cmocka_unit_test(a_rare_level_is_not_blown_up),
      cmocka_unit_test(the_budget_is_spent_once_before_any_release),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
