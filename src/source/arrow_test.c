/* An Arrow stream gives the rows that the same table gives as CSV, and everything it lent is given back. */
#include "data/design.h"
#include "data/read.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/arrow.h>

/* last: it needs the others */
#include <cmocka.h>

/* A stream of two batches (and an empty one) of five columns: a double with nulls, b int32, c a dictionary, d
   text, t a list, which is left out. */
enum { CHILDREN = 5 };
static int released; /* schemas, arrays and streams given back */

static void release_schema(struct ArrowSchema *schema) {
  released++;
  schema->release = NULL;
}
static void release_array(struct ArrowArray *array) {
  released++;
  array->release = NULL;
}

static struct ArrowSchema words = {.format = "u", .name = ""};
static struct ArrowSchema fields[CHILDREN] = {{.format = "g", .name = "a"},
                                              {.format = "i", .name = "b"},
                                              {.format = "c", .name = "c", .dictionary = &words},
                                              {.format = "U", .name = "d"},
                                              {.format = "+l", .name = "t"}};
static struct ArrowSchema *field_places[CHILDREN] = {&fields[0], &fields[1], &fields[2], &fields[3],
                                                     &fields[4]};

static const double a[] = {99, 1.5, -2, 0.25, 3, NAN};
static const unsigned char a_valid[] = {0x37}; /* the fourth is null */
static const int32_t b[] = {7, 1, 2, 3, 4, 5};
static int8_t c[] = {0, 1, 0, 1, 0, 1};
static const char word_bytes[] = "uv \"w\"";
static const int32_t word_places[] = {0, 1, 6};
static const char d_bytes[] = "xyyzzz";
static const int64_t d_places[] = {0, 1, 1, 3, 6, 6, 6};
static const void *word_buffers[] = {NULL, word_places, word_bytes};
static struct ArrowArray dictionary = {.length = 2, .n_buffers = 3, .buffers = word_buffers};
static const void *buffers[CHILDREN][3] = {
    {a_valid, a}, {NULL, b}, {NULL, c}, {NULL, d_places, d_bytes}, {NULL, a}};
static struct ArrowArray arrays[CHILDREN];
static struct ArrowArray *array_places[CHILDREN] = {&arrays[0], &arrays[1], &arrays[2], &arrays[3],
                                                    &arrays[4]};
static const unsigned char row_valid[] = {0x3F};
static const void *row_buffers[] = {row_valid};

static int batches, broken_at;
static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  (void)stream;
  *out = (struct ArrowSchema){.format = "+s",
                              .name = "",
                              .n_children = CHILDREN,
                              .children = field_places,
                              .release = release_schema};
  return 0;
}
/* Rows 1 and 2; none; rows 3 to 5, with the offset once in the batch and once in the columns. */
static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  (void)stream;
  static const int64_t offsets[] = {1, 0, 3}, lengths[] = {2, 0, 3};
  if (batches == broken_at) return 5;
  *out = (struct ArrowArray){0};
  if (batches == 3) return 0;
  bool inside = batches == 2;
  for (int j = 0; j < CHILDREN; j++)
    arrays[j] = (struct ArrowArray){.length = inside ? 3 : 6,
                                    .offset = inside ? offsets[batches] : 0,
                                    .null_count = -1,
                                    .n_buffers = j == 3 ? 3 : 2,
                                    .buffers = buffers[j],
                                    .dictionary = j == 2 ? &dictionary : NULL};
  *out = (struct ArrowArray){.length = lengths[batches],
                             .offset = inside ? 0 : offsets[batches],
                             .n_buffers = 1,
                             .buffers = row_buffers,
                             .n_children = CHILDREN,
                             .children = array_places,
                             .release = release_array};
  batches++;
  return 0;
}
static void release_stream(struct ArrowArrayStream *stream) {
  released++;
  stream->release = NULL;
}

static struct ArrowArrayStream stream_now(int broken) {
  batches = released = 0;
  broken_at = broken;
  return (struct ArrowArrayStream){.get_schema = get_schema, .get_next = get_next, .release = release_stream};
}

static const char CSV[] =
    "a,b,c,d\n1.5,1,\"v \"\"w\"\"\",\n-2,2,u,yy\n,3,\"v \"\"w\"\"\",zzz\n3,4,u,\nnan,5,\"v \"\"w\"\"\",\n";
static const char JSON[] = "{\"target\": {\"name\": \"b\", \"min\": 0, \"max\": 10}, \"features\": "
                           "[{\"name\": \"a\", \"min\": -5, \"max\": 5,"
                           "\"missing\": 2}, {\"name\": \"c\", \"levels\": [\"u\", \"v \\\"w\\\"\"]}, "
                           "{\"name\": \"d\", \"levels\": [\"none\","
                           "\"yy\", \"zzz\", \"other\"], \"missing\": \"none\"}]}";

static tacit_schema *schema_of(const char *json) {
  tacit_schema *schema;
  tacit_error error;
  if (tacit_schema_parse(json, strlen(json), &schema, &error)) fail_msg("%s", error.text);
  return schema;
}

static void a_stream_has_the_tables_rows(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(JSON);
  struct ArrowArrayStream stream = stream_now(-1);
  tacit_source *source, *csv;
  tacit_design *design, *expected;
  tacit_read_counts counts;
  tacit_error error;
  if (tacit_source_arrow(&stream, &source, &error)) fail_msg("%s", error.text);
  assert_null(stream.release);
  assert_int_equal(source->columns, 4);
  if (tacit_read_design(source, schema, NULL, &design, &counts, NULL, &error)) fail_msg("%s", error.text);
  assert_int_equal(counts.rows, 5);
  tacit_source_free(source);
  assert_int_equal(released, 1 + 3 + 1);
  assert_int_equal(tacit_source_csv_text(CSV, strlen(CSV), &csv, NULL), TACIT_OK);
  assert_int_equal(tacit_read_design(csv, schema, NULL, &expected, &counts, NULL, NULL), TACIT_OK);
  assert_int_equal(counts.rows, 5);
  assert_memory_equal(design->stored.block[0].cells, expected->stored.block[0].cells,
                      (design->columns + 2) * TACIT_BLOCK * sizeof(int32_t));
  tacit_source_free(csv);
  tacit_design_free(design);
  tacit_design_free(expected);
  tacit_schema_free(schema);
}

static void broken_streams_are_refused_and_given_back(void **state) {
  (void)state;
  tacit_schema *schema = schema_of(JSON);
  for (int broken = 0; broken < 5; broken++) {
    struct ArrowArrayStream stream = stream_now(broken < 3 ? broken : -1);
    tacit_source *source;
    tacit_design *design;
    tacit_read_counts counts;
    tacit_error error;
    if (broken == 3) c[4] = 2;  /* behind the dictionary */
    if (broken == 4) c[4] = -1; /* before it */
    assert_int_equal(tacit_source_arrow(&stream, &source, NULL), TACIT_OK);
    assert_int_equal(tacit_read_design(source, schema, NULL, &design, &counts, NULL, &error),
                     TACIT_BAD_INPUT);
    assert_non_null(strstr(error.text, broken == 0 ? "record 1:" : broken < 3 ? "record 3:" : "record 4:"));
    tacit_source_free(source);
    assert_int_equal(released, batches + 2);
    c[4] = 0;
  }
  struct ArrowArrayStream stream = stream_now(-1);
  tacit_source *source;
  fields[1].name = "a"; /* twice */
  assert_int_equal(tacit_source_arrow(&stream, &source, NULL), TACIT_BAD_INPUT);
  assert_int_equal(released, 2);
  fields[1].name = "b";
  tacit_schema_free(schema);
  schema = schema_of("{\"target\": {\"name\": \"t\", \"min\": 0, \"max\": 1}, \"features\": []}");
  stream = stream_now(-1);
  tacit_error error;
  tacit_design *design;
  tacit_read_counts counts;
  assert_int_equal(tacit_source_arrow(&stream, &source, NULL), TACIT_OK);
  assert_int_equal(tacit_read_design(source, schema, NULL, &design, &counts, NULL, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "\"t\" holds neither numbers nor text: its type"));
  tacit_source_free(source);
  tacit_schema_free(schema);
}

/* 64-bit integers that doubles do not tell apart stay apart: they may be people. */
static void large_integers_stay_apart(void **state) {
  (void)state;
  static const int64_t ids[] = {0,         INT64_C(1) << 53, (INT64_C(1) << 53) + 1, -(INT64_C(1) << 53) - 1,
                                INT64_MAX, INT64_MIN};
  static const char *const expected[] = {NULL, "9007199254740993", "-9007199254740993", "9223372036854775807",
                                         NULL};
  const struct ArrowSchema kept = fields[1];
  fields[1].format = "l";
  buffers[1][1] = ids;
  struct ArrowArrayStream stream = stream_now(-1);
  tacit_source *source;
  tacit_cell cells[CHILDREN];
  bool more;
  assert_int_equal(tacit_source_arrow(&stream, &source, NULL), TACIT_OK);
  for (int i = 0; i < 5; i++) {
    assert_int_equal(source->next(source, cells, &more, NULL), TACIT_OK);
    assert_true(more);
    if (!expected[i]) {
      assert_true(!cells[1].text && cells[1].number == (double)ids[i + 1]);
      continue;
    }
    assert_int_equal(cells[1].length, strlen(expected[i]));
    assert_memory_equal(cells[1].text, expected[i], cells[1].length);
  }
  tacit_source_free(source);
  fields[1] = kept;
  buffers[1][1] = b;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_stream_has_the_tables_rows),
                                     cmocka_unit_test(large_integers_stay_apart),
                                     cmocka_unit_test(broken_streams_are_refused_and_given_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
