/* A calendar's rows, copied, with a number for each key. */
#include "data/event_calendar.h"

#include "base/base.h"
#include "data/name_table.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

struct tacit_event_calendar {
  size_t columns, rows, room;
  tacit_cell *cells;      /* rows x columns; texts are the calendar's own */
  tacit_name_table *keys; /* a key's number is its row's */
  uint64_t *hashes;       /* of each row's key */
};

void tacit_event_calendar_free(tacit_event_calendar *calendar) {
  if (!calendar) return;
  for (size_t i = 0; i < calendar->rows * calendar->columns; i++) free((char *)calendar->cells[i].text);
  free(calendar->cells);
  free(calendar->hashes);
  tacit_name_table_free(calendar->keys);
  free(calendar);
}

size_t tacit_event_calendar_rows(const tacit_event_calendar *calendar) {
  return calendar->rows;
}

const tacit_cell *tacit_event_calendar_row(const tacit_event_calendar *calendar, size_t row) {
  return &calendar->cells[row * calendar->columns];
}

bool tacit_event_calendar_find(const tacit_event_calendar *calendar, const tacit_event_key *key, size_t *row,
                               uint64_t *hash) {
  *row = tacit_name_table_find(calendar->keys, key->bytes, key->length);
  if (*row == TACIT_NO_NAME) return false;
  *hash = calendar->hashes[*row];
  return true;
}

static uint64_t public_hash(const tacit_event_key *key) {
  static const unsigned char public_key[crypto_shorthash_KEYBYTES];
  unsigned char bytes[crypto_shorthash_BYTES];
  uint64_t hash = 0;
  crypto_shorthash(bytes, key->bytes, key->length, public_key);
  for (size_t i = 0; i < sizeof hash; i++) hash |= (uint64_t)bytes[i] << 8 * i;
  return hash;
}

static tacit_status make_room(tacit_event_calendar *self, tacit_error *error) {
  if (self->rows < self->room) return TACIT_OK;
  size_t room = self->room ? 2 * self->room : 256;
  tacit_cell *cells = tacit_alloc(room * self->columns, sizeof *cells);
  uint64_t *hashes = tacit_alloc(room, sizeof *hashes);
  if (!cells || !hashes) {
    free(cells);
    free(hashes);
    return tacit_no_memory(error);
  }
  if (self->rows) memcpy(cells, self->cells, self->rows * self->columns * sizeof *cells);
  if (self->rows) memcpy(hashes, self->hashes, self->rows * sizeof *hashes);
  free(self->cells);
  free(self->hashes);
  self->cells = cells;
  self->hashes = hashes;
  self->room = room;
  return TACIT_OK;
}

static tacit_status keep(tacit_event_calendar *self, const tacit_event_key *key, const tacit_cell *cells,
                         tacit_error *error) {
  TACIT_TRY(make_room(self, error));
  tacit_cell *row = &self->cells[self->rows * self->columns];
  bool copied = true;
  self->hashes[self->rows] = public_hash(key);
  for (size_t j = 0; j < self->columns; j++) {
    row[j] = cells[j];
    if (cells[j].text) copied &= (row[j].text = tacit_copy_text(cells[j].text, cells[j].length)) != NULL;
  }
  self->rows++;
  return copied ? TACIT_OK : tacit_no_memory(error);
}

/* The calendar is public, so that its troubles may be told. */
static tacit_status enter(tacit_event_calendar *self, tacit_event_key *key, const tacit_source *source,
                          const tacit_cell *cells, tacit_error *error) {
  bool whole;
  size_t number;
  TACIT_TRY(tacit_event_key_make(key, cells, &whole, error));
  if (!whole)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the calendar, record %zu: its key (\"%.200s\" ...) is empty%s; every row of the "
                      "calendar needs one",
                      source->record, key->names->keys[0],
                      key->names->day < key->names->key_count ? " or no date of the stated format" : "");
  TACIT_TRY(tacit_name_table_enter(self->keys, key->bytes, key->length, &number, error));
  if (number != self->rows)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "the calendar, record %zu: its key is that of record %zu; each row must have a key of its "
        "own, else events would not know where they belong",
        source->record, number + 1);
  return keep(self, key, cells, error);
}

static tacit_status read_all(tacit_event_calendar *self, tacit_event_key *key, tacit_source *source,
                             tacit_cell *cells, tacit_error *error) {
  bool more;
  if (source->reader.asked)
    for (size_t j = 0; j < source->columns; j++) source->reader.asked[j] = true;
  for (;;) {
    TACIT_TRY(source->next(source, cells, &more, error));
    if (!more) return TACIT_OK;
    TACIT_TRY(enter(self, key, source, cells, error));
  }
}

tacit_status tacit_event_calendar_read(tacit_source *source, const tacit_event_columns *names,
                                       tacit_event_calendar **calendar, tacit_error *error) {
  tacit_event_key key;
  *calendar = NULL;
  TACIT_TRY(tacit_event_key_open(&key, names, source, "the calendar", error));
  tacit_event_calendar *self = tacit_alloc(1, sizeof *self);
  tacit_cell *cells = tacit_alloc(source->columns, sizeof *cells);
  tacit_status status = self && cells ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK) {
    self->columns = source->columns;
    status = tacit_name_table_new(&self->keys, error);
  }
  if (status == TACIT_OK) status = read_all(self, &key, source, cells, error);
  if (status == TACIT_OK)
    *calendar = self;
  else
    tacit_event_calendar_free(self);
  free(cells);
  tacit_event_key_close(&key);
  return status;
}
