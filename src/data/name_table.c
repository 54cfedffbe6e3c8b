/* A hash table with open addressing.

   A name is known by 128 bits of a hash under random keys. Nobody who writes names can make them collide, to
   slow the table down or to merge two of them; two that collide by chance (below 2^-60 for 2^34 names) would
   be taken for one. The names themselves are not kept.

   Most names are short. Of those each half of the hash is the upper half of K0 + K1 w1 + K2 w2 + K3 w3 modulo
   2^128, where w are the name's bytes and its length and K random numbers of 128 bits: two different names
   share it with probability 2^-64, over the keys alone (Lemire and Kaser, "Strongly universal string hashing
   is fast"). Longer names have SipHash. */
#include "data/name_table.h"

#include "base/base.h"

#include <math.h>
#include <sodium.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum {
  FIRST_SLOTS = 1024, /* a power of two, as all sizes */
  SHORT = 16,         /* bytes of a short name, at most, */
  TERMS = 4           /* and what its hash adds up */
};

typedef struct slot {
  tacit_name_hash hash;
  size_t number; /* one more than it; 0: free */
} slot;

struct tacit_name_table {
  size_t used, slots;
  slot *table;
  wide low[TERMS], high[TERMS];                            /* keys of short names, */
  unsigned char key[crypto_shorthash_siphashx24_KEYBYTES]; /* and of others */
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
  randombytes_buf(self->low, sizeof self->low);
  randombytes_buf(self->high, sizeof self->high);
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

/* A short name's bytes in two words: the first and the last eight, or four, which may overlap. With the
   length beside them no two names have the same. */
static void write_words(const unsigned char *name, size_t length, uint64_t words[2]) {
  uint32_t first = 0, last = 0;
  words[0] = words[1] = 0;
  if (length >= 8) {
    memcpy(&words[0], name, 8);
    memcpy(&words[1], name + length - 8, 8);
  } else if (length >= 4) {
    memcpy(&first, name, 4);
    memcpy(&last, name + length - 4, 4);
    words[0] = (uint64_t)first << 32 | last;
  } else {
    for (size_t i = 0; i < length; i++) words[0] = words[0] << 8 | name[i];
  }
}

static uint64_t add_up(const wide key[TERMS], const uint64_t words[2], size_t length) {
  return (uint64_t)((key[0] + key[1] * words[0] + key[2] * words[1] + key[3] * length) >> 64);
}

/* Names that follow each other would lie in patterns: one half is stirred, which merges none. */
static uint64_t stirred(uint64_t hash) {
  hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return hash ^ hash >> 32;
}

tacit_name_hash tacit_name_table_hash(const tacit_name_table *table, const void *name, size_t length) {
  tacit_name_hash hash;
  if (length <= SHORT) {
    uint64_t words[2];
    write_words(name, length, words);
    return (tacit_name_hash){stirred(add_up(table->low, words, length)), add_up(table->high, words, length)};
  }
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
