/* The levels of a category that are numbers or moments, by value. A program that writes a table may spell all
   cells of a column otherwise because of one record: 1.0 for 1 where one cell is empty, 2024-01-31
   00:00:00.000 for 2024-01-31 where one has a time of day. So a cell that is no level byte by byte is the
   level of its value (proofs/sql.md, "What a writer decides"). */
#ifndef TACIT_SRC_LEVEL_VALUES_H
#define TACIT_SRC_LEVEL_VALUES_H

#include "schema/schema.h"
#include "source/source.h"

typedef struct tacit_level_values {
  const tacit_feature *feature; /* NULL: of no category */
  struct tacit_level_value *value;
  size_t count;
} tacit_level_values;

/* For a category, which stays the caller's. Close it after a failure, too. */
tacit_status tacit_level_values_open(tacit_level_values *values, const tacit_feature *feature,
                                     tacit_error *error) TACIT_CHECKED;
void tacit_level_values_close(tacit_level_values *values);

/* The level of a cell: of a text byte by byte, else by its value; of a number the first that reads as it. */
size_t tacit_level_of(const tacit_level_values *values, const tacit_cell *cell);
/* Whether a cell that is not empty is a listed level, or has a bucket. */
bool tacit_level_is_listed(const tacit_level_values *values, const tacit_cell *cell);
/* The same of a text that is not empty and no level byte by byte. */
size_t tacit_level_by_value(const tacit_level_values *values, const char *text, size_t length);
/* Counts a cell that is empty, or has its level only because it is none of those that are listed. */
void tacit_level_tally(const tacit_level_values *values, const tacit_cell *cell, size_t level,
                       tacit_tally *tally);

#endif
