/* What a learner does together with other ranks: agree on what was read, spend once, share what one rank
   drew. Without ranks each of these does nothing more than its name says. */
#ifndef TACIT_SRC_LEARN_RANKS_H
#define TACIT_SRC_LEARN_RANKS_H

#include "data/encode.h"

#include <tacit/base.h>

/* Refuses what a table in parts cannot promise: a unit's limit and a lag reach over the parts, unless all
   parts are of one packed table (proofs/units.md); a query, which each rank would run anew; a method that is
   not able to add its sums over ranks. */
tacit_status tacit_ranks_check(const tacit_ranks *ranks, const tacit_schema *schema,
                               const tacit_source *source, bool able, tacit_error *error) TACIT_CHECKED;
/* What must be the same on all ranks: sums over rows that were encoded or asked otherwise mean nothing, and
   parts of two tables are no table, in which a unit's limit would hold. */
typedef struct tacit_ranks_asked {
  const tacit_schema *schema;
  const tacit_source *source;
  const char *method, *region; /* its hash, "" without one */
  tacit_adjacency adjacency;
  size_t nominal_rows;
  double mu, epsilon, delta;
  const double *goals;
  size_t goal_count;
} tacit_ranks_asked;
enum { TACIT_RANKS_HASH = 65 }; /* 64 hexadecimal digits, as a commitment has */
void tacit_ranks_hash(const tacit_ranks_asked *asked, char hash[TACIT_RANKS_HASH]);
/* With each rank's status: all of them go on, with the same hash, or none does. */
tacit_status tacit_ranks_same(const tacit_ranks *ranks, tacit_status status,
                              const char hash[TACIT_RANKS_HASH], tacit_error *error) TACIT_CHECKED;
/* After reading, with each rank's status: all of them go on, with the counts of all, or none does. */
tacit_status tacit_ranks_agree(const tacit_ranks *ranks, tacit_status status, tacit_read_counts *counts,
                               tacit_error *error) TACIT_CHECKED;
/* After that: every rank's source has the tally of all of them (data/tally.h). */
tacit_status tacit_ranks_tally(const tacit_ranks *ranks, tacit_source *source, const tacit_schema *schema,
                               tacit_error *error) TACIT_CHECKED;
/* Every rank gets the status, and if that is TACIT_OK the bytes, that rank 0 has. */
tacit_status tacit_ranks_share(const tacit_ranks *ranks, tacit_status status, void *bytes, size_t count,
                               tacit_error *error) TACIT_CHECKED;
/* Whether this process draws noise and spends. */
bool tacit_ranks_first(const tacit_ranks *ranks);

#endif
