/* Decimals by columns: every number is the one that strtod reads. */
#include "source/decimals.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t draw(uint64_t *state) { /* xorshift64* */
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545F4914F6CDD1D;
}

static const uint64_t END = 10000000000000000000U; /* 10^19 */

static void set(tacit_decimals *decimals, size_t i, uint64_t digits, size_t behind, bool minus) {
  decimals->top[i] = (int32_t)(digits / 10000000000000000);
  decimals->low[i] = digits / 100000000 % 100000000 | digits % 100000000 << 32;
  decimals->ten[i] = tacit_tens[behind + (minus ? TACIT_TEN_MINUS : 0)];
}

static double expected(uint64_t digits, size_t behind, bool minus) {
  char text[64];
  snprintf(text, sizeof text, "%s%llue-%zu", minus ? "-" : "", (unsigned long long)digits, behind);
  return strtod(text, NULL);
}

static void same_bits(double a, double b) {
  assert_memory_equal(&a, &b, sizeof a);
}

static void check(const uint64_t *digits, const size_t *behind, size_t count, uint64_t *random) {
  static tacit_decimals decimals;
  double out[TACIT_TILE];
  bool minus[TACIT_TILE];
  for (size_t i = 0; i < count; i++) {
    minus[i] = draw(random) % 2;
    set(&decimals, i, digits[i], behind[i], minus[i]);
  }
  tacit_decimals_round(&decimals, count, out);
  for (size_t i = 0; i < count; i++) same_bits(out[i], expected(digits[i], behind[i], minus[i]));
}

static void random_digits(void **state) {
  (void)state;
  uint64_t random = 5, digits[TACIT_TILE];
  size_t behind[TACIT_TILE];
  for (int trial = 0; trial < 10000; trial++) {
    size_t count = 1 + draw(&random) % TACIT_TILE;
    for (size_t i = 0; i < count; i++) {
      uint64_t size = 1;
      for (uint64_t n = draw(&random) % 20; n > 0; n--) size *= 10;
      digits[i] = draw(&random) % size;
      behind[i] = draw(&random) % (TACIT_TEN_MAX + 1);
    }
    check(digits, behind, count, &random);
  }
}

/* Whole numbers that are doubles, or lie in the middle between two, or next to that. */
static void close_to_ties(void **state) {
  (void)state;
  uint64_t random = 7, digits[TACIT_TILE];
  size_t behind[TACIT_TILE];
  for (int trial = 0; trial < 5000; trial++) {
    for (size_t i = 0; i < TACIT_TILE; i++) {
      uint64_t odd = draw(&random) >> 11 | (uint64_t)1 << 53 | 1; /* 54 bits: a middle */
      digits[i] = (odd << draw(&random) % 10) % END + draw(&random) % 3 - 1;
      behind[i] = draw(&random) % 2 ? draw(&random) % 19 : 0;
    }
    check(digits, behind, TACIT_TILE, &random);
  }
}

/* The decimals around the middle between two doubles. */
static void around_middles(void **state) {
  (void)state;
  uint64_t random = 11, digits[TACIT_TILE];
  size_t behind[TACIT_TILE];
  for (int trial = 0; trial < 5000; trial++) {
    for (size_t i = 0; i < TACIT_TILE; i++) {
      double a = (1 + (double)(draw(&random) >> 12) * 0x1p-52) * (double)(1 + draw(&random) % 1000);
      long double middle = ((long double)a + nextafter(a, INFINITY)) / 2;
      digits[i] = (uint64_t)(middle * 1e15L) + draw(&random) % 3 - 1;
      behind[i] = 15;
    }
    check(digits, behind, TACIT_TILE, &random);
  }
}

static void corners(void **state) {
  (void)state;
  uint64_t random = 13;
  const uint64_t digits[] = {0,
                             1,
                             5,
                             9007199254740992,
                             9007199254740993,
                             9007199254740995,
                             9999999999999999,
                             10000000000000000,
                             18014398509481983,
                             END - 1,
                             END / 2,
                             12345678,
                             4503599627370497};
  for (size_t k = 0; k <= TACIT_TEN_MAX; k++) {
    size_t behind[sizeof digits / sizeof *digits];
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) behind[i] = k;
    for (int sign = 0; sign < 8; sign++) check(digits, behind, sizeof digits / sizeof *digits, &random);
  }
}

static void numbers_that_are_there(void **state) {
  (void)state;
  tacit_decimals decimals = {{0}, {0}, {0}};
  const double values[] = {1.5, -0.0, 5e-324, -1e308, NAN};
  double out[TACIT_TILE];
  for (size_t i = 0; i < 5; i++) {
    memcpy(&decimals.low[2 * i], &values[i], sizeof values[i]);
    decimals.ten[2 * i] = NAN;
    set(&decimals, 2 * i + 1, 25, 1, false);
  }
  tacit_decimals_round(&decimals, 10, out);
  for (size_t i = 0; i < 5; i++) {
    same_bits(out[2 * i], values[i]);
    assert_true(out[2 * i + 1] == 2.5);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_digits),          cmocka_unit_test(close_to_ties),
      cmocka_unit_test(around_middles),         cmocka_unit_test(corners),
      cmocka_unit_test(numbers_that_are_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
