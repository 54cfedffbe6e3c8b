/* Queries of files that declare nothing: CSV, and JSON, whose keys are records'. */
#include "data/sql_for_test.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Keys are records': a name means the key of these letters, whatever other keys other records have. */
static void a_key_of_another_record_changes_no_name(void **state) {
  (void)state;
  static const char *const LAST[] = {"{\"b\": 2}\n", "{\"A\": 5, \"b\": 2}\n", "{\"a \": 5}\n", "[5]\n"};
  for (size_t k = 0; k < sizeof LAST / sizeof *LAST; k++) {
    char text[128];
    snprintf(text, sizeof text, "{\"a\": 1, \"b\": 2}\n{\"a\": \"03\"}\n%s", LAST[k]);
    write_text("keys.jsonl", text, strlen(text));
    tacit_error error;
    char *rows = result_of("SELECT a AS x, a + 1 AS y, a > 2 AS z FROM 'keys.jsonl'", &error);
    assert_non_null(rows);
    assert_memory_equal(rows, "1|2|0|\n03|4|1|\n", 15);
    free(rows);
    assert_null(result_of("SELECT B FROM 'keys.jsonl'", &error));
    assert_non_null(strstr(error.text, "write names as the table does"));
  }
}

/* CSV is read here too; nothing of it is declared, and a cell is a number where it reads as one. */
static void csv_is_queried(void **state) {
  (void)state;
  tacit_error error;
  char *rows =
      result_of("SELECT n, n + 1 AS m, s || '!' AS t FROM 't.csv' WHERE n >= 9 AND s <> 'x'", &error);
  assert_non_null(rows);
  assert_string_equal(rows, "10|11|01!|\n9.0|10|1!|\n");
  free(rows);
}

int main(void) {
  if (!duckdb_begin()) return 77;
  static const char CSV[] = "n,s\n10,01\n8,1\n9.0,1\n,1\n99,x\n";
  write_text("t.csv", CSV, sizeof CSV - 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_key_of_another_record_changes_no_name),
      cmocka_unit_test(csv_is_queried),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  duckdb_end();
  return failed;
}
