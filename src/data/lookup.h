/* Targets by key: which record a table has of a group in a period (proofs/panels.md). */
#ifndef TACIT_SRC_LOOKUP_H
#define TACIT_SRC_LOOKUP_H

#include "schema/schema.h"
#include "source/source.h"

/* A record's key: what its own cells say, and nothing else. */
typedef struct tacit_key {
  bool known; /* false: its time cannot be read */
  size_t group;
  int64_t period;
} tacit_key;

typedef struct tacit_lookup tacit_lookup;

/* For records with so many targets. TACIT_INTERNAL without entropy or memory. */
tacit_status tacit_lookup_new(size_t targets, tacit_lookup **lookup, tacit_error *error) TACIT_CHECKED;
/* The group that these cells name. Names are compared byte by byte, cell by cell, as those of units are
   (data/units.h). */
tacit_status tacit_lookup_group(tacit_lookup *lookup, const tacit_cell *const *names, size_t count,
                                size_t *group, tacit_error *error) TACIT_CHECKED;
/* Adds the next record. *first says whether it is the first with its key, which is the one that is found;
   true for a key that is not known. */
tacit_status tacit_lookup_add(tacit_lookup *lookup, const tacit_key *key, const double *targets, bool *first,
                              tacit_error *error) TACIT_CHECKED;
/* The key of a record, numbered from 0 in the order in which they were added, and whether it is the one that
   is found. */
tacit_key tacit_lookup_key(const tacit_lookup *lookup, size_t record);
bool tacit_lookup_is_first(const tacit_lookup *lookup, size_t record);
/* A target of the record with the key that lies so many periods after the given one; NaN where there is none,
   or its target is not known. */
double tacit_lookup_find(const tacit_lookup *lookup, const tacit_key *key, int64_t after, size_t target);
void tacit_lookup_free(tacit_lookup *lookup);

#endif
