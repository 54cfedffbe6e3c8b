/* Groups and keys in two hash tables with open addressing.

   Names and keys are kept and compared, not their hashes alone: a collision that made two groups one would
   let a record reach rows that nobody counted. The hash is keyed at random, so that nobody who writes names
   can slow the tables down. */
#include "data/lookup.h"

#include "base/base.h"

#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1024 }; /* a power of two, as all sizes */

typedef struct group_name {
  char *name; /* the cells' bytes, each behind its length */
  size_t length;
} group_name;

/* Places of what is found, counted from 1; 0: free. */
typedef struct index {
  size_t *places, slots, used;
} index_table;

struct tacit_lookup {
  size_t targets;
  group_name *groups;
  size_t group_count, group_capacity;
  tacit_key *keys; /* by record */
  bool *firsts;
  double *values; /* records x targets */
  size_t count, capacity;
  index_table by_name, by_key;
  char *name; /* that is looked for */
  size_t name_capacity;
  unsigned char secret[crypto_shorthash_KEYBYTES];
};

tacit_status tacit_lookup_new(size_t targets, tacit_lookup **lookup, tacit_error *error) {
  *lookup = NULL;
  if (sodium_init() < 0) return tacit_fail(error, TACIT_INTERNAL, "no entropy from the operating system");
  tacit_lookup *self = tacit_alloc(1, sizeof *self);
  if (!self) return tacit_no_memory(error);
  self->targets = targets;
  self->by_name = (index_table){.places = tacit_alloc(FIRST_SLOTS, sizeof(size_t)), .slots = FIRST_SLOTS};
  self->by_key = (index_table){.places = tacit_alloc(FIRST_SLOTS, sizeof(size_t)), .slots = FIRST_SLOTS};
  crypto_shorthash_keygen(self->secret);
  if (!self->by_name.places || !self->by_key.places) {
    tacit_lookup_free(self);
    return tacit_no_memory(error);
  }
  *lookup = self;
  return TACIT_OK;
}

void tacit_lookup_free(tacit_lookup *lookup) {
  if (!lookup) return;
  for (size_t g = 0; g < lookup->group_count; g++)
    tacit_free_wiped(lookup->groups[g].name, lookup->groups[g].length);
  free(lookup->groups);
  tacit_free_wiped(lookup->keys, lookup->capacity * sizeof *lookup->keys);
  tacit_free_wiped(lookup->firsts, lookup->capacity * sizeof *lookup->firsts);
  tacit_free_wiped(lookup->values, lookup->capacity * lookup->targets * sizeof *lookup->values);
  tacit_free_wiped(lookup->name, lookup->name_capacity);
  free(lookup->by_name.places);
  free(lookup->by_key.places);
  tacit_free_wiped(lookup, sizeof *lookup);
}

static uint64_t hash_of(const tacit_lookup *lookup, const void *bytes, size_t length) {
  unsigned char hash[crypto_shorthash_BYTES];
  uint64_t number;
  crypto_shorthash(hash, bytes, length, lookup->secret);
  memcpy(&number, hash, sizeof number);
  return number;
}

static uint64_t hash_of_key(const tacit_lookup *lookup, size_t group, int64_t period) {
  const int64_t both[2] = {(int64_t)group, period};
  return hash_of(lookup, both, sizeof both);
}

/* The slot of a name or key, or the free one where it belongs. */
static size_t *slot_of_name(const tacit_lookup *lookup, const char *name, size_t length) {
  const index_table *table = &lookup->by_name;
  size_t i = (size_t)hash_of(lookup, name, length) & (table->slots - 1);
  for (; table->places[i]; i = (i + 1) & (table->slots - 1)) {
    const group_name *g = &lookup->groups[table->places[i] - 1];
    if (g->length == length && !memcmp(g->name, name, length)) break;
  }
  return &table->places[i];
}

static size_t *slot_of_key(const tacit_lookup *lookup, size_t group, int64_t period) {
  const index_table *table = &lookup->by_key;
  size_t i = (size_t)hash_of_key(lookup, group, period) & (table->slots - 1);
  for (; table->places[i]; i = (i + 1) & (table->slots - 1)) {
    const tacit_key *key = &lookup->keys[table->places[i] - 1];
    if (key->group == group && key->period == period) break;
  }
  return &table->places[i];
}

/* Twice the slots, as soon as half of them are taken: then all places have to be found anew. */
static tacit_status grow_index(tacit_lookup *lookup, index_table *table, tacit_error *error) {
  if (table->used * 2 < table->slots) return TACIT_OK;
  size_t *old = table->places, slots = table->slots;
  table->places = tacit_alloc(slots * 2, sizeof *old);
  if (!table->places) {
    table->places = old;
    return tacit_no_memory(error);
  }
  table->slots = slots * 2;
  for (size_t i = 0; i < slots; i++) {
    if (!old[i]) continue;
    const group_name *g = &lookup->groups[old[i] - 1];
    const tacit_key *key = &lookup->keys[old[i] - 1];
    *(table == &lookup->by_name ? slot_of_name(lookup, g->name, g->length)
                                : slot_of_key(lookup, key->group, key->period)) = old[i];
  }
  free(old);
  return TACIT_OK;
}

/* Cell by cell, so that "ab", "c" and "a", "bc" are two groups. */
static tacit_status write_name(tacit_lookup *lookup, const tacit_cell *const *names, size_t count,
                               size_t *length, tacit_error *error) {
  size_t needed = 0, at = 0;
  for (size_t k = 0; k < count; k++)
    needed += sizeof(size_t) + (names[k]->text ? names[k]->length : sizeof(double));
  if (needed > lookup->name_capacity) {
    char *made = tacit_alloc(2 * needed, 1);
    if (!made) return tacit_no_memory(error);
    tacit_free_wiped(lookup->name, lookup->name_capacity);
    lookup->name = made;
    lookup->name_capacity = 2 * needed;
  }
  for (size_t k = 0; k < count; k++) {
    /* One number, one name: there are two zeros and many NaNs. */
    double number = isnan(names[k]->number) ? (double)NAN : names[k]->number + 0.0;
    const void *bytes = names[k]->text ? names[k]->text : (const void *)&number;
    size_t n = names[k]->text ? names[k]->length : sizeof number;
    memcpy(lookup->name + at, &n, sizeof n);
    if (n) memcpy(lookup->name + at + sizeof n, bytes, n);
    at += sizeof n + n;
  }
  *length = at;
  return TACIT_OK;
}

tacit_status tacit_lookup_group(tacit_lookup *lookup, const tacit_cell *const *names, size_t count,
                                size_t *found, tacit_error *error) {
  size_t length;
  TACIT_TRY(write_name(lookup, names, count, &length, error));
  TACIT_TRY(grow_index(lookup, &lookup->by_name, error));
  size_t *slot = slot_of_name(lookup, lookup->name, length);
  if (!*slot) {
    group_name *grown =
        tacit_grow(lookup->groups, &lookup->group_capacity, lookup->group_count + 1, sizeof *grown);
    if (!grown) return tacit_no_memory(error);
    lookup->groups = grown;
    char *name = tacit_alloc(length + 1, 1);
    if (!name) return tacit_no_memory(error);
    if (length) memcpy(name, lookup->name, length);
    grown[lookup->group_count++] = (group_name){name, length};
    lookup->by_name.used++;
    *slot = lookup->group_count;
  }
  *found = *slot - 1;
  return TACIT_OK;
}

/* The old block is private and has to be wiped: nothing is grown in place. */
static tacit_status grow_block(void *block, size_t size, size_t from, size_t to, tacit_error *error) {
  void *made = tacit_alloc(to, size), *old;
  if (!made) return tacit_no_memory(error);
  memcpy(&old, block, sizeof old);
  if (old) memcpy(made, old, from * size);
  tacit_free_wiped(old, from * size);
  memcpy(block, &made, sizeof made);
  return TACIT_OK;
}

static tacit_status grow_records(tacit_lookup *lookup, tacit_error *error) {
  if (lookup->count < lookup->capacity) return TACIT_OK;
  size_t from = lookup->capacity, to = from ? 2 * from : FIRST_SLOTS;
  TACIT_TRY(grow_block(&lookup->keys, sizeof *lookup->keys, from, to, error));
  TACIT_TRY(grow_block(&lookup->firsts, sizeof *lookup->firsts, from, to, error));
  TACIT_TRY(grow_block(&lookup->values, lookup->targets * sizeof *lookup->values, from, to, error));
  lookup->capacity = to;
  return TACIT_OK;
}

tacit_status tacit_lookup_add(tacit_lookup *lookup, const tacit_key *key, const double *targets, bool *first,
                              tacit_error *error) {
  TACIT_TRY(grow_records(lookup, error));
  TACIT_TRY(grow_index(lookup, &lookup->by_key, error));
  size_t record = lookup->count, *slot = key->known ? slot_of_key(lookup, key->group, key->period) : NULL;
  *first = !slot || !*slot;
  lookup->keys[record] = *key;
  lookup->firsts[record] = *first;
  memcpy(lookup->values + record * lookup->targets, targets, lookup->targets * sizeof *targets);
  lookup->count++;
  if (slot && !*slot) {
    *slot = lookup->count;
    lookup->by_key.used++;
  }
  return TACIT_OK;
}

tacit_key tacit_lookup_key(const tacit_lookup *lookup, size_t record) {
  return lookup->keys[record];
}

bool tacit_lookup_is_first(const tacit_lookup *lookup, size_t record) {
  return lookup->firsts[record];
}

double tacit_lookup_find(const tacit_lookup *lookup, const tacit_key *key, int64_t after, size_t target) {
  size_t place = key->known ? *slot_of_key(lookup, key->group, key->period + after) : 0;
  return place ? lookup->values[(place - 1) * lookup->targets + target] : (double)NAN;
}
