/* Parquet and JSON files give the rows that the same table gives as CSV; what is not such a file is refused
   in words that quote no record. */
#include "base/base.h"
#include "data/read.h"
#include "source/duckdb_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <tacit/learn.h>

/* last: it needs the others */
#include <cmocka.h>

static const char TABLE[] =
    "(SELECT i AS n, CASE WHEN i % 11 = 0 THEN NULL ELSE (i * 37 % 1000) / 8.0 END AS x, "
    "CAST(i * 7 % 100 AS DECIMAL(9, 2)) / 4 AS price, i % 3 = 0 AS open, "
    "CASE i % 4 WHEN 0 THEN 'low' WHEN 1 THEN 'high, \"so\"' WHEN 2 THEN 'a long level, "
    "longer than twelve bytes' END AS k, CAST(i % 5 AS UTINYINT) AS small, "
    "DATE '2024-01-01' + CAST(i % 3 AS INTEGER) AS day, (i * 13 % 71) AS y "
    "FROM range(3000) AS r(i))";

static const char SCHEMA[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 70}, \"features\": ["
    "{\"name\": \"x\", \"min\": 0, \"max\": 125, \"missing\": 50}, {\"name\": \"price\", \"min\": 0, "
    "\"max\": 25},"
    "{\"name\": \"k\", \"levels\": [\"low\", \"high, \\\"so\\\"\", \"a long level, longer than twelve "
    "bytes\"]},"
    "{\"name\": \"small\", \"levels\": [\"0\", \"1\", \"2\", \"3\", \"4\"]},"
    "{\"name\": \"day\", \"levels\": [\"2024-01-01\", \"2024-01-02\", \"2024-01-03\"]}]}";

static tacit_schema *schema_of(const char *text) {
  tacit_schema *schema;
  assert_int_equal(tacit_schema_parse(text, strlen(text), &schema, NULL), TACIT_OK);
  return schema;
}

static void write_all(void) {
  char statement[2048];
  static const char *const FILES[] = {"'t.parquet'", "'t.json' (ARRAY true)", "'t.ndjson' (FORMAT json)",
                                      "'groups.parquet' (ROW_GROUP_SIZE 500)",
                                      "'t.csv' (HEADER, FORMAT csv)"};
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
    snprintf(statement, sizeof statement, "COPY %s TO %s", TABLE, FILES[i]);
    duckdb_write(statement);
  }
}

/* Every encoded row, target last. */
static double *encoded(const char *path, const tacit_schema *schema, size_t *count) {
  tacit_source *source;
  tacit_encoder *encoder;
  tacit_error error;
  assert_int_equal(tacit_source_open(path, &source, &error), TACIT_OK);
  assert_int_equal(tacit_encoder_new(source, schema, true, &encoder, &error), TACIT_OK);
  size_t width = tacit_schema_columns(schema) + 1;
  double *rows = calloc(4000 * width, sizeof *rows);
  bool ready, more = true;
  for (*count = 0;; ++*count) {
    double *row = rows + *count * width;
    assert_int_equal(tacit_encoder_next(encoder, row, row + width - 1, &ready, &more, &error), TACIT_OK);
    if (!more) break;
    assert_true(ready);
  }
  tacit_encoder_free(encoder);
  tacit_source_free(source);
  return rows;
}

static void files_give_the_rows_of_csv(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(SCHEMA);
  size_t want, got, width = tacit_schema_columns(schema) + 1;
  double *csv = encoded("t.csv", schema, &want);
  static const char *const PATHS[] = {"t.parquet", "t.json", "t.ndjson", "groups.parquet", "named-otherwise"};
  assert_int_equal(rename("t.csv", "kept.csv"), 0);
  assert_int_equal(system("cp t.parquet named-otherwise"),
                   0); /* Parquet is known by its first and last bytes */
  assert_int_equal(want, 3000);
  for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
    double *rows = encoded(PATHS[i], schema, &got);
    assert_int_equal(got, want);
    assert_memory_equal(rows, csv, want * width * sizeof *rows);
    free(rows);
  }
  assert_int_equal(rename("kept.csv", "t.csv"), 0);
  free(csv);
  tacit_schema_free(schema);
}

static void policies_are_the_same(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(SCHEMA);
  const double quantile = 0.7;
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.quantiles = &quantile;
  options.quantile_count = 1;
  options.mu = 1;
  options.seeded = true;
  options.seed = 9;
  static const char *const PATHS[] = {"t.csv", "t.parquet", "t.json", "groups.parquet"};
  double first[16];
  for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
    tacit_context context;
    tacit_source *source;
    tacit_error error;
    tacit_fit *fit;
    tacit_context_init(&context);
    context.threads = (int)(i % 3) + 1;
    assert_int_equal(tacit_source_open(PATHS[i], &source, &error), TACIT_OK);
    assert_int_equal(tacit_learn(schema, source, &options, &context, &fit, &error), TACIT_OK);
    size_t bytes = tacit_schema_columns(schema) * sizeof(double);
    assert_true(bytes <= sizeof first);
    if (i == 0) memcpy(first, tacit_fit_coefficients(fit), bytes);
    assert_memory_equal(tacit_fit_coefficients(fit), first, bytes);
    tacit_fit_free(fit);
    tacit_source_free(source);
  }
  tacit_schema_free(schema);
}

/* Lags and the limit of a unit go by the order of records: many row groups, several threads. */
static void records_come_in_their_order(void **state) {
  (void)state;
  duckdb_write("COPY (SELECT i FROM range(300000) AS r(i)) TO 'order.parquet' (ROW_GROUP_SIZE 4096)");
  duckdb_write("COPY (SELECT i FROM range(300000) AS r(i)) TO 'order.ndjson' (FORMAT json)");
  static const char *const PATHS[] = {"order.parquet", "order.ndjson"};
  for (size_t k = 0; k < 2; k++) {
    tacit_source *source;
    tacit_cell cell;
    tacit_error error;
    bool more;
    assert_int_equal(tacit_source_open(PATHS[k], &source, &error), TACIT_OK);
    source->reader.threads = 4;
    for (size_t i = 0; i < 300000; i++) {
      double number;
      assert_int_equal(source->next(source, &cell, &more, &error), TACIT_OK);
      assert_true(more && tacit_cell_number(&cell, &number) && number == (double)i);
    }
    assert_int_equal(source->next(source, &cell, &more, &error), TACIT_OK);
    assert_false(more);
    tacit_source_free(source);
  }
}

static void every_type_has_its_cell(void **state) {
  (void)state;
  duckdb_write(
      "COPY (SELECT CAST(-5 AS TINYINT) AS a, CAST(-300 AS SMALLINT) AS b, -70000 AS c, "
      "CAST(-9007199254740993 AS BIGINT) AS d, CAST(200 AS UTINYINT) AS e, CAST(60000 AS USMALLINT) AS f, "
      "CAST(4000000000 AS UINTEGER) AS g, CAST(18446744073709551615 AS UBIGINT) AS h, CAST(0.5 AS FLOAT) AS "
      "i, "
      "0.1::DOUBLE AS j, true AS k, 12345678901234567.25::DECIMAL(30, 2) AS l, TIMESTAMP '2024-02-03 "
      "04:05:06' AS m, "
      "'x' AS n, CAST('zz' AS BLOB) AS o, [1, 2] AS p, {'q': 1} AS q) TO 'types.parquet'");
  tacit_source *source;
  tacit_error error;
  size_t column;
  assert_int_equal(tacit_source_open("types.parquet", &source, &error), TACIT_OK);
  assert_int_equal(source->columns, 14);
  assert_int_equal(tacit_source_find(source, "p", &column, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "\"p\" holds neither numbers nor text"));
  assert_int_equal(tacit_source_find(source, "r", &column, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "no column \"r\""));
  char *rows = rows_of(source, &error);
  assert_string_equal(rows, "-5|-300|-70000|-9007199254740993|200|60000|4000000000|18446744073709551615|0.5|"
                            "0.10000000000000001|1|12345678901234567.25|2024-02-03 04:05:06|x|\n");
  free(rows);
}

/* No guess from records: what one record has in a column does not change how another is read. */
static void one_json_record_changes_no_other(void **state) {
  (void)state;
  static const char *const LAST[] = {"",
                                     "{\"a\": \"text\", \"b\": 2}\n",
                                     "{\"b\": [1], \"a\": {}}\n",
                                     "{\"z\": 1}\n",
                                     "{\"a\": 1e999, \"b\": \"2024-13-77\"}\n",
                                     "17\n",
                                     "null\n",
                                     "[3]\n",
                                     "[3, {\"a\": 1}]\n"};
  for (size_t k = 0; k < sizeof LAST / sizeof *LAST; k++) {
    char text[512];
    snprintf(text, sizeof text, "{\"a\": 10, \"b\": \"2024-01-02\"}\n{\"b\": \"01\", \"a\": 1.50}\n%s",
             LAST[k]);
    write_text("one.ndjson", text, strlen(text));
    tacit_source *source;
    tacit_error error;
    assert_int_equal(tacit_source_open("one.ndjson", &source, &error), TACIT_OK);
    char *rows = rows_of(source, &error);
    assert_non_null(rows);
    assert_memory_equal(rows, "10|2024-01-02|", 14);
    assert_non_null(strstr(rows, "\n1.5|01|"));
    free(rows);
  }
}

static void odd_keys_are_columns(void **state) {
  (void)state;
  static const char TEXT[] = "[{\"a\\\"b\": 1, \"x/y~z\": 2, \"k'\": \"\\u00e9\", \"n.m\": 0.1, \"\": 7, "
                             "\"a\\u0000b\": 8, \"A\": null},"
                             " {\"a\": true, \"A\": \"\"}]";
  write_text("odd.json", TEXT, strlen(TEXT));
  tacit_source *source;
  tacit_error error;
  assert_int_equal(tacit_source_open("odd.json", &source, &error), TACIT_OK);
  static const char *const NAMES[] = {"A", "a", "a\"b", "k'", "n.m", "x/y~z"};
  assert_int_equal(source->columns, 6);
  for (size_t j = 0; j < 6; j++) assert_string_equal(source->names[j], NAMES[j]);
  char *rows = rows_of(source, &error);
  assert_string_equal(rows, "||1|\xc3\xa9|0.1|2|\n|true|||||\n");
  free(rows);
}

static void what_is_no_table_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *path, *text, *words;
  } BAD[] = {
      {"empty.parquet", "", "no Parquet file or a damaged one"},
      {"text.parquet", "a,b\n1,SECRET\n", "no Parquet file or a damaged one"},
      {"magic.parquet", "PAR1 SECRET \xff\xff\xff\x7fPAR1", "no Parquet file or a damaged one"},
      {"cut.json", "[{\"a\": \"SECRET", "cannot be read as JSON"},
      {"comma.json", "[{\"a\": \"SECRET\"},", "was the file cut off"},
      {"comma-lines.json", "\xef\xbb\xbf [{\"a\": \"SECRET\"}, {\"a\": [1]},\r\n\t ", "was the file cut off"},
      {"two.json", "[{\"a\": \"SECRET\"}] {\"a\": 2} ]", "put together of two"},
      {"arrays.json", "[{\"a\": \"SECRET\"}]\n[{\"a\": 2}]", "put together of two"},
      {"quoted.json", "[{\"a\": \"SECRET]\"},", "was the file cut off"},
      {"mark.ndjson", "\xef\xbb\xbf{\"a\": \"SECRET\"}\n{\"a\": 2}\n", "byte-order mark"},
      {"mark.json", "\xef\xbb\xbf{\"a\": \"SECRET\"}\n{\"a\": 2}\n", "byte-order mark"},
      {"odd.ndjson", "{\"a\": 1}\nSECRET\n", "cannot be read as JSON"},
      {"none.json", "[1, 2, \"SECRET\"]", "no object with keys"},
      {"empty.json", "", "no object with keys"},
      {"pattern[1].parquet", "PAR1", "rename the file"}};
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
    tacit_source *source;
    tacit_error error;
    write_text(BAD[i].path, BAD[i].text, strlen(BAD[i].text));
    tacit_status status = tacit_source_open(BAD[i].path, &source, &error);
    if (status != TACIT_BAD_INPUT || !strstr(error.text, BAD[i].words) || strstr(error.text, "SECRET"))
      fail_msg("%s: %d %s", BAD[i].path, status, error.text);
    assert_null(source);
  }
  tacit_source *source;
  tacit_error error;
  assert_int_equal(tacit_source_open("missing.parquet", &source, &error), TACIT_BAD_INPUT);
  assert_int_equal(mkdir("folder.parquet", 0700), 0);
  assert_int_equal(tacit_source_open("folder.parquet", &source, &error), TACIT_BAD_INPUT);
  static const char HEADER[] = "PAR1,PAR2\n1,2\n"; /* a header like this is CSV all the same */
  write_text("header.csv", HEADER, strlen(HEADER));
  assert_int_equal(tacit_source_open("header.csv", &source, &error), TACIT_OK);
  assert_string_equal(source->names[1], "PAR2");
  tacit_source_free(source);
}

/* DuckDB takes a folder called name=value for a column of that name: here, in place of all records. */
static void folders_are_no_columns(void **state) {
  (void)state;
  static const char *const FILES[] = {"json=5/t.ndjson", "json=5/t.json", "y=50/t.ndjson", "y=50/t.json"};
  assert_int_equal(mkdir("json=5", 0700), 0);
  assert_int_equal(mkdir("y=50", 0700), 0);
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
    const char *text = i % 2 ? "[{\"id\": 1, \"y\": 5}, {\"id\": 2, \"y\": 6}]"
                             : "{\"id\": 1, \"y\": 5}\n{\"id\": 2, \"y\": 6}\n";
    tacit_source *source;
    tacit_error error;
    write_text(FILES[i], text, strlen(text));
    if (tacit_source_open(FILES[i], &source, &error) != TACIT_OK) fail_msg("%s: %s", FILES[i], error.text);
    char *rows = rows_of(source, &error);
    if (!rows || strcmp(rows, "1|5|\n2|6|\n") != 0) fail_msg("%s: %s", FILES[i], rows ? rows : error.text);
    free(rows);
  }
}

/* Bytes of a good file changed here and there: refused, or read; never a crash. */
static void damaged_files_do_no_harm(void **state) {
  (void)state;
  FILE *file = fopen("t.parquet", "rb");
  static char good[1 << 20], bad[1 << 20];
  size_t length = fread(good, 1, sizeof good, file), refused = 0;
  fclose(file);
  assert_true(length > 1000 && length < sizeof good);
  uint64_t seed = 12345;
  for (size_t k = 0; k < 60; k++) {
    memcpy(bad, good, length);
    for (size_t i = 0; i < 1 + k % 9; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      size_t reach = k % 2 ? 1200 : length - 8; /* half of them in the part that says what there is */
      bad[length - 9 - (seed >> 33) % (reach - 8)] = (char)(seed >> 25);
    }
    write_text("bad.parquet", bad, k % 5 ? length : length / 2 + k);
    tacit_source *source;
    tacit_error error;
    if (tacit_source_open("bad.parquet", &source, &error) != TACIT_OK) {
      refused++;
      continue;
    }
    char *rows = rows_of(source, &error);
    refused += !rows;
    free(rows);
  }
  assert_true(refused > 20);
}

static void without_the_library(void **state) {
  (void)state;
  const char *set = getenv("TACIT_DUCKDB");
  char *kept = set ? tacit_copy_text(set, strlen(set)) : NULL;
  tacit_source *source;
  tacit_error error;
  setenv("TACIT_DUCKDB", "/nowhere/libduckdb.so", 1);
  assert_int_equal(tacit_source_open("t.parquet", &source, &error), TACIT_USAGE);
  assert_non_null(strstr(error.text, "TACIT_DUCKDB"));
  setenv("TACIT_DUCKDB", "libm.so.6", 1); /* a library, but not DuckDB's */
  assert_int_equal(tacit_source_open("t.parquet", &source, &error), TACIT_USAGE);
  assert_non_null(strstr(error.text, "this DuckDB library has no duckdb_"));
  if (kept)
    setenv("TACIT_DUCKDB", kept, 1);
  else
    unsetenv("TACIT_DUCKDB");
  free(kept);
}

/* With a statement as argument: runs it, for the tests of the program. */
int main(int argc, char **argv) {
  if (argc == 2) {
    duckdb_write(argv[1]);
    return 0;
  }
  if (!duckdb_begin()) return 77;
  write_all();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_give_the_rows_of_csv),       cmocka_unit_test(policies_are_the_same),
      cmocka_unit_test(records_come_in_their_order),      cmocka_unit_test(every_type_has_its_cell),
      cmocka_unit_test(one_json_record_changes_no_other), cmocka_unit_test(odd_keys_are_columns),
      cmocka_unit_test(what_is_no_table_is_refused),      cmocka_unit_test(folders_are_no_columns),
      cmocka_unit_test(damaged_files_do_no_harm),         cmocka_unit_test(without_the_library),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  duckdb_end();
  return failed;
}
