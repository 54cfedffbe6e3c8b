/* Which row of the calendar an event belongs to. Few keys come again and again, so that what was found for
   the same cells before is found again at once. */
#ifndef TACIT_SRC_EVENT_ROW_H
#define TACIT_SRC_EVENT_ROW_H

#include "data/event_calendar.h"

typedef struct tacit_event_place {
  bool found; /* false: the key is of no row, or is none */
  size_t row;
  uint64_t hash; /* of the key, as in the calendar */
} tacit_event_place;

typedef struct tacit_event_rows tacit_event_rows;

/* The key's columns are those of the events. Keeps both. */
tacit_status tacit_event_rows_new(tacit_event_key *key, const tacit_event_calendar *calendar,
                                  tacit_event_rows **rows, tacit_error *error) TACIT_CHECKED;
void tacit_event_rows_free(tacit_event_rows *rows);
tacit_status tacit_event_rows_find(tacit_event_rows *rows, const tacit_cell *cells, tacit_event_place *place,
                                   tacit_error *error) TACIT_CHECKED;

#endif
