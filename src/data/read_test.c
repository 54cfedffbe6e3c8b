/* Reading by several threads gives what reading record by record gives: the same rows, counts and words, for
   every number of threads and every place where the text is cut. */
#include "data/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* last: it needs the others */
#include <cmocka.h>

/* xorshift64*: tests need the same numbers everywhere, not good ones. */
static uint64_t state = 88172645463325252ULL;
static uint64_t draw(void) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545F4914F6CDD1DULL;
}
static size_t below(size_t n) {
  return (size_t)(draw() >> 33) % n;
}

static const char PLAIN[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10},"
                            "\"features\": [{\"name\": \"a\", \"min\": -5, \"max\": 5},"
                            "{\"name\": \"c\", \"levels\": [\"u\", \"v \\\"w\\\"\", \"other\"]}]}";
static const char MISSING[] = "{\"target\": [{\"name\": \"y\", \"min\": 0, \"max\": 10, \"missing\": 1}, "
                              "{\"name\": \"n\", \"center\": 0,"
                              "\"scale\": 2, \"missing\": 0}], \"features\": [{\"name\": \"a\", \"min\": -5, "
                              "\"max\": 5, \"missing\": 2},"
                              "{\"name\": \"a\", \"transform\": \"polynomial\", \"degree\": 2, \"min\": -5, "
                              "\"max\": 5, \"missing\": 2},"
                              "{\"name\": \"c\", \"levels\": [\"u\", \"v \\\"w\\\"\", \"3\"]}]}";
static const char UNITS[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10, \"missing\": 1}, \"features\":"
    "[{\"name\": \"a\", \"min\": -5, \"max\": 5, \"missing\": 0}], \"unit\": {\"column\": "
    "\"c\", \"rows_per_unit\": 2}}";
static const char LAGS[] =
    "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10, \"missing\": 1}, \"features\":"
    "[{\"name\": \"y\", \"lag\": 2}], \"unit\": {\"rows_per_unit\": 3}}";

static tacit_schema *schema_of(const char *json) {
  tacit_schema *schema;
  tacit_error error;
  if (tacit_schema_parse(json, strlen(json), &schema, &error)) fail_msg("%s", error.text);
  return schema;
}

typedef struct outcome {
  tacit_status status;
  tacit_error error;
  tacit_read_counts counts;
  tacit_design *design;
  size_t record;
} outcome;

static outcome read_text(const char *text, size_t length, const tacit_schema *schema, size_t piece,
                         int threads) {
  outcome o = {.status = TACIT_OK};
  tacit_source *source = NULL;
  tacit_context context;
  tacit_context_init(&context);
  context.threads = threads;
  assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &o.design, NULL), TACIT_OK);
  o.status = tacit_source_csv_text(text, length, &source, &o.error);
  if (o.status) return o;
  if (!piece)
    o.status = tacit_encode_source(source, schema, true,
                                   &(const tacit_row_taker){.add = tacit_design_add, .self = o.design},
                                   &o.counts, &context, &o.error);
  else {
    tacit_row_store store = tacit_design_store(o.design);
    o.status = tacit_read_rows_in_pieces(source, schema, &store, piece, &o.counts, &context, &o.error);
  }
  o.record = source->record;
  if (!o.status) { /* and then there is nothing more */
    bool more = true;
    tacit_cell cells[16];
    assert_int_equal(source->next(source, cells, &more, NULL), TACIT_OK);
    assert_false(more);
  }
  tacit_source_free(source);
  return o;
}

static void assert_same(const outcome *a, const outcome *b) {
  assert_int_equal(a->status, b->status);
  if (a->status) assert_string_equal(a->error.text, b->error.text);
  assert_memory_equal(&a->counts, &b->counts, sizeof a->counts);
  assert_int_equal(a->record, b->record);
  assert_int_equal(a->design->rows, b->design->rows);
  assert_int_equal(a->design->blocks, b->design->blocks);
  size_t bytes = (a->design->columns + 1 + a->design->targets) * TACIT_BLOCK * sizeof(int32_t);
  for (size_t k = 0; k < a->design->blocks; k++)
    assert_memory_equal(a->design->stored.block[k].cells, b->design->stored.block[k].cells, bytes);
}

/* Whatever the text is, all ways of reading it agree. */
static void check(const char *text, size_t length, const tacit_schema *schema) {
  static const size_t pieces[] = {1, 2, 3, 17, 64, 1 << 18};
  outcome serial = read_text(text, length, schema, 0, 1);
  for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
    outcome parallel = read_text(text, length, schema, pieces[k] + below(3), 1 + (int)below(3));
    assert_same(&serial, &parallel);
    tacit_design_free(parallel.design);
  }
  tacit_design_free(serial.design);
}

static size_t put_cell(char *out, bool odd) {
  static const char *const cells[] = {"1",
                                      "-2.5",
                                      "0.30471707975443135",
                                      "u",
                                      "\"v \"\"w\"\"\"",
                                      "",
                                      " 3 ",
                                      "+4.",
                                      ".5",
                                      "1e-3",
                                      "12345678901234567890123",
                                      "\"7\"",
                                      "\"a\nb\"",
                                      "\"x,y\"",
                                      "nan",
                                      "-",
                                      "\"\"",
                                      "9.007199254740993e15",
                                      "00001.50"};
  static const char *const faults[] = {"a\"b", "\"x\"y", "\"open", "a\rb", "a,b", "\n", "\"a\n"};
  const char *cell = odd && below(3) == 0 ? faults[below(sizeof faults / sizeof *faults)]
                     : below(3)           ? (below(2) ? "1.25" : "u")
                                          : cells[below(sizeof cells / sizeof *cells)];
  return (size_t)sprintf(out, "%s", cell);
}

/* A file with the columns a, c, n, y in some order, and faults here and there when `odd`. */
static size_t random_file(char *out, bool odd) {
  size_t n = (size_t)sprintf(out, below(2) ? "a,c,n,y\n" : "y,\"n\",c,a\r\n"), rows = below(60);
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < 4; j++) {
      if (j) out[n++] = ',';
      n += put_cell(out + n, odd && below(40) == 0);
    }
    if (i + 1 == rows && below(2)) break;
    n += (size_t)sprintf(out + n, below(4) ? "\n" : "\r\n");
  }
  for (size_t blank = below(3); blank-- > 0 && rows;) n += (size_t)sprintf(out + n, below(2) ? "\n" : "\r\n");
  return n;
}

static void random_files_read_alike(void **unused) {
  (void)unused;
  tacit_schema *schemas[] = {schema_of(MISSING), schema_of(PLAIN), schema_of(UNITS), schema_of(LAGS)};
  int trials = getenv("TACIT_QUICK") ? 100 : 1000;
  char *text = malloc(1 << 16);
  for (int k = 0; k < trials; k++) {
    size_t length = random_file(text, k % 3 == 0);
    check(text, length, schemas[k % 4 ? 0 : below(4)]);
  }
  free(text);
  for (size_t k = 0; k < 4; k++) tacit_schema_free(schemas[k]);
}

/* Well-formed files whose bytes were changed, cut out or doubled anywhere. */
static void mutated_files_read_alike(void **unused) {
  (void)unused;
  tacit_schema *schema = schema_of(MISSING);
  static const char bytes[] = "\",\n\r0.-e x";
  int trials = getenv("TACIT_QUICK") ? 100 : 1000;
  char *text = malloc(1 << 16);
  for (int k = 0; k < trials; k++) {
    size_t length = random_file(text, false);
    for (size_t changes = 1 + below(4); changes-- > 0;) {
      size_t at = below(length);
      switch (below(3)) {
      case 0:
        text[at] = below(8) ? bytes[below(sizeof bytes - 1)] : (char)below(256);
        break;
      case 1:
        memmove(text + at, text + at + 1, --length - at);
        break;
      default:
        memmove(text + at + 1, text + at, length++ - at);
        text[at] = bytes[below(sizeof bytes)]; /* a NUL among them */
      }
    }
    check(text, length, schema);
  }
  free(text);
  tacit_schema_free(schema);
}

/* Many numbers side by side, as data frames write them, with one or two cells that are something else. */
static void wide_tables_read_alike(void **unused) {
  (void)unused;
  static const char json[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10, \"missing\": 1},"
                             "\"features\": [{\"name\": \"f\", \"center\": 0, \"scale\": 1},"
                             "{\"name\": \"a\", \"min\": -5, \"max\": 5, \"missing\": 2},"
                             "{\"name\": \"b\", \"center\": 0, \"scale\": 3, \"missing\": 0},"
                             "{\"name\": \"c\", \"levels\": [\"1\", \"2.5\"]},"
                             "{\"name\": \"d\", \"center\": 0, \"scale\": 1, \"missing\": 0},"
                             "{\"name\": \"e\", \"center\": 0, \"scale\": 1, \"missing\": 0}]}";
  static const char *const headers[] = {"a,b,y,d,e,f,c\n", "c,y,f,e,d,b,a\n", "f,e,c,y,a,b,d\n"};
  tacit_schema *schema = schema_of(json);
  int trials = getenv("TACIT_QUICK") ? 50 : 300;
  char *text = malloc(1 << 18);
  for (int k = 0; k < trials; k++) {
    size_t n = (size_t)sprintf(text, "%s", headers[below(3)]), rows = below(300), odd = 1 + below(4000);
    for (size_t i = 0; i < 7 * rows; i++) {
      double value = ((double)(draw() >> 11) * 0x1p-53 - 0.5) * (below(4) ? 8 : 1e4);
      if (below(odd))
        n += (size_t)sprintf(text + n, "%.*g", below(3) ? 17 : 1 + (int)below(16), value);
      else
        n += put_cell(text + n, below(8) == 0);
      n += (size_t)sprintf(text + n, "%s", i % 7 < 6 ? "," : k % 4 ? "\n" : "\r\n");
    }
    check(text, n, schema);
  }
  free(text);
  tacit_schema_free(schema);
}

static void known_corners(void **unused) {
  (void)unused;
  static const char *const files[] = {"a,c,n,y",
                                      "a,c,n,y\n",
                                      "a,c,n,y\n\n\n",
                                      "a,c,n,y\r\n\r\n",
                                      "a,c,n,y\n1,u,1,1\n\r",
                                      "a,c,n,y\n\n\r",
                                      "a,c,n,y\n1,u,1,1\n\n\r",
                                      "a,c,n,y\n\n1,u,1,1\n",
                                      "a,c,n,y\n1,u,1,1\r",
                                      "\xEF\xBB\xBF"
                                      "a,c,n,y\n1,u,2,3",
                                      "a,c,n,y\n1,\"u\n\n",
                                      "a,c,n,y\n1,u,1\n1,u,1,1,1\n",
                                      "a,c,n,y\n,,,\n",
                                      "a,c,n,y\n1,u,1,\"1\"\n",
                                      "a,c,n,y\n1,u,1,1\n\"",
                                      "a,c,n,y\n1,\"u\"\"\",1,1\n"};
  tacit_schema *schemas[] = {schema_of(MISSING), schema_of(PLAIN)};
  for (size_t k = 0; k < sizeof files / sizeof *files; k++)
    for (size_t s = 0; s < 2; s++) check(files[k], strlen(files[k]), schemas[s]);
  tacit_schema *one = schema_of("{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10, \"missing\": 1}, "
                                "\"features\": []}");
  static const char *const single[] = {"y\n1\n\n2\n\n", "y\n\n", "y\n\r\n\r\n", "y\n1\r", "y\n\"\n\"\n1"};
  for (size_t k = 0; k < sizeof single / sizeof *single; k++) check(single[k], strlen(single[k]), one);
  tacit_schema_free(one);
  for (size_t s = 0; s < 2; s++) tacit_schema_free(schemas[s]);
}

/* The plain reader of numbers says what the careful one says, or leaves it to it. */
static void plain_numbers_are_the_same(void **unused) {
  (void)unused;
  static const char alphabet[] = "00123456789..-+eE ,";
  char text[96];
  int taken = 0, written = 0;
  for (int k = 0; k < 300000; k++) {
    size_t length = 1 + below(26), room = 32 + below(64);
    memset(text, below(2) ? ',' : '7', sizeof text);
    for (size_t i = 0; i < length; i++) text[i] = alphabet[below(i && below(4) ? 11 : sizeof alphabet - 1)];
    double plain, careful;
    const char *end = tacit_number_plain(text, text + room, &plain);
    if (!end) continue;
    taken++;
    tacit_cell cell = {.text = text, .length = (size_t)(end - text)};
    assert_int_equal(tacit_cell_read_number(&cell, &careful), TACIT_NUMBER);
    assert_memory_equal(&plain, &careful, sizeof plain);
  }
  assert_true(taken > 100000);
  for (int k = 0; k < 100000; k++) { /* what other programs write */
    double value = ((double)(draw() >> 11) * 0x1p-53 - 0.5) * (below(2) ? 8 : 1e6), plain;
    memset(text, ',', sizeof text);
    size_t length =
        (size_t)snprintf(text, sizeof text, below(2) ? "%.*f" : "%.*g", 1 + (int)below(17), value);
    text[length] = ',';
    const char *end = tacit_number_plain(text, text + sizeof text, &plain);
    if (!end || *end != ',') continue;
    written++;
    assert_ptr_equal(end, text + length);
    assert_true(plain == strtod(text, NULL));
  }
  assert_true(written > 80000);
  static const char near[] = "1.5"; /* never behind the end */
  for (size_t room = 0; room < sizeof near; room++)
    assert_null(tacit_number_plain(near, near + room, &(double){0}));
}

/* A mapped file of many pieces, against the same text in memory. */
static void a_mapped_file_is_read_alike(void **unused) {
  (void)unused;
  tacit_schema *schema = schema_of(PLAIN);
  char path[] = "/tmp/tacit_read_XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  size_t rows = getenv("TACIT_QUICK") ? 20000 : 60000, n = 0;
  char *text = malloc(rows * 64 + 64);
  n += (size_t)sprintf(text, "a,c,n,y\n");
  for (size_t i = 0; i < rows; i++)
    n += (size_t)sprintf(text + n, "%.6f,%s,\"line\nline\",%.15g\n", (double)below(1000) / 100 - 5,
                         below(2) ? "u" : "\"v \"\"w\"\"\"", (double)below(100000) / 7e3);
  assert_int_equal(write(descriptor, text, n), (ssize_t)n);
  close(descriptor);
  outcome serial = read_text(text, n, schema, 0, 1);
  for (int threads = 1; threads <= 3; threads++) {
    outcome mapped = {.status = TACIT_OK};
    tacit_source *source;
    tacit_context context;
    tacit_context_init(&context);
    context.threads = threads;
    assert_int_equal(tacit_source_csv(path, &source, NULL), TACIT_OK);
    mapped.status =
        tacit_read_design(source, schema, NULL, &mapped.design, &mapped.counts, &context, &mapped.error);
    mapped.record = source->record;
    tacit_source_free(source);
    assert_same(&serial, &mapped);
    tacit_design_free(mapped.design);
  }
  assert_int_equal(serial.counts.rows, rows);
  tacit_design_free(serial.design);
  free(text);
  unlink(path);
  tacit_schema_free(schema);
}

/* The sample too: same doubles. */
static void a_sample_is_the_same(void **unused) {
  (void)unused;
  tacit_schema *schema = schema_of(MISSING);
  char *text = malloc(1 << 16);
  for (int k = 0; k < 50; k++) {
    size_t length = random_file(text, false);
    tacit_source *source;
    tacit_sample *one, *other;
    tacit_read_counts counts;
    assert_int_equal(tacit_source_csv_text(text, length, &source, NULL), TACIT_OK);
    assert_int_equal(tacit_sample_new(schema->columns, schema->target_count, &one, NULL), TACIT_OK);
    assert_int_equal(tacit_encode_source(source, schema, true,
                                         &(const tacit_row_taker){.add = tacit_sample_add, .self = one},
                                         &counts, NULL, NULL),
                     TACIT_OK);
    assert_int_equal(tacit_sample_finish(one, NULL), TACIT_OK);
    tacit_source_free(source);
    assert_int_equal(tacit_source_csv_text(text, length, &source, NULL), TACIT_OK);
    assert_int_equal(tacit_read_sample(source, schema, &other, &counts, NULL, NULL), TACIT_OK);
    tacit_source_free(source);
    assert_int_equal(one->rows, other->rows);
    assert_memory_equal(one->x, other->x, one->rows * one->columns * sizeof(double));
    assert_memory_equal(one->y, other->y, one->rows * one->targets * sizeof(double));
    tacit_sample_free(one);
    tacit_sample_free(other);
  }
  free(text);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_corners),
                                     cmocka_unit_test(random_files_read_alike),
                                     cmocka_unit_test(mutated_files_read_alike),
                                     cmocka_unit_test(wide_tables_read_alike),
                                     cmocka_unit_test(plain_numbers_are_the_same),
                                     cmocka_unit_test(a_mapped_file_is_read_alike),
                                     cmocka_unit_test(a_sample_is_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
