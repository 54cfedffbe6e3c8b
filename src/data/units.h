/* Counts the records of each unit, so that no unit gives more of them than the schema says, and numbers the
   units, so that the records of one can be brought together. */
#ifndef TACIT_SRC_UNITS_H
#define TACIT_SRC_UNITS_H

#include "source/source.h"

typedef struct tacit_units tacit_units;

/* limit is the number of records kept of each unit, at least 1. TACIT_INTERNAL without entropy or memory. */
tacit_status tacit_units_new(size_t limit, tacit_units **units, tacit_error *error) TACIT_CHECKED;
/* Counts one record of the unit that the cell names; *keep is false when the unit has had its share. Units
   are the same when their cells are, byte for byte; records with an empty cell are one unit together. */
tacit_status tacit_units_take(tacit_units *units, const tacit_cell *cell, bool *keep,
                              tacit_error *error) TACIT_CHECKED;
/* The number of the unit whose record was counted last: from 0 on, in the order in which they appear. */
size_t tacit_units_last(const tacit_units *units);
void tacit_units_free(tacit_units *units);

/* Whose each row is, by number; empty at first, to be freed. */
typedef struct tacit_unit_list {
  size_t *unit;
  size_t count, capacity;
} tacit_unit_list;
tacit_status tacit_unit_list_add(tacit_unit_list *list, size_t unit, tacit_error *error) TACIT_CHECKED;
void tacit_unit_list_free(tacit_unit_list *list);

#endif
