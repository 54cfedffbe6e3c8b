/* The rows of a unit together: one behind the other in one block, so that what a unit adds to a sum can be
   taken, and clipped, as a whole (proofs/units.md). An image of the rows has them in the same places. */
#ifndef TACIT_SRC_DESIGN_UNITS_H
#define TACIT_SRC_DESIGN_UNITS_H

#include "data/design.h"
#include "data/units.h"

/* Block b has the runs first[b] to first[b + 1], one for each unit; each ends before row end[.] of the block
   and begins where the one before it ends, the first at row 0. */
typedef struct tacit_unit_runs {
  size_t *first;
  uint16_t *end;
} tacit_unit_runs;

/* Rows of a unit at most, if they are to lie together. */
enum { TACIT_WHOLE_ROWS = TACIT_BLOCK };

/* Where the rows of each unit go, of all units; and some of the blocks that this makes, with whole units. */
typedef struct tacit_unit_places {
  size_t units, blocks;
  size_t *rows;  /* of each unit */
  size_t *place; /* of its first row, counted over all blocks */
} tacit_unit_places;
typedef struct tacit_unit_range {
  size_t first, blocks, rows;
} tacit_unit_range;
/* Zeroed, it may be closed. TACIT_INTERNAL without memory, and for a unit with more rows than fit a block. */
tacit_status tacit_unit_places_open(const tacit_unit_list *units, tacit_unit_places *places,
                                    tacit_error *error) TACIT_CHECKED;
void tacit_unit_places_close(tacit_unit_places *places);
/* Part `part` of `parts` of the blocks. */
tacit_unit_range tacit_unit_places_part(const tacit_unit_places *places, size_t part, size_t parts);
/* The rows of these blocks as a design of their own. */
tacit_status tacit_design_gather(const tacit_design *from, const tacit_unit_list *units,
                                 const tacit_unit_places *places, tacit_unit_range range, tacit_design **to,
                                 tacit_error *error) TACIT_CHECKED;

/* The same rows, those of a unit together; units says whose each is. TACIT_INTERNAL without memory, and for a
   unit with more rows than fit a block. */
tacit_status tacit_design_group(tacit_design **design, const tacit_unit_list *units,
                                tacit_error *error) TACIT_CHECKED;
size_t tacit_unit_runs_filled(const tacit_unit_runs *runs, size_t b);
void tacit_unit_runs_free(tacit_unit_runs *runs); /* NULL is fine */

#endif
