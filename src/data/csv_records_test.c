/* How many records a CSV file has: the same for every reader, and the same whatever a cell holds
   (docs/formats/csv.md; proofs/units.md, Claim 6). */
#include "data/read.h"
#include "source/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* last: it needs the others */
#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { REFUSED = -1, MOST = 4096 };

/* xorshift64*: tests need the same numbers everywhere, not good ones. */
static uint64_t state = 88172645463325252ULL;
static size_t below(size_t n) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (size_t)((state * 0x2545F4914F6CDD1DULL) >> 33) % n;
}

/* Bytes that come a few at a time, as from a slow pipe. */
typedef struct trickle {
  tacit_bytes base;
  const char *text;
  size_t left;
} trickle;

static tacit_status trickle_read(tacit_bytes *self, char *into, size_t room, size_t *got,
                                 tacit_error *error) {
  (void)error;
  trickle *t = (trickle *)self;
  *got = 1 + below(5);
  if (*got > room) *got = room;
  if (*got > t->left) *got = t->left;
  memcpy(into, t->text, *got);
  t->text += *got;
  t->left -= *got;
  return TACIT_OK;
}

static void trickle_close(tacit_bytes *self) {
  free(self);
}

static tacit_status open_trickle(const char *text, size_t length, tacit_source **source, tacit_error *error) {
  trickle *t = calloc(1, sizeof *t);
  assert_non_null(t);
  *t = (trickle){{.read = trickle_read, .close = trickle_close}, text, length};
  return tacit_csv_over(&t->base, 1 + below(8), source, error);
}

static tacit_status open_mapped(const char *text, size_t length, tacit_source **source, tacit_error *error) {
  char path[] = "/tmp/tacit_records_XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, text, length), (ssize_t)length);
  close(descriptor);
  tacit_status status = tacit_source_open(path, source, error);
  unlink(path); /* the map stays */
  return status;
}

static tacit_status open_standard_input(const char *text, size_t length, tacit_source **source,
                                        tacit_error *error) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  assert_int_equal(write(ends[1], text, length), (ssize_t)length); /* a pipe holds more than MOST */
  close(ends[1]);
  assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
  close(ends[0]);
  return tacit_source_open("-", source, error);
}

typedef tacit_status opener(const char *text, size_t length, tacit_source **source, tacit_error *error);
static opener *const openers[] = {tacit_source_csv_text, open_trickle, open_mapped, open_standard_input};

static tacit_schema *schemas[2]; /* of one column and of two; every cell may be missing */

static void parse_schemas(void) {
  static const char *const json[] = {
      "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10, \"missing\": 1}, \"features\": []}",
      "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10, \"missing\": 1}, \"features\": [{\"name\": "
      "\"a\", \"min\": 0, \"max\": 5, \"missing\": 2}]}"};
  for (size_t k = 0; k < 2; k++)
    assert_int_equal(tacit_schema_parse(json[k], strlen(json[k]), &schemas[k], NULL), TACIT_OK);
}

/* Cell by cell, as `order` reads; REFUSED with the words in error. */
static long read_by_records(opener *open, const char *text, size_t length, tacit_error *error) {
  tacit_source *source;
  if (open(text, length, &source, error)) return REFUSED;
  tacit_cell cells[8];
  bool more = true;
  tacit_status status = TACIT_OK;
  long records = 0;
  while (!(status = source->next(source, cells, &more, error)) && more) records++;
  if (!status) assert_int_equal(source->record, records);
  tacit_source_free(source);
  return status ? REFUSED : records;
}

/* As learners and `pack` read, in pieces of a few bytes; REFUSED as above. */
static long read_by_pieces(opener *open, const char *text, size_t length, tacit_error *error) {
  tacit_source *source;
  if (open(text, length, &source, error)) return REFUSED;
  const tacit_schema *schema = schemas[source->columns > 1];
  tacit_context context;
  tacit_context_init(&context);
  context.threads = 1 + (int)below(3);
  tacit_sample *sample;
  tacit_read_counts counts;
  assert_int_equal(tacit_sample_new(schema->columns, 1, &sample, NULL), TACIT_OK);
  tacit_row_store store = tacit_sample_store(sample);
  tacit_status status =
      tacit_read_rows_in_pieces(source, schema, &store, 1 + below(40), &counts, &context, error);
  if (!status) assert_int_equal(counts.rows, counts.records);
  if (!status) assert_int_equal(sample->rows, counts.records);
  tacit_sample_free(sample);
  tacit_source_free(source);
  return status ? REFUSED : (long)counts.records;
}

/* All readers agree, in words too. Files and pipes take their time: not always. */
static long count_records(const char *text, size_t length, bool files, tacit_error *error) {
  long records = read_by_records(tacit_source_csv_text, text, length, error);
  for (size_t k = 0; k < (files ? LENGTH(openers) : 2); k++)
    for (int pieces = 0; pieces < 2; pieces++) {
      tacit_error again = {""};
      long found = pieces ? read_by_pieces(openers[k], text, length, &again)
                          : read_by_records(openers[k], text, length, &again);
      assert_int_equal(found, records);
      if (records == REFUSED) assert_string_equal(again.text, error->text);
    }
  return records;
}

static const char NO_END[] = "the last line has no line end";

static void corners(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    long records;
    const char *words;
  } cases[] = {
      /* one column: every line end ends a record, blank or not, and the last line needs one */
      {"y\n1\n2\n", 2, NULL},
      {"y\n1\n\n", 2, NULL},
      {"y\n1\n2", REFUSED, NO_END},
      {"y\n1\n", 1, NULL}, /* the same bytes as 1 and an empty cell without a line end: one meaning */
      {"y\n\n\n\n", 3, NULL},
      {"y\n\n1\n\n", 3, NULL},
      {"y\r\n1\r\n\r\n", 2, NULL},
      {"y\r\n1\r\n2", REFUSED, NO_END},
      {"y\n1\n\r\n", 2, NULL},
      {"y\n1\n\"\"\n", 2, NULL},
      {"y\n1\n\"\"", REFUSED, NO_END},
      {"y\n1\n\"\n\"\n", 2, NULL},
      {"y\n1\n\"\n\"", REFUSED, NO_END},
      {"y\n1\n  \n", 2, NULL},
      {"y\n1\n  ", REFUSED, NO_END},
      {"y\n1\r", REFUSED, "a carriage return without a line feed"},
      {"y\n1\n\r", REFUSED, "a carriage return without a line feed"},
      {"y\r", REFUSED, "a carriage return without a line feed"},
      {"y\n1\n\"", REFUSED, "a quote is opened and never closed"},
      {"y\n1\n,", REFUSED, "cells found 2, expected 1"},
      {"y\n", 0, NULL},
      {"y", REFUSED, NO_END},
      {"\"y\"", REFUSED, NO_END},
      {"\xEF\xBB\xBFy\n1\n\n", 2, NULL},
      {"\xEF\xBB\xBFy\n1", REFUSED, NO_END},
      {"\xEF\xBB\xBFy", REFUSED, NO_END},
      /* two columns: the comma is there whatever the cells hold, and a blank line is no record */
      {"a,y\n1,2\n3,4\n", 2, NULL},
      {"a,y\n1,2\n3,4", 2, NULL},
      {"a,y\n1,2\n,", 2, NULL},
      {"a,y\n1,2\n,\n", 2, NULL},
      {"a,y\n1,2\n\"\",\"\"", 2, NULL},
      {"a,y\r\n1,2\r\n,", 2, NULL},
      {"a,y\n1,2\n , ", 2, NULL},
      {"a,y\n1,2\n,\r", REFUSED, "a carriage return without a line feed"},
      {"a,y\n1,2\n\n", 1, NULL},
      {"a,y\n1,2\r\n\r\n\n", 1, NULL},
      {"a,y\n1,2\n\n3,4\n", REFUSED, "an empty line"},
      {"a,y\n1,2\n \n", REFUSED, "cells found 1, expected 2"},
      {"a,y\n1,2\n\"\"\n", REFUSED, "cells found 1, expected 2"},
      {"a,y\n1,2\n\"\"", REFUSED, "cells found 1, expected 2"},
      {"a,y\n\n", 0, NULL},
      {"a,y\n", 0, NULL},
      {"a,y", 0, NULL},
      {"\xEF\xBB\xBF"
       "a,y",
       0, NULL},
  };
  for (size_t k = 0; k < LENGTH(cases); k++) {
    tacit_error error = {""};
    long records = count_records(cases[k].text, strlen(cases[k].text), true, &error);
    if (records != cases[k].records)
      fail_msg("case %zu: %ld records, expected %ld", k, records, cases[k].records);
    if (cases[k].words) assert_non_null(strstr(error.text, cases[k].words));
  }
}

/* A program that writes tables. Its habits do not depend on what it writes. */
typedef struct writer {
  size_t columns, rows, blanks; /* blank lines at the end */
  bool mark, ends_last;         /* a byte-order mark; a line end behind the last line */
  bool crlf[8];                 /* line by line */
} writer;

typedef struct cell {
  const char *value;
  bool quoted; /* it is in any case where it holds a special byte */
} cell;

static size_t put_cell(char *out, cell c) {
  char *at = out;
  bool quoted = c.quoted || strpbrk(c.value, ",\"\r\n");
  if (quoted) *at++ = '"';
  for (const char *v = c.value; *v; v++) {
    if (*v == '"') *at++ = '"';
    *at++ = *v;
  }
  if (quoted) *at++ = '"';
  return (size_t)(at - out);
}

static size_t write_table(const writer *w, const cell *cells, char *out) {
  size_t n = (size_t)sprintf(out, "%s%s", w->mark ? "\xEF\xBB\xBF" : "", w->columns == 1 ? "y" : "a,y");
  for (size_t i = 0; i <= w->rows; i++) {
    for (size_t j = 0; i && j < w->columns; j++) {
      if (j) out[n++] = ',';
      n += put_cell(out + n, cells[(i - 1) * w->columns + j]);
    }
    if (i < w->rows || w->ends_last) n += (size_t)sprintf(out + n, w->crlf[i] ? "\r\n" : "\n");
  }
  for (size_t k = 0; k < w->blanks; k++) n += (size_t)sprintf(out + n, "\n");
  return n;
}

static const char *const values[] = {"",
                                     "1",
                                     "2.5",
                                     "-3",
                                     " ",
                                     "\t",
                                     "x",
                                     "\"",
                                     "\"\"",
                                     ",",
                                     "a,b,c",
                                     "\n",
                                     "a\nb",
                                     "\r",
                                     "\r\n",
                                     "nan",
                                     "0.30471707975443135",
                                     "12345678901234567890123"};

static writer random_writer(void) {
  writer w = {.columns = 1 + below(2), .rows = 1 + below(6), .mark = below(4) == 0, .ends_last = below(2)};
  if (w.ends_last && below(4) == 0) w.blanks = 1 + below(2);
  bool crlf = below(2), mixed = below(4) == 0;
  for (size_t i = 0; i < LENGTH(w.crlf); i++) w.crlf[i] = mixed ? below(2) : crlf;
  return w;
}

/* The table with every value in one cell's place; *known is the number of its records so far, REFUSED when no
   such table was taken. Returns how many were refused. */
static size_t change_cell(const writer *w, cell *cells, size_t place, long *known) {
  char text[MOST];
  cell kept = cells[place];
  size_t refused = 0;
  for (size_t v = 0; v < 2 * LENGTH(values); v++) {
    tacit_error error = {""};
    cells[place] = (cell){values[v / 2], v % 2};
    long records = count_records(text, write_table(w, cells, text), v == 0, &error);
    if (records == REFUSED) {
      assert_true(w->columns == 1 && !w->ends_last);
      assert_non_null(strstr(error.text, NO_END));
      refused++;
      continue;
    }
    if (*known != REFUSED) assert_int_equal(records, *known);
    *known = records;
  }
  cells[place] = kept;
  return refused;
}

/* Any value in the place of any other leaves the number of records as it was, or the file is refused. */
static void no_value_changes_the_number(void **unused) {
  (void)unused;
  size_t refused = 0, trials = getenv("TACIT_QUICK") ? 40 : 200;
  for (size_t trial = 0; trial < trials; trial++) {
    writer w = random_writer();
    cell cells[16];
    size_t count = w.rows * w.columns, habit = below(3); /* quotes: only where needed, always, anyhow */
    for (size_t i = 0; i < count; i++)
      cells[i] = (cell){values[below(3) ? below(4) : below(LENGTH(values))], habit == 2 ? below(2) : habit};
    long known = REFUSED;
    refused += change_cell(&w, cells, count - 1, &known);
    refused += change_cell(&w, cells, below(count), &known);
    if (w.columns == 2)
      assert_int_equal(known, w.rows);
    else if (w.ends_last)
      assert_int_equal(known, w.rows + w.blanks);
    else
      assert_int_equal(known,
                       w.rows - 1); /* its last cell is empty: the bytes of a table with one row less */
  }
  assert_in_range(refused, 10 * trials, 30 * trials); /* a quarter of the writers, nearly always */
}

int main(void) {
  parse_schemas();
  const struct CMUnitTest tests[] = {cmocka_unit_test(corners),
                                     cmocka_unit_test(no_value_changes_the_number)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  for (size_t k = 0; k < 2; k++) tacit_schema_free(schemas[k]);
  return failed;
}
