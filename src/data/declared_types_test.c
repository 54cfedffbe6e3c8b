/* The type that a writer chose for a column of Parquet, perhaps because of one record, does not change what
   is read of the values of all others. */
#include "data/read.h"
#include "source/duckdb_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <tacit/data.h>

/* last: it needs the others */
#include <cmocka.h>

/* The rows of a query over 'same.parquet', whose column x has the values, all of them of the type. */
static char *rows_by_type(const char *values, const char *type, const char *query) {
  char statement[1024];
  snprintf(statement, sizeof statement,
           "COPY (SELECT CAST(v AS %s) AS x FROM (VALUES %s) AS t(v)) TO 'same.parquet'", type, values);
  duckdb_write(statement);
  tacit_source *source;
  tacit_error error;
  assert_int_equal(tacit_source_sql(NULL, query, false, &source, &error), TACIT_OK);
  return rows_of(source, &error);
}

static void expect_rows(const char *values, const char *type, const char *query, const char *expected) {
  char *rows = rows_by_type(values, type, query);
  if (!rows || strcmp(rows, expected) != 0)
    fail_msg("%s, %s:\n%snot\n%s", type, query, rows ? rows : "(none)", expected);
  free(rows);
}

static void numbers_are_the_same_cells(void **state) {
  (void)state;
  static const char *const TYPES[] = {"TINYINT", "INTEGER", "BIGINT",        "HUGEINT",
                                      "FLOAT",   "DOUBLE",  "DECIMAL(5, 1)", "DECIMAL(30, 9)"};
  for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
    expect_rows("(1), (-20), (100), (NULL)", TYPES[i],
                "SELECT x, x < '10' AS a, x = 1 AS b, x || '!' AS c FROM 'same.parquet'",
                "1|1|1|1!|\n-20|1|0|-20!|\n100|0|0|100!|\n||||\n");
}

/* Of the two zeros that doubles have, integers have one. */
static void there_is_one_zero(void **state) {
  (void)state;
  static const char *const TYPES[] = {"INTEGER", "HUGEINT",       "FLOAT",
                                      "DOUBLE",  "DECIMAL(5, 1)", "DECIMAL(30, 9)"};
  for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
    expect_rows("(-0.0::DOUBLE), (0.0)", TYPES[i],
                "SELECT x || '!' AS a, length(x) AS b, x ^ -1 AS c, atan2(x, -1) > 3 AS d, -x || '' AS e "
                "FROM 'same.parquet'",
                "0!|1|inf|1|0|\n0!|1|inf|1|0|\n");
}

/* One null makes doubles of all integers in some writers: those that are doubles must not look different. */
static void so_are_long_numbers(void **state) {
  (void)state;
  static const char *const TYPES[] = {"BIGINT", "HUGEINT", "DOUBLE", "DECIMAL(38, 0)", "DECIMAL(38, 9)"};
  for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
    const char *values = "(144115188075855872), (-288230376151711744), (1000000000000000000), (NULL)";
    expect_rows(values, TYPES[i], "SELECT x FROM 'same.parquet'",
                "1.4411518807585587e+17|\n-2.8823037615171174e+17|\n1e+18|\n|\n");
    expect_rows(values, TYPES[i],
                "SELECT left(x, 3) AS a, length(x) AS b, x LIKE '%2' AS c, x || '!' AS d FROM 'same.parquet'",
                "144|18|1|144115188075855872!|\n-28|19|0|-288230376151711744!|\n"
                "100|19|0|1000000000000000000!|\n||||\n");
    expect_rows(
        values, TYPES[i],
        "SELECT x < '5' AS a, x = '144115188075855872' AS b, x IN ('1e18') AS c, greatest(x, 7) AS d, "
        "coalesce(x, 1) AS e FROM 'same.parquet'",
        "0|1|0|1.4411518807585587e+17|1.4411518807585587e+17|\n1|0|0|7|-2.8823037615171174e+17|\n"
        "0|0|1|1e+18|1e+18|\n|||7|1|\n");
  }
}

/* Numbers that no double is: what is computed of them is the same when a writer rounds them; of their texts
   the digits are gone then. Nothing else about them changes, and as names they stay apart. */
static void rounding_changes_digits_alone(void **state) {
  (void)state;
  static const char *const WHOLE[] = {"BIGINT", "HUGEINT", "DOUBLE"};
  static const char *const BROKEN[] = {"DECIMAL(38, 9)", "DOUBLE"};
  for (size_t i = 0; i < sizeof WHOLE / sizeof *WHOLE; i++)
    expect_rows(
        "(9007199254740993), (123456789012345001)", WHOLE[i],
        "SELECT x + 0 AS a, x < '5' AS b, x = '9007199254740992' AS c, length(x) AS d, left(x, 15) AS "
        "e, year(x) AS f FROM 'same.parquet'",
        "9007199254740992|0|1|16|900719925474099||\n1.2345678901234501e+17|0|0|18|123456789012345||\n");
  for (size_t i = 0; i < sizeof BROKEN / sizeof *BROKEN; i++)
    expect_rows("(12345678901234.099609375), (1234567890123456.5)", BROKEN[i],
                "SELECT x || '!' AS a, x < '5' AS b, x > '1234567890123456' AS c FROM 'same.parquet'",
                "12345678901234.1!|0|0|\n1234567890123456.5!|0|1|\n");
  expect_rows("(9007199254740993), (9007199254740992), (123456789012345000), (123456789012345008)", "BIGINT",
              "SELECT x, if(x > 0, x, x) AS y FROM 'same.parquet'",
              "9007199254740993|9007199254740993|\n9007199254740992|9007199254740992|\n"
              "123456789012345000|123456789012345000|\n1.2345678901234501e+17|1.2345678901234501e+17|\n");
  expect_rows("(100000000000000000000000), (99999999999999991611392)", "DECIMAL(38, 0)",
              "SELECT x FROM 'same.parquet'", "100000000000000000000000|\n9.9999999999999992e+22|\n");
  expect_rows("(12345678901234.1), (12345678901234.099609375)", "DECIMAL(38, 9)",
              "SELECT x FROM 'same.parquet'", "12345678901234.1|\n12345678901234.099609375|\n");
}

/* Levels that are long whole numbers by all of their digits, whatever the type. */
static void levels_are_told_apart(void **state) {
  (void)state;
  static const char SCHEMA[] =
      "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 9}, \"features\": [{\"name\": \"x\", \"levels\": ["
      "\"base\", \"144115188075855873\", \"144115188075855872\", \"0.10000000149011612\", \"1e18\"]}]}";
  static const char *const FILES[] = {"SELECT 144115188075855872::BIGINT AS x, 1 AS y",
                                      "SELECT 144115188075855872::DOUBLE AS x, 1 AS y",
                                      "SELECT 144115188075855873::BIGINT AS x, 1 AS y",
                                      "SELECT 0.1::FLOAT AS x, 1 AS y",
                                      "SELECT 1e18::BIGINT AS x, 1 AS y",
                                      "SELECT 1e18::DOUBLE AS x, 1 AS y"};
  static const size_t LEVEL[] = {2, 2, 1, 3, 4, 4};
  tacit_schema *schema;
  assert_int_equal(tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, NULL), TACIT_OK);
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
    char statement[256];
    tacit_source *source;
    tacit_encoder *encoder;
    tacit_error error;
    double x[5], y;
    bool ready, more;
    snprintf(statement, sizeof statement, "COPY (%s) TO 'level.parquet'", FILES[i]);
    duckdb_write(statement);
    assert_int_equal(tacit_source_open("level.parquet", &source, &error), TACIT_OK);
    assert_int_equal(tacit_encoder_new(source, schema, true, &encoder, &error), TACIT_OK);
    assert_int_equal(tacit_encoder_next(encoder, x, &y, &ready, &more, &error), TACIT_OK);
    for (size_t k = 1; k < 5; k++)
      if (x[k] != (k == LEVEL[i])) fail_msg("%s: level %zu is %g", FILES[i], k, x[k]);
    tacit_encoder_free(encoder);
    tacit_source_free(source);
  }
  tacit_schema_free(schema);
}

/* One record with a time of day makes times of all dates in some writers. */
static void dates_are_times_at_midnight(void **state) {
  (void)state;
  static const char *const TYPES[] = {"DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"};
  for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
    const char *values = "('2024-01-31'), ('2024-02-01'), (NULL)";
    expect_rows(values, TYPES[i], "SELECT x, length(x) AS a, x || '!' AS b FROM 'same.parquet'",
                "2024-01-31|10|2024-01-31!|\n2024-02-01|10|2024-02-01!|\n|||\n");
    expect_rows(
        values, TYPES[i],
        "SELECT x <= '2024-01-31' AS a, x = DATE '2024-01-31' AS b, x >= '2024-01-31 00:00:00' AS c, x "
        "= TIMESTAMP '2024-01-31 00:00:00' AS d, x > '2024-01-31 00:00:01' AS e FROM 'same.parquet'",
        "1|1|1|1|0|\n0|0|1|0|1|\n|||||\n");
    expect_rows(values, TYPES[i],
                "SELECT date_trunc('day', x) AS a, CAST(x AS TIMESTAMP) AS b, last_day(x) AS c, "
                "date_trunc('month', x) = '2024-01-01' AS d FROM 'same.parquet'",
                "2024-01-31|2024-01-31|2024-01-31|1|\n2024-02-01|2024-02-01|2024-02-29|0|\n||||\n");
  }
  expect_rows("('2024-01-31'), ('2024-01-31 09:00:00')", "TIMESTAMP",
              "SELECT x, date_trunc('day', x) AS a, CAST(x AS DATE) AS b FROM 'same.parquet'",
              "2024-01-31|2024-01-31|2024-01-31|\n2024-01-31 09:00:00|2024-01-31|2024-01-31|\n");
  expect_rows("('294246-01-10'), ('0044-03-15 (BC)')", "DATE", "SELECT x FROM 'same.parquet'",
              "294246-01-10|\n0044-03-15 (BC)|\n");
  expect_rows("('294246-01-10'), ('0044-03-15 (BC)')", "TIMESTAMP", "SELECT x FROM 'same.parquet'",
              "294246-01-10|\n0044-03-15 (BC)|\n");
}

int main(void) {
  if (!duckdb_begin()) return 77;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_the_same_cells), cmocka_unit_test(there_is_one_zero),
      cmocka_unit_test(so_are_long_numbers),        cmocka_unit_test(rounding_changes_digits_alone),
      cmocka_unit_test(levels_are_told_apart),      cmocka_unit_test(dates_are_times_at_midnight),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  duckdb_end();
  return failed;
}
