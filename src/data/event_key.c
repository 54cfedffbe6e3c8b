/* What makes two rows' keys the same. */
#include "base/base.h"
#include "data/event_calendar.h"
#include "schema/calendar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAY = 86400 };

tacit_status tacit_event_find(const tacit_source *source, const char *name, const char *what, size_t *column,
                              tacit_error *error) {
  tacit_error missing;
  tacit_status status = tacit_source_find(source, name, column, &missing);
  return status ? tacit_fail(error, status, "%s: %.450s", what, missing.text) : TACIT_OK;
}

tacit_status tacit_event_key_open(tacit_event_key *key, const tacit_event_columns *names,
                                  const tacit_source *source, const char *what, tacit_error *error) {
  *key = (tacit_event_key){.names = names, .decimal_comma = source->text.decimal_comma};
  for (size_t k = 0; k < names->key_count; k++)
    TACIT_TRY(tacit_event_find(source, names->keys[k], what, &key->column[k], error));
  return TACIT_OK;
}

void tacit_event_key_close(tacit_event_key *key) {
  tacit_free_wiped(key->bytes, key->room);
}

/* A part is told from the next by its kind and length. */
static tacit_status append(tacit_event_key *key, char kind, const void *bytes, size_t length,
                           tacit_error *error) {
  size_t needed = key->length + 1 + sizeof length + length;
  if (needed > key->room) {
    unsigned char *larger = tacit_grow_wiped(key->bytes, key->room, 2 * needed, 1);
    if (!larger) return tacit_no_memory(error);
    key->bytes = larger;
    key->room = 2 * needed;
  }
  unsigned char *at = key->bytes + key->length;
  *at++ = (unsigned char)kind;
  for (size_t i = 0; i < sizeof length; i++) *at++ = (unsigned char)((uint64_t)length >> 8 * i);
  if (length) memcpy(at, bytes, length);
  key->length = needed;
  return TACIT_OK;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

tacit_status tacit_event_key_make(tacit_event_key *key, const tacit_cell *cells, bool *whole,
                                  tacit_error *error) {
  key->length = 0;
  *whole = true;
  for (size_t k = 0; *whole && k < key->names->key_count; k++) {
    char room[TACIT_POINTED];
    const tacit_cell pointed = tacit_cell_pointed(&cells[key->column[k]], key->decimal_comma, room);
    const tacit_cell *cell = &pointed;
    double number;
    bool day = k == key->names->day;
    tacit_number_kind kind = day ? tacit_cell_read_moment(cell, key->names->format, &number)
                                 : tacit_cell_read_number(cell, &number);
    *whole = kind != TACIT_NUMBER_EMPTY && (kind == TACIT_NUMBER || (!day && cell->text));
    if (!*whole) break;
    if (day) number = floor(number / DAY);
    if (!cell->text || (kind == TACIT_NUMBER && fabs(number) < 0x1p53)) {
      number += 0.0; /* there is one zero */
      TACIT_TRY(append(key, day ? 'd' : 'n', &number, sizeof number, error));
      continue;
    }
    const char *text = cell->text;
    size_t length = cell->length;
    while (length && is_blank(text[length - 1])) length--;
    while (length && is_blank(*text)) text++, length--;
    char moment[TACIT_MOMENT_TEXT]; /* midnight may be written, or not */
    size_t plain = tacit_moment_plain(text, length, moment);
    TACIT_TRY(plain ? append(key, 'm', moment, plain, error) : append(key, 't', text, length, error));
  }
  return TACIT_OK;
}
