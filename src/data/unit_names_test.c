/* Units by names that DuckDB may blur in reading are refused: two people could become one. */
#include "data/read.h"
#include "source/duckdb_for_test.h"

#include <setjmp.h>
#include <stdarg.h>

/* last: it needs the others */
#include <cmocka.h>

/* Units by names that reading may blur are refused. */
static void names_that_are_rounded_are_refused(void **state) {
  (void)state;
  static const char SCHEMA_TEXT[] =
      "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 9}, \"features\": [], "
      "\"unit\": {\"rows_per_unit\": 1, \"column\": \"id\"}}";
  static const struct {
    const char *text;
    tacit_status status;
  } FILES[] = {{"{\"id\": 9007199254740993, \"y\": 1}\n{\"id\": 9007199254740992, \"y\": 1}\n{\"id\": "
                "\"a.b\", \"y\": 2}\n",
                TACIT_OK},
               {"{\"id\": 9007199254740993.0, \"y\": 1}\n", TACIT_BAD_INPUT},
               {"{\"id\": 1e2, \"y\": 1}\n", TACIT_BAD_INPUT}};
  tacit_schema *schema;
  assert_int_equal(tacit_schema_parse(SCHEMA_TEXT, strlen(SCHEMA_TEXT), &schema, NULL), TACIT_OK);
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
    tacit_source *source;
    tacit_design *design = NULL;
    tacit_read_counts counts;
    tacit_error error;
    write_text("ids.ndjson", FILES[i].text, strlen(FILES[i].text));
    assert_int_equal(tacit_source_open("ids.ndjson", &source, &error), TACIT_OK);
    assert_int_equal(tacit_read_design(source, schema, NULL, TACIT_CELL_BITS, &design, &counts, NULL, &error),
                     FILES[i].status);
    if (FILES[i].status == TACIT_OK) assert_int_equal(counts.rows, 3);
    tacit_design_free(design);
    tacit_source_free(source);
  }
  duckdb_write("COPY (SELECT TIMESTAMPTZ '2024-01-01 10:00:00+00' AS id, 1 AS y) TO 'zoned.parquet'");
  tacit_source *source;
  tacit_error error;
  assert_int_equal(tacit_source_open("zoned.parquet", &source, &error), TACIT_OK);
  assert_int_equal(tacit_source_check_promise(source, schema, false, true, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "with a zone"));
  tacit_source_free(source);
  tacit_schema_free(schema);
  /* decimals of 39 digits and more are not read at all */
  assert_int_equal(tacit_source_open(TACIT_TEST_FILES "/wide-decimal.parquet", &source, &error), TACIT_OK);
  size_t column;
  assert_int_equal(tacit_source_find(source, "w", &column, &error), TACIT_BAD_INPUT);
  assert_int_equal(tacit_source_find(source, "y", &column, &error), TACIT_OK);
  tacit_source_free(source);
}

int main(void) {
  if (!duckdb_begin()) return 77;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_that_are_rounded_are_refused),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  duckdb_end();
  return failed;
}
