/* Groups and keys by their numbers in tables of names: two that collide by chance would be taken for one,
   which is less likely than 2^-60 whatever the records are (data/name_table.c). */
#include "data/lookup.h"

#include "base/base.h"
#include "data/name_table.h"

#include <math.h>
#include <string.h>

enum { FIRST_RECORDS = 256 };

struct tacit_lookup {
  size_t targets;
  tacit_name_table *groups, *keys;
  tacit_key *key; /* by record */
  size_t *first;  /* by the key's number: the record that is found */
  double *values; /* records x targets */
  size_t count, capacity;
  char *name; /* of the group that is looked for */
  size_t name_capacity;
};

tacit_status tacit_lookup_new(size_t targets, tacit_lookup **lookup, tacit_error *error) {
  tacit_lookup *self = *lookup = tacit_alloc(1, sizeof *self);
  if (!self) return tacit_no_memory(error);
  self->targets = targets;
  tacit_status status = tacit_name_table_new(&self->groups, error);
  if (status == TACIT_OK) status = tacit_name_table_new(&self->keys, error);
  if (status == TACIT_OK) return TACIT_OK;
  tacit_lookup_free(self);
  *lookup = NULL;
  return status;
}

void tacit_lookup_free(tacit_lookup *lookup) {
  if (!lookup) return;
  tacit_name_table_free(lookup->groups);
  tacit_name_table_free(lookup->keys);
  tacit_free_wiped(lookup->key, lookup->capacity * sizeof *lookup->key);
  tacit_free_wiped(lookup->first, lookup->capacity * sizeof *lookup->first);
  tacit_free_wiped(lookup->values, lookup->capacity * lookup->targets * sizeof *lookup->values);
  tacit_free_wiped(lookup->name, lookup->name_capacity);
  tacit_free_wiped(lookup, sizeof *lookup);
}

/* Each cell behind its length, so that "ab", "c" and "a", "bc" are two groups. */
tacit_status tacit_lookup_group(tacit_lookup *lookup, const tacit_cell *const *names, size_t count,
                                size_t *group, tacit_error *error) {
  size_t at = 0;
  for (size_t k = 0; k < count; k++) {
    double number;
    size_t length;
    const void *name = tacit_cell_name(names[k], &number, &length);
    if (lookup->name_capacity - at < length + sizeof length) {
      size_t room = 2 * (at + length + sizeof length);
      char *made = tacit_grow_wiped(lookup->name, lookup->name_capacity, room, 1);
      if (!made) return tacit_no_memory(error);
      lookup->name = made;
      lookup->name_capacity = room;
    }
    memcpy(lookup->name + at, &length, sizeof length);
    if (length) memcpy(lookup->name + at + sizeof length, name, length);
    at += sizeof length + length;
  }
  return tacit_name_table_enter(lookup->groups, lookup->name ? lookup->name : "", at, group, error);
}

static tacit_status grow_records(tacit_lookup *lookup, tacit_error *error) {
  if (lookup->count < lookup->capacity) return TACIT_OK;
  size_t from = lookup->capacity, to = from ? 2 * from : FIRST_RECORDS,
         row = lookup->targets * sizeof(double);
  tacit_key *key = tacit_grow_wiped(lookup->key, from, to, sizeof *key);
  if (key) lookup->key = key;
  size_t *first = tacit_grow_wiped(lookup->first, from, to, sizeof *first);
  if (first) lookup->first = first;
  double *values = tacit_grow_wiped(lookup->values, from, to, row);
  if (values) lookup->values = values;
  if (!key || !first || !values) return tacit_no_memory(error);
  lookup->capacity = to;
  return TACIT_OK;
}

tacit_status tacit_lookup_add(tacit_lookup *lookup, const tacit_key *key, const double *targets, bool *first,
                              tacit_error *error) {
  TACIT_TRY(grow_records(lookup, error));
  const int64_t name[2] = {(int64_t)key->group, key->period};
  size_t number = TACIT_NO_NAME, keys = tacit_name_table_count(lookup->keys), record = lookup->count;
  if (key->known) TACIT_TRY(tacit_name_table_enter(lookup->keys, name, sizeof name, &number, error));
  *first = !key->known || number == keys;
  if (number == keys) lookup->first[number] = record;
  lookup->key[record] = *key;
  memcpy(lookup->values + record * lookup->targets, targets, lookup->targets * sizeof *targets);
  lookup->count++;
  return TACIT_OK;
}

tacit_key tacit_lookup_key(const tacit_lookup *lookup, size_t record) {
  return lookup->key[record];
}

/* The record with the key that lies so many periods after this one. */
static size_t find(const tacit_lookup *lookup, const tacit_key *key, int64_t after) {
  const int64_t name[2] = {(int64_t)key->group, key->period + after};
  size_t number = key->known ? tacit_name_table_find(lookup->keys, name, sizeof name) : TACIT_NO_NAME;
  return number == TACIT_NO_NAME ? SIZE_MAX : lookup->first[number];
}

bool tacit_lookup_is_first(const tacit_lookup *lookup, size_t record) {
  const tacit_key *key = &lookup->key[record];
  return !key->known || find(lookup, key, 0) == record;
}

double tacit_lookup_find(const tacit_lookup *lookup, const tacit_key *key, int64_t after, size_t target) {
  size_t record = find(lookup, key, after);
  return record == SIZE_MAX ? (double)NAN : lookup->values[record * lookup->targets + target];
}
