/* The type that a writer chose for a column of Parquet does not change what is read of its values. */
#include "source/duckdb_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <tacit/data.h>

/* last: it needs the others */
#include <cmocka.h>

/* Which type a writer found fit for a column does not matter: the same numbers are the same cells. */
static void numbers_of_all_types_are_the_same_cells(void **state) {
  (void)state;
  static const char *const TYPES[] = {"TINYINT", "INTEGER", "BIGINT",        "HUGEINT",
                                      "FLOAT",   "DOUBLE",  "DECIMAL(5, 1)", "DECIMAL(30, 9)"};
  for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
    char statement[256];
    snprintf(
        statement, sizeof statement,
        "COPY (SELECT CAST(v AS %s) AS x FROM (VALUES (1), (-20), (100), (NULL)) AS t(v)) TO 'same.parquet'",
        TYPES[i]);
    duckdb_write(statement);
    tacit_source *source;
    tacit_error error;
    assert_int_equal(
        tacit_source_sql(NULL, "SELECT x, x < '10' AS a, x = 1 AS b, x || '!' AS c FROM 'same.parquet'",
                         false, &source, &error),
        TACIT_OK);
    char *rows = rows_of(source, &error);
    if (!rows || strcmp(rows, "1|1|1|1!|\n-20|1|0|-20!|\n100|0|0|100!|\n||||\n") != 0)
      fail_msg("%s: %s", TYPES[i], rows);
    free(rows);
  }
}

int main(void) {
  if (!duckdb_begin()) return 77;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_all_types_are_the_same_cells),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  duckdb_end();
  return failed;
}
