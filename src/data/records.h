/* Records that are kept in memory to be read a second time: all of a table must have been seen before a row
   can look at another by its key. */
#ifndef TACIT_SRC_RECORDS_H
#define TACIT_SRC_RECORDS_H

#include "source/source.h"

/* Zeroed, but for texts, it is ready for use. */
typedef struct tacit_records {
  bool texts; /* keep the source's text of each record, too */
  size_t columns;
  struct tacit_records_block *first, *last, *reading;
  size_t at; /* in the block that is read */
} tacit_records;

/* Adds a copy of the record that the source has just read, whose cells these are. TACIT_INTERNAL without
   memory. */
tacit_status tacit_records_keep(tacit_records *records, const tacit_source *source, const tacit_cell *cells,
                                tacit_error *error) TACIT_CHECKED;
/* The next one, in the same order, from the first on: its cells, and the source as it was then, for those
   who ask for its text or for the record's number. False at the end. */
bool tacit_records_next(tacit_records *records, tacit_source *source, tacit_cell *cells);
void tacit_records_close(tacit_records *records);

#endif
