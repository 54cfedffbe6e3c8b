/* A small table of keys as they are written. What a key means depends on its cells alone, and the bytes are
   compared in full. A key has two places; the one that came last drives another one out. */
#include "data/event_row.h"

#include "base/base.h"
#include "schema/clock.h"

#include <math.h>
#include <string.h>

enum { PLACES_LEAST = 1 << 12, PLACES_MOST = 1 << 17, WORDS = 4, BYTES = WORDS * 8, TIMED = 19 };

typedef struct written {
  uint64_t words[WORDS]; /* each cell's kind and length, then its bytes; all 0: none yet */
  tacit_event_place place;
} written;

struct tacit_event_rows {
  tacit_event_key *key;
  const tacit_event_calendar *calendar;
  size_t places; /* a power of two, about two for each row of the calendar */
  written known[];
};

tacit_status tacit_event_rows_new(tacit_event_key *key, const tacit_event_calendar *calendar,
                                  tacit_event_rows **rows, tacit_error *error) {
  size_t places = PLACES_LEAST;
  while (places < PLACES_MOST && places < 2 * tacit_event_calendar_rows(calendar)) places *= 2;
  *rows = tacit_alloc(1, sizeof **rows + places * sizeof(written));
  if (!*rows) return tacit_no_memory(error);
  (*rows)->places = places;
  (*rows)->key = key;
  (*rows)->calendar = calendar;
  return TACIT_OK;
}

void tacit_event_rows_free(tacit_event_rows *rows) {
  tacit_free_wiped(rows, rows ? sizeof *rows + rows->places * sizeof(written) : 0);
}

/* A single cell of 8 to 16 bytes, which most dates are: its first 8 and its last 8. */
static bool write_date(const tacit_cell *cell, uint64_t *words) {
  if (!cell->text || cell->length < 8 || cell->length > 16) return false;
  words[0] = cell->length; /* which is no kind's letter */
  memcpy(&words[1], cell->text, 8);
  memcpy(&words[2], cell->text + cell->length - 8, 8);
  words[3] = 0;
  return true;
}

/* A time of day, of which no two are alike, is no part of a key that is a day: 2024-01-31T10:00:00. */
static bool day_of(const tacit_event_key *key, size_t k, const tacit_cell *cell, double *day) {
  if (k != key->names->day || key->names->format || !cell->text || cell->length != TIMED) return false;
  if (!tacit_clock_read(NULL, cell->text, TIMED, day)) return false;
  *day = floor(*day / 86400);
  return true;
}

static bool write_day(const tacit_event_key *key, const tacit_cell *cell, uint64_t *words) {
  double day;
  if (!day_of(key, 0, cell, &day)) return false;
  words[0] = TIMED;
  memcpy(&words[1], &day, sizeof day);
  words[2] = words[3] = 0;
  return true;
}

/* False for a key that is too long. */
static bool write_down(const tacit_event_key *key, const tacit_cell *cells, uint64_t *words) {
  unsigned char bytes[BYTES] = {0};
  size_t at = 0;
  const tacit_cell *first = &cells[key->column[0]];
  if (key->names->key_count == 1 && (write_date(first, words) || write_day(key, first, words))) return true;
  for (size_t k = 0; k < key->names->key_count; k++) {
    const tacit_cell *cell = &cells[key->column[k]];
    double number = cell->number;
    bool day = day_of(key, k, cell, &number), text = cell->text && !day;
    size_t length = text ? cell->length : sizeof number;
    if (length > BYTES || at + 2 + length > BYTES) return false;
    bytes[at++] = (unsigned char)(day ? 'd' : text ? 't' : 'n');
    bytes[at++] = (unsigned char)length;
    memcpy(bytes + at, text ? (const void *)cell->text : &number, length);
    at += length;
  }
  memcpy(words, bytes, sizeof bytes);
  return at > 0;
}

static bool same(const uint64_t *a, const uint64_t *b) {
  uint64_t apart = 0;
  for (size_t w = 0; w < WORDS; w++) apart |= a[w] ^ b[w];
  return apart == 0;
}

static size_t place_of(const uint64_t *words, size_t places) {
  uint64_t mixed = 0;
  for (size_t w = 0; w < WORDS; w++) {
    mixed = (mixed ^ words[w]) * UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= mixed >> 32; /* days of a month differ in the last bytes alone, which only go up */
  }
  return 2 * ((size_t)mixed % (places / 2));
}

static tacit_status look_up(tacit_event_rows *rows, const tacit_cell *cells, tacit_event_place *place,
                            tacit_error *error) {
  bool whole;
  *place = (tacit_event_place){.found = false};
  TACIT_TRY(tacit_event_key_make(rows->key, cells, &whole, error));
  place->found = whole && tacit_event_calendar_find(rows->calendar, rows->key, &place->row, &place->hash);
  return TACIT_OK;
}

tacit_status tacit_event_rows_find(tacit_event_rows *rows, const tacit_cell *cells, tacit_event_place *place,
                                   tacit_error *error) {
  uint64_t words[WORDS];
  if (!write_down(rows->key, cells, words)) return look_up(rows, cells, place, error);
  written *first = &rows->known[place_of(words, rows->places)], *second = first + 1;
  if (same(first->words, words)) {
    *place = first->place;
    return TACIT_OK;
  }
  if (!same(second->words, words)) {
    *second = *first;
    TACIT_TRY(look_up(rows, cells, &first->place, error));
    memcpy(first->words, words, sizeof words);
    *place = first->place;
    return TACIT_OK;
  }
  *place = second->place;
  return TACIT_OK;
}
