/* What tests of the CSV reader share: bytes that arrive in pieces, and a source as text. */
#ifndef TACIT_SRC_CSV_FOR_TEST_H
#define TACIT_SRC_CSV_FOR_TEST_H

#include "source/csv.h"

#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* xorshift64*: tests need the same numbers everywhere, not good ones. */
static inline uint64_t draw(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545F4914F6CDD1DULL;
}

/* Bytes that arrive in pieces of 1..most, and break after `until` bytes when that is not 0. */
typedef struct drip {
  tacit_bytes base;
  const char *text;
  size_t left, most, given, until;
  uint64_t random;
} drip;

static inline tacit_status drip_read(tacit_bytes *self, char *into, size_t room, size_t *got,
                                     tacit_error *error) {
  drip *d = (drip *)self;
  if (d->until && d->given >= d->until) return tacit_fail(error, TACIT_INTERNAL, "the disk is gone");
  size_t n = 1 + (size_t)(draw(&d->random) % d->most);
  if (n > room) n = room;
  if (n > d->left) n = d->left;
  memcpy(into, d->text, n);
  d->text += n;
  d->left -= n;
  d->given += n;
  *got = n;
  return TACIT_OK;
}

static inline void drip_close(tacit_bytes *self) {
  free(self);
}

static inline tacit_bytes *drip_over(const char *text, size_t length, size_t most, size_t until) {
  drip *d = calloc(1, sizeof *d);
  *d = (drip){
      {.read = drip_read, .close = drip_close}, text, length, most, 0, until, 88172645463325252ULL + most};
  return &d->base;
}

/* A whole source as one text: cells in brackets, records on lines, then the status and the words. */
typedef struct dump {
  char *text;
  size_t length, capacity;
} dump;

static inline void put(dump *d, const char *text, size_t length) {
  d->text = tacit_grow(d->text, &d->capacity, d->length + length + 1, 1);
  assert_non_null(d->text);
  memcpy(d->text + d->length, text, length);
  d->length += length;
  d->text[d->length] = 0;
}

static inline void dump_source(tacit_status opened, tacit_source *source, tacit_error *error, dump *out) {
  tacit_status status = opened;
  if (!opened) {
    for (size_t j = 0; j < source->columns; j++) {
      put(out, "[", 1);
      put(out, source->names[j], strlen(source->names[j]));
      put(out, "]", 1);
    }
    put(out, "\n", 1);
    tacit_cell *cells = calloc(source->columns + 1, sizeof *cells);
    bool more = true;
    while (!(status = source->next(source, cells, &more, error)) && more) {
      for (size_t j = 0; j < source->columns; j++) {
        put(out, "[", 1);
        put(out, cells[j].text, cells[j].length);
        put(out, "]", 1);
      }
      put(out, "\n", 1);
    }
    if (status) { /* and it stays so */
      tacit_error again;
      assert_int_equal(source->next(source, cells, &more, &again), status);
      assert_string_equal(again.text, error->text);
      assert_false(more);
    }
    free(cells);
    tacit_source_free(source);
  }
  if (status) {
    char number[16];
    snprintf(number, sizeof number, "!%d ", status);
    put(out, number, strlen(number));
    put(out, error->text, strlen(error->text));
  }
}

static inline char *dump_text(const char *text, size_t length) {
  tacit_source *source;
  tacit_error error;
  dump out = {0};
  tacit_status status = tacit_source_csv_text(text, length, &source, &error);
  dump_source(status, source, &error, &out);
  return out.text;
}

static inline char *dump_drip(const char *text, size_t length, size_t most, size_t buffer, size_t until) {
  tacit_source *source;
  tacit_error error;
  dump out = {0};
  tacit_status status = tacit_csv_over(drip_over(text, length, most, until), buffer, &source, &error);
  dump_source(status, source, &error, &out);
  return out.text;
}

#endif
