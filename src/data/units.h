/* Counts the records of each unit, so that no unit gives more of them than the schema says. */
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
void tacit_units_free(tacit_units *units);

#endif
