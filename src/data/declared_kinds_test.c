/* Flags, dates and levels from columns that declare their types: Parquet gives the rows of the CSV file with
   the same values, whichever type a writer found fit. */
#include "data/read.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "source/duckdb_for_test.h"

static const char SCHEMA[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100}, \"features\": ["
    "{\"name\": \"day\", \"date\": [\"weekday\", \"month\", \"day-of-year\", \"trend\"], \"start\": "
    "\"2024-01-01\", "
    "\"end\": \"2024-12-31\", \"missing\": \"2024-01-01\", \"holidays\": [\"2024-01-02\"]}, "
    "{\"name\": \"at\", \"date\": [\"hour\"]}, {\"name\": \"flag\", \"flag\": true, \"missing\": false}, "
    "{\"name\": \"shop\", \"levels\": [1, 2], \"other\": true}, {\"name\": \"item\", \"hash\": 50}, "
    "{\"interaction\": [\"shop\", \"flag\"]}]}";

static tacit_sample *read_file(const char *path) {
  tacit_schema *schema;
  tacit_source *source;
  tacit_sample *sample;
  tacit_read_counts counts;
  tacit_error error = {""};
  assert_int_equal(tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, &error), TACIT_OK);
  if (tacit_source_open(path, &source, &error)) fail_msg("%s", error.text);
  if (tacit_read_sample(source, schema, &sample, &counts, NULL, &error)) fail_msg("%s", error.text);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return sample;
}

#define ROWS(day, at, flag, shop, item)                                                                      \
  "COPY (SELECT " day " AS day, " at " AS at, " flag " AS flag, " shop " AS shop, " item                     \
  " AS item, i % 90 AS y FROM "                                                                              \
  "(SELECT i, CASE WHEN i % 7 > 0 THEN DATE '2024-01-01' + CAST(i % 300 AS INTEGER) END AS d, TIMESTAMP "    \
  "'2024-01-01 00:30:00' + INTERVAL (i) HOUR AS t FROM range(500) r(i))) TO "

static void as_from_csv(void **state) {
  (void)state;
  static const char *const STATEMENTS[] = {
      ROWS("d", "t", "i % 3 = 0", "i % 4", "i % 11") "'t.csv' (HEADER)",
      ROWS("d", "t", "i % 3 = 0", "i % 4", "i % 11") "'plain.parquet'",
      ROWS("CAST(d AS TIMESTAMP)", "CAST(t AS TIMESTAMP_NS)", "CAST(i % 3 = 0 AS DOUBLE)",
           "CAST(i % 4 AS DOUBLE)", "CAST(i % 11 AS DECIMAL(9, 2))") "'other.parquet'",
      ROWS("CAST(d AS VARCHAR)", "CAST(t AS VARCHAR)", "CASE WHEN i % 3 = 0 THEN 'Yes' ELSE 'no' END",
           "CAST(i % 4 AS VARCHAR)", "CAST(i % 11 AS VARCHAR)") "'text.parquet'"};
  static const char *const FILES[] = {"t.csv", "plain.parquet", "other.parquet", "text.parquet"};
  for (size_t i = 0; i < 4; i++) duckdb_write(STATEMENTS[i]);
  tacit_sample *csv = read_file(FILES[0]);
  assert_int_equal(csv->rows, 500);
  for (size_t i = 1; i < 4; i++) {
    tacit_sample *parquet = read_file(FILES[i]);
    assert_int_equal(parquet->rows, 500);
    for (size_t k = 0; k < csv->rows * csv->columns; k++)
      if (csv->x[k] != parquet->x[k])
        fail_msg("%s: column %zu of row %zu is %g, not %g", FILES[i], k / 500, k % 500, parquet->x[k],
                 csv->x[k]);
    tacit_sample_free(parquet);
  }
  tacit_sample_free(csv);
}

int main(void) {
  if (!duckdb_begin()) return 77;
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_from_csv)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  duckdb_end();
  return failed;
}
