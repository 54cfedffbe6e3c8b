/* The private evaluation: exact but for its noise, within its sensitivity whatever a row holds, and paid for
   before the noise is drawn (proofs/private-evaluation.md). */
#include "learn/task.h"

#include "policy/policy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char SCHEMA[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100, \"missing\": 3}, "
                             "\"features\": [{\"name\": \"x\", \"min\": 0, \"max\": 10, \"missing\": 0}]%s}";

static tacit_schema *make_schema(const char *more) {
  char text[512];
  tacit_schema *schema;
  snprintf(text, sizeof text, SCHEMA, more);
  assert_int_equal(tacit_schema_parse(text, strlen(text), &schema, NULL), TACIT_OK);
  return schema;
}

static const double UNDERAGE = 3, OVERAGE = 1;

static tacit_status try_probed(const tacit_schema *schema, const double *x, const double *y, size_t rows,
                               tacit_estimate_options options, const tacit_release_probe *probe,
                               tacit_estimate *estimate, tacit_error *error) {
  static const char *const names[] = {"x", "y"};
  const double *const numbers[] = {x, y};
  tacit_source *source;
  options.underage = &UNDERAGE;
  options.overage = &OVERAGE;
  assert_int_equal(tacit_source_columns(rows, 2, names, numbers, NULL, &source, NULL), TACIT_OK);
  tacit_status status = tacit_estimate_cost_probed(schema, source, &options, NULL, probe, estimate, error);
  tacit_source_free(source);
  return status;
}

static tacit_status try_estimate(const tacit_schema *schema, const double *x, const double *y, size_t rows,
                                 tacit_estimate_options options, tacit_estimate *estimate,
                                 tacit_error *error) {
  return try_probed(schema, x, y, rows, options, NULL, estimate, error);
}

/* What is released, before its noise: in the order of the releases. */
enum { SEEN_MAX = 16 };
typedef struct sums {
  double exact[SEEN_MAX];
  size_t count;
} sums;

static tacit_status look(void *self, tacit_mechanism *mechanism, const uint64_t *exact, tacit_error *error) {
  sums *s = self;
  (void)error;
  assert_true(s->count < SEEN_MAX);
  s->exact[s->count++] = ldexp((double)*exact, -mechanism->bits);
  return TACIT_OK;
}

/* Rows, sum and rows cut without their noise, under add-remove with a public bound. */
enum { ROWS_SEEN, SUM_SEEN, CUT_SEEN };
static sums exact_sums(const tacit_schema *schema, const double *b, const double *spread, const double *x,
                       const double *y, size_t rows, double bound) {
  tacit_estimate_options o = {.coefficients = b,
                              .spread = spread,
                              .mu = 1,
                              .adjacency = TACIT_ADD_REMOVE,
                              .nominal_rows = 1,
                              .bound = bound,
                              .seeded = true,
                              .seed = 4};
  sums found = {.count = 0};
  const tacit_release_probe probe = {.before = look, .self = &found};
  tacit_estimate e;
  assert_int_equal(try_probed(schema, x, y, rows, o, &probe, &e, NULL), TACIT_OK);
  assert_int_equal(found.count, 3);
  return found;
}

static void the_sum_is_the_clamped_cost(void **state) {
  (void)state;
  enum { ROWS = 500 };
  double x[ROWS], y[ROWS], cost = 0;
  const double b[] = {20, 3};
  srand(3);
  for (size_t i = 0; i < ROWS; i++) {
    x[i] = rand() % 12;
    y[i] = rand() % 130 - 10;
    double d = fmin(fmax(y[i], 0), 100) - fmin(fmax(20 + 3 * fmin(x[i], 10), 0), 100);
    cost += d > 0 ? UNDERAGE * d : -OVERAGE * d;
  }
  tacit_schema *schema = make_schema("");
  assert_true(fabs(exact_sums(schema, b, NULL, x, y, ROWS, 1e9).exact[SUM_SEEN] - cost / 300) <
              ROWS * 0x1p-24);
  tacit_schema_free(schema);
}

/* A policy with a spread, made by hand, over a number and a category; for a target with a logarithm too. */
static tacit_policy *policy_with_spread(const char *transform) {
  char text[512];
  tacit_schema *schema;
  tacit_policy *policy;
  const tacit_goal goal = {0.75, UNDERAGE, OVERAGE};
  tacit_fit fit = {.columns = 4, .targets = 1};
  double b[] = {-0.1, 0.3, 0.1, -0.2}, g[] = {-1.5, 0.8, -0.4, 1.5, 0.9};
  snprintf(text, sizeof text,
           "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100%s}, \"features\": [{\"name\": \"x\", "
           "\"min\": 0, \"max\": 10}, {\"name\": \"c\", \"levels\": [\"p\", \"q\", \"r\"]}]}",
           transform);
  assert_int_equal(tacit_schema_parse(text, strlen(text), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_certificate_new("erm", &fit.certificate, NULL), TACIT_OK);
  fit.coefficients = b;
  fit.spread = g;
  assert_int_equal(tacit_policy_from_fit(schema, NULL, &fit, &goal, &policy, NULL), TACIT_OK);
  tacit_certificate_free(fit.certificate);
  tacit_schema_free(schema);
  return policy;
}

enum { MIXED = 1500 };
typedef struct mixed {
  double x[MIXED], y[MIXED];
  const char *c[MIXED];
} mixed;

static tacit_source *source_of(const mixed *m, size_t rows) {
  static const char *const names[] = {"x", "c", "y"};
  static const double *numbers[3]; /* the source keeps them */
  static const char *const *texts[3];
  tacit_source *source;
  numbers[0] = m->x;
  texts[1] = m->c;
  numbers[2] = m->y;
  assert_int_equal(tacit_source_columns(rows, 3, names, numbers, texts, &source, NULL), TACIT_OK);
  return source;
}

/* The private sum without its noise, as above, of the policy's rule or of its coefficients alone. */
static double sum_of(const tacit_policy *policy, const mixed *m, bool with_spread) {
  double b[4], spread[5];
  sums found = {.count = 0};
  const tacit_release_probe probe = {.before = look, .self = &found};
  tacit_estimate e;
  for (size_t j = 0; j < 4; j++) b[j] = tacit_policy_coefficient(policy, 0, j);
  for (size_t j = 0; j < 4; j++) spread[j] = tacit_policy_log_spread(policy, 0, j);
  spread[4] = tacit_policy_spreads(policy, 0);
  const tacit_estimate_options o = {.coefficients = b,
                                    .spread = with_spread ? spread : NULL,
                                    .underage = &UNDERAGE,
                                    .overage = &OVERAGE,
                                    .bound = 1e9,
                                    .mu = 1,
                                    .adjacency = TACIT_ADD_REMOVE,
                                    .nominal_rows = 1,
                                    .seeded = true,
                                    .seed = 4};
  tacit_source *source = source_of(m, MIXED);
  assert_int_equal(
      tacit_estimate_cost_probed(tacit_policy_schema(policy), source, &o, NULL, &probe, &e, NULL), TACIT_OK);
  tacit_source_free(source);
  return e.bound * found.exact[SUM_SEEN];
}

/* With a spread the sum is what the orders of the policy cost, one by one: but for the grids of rows and
   costs. */
static void the_sum_is_what_orders_cost(void **state) {
  (void)state;
  static const char *const transforms[] = {"", ", \"transform\": \"log\", \"log_unit\": 5"};
  static const char *const levels[] = {"p", "q", "r"};
  static mixed m;
  srand(4);
  for (size_t i = 0; i < MIXED; i++) {
    m.x[i] = rand() % 1100 / 100.0;
    m.y[i] = rand() % 101;
    m.c[i] = levels[rand() % 3];
  }
  for (size_t k = 0; k < 2; k++) {
    tacit_policy *policy = policy_with_spread(transforms[k]);
    double *orders, cost = 0;
    size_t rows;
    tacit_source *source = source_of(&m, MIXED);
    assert_int_equal(tacit_policy_orders(policy, source, &orders, &rows, NULL), TACIT_OK);
    tacit_source_free(source);
    for (size_t i = 0; i < MIXED; i++)
      cost += fmax(UNDERAGE * (m.y[i] - orders[i]), OVERAGE * (orders[i] - m.y[i]));
    double sum = sum_of(policy, &m, true), linear = sum_of(policy, &m, false);
    print_message("orders cost %.9g; the sum is %.9g, without the spread %.6g\n", cost, sum, linear);
    assert_true(rows == MIXED && fabs(sum - cost) < 1e-6 * cost && fabs(linear - cost) > 0.02 * cost);
    tacit_free(orders);
    tacit_policy_free(policy);
  }
}

/* One row, whatever it holds and whatever the rule, moves each sum by at most 1: for add-remove against no
   row, for replace-one against any other row. */
static void no_row_moves_the_sum_by_more_than_one(void **state) {
  (void)state;
  static const double values[] = {0, 100, 50, -1e308, 1e308, INFINITY, -INFINITY, NAN, 1e-300, 99.999};
  static const double rules[][2] = {{0, 0}, {100, 0}, {50, 1e200}, {-1e200, 3}, {1e200, -1e200}, {20, 3}};
  static const double spreads[][3] = {
      {1, 0, 2}, {-1e200, 1e200, 1e200}, {INFINITY, -INFINITY, 1}, {NAN, 0, -1e308}};
  enum { VALUES = sizeof values / sizeof *values };
  tacit_schema *schema = make_schema("");
  double least[] = {INFINITY, INFINITY, INFINITY}, most[] = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
    for (size_t i = 0; i < VALUES; i++)
      for (size_t k = 0; k < VALUES; k++)
        for (size_t g = 0; g < 10; g++) { /* two bounds, without a spread and with each */
          const double *spread = g < 2 ? NULL : spreads[g / 2 - 1];
          const sums v = exact_sums(schema, rules[r], spread, &values[i], &values[k], 1, g % 2 ? 7 : 1e9);
          for (size_t j = 0; j < v.count; j++) {
            least[j] = fmin(least[j], v.exact[j]);
            most[j] = fmax(most[j], v.exact[j]);
          }
        }
  for (size_t j = ROWS_SEEN; j <= CUT_SEEN; j++)
    assert_true(least[j] == (j == ROWS_SEEN ? 1 : 0) && most[j] == 1);
  tacit_schema_free(schema);
}

static void check_release(const tacit_estimate_release *r, const char *what, size_t count, double sensitivity,
                          double sigma) {
  assert_string_equal(r->what, what);
  assert_int_equal(r->count, count);
  assert_true(r->sensitivity == sensitivity && r->sigma >= sigma * (1 - 1e-12) && r->sigma < sigma * 1.0001);
  assert_true(fabs(r->mu * r->sigma / r->sensitivity - 1) < 1e-12);
}

static void noise_follows_unit_and_guarantee(void **state) {
  (void)state;
  const double b[] = {20, 3}, x[] = {1, 2, 3, 4}, y[] = {5, 6, 7, 8};
  tacit_schema *one = make_schema(""), *three = make_schema(", \"unit\": {\"rows_per_unit\": 3}");
  tacit_estimate_options o = {.coefficients = b, .mu = 0.5, .seeded = true, .bound = 1e9};
  tacit_estimate e;
  assert_int_equal(try_estimate(one, x, y, 4, o, &e, NULL), TACIT_OK);
  assert_true(e.rows == 4 && e.rows_public && e.bound == 300 && !e.bound_found && e.release_count == 2);
  check_release(&e.releases[0], "cost", 1, 1, 2 / sqrt(0.95));
  check_release(&e.releases[1], "cut", 1, 1, 2 / sqrt(0.05));
  assert_true(fabs(e.standard_error - 300 * e.releases[0].sigma / 4) < 1e-9);
  assert_int_equal(try_estimate(three, x, y, 4, o, &e, NULL), TACIT_OK);
  check_release(&e.releases[0], "cost", 1, 3, 6 / sqrt(0.95));
  o.bound = 0;
  assert_int_equal(try_estimate(one, x, y, 4, o, &e, NULL), TACIT_OK);
  assert_true(e.bound_found && e.bound <= 300 && e.release_count == 3);
  check_release(&e.releases[0], "bound", 5, 1, 2 / sqrt(0.05));
  check_release(&e.releases[1], "cost", 1, 1, 2 / sqrt(0.7));
  o.adjacency = TACIT_ADD_REMOVE;
  assert_int_equal(try_estimate(one, x, y, 4, o, &e, NULL), TACIT_REFUSED); /* no nominal rows */
  o.nominal_rows = 10;
  assert_int_equal(try_estimate(one, x, y, 4, o, &e, NULL), TACIT_OK);
  assert_true(!e.rows_public && e.release_count == 4);
  check_release(&e.releases[0], "rows", 1, 1, 2 / sqrt(0.15));
  check_release(&e.releases[1], "bound", 5, 1, 2 / sqrt(0.05));
  check_release(&e.releases[2], "cost", 1, 1, 2 / sqrt(0.55));
  check_release(&e.releases[3], "cut", 1, 1, 2 / sqrt(0.05));
  o.mu = 1e-300;
  assert_int_equal(try_estimate(one, x, y, 4, o, &e, NULL), TACIT_REFUSED);
  o.mu = 0;
  assert_int_equal(try_estimate(one, x, y, 4, o, &e, NULL), TACIT_USAGE);
  o.mu = 1, o.bound = -1;
  assert_int_equal(try_estimate(one, x, y, 4, o, &e, NULL), TACIT_USAGE);
  tacit_schema_free(one);
  tacit_schema_free(three);
}

/* Noise scaled by less than it should be would be seen here: the spread of 4000 releases. */
static void the_noise_has_the_stated_spread(void **state) {
  (void)state;
  enum { REPEATS = 4000 };
  const double b[] = {20, 3}, x[] = {1, 2}, y[] = {5, 6};
  tacit_schema *schema = make_schema("");
  double sum = 0, squares = 0, error = 0;
  for (uint64_t i = 0; i < REPEATS; i++) {
    tacit_estimate_options o = {.coefficients = b, .mu = 60, .seeded = true, .seed = i, .bound = 300};
    tacit_estimate e;
    assert_int_equal(try_estimate(schema, x, y, 2, o, &e, NULL), TACIT_OK);
    sum += e.cost.value; /* far enough from 0 not to be cut there */
    squares += e.cost.value * e.cost.value;
    error = e.standard_error;
  }
  double mean = sum / REPEATS, spread = sqrt(squares / REPEATS - mean * mean);
  assert_true(fabs(mean - 19) <
              5 * error / sqrt(REPEATS)); /* orders 23, 26: 18 and 20 too many, and 2 rows */
  assert_true(fabs(spread / error - 1) < 5 / sqrt(2.0 * REPEATS));
  tacit_schema_free(schema);
}

typedef struct till {
  int calls;
  double mu;
  char commitment[65];
  tacit_status answer;
} till;

static tacit_status pay(void *user, const tacit_cost *cost, tacit_error *error) {
  till *t = user;
  (void)error;
  t->calls++;
  t->mu = cost->mu;
  memcpy(t->commitment, cost->commitment, sizeof t->commitment);
  return t->answer;
}

static void it_is_paid_once_and_before(void **state) {
  (void)state;
  const double b[] = {20, 3}, x[] = {1, 2}, y[] = {5, 6};
  tacit_schema *schema = make_schema("");
  till t = {.answer = TACIT_REFUSED};
  tacit_estimate e = {.rows = -7};
  tacit_estimate_options o = {.coefficients = b, .mu = 0.7, .spend = pay, .spend_user = &t};
  assert_int_equal(try_estimate(schema, x, y, 2, o, &e, NULL), TACIT_REFUSED);
  assert_true(t.calls == 1 && t.mu == 0.7 && e.rows == -7); /* nothing was released */
  assert_int_equal(try_estimate(schema, x, y, 0, o, &e, NULL), TACIT_BAD_INPUT);
  assert_int_equal(t.calls, 1); /* a refusal costs nothing */
  t.answer = TACIT_OK;
  assert_int_equal(try_estimate(schema, x, y, 2, o, &e, NULL), TACIT_OK);
  assert_int_equal(t.calls, 2);
  tacit_schema_free(schema);
}

/* The payment is for this rule, these costs and this bound; the rows do not matter. */
static void the_payment_names_what_is_evaluated(void **state) {
  (void)state;
  const double b[] = {20, 3}, other[] = {20, 4}, x[] = {1, 2}, y[] = {5, 6}, y2[] = {15, 1};
  tacit_schema *schema = make_schema("");
  till t = {.answer = TACIT_OK};
  tacit_estimate e;
  tacit_estimate_options o = {.coefficients = b, .mu = 0.7, .spend = pay, .spend_user = &t};
  const double spread[] = {1, 0, 2}, wider[] = {1, 0, 3};
  char seen[6][65];
  assert_int_equal(try_estimate(schema, x, y, 2, o, &e, NULL), TACIT_OK);
  memcpy(seen[0], t.commitment, 65);
  assert_int_equal(strlen(seen[0]), 64);
  assert_int_equal(try_estimate(schema, x, y2, 2, o, &e, NULL), TACIT_OK);
  assert_string_equal(t.commitment, seen[0]);
  for (int i = 1; i < 6; i++) {
    tacit_estimate_options changed = o;
    if (i == 1) changed.coefficients = other;
    if (i == 2) changed.bound = 3;
    if (i == 3) changed.mu = 0.6;
    if (i >= 4) changed.spread = i == 4 ? spread : wider;
    assert_int_equal(try_estimate(schema, x, y, 2, changed, &e, NULL), TACIT_OK);
    memcpy(seen[i], t.commitment, 65);
    for (int k = 0; k < i; k++) assert_string_not_equal(seen[k], seen[i]);
  }
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_sum_is_the_clamped_cost),
      cmocka_unit_test(the_sum_is_what_orders_cost),
      cmocka_unit_test(no_row_moves_the_sum_by_more_than_one),
      cmocka_unit_test(noise_follows_unit_and_guarantee),
      cmocka_unit_test(the_noise_has_the_stated_spread),
      cmocka_unit_test(it_is_paid_once_and_before),
      cmocka_unit_test(the_payment_names_what_is_evaluated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
