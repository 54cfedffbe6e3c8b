/* Which share of a table a unit belongs to, by the hash of its name alone: workers that split a table so,
   each for itself, keep every unit whole (proofs/units.md, "In shards"). */
#ifndef TACIT_SRC_SHARDS_H
#define TACIT_SRC_SHARDS_H

#include "source/source.h"

/* The shard, below `shards`, of the unit that the cell names. Cells that name nobody are of one shard. */
size_t tacit_shard_of(const tacit_cell *cell, size_t shards);
/* TACIT_BAD_INPUT for a record of a unit that is of another shard than the source is said to be of. */
tacit_status tacit_shard_check(const tacit_source *source, const tacit_cell *unit,
                               tacit_error *error) TACIT_CHECKED;

#endif
