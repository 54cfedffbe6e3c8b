/* Names of units in columns of doubles and floats that a program hands over: whole numbers that such a type
   may have rounded are refused, for two units could be one. */
#include "data/read.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tacit/arrow.h>

/* last: it needs the others */
#include <cmocka.h>

static tacit_status count_units(tacit_source *source, size_t *rows, tacit_error *error) {
  static const char TEXT[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 9}, \"features\": [], "
                             "\"unit\": {\"rows_per_unit\": 1, \"column\": \"id\"}}";
  tacit_schema *schema;
  tacit_design *design = NULL;
  tacit_read_counts counts;
  assert_int_equal(tacit_schema_parse(TEXT, strlen(TEXT), &schema, NULL), TACIT_OK);
  tacit_status status = tacit_read_design(source, schema, NULL, &design, &counts, NULL, error);
  *rows = counts.rows;
  tacit_design_free(design);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return status;
}

enum { ROWS = 2 };
static const double Y[ROWS] = {1, 2};

static void columns_in_memory(void **state) {
  (void)state;
  static const struct {
    double id[ROWS];
    bool taken;
  } CASES[] = {{{1, 9007199254740991}, true},
               {{1, 9007199254740992}, false},
               {{-1e300, 1}, false},
               {{NAN, 0.5}, true}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static const char *const NAMES[] = {"id", "y"};
    const double *columns[] = {CASES[i].id, Y};
    tacit_source *source;
    tacit_error error;
    size_t rows;
    assert_int_equal(tacit_source_columns(ROWS, 2, NAMES, columns, NULL, &source, &error), TACIT_OK);
    tacit_status status = count_units(source, &rows, &error);
    if (status != (CASES[i].taken ? TACIT_OK : TACIT_BAD_INPUT)) fail_msg("%zu: %d", i, status);
    if (CASES[i].taken) assert_int_equal(rows, ROWS);
    if (!CASES[i].taken) assert_non_null(strstr(error.text, "beyond what its column's type keeps"));
  }
}

/* One empty cell makes some programs write all whole numbers as doubles: beyond 2^53 two ids are one then. */
static void texts(void **state) {
  (void)state;
  static const char *const ROUNDED[] = {
      "1.2345678901234568e+16", "1E+05", "9007199254740992.0", "5.0e999", "-1.5E-7",
      "1.2345678901234568e16",  "1.0E7", " 9007199254740993.0"};
  static const char *const NAMES[] = {"7.0", "12e45", "12E4", "9007199254740993", "a.e+1", "1.5",
                                      "e-7", "-e",    "1e16"};
  enum { REFUSED = sizeof ROUNDED / sizeof *ROUNDED, ALL = REFUSED + sizeof NAMES / sizeof *NAMES };
  for (size_t i = 0; i < ALL; i++) {
    const char *name = i < REFUSED ? ROUNDED[i] : NAMES[i - REFUSED];
    char csv[128];
    tacit_source *source;
    tacit_error error;
    size_t rows;
    snprintf(csv, sizeof csv, "id,y\nann,1\n%s,1\n", name);
    assert_int_equal(tacit_source_csv_text(csv, strlen(csv), &source, &error), TACIT_OK);
    tacit_status status = count_units(source, &rows, &error);
    if (status != (i < REFUSED ? TACIT_BAD_INPUT : TACIT_OK)) fail_msg("%s: %d", name, status);
    if (i >= REFUSED) assert_int_equal(rows, 2);
    if (i < REFUSED)
      assert_string_equal(
          error.text,
          "record 2, column \"id\": a unit's name that is a number with an exponent, a very long one with a "
          "point, or one beyond what its column's type keeps (a float), may have been rounded by the program "
          "that wrote it, so that two units could become one; let it write whole numbers or text");
  }
}

/* A stream of one batch with two columns, id of a format and y. */
static struct ArrowSchema fields[2], *field_places[] = {&fields[0], &fields[1]};
static struct ArrowArray arrays[2], *array_places[] = {&arrays[0], &arrays[1]};
static const void *buffers[2][2], *no_buffers[1];
static bool sent;

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
  *out = (struct ArrowSchema){
      .format = "+s", .name = "", .n_children = 2, .children = field_places, .release = release_schema};
  return 0;
}
static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  (void)stream;
  *out = (struct ArrowArray){0};
  if (sent) return 0;
  sent = true;
  for (size_t j = 0; j < 2; j++)
    arrays[j] = (struct ArrowArray){.length = ROWS, .n_buffers = 2, .buffers = buffers[j]};
  *out = (struct ArrowArray){.length = ROWS,
                             .n_buffers = 1,
                             .buffers = no_buffers,
                             .n_children = 2,
                             .children = array_places,
                             .release = release_array};
  return 0;
}

static void streams(void **state) {
  (void)state;
  static const double DOUBLES[][ROWS] = {{1, 9007199254740991}, {1, 9007199254740992}};
  static const float FLOATS[][ROWS] = {{1, 16777215}, {1, 16777216}};
  static const int64_t LONGS[][ROWS] = {{1, INT64_C(9007199254740992)}, {1, INT64_C(9007199254740993)}};
  const struct {
    const char *format;
    const void *id;
    bool taken;
  } CASES[] = {{"g", DOUBLES[0], true}, {"g", DOUBLES[1], false}, {"f", FLOATS[0], true},
               {"f", FLOATS[1], false}, {"l", LONGS[0], true},    {"l", LONGS[1], true}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    fields[0] = (struct ArrowSchema){.format = CASES[i].format, .name = "id"};
    fields[1] = (struct ArrowSchema){.format = "g", .name = "y"};
    buffers[0][1] = CASES[i].id;
    buffers[1][1] = Y;
    sent = false;
    struct ArrowArrayStream stream = {
        .get_schema = get_schema, .get_next = get_next, .release = release_stream};
    tacit_source *source;
    tacit_error error;
    size_t rows;
    assert_int_equal(tacit_source_arrow(&stream, &source, &error), TACIT_OK);
    tacit_status status = count_units(source, &rows, &error);
    if (status != (CASES[i].taken ? TACIT_OK : TACIT_BAD_INPUT))
      fail_msg("%s, %zu: %d", CASES[i].format, i, status);
    if (CASES[i].taken) assert_int_equal(rows, ROWS);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(columns_in_memory),
                                     cmocka_unit_test(streams)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
