/* The manifest of a table in parts: each part's line, and that all lines together are the table, once. */
#ifndef TACIT_SRC_MANIFEST_H
#define TACIT_SRC_MANIFEST_H

#include "data/design.h"
#include "data/pack.h"

#include <tacit/engine.h>

/* `count` parts of a packed table, from `part` on, of as many as the pack is opened for. */
tacit_status tacit_entries_packed(tacit_pack *pack, const tacit_schema *schema, size_t part, size_t count,
                                  tacit_part_entry *entries, tacit_error *error) TACIT_CHECKED;
/* Rows in memory, which are a table of their own; the entry says of which shard. */
void tacit_entry_rows(const tacit_design *design, const tacit_schema *schema, const tacit_read_counts *counts,
                      tacit_part_entry *entry);

/* TACIT_BAD_INPUT for lines that were changed or are of another schema, TACIT_REFUSED for parts that overlap
   or do not make whole tables, and for what a table in several pieces cannot promise (proofs/units.md). */
tacit_status tacit_manifest_check(const tacit_schema *schema, const tacit_part_entry *entries, size_t count,
                                  tacit_error *error) TACIT_CHECKED;

#endif
