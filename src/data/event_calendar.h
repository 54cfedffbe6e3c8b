/* The public table of rows that events are added up for, held in memory, and which of its rows a key is. */
#ifndef TACIT_SRC_EVENT_CALENDAR_H
#define TACIT_SRC_EVENT_CALENDAR_H

#include "schema/schema.h"
#include "source/source.h"

/* The columns of a source that make its keys. */
typedef struct tacit_event_key {
  const tacit_event_columns *names;
  bool decimal_comma; /* of the source's numbers */
  size_t column[TACIT_EVENT_KEYS_MAX];
  unsigned char *bytes; /* of the key just made */
  size_t length, room;
} tacit_event_key;
/* A column of one of the two tables; what: "the events". */
tacit_status tacit_event_find(const tacit_source *source, const char *name, const char *what, size_t *column,
                              tacit_error *error) TACIT_CHECKED;
/* TACIT_BAD_INPUT where a column is missing. */
tacit_status tacit_event_key_open(tacit_event_key *key, const tacit_event_columns *names,
                                  const tacit_source *source, const char *what,
                                  tacit_error *error) TACIT_CHECKED;
void tacit_event_key_close(tacit_event_key *key);
/* The key of a record: a date by its day, a number cell, or the text of a number below 2^53 in size, by its
   value, anything else by its bytes without the blanks around them. *whole is false where a part of it is
   empty, or is no date and should be one. */
tacit_status tacit_event_key_make(tacit_event_key *key, const tacit_cell *cells, bool *whole,
                                  tacit_error *error) TACIT_CHECKED;

typedef struct tacit_event_calendar tacit_event_calendar;

/* Reads the source to its end. TACIT_BAD_INPUT for a row without a key, or with another row's. */
tacit_status tacit_event_calendar_read(tacit_source *source, const tacit_event_columns *names,
                                       tacit_event_calendar **calendar, tacit_error *error) TACIT_CHECKED;
void tacit_event_calendar_free(tacit_event_calendar *calendar);
size_t tacit_event_calendar_rows(const tacit_event_calendar *calendar);
const tacit_cell *tacit_event_calendar_row(const tacit_event_calendar *calendar, size_t row);
/* False for a key of no row. *hash: of the key, public and the same everywhere. */
bool tacit_event_calendar_find(const tacit_event_calendar *calendar, const tacit_event_key *key, size_t *row,
                               uint64_t *hash);

#endif
