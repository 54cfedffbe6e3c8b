/* Arrow files and streams as pyarrow and polars write them have the cells of the same table as CSV, whole or
   not at all: no part of one, and none with other bytes in it, does more than end in an error. */
#include "base/base.h"
#include "source/csv.h"
#include "source/flat.h"
#include "source/ipc.h"
#include "source/ipc_batch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

#define CORPUS TACIT_TEST_FILES "/../fuzz/corpus/ipc/"
#define TABLE TACIT_TEST_FILES "/arrow.csv"

enum { ROWS = 6, COLUMNS = 9 };

/* One with dictionaries that are replaced, one whose dictionary grows, and each way of packing. */
static const char *const FILES[] = {
    CORPUS "uncompressed.feather", CORPUS "lz4.feather",  CORPUS "zstd.feather",  CORPUS "replaced.arrows",
    CORPUS "delta.arrow",          CORPUS "polars.arrow", CORPUS "polars.arrows", CORPUS "polars-zstd.arrow"};
enum { FILE_COUNT = sizeof FILES / sizeof *FILES };

static char *bytes_of(const char *path, size_t *length) {
  char *text;
  tacit_error error;
  if (tacit_read_file(path, 1 << 20, &text, length, &error)) fail_msg("%s", error.text);
  return text;
}

static tacit_source *open_bytes(const char *text, size_t length, tacit_error *error) {
  tacit_bytes *bytes;
  tacit_source *source;
  assert_int_equal(tacit_bytes_text(text, length, &bytes, NULL), TACIT_OK);
  tacit_status status = tacit_source_ipc(bytes, &source, error);
  assert_true((status == TACIT_OK) == (source != NULL));
  return source;
}

static bool is_same(const tacit_cell *a, const tacit_cell *b) {
  double x, y;
  if (tacit_cell_number(a, &x) && tacit_cell_number(b, &y) && (!a->text || !b->text)) return x == y;
  return a->text && b->text && a->length == b->length && !memcmp(a->text, b->text, a->length);
}

/* asked: one column by its name, or NULL for all; the others are then empty. */
static void expect_table(const char *path, tacit_source *source, const char *asked) {
  tacit_source *csv;
  tacit_cell cells[COLUMNS], wanted[COLUMNS];
  tacit_error error;
  bool more, also;
  size_t place = 0;
  assert_int_equal(tacit_source_csv(TABLE, &csv, NULL), TACIT_OK);
  assert_int_equal(source->columns, COLUMNS);
  if (asked) assert_int_equal(tacit_source_find(source, asked, &place, NULL), TACIT_OK);
  for (int i = 0; i <= ROWS; i++) {
    if (source->next(source, cells, &more, &error)) fail_msg("%s: %s", path, error.text);
    assert_int_equal(csv->next(csv, wanted, &also, NULL), TACIT_OK);
    assert_true(more == also);
    for (size_t j = 0; j < COLUMNS && more; j++) {
      assert_string_equal(source->names[j], csv->names[j]);
      const tacit_cell empty = {.text = "", .length = 0};
      if (!is_same(&cells[j], asked && j != place ? &empty : &wanted[j]))
        fail_msg("%s: record %d, column %s", path, i + 1, source->names[j]);
    }
  }
  tacit_source_free(csv);
}

static void files_have_the_tables_cells(void **state) {
  (void)state;
  for (size_t f = 0; f < FILE_COUNT; f++) {
    size_t length;
    tacit_error error;
    char *text = bytes_of(FILES[f], &length);
    tacit_source *source = open_bytes(text, length, &error);
    if (!source) fail_msg("%s: %s", FILES[f], error.text);
    size_t any;
    assert_int_equal(tacit_source_find(source, "l", &any, &error), TACIT_BAD_INPUT);
    assert_non_null(strstr(error.text, "unsupported"));
    expect_table(FILES[f], source, NULL);
    tacit_source_free(source);
    for (int j = 0; j < COLUMNS; j++) { /* one column alone */
      static const char *const NAMES[COLUMNS] = {"kind",  "shop", "day",  "at",     "price",
                                                 "seats", "big",  "rain", "holiday"};
      source = open_bytes(text, length, NULL);
      expect_table(FILES[f], source, NAMES[j]);
      tacit_source_free(source);
    }
    char *odd = calloc(length + 8, 1); /* where no number may lie */
    for (size_t shift = 1; shift < 8; shift++) {
      memcpy(odd + shift, text, length);
      source = open_bytes(odd + shift, length, NULL);
      expect_table(FILES[f], source, NULL);
      tacit_source_free(source);
    }
    free(odd);
    free(text);
  }
}

static void columns_declare_their_types(void **state) {
  (void)state;
  static const char *const TYPES[COLUMNS] = {"VARCHAR", "VARCHAR", "DATE",   "TIMESTAMP", "DECIMAL",
                                             "BIGINT",  "BIGINT",  "DOUBLE", "BOOLEAN"};
  size_t length;
  char *text = bytes_of(FILES[0], &length);
  tacit_source *source = open_bytes(text, length, NULL);
  for (int j = 0; j < COLUMNS; j++) assert_string_equal(source->header.types[j], TYPES[j]);
  tacit_source_free(source);
  free(text);
}

/* Whether all of it can be read; every byte of every text is looked at. */
static bool is_read(const char *text, size_t length, size_t *rows) {
  enum { MOST = 1000 };
  tacit_error error = {""};
  tacit_source *source = open_bytes(text, length, &error);
  *rows = 0;
  if (!source) {
    assert_true(error.text[0] != 0);
    return false;
  }
  tacit_cell *cells = calloc(source->columns, sizeof *cells);
  volatile unsigned sum = 0;
  bool more = true;
  tacit_status status = TACIT_OK;
  while (status == TACIT_OK && more && *rows < MOST) {
    status = source->next(source, cells, &more, &error);
    *rows += more;
    for (size_t j = 0; more && j < source->columns; j++)
      for (size_t i = 0; cells[j].text && i < cells[j].length; i++) sum += (unsigned char)cells[j].text[i];
  }
  if (status != TACIT_OK) /* and stays so */
    assert_int_equal(source->next(source, cells, &more, &error), status);
  free(cells);
  tacit_source_free(source);
  return status == TACIT_OK && !more;
}

static void a_part_of_a_file_is_refused(void **state) {
  (void)state;
  for (size_t f = 0; f < FILE_COUNT; f++) {
    size_t length, rows;
    char *text = bytes_of(FILES[f], &length);
    assert_true(is_read(text, length, &rows));
    for (size_t n = 0; n < length; n++) {
      char *part = malloc(n + 1); /* so that a sanitizer sees its end */
      char *exact = realloc(part, n ? n : 1);
      memcpy(exact, text, n);
      if (n >= 6) assert_false(is_read(exact, n, &rows));
      free(exact);
    }
    free(text);
  }
}

static void no_byte_can_do_harm(void **state) {
  (void)state;
  static const unsigned char CHANGES[] = {0x01, 0x80, 0xFF};
  for (size_t f = 0; f < FILE_COUNT; f++) {
    size_t length, rows;
    char *text = bytes_of(FILES[f], &length);
    for (size_t i = 6; i < length; i++) { /* the first say what it is */
      unsigned char change = CHANGES[(i + f) % sizeof CHANGES];
      text[i] = (char)(text[i] ^ change);
      (void)is_read(text, length, &rows);
      text[i] = (char)(text[i] ^ change);
    }
    assert_true(is_read(text, length, &rows) && rows == ROWS);
    free(text);
  }
}

static void what_is_not_read_says_so(void **state) {
  (void)state;
  static const struct {
    const char *path, *words;
  } CASES[] = {{CORPUS "big-endian.arrows", "big-endian"},
               {CORPUS "version-3.arrows", "V4 and V5"},
               {CORPUS "tensor.arrows", "tensor"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    size_t length;
    tacit_error error;
    char *text = bytes_of(CASES[i].path, &length);
    assert_null(open_bytes(text, length, &error));
    if (!strstr(error.text, CASES[i].words)) fail_msg("%s: %s", CASES[i].path, error.text);
    free(text);
  }
}

/* A table, a list and a text of a flatbuffer that name places beyond it, or before. */
static void flatbuffers_are_walked_within(void **state) {
  (void)state;
  unsigned char bytes[32];
  memcpy(bytes, (unsigned char[]){12, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0, 8, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0},
         24);
  memcpy(bytes + 24, "abc", 4);
  size_t length;
  tacit_flat flat = {.bytes = bytes, .size = 28};
  tacit_flat_table root = tacit_flat_root(&flat);
  assert_non_null(root.flat);
  const char *text = tacit_flat_text(root, 0, &length);
  assert_int_equal(length, 3);
  assert_memory_equal(text, "abc", 3);
  assert_null(tacit_flat_text(root, 1, &length)); /* beyond its fields: not there, and nothing is broken */
  assert_false(flat.broken);
  for (size_t size = 0; size < 27; size++) {
    unsigned char *exact = malloc(size ? size : 1);
    memcpy(exact, bytes, size);
    tacit_flat part = {.bytes = exact, .size = size};
    (void)tacit_flat_text(tacit_flat_root(&part), 0, &length);
    assert_true(part.broken);
    free(exact);
  }
  assert_int_equal(tacit_flat_load((const unsigned char *)"\xFE\xFF", 2), -2);
  assert_int_equal(tacit_flat_load((const unsigned char *)"\x02\x01", 2), 258);
}

/* One column of so many cells and nulls, with buffers of these lengths one behind the other in a body. */
static tacit_status read_column(tacit_arrow_kind kind, int64_t cells, int64_t nulls, const int64_t *lengths) {
  static const unsigned char BODY[64] = {0};
  int64_t parts[2 + 6] = {cells, nulls}, at = 0;
  int count = kind == TACIT_ARROW_TEXT ? 3 : 2;
  for (int k = 0; k < count; k++) {
    parts[2 + 2 * k] = at;
    parts[3 + 2 * k] = lengths[k];
    at += (lengths[k] + 7) / 8 * 8;
  }
  tacit_flat flat = {.bytes = (const unsigned char *)parts, .size = sizeof parts};
  tacit_ipc_reading r = {.length = cells,
                         .nodes = {&flat, 0, 1, 16},
                         .buffers = {&flat, 16, (size_t)count, 16},
                         .codec = TACIT_CODEC_NONE,
                         .body = BODY,
                         .body_size = sizeof BODY};
  const tacit_ipc_piece piece = {.buffers = count};
  const tacit_arrow_column holds = {.holds = kind};
  tacit_ipc_batch batch = {0};
  struct ArrowArray array;
  tacit_status status = tacit_ipc_read_piece(&r, &piece, &holds, true, &batch, &array, NULL);
  tacit_ipc_batch_free(&batch);
  return status;
}

static void buffers_hold_what_a_batch_says(void **state) {
  (void)state;
  static const struct {
    tacit_arrow_kind kind;
    int64_t cells, nulls, lengths[3];
    bool good;
  } CASES[] = {{TACIT_ARROW_F64, 5, 0, {0, 40}, true},
               {TACIT_ARROW_F64, 5, 0, {0, 39}, false},
               {TACIT_ARROW_F64, 5, 0, {0, 65}, false}, /* beyond the body */
               {TACIT_ARROW_F64, 5, 0, {0, -40}, false},
               {TACIT_ARROW_F64, -5, 0, {0, 40}, false},
               {TACIT_ARROW_F64, INT64_MAX, 0, {0, 40}, false},
               {TACIT_ARROW_F64, 5, 1, {0, 40}, false}, /* which is null? */
               {TACIT_ARROW_F64, 5, 1, {1, 40}, true},
               {TACIT_ARROW_I16, 9, 1, {1, 18}, false}, /* marks for eight */
               {TACIT_ARROW_I16, 9, 1, {2, 18}, true},
               {TACIT_ARROW_BOOL, 17, 0, {0, 2}, false},
               {TACIT_ARROW_BOOL, 17, 0, {0, 3}, true},
               {TACIT_ARROW_TEXT, 3, 0, {0, 12, 0}, false}, /* three places, where four are needed */
               {TACIT_ARROW_TEXT, 3, 0, {0, 16, 0}, true},
               {TACIT_ARROW_TEXT, 0, 0, {0, 0, 0}, true}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    if ((read_column(CASES[i].kind, CASES[i].cells, CASES[i].nulls, CASES[i].lengths) == TACIT_OK) !=
        CASES[i].good)
      fail_msg("case %zu", i);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_have_the_tables_cells),   cmocka_unit_test(columns_declare_their_types),
      cmocka_unit_test(a_part_of_a_file_is_refused),   cmocka_unit_test(no_byte_can_do_harm),
      cmocka_unit_test(what_is_not_read_says_so),      cmocka_unit_test(flatbuffers_are_walked_within),
      cmocka_unit_test(buffers_hold_what_a_batch_says)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
