/* A program may spell all numbers or moments of a CSV column otherwise because of one record: what a query
   says of the others stays the same. */
#include "source/expression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

/* The value of an expression for a table of one record, whose one cell is s. */
static void value_of(const char *expression, const char *cell, char *out, size_t size) {
  char text[512], csv[128];
  tacit_query *query;
  tacit_source *records, *source;
  tacit_error error;
  tacit_cell value;
  bool more;
  snprintf(text, sizeof text, "SELECT %s AS v FROM t", expression);
  snprintf(csv, sizeof csv, "s,y\n%s,1\n", cell);
  if (tacit_query_parse(text, &query, &error) != TACIT_OK) fail_msg("%s: %s", expression, error.text);
  assert_int_equal(tacit_source_csv_text(csv, strlen(csv), &records, &error), TACIT_OK);
  assert_int_equal(tacit_source_select(records, query, &source, &error), TACIT_OK);
  assert_int_equal(source->next(source, &value, &more, &error), TACIT_OK);
  assert_true(more);
  if (value.text)
    snprintf(out, size, "%.*s", (int)value.length, value.text);
  else
    snprintf(out, size, "%.17g", value.number);
  tacit_source_free(source);
}

enum { MOST = 20 };

/* The values of expressions, which are the same for every spelling. */
static void are_one(const char *const spellings[MOST], const char *const expressions[MOST][2]) {
  for (size_t i = 0; i < MOST && expressions[i][0]; i++)
    for (size_t k = 0; k < MOST && spellings[k]; k++) {
      char out[128];
      value_of(expressions[i][0], spellings[k], out, sizeof out);
      if (strcmp(out, expressions[i][1]) != 0)
        fail_msg("%s of %s: \"%s\", not \"%s\"", expressions[i][0], spellings[k], out, expressions[i][1]);
    }
}

static void dates(void **state) {
  (void)state;
  static const char *const SPELLINGS[MOST] = {"2024-01-30",
                                              "2024-01-30 00:00",
                                              "2024-01-30 00:00:00",
                                              "2024-01-30 00:00:00.0",
                                              "2024-01-30 00:00:00.000",
                                              "2024-01-30 00:00:00.000000",
                                              "2024-01-30 00:00:00.000000000",
                                              "2024-01-30T00:00:00",
                                              "2024-01-30T00:00:00.000",
                                              "2024-01-30T00:00:00.000000",
                                              "2024-01-30T00:00:00.000000000",
                                              " 2024-01-30",
                                              "2024-01-30T00"};
  static const char *const EXPRESSIONS[MOST][2] = {
      {"s <= '2024-01-30'", "1"},
      {"s = DATE '2024-01-30'", "1"},
      {"s < '2024-01-30T00:00:00.000001'", "1"},
      {"s <> '2024-01-30T00:00'", "0"},
      {"s > '2024-01-29 23:59:59.999999999'", "1"},
      {"s IN ('2024-01-29', '2024-01-30')", "1"},
      {"s BETWEEN '2024-01-30' AND '2024-01-30'", "1"},
      {"CASE s WHEN '2024-01-30' THEN 'it' END", "it"},
      {"nullif(s, '2024-01-30')", ""},
      {"greatest(s, '2024-01-30 00:00:00.5')", "2024-01-30 00:00:00.5"},
      {"least('2024-01-29 12:00', s)", "2024-01-29 12:00"},
      {"s IS NOT DISTINCT FROM '2024-01-30'", "1"},
      {"s < '2024-01-30 0'", "1"}, /* no moment, and no spelling of one counts */
      {"s < '2024-01-30+'", "1"},
      {"s < '2024-01-3'", "0"},
      {"s < '2024-01-30 00:00:00Z'", "1"},
      {"CAST(s AS TIMESTAMP)", "2024-01-30"},
      {"epoch(s)", "1706572800"}};
  are_one(SPELLINGS, EXPRESSIONS);
}

static void times(void **state) {
  (void)state;
  static const char *const SPELLINGS[MOST] = {
      "2024-01-30 09:30",           "2024-01-30 09:30:00",           "2024-01-30 09:30:00.000",
      "2024-01-30T09:30:00.000000", "2024-01-30 09:30:00.000000000", "2024-01-30T09:30"};
  static const char *const EXPRESSIONS[MOST][2] = {
      {"s = '2024-01-30 09:30'", "1"},  {"s = '2024-01-30 09:30:00'", "1"},
      {"s > '2024-01-30'", "1"},        {"s < '2024-01-30 09:30:00.000000001'", "1"},
      {"s < '2024-01-30 09:31'", "1"},  {"s >= '2024-01-30T10:00'", "0"},
      {"s < '2024-01-30 09:30!'", "0"}, {"date_diff('second', '2024-01-30', s)", "34200"}};
  are_one(SPELLINGS, EXPRESSIONS);
}

static void times_with_a_zone(void **state) {
  (void)state;
  static const char *const SPELLINGS[MOST] = {
      "2024-01-30 00:00:00+00:00",      "2024-01-30 00:00:00.000+00:00", "2024-01-30T00:00:00.000000+0000",
      "2024-01-30T00:00:00.000000000Z", "2024-01-30 00:00:00+00",        "2024-01-30T00:00Z"};
  static const char *const EXPRESSIONS[MOST][2] = {{"s = '2024-01-30 00:00:00Z'", "1"},
                                                   {"s = '2024-01-30 00:00:00.000+00:00'", "1"},
                                                   {"s = '2024-01-30 00:00:00+01:00'", "0"},
                                                   {"s = '2024-01-30'", "0"},
                                                   {"s > '2024-01-30'", "1"},
                                                   {"s < '2024-01-30 00:00:00.5'", "1"},
                                                   {"s < '2024-01-31'", "1"}};
  are_one(SPELLINGS, EXPRESSIONS);
}

static void numbers(void **state) {
  (void)state;
  static const char *const SPELLINGS[MOST] = {"11",  "11.0", "11.00", "11.",    "011",
                                              "+11", " 11",  "1.1e1", "1.1E+01"};
  static const char *const EXPRESSIONS[MOST][2] = {
      {"s <= '11-B'", "1"}, {"s < '11.0-B'", "1"}, {"s > '1x'", "0"},         {"s < 'abc'", "1"},
      {"s > ' x'", "1"},    {"s = '11.0'", "1"},   {"s IN ('A', '11')", "1"}, {"least(s, '11-B') = 11", "1"}};
  are_one(SPELLINGS, EXPRESSIONS);
  static const char *const LONG[MOST] = {"12345678901234567", "1.2345678901234568e+16",
                                         "12345678901234568.0"};
  static const char *const OF_LONG[MOST][2] = {{"s < '12345678901234567-B'", "0"},
                                               {"s < '12345678901234568-B'", "1"},
                                               {"s = '12345678901234567'", "1"}};
  are_one(LONG, OF_LONG);
  static const char *const ZERO[MOST] = {"0", "-0", "0.0", ".0", "-0.0", "-0e5", "+0"};
  static const char *const OF_ZERO[MOST][2] = {
      {"s < '0x'", "1"},      {"s > '.'", "1"},          {"s = 0", "1"},
      {"s ^ -1", "inf"},      {"s * -1 || ''", "0"},     {"length(s + s)", "1"},
      {"-s || ''", "0"},      {"atan2(s, -1) > 3", "1"}, {"CAST(s AS DOUBLE) || ''", "0"},
      {"round(s) || ''", "0"}};
  are_one(ZERO, OF_ZERO);
}

/* The order of texts that a query sees is one order: none is below itself by way of others. */
static void order_has_no_circles(void **state) {
  (void)state;
  static const char *const TEXTS[] = {"'2024-01-31T10:00'",
                                      "'2024-01-31A'",
                                      "'2024-01-31 11:00'",
                                      "'2024-01-31'",
                                      "'2024-01-31 '",
                                      "'2024-01-31 00:00:00'",
                                      "'2024-01-31 00:00:00Z'",
                                      "'2024-01-3'",
                                      "'2024-01-31T'",
                                      "'2024-01-31T00:00:00.5'",
                                      "'2024-01-31+'",
                                      "'2024-01-31 00:00:00.'",
                                      "'2024-01-31 10:00-01:00'",
                                      "'2024-02-30'",
                                      "'2024-02-30 00:00:00'",
                                      "'x'",
                                      "'2024-01-31 10:0'",
                                      "'2024-01-31 10:00 '"};
  enum { COUNT = sizeof TEXTS / sizeof *TEXTS };
  bool below[COUNT][COUNT];
  for (size_t i = 0; i < COUNT; i++)
    for (size_t j = 0; j < COUNT; j++) {
      char expression[128], out[64];
      snprintf(expression, sizeof expression, "%s <= %s", TEXTS[i], TEXTS[j]);
      value_of(expression, "1", out, sizeof out);
      below[i][j] = out[0] == '1';
    }
  for (size_t i = 0; i < COUNT; i++)
    for (size_t j = 0; j < COUNT; j++)
      for (size_t k = 0; k < COUNT; k++)
        if (below[i][j] && below[j][k] && !below[i][k])
          fail_msg("%s <= %s <= %s", TEXTS[i], TEXTS[j], TEXTS[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dates),
      cmocka_unit_test(times),
      cmocka_unit_test(times_with_a_zone),
      cmocka_unit_test(numbers),
      cmocka_unit_test(order_has_no_circles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
