/* A hash table with open addressing.

   A name is known by 128 bits of SipHash under a random key. Nobody who writes names can make them collide,
   to slow the table down or to merge two of them; two that collide by chance (below 2^-60 for 2^34 names)
   would be taken for one. The names themselves are not kept. */
#include "data/name_table.h"

#include "base/base.h"

#include <math.h>
#include <sodium.h>
#include <string.h>

enum { FIRST_SLOTS = 1024 }; /* a power of two, as all sizes */

typedef struct slot {
  tacit_name_hash hash;
  size_t number; /* one more than it; 0: free */
} slot;

struct tacit_name_table {
  size_t used, slots;
  slot *table;
  unsigned char key[crypto_shorthash_siphashx24_KEYBYTES];
};

tacit_status tacit_name_table_new(tacit_name_table **table, tacit_error *error) {
  *table = NULL;
  if (sodium_init() < 0) return tacit_fail(error, TACIT_INTERNAL, "no entropy from the operating system");
  tacit_name_table *self = tacit_alloc(1, sizeof *self);
  slot *slots = tacit_alloc_rows(FIRST_SLOTS, sizeof *slots);
  if (!self || !slots) {
    tacit_free_wiped(self, sizeof *self);
    tacit_free_rows(slots, FIRST_SLOTS * sizeof *slots);
    return tacit_no_memory(error);
  }
  *self = (tacit_name_table){.slots = FIRST_SLOTS, .table = slots};
  crypto_shorthash_keygen(self->key);
  *table = self;
  return TACIT_OK;
}

void tacit_name_table_free(tacit_name_table *table) {
  if (!table) return;
  tacit_free_rows(table->table, table->slots * sizeof *table->table);
  tacit_free_wiped(table, sizeof *table);
}

size_t tacit_name_table_count(const tacit_name_table *table) {
  return table->used;
}

/* The name's slot, or the free one where it belongs. */
static slot *place(slot *table, size_t slots, tacit_name_hash hash) {
  size_t i = (size_t)hash.low & (slots - 1);
  while (table[i].number && (table[i].hash.low != hash.low || table[i].hash.high != hash.high))
    i = (i + 1) & (slots - 1);
  return &table[i];
}

static tacit_status grow(tacit_name_table *self, tacit_error *error) {
  size_t slots = self->slots * 2;
  slot *table = tacit_alloc_rows(slots, sizeof *table);
  if (!table) return tacit_no_memory(error);
  for (size_t i = 0; i < self->slots; i++) {
    const slot *old = &self->table[i];
    if (old->number) *place(table, slots, old->hash) = *old;
  }
  tacit_free_rows(self->table, self->slots * sizeof *table);
  self->table = table;
  self->slots = slots;
  return TACIT_OK;
}

tacit_name_hash tacit_name_table_hash(const tacit_name_table *table, const void *name, size_t length) {
  tacit_name_hash hash;
  unsigned char bytes[crypto_shorthash_siphashx24_BYTES];
  crypto_shorthash_siphashx24(bytes, name, length, table->key);
  memcpy(&hash, bytes, sizeof hash);
  return hash;
}

void tacit_name_table_fetch(const tacit_name_table *table, tacit_name_hash hash) {
  __builtin_prefetch(&table->table[(size_t)hash.low & (table->slots - 1)]);
}

tacit_status tacit_name_table_enter_hash(tacit_name_table *table, tacit_name_hash hash, size_t *number,
                                         tacit_error *error) {
  if (table->used * 2 >= table->slots) TACIT_TRY(grow(table, error));
  slot *mine = place(table->table, table->slots, hash);
  if (!mine->number) *mine = (slot){hash, ++table->used};
  *number = mine->number - 1;
  return TACIT_OK;
}

tacit_status tacit_name_table_enter(tacit_name_table *table, const void *name, size_t length, size_t *number,
                                    tacit_error *error) {
  return tacit_name_table_enter_hash(table, tacit_name_table_hash(table, name, length), number, error);
}

size_t tacit_name_table_find(const tacit_name_table *table, const void *name, size_t length) {
  const slot *mine = place(table->table, table->slots, tacit_name_table_hash(table, name, length));
  return mine->number ? mine->number - 1 : TACIT_NO_NAME;
}

const void *tacit_cell_name(const tacit_cell *cell, double *number, size_t *length) {
  *number = isnan(cell->number) ? (double)NAN : cell->number + 0.0;
  *length = cell->text ? cell->length : sizeof *number;
  return cell->text ? (const void *)cell->text : number;
}
