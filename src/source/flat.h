/* Tables of a flatbuffer, as Arrow describes its messages by. Every place is checked before it is looked at:
   what does not lie within the bytes is not there, and `broken` says so when all has been asked for. */
#ifndef TACIT_SRC_FLAT_H
#define TACIT_SRC_FLAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tacit_flat {
  const unsigned char *bytes;
  size_t size;
  bool broken;
} tacit_flat;

/* flat is NULL for a table that is not there: its fields then are not there either. */
typedef struct tacit_flat_table {
  tacit_flat *flat;
  size_t at, fields, field_count; /* its own place, that of its fields' places, and how many of these */
} tacit_flat_table;

/* Things of one width, one behind the other; none: count is 0. */
typedef struct tacit_flat_vector {
  tacit_flat *flat;
  size_t at, count, width;
} tacit_flat_vector;

/* Bytes as a signed number, the lowest first; width is 1, 2, 4 or 8. */
int64_t tacit_flat_load(const unsigned char *at, int width);

tacit_flat_table tacit_flat_root(tacit_flat *flat);
int64_t tacit_flat_number(tacit_flat_table table, int field, int width, int64_t otherwise);
tacit_flat_table tacit_flat_child(tacit_flat_table table, int field);
/* NULL where there is none; not NUL-terminated. */
const char *tacit_flat_text(tacit_flat_table table, int field, size_t *length);
tacit_flat_vector tacit_flat_list(tacit_flat_table table, int field, size_t width);
/* Entry i of a list of tables, whose width is 4. */
tacit_flat_table tacit_flat_entry(tacit_flat_vector list, size_t i);
/* The 8 bytes at `place` of entry i of a list of structures. */
int64_t tacit_flat_part(tacit_flat_vector list, size_t i, size_t place);

#endif
