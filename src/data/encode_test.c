/* Encoding: clamping, levels, lags, units, missing cells, and refusals that never quote a cell. */
#include "data/encode.h"

#include "base/base.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

enum { ROWS = 64, COLUMNS = 16, TARGETS = 2 };

/* What a sink has seen. */
typedef struct seen {
  size_t columns, targets, rows;
  double x[ROWS][COLUMNS], y[ROWS][TARGETS];
  size_t stop_at; /* the sink fails at this row; 0: never */
} seen;

static tacit_status see(void *self, const double *x, const double *y, tacit_error *error) {
  seen *s = self;
  if (s->stop_at && s->rows + 1 == s->stop_at) return tacit_fail(error, TACIT_INTERNAL, "the sink is full");
  assert_true(s->rows < ROWS && s->columns <= COLUMNS && s->targets <= TARGETS);
  memcpy(s->x[s->rows], x, s->columns * sizeof *x);
  memcpy(s->y[s->rows], y, s->targets * sizeof *y);
  s->rows++;
  return TACIT_OK;
}

static tacit_schema *schema_of(const char *json) {
  tacit_schema *schema;
  tacit_error error = {""};
  if (tacit_schema_parse(json, strlen(json), &schema, &error)) fail_msg("%s", error.text);
  return schema;
}

static tacit_status encode_source(tacit_source *source, const char *json, bool need_targets, seen *s,
                                  tacit_read_counts *counts, tacit_error *error) {
  tacit_schema *schema = schema_of(json);
  s->columns = schema->columns;
  s->targets = schema->target_count;
  tacit_status status = tacit_encode_source(
      source, schema, need_targets, &(const tacit_row_taker){.add = see, .self = s}, counts, NULL, error);
  if (status == TACIT_OK && need_targets) status = tacit_read_counts_check(counts, schema, error);
  tacit_schema_free(schema);
  tacit_source_free(source);
  return status;
}

static tacit_status encode_csv(const char *csv, const char *json, bool need_targets, seen *s,
                               tacit_read_counts *counts, tacit_error *error) {
  tacit_source *source;
  *s = (seen){0};
  assert_int_equal(tacit_source_csv_text(csv, strlen(csv), &source, error), TACIT_OK);
  return encode_source(source, json, need_targets, s, counts, error);
}

static void encodes(const char *csv, const char *json, seen *s, tacit_read_counts *counts) {
  tacit_error error = {""};
  if (encode_csv(csv, json, true, s, counts, &error)) fail_msg("%s", error.text);
}

/* The refusal has this status and these words, and "4242" or "SECRET", the private value, is not among them.
 */
static void refuses(const char *csv, const char *json, bool need_targets, tacit_status status,
                    const char *words) {
  seen s;
  tacit_read_counts counts;
  tacit_error error = {""};
  assert_int_equal(encode_csv(csv, json, need_targets, &s, &counts, &error), status);
  assert_string_equal(error.text, words);
  assert_null(strstr(error.text, "4242"));
  assert_null(strstr(error.text, "SECRET"));
}

#define TARGET "\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100}"
static const char plain[] = "{" TARGET ", \"features\": [{\"name\": \"a\", \"min\": -10, \"max\": 30},"
                            "{\"name\": \"b\", \"center\": 5, \"scale\": 2}]}";

static void numbers_are_clamped_and_scaled(void **state) {
  (void)state;
  seen s;
  tacit_read_counts counts;
  /* the columns in another order, and one that nobody asked for */
  encodes("b,note,y,a\n5,x,0,-10\n7,x,100,30\n1e300,x,1e300,1e300\n-1e300,,-5,-11\n5,,50,10\n", plain, &s,
          &counts);
  static const double x[][3] = {{1, -1, 0}, {1, 1, 1}, {1, 1, 8}, {1, -1, -8}, {1, 0, 0}};
  static const double y[] = {-1, 1, 1, -1, 0};
  assert_int_equal(s.rows, 5);
  for (size_t i = 0; i < 5; i++) {
    for (size_t j = 0; j < 3; j++) assert_true(s.x[i][j] == x[i][j]);
    assert_true(s.y[i][0] == y[i]);
  }
  assert_int_equal(counts.records, 5);
  assert_int_equal(counts.rows, 5);
  assert_int_equal(counts.dropped_lag + counts.dropped_unit, 0);
}

static void levels_and_other(void **state) {
  (void)state;
  seen s;
  tacit_read_counts counts;
  static const char with_other[] = "{" TARGET ", \"features\": [{\"name\": \"day\", \"levels\": [\"MON\", "
                                   "\"TUE\", \"other\"]}]}";
  static const char without[] =
      "{" TARGET ", \"features\": [{\"name\": \"day\", \"levels\": [\"MON\", \"TUE\", "
      "\"WED\"], \"missing\": \"WED\"}]}";
  static const char csv[] = "day,y\nMON,1\nTUE,1\nXYZ,1\n,1\n\"TUE\",1\nother,1\n";
  encodes(csv, with_other, &s, &counts);
  static const double first[][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {0, 1}};
  for (size_t i = 0; i < 6; i++) assert_memory_equal(&s.x[i][1], first[i], sizeof first[i]);
  encodes(csv, without, &s, &counts);
  static const double second[][2] = {{0, 0}, {1, 0}, {0, 0}, {0, 1}, {1, 0}, {0, 0}};
  for (size_t i = 0; i < 6; i++) assert_memory_equal(&s.x[i][1], second[i], sizeof second[i]);
}

static void columns_in_memory_encode_as_the_file_does(void **state) {
  (void)state;
  static const char json[] =
      "{" TARGET ", \"features\": [{\"name\": \"a\", \"min\": 0, \"max\": 4, \"missing\": 1},"
      "{\"name\": \"shop\", \"levels\": [\"1\", \"2\", \"3.50\"], \"missing\": \"2\"},"
      "{\"name\": \"day\", \"levels\": [\"MON\", \"TUE\"], \"missing\": \"TUE\"}]}";
  static const char csv[] = "a,shop,day,y\n3,1,MON,5\n,3.50,,6\n2,9,TUE,7\n1,,MON,8\n";
  const double a[] = {3, NAN, 2, 1}, shop[] = {1, 3.5, 9, INFINITY}, y[] = {5, 6, 7, 8};
  const char *const day[] = {"MON", NULL, "TUE", "MON"};
  const char *const names[] = {"a", "shop", "day", "y"};
  const double *const numbers[] = {a, shop, NULL, y};
  const char *const *const texts[] = {NULL, NULL, day, NULL};
  seen file, memory = {0};
  tacit_read_counts counts;
  encodes(csv, json, &file, &counts);
  tacit_source *source;
  tacit_error error = {""};
  assert_int_equal(tacit_source_columns(4, 4, names, numbers, texts, &source, &error), TACIT_OK);
  assert_int_equal(encode_source(source, json, true, &memory, &counts, &error), TACIT_OK);
  assert_memory_equal(&file, &memory, sizeof file);
  assert_int_equal(memory.rows, 4);
}

static void columns_in_memory_are_checked(void **state) {
  (void)state;
  const double a[] = {4242, NAN};
  const double y[] = {1, 2};
  const char *const names[] = {"a", "y"}, *const twins[] = {"a", "a"};
  const double *const numbers[] = {a, y}, *const lacking[] = {a, NULL};
  tacit_source *source;
  tacit_error error = {""};
  assert_int_equal(tacit_source_columns(2, 0, names, numbers, NULL, &source, &error), TACIT_USAGE);
  assert_int_equal(tacit_source_columns(2, 2, names, lacking, NULL, &source, &error), TACIT_USAGE);
  assert_string_equal(error.text, "column 2 must have either numbers or texts");
  assert_int_equal(tacit_source_columns(2, 2, twins, numbers, NULL, &source, &error), TACIT_BAD_INPUT);
  assert_int_equal(tacit_source_columns(2, 2, names, numbers, NULL, &source, &error), TACIT_OK);
  seen s = {0};
  tacit_read_counts counts;
  static const char json[] = "{" TARGET ", \"features\": [{\"name\": \"a\", \"min\": 0, \"max\": 1}]}";
  assert_int_equal(encode_source(source, json, true, &s, &counts, &error), TACIT_BAD_INPUT);
  assert_string_equal(error.text,
                      "record 2, column \"a\": not a finite number; add \"missing\" to this column in "
                      "the schema, or fix the row");
  assert_int_equal(counts.records, 2);
  assert_int_equal(counts.rows, 1);
}

static void missing_cells_take_the_schemas_value(void **state) {
  (void)state;
  static const char json[] =
      "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100, \"missing\": 75},"
      "\"features\": [{\"name\": \"a\", \"min\": 0, \"max\": 4, \"missing\": 3},"
      "{\"name\": \"a\", \"transform\": \"polynomial\", \"degree\": 2, \"missing\": 1}]}";
  seen s;
  tacit_read_counts counts;
  encodes("a,y\n,1\nx,\nnan,nan\n1e999,-\n4,100\n", json, &s, &counts);
  assert_int_equal(s.rows, 5);
  for (size_t i = 0; i < 4; i++) {
    assert_true(s.x[i][1] == 0.5);                       /* 3 of [0, 4] */
    assert_true(s.x[i][2] == -0.5 && s.x[i][3] == 0.25); /* its own missing: 1 */
    assert_true(i == 0 || s.y[i][0] == 0.5);
  }
  assert_true(s.x[4][1] == 1 && s.x[4][2] == 1 && s.x[4][3] == 1 && s.y[4][0] == 1);
}

#define LEAVE_OUT                                                                                            \
  "; fix the row, or leave such rows out of the table (\"missing\" in the schema is for a lost record that " \
  "really means one value)"
#define FIX "; add \"missing\" to this column in the schema, or fix the row"
static void refusals(void **state) {
  (void)state;
  refuses("a,b,y\n1,2,3\nSECRET,2,3\n", plain, true, TACIT_BAD_INPUT,
          "record 2, column \"a\": not a number" FIX);
  refuses("a,b,y\n1,2,3\n1,2,3\n1, ,3\n", plain, true, TACIT_BAD_INPUT,
          "record 3, column \"b\": the cell is empty" FIX);
  refuses("a,b,y\n4242e999,2,3\n", plain, true, TACIT_BAD_INPUT,
          "record 1, column \"a\": not a finite number" FIX);
  refuses("a,b,y\n1,2,4242x\n", plain, true, TACIT_BAD_INPUT,
          "record 1, column \"y\": not a number" LEAVE_OUT);
  refuses("a,b,y\n1,2,\n", plain, true, TACIT_BAD_INPUT,
          "record 1, column \"y\": the cell is empty" LEAVE_OUT);
  refuses("a,b,y\n1,2,3\n4242,SECRET\n", plain, true, TACIT_BAD_INPUT,
          "record 2: cells found 2, expected 3 as in the header; a comma inside a cell needs quotes");
  refuses("a,b,y\n", plain, true, TACIT_BAD_INPUT, "the table has no rows, only column names");
  /* a file without a header: its first record is not quoted either */
  refuses("4242,SECRET,7\n1,2,3\n", plain, true, TACIT_BAD_INPUT,
          "the table has no column \"a\"; does its first line hold the column names?");
  refuses("a,b\n1,4242\n", plain, true, TACIT_BAD_INPUT,
          "the table has no column \"y\"; does its first line hold the column names?");
}

static void a_sink_may_stop_the_reading(void **state) {
  (void)state;
  seen s = {.stop_at = 2};
  tacit_read_counts counts;
  tacit_error error = {""};
  tacit_source *source;
  static const char csv[] = "a,b,y\n1,2,3\n1,2,3\n1,2,3\n";
  assert_int_equal(tacit_source_csv_text(csv, strlen(csv), &source, &error), TACIT_OK);
  assert_int_equal(encode_source(source, plain, true, &s, &counts, &error), TACIT_INTERNAL);
  assert_string_equal(error.text, "the sink is full");
  assert_int_equal(s.rows, 1);
}

static bool always(void *user) {
  (void)user;
  return true;
}

static void the_caller_may_stop_the_reading(void **state) {
  (void)state;
  tacit_context context;
  tacit_context_init(&context);
  context.cancelled = always;
  tacit_schema *schema = schema_of(plain);
  tacit_source *source;
  tacit_error error = {""};
  seen s = {.columns = 3, .targets = 1};
  tacit_read_counts counts;
  assert_int_equal(tacit_source_csv_text("a,b,y\n1,2,3\n", 12, &source, &error), TACIT_OK);
  assert_int_equal(tacit_encode_source(source, schema, true, &(const tacit_row_taker){.add = see, .self = &s},
                                       &counts, &context, &error),
                   TACIT_CANCELLED);
  assert_int_equal(s.rows, 0);
  tacit_source_free(source);
  tacit_schema_free(schema);
}

#define UNIT(k) "\"unit\": {\"rows_per_unit\": " k "}"
static const char lagged[] =
    "{" TARGET ", \"features\": [{\"name\": \"y\", \"lag\": 1}, {\"name\": \"y\", \"lag\": "
    "3}], " UNIT("3") "}";

static void lags_are_earlier_targets(void **state) {
  (void)state;
  seen s;
  tacit_read_counts counts;
  char csv[512] = "y\n";
  for (int i = 0; i < 10; i++) sprintf(csv + strlen(csv), "%d\n", i == 4 ? 1000 : 10 * i);
  encodes(csv, lagged, &s, &counts);
  assert_int_equal(counts.records, 10);
  assert_int_equal(counts.dropped_lag, 3);
  assert_int_equal(counts.rows, 7);
  for (size_t i = 0; i < 7; i++) {
    double now = (double)(i + 3), before = now - 1, long_before = now - 3;
    assert_true(s.y[i][0] == (now == 4 ? 1 : (10 * now - 50) / 50));
    assert_true(s.x[i][1] == (before == 4 ? 1 : (10 * before - 50) / 50));
    assert_true(s.x[i][2] == (long_before == 4 ? 1 : (10 * long_before - 50) / 50));
  }
  refuses("y\n1\n2\n3\n", lagged, true, TACIT_BAD_INPUT,
          "no row is left of 3 records: the largest lag reaches 3 records back");
}

static void lags_of_missing_targets(void **state) {
  (void)state;
  static const char json[] =
      "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100, \"missing\": 50}, \"features\": "
      "[{\"name\": \"y\", \"lag\": 1, \"missing\": 100}, {\"name\": \"y\", \"lag\": 2}], " UNIT("3") "}";
  static const char csv[] = "y\n0\n\n25\n75\n";
  seen s;
  tacit_read_counts counts;
  tacit_error error = {""};
  for (int need = 0; need < 2; need++) { /* learning and ordering see the same lags */
    assert_int_equal(encode_csv(csv, json, need, &s, &counts, &error), TACIT_OK);
    assert_int_equal(s.rows, 2);
    assert_true(s.x[0][1] == 1 && s.x[0][2] == -1);
    assert_true(s.x[1][1] == -0.5 && s.x[1][2] == 0);
  }
}

static void ordering_needs_no_targets(void **state) {
  (void)state;
  seen s;
  tacit_read_counts counts;
  tacit_error error = {""};
  assert_int_equal(encode_csv("a,b\n1,2\n3,4\n", plain, false, &s, &counts, &error), TACIT_OK);
  assert_int_equal(s.rows, 2);
  assert_true(isnan(s.y[0][0]));
  assert_int_equal(encode_csv("a,b,y\n1,2,\n3,4,100\n5,6,x\n", plain, false, &s, &counts, &error), TACIT_OK);
  assert_true(isnan(s.y[0][0]) && s.y[1][0] == 1 && isnan(s.y[2][0]));
  refuses("x\n1\n", lagged, false, TACIT_BAD_INPUT,
          "the table has no column \"y\"; does its first line hold the column names?");
}

static void ordering_waits_for_its_lags(void **state) {
  (void)state;
  static const char csv[] = "y\n10\n20\n30\n\n50\n60\n70\n80\n";
  static const bool ready[] = {false, false, false, true, false, true, false, true};
  tacit_schema *schema = schema_of(lagged);
  tacit_source *source;
  tacit_encoder *encoder;
  tacit_error error = {""};
  assert_int_equal(tacit_source_csv_text(csv, strlen(csv), &source, &error), TACIT_OK);
  assert_int_equal(tacit_encoder_new(source, schema, false, &encoder, &error), TACIT_OK);
  double x[3], y[1];
  bool is_ready, more;
  for (size_t i = 0; i < 8; i++) {
    assert_int_equal(tacit_encoder_next(encoder, x, y, &is_ready, &more, &error), TACIT_OK);
    assert_true(more);
    assert_int_equal(is_ready, ready[i]);
  }
  assert_true(x[1] == 0.4 && x[2] == 0);
  assert_int_equal(tacit_encoder_next(encoder, x, y, &is_ready, &more, &error), TACIT_OK);
  assert_false(more || is_ready);
  tacit_encoder_free(encoder);
  tacit_encoder_free(NULL);
  tacit_source_free(source);
  tacit_schema_free(schema);
}

static const char units[] =
    "{" TARGET
    ", \"features\": [{\"name\": \"a\", \"min\": 0, \"max\": 100}], \"unit\": {\"rows_per_unit\": 2, "
    "\"column\": \"guest\"}}";

static void units_keep_their_first_records(void **state) {
  (void)state;
  seen s;
  tacit_read_counts counts;
  tacit_error error = {""};
  /* a surplus record is not looked at: its cells may be what they like */
  static const char csv[] =
      "guest,a,y\nann,0,1\nbob,50,1\nann,100,1\nann,SECRET,1\n,0,1\n,0,1\n,0,1\nann ,25,1\n";
  encodes(csv, units, &s, &counts);
  assert_int_equal(counts.records, 8);
  assert_int_equal(counts.dropped_unit, 2);
  assert_int_equal(s.rows, 6);
  assert_true(s.x[0][1] == -1 && s.x[1][1] == 0 && s.x[2][1] == 1 && s.x[5][1] == -0.5);
  /* in ordering everyone is served, and the ids need not be there */
  assert_int_equal(encode_csv("a\n1\n1\n1\n", units, false, &s, &counts, &error), TACIT_OK);
  assert_int_equal(s.rows, 3);
  refuses("a,y\n1,1\n", units, true, TACIT_BAD_INPUT,
          "the table has no column \"guest\"; does its first line hold the column names?");
  refuses(
      "guest,y\n1,1\n",
      "{" TARGET
      ", \"features\": [{\"name\": \"y\", \"lag\": 1}], \"unit\": {\"rows_per_unit\": 2, \"column\": "
      "\"guest\"}}",
      true, TACIT_REFUSED,
      "\"unit.column\" cannot be combined with lags: they carry a unit's records into the rows of others; "
      "remove one of them from the schema");
}

/* Which records of a unit stay depends on that unit's records alone. */
static void units_do_not_meet(void **state) {
  (void)state;
  seen alone, among;
  tacit_read_counts counts;
  encodes("guest,a,y\n7,1,1\n7,2,1\n7,3,1\n", units, &alone, &counts);
  encodes("guest,a,y\n8,50,1\n7,1,1\n8,50,1\n9,50,1\n7,2,1\n8,50,1\n7,3,1\n", units, &among, &counts);
  size_t found = 0;
  for (size_t i = 0; i < among.rows; i++)
    if (among.x[i][1] != 0) assert_true(among.x[i][1] == alone.x[found++][1]);
  assert_int_equal(found, 2);
  assert_int_equal(alone.rows, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_clamped_and_scaled),
      cmocka_unit_test(levels_and_other),
      cmocka_unit_test(columns_in_memory_encode_as_the_file_does),
      cmocka_unit_test(columns_in_memory_are_checked),
      cmocka_unit_test(missing_cells_take_the_schemas_value),
      cmocka_unit_test(refusals),
      cmocka_unit_test(a_sink_may_stop_the_reading),
      cmocka_unit_test(the_caller_may_stop_the_reading),
      cmocka_unit_test(lags_are_earlier_targets),
      cmocka_unit_test(lags_of_missing_targets),
      cmocka_unit_test(ordering_needs_no_targets),
      cmocka_unit_test(ordering_waits_for_its_lags),
      cmocka_unit_test(units_keep_their_first_records),
      cmocka_unit_test(units_do_not_meet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
