/* Columns of an Arrow stream of every type that is read: their cells, and whole batches of numbers as
 * columns. */
#include "data/design.h"
#include "data/read.h"
#include "source/source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tacit/arrow.h>

/* last: it needs the others */
#include <cmocka.h>

/* A stream of batches with `columns` columns; nothing is owned. */
enum { MOST = 4, ROWS = 3 };
static struct {
  size_t columns, batches, given;
  struct ArrowSchema fields[MOST], *field_places[MOST];
  struct ArrowArray arrays[2][MOST], *places[2][MOST];
  int64_t lengths[2];
} table;
static const void *no_buffer[1];

static void release_schema(struct ArrowSchema *schema) {
  schema->release = NULL;
}
static void release_array(struct ArrowArray *array) {
  array->release = NULL;
}
static void release_stream(struct ArrowArrayStream *stream) {
  stream->release = NULL;
}
static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  (void)stream;
  *out = (struct ArrowSchema){.format = "+s",
                              .n_children = (int64_t)table.columns,
                              .children = table.field_places,
                              .release = release_schema};
  return 0;
}
static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  (void)stream;
  *out = (struct ArrowArray){0};
  if (table.given == table.batches) return 0;
  size_t k = table.given++;
  *out = (struct ArrowArray){.length = table.lengths[k],
                             .n_buffers = 1,
                             .buffers = no_buffer,
                             .n_children = (int64_t)table.columns,
                             .children = table.places[k],
                             .release = release_array};
  return 0;
}

static void add(size_t batch, size_t column, const char *name, const char *format,
                const struct ArrowArray *array) {
  table.fields[column] = (struct ArrowSchema){.format = format, .name = name};
  table.field_places[column] = &table.fields[column];
  table.arrays[batch][column] = *array;
  table.places[batch][column] = &table.arrays[batch][column];
  table.lengths[batch] = array->length;
  if (table.columns <= column) table.columns = column + 1;
  if (table.batches <= batch) table.batches = batch + 1;
}

static tacit_source *open_table(void) {
  struct ArrowArrayStream stream = {
      .get_schema = get_schema, .get_next = get_next, .release = release_stream};
  tacit_source *source;
  tacit_error error;
  table.given = 0;
  if (tacit_source_arrow(&stream, &source, &error)) fail_msg("%s", error.text);
  return source;
}

/* The cells of a column of ROWS values, as text; "#x" for the number x. */
static void cells_are(const char *format, size_t count, const void **buffers, const char *const *expected) {
  table.columns = table.batches = 0;
  const struct ArrowArray array = {
      .length = ROWS, .null_count = -1, .n_buffers = (int64_t)count, .buffers = buffers};
  add(0, 0, "c", format, &array);
  tacit_source *source = open_table();
  for (size_t i = 0; i < ROWS; i++) {
    tacit_cell cell;
    bool more;
    char text[200];
    assert_int_equal(source->next(source, &cell, &more, NULL), TACIT_OK);
    assert_true(more);
    if (cell.text)
      snprintf(text, sizeof text, "%.*s", (int)cell.length, cell.text);
    else
      snprintf(text, sizeof text, "#%.10g", cell.number);
    assert_string_equal(text, expected[i]);
  }
  tacit_source_free(source);
}

static void days_and_moments_are_spelled(void **state) {
  (void)state;
  static const int32_t days[] = {19753, 0, -1};
  static const int64_t milliseconds[] = {19753 * INT64_C(86400000), 1, -86400001};
  static const int64_t seconds[] = {19753 * INT64_C(86400), 19753 * INT64_C(86400) + 36000, INT64_C(1) << 60};
  static const int64_t micro[] = {-1, 1500000, 0};
  const void *buffers[] = {NULL, days};
  cells_are("tdD", 2, buffers, (const char *const[]){"2024-01-31", "1970-01-01", "1969-12-31"});
  buffers[1] = milliseconds;
  cells_are("tdm", 2, buffers, (const char *const[]){"2024-01-31", "1970-01-01", "1969-12-30"});
  buffers[1] = seconds;
  cells_are("tss:", 2, buffers, (const char *const[]){"2024-01-31", "2024-01-31 10:00:00", ""});
  cells_are("tss:UTC", 2, buffers,
            (const char *const[]){"2024-01-31 00:00:00+00", "2024-01-31 10:00:00+00", ""});
  buffers[1] = micro;
  cells_are("tsu:", 2, buffers,
            (const char *const[]){"1969-12-31 23:59:59.999999", "1970-01-01 00:00:01.5", "1970-01-01"});
}

static void decimals_keep_their_digits(void **state) {
  (void)state;
  static const int32_t small[] = {125, -5, 0};
  /* 12345678901234567890.12, its negative, 1.25; the lower half first */
  static const uint64_t large[ROWS][2] = {{UINT64_C(0xed123b0bd8203a14), 66},
                                          {UINT64_C(0x12edc4f427dfc5ec), UINT64_C(0xffffffffffffffbd)},
                                          {125, 0}};
  const void *buffers[] = {NULL, small};
  cells_are("d:9,2,32", 2, buffers, (const char *const[]){"#1.25", "#-0.05", "#0"});
  buffers[1] = large;
  cells_are("d:38,2", 2, buffers,
            (const char *const[]){"12345678901234567890.12", "-12345678901234567890.12", "#1.25"});
}

static void views_halves_and_nothing(void **state) {
  (void)state;
  struct {
    int32_t length;
    char text[12];
  } views[ROWS] = {{2, "ab"}, {0, ""}, {14, "long"}};
  const int32_t where[2] = {0, 3};
  memcpy(views[2].text + 4, where, sizeof where);
  static const char bytes[] = "...long enough text";
  static const int64_t sizes[] = {17};
  const void *buffers[] = {NULL, views, bytes, sizes};
  cells_are("vu", 4, buffers, (const char *const[]){"ab", "", "long enough te"});
  static const uint16_t halves[] = {0x3E00, 0xC000, 0x0001};
  buffers[1] = halves;
  cells_are("e", 2, buffers, (const char *const[]){"#1.5", "#-2", "#5.960464478e-08"});
  cells_are("n", 0, buffers, (const char *const[]){"", "", ""});
  table.columns = table.batches = 0; /* a view that ends behind its buffer */
  views[2].length = 15;
  buffers[1] = views;
  add(0, 0, "c", "vu", &(const struct ArrowArray){.length = ROWS, .n_buffers = 4, .buffers = buffers});
  tacit_source *source = open_table();
  tacit_cell cell;
  bool more;
  for (int i = 0; i < 2; i++) assert_int_equal(source->next(source, &cell, &more, NULL), TACIT_OK);
  assert_int_equal(source->next(source, &cell, &more, NULL), TACIT_BAD_INPUT);
  tacit_source_free(source);
}

/* Two batches of numbers, with nulls, integers and a column that nobody reads: read as columns, they are the
   rows of the same CSV text, and a missing number without a stand-in is found at its record. */
static void batches_of_numbers_are_rows(void **state) {
  (void)state;
  static const char CSV[] = "a,b,y\n1.5,1,2\n-2,2,3\n,3,4\n0.5,4,5\n1,5,6\n2,6,7\n";
  static const char *const JSON[] = {
      "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10}, \"features\": [{\"name\": \"a\", \"min\": "
      "-5, "
      "\"max\": 5, \"missing\": 2}, {\"name\": \"b\", \"min\": 0, \"max\": 9}]}",
      "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10}, \"features\": [{\"name\": \"a\", \"min\": "
      "-5, "
      "\"max\": 5}, {\"name\": \"b\", \"min\": 0, \"max\": 9}]}"};
  static const double a[2][ROWS] = {{1.5, -2, 99}, {0.5, 1, 2}}, y[2][ROWS] = {{2, 3, 4}, {5, 6, 7}};
  static const unsigned char valid[] = {3};
  static const int16_t b[2][ROWS] = {{1, 2, 3}, {4, 5, 6}};
  static const int32_t ends[] = {0, 1, 2, 3};
  const void *buffers[2][4][3] = {{{valid, a[0]}, {NULL, b[0]}, {NULL, y[0]}, {NULL, ends, "uvw"}},
                                  {{NULL, a[1]}, {NULL, b[1]}, {NULL, y[1]}, {NULL, ends, "uvw"}}};
  static const char *const names[] = {"a", "b", "y", "z"}, *const formats[] = {"g", "s", "g", "u"};
  table.columns = table.batches = 0;
  for (size_t k = 0; k < 2; k++)
    for (size_t j = 0; j < 4; j++)
      add(k, j, names[j], formats[j],
          &(const struct ArrowArray){
              .length = ROWS, .null_count = -1, .n_buffers = j == 3 ? 3 : 2, .buffers = buffers[k][j]});
  tacit_error error;
  tacit_schema *schema;
  tacit_design *design, *expected;
  tacit_read_counts counts;
  assert_int_equal(tacit_schema_parse(JSON[0], strlen(JSON[0]), &schema, NULL), TACIT_OK);
  tacit_source *source = open_table(), *csv;
  if (tacit_read_design(source, schema, NULL, &design, &counts, NULL, &error)) fail_msg("%s", error.text);
  assert_int_equal(counts.rows, 6);
  assert_int_equal(tacit_source_csv_text(CSV, strlen(CSV), &csv, NULL), TACIT_OK);
  assert_int_equal(tacit_read_design(csv, schema, NULL, &expected, &counts, NULL, NULL), TACIT_OK);
  assert_memory_equal(design->stored.block[0].cells, expected->stored.block[0].cells,
                      (design->columns + 2) * TACIT_BLOCK * sizeof(int32_t));
  tacit_source_free(source);
  tacit_source_free(csv);
  tacit_design_free(design);
  tacit_design_free(expected);
  tacit_schema_free(schema);
  assert_int_equal(tacit_schema_parse(JSON[1], strlen(JSON[1]), &schema, NULL), TACIT_OK);
  source = open_table();
  source->reader.asked[0] = source->reader.asked[1] = true;
  assert_int_equal(source->batch.bring(source, NULL), TACIT_OK);
  assert_int_equal(source->batch.rows, ROWS);
  assert_true(source->batch.numbers[0][1] == -2 && isnan(source->batch.numbers[0][2]) &&
              source->batch.numbers[1][2] == 3);
  assert_true(!source->batch.numbers[2] && !source->batch.numbers[3]);
  tacit_source_free(source);
  source = open_table();
  assert_int_equal(tacit_read_design(source, schema, NULL, &design, &counts, NULL, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "record 3"));
  tacit_source_free(source);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(days_and_moments_are_spelled), cmocka_unit_test(decimals_keep_their_digits),
      cmocka_unit_test(views_halves_and_nothing), cmocka_unit_test(batches_of_numbers_are_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
