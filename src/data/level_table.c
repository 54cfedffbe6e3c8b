/* A hash table with open addressing of the levels that fit a word. */
#include "data/level_table.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

typedef struct tacit_level_slot {
  uint64_t key; /* the name's bytes, zeros behind them; 0: free */
  size_t level;
} tacit_level_slot;

static size_t first_slot(const tacit_level_table *table, uint64_t key) {
  return (size_t)((key * 0x9E3779B97F4A7C15) >> 32) & (table->slots - 1);
}

static tacit_level_slot *find(const tacit_level_table *table, uint64_t key) {
  size_t i = first_slot(table, key);
  while (table->slot[i].key && table->slot[i].key != key) i = (i + 1) & (table->slots - 1);
  return &table->slot[i];
}

tacit_status tacit_level_table_open(tacit_level_table *table, const tacit_level_values *values,
                                    tacit_error *error) {
  const tacit_feature *feature = values->feature;
  *table = (tacit_level_table){.values = values, .slots = 2};
  while (table->slots < 2 * feature->level_count) table->slots *= 2;
  table->slot = tacit_alloc(table->slots, sizeof *table->slot);
  if (!table->slot) return tacit_no_memory(error);
  for (size_t k = 0; k < feature->level_count; k++) {
    uint64_t key = 0;
    size_t length = strlen(feature->levels[k]);
    if (length == 0 || length > sizeof key) continue;
    memcpy(&key, feature->levels[k], length);
    *find(table, key) = (tacit_level_slot){key, k};
  }
  return TACIT_OK;
}

void tacit_level_table_close(tacit_level_table *table) {
  free(table->slot);
  *table = (tacit_level_table){0};
}

size_t tacit_level_table_find(const tacit_level_table *table, const char *text, size_t length,
                              const char *end) {
  uint64_t key;
  if (length == 0 || length > sizeof key || (size_t)(end - text) < sizeof key ||
      table->values->feature->hashed)
    return tacit_level_of(table->values, &(tacit_cell){.text = text, .length = length});
  memcpy(&key, text, sizeof key);
  unsigned unused = 64 - 8 * (unsigned)length;
  key = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? key >> unused << unused : key << unused >> unused;
  const tacit_level_slot *slot = find(table, key);
  if (slot->key) return slot->level;
  return table->values->feature->fold
             ? tacit_level_of(table->values, &(tacit_cell){.text = text, .length = length})
             : tacit_level_by_value(table->values, text, length);
}
