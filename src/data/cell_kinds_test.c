/* Flags, dates, levels and interactions from cells, good and bad ones: both readers give the same bits and
   the same words, and one record's odd cell changes nothing of another row. */
#include "data/read.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SCHEMA(f) "{\"target\": {\"name\": \"y\", \"min\": -1, \"max\": 1}, \"features\": [" f "]}"

static tacit_schema *parse(const char *text) {
  tacit_schema *schema;
  tacit_error error = {""};
  if (tacit_schema_parse(text, strlen(text), &schema, &error)) fail_msg("%s", error.text);
  return schema;
}

/* piece 0: record by record. The rows' encoded cells, one after the other, are to be freed. */
static tacit_status read_text(const tacit_schema *schema, const char *text, size_t piece, size_t *rows,
                              double **x, tacit_error *error) {
  tacit_source *source;
  tacit_sample *sample;
  tacit_read_counts counts;
  const tacit_context two = {.threads = 2};
  error->text[0] = 0;
  assert_int_equal(tacit_source_csv_text(text, strlen(text), &source, error), TACIT_OK);
  assert_int_equal(tacit_sample_new(tacit_schema_columns(schema), 1, &sample, error), TACIT_OK);
  tacit_row_store store = tacit_sample_store(sample);
  tacit_status status =
      piece ? tacit_read_rows_in_pieces(source, schema, &store, piece, &counts, &two, error)
            : tacit_encode_source(source, schema, true,
                                  &(const tacit_row_taker){.add = tacit_sample_add, .self = sample}, &counts,
                                  &two, error);
  size_t cells = sample->rows * (tacit_schema_columns(schema) + 1);
  *rows = sample->rows;
  *x = malloc((cells + 1) * sizeof **x);
  if (cells) memcpy(*x, sample->buffer, cells * sizeof **x);
  tacit_sample_free(sample);
  tacit_source_free(source);
  return status;
}

/* Reads in all ways, which must agree. */
static tacit_status read_all(const tacit_schema *schema, const char *text, size_t *rows, double **x,
                             tacit_error *error) {
  tacit_status status = read_text(schema, text, 0, rows, x, error);
  static const size_t PIECES[] = {1, 13, 1 << 18};
  for (size_t k = 0; k < 3; k++) {
    size_t again;
    double *same;
    tacit_error words;
    assert_int_equal(read_text(schema, text, PIECES[k], &again, &same, &words), status);
    assert_string_equal(words.text, error->text);
    assert_int_equal(again, *rows);
    assert_memory_equal(same, *x, *rows * (tacit_schema_columns(schema) + 1) * sizeof *same);
    free(same);
  }
  return status;
}

/* Column `column` of the one row that a cell makes; NaN where it is refused. */
static double encode(const char *json, const char *cell, size_t column, tacit_error *error) {
  char text[400];
  size_t rows;
  double *x, got = NAN;
  tacit_schema *schema = parse(json);
  snprintf(text, sizeof text, "a,y\n%s,0\n", cell);
  if (read_all(schema, text, &rows, &x, error) == TACIT_OK) got = x[column];
  free(x);
  tacit_schema_free(schema);
  return got;
}

static void is(const char *json, const char *cell, size_t column, double wanted) {
  tacit_error error;
  double got = encode(json, cell, column, &error);
  if (!(got == wanted)) fail_msg("\"%s\" became %g, not %g: %s", cell, got, wanted, error.text);
}

static void is_refused(const char *json, const char *cell, const char *words) {
  tacit_error error;
  if (!isnan(encode(json, cell, 1, &error))) fail_msg("\"%s\" was read", cell);
  if (!strstr(error.text, words) || !strstr(error.text, "record 1, column \"a\""))
    fail_msg("\"%s\": %s", cell, error.text);
  if (strlen(cell) > 2 && strstr(error.text, cell)) fail_msg("quoted: %s", error.text);
}

static void flags(void **state) {
  (void)state;
  static const char FLAG[] = SCHEMA("{\"name\": \"a\", \"flag\": true}");
  static const char MISSING[] = SCHEMA("{\"name\": \"a\", \"flag\": true, \"missing\": true}");
  static const char *const TRUE_CELLS[] = {"true", "True", "TRUE", "TRUE ", " yes", "Yes",     "1",
                                           "1.0",  "01",   "1e0",  "t",     "Y",    "\"true\""};
  static const char *const FALSE_CELLS[] = {"false", "False", "FALSE", "no", "NO",
                                            "0",     "0.0",   "-0",    "f",  "n"};
  static const char *const BAD[] = {"2", "-1",    "0.5",    "truee", "wahr",
                                    "½", "24:00", "falsch", "1e309", "nan"};
  for (size_t i = 0; i < sizeof TRUE_CELLS / sizeof *TRUE_CELLS; i++) is(FLAG, TRUE_CELLS[i], 1, 1);
  for (size_t i = 0; i < sizeof FALSE_CELLS / sizeof *FALSE_CELLS; i++) is(MISSING, FALSE_CELLS[i], 1, 0);
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
    is_refused(FLAG, BAD[i], "neither true nor false");
    is(MISSING, BAD[i], 1, 1);
  }
  is_refused(FLAG, "", "the cell is empty");
  is_refused(FLAG, " ", "the cell is empty");
  is(MISSING, "", 1, 1);
}

static void levels(void **state) {
  (void)state;
  static const char NUMBERS[] =
      SCHEMA("{\"name\": \"a\", \"levels\": [0, 1, 24], \"other\": true, \"missing\": 24}");
  static const char FOLDED[] = SCHEMA("{\"name\": \"a\", \"levels\": [\"TUE\", \"Mon\"], \"fold\": true}");
  static const char *const ONES[] = {"1", "1.0", "01", " 1", "1e0", "+1", "\"1\""};
  static const char *const REST[] = {"2", "TRUE ", "1e309", "½", "24:00", "1.5"};
  static const char *const MONDAYS[] = {"MON", "mon", " Mon ", "mOn\t"};
  for (size_t i = 0; i < sizeof ONES / sizeof *ONES; i++) is(NUMBERS, ONES[i], 1, 1);
  for (size_t i = 0; i < sizeof REST / sizeof *REST; i++) is(NUMBERS, REST[i], 3, 1);
  for (size_t i = 0; i < sizeof MONDAYS / sizeof *MONDAYS; i++) is(FOLDED, MONDAYS[i], 1, 1);
  is(NUMBERS, "", 2, 1);
  is(FOLDED, "monday", 1, 0);
}

/* Equal values have one bucket, however they are spelled: 1000 of them, so that no two agree by chance here.
 */
static void buckets(void **state) {
  (void)state;
  static const char HASH[] = SCHEMA("{\"name\": \"a\", \"hash\": 1000}");
  size_t of_24 = 0xc2356069e9d1e79cU % 1000, of_abc = 0xba7816bf8f01cfeaU % 1000;
  is(HASH, "24", of_24, 1);
  is(HASH, "24.0", of_24, 1);
  is(HASH, " 024", of_24, 1);
  is(HASH, "2.4e1", of_24, 1);
  is(HASH, "abc", of_abc, 1);
  is(HASH, "ABC", of_abc, 0);
  for (size_t j = 1; j < 1000; j += 111) is(HASH, "", j, 0);
  tacit_error error;
  for (size_t j = 1; j < 1000; j += 37)
    assert_true(encode(HASH, "2024-01-31", j, &error) == encode(HASH, "2024-01-31 00:00:00.000", j, &error));
}

static void dates(void **state) {
  (void)state;
#define HOURS "\"name\": \"a\", \"date\": [\"hour\"]"
  static const char ISO[] = SCHEMA("{" HOURS "}"),
                    MISSING[] = SCHEMA("{" HOURS ", \"missing\": \"2016-01-01T07\"}"),
                    FORMAT[] = SCHEMA("{" HOURS ", \"format\": \"%d.%m.%Y %H:%M\"}"),
                    DIGITS[] = SCHEMA("{\"name\": \"a\", \"date\": [\"month\"], \"format\": \"%Y%m%d\"}");
  static const char *const BAD[] = {"2016-02-31", "24:00",    "2016-01-01T24:00",       "TRUE ", "1e309", "½",
                                    "2016",       "20160101", "2016-01-01T10:00:00 Uhr"};
  is(ISO, "2016-01-01T07:30:00", 7, 1);
  is(ISO, "2016-01-01 07:30:00.25Z", 7, 1);
  is(ISO, "\"2016-01-01 07:30\"", 7, 1);
  is(ISO, "2016-01-01", 7, 0);
  is(FORMAT, "1.1.2016 7:59", 7, 1);
  is_refused(FORMAT, "31.02.2016 7:59", "not a date in the schema's format");
  is_refused(FORMAT, "2016-01-01 07:59", "not a date in the schema's format");
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
    is_refused(ISO, BAD[i], "not a date like 2024-01-31");
    is(MISSING, BAD[i], 7, 1);
  }
  is_refused(ISO, "", "the cell is empty");
  is(MISSING, "", 7, 1);
  is(DIGITS, "20160301", 2, 1); /* and what a program makes of it where another record's cell is empty */
  is(DIGITS, "20160301.0", 2, 1);
  is_refused(DIGITS, "20160231", "not a date");
  is_refused(DIGITS, "-20160301", "not a date");
}

/* The advice for what is no number: "missing" alone would make a column of truths or dates constant. */
static void numbers_that_are_none(void **state) {
  (void)state;
  static const char NUMBER[] = SCHEMA("{\"name\": \"a\", \"min\": 0, \"max\": 1}");
  is_refused(NUMBER, "True", "a truth and no number (write \"flag\": true in place of its bounds)");
  is_refused(NUMBER, "YES", "write \"flag\": true");
  is_refused(NUMBER, "2016-02-29", "a date and no number");
  is_refused(NUMBER, "2016-02-29 07:30", "a date and no number");
  is_refused(NUMBER, "2016-02-31", "not a number; add");
  is_refused(NUMBER, "shop", "not a number; add");
  is_refused(NUMBER, "½", "not a number; add");
  is_refused(NUMBER, "1e309", "not a finite number");
}

/* Numbers in memory that are no flags, and no dates. */
static void columns_in_memory(void **state) {
  (void)state;
  static const char *const NAMES[] = {"a", "y"};
  static const char *const JSON[] = {
      SCHEMA("{\"name\": \"a\", \"flag\": true}"),
      SCHEMA("{\"name\": \"a\", \"date\": [\"month\"], \"format\": \"%Y%m%d\"}"),
      SCHEMA("{\"name\": \"a\", \"date\": [\"month\"]}")};
  for (size_t k = 0; k < 3; k++) {
    tacit_schema *schema = parse(JSON[k]);
    double a[100], y[100] = {0};
    for (size_t bad = 99; bad <= 100; bad++) {
      for (size_t i = 0; i < 100; i++) a[i] = k ? 20160100 + (double)(i % 28) + 1 : (double)(i % 2);
      if (bad < 100) a[bad] = 0.5;
      const double *numbers[] = {a, y};
      tacit_source *source;
      tacit_design *design;
      tacit_read_counts counts;
      tacit_error error = {""};
      assert_int_equal(tacit_source_columns(100, 2, NAMES, numbers, NULL, &source, &error), TACIT_OK);
      tacit_status status = tacit_read_design(source, schema, NULL, &design, &counts, NULL, &error);
      assert_int_equal(status, bad < 100 || k == 2 ? TACIT_BAD_INPUT : TACIT_OK);
      if (status)
        assert_non_null(strstr(error.text, k == 2 ? "record 1, column \"a\": not a date"
                                           : k    ? "record 100, column \"a\": not a date"
                                                  : "record 100, column \"a\": neither true nor false"));
      tacit_design_free(design);
      tacit_source_free(source);
    }
    tacit_schema_free(schema);
  }
}

enum { ROWS = 150, COLUMNS = 5, ODD_ROW = 70 };

/* A table with an odd cell in column c of one record, or none. */
static const char *odd_table(size_t c, const char *odd) {
  static char text[ROWS * 120];
  size_t at = (size_t)sprintf(text, "d,f,s,h,n,y\n");
  for (size_t i = 0; i < ROWS; i++) {
    char cells[COLUMNS][64];
    int length = sprintf(cells[0], "2016-%02zu-%02zu", i % 12 + 1, i % 28 + 1);
    if (i % 3 == 0) sprintf(cells[0] + length, " 1%zu:05:00", i % 9);
    sprintf(cells[1], "%s", i % 2 ? "yes" : "FALSE");
    sprintf(cells[2], "%zu%s", i % 3, i % 5 ? "" : ".0");
    sprintf(cells[3], "item %zu", i % 17);
    sprintf(cells[4], "%zu.5", i % 9);
    if (i == ODD_ROW && odd) strcpy(cells[c], odd);
    for (size_t j = 0; j < COLUMNS; j++) at += (size_t)sprintf(text + at, "%s,", cells[j]);
    at += (size_t)sprintf(text + at, "0\n");
  }
  return text;
}

/* Any cell in place of one record's: all others' rows stay the same, bit by bit. */
static void an_odd_cell_changes_no_other_row(void **state) {
  (void)state;
  tacit_schema *schema = parse(
      SCHEMA("{\"name\": \"d\", \"date\": [\"weekday\", \"week\", \"hour\", \"day-of-year\", \"trend\"], "
             "\"start\": \"2016-01-01\", \"end\": \"2017-01-01\", \"holidays\": [\"2016-03-03\"], "
             "\"missing\": \"2016-01-01\"}, {\"name\": \"f\", \"flag\": true, \"missing\": false}, "
             "{\"name\": \"s\", \"levels\": [1, 2, \"x\"], \"fold\": true, \"other\": true}, "
             "{\"name\": \"h\", \"hash\": 9}, {\"name\": \"n\", \"min\": 0, \"max\": 9, \"missing\": 1}, "
             "{\"interaction\": [\"s\", \"weekday\"]}, {\"interaction\": [\"n\", \"f\"]}"));
  static const char *const ODD[] = {"",  "2016-02-31",         "24:00", "TRUE ",         "1e309",
                                    "½", "\"a \"\"b\"\", c\"", "1.0",   "nan",           "-",
                                    "x", "2016-05-05",         "07",    "\"two\nlines\""};
  size_t width = tacit_schema_columns(schema) + 1, rows;
  double *plain, *x;
  tacit_error error;
  if (read_all(schema, odd_table(0, NULL), &rows, &plain, &error)) fail_msg("%s", error.text);
  for (size_t c = 0; c < COLUMNS; c++)
    for (size_t k = 0; k < sizeof ODD / sizeof *ODD; k++) {
      if (read_all(schema, odd_table(c, ODD[k]), &rows, &x, &error)) fail_msg("%s", error.text);
      assert_int_equal(rows, ROWS);
      for (size_t i = 0; i < ROWS; i++)
        if (i != ODD_ROW) assert_memory_equal(x + i * width, plain + i * width, width * sizeof *x);
      free(x);
    }
  free(plain);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flags),
      cmocka_unit_test(levels),
      cmocka_unit_test(buckets),
      cmocka_unit_test(dates),
      cmocka_unit_test(numbers_that_are_none),
      cmocka_unit_test(columns_in_memory),
      cmocka_unit_test(an_odd_cell_changes_no_other_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
