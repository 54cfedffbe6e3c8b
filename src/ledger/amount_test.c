/* Amounts are the decimals people write, and no sum of their squares loses or gains anything. */
#include "ledger/amount.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t random_state = 88172645463325252u;
static uint64_t random_bits(void) {
  random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
  return random_state;
}

/* A positive finite double of any size, subnormal ones among them, at most 1e4. */
static double random_double(void) {
  for (;;) {
    uint64_t bits = random_bits() >> 1;
    double x;
    memcpy(&x, &bits, sizeof x);
    if (x > 0 && x <= 1e4) return x;
  }
}

static void square_of(double x, mpz_t square) {
  char text[TACIT_AMOUNT_SIZE];
  tacit_amount_of(x, text);
  assert_true(tacit_amount_square(text, square));
}

static void decimals_are_the_ones_people_write(void **state) {
  (void)state;
  const struct {
    double mu;
    const char *text;
  } known[] = {{0.25, "25e-2"},
               {0.1, "1e-1"},
               {1, "1e0"},
               {10, "1e1"},
               {1e4, "1e4"},
               {1234.5, "12345e-1"},
               {1e-200, "1e-200"},
               {DBL_TRUE_MIN, "49e-325"},
               {0x1p-1022, "22250738585072014e-324"},
               {1.0 / 3, "3333333333333333e-16"},
               {0.1 + 0.2, "30000000000000004e-17"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char text[TACIT_AMOUNT_SIZE];
    tacit_amount_of(known[i].mu, text);
    assert_string_equal(text, known[i].text);
  }
}

static void every_double_comes_back(void **state) {
  (void)state;
  for (int i = 0; i < 20000; i++) {
    char text[TACIT_AMOUNT_SIZE];
    double x = random_double();
    tacit_amount_of(x, text);
    assert_true(tacit_amount_value(text) == x);
    assert_true(strtod(text, NULL) == x); /* the C library agrees */
  }
}

static void other_texts_are_no_amounts(void **state) {
  (void)state;
  static const char *const texts[] = {"",
                                      "0e0",
                                      "01e0",
                                      "10e0",
                                      "1",
                                      "1e",
                                      "1e+1",
                                      "1e-0",
                                      "1e01",
                                      "-1e0",
                                      " 1e0",
                                      "1e0 ",
                                      "1.5e0",
                                      "1e-341",
                                      "1e309",
                                      "nan",
                                      "inf",
                                      "e1",
                                      "0x1e0",
                                      "1e--1",
                                      "1E0",
                                      "1e0\n",
                                      "123456789012345678e0"};
  mpz_t square;
  mpz_init(square);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    assert_false(tacit_amount_square(texts[i], square));
    assert_true(isnan(tacit_amount_value(texts[i])));
    assert_false(tacit_amount_covers(texts[i], 0));
  }
  mpz_clear(square);
}

/* "A ledger that loses a spending too small for its number format": 10^400 is far beyond any double's reach.
 */
static void nothing_is_too_small_to_count(void **state) {
  (void)state;
  mpz_t sum, tiny, one;
  mpz_inits(sum, tiny, one, NULL);
  square_of(1, one);
  square_of(1e-200, tiny);
  assert_true(mpz_sgn(tiny) > 0);
  mpz_add(sum, one, tiny);
  assert_true(mpz_cmp(sum, one) > 0);
  assert_true(tacit_amount_root_up(sum) == nextafter(1, 2));
  assert_true(tacit_amount_root_up(one) == 1);
  mpz_set_ui(sum, 0);
  for (int i = 0; i < 1000000; i++) mpz_add(sum, sum, tiny);
  assert_true(tacit_amount_root_up(sum) == 1e-197 && tacit_amount_root_down(sum) == 1e-197);
  square_of(DBL_TRUE_MIN, tiny); /* the smallest of all, a hundred times */
  mpz_mul_ui(sum, tiny, 100);
  assert_true(tacit_amount_root_up(sum) == 10 * DBL_TRUE_MIN);
  mpz_clears(sum, tiny, one, NULL);
}

static void right_triangles_close(void **state) {
  (void)state;
  static const double sides[][3] = {
      {0.3, 0.4, 0.5}, {0.6, 0.8, 1}, {0.05, 0.12, 0.13}, {3, 4, 5}, {0.7, 2.4, 2.5}};
  mpz_t sum, part;
  mpz_inits(sum, part, NULL);
  for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
    square_of(sides[i][0], sum);
    square_of(sides[i][1], part);
    mpz_add(sum, sum, part);
    assert_true(tacit_amount_root_up(sum) == sides[i][2] && tacit_amount_root_down(sum) == sides[i][2]);
  }
  mpz_clears(sum, part, NULL);
}

static void roots_are_the_nearest_safe_doubles(void **state) {
  (void)state;
  mpz_t sum, part;
  mpz_inits(sum, part, NULL);
  for (int i = 0; i < 2000; i++) {
    square_of(random_double(), sum);
    for (int k = 0; k < i % 4; k++) {
      square_of(random_double(), part);
      mpz_add(sum, sum, part);
    }
    double up = tacit_amount_root_up(sum), down = tacit_amount_root_down(sum);
    square_of(up, part);
    assert_true(mpz_cmp(part, sum) >= 0);
    if (down > 0) {
      square_of(down, part);
      assert_true(mpz_cmp(part, sum) <= 0);
    }
    assert_true(up == down || up == nextafter(down, INFINITY));
  }
  mpz_set_ui(sum, 0);
  assert_true(tacit_amount_root_up(sum) == 0 && tacit_amount_root_down(sum) == 0);
  mpz_set_si(sum, -5);
  assert_true(tacit_amount_root_down(sum) == 0);
  mpz_clears(sum, part, NULL);
}

static void comparing_with_a_double_is_exact(void **state) {
  (void)state;
  /* the double 0.3 lies below three tenths, the double 0.4 above four tenths */
  assert_true(tacit_amount_covers("3e-1", 0.3) && !tacit_amount_covers("4e-1", 0.4));
  assert_true(tacit_amount_covers("4e-1", nextafter(0.4, 0)) && tacit_amount_covers("5e-1", 0.5));
  assert_true(tacit_amount_covers("1e4", 1e4) && !tacit_amount_covers("1e4", nextafter(1e4, 2e4)));
  assert_false(tacit_amount_covers("1e0", INFINITY) || tacit_amount_covers("1e0", NAN));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decimals_are_the_ones_people_write),
      cmocka_unit_test(every_double_comes_back),
      cmocka_unit_test(other_texts_are_no_amounts),
      cmocka_unit_test(nothing_is_too_small_to_count),
      cmocka_unit_test(right_triangles_close),
      cmocka_unit_test(roots_are_the_nearest_safe_doubles),
      cmocka_unit_test(comparing_with_a_double_is_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
