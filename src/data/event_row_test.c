/* A key is found in the same row whether it was seen before or not, however it is written. */
#include "base/base.h"
#include "data/event_row.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

enum { ROWS = 6000, KINDS = 7 };

/* Row `i` as an event may write it. */
static tacit_cell write_key(size_t i, size_t kind, char *text, size_t size) {
  text[0] = 0;
  if (kind == 0) return (tacit_cell){.number = (double)i};
  if (kind == 1) snprintf(text, size, "%zu", i);
  if (kind == 2) snprintf(text, size, "%zu.0", i);
  if (kind == 3) snprintf(text, size, " %zu ", i);
  if (kind == 4) snprintf(text, size, "the row %zu", i);
  if (kind == 5) snprintf(text, size, "a longer name of row %zu than is kept", i);
  return (tacit_cell){.text = text, .length = strlen(text)};
}

static tacit_event_calendar *calendar_of(const tacit_event_columns *names) {
  size_t most = ROWS * 48, n = 0;
  char *text = malloc(most), line[64];
  tacit_source *source;
  tacit_event_calendar *calendar;
  assert_non_null(text);
  n += (size_t)snprintf(text, most, "key,part\n");
  for (size_t i = 0; i < ROWS; i++) {
    tacit_cell key = write_key(i, i % 3 == 0 ? 1 : i % 3 == 1 ? 4 : 5, line, sizeof line);
    n += (size_t)snprintf(text + n, most - n, "%.*s,%zu\n", (int)key.length, key.text, i % 2);
  }
  assert_int_equal(tacit_source_csv_text(text, n, &source, NULL), TACIT_OK);
  assert_int_equal(tacit_event_calendar_read(source, names, &calendar, NULL), TACIT_OK);
  tacit_source_free(source);
  free(text);
  return calendar;
}

static void compare(size_t key_count) {
  char *keys[2] = {(char *)"key", (char *)"part"};
  tacit_event_columns names = {.key_count = key_count, .day = key_count};
  for (size_t k = 0; k < key_count; k++) names.keys[k] = keys[k];
  tacit_event_calendar *calendar = calendar_of(&names);
  tacit_event_key key = {.names = &names, .column = {0, 1}}, plain = key;
  tacit_event_rows *rows;
  size_t found = 0, lost = 0;
  assert_int_equal(tacit_event_rows_new(&key, calendar, &rows, NULL), TACIT_OK);
  srand(3);
  for (size_t n = 0; n < 200000; n++) {
    char text[64], part[8];
    tacit_event_place place;
    size_t i = (size_t)rand() % (n % 2 ? 40 : ROWS + 50), row = 0;
    uint64_t hash = 0;
    bool whole;
    tacit_cell cells[2] = {write_key(i, (size_t)rand() % KINDS, text, sizeof text), {.text = part}};
    cells[1].length = (size_t)snprintf(part, sizeof part, "%zu", i % 2);
    assert_int_equal(tacit_event_rows_find(rows, cells, &place, NULL), TACIT_OK);
    assert_int_equal(tacit_event_key_make(&plain, cells, &whole, NULL), TACIT_OK);
    whole = whole && tacit_event_calendar_find(calendar, &plain, &row, &hash);
    assert_int_equal(place.found, whole);
    assert_true(!whole || (place.row == row && place.hash == hash));
    found += whole;
    lost += !whole;
  }
  assert_true(found > 40000 && lost > 40000);
  tacit_event_rows_free(rows);
  tacit_event_key_close(&key);
  tacit_event_key_close(&plain);
  tacit_event_calendar_free(calendar);
}

static void a_key_seen_before_is_in_the_same_row(void **state) {
  (void)state;
  compare(1);
  compare(2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_key_seen_before_is_in_the_same_row)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
