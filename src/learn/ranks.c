/* What a learner does together with other ranks (tacit/base.h). */
#include "learn/ranks.h"

#include "base/base.h"
#include "data/pack.h"
#include "data/tally.h"
#include "privacy/field_hash.h"

#include <string.h>

bool tacit_ranks_first(const tacit_ranks *ranks) {
  return !ranks || ranks->rank == 0;
}

tacit_status tacit_ranks_check(const tacit_ranks *ranks, const tacit_schema *schema,
                               const tacit_source *source, bool able, tacit_error *error) {
  bool several = ranks && ranks->count > 1;
  if (source->engine && (!able || several))
    return tacit_fail(
        error, TACIT_USAGE,
        several ? "rows in an engine are asked by one process; start it without mpirun"
                : "this method needs all rows in one place, not in an engine; use the table itself, "
                  "or another method");
  if (!several) return TACIT_OK;
  if (!able)
    return tacit_fail(error, TACIT_USAGE,
                      "this method needs all rows in one process; start it without mpirun, or use another");
  if (source->origin.queried)
    return tacit_fail(error, TACIT_USAGE,
                      "a query runs in one process; start it without mpirun, or give each rank a file of its "
                      "own");
  bool one_table = source->pack && source->pack->parts == ranks->count;
  if (source->pack && (one_table ? source->pack->part != ranks->rank : source->pack->parts != 1))
    return tacit_fail(
        error, TACIT_REFUSED,
        "rank %zu of %zu must have part %zu of %zu of a packed table, or a whole one of its own", ranks->rank,
        ranks->count, ranks->rank, ranks->count);
  if (one_table || !tacit_schema_needs_all(schema)) return TACIT_OK;
  return tacit_fail(
      error, TACIT_REFUSED,
      "\"unit.column\", lags and look-ups need the table in one piece; pack it (tacit pack), and give all "
      "ranks the one packed table");
}

/* A packed table is the same by its digest. Files of the ranks' own differ, as they must. */
void tacit_ranks_hash(const tacit_ranks_asked *asked, char hash[TACIT_RANKS_HASH]) {
  const tacit_source *source = asked->source;
  bool parts = source->pack && source->pack->parts > 1;
  const unsigned char *digest = source->pack ? source->pack->header.digest : NULL;
  tacit_field_hash fields;
  tacit_field_hash_begin(&fields);
  tacit_field_hash_text(&fields, asked->schema->hash);
  tacit_field_hash_text(&fields, asked->method);
  tacit_field_hash_text(&fields, asked->region);
  tacit_field_hash_count(&fields, asked->adjacency);
  tacit_field_hash_count(&fields, asked->nominal_rows);
  tacit_field_hash_count(&fields, source->origin.rows_are);
  tacit_field_hash_number(&fields, asked->mu);
  tacit_field_hash_number(&fields, asked->epsilon);
  tacit_field_hash_number(&fields, asked->delta);
  for (size_t i = 0; i < asked->goal_count; i++) tacit_field_hash_number(&fields, asked->goals[i]);
  for (size_t i = 0; parts && i < sizeof source->pack->header.digest; i++)
    tacit_field_hash_count(&fields, digest[i]);
  tacit_field_hash_end(&fields, hash);
}

tacit_status tacit_ranks_same(const tacit_ranks *ranks, tacit_status status,
                              const char hash[TACIT_RANKS_HASH], tacit_error *error) {
  if (!ranks || ranks->count <= 1) return status;
  char first[TACIT_RANKS_HASH];
  memcpy(first, hash, sizeof first);
  tacit_status told = ranks->share(ranks->user, first, sizeof first, status ? NULL : error);
  uint64_t all[] = {status != TACIT_OK, memcmp(first, hash, sizeof first) != 0};
  if (told == TACIT_OK) told = ranks->sum(ranks->user, all, 2, status ? NULL : error);
  if (status != TACIT_OK) return status;
  if (told != TACIT_OK) return told;
  if (all[0]) return tacit_fail(error, TACIT_BAD_INPUT, "another rank was refused; see its own message");
  if (all[1])
    return tacit_fail(
        error, TACIT_REFUSED,
        "the ranks do not ask the same: give all of them the same schema, the same options and, "
        "where they share a packed table, the same file");
  return TACIT_OK;
}

tacit_status tacit_ranks_agree(const tacit_ranks *ranks, tacit_status status, tacit_read_counts *counts,
                               tacit_error *error) {
  if (!ranks) return status;
  uint64_t all[] = {status != TACIT_OK, counts->records, counts->rows, counts->dropped_lag,
                    counts->dropped_unit};
  tacit_status told = ranks->sum(ranks->user, all, sizeof all / sizeof *all, status ? NULL : error);
  if (status != TACIT_OK) return status;
  if (told != TACIT_OK) return told;
  if (all[0])
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "another rank could not read its part of the table; see its own message");
  *counts = (tacit_read_counts){(size_t)all[1], (size_t)all[2], (size_t)all[3], (size_t)all[4]};
  return TACIT_OK;
}

tacit_status tacit_ranks_tally(const tacit_ranks *ranks, tacit_source *source, const tacit_schema *schema,
                               tacit_error *error) {
  if (!ranks) return TACIT_OK;
  enum { KINDS = 4 };
  size_t count = tacit_tally_count(schema);
  uint64_t *all = tacit_alloc(KINDS * count, sizeof *all);
  tacit_status status = all ? tacit_tally_open(source, schema, error) : tacit_no_memory(error);
  for (size_t i = 0; status == TACIT_OK && i < count; i++) {
    all[KINDS * i] = source->reader.tally[i].clamped;
    all[KINDS * i + 1] = source->reader.tally[i].unlisted;
    all[KINDS * i + 2] = source->reader.tally[i].missing;
    all[KINDS * i + 3] = source->reader.tally[i].foreign;
  }
  if (status == TACIT_OK) status = ranks->sum(ranks->user, all, KINDS * count, error);
  for (size_t i = 0; status == TACIT_OK && i < count; i++)
    source->reader.tally[i] = (tacit_tally){.clamped = (size_t)all[KINDS * i],
                                            .unlisted = (size_t)all[KINDS * i + 1],
                                            .missing = (size_t)all[KINDS * i + 2],
                                            .foreign = (size_t)all[KINDS * i + 3]}; /* ranks have no lags */
  tacit_free_wiped(all, all ? KINDS * count * sizeof *all : 0);
  return status;
}

tacit_status tacit_ranks_share(const tacit_ranks *ranks, tacit_status status, void *bytes, size_t count,
                               tacit_error *error) {
  if (!ranks) return status;
  uint64_t first = (uint64_t)status;
  bool own = ranks->rank == 0 && status != TACIT_OK; /* rank 0 has its own words */
  TACIT_TRY(ranks->share(ranks->user, &first, sizeof first, own ? NULL : error));
  if (own) return status;
  if (first != TACIT_OK)
    return tacit_fail(error, (tacit_status)first, "rank 0 could not go on; see its own message");
  return count ? ranks->share(ranks->user, bytes, count, error) : TACIT_OK;
}
