/* Walks a flatbuffer: a table begins with the way back to a list of its fields' places, and larger things are
   named by how far ahead they lie. */
#include "source/flat.h"

enum { OFFSET = 4, PLACE = 2 };

int64_t tacit_flat_load(const unsigned char *at, int width) {
  uint64_t value = 0;
  for (int k = width; k-- > 0;) value = value << 8 | at[k];
  int unused = 64 - 8 * width;
  return (int64_t)(value << unused) >> unused;
}

static bool holds(tacit_flat *flat, size_t at, size_t size) {
  bool inside = at <= flat->size && size <= flat->size - at;
  flat->broken = flat->broken || !inside;
  return inside;
}

/* Where the offset at `at` leads; 0, which is nobody's place, when it leads nowhere. */
static size_t follow(tacit_flat *flat, size_t at) {
  if (!holds(flat, at, OFFSET)) return 0;
  size_t to = at + (uint32_t)tacit_flat_load(flat->bytes + at, OFFSET);
  return holds(flat, to, OFFSET) ? to : 0;
}

static tacit_flat_table table_at(tacit_flat *flat, size_t at) {
  const tacit_flat_table none = {0};
  if (at == 0) return none;
  int64_t fields = (int64_t)at - tacit_flat_load(flat->bytes + at, OFFSET);
  if (fields < 0 || !holds(flat, (size_t)fields, (size_t)2 * PLACE)) {
    flat->broken = true;
    return none;
  }
  size_t size = (uint16_t)tacit_flat_load(flat->bytes + fields, PLACE);
  if (size < (size_t)2 * PLACE || !holds(flat, (size_t)fields, size)) {
    flat->broken = true;
    return none;
  }
  return (tacit_flat_table){flat, at, (size_t)fields + (size_t)2 * PLACE, size / PLACE - 2};
}

tacit_flat_table tacit_flat_root(tacit_flat *flat) {
  return table_at(flat, follow(flat, 0));
}

/* Where a field of this size lies; 0 when the table does not have it. */
static size_t field_at(tacit_flat_table table, int field, size_t size) {
  if (!table.flat || (size_t)field >= table.field_count) return 0;
  const unsigned char *place = table.flat->bytes + table.fields + (size_t)PLACE * (size_t)field;
  size_t offset = (uint16_t)tacit_flat_load(place, PLACE);
  return offset && holds(table.flat, table.at + offset, size) ? table.at + offset : 0;
}

int64_t tacit_flat_number(tacit_flat_table table, int field, int width, int64_t otherwise) {
  size_t at = field_at(table, field, (size_t)width);
  return at ? tacit_flat_load(table.flat->bytes + at, width) : otherwise;
}

tacit_flat_table tacit_flat_child(tacit_flat_table table, int field) {
  size_t at = field_at(table, field, OFFSET);
  return at ? table_at(table.flat, follow(table.flat, at)) : (tacit_flat_table){0};
}

tacit_flat_vector tacit_flat_list(tacit_flat_table table, int field, size_t width) {
  tacit_flat_vector none = {.width = width};
  size_t at = field_at(table, field, OFFSET);
  at = at ? follow(table.flat, at) : 0;
  if (!at) return none;
  size_t count = (uint32_t)tacit_flat_load(table.flat->bytes + at, OFFSET); /* below 2^32: no overflow */
  if (!holds(table.flat, at + OFFSET, count * width)) return none;
  return (tacit_flat_vector){table.flat, at + OFFSET, count, width};
}

const char *tacit_flat_text(tacit_flat_table table, int field, size_t *length) {
  tacit_flat_vector text = tacit_flat_list(table, field, 1);
  *length = text.count;
  return text.flat ? (const char *)text.flat->bytes + text.at : NULL;
}

tacit_flat_table tacit_flat_entry(tacit_flat_vector list, size_t i) {
  if (i >= list.count) return (tacit_flat_table){0};
  return table_at(list.flat, follow(list.flat, list.at + i * list.width));
}

int64_t tacit_flat_part(tacit_flat_vector list, size_t i, size_t place) {
  return i < list.count ? tacit_flat_load(list.flat->bytes + list.at + i * list.width + place, 8) : 0;
}
