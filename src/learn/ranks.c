/* What a learner does together with other ranks (tacit/base.h). */
#include "learn/ranks.h"

#include "base/base.h"
#include "data/pack.h"

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
  bool one_table = source->pack && source->pack->parts == ranks->count;
  if (one_table || (!schema->unit_column && schema->largest_lag == 0)) return TACIT_OK;
  return tacit_fail(
      error, TACIT_REFUSED,
      "\"unit.column\" and lags need the table in one piece; pack it (tacit pack), and give all "
      "ranks the one packed table");
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
