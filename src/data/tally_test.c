/* Cells that the schema did not foresee are counted the same by every way of reading. */
#include "data/tally.h"

#include "data/read.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char JSON[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 100, \"transform\": \"log\", \"missing\": 1}, "
    "\"features\": [{\"name\": \"a\", \"min\": 0.1, \"max\": 0.7, \"missing\": 0.5}, "
    "{\"name\": \"a\", \"min\": 0.2, \"max\": 1, \"missing\": 0.5, \"transform\": \"polynomial\", "
    "\"degree\": 2}, "
    "{\"name\": \"c\", \"levels\": [\"1\", \"2\", \"other\"]}, {\"name\": \"d\", \"levels\": [\"1\", "
    "\"2\"]}]}";

static tacit_schema *schema_of(const char *text) {
  tacit_schema *schema;
  tacit_error error;
  if (tacit_schema_parse(text, strlen(text), &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

static const tacit_column_tally WANT[] = {
    {.name = "a", .clamped = 2, .missing = 4, .unreadable = 3, .commas = 2},
    {.name = "a", .clamped = 2, .missing = 4, .unreadable = 3, .commas = 2},
    {.name = "c", .unlisted = 1, .missing = 1},
    {.name = "d", .unlisted = 2, .missing = 1},
    {.name = "y", .clamped = 2, .missing = 1}};

static void check(tacit_source *source, const tacit_schema *schema, size_t times) {
  tacit_column_tally got;
  size_t count = sizeof WANT / sizeof *WANT;
  for (size_t i = 0; i < count; i++) {
    assert_true(tacit_source_tally(source, schema, i, &got));
    assert_string_equal(got.name, WANT[i].name);
    assert_int_equal(got.clamped, times * WANT[i].clamped);
    assert_int_equal(got.unlisted, times * WANT[i].unlisted);
    assert_int_equal(got.missing, times * WANT[i].missing);
    assert_int_equal(got.unreadable, times * WANT[i].unreadable);
    assert_int_equal(got.commas, times * WANT[i].commas);
    assert_int_equal(got.seen, times * 10);
    assert_int_equal(got.crossed, 0); /* there are no lags */
  }
  assert_false(tacit_source_tally(source, schema, count, &got));
}

/* 0.1 and 0.7 are bounds, 1.0 and 2.0 are levels by value, and so is "other". */
static const char RECORDS[] = "0.1,1,1,0\n0.7,1.0,2.0,100\n0.05,2,1,100.1\n0.8,other,3,-0.5\n"
                              ",three,x,\n0.5,,,5\n0.5,\"1\",\"2\",5\n"
                              "\"0,5\",1,1,5\n\"0,7\",1,1,5\nnone,1,1,5\n";

static void any_piece_counts_alike(void **state) {
  (void)state;
  enum { TIMES = 40 };
  static char text[TIMES * sizeof RECORDS + 16];
  tacit_schema *schema = schema_of(JSON);
  strcpy(text, "a,c,d,y\n");
  for (int i = 0; i < TIMES; i++) strcat(text, RECORDS);
  for (size_t piece = 1; piece < 20000; piece = piece * 3 + 1)
    for (int threads = 1; threads <= 3; threads++) {
      tacit_source *source;
      tacit_design *design;
      tacit_read_counts counts;
      tacit_context context;
      tacit_context_init(&context);
      context.threads = threads;
      assert_int_equal(tacit_source_csv_text(text, strlen(text), &source, NULL), TACIT_OK);
      assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, NULL), TACIT_OK);
      tacit_row_store store = tacit_design_store(design);
      assert_int_equal(tacit_read_rows_in_pieces(source, schema, &store, piece, &counts, &context, NULL),
                       TACIT_OK);
      assert_int_equal(counts.rows, 10 * TIMES);
      check(source, schema, TIMES);
      tacit_design_free(design);
      tacit_source_free(source);
    }
  tacit_schema_free(schema);
}

static void one_by_one_counts_alike(void **state) {
  (void)state;
  char text[2 * sizeof RECORDS];
  tacit_schema *schema = schema_of(JSON);
  tacit_source *source;
  tacit_encoder *encoder;
  double x[16], y[1];
  bool ready, more = true;
  snprintf(text, sizeof text, "a,c,d,y\n%s", RECORDS);
  assert_int_equal(tacit_source_csv_text(text, strlen(text), &source, NULL), TACIT_OK);
  assert_true(tacit_schema_columns(schema) <= 16);
  assert_int_equal(tacit_encoder_new(source, schema, true, &encoder, NULL), TACIT_OK);
  while (more) assert_int_equal(tacit_encoder_next(encoder, x, y, &ready, &more, NULL), TACIT_OK);
  tacit_encoder_free(encoder);
  check(source, schema, 1);
  tacit_source_free(source);
  tacit_schema_free(schema);
}

static void columns_in_memory_count_alike(void **state) {
  (void)state;
  enum { N = 1000 };
  static double a[N], y[N];
  const char *const names[] = {"a", "y"};
  const double *const numbers[] = {a, y};
  for (int i = 0; i < N; i++) {
    a[i] = i < 1 ? INFINITY : i < 10 ? NAN : i < 30 ? 1.5 : 1;
    y[i] = i < 7 ? -1e300 : 0;
  }
  tacit_schema *schema = schema_of("{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 9}, \"features\": "
                                   "[{\"name\": \"a\", \"min\": 0, \"max\": 1, \"missing\": 0}]}");
  tacit_source *source;
  tacit_design *design;
  tacit_read_counts counts;
  tacit_column_tally got;
  assert_int_equal(tacit_source_columns(N, 2, names, numbers, NULL, &source, NULL), TACIT_OK);
  assert_false(tacit_source_tally(source, schema, 0, &got)); /* nothing was read */
  assert_int_equal(tacit_read_design(source, schema, NULL, &design, &counts, NULL, NULL), TACIT_OK);
  assert_true(tacit_source_tally(source, schema, 0, &got));
  assert_int_equal(got.clamped, 20);
  assert_int_equal(got.missing, 10);
  assert_int_equal(got.unreadable, 1); /* an infinity */
  assert_int_equal(got.seen, N);
  assert_true(tacit_source_tally(source, schema, 1, &got));
  assert_int_equal(got.clamped, 7);
  assert_int_equal(got.missing, 0);
  tacit_design_free(design);
  tacit_source_free(source);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(any_piece_counts_alike),
                                     cmocka_unit_test(one_by_one_counts_alike),
                                     cmocka_unit_test(columns_in_memory_count_alike)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
