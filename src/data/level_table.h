/* Finds the level of a short cell at one look, where a search over sorted names would guess wrong at each
 * step.
 */
#ifndef TACIT_SRC_LEVEL_TABLE_H
#define TACIT_SRC_LEVEL_TABLE_H

#include "data/level_values.h"

typedef struct tacit_level_table {
  const tacit_level_values *values; /* NULL: of no category */
  struct tacit_level_slot *slot;    /* a power of two of them, at least half of them free */
  size_t slots;
} tacit_level_table;

/* For a category, whose values stay the caller's. Close it after a failure, too. */
tacit_status tacit_level_table_open(tacit_level_table *table, const tacit_level_values *values,
                                    tacit_error *error) TACIT_CHECKED;
/* As tacit_level_of, for text without NUL. The bytes before end may be looked at. */
size_t tacit_level_table_find(const tacit_level_table *table, const char *text, size_t length,
                              const char *end);
void tacit_level_table_close(tacit_level_table *table);

#endif
