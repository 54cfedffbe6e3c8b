/* How many cells of each column the schema did not foresee, for the data holder's eyes: no learner and no
   policy sees them. A source keeps the tally of its records; readers count into tallies of their own first,
   for they may read a record twice. */
#ifndef TACIT_SRC_TALLY_H
#define TACIT_SRC_TALLY_H

#include "schema/schema.h"
#include "source/source.h"

/* One for each of tacit_schema_entries. */
size_t tacit_tally_count(const tacit_schema *schema);
/* Where a source's tally goes. TACIT_INTERNAL without memory. */
tacit_status tacit_tally_open(tacit_source *source, const tacit_schema *schema,
                              tacit_error *error) TACIT_CHECKED;
/* Adds a reader's tally to the source's, and begins it anew. */
void tacit_tally_give(tacit_source *source, tacit_tally *tally, size_t count);

/* Whether a number lies beyond what its scale holds: by more than rounding, so that a bound itself does not.
 */
bool tacit_tally_beyond(const tacit_scale *scale, double x);
/* A feature's or target's number as it was read; found says whether there was one. */
void tacit_tally_number(tacit_tally *tally, const tacit_scale *scale, bool found, double x);
/* Whether a cell that is no number would be one if its comma were a point. */
bool tacit_tally_comma(const tacit_source *source, const tacit_cell *cell);
/* Whether there is nothing in a cell, or blanks. */
bool tacit_tally_empty(const tacit_cell *cell);
/* A cell that is not what it should be: beside tacit_tally_number, which cannot tell it from an empty one. */
void tacit_tally_unreadable(tacit_tally *tally, const tacit_source *source, const tacit_cell *cell);

/* Whether most of the cells that are there cannot be read. Of a handful of cells nothing is said. */
static inline bool tacit_tally_mostly(size_t unreadable, size_t there) {
  return there >= 20 && unreadable > there / 2;
}

/* Whether a feature has a list of levels, and none for what is not on it. */
bool tacit_tally_lists_all(const tacit_feature *feature);

/* The furthest an encoded number lies from 0 without being beyond: rounding alone may add so much. */
static inline double tacit_tally_limit(const tacit_scale *scale) {
  return scale->limit * (1 + 0x1p-40);
}

#endif
