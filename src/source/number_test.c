/* The number reader gives strtod's double for every decimal text, and nothing for any other text. */
#include "source/source.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static uint64_t draw(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545F4914F6CDD1DULL;
}

/* The text stands at the end of its own memory, so that a sanitizer sees a byte read too far. */
static tacit_number_kind read_text(const char *text, double *value) {
  size_t length = strlen(text);
  char *exact = malloc(length ? length : 1);
  for (size_t i = 0; i < length; i++) exact[i] = text[i];
  tacit_number_kind kind = tacit_cell_read_number(&(tacit_cell){.text = exact, .length = length}, value);
  free(exact);
  return kind;
}

static void same_as_strtod(const char *text) {
  double expected = strtod(text, NULL), got = -1;
  tacit_number_kind kind = read_text(text, &got);
  if (isinf(expected)) {
    assert_int_equal(kind, TACIT_NUMBER_NOT_FINITE);
    return;
  }
  assert_int_equal(kind, TACIT_NUMBER);
  if (got != expected || signbit(got) != signbit(expected))
    fail_msg("%s: %a instead of %a", text, got, expected);
}

static void hard_cases(void **state) {
  (void)state;
  static const char *const texts[] = {
      "0",
      "-0",
      "+1",
      "1.",
      ".5",
      "-.5e1",
      "007",
      "1e22",
      "1e23",
      "9007199254740993",
      "9007199254740992.5",
      "9007199254740993e22",
      "9007199254740993e-22",
      "1e-22",
      "1e27",
      "1e28",
      "1e-27",
      "1e-28",
      "9999999999999999999",
      "99999999999999999999",
      "18446744073709551615",
      "18446744073709551616",
      "9999999999999999999e27",
      "9999999999999999999e-27",
      "1e308",
      "1.7976931348623157e308",
      "1.7976931348623158e308",
      "1.7976931348623159e308",
      "2e308",
      "-1e309",
      "4.9e-324",
      "2.4703282292062327e-324",
      "2.4703282292062328e-324",
      "2.2250738585072011e-308",
      "2.2250738585072014e-308",
      "1e-400",
      "-1e-400",
      "0e999999999999999999999",
      "0.0000000000000000000000000000000000001",
      "100000000000000000000000000000",
      "1e99999999999999999999",
      "1e-99999999999999999999",
      "6.02214076E+23",
      "1E5",
      "0.1",
      "0.3",
      "2.675",
      "123456789012345678901234567890.5e-10",
      "0.000000000000000000000000000000000000000000001e45",
      "8.41e+21",
      "9.0e-19",
      "5e-324",
      "1152921504606846976",
      "4503599627370496.5",
      "4503599627370497.5",
      "7.2057594037927933e16",
      "36893488147419103232",
      "1090544144181609348671888949248",
  };
  for (size_t i = 0; i < LENGTH(texts); i++) same_as_strtod(texts[i]);
}

static void digits_of_any_length(void **state) {
  (void)state;
  /* The exact middle between 1 and its successor, then a digit far behind it that decides. */
  char *text = malloc(2000000);
  int n = sprintf(text, "1.00000000000000011102230246251565404236316680908203125");
  double value;
  assert_int_equal(read_text(text, &value), TACIT_NUMBER);
  assert_true(value == 1);
  memset(text + n, '0', 1000000);
  text[n + 1000000] = 0;
  assert_int_equal(read_text(text, &value), TACIT_NUMBER);
  assert_true(value == 1);
  text[n + 999999] = '1';
  assert_int_equal(read_text(text, &value), TACIT_NUMBER);
  assert_true(value == 1 + DBL_EPSILON);
  /* A million zeros on either side, taken back by the exponent. */
  text[0] = '0';
  text[1] = '.';
  memset(text + 2, '0', 1000000);
  snprintf(text + 1000002, 16, "25e1000001");
  assert_int_equal(read_text(text, &value), TACIT_NUMBER);
  assert_true(value == 2.5);
  memset(text, '0', 1000000);
  text[0] = '7';
  snprintf(text + 1000000, 16, "e-999999");
  assert_int_equal(read_text(text, &value), TACIT_NUMBER);
  assert_true(value == 7);
  text[1000000] = 0;
  assert_int_equal(read_text(text, &value), TACIT_NUMBER_NOT_FINITE);
  free(text);
}

static void random_texts(void **state) {
  (void)state;
  uint64_t random = 3;
  for (int trial = 0; trial < 200000; trial++) {
    char text[1200];
    uint64_t kind = draw(&random) % 6;
    if (kind == 0) { /* any double, as other programs write it */
      uint64_t bits = draw(&random);
      double value;
      memcpy(&value, &bits, sizeof value);
      if (!isfinite(value)) continue;
      snprintf(text, sizeof text, "%.*g", 15 + (int)(draw(&random) % 4), value);
    } else if (kind == 1) { /* the middle between two doubles, written out, perhaps with a last digit added */
      double value = ldexp((double)(draw(&random) >> 11), (int)(draw(&random) % 200) - 150);
      int n = snprintf(text, sizeof text, "%.*e", 1 + (int)(draw(&random) % 40), value);
      assert_true(n > 0);
    } else if (kind == 2) { /* halves of 54-bit integers: ties */
      uint64_t tie = (draw(&random) >> 10) | 1 | (uint64_t)1 << 53;
      snprintf(text, sizeof text, "%llu.%s", (unsigned long long)tie,
               draw(&random) % 2 ? "0" : "0000000000000000000000000000001");
    } else { /* digits, a point, digits, an exponent */
      size_t n = 0, digits = 1 + draw(&random) % (kind == 5 ? 900 : 22);
      if (draw(&random) % 3 == 0) text[n++] = draw(&random) % 2 ? '-' : '+';
      size_t point = draw(&random) % (2 * digits + 1);
      for (size_t i = 0; i < digits; i++) {
        if (i == point) text[n++] = '.';
        text[n++] = (char)('0' + draw(&random) % 10);
      }
      text[n] = 0;
      if (draw(&random) % 2)
        sprintf(text + n, "%c%d", draw(&random) % 2 ? 'e' : 'E',
                (int)(draw(&random) % (kind == 3 ? 60 : 700)) - (kind == 3 ? 30 : 350));
    }
    same_as_strtod(text);
  }
}

/* 19 digits over a large power of five: one in some thousand quotients is a tie but for its remainder. */
static void quotients_with_a_rest(void **state) {
  (void)state;
  uint64_t random = 17;
  for (int trial = 0; trial < 100000; trial++) {
    char text[64];
    snprintf(text, sizeof text, "%llue-%d", (unsigned long long)(draw(&random) % 10000000000000000000ULL),
             22 + trial % 6);
    same_as_strtod(text);
  }
}

static void what_is_not_a_number(void **state) {
  (void)state;
  static const struct {
    const char *text;
    tacit_number_kind kind;
  } cases[] = {
      {"", TACIT_NUMBER_EMPTY},           {" \t ", TACIT_NUMBER_EMPTY},
      {"x", TACIT_NUMBER_TEXT},           {"1x", TACIT_NUMBER_TEXT},
      {"0x10", TACIT_NUMBER_TEXT},        {"0x1p3", TACIT_NUMBER_TEXT},
      {"1e", TACIT_NUMBER_TEXT},          {"1e+", TACIT_NUMBER_TEXT},
      {"e5", TACIT_NUMBER_TEXT},          {".", TACIT_NUMBER_TEXT},
      {"-", TACIT_NUMBER_TEXT},           {"+-1", TACIT_NUMBER_TEXT},
      {"1 2", TACIT_NUMBER_TEXT},         {"1,5", TACIT_NUMBER_TEXT},
      {"1.2.3", TACIT_NUMBER_TEXT},       {"1e5.0", TACIT_NUMBER_TEXT},
      {"1\n", TACIT_NUMBER_TEXT},         {"- 1", TACIT_NUMBER_TEXT},
      {"NA", TACIT_NUMBER_TEXT},          {"nano", TACIT_NUMBER_TEXT},
      {"nan", TACIT_NUMBER_NOT_FINITE},   {"-NaN", TACIT_NUMBER_NOT_FINITE},
      {"inf", TACIT_NUMBER_NOT_FINITE},   {" +Infinity ", TACIT_NUMBER_NOT_FINITE},
      {"1e999", TACIT_NUMBER_NOT_FINITE}, {"\xEF\xBC\x91", TACIT_NUMBER_TEXT},
      {"1_000", TACIT_NUMBER_TEXT},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    double value = 42;
    assert_int_equal(read_text(cases[i].text, &value), cases[i].kind);
    assert_true(value == 42);
    assert_false(
        tacit_cell_number(&(tacit_cell){.text = cases[i].text, .length = strlen(cases[i].text)}, &value));
  }
}

static void spaces_and_numbers_in_memory(void **state) {
  (void)state;
  double value;
  assert_int_equal(read_text(" \t-2.5e1\t ", &value), TACIT_NUMBER);
  assert_true(value == -25);
  assert_true(tacit_cell_number(&(tacit_cell){.number = 3.5}, &value));
  assert_true(value == 3.5);
  assert_int_equal(tacit_cell_read_number(&(tacit_cell){.number = NAN}, &value), TACIT_NUMBER_NOT_FINITE);
  assert_int_equal(tacit_cell_read_number(&(tacit_cell){.number = INFINITY}, &value),
                   TACIT_NUMBER_NOT_FINITE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hard_cases),           cmocka_unit_test(digits_of_any_length),
      cmocka_unit_test(random_texts),         cmocka_unit_test(quotients_with_a_rest),
      cmocka_unit_test(what_is_not_a_number), cmocka_unit_test(spaces_and_numbers_in_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
