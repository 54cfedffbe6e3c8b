/* The rule is the formula of its header, at every size of its numbers. */
#include "loss/rule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

enum { P = 4 };

static double uniform(double low, double high) {
  return low + (high - low) * rand() / RAND_MAX;
}

/* As the header says it, with the C library's exp. */
static double plain(const double *b, const double *g, double k, const double *x, double reach) {
  double order = 0, logarithm = 0;
  for (size_t j = 0; j < P; j++) {
    order += b[j] * x[j];
    logarithm += g[j] * x[j];
  }
  double spread = exp(logarithm);
  if (spread > 2 * reach) spread = 2 * reach;
  if (spread < 2 * reach / 4096) spread = 2 * reach / 4096;
  return order + k * spread;
}

static void an_order_is_the_plain_formula(void **state) {
  (void)state;
  size_t low = 0, high = 0, between = 0;
  srand(1);
  for (int trial = 0; trial < 20000; trial++) {
    double b[P], spread[P + 1], x[P] = {1}, logarithm = 0, reach = trial % 2 ? 1 : 8;
    for (size_t j = 1; j < P; j++) x[j] = uniform(-8, 8);
    for (size_t j = 0; j < P; j++) {
      b[j] = uniform(-1, 1);
      spread[j] = uniform(-1, 1);
      logarithm += spread[j] * x[j];
    }
    spread[P] = uniform(-3, 3);
    low += logarithm < log(2 * reach) - 12 * log(2);
    high += logarithm > log(2 * reach);
    between += logarithm > log(2 * reach) - 12 * log(2) && logarithm < log(2 * reach);
    const tacit_rule rule = {P, b, spread, reach}, linear = {.columns = P, .coefficients = b};
    assert_true(fabs(tacit_rule_order(&rule, x) - plain(b, spread, spread[P], x, reach)) < 1e-12);
    assert_true(fabs(tacit_rule_order(&linear, x) - plain(b, spread, 0, x, reach)) < 1e-12);
    spread[P] = 0; /* linear, to the bit */
    assert_true(tacit_rule_order(&rule, x) == tacit_rule_order(&linear, x));
  }
  assert_true(low > 1000 && high > 1000 && between > 1000);
}

/* Whatever the numbers: between its bounds, and the same alone and among others. */
static void a_spread_stays_within_its_bounds(void **state) {
  (void)state;
  static const double values[] = {0, -0.0, 1e308, -1e308, INFINITY, -INFINITY, NAN, 2.7, -5.5, 0.3};
  enum { VALUES = sizeof values / sizeof *values };
  double many[VALUES], one, low, high;
  static const double reaches[] = {1, 8};
  for (size_t r = 0; r < 2; r++) {
    double width = 2 * reaches[r];
    tacit_log_spread_bounds(reaches[r], &low, &high);
    assert_true(fabs(high - low - 12 * log(2)) < 1e-14 && fabs(exp(high) - width) < 1e-14 * width);
    tacit_spreads(reaches[r], VALUES, values, many);
    for (size_t i = 0; i < VALUES; i++) {
      tacit_spreads(reaches[r], 1, &values[i], &one);
      assert_memory_equal(&one, &many[i], sizeof one);
      assert_true(one > width / 4096 * (1 - 1e-14) && one < width * (1 + 1e-14));
    }
    assert_true(many[2] == many[4] && many[6] == many[4] && many[3] == many[5] && many[3] < many[4]);
    assert_true(fabs(many[9] - exp(0.3)) < 1e-14);
  }
}

/* A spread of which the order has none is as good as no spread. */
static void without_spreads_in_the_order_it_is_linear(void **state) {
  (void)state;
  const double b[P] = {1, 2, 3, 4};
  double spread[P + 1] = {0.5, -1, 2, 0, 0};
  tacit_rule rule = {.columns = P, .coefficients = b, .reach = 1};
  assert_true(tacit_rule_is_linear(&rule));
  rule.spread = spread;
  assert_true(tacit_rule_is_linear(&rule));
  spread[P] = -0.25;
  assert_false(tacit_rule_is_linear(&rule));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_order_is_the_plain_formula),
      cmocka_unit_test(a_spread_stays_within_its_bounds),
      cmocka_unit_test(without_spreads_in_the_order_it_is_linear),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
