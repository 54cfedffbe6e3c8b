/* Counts and numbers the records of each unit in a hash table with open addressing.

   A unit is known by 128 bits of SipHash under a random key. Nobody who writes the ids can make them collide,
   to slow the table down or to merge two units; a collision by chance (below 2^-60 for 2^34 units) would only
   drop a record that could have stayed. The ids themselves are not kept. */
#include "data/units.h"

#include "base/base.h"

#include <math.h>
#include <sodium.h>
#include <string.h>

enum { FIRST_SLOTS = 1024 }; /* a power of two, as all sizes */

typedef struct slot {
  uint64_t low, high;
  size_t count; /* 0: free */
  size_t number;
} slot;

struct tacit_units {
  size_t limit, used, slots, last;
  slot *table;
  unsigned char key[crypto_shorthash_siphashx24_KEYBYTES];
};

tacit_status tacit_units_new(size_t limit, tacit_units **units, tacit_error *error) {
  *units = NULL;
  if (sodium_init() < 0) return tacit_fail(error, TACIT_INTERNAL, "no entropy from the operating system");
  tacit_units *self = tacit_alloc(1, sizeof *self);
  slot *table = tacit_alloc(FIRST_SLOTS, sizeof *table);
  if (!self || !table) {
    tacit_free_wiped(self, sizeof *self);
    tacit_free_wiped(table, 0);
    return tacit_no_memory(error);
  }
  *self = (tacit_units){.limit = limit, .slots = FIRST_SLOTS, .table = table};
  crypto_shorthash_keygen(self->key);
  *units = self;
  return TACIT_OK;
}

void tacit_units_free(tacit_units *units) {
  if (!units) return;
  tacit_free_wiped(units->table, units->slots * sizeof *units->table);
  tacit_free_wiped(units, sizeof *units);
}

/* The unit's slot, or the free one where it belongs. */
static slot *find(slot *table, size_t slots, uint64_t low, uint64_t high) {
  size_t i = (size_t)low & (slots - 1);
  while (table[i].count && (table[i].low != low || table[i].high != high)) i = (i + 1) & (slots - 1);
  return &table[i];
}

static tacit_status grow(tacit_units *units, tacit_error *error) {
  size_t slots = units->slots * 2;
  slot *table = tacit_alloc(slots, sizeof *table);
  if (!table) return tacit_no_memory(error);
  for (size_t i = 0; i < units->slots; i++) {
    const slot *old = &units->table[i];
    if (old->count) *find(table, slots, old->low, old->high) = *old;
  }
  tacit_free_wiped(units->table, units->slots * sizeof *table);
  units->table = table;
  units->slots = slots;
  return TACIT_OK;
}

tacit_status tacit_units_take(tacit_units *units, const tacit_cell *cell, bool *keep, tacit_error *error) {
  const void *id = cell->text;
  size_t length = cell->length;
  /* One number, one unit: there are two zeros and many NaNs. */
  double number = isnan(cell->number) ? (double)NAN : cell->number + 0.0;
  if (!id) {
    id = &number;
    length = sizeof number;
  }
  unsigned char hash[crypto_shorthash_siphashx24_BYTES];
  crypto_shorthash_siphashx24(hash, id, length, units->key);
  uint64_t low, high;
  memcpy(&low, hash, sizeof low);
  memcpy(&high, hash + sizeof low, sizeof high);
  if (units->used * 2 >= units->slots) TACIT_TRY(grow(units, error));
  slot *mine = find(units->table, units->slots, low, high);
  if (!mine->count) {
    *mine = (slot){low, high, 0, units->used++};
  }
  units->last = mine->number;
  *keep = mine->count < units->limit;
  if (*keep) mine->count++; /* counting stops at the limit: no table is long enough to overflow it */
  return TACIT_OK;
}

size_t tacit_units_last(const tacit_units *units) {
  return units->last;
}

tacit_status tacit_unit_list_add(tacit_unit_list *list, size_t unit, tacit_error *error) {
  size_t *grown = tacit_grow(list->unit, &list->capacity, list->count + 1, sizeof *grown);
  if (!grown) return tacit_no_memory(error);
  list->unit = grown;
  list->unit[list->count++] = unit;
  return TACIT_OK;
}

void tacit_unit_list_free(tacit_unit_list *list) {
  if (list->unit) tacit_free_wiped(list->unit, list->capacity * sizeof *list->unit);
  *list = (tacit_unit_list){0};
}
