/* Rules with a spread: they are learned where spreads differ, and only there; a minority is reached; nothing
   that rows hold makes a fit fail; threads and the order of rows change nothing; the budget is kept. */
#include "learn/location_scale.h"
#include "learn/task.h"
#include "loss/rule.h"
#include "random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 6000, LEVELS = 3 };
static double number[N], demand[N];
static const char *level[N];
static const char *const LEVEL[LEVELS] = {"a", "b", "c"};
static const double CENTRE[LEVELS] = {100, 300, 600}, SPREAD[LEVELS] = {5, 25, 125};

static const char SCHEMA[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 2000}, \"nominal_rows\": 6000, "
    "\"features\": [{\"name\": \"shop\", \"levels\": [\"a\", \"b\", \"c\"]}, "
    "{\"name\": \"x\", \"min\": -3, \"max\": 3}]}";

typedef enum shape {
  DIFFERENT,
  MINORITY,
  MOSTLY_ZERO,
  CONSTANT,
  HEAVY,
  TWO_KINDS,
  RARE,
  SKEWED,
  SHAPES
} shape;

static void fill(shape kind, uint64_t seed) {
  tacit_noise_source source;
  tacit_stream stream;
  tacit_noise_source_seeded(&source, seed);
  assert_int_equal(tacit_stream_begin(&source, &stream, NULL), TACIT_OK);
  for (size_t i = 0; i < N; i++) {
    size_t k = i % LEVELS;
    double e = tacit_normal(&stream), u = tacit_uniform(&stream);
    number[i] = tacit_normal(&stream);
    level[i] = LEVEL[k];
    demand[i] = CENTRE[k] + 10 * number[i] + SPREAD[k] * e;
    if (kind == MINORITY) level[i] = LEVEL[u < 0.2], demand[i] = 400 + 2 * e + (u < 0.2 ? 150 : 0);
    if (kind == MOSTLY_ZERO) demand[i] = u < 0.9 ? 0 : 200 + 800 * tacit_uniform(&stream);
    if (kind == CONSTANT) demand[i] = 7, number[i] = 0, level[i] = "a";
    if (kind == TWO_KINDS) demand[i] = CENTRE[k] + 5 * e + (k == 2 && u < 0.2 ? 400 : 0);
    if (kind == RARE) level[i] = LEVEL[i % 2000 ? i % 2 : 2], demand[i] = i % 2000 ? 400 + 5 * e : 900 + e;
    if (kind == SKEWED) demand[i] = CENTRE[k] - SPREAD[k] * log(fmax(u, 1e-9));
    if (kind == HEAVY) demand[i] = 500 + 20 * e / fmax(u, 1e-9);
  }
}

static tacit_schema *schema_of(const char *text) {
  tacit_schema *schema;
  tacit_error error;
  if (tacit_schema_parse(text, strlen(text), &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

static tacit_fit *learn(const tacit_schema *schema, const tacit_learn_options *options, size_t rows,
                        int threads, bool reversed) {
  static double numbers[2][N];
  static const char *texts[N];
  static const char *const names[] = {"x", "y", "shop"};
  for (size_t i = 0; i < rows; i++) {
    size_t from = reversed ? rows - 1 - i : i;
    numbers[0][i] = number[from], numbers[1][i] = demand[from], texts[i] = level[from];
  }
  const double *columns[] = {numbers[0], numbers[1], NULL};
  const char *const *text_columns[] = {NULL, NULL, texts};
  tacit_source *source;
  tacit_context context;
  tacit_fit *fit = NULL;
  tacit_error error = {0};
  tacit_context_init(&context);
  context.threads = threads;
  assert_int_equal(tacit_source_columns(rows, 3, names, columns, text_columns, &source, NULL), TACIT_OK);
  if (tacit_learn(schema, source, options, &context, &fit, &error) != TACIT_OK) fail_msg("%s", error.text);
  tacit_source_free(source);
  return fit;
}

static tacit_learn_options asking(const char *method, const double *tau, double mu, uint64_t seed) {
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.method = method;
  options.quantiles = tau;
  options.quantile_count = 1;
  options.mu = mu;
  options.seeded = true;
  options.seed = seed;
  return options;
}

/* What is ordered in the user's units for a shop, at x = 0. */
static double order(const tacit_schema *schema, const tacit_fit *fit, size_t shop) {
  double x[4] = {1, shop == 1, shop == 2, 0};
  tacit_rule rule = tacit_fit_rule(fit, 0, tacit_scale_reach(&schema->targets[0].scale));
  return tacit_scale_decode(&schema->targets[0].scale, tacit_rule_order(&rule, x));
}

/* Three shops whose spreads are 5, 25 and 125: each gets its own 0.95-quantile, to within a third of its
   spread. Without a spread the smallest one's is missed by more than twice as much. */
static void each_level_has_its_own_spread(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(SCHEMA);
  double tau = 0.95, without = 0;
  fill(DIFFERENT, 1);
  for (uint64_t seed = 1; seed <= 5; seed++) {
    tacit_learn_options options = asking("location-scale", &tau, 2, seed);
    tacit_fit *fit = learn(schema, &options, N, 2, false);
    assert_non_null(fit->spread);
    for (size_t k = 0; k < LEVELS; k++)
      assert_true(fabs(order(schema, fit, k) - CENTRE[k] - 1.645 * SPREAD[k]) < SPREAD[k] / 3 + 1);
    assert_true(tacit_certificate_mu(fit->certificate) <= 2 &&
                tacit_certificate_mu(fit->certificate) > 1.9999);
    tacit_fit_free(fit);
    options = asking("median-newton", &tau, 2, seed);
    fit = learn(schema, &options, N, 2, false);
    without = fmax(without, fabs(order(schema, fit, 0) - CENTRE[0] - 1.645 * SPREAD[0]));
    tacit_fit_free(fit);
  }
  assert_true(without > SPREAD[0]);
  tacit_schema_free(schema);
}

/* At quantiles near the median, and where the budget does not buy it, there is no spread; the note says so.
 */
static void a_spread_only_where_it_pays(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(SCHEMA);
  double middle = 0.79, outer = 0.8;
  fill(DIFFERENT, 2);
  const struct {
    const double *tau;
    double mu;
    size_t rows;
    bool spread, note;
  } cases[] = {{&middle, 2, N, false, false},
               {&outer, 2, N, true, false},
               {&outer, 0.35, 100, false, true}, /* 35 for 3 features: slopes, but 12 for each are needed */
               {&outer, 0.36, 101, true, false},
               {&outer, 0.1, 200, false, true}}; /* not even slopes */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tacit_learn_options options = asking("location-scale", cases[i].tau, cases[i].mu, 3);
    tacit_fit *fit = learn(schema, &options, cases[i].rows, 1, false);
    assert_int_equal(fit->spread != NULL, cases[i].spread);
    assert_int_equal(tacit_fit_note(fit)[0] != 0, cases[i].note);
    tacit_fit_free(fit);
  }
  tacit_schema_free(schema);
}

/* One row in five lies 75 spreads above the others. */
static void a_minority_far_away_is_reached(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(SCHEMA);
  static const double taus[] = {0.5, 0.9};
  fill(MINORITY, 3);
  for (size_t t = 0; t < 2; t++) {
    tacit_learn_options options = asking("location-scale", &taus[t], 2, 4);
    tacit_fit *fit = learn(schema, &options, N, 2, false);
    assert_true(fabs(order(schema, fit, 1) - order(schema, fit, 0) - 150) < 3);
    tacit_fit_free(fit);
  }
  tacit_schema_free(schema);
}

/* One row in five of a shop lies 80 spreads above its others, and hardly any between them. Steps of the
   length that normal residuals ask for are 70 or more short of it. */
static void a_level_of_two_kinds_is_followed(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(SCHEMA);
  double tau = 0.9;
  fill(TWO_KINDS, 10);
  for (uint64_t seed = 1; seed <= 3; seed++) {
    tacit_learn_options options = asking("location-scale", &tau, 20, seed);
    tacit_fit *fit = learn(schema, &options, N, 2, false);
    assert_true(fabs(order(schema, fit, 2) - 1000) < 45 && fabs(order(schema, fit, 0) - 106) < 15);
    tacit_fit_free(fit);
  }
  tacit_schema_free(schema);
}

/* Exponential demand at the median, with one bandwidth for all shops: as wide as it is at first it leaves the
   second shop a tenth of its spread too high. */
static void a_wide_bandwidth_is_narrowed(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(SCHEMA);
  double tau = 0.5;
  fill(SKEWED, 12);
  tacit_learn_options options = asking("location-scale", &tau, 100, 1);
  tacit_fit *fit = learn(schema, &options, N, 2, false);
  assert_true(fabs(order(schema, fit, 1) - CENTRE[1] - log(2) * SPREAD[1]) < 0.06 * SPREAD[1]);
  tacit_fit_free(fit);
  tacit_schema_free(schema);
}

/* Three rows of 6000 have a level of their own, 500 above the others: whitened, it is longer than a cell of
   two bytes holds, and cut there it would not be told from a shorter one that stays at 423. */
static void a_rare_level_is_reached(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(SCHEMA);
  double tau = 0.9;
  fill(RARE, 11);
  tacit_learn_options options = asking("location-scale", &tau, 1000, 1);
  tacit_fit *fit = learn(schema, &options, N, 2, false);
  assert_true(order(schema, fit, 2) > 500);
  tacit_fit_free(fit);
  tacit_schema_free(schema);
}

/* A level that no row has, the last or the first: its coefficients would be noise, often far from all others;
   where its share looks like none they are held within those of the levels that were seen. */
static void an_unseen_level_gets_what_others_get(void **state) {
  (void)state;
  static const char *const LISTED[] = {"\"a\", \"b\", \"c\", \"none\"", "\"none\", \"a\", \"b\", \"c\""};
  double tau = 0.9;
  size_t within = 0;
  fill(DIFFERENT, 3);
  for (size_t i = 0; i < N; i++) /* levels that are much alike */
    demand[i] = 400 + 5 * (double)(i % LEVELS) + 50 * (demand[i] - CENTRE[i % LEVELS]) / SPREAD[i % LEVELS];
  for (uint64_t seed = 1; seed <= 24; seed++) {
    char json[256];
    size_t unseen = seed % 2 ? 3 : 0;
    snprintf(json, sizeof json,
             "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 2000}, \"features\": [{\"name\": \"shop\", "
             "\"levels\": [%s]}]}",
             LISTED[!unseen]);
    tacit_schema *schema = schema_of(json);
    tacit_learn_options options = asking("location-scale", &tau, 0.5, seed);
    tacit_fit *fit = learn(schema, &options, N, 2, false);
    tacit_rule rule = tacit_fit_rule(fit, 0, tacit_scale_reach(&schema->targets[0].scale));
    double least = INFINITY, most = -INFINITY, its = 0;
    for (size_t l = 0; l < 4; l++) {
      double x[4] = {1, l == 1, l == 2, l == 3}, order = tacit_rule_order(&rule, x);
      if (l == unseen) its = order;
      if (l != unseen) least = fmin(least, order), most = fmax(most, order);
    }
    within += its >= least - 1e-9 && its <= most + 1e-9;
    tacit_fit_free(fit);
    tacit_schema_free(schema);
  }
  assert_true(within >= 19);
}

/* Nine in ten of demand are zero: the quantile is found by halvings, near the true one, and the note says so.
 */
static void a_quantile_far_out_is_found(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(SCHEMA);
  double tau = 0.95;
  fill(MOSTLY_ZERO, 5);
  tacit_learn_options options = asking("location-scale", &tau, 1, 6);
  tacit_fit *fit = learn(schema, &options, N, 2, false);
  for (size_t k = 0; k < LEVELS; k++) assert_true(fabs(order(schema, fit, k) - 600) < 60);
  assert_non_null(strstr(tacit_fit_note(fit), "64 spreads"));
  tacit_fit_free(fit);
  tacit_schema_free(schema);
}

/* Whatever the rows are, a fit ends with finite numbers. */
static void nothing_makes_it_fail(void **state) {
  (void)state;
  static const char KNOWN[] =
      "{\"target\": {\"name\": \"y\", \"center\": 0, \"scale\": 1e-6}, \"nominal_rows\": 500, "
      "\"features\": [{\"name\": \"x\", \"center\": 0, \"scale\": 1e9}]}";
  static const double taus[] = {0.001, 0.1, 0.9, 0.999}, mus[] = {0.2, 3, 1e4};
  tacit_schema *schemas[] = {schema_of(SCHEMA), schema_of(KNOWN)};
  for (int kind = 0; kind < SHAPES; kind++) {
    fill((shape)kind, 7);
    for (size_t i = 0; i < 24; i++) {
      tacit_learn_options options = asking("location-scale", &taus[i % 4], mus[i / 4 % 3], i + 1);
      options.adjacency = i % 5 == 0 ? TACIT_ADD_REMOVE : TACIT_REPLACE_ONE;
      tacit_fit *fit = learn(schemas[i / 12], &options, 500, 1, false);
      for (size_t j = 0; j < fit->columns; j++) assert_true(isfinite(fit->coefficients[j]));
      for (size_t j = 0; fit->spread && j <= fit->columns; j++) assert_true(isfinite(fit->spread[j]));
      tacit_fit_free(fit);
    }
  }
  tacit_schema_free(schemas[0]);
  tacit_schema_free(schemas[1]);
}

/* A quantile at which densities vanish in doubles is refused before anything is spent. */
static void a_vanishing_quantile_is_refused(void **state) {
  (void)state;
  static const char *const methods[] = {"location-scale", "median-newton"};
  tacit_schema *schema = schema_of(SCHEMA);
  double tau = 1e-320;
  fill(DIFFERENT, 1);
  for (size_t m = 0; m < 2; m++) {
    tacit_learn_options options = asking(methods[m], &tau, 0.011, 1);
    const char *const names[] = {"x", "y", "shop"};
    const double *columns[] = {number, demand, NULL};
    const char *const *texts[] = {NULL, NULL, level};
    tacit_source *source;
    tacit_fit *fit;
    assert_int_equal(tacit_source_columns(N, 3, names, columns, texts, &source, NULL), TACIT_OK);
    assert_int_equal(tacit_learn(schema, source, &options, NULL, &fit, NULL), TACIT_REFUSED);
    tacit_source_free(source);
  }
  tacit_schema_free(schema);
}

static void threads_and_order_change_nothing(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(SCHEMA);
  double tau = 0.9;
  fill(DIFFERENT, 8);
  tacit_learn_options options = asking("location-scale", &tau, 1, 9);
  tacit_fit *one = learn(schema, &options, N, 1, false), *other = learn(schema, &options, N, 3, true);
  assert_memory_equal(one->coefficients, other->coefficients, one->columns * sizeof(double));
  assert_memory_equal(one->spread, other->spread, (one->columns + 1) * sizeof(double));
  tacit_fit_free(one);
  tacit_fit_free(other);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_level_has_its_own_spread),
      cmocka_unit_test(a_spread_only_where_it_pays),
      cmocka_unit_test(a_minority_far_away_is_reached),
      cmocka_unit_test(a_quantile_far_out_is_found),
      cmocka_unit_test(a_vanishing_quantile_is_refused),
      cmocka_unit_test(nothing_makes_it_fail),
      cmocka_unit_test(threads_and_order_change_nothing),
      cmocka_unit_test(a_level_of_two_kinds_is_followed),
      cmocka_unit_test(an_unseen_level_gets_what_others_get),
      cmocka_unit_test(a_rare_level_is_reached),
      cmocka_unit_test(a_wide_bandwidth_is_narrowed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
