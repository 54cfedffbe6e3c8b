/* Queries of a DuckDB database: its tables by name, nothing that it defines itself, nothing written to it. */
#include "source/duckdb_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <tacit/data.h>

/* last: it needs the others */
#include <cmocka.h>

/* What a database defines itself may stand in for DuckDB's own, in the query, in what a table computes and in
   what tacit asks. */
static void databases_with_functions_or_computed_columns_are_refused(void **state) {
  (void)state;
  static const char *const MADE[][2] = {
      {"CREATE MACRO abs(x) AS (SELECT max(a) FROM sales)", "SELECT abs(a) AS a FROM sales"},
      {"CREATE MACRO lower(x) AS (SELECT max(a) FROM sales)", "SELECT lower(k) AS k FROM sales"},
      {"CREATE MACRO lower(x) AS upper(x)", "SELECT a FROM sales"},
      {"CREATE MACRO \"+\"(x, y) AS (SELECT max(a) FROM sales)", "SELECT a + 1 AS a FROM sales"},
      {"CREATE MACRO duckdb_functions() AS TABLE SELECT 'x' AS function_name, true AS internal, 'scalar' AS "
       "function_type",
       "SELECT a FROM sales"},
      {"CREATE MACRO duckdb_tables() AS TABLE SELECT 'seen' AS table_name, false AS internal, 'main' AS "
       "schema_name, '' AS sql",
       "SELECT a FROM seen"},
      {"CREATE MACRO json_serialize_sql(x) AS 'nothing'", "SELECT a FROM sales"},
      {"CREATE TABLE made (v INTEGER, a AS (sin(v)))", "SELECT v FROM made"},
      {"CREATE TABLE made (v INTEGER, a DOUBLE GENERATED ALWAYS AS (v * 2) VIRTUAL)", "SELECT a FROM made"}};
  for (size_t i = 0; i < sizeof MADE / sizeof *MADE; i++) {
    const char *const statements[] = {"CREATE TABLE sales AS SELECT * FROM 't.parquet'",
                                      "CREATE VIEW seen AS SELECT DISTINCT a FROM sales", MADE[i][0]};
    char path[32];
    snprintf(path, sizeof path, "own%zu.duckdb", i);
    duckdb_make(path, statements, 3);
    tacit_source *source;
    tacit_error error;
    if (tacit_source_sql(path, MADE[i][1], false, &source, &error) != TACIT_REFUSED)
      fail_msg("%s", MADE[i][0]);
  }
}

/* DuckDB's own comparison of names knows the case of ASCII letters alone: a view must not pass for a table.
 */
static void a_view_is_no_table_of_another_case(void **state) {
  (void)state;
  static const char *const STATEMENTS[] = {
      "CREATE TABLE \"caf\u00e9\" (y DOUBLE)",
      "CREATE VIEW \"CAF\u00c9\" AS SELECT y - avg(y) OVER () AS y FROM \"caf\u00e9\"",
      "CREATE TABLE plain (y DOUBLE)"};
  duckdb_make("view.duckdb", STATEMENTS, 3);
  static const char *const REFUSED[] = {"SELECT y FROM \"CAF\u00c9\"", "SELECT y FROM \"Caf\u00e9\"",
                                        "SELECT y FROM PLAIN"};
  for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
    tacit_source *source;
    tacit_error error;
    if (tacit_source_sql("view.duckdb", REFUSED[i], false, &source, &error) != TACIT_BAD_INPUT)
      fail_msg("%s", REFUSED[i]);
  }
  tacit_source *source;
  tacit_error error;
  assert_int_equal(tacit_source_sql("view.duckdb", "SELECT y FROM \"caf\u00e9\"", false, &source, &error),
                   TACIT_OK);
  tacit_source_free(source);
}

/* A NUL in a value of an ENUM does not hide what the table says behind it. */
static void generated_columns_are_found_behind_a_nul(void **state) {
  (void)state;
  static const char *const STATEMENTS[] = {
      "CREATE TYPE e AS ENUM (SELECT 'a' || chr(0) || 'b' UNION ALL SELECT 'c')",
      "CREATE TABLE t (c e, id BIGINT, unit VARCHAR GENERATED ALWAYS AS (CAST(id % 2 AS VARCHAR)) VIRTUAL)"};
  duckdb_make("nul.duckdb", STATEMENTS, 2);
  tacit_source *source;
  tacit_error error;
  assert_int_equal(tacit_source_sql("nul.duckdb", "SELECT * FROM t", false, &source, &error), TACIT_REFUSED);
}

static void databases_are_read_by_table(void **state) {
  (void)state;
  static const struct {
    const char *query;
    tacit_status status;
  } QUERIES[] = {{"SELECT * FROM sales", TACIT_OK},
                 {"SELECT sqrt(b) AS b FROM sales AS S WHERE s.a > 1", TACIT_OK},
                 {"SELECT * FROM seen", TACIT_BAD_INPUT},
                 {"SELECT * FROM hidden", TACIT_BAD_INPUT},
                 {"SELECT * FROM 't.parquet'", TACIT_BAD_INPUT},
                 {"SELECT * FROM s.sales", TACIT_REFUSED},
                 {"SELECT rowid FROM sales", TACIT_REFUSED}};
  static const char *const STATEMENTS[] = {
      "CREATE TABLE sales AS SELECT * FROM 't.parquet'", "CREATE VIEW seen AS SELECT DISTINCT a FROM sales",
      "CREATE SCHEMA other", "CREATE TABLE other.hidden AS SELECT 1 AS a"};
  duckdb_make("shop.duckdb", STATEMENTS, 4);
  struct stat before, after;
  assert_int_equal(stat("shop.duckdb", &before), 0);
  for (size_t i = 0; i < sizeof QUERIES / sizeof *QUERIES; i++) {
    tacit_source *source;
    tacit_error error;
    tacit_status status = tacit_source_sql("shop.duckdb", QUERIES[i].query, false, &source, &error);
    if (status != QUERIES[i].status)
      fail_msg("%s: %d %s", QUERIES[i].query, status, status ? error.text : "");
    if (status != TACIT_OK) continue;
    char *rows = rows_of(source, &error);
    assert_non_null(rows);
    free(rows);
  }
  assert_int_equal(stat("shop.duckdb", &after), 0);
  assert_true(before.st_mtime == after.st_mtime && before.st_size == after.st_size);
  assert_int_not_equal(access("shop.duckdb.wal", F_OK), 0);
  tacit_source *source;
  tacit_error error;
  assert_int_equal(tacit_source_sql("missing.duckdb", "SELECT 1", true, &source, &error), TACIT_BAD_INPUT);
  assert_int_not_equal(access("missing.duckdb", F_OK), 0);
  assert_int_equal(tacit_source_sql("t.parquet", "SELECT * FROM t", false, &source, &error), TACIT_BAD_INPUT);
  if (!strstr(error.text, "FROM 'sales.parquet'")) fail_msg("%s", error.text);
}

int main(void) {
  if (!duckdb_begin()) return 77;
  write_table(SIZE_MAX, "t.parquet");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(databases_are_read_by_table),
      cmocka_unit_test(a_view_is_no_table_of_another_case),
      cmocka_unit_test(generated_columns_are_found_behind_a_nul),
      cmocka_unit_test(databases_with_functions_or_computed_columns_are_refused),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  duckdb_end();
  return failed;
}
