/* Gives names a number each: 0 for the first one entered, 1 for the next. */
#ifndef TACIT_SRC_NAME_TABLE_H
#define TACIT_SRC_NAME_TABLE_H

#include "source/source.h"

typedef struct tacit_name_table tacit_name_table;

#define TACIT_NO_NAME SIZE_MAX

/* TACIT_INTERNAL without entropy or memory. */
tacit_status tacit_name_table_new(tacit_name_table **table, tacit_error *error) TACIT_CHECKED;
void tacit_name_table_free(tacit_name_table *table);
/* The name's number, which it gets here if it is new. */
tacit_status tacit_name_table_enter(tacit_name_table *table, const void *name, size_t length, size_t *number,
                                    tacit_error *error) TACIT_CHECKED;
/* TACIT_NO_NAME for one that was never entered. */
size_t tacit_name_table_find(const tacit_name_table *table, const void *name, size_t length);
/* The same in parts, for whoever looks many names up at once: a name's hash; fetching from memory what is
   known of it; its number. */
typedef struct tacit_name_hash {
  uint64_t low, high;
} tacit_name_hash;
tacit_name_hash tacit_name_table_hash(const tacit_name_table *table, const void *name, size_t length);
void tacit_name_table_fetch(const tacit_name_table *table, tacit_name_hash hash);
tacit_status tacit_name_table_enter_hash(tacit_name_table *table, tacit_name_hash hash, size_t *number,
                                         tacit_error *error) TACIT_CHECKED;
size_t tacit_name_table_count(const tacit_name_table *table);

/* What a cell is as a name: the bytes of its text or of its number, of which there is one zero and one NaN.
   `number` has room for it, and must live as long as the name. */
const void *tacit_cell_name(const tacit_cell *cell, double *number, size_t *length);

#endif
