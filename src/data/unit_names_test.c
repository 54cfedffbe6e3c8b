/* Units by names that DuckDB may blur in reading are refused: two people could become one. */
#include "data/read.h"
#include "source/duckdb_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <tacit/data.h>

/* last: it needs the others */
#include <cmocka.h>

static tacit_schema *units_by_id(void) {
  static const char TEXT[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 9}, \"features\": [], "
                             "\"unit\": {\"rows_per_unit\": 1, \"column\": \"id\"}}";
  tacit_schema *schema;
  assert_int_equal(tacit_schema_parse(TEXT, strlen(TEXT), &schema, NULL), TACIT_OK);
  return schema;
}

static tacit_status count_units(tacit_source *source, size_t *rows, tacit_error *error) {
  tacit_schema *schema = units_by_id();
  tacit_design *design = NULL;
  tacit_read_counts counts;
  tacit_status status = tacit_read_design(source, schema, NULL, &design, &counts, NULL, error);
  *rows = counts.rows;
  tacit_design_free(design);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return status;
}

static tacit_status read_units(const char *path, size_t *rows, tacit_error *error) {
  tacit_source *source;
  assert_int_equal(tacit_source_open(path, &source, error), TACIT_OK);
  return count_units(source, rows, error);
}

static tacit_status query_units(const char *query, size_t *rows, tacit_error *error) {
  tacit_source *source;
  assert_int_equal(tacit_source_sql(NULL, query, false, &source, error), TACIT_OK);
  return count_units(source, rows, error);
}

/* Whole numbers and texts stay apart; DuckDB prints the reals of JSON anew, also those in lists. */
static void rounded_names_of_json(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t units; /* 0: refused */
  } FILES[] = {{"{\"id\": 9007199254740993, \"y\": 1}\n{\"id\": 9007199254740992, \"y\": 1}\n{\"id\": "
                "\"a.b\", \"y\": 2}\n",
                3},
               {"{\"id\": 7, \"y\": 1}\n{\"id\": \"7\", \"y\": 1}\n{\"id\": true, \"y\": 1}\n"
                "{\"id\": \"true\", \"y\": 1}\n{\"y\": 1}\n{\"id\": null, \"y\": 1}\n",
                3},
               {"{\"id\": 9007199254740993.0, \"y\": 1}\n", 0},
               {"{\"id\": 1e2, \"y\": 1}\n", 0},
               {"{\"id\": 1e999, \"y\": 1}\n{\"id\": 2e999, \"y\": 1}\n", 0},
               {"{\"id\": [\"shop\", 1.00000000000000001], \"y\": 1}\n", 0},
               {"{\"id\": {\"shop\": 1.00000000000000001}, \"y\": 1}\n", 0}};
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
    size_t rows;
    tacit_error error;
    write_text("ids.ndjson", FILES[i].text, strlen(FILES[i].text));
    tacit_status status = read_units("ids.ndjson", &rows, &error);
    if (status != (FILES[i].units ? TACIT_OK : TACIT_BAD_INPUT)) fail_msg("%s: %d", FILES[i].text, status);
    if (FILES[i].units) assert_int_equal(rows, FILES[i].units);
    if (!FILES[i].units) assert_null(strstr(error.text, "shop"));
  }
}

/* Refused before a promise is made, in reading, and in packing: a packed table has no such columns left. */
static void refused_on_every_way(const char *path, const char *words) {
  tacit_schema *schema = units_by_id();
  tacit_source *source;
  tacit_error error;
  tacit_pack_counts counts;
  size_t rows;
  assert_int_equal(tacit_source_open(path, &source, &error), TACIT_OK);
  assert_int_equal(tacit_source_check_promise(source, schema, TACIT_REPLACE_ONE, true, &error),
                   TACIT_REFUSED);
  assert_non_null(strstr(error.text, words));
  assert_int_equal(tacit_pack_table(source, schema, "units.tacit", &counts, NULL, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, words));
  assert_int_not_equal(access("units.tacit", F_OK), 0);
  tacit_source_free(source);
  assert_int_equal(read_units(path, &rows, &error), TACIT_REFUSED);
  tacit_schema_free(schema);
}

static void times_that_lose_digits(void **state) {
  (void)state;
  duckdb_write("COPY (SELECT TIMESTAMPTZ '2024-01-01 10:00:00+00' AS id, 1 AS y) TO 'zoned.parquet'");
  refused_on_every_way("zoned.parquet", "with a zone");
  /* two people, a nanosecond apart */
  refused_on_every_way(TACIT_TEST_FILES "/int96.parquet", "INT96");
  /* other times keep what the file has */
  duckdb_write("COPY (SELECT TIMESTAMP_NS '2024-01-01 10:00:00' + INTERVAL (i) MICROSECOND AS id, 1 AS y "
               "FROM range(5) AS r(i)) TO 'plain.parquet'");
  size_t rows;
  tacit_error error;
  assert_int_equal(read_units("plain.parquet", &rows, &error), TACIT_OK);
  assert_int_equal(rows, 5);
}

/* One null makes some programs write all whole numbers as doubles, where two may be one: from Parquet's types
   it is seen which may be; as texts, from their form. */
static void numbers_that_a_type_rounds(void **state) {
  (void)state;
  static const struct {
    const char *value;
    bool taken;
  } FILES[] = {{"12345678901234567::DOUBLE", false},
               {"-9007199254740992::DOUBLE", false},
               {"9007199254740991::DOUBLE", true},
               {"'Infinity'::DOUBLE", false},
               {"0.1::DOUBLE", true},
               {"NULL::DOUBLE", true},
               {"16777216::FLOAT", false},
               {"16777215::FLOAT", true},
               {"12345678901234567::BIGINT", true},
               {"144115188075855872::BIGINT", true}, /* a double too, but nothing was rounded */
               {"12345678901234567::UBIGINT", true},
               {"9007199254740993.5::DECIMAL(38, 9)", true},
               {"'1.2345678901234568e+16'", false},
               {"'9007199254740992.0'", false},
               {"'12e45'", true},
               {"'12345678901234567'", true}};
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
    char statement[256];
    size_t rows;
    tacit_error error;
    snprintf(statement, sizeof statement, "COPY (SELECT %s AS id, 1 AS y) TO 'rounded.parquet'",
             FILES[i].value);
    duckdb_write(statement);
    tacit_status status = read_units("rounded.parquet", &rows, &error);
    if (status != (FILES[i].taken ? TACIT_OK : TACIT_BAD_INPUT)) fail_msg("%s: %d", FILES[i].value, status);
    status = query_units("SELECT * FROM 'rounded.parquet'", &rows, &error);
    if (status != (FILES[i].taken ? TACIT_OK : TACIT_BAD_INPUT)) fail_msg("%s: %d", FILES[i].value, status);
  }
}

/* Zoned times have several names, some of them from version 2.0 on; an ENUM may have any word in its type. */
static void zones_by_every_name(void **state) {
  (void)state;
  static const struct {
    const char *type;
    bool blurred;
  } TYPES[] = {{"TIMESTAMPTZ", true},      {"TIMETZ", true},   {"TIMESTAMPTZ_NS", true},
               {"TIMESTAMP_NS", false},    {"DATE", false},    {"ENUM('WITH TIME ZONE')", false},
               {"ENUM('TZ', 'x')", false}, {"VARCHAR", false}, {"DECIMAL(9, 2)", false}};
  for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
    char statement[128];
    snprintf(statement, sizeof statement, "CREATE TABLE t (id %s)", TYPES[i].type);
    tacit_duckdb *duckdb;
    tacit_source *source;
    tacit_answer answer;
    tacit_error error;
    assert_int_equal(tacit_duckdb_open(NULL, &duckdb, &error), TACIT_OK);
    if (tacit_duckdb_ask(duckdb, statement, NULL, &answer, NULL, &error) != TACIT_OK) {
      printf("this DuckDB has no %s\n", TYPES[i].type);
      tacit_duckdb_close(duckdb);
      continue;
    }
    tacit_answer_free(&answer);
    const tacit_duckdb_table table = {.from = "t", .what = "t"};
    assert_int_equal(tacit_source_duckdb(duckdb, &table, &source, &error), TACIT_OK);
    if (source->origin.blurred[0] != TYPES[i].blurred) fail_msg("%s", TYPES[i].type);
    tacit_source_free(source);
  }
}

/* Decimals of 39 digits and more are not read at all, under whatever name DuckDB shows them. */
static void wide_decimals(void **state) {
  (void)state;
  tacit_source *source;
  tacit_error error;
  size_t column;
  assert_int_equal(tacit_source_open(TACIT_TEST_FILES "/wide-decimal.parquet", &source, &error), TACIT_OK);
  assert_int_equal(tacit_source_find(source, "w", &column, &error), TACIT_BAD_INPUT);
  assert_int_equal(tacit_source_find(source, "y", &column, &error), TACIT_OK);
  tacit_source_free(source);
  /* ID, and id of 50 digits, which DuckDB calls id_1 */
  assert_int_equal(tacit_source_open(TACIT_TEST_FILES "/two-cases.parquet", &source, &error),
                   TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "does not call column 3"));
}

/* Numbers of two bytes, which DuckDB calls FLOAT: 2049 is 2048 there, and 2051 is 2052. */
static void halves(void **state) {
  (void)state;
  size_t rows;
  tacit_error error;
  assert_int_equal(read_units(TACIT_TEST_FILES "/half.parquet", &rows, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "beyond what its column's type keeps"));
  tacit_source *source;
  assert_int_equal(tacit_source_open(TACIT_TEST_FILES "/half.parquet", &source, &error), TACIT_OK);
  assert_true(source->origin.rounded_from[0] == 2048 &&
              source->origin.rounded_from[1] == TACIT_DOUBLE_ROUNDS);
  tacit_source_free(source);
}

int main(void) {
  if (!duckdb_begin()) return 77;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rounded_names_of_json),
      cmocka_unit_test(times_that_lose_digits),
      cmocka_unit_test(numbers_that_a_type_rounds),
      cmocka_unit_test(zones_by_every_name),
      cmocka_unit_test(wide_decimals),
      cmocka_unit_test(halves),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  duckdb_end();
  return failed;
}
