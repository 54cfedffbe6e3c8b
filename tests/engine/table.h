/* The table of an engine's tests, in memory and packed, and parts of it. */
#ifndef TACIT_TESTS_ENGINE_TABLE_H
#define TACIT_TESTS_ENGINE_TABLE_H

#include <tacit/tacit.h>

/* Columns a, b, y, z, w, v and the levels c; set up and torn down as cmocka does it. */
int table_make(void **state);
int table_remove(void **state);
/* Where `pack` writes the whole table. */
extern char packed[64];
void pack(const tacit_schema *schema);

tacit_schema *schema_of(const char *json);
/* Rows first.. first + rows of the table. */
tacit_source *columns_of(size_t first, size_t rows);
/* The source's rows; the source is freed. */
tacit_part *part_of(tacit_source *source, const tacit_schema *schema);
/* Part k of `count`: from the columns, the packed file named `table`, or that file's bytes. */
tacit_part *open_columns(const void *table, const tacit_schema *schema, size_t k, size_t count);
tacit_part *open_packed(const void *table, const tacit_schema *schema, size_t k, size_t count);
/* The records of units in shard k of `count`, in the table's order. */
tacit_source *shard_of(const tacit_schema *schema, size_t k, size_t count);
tacit_part *open_shard(const void *table, const tacit_schema *schema, size_t k, size_t count);
tacit_part *open_packed_shard(const void *table, const tacit_schema *schema, size_t k, size_t count);
tacit_part *open_bytes(const void *table, const tacit_schema *schema, size_t k, size_t count);

#endif
