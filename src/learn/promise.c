/* What every private learner settles before it learns: the noise, the public number of rows, the
 * certificate's head. */
#include "base/base.h"
#include "learn/learn.h"
#include "privacy/commitment.h"

#include <stdio.h>

void tacit_learn_noise(const tacit_learn_options *options, tacit_noise_source *noise) {
  if (options->seeded)
    tacit_noise_source_seeded(noise, options->seed);
  else
    tacit_noise_source_os(noise);
}

tacit_status tacit_learn_rows(const tacit_schema *schema, const tacit_learn_options *options,
                              const tacit_read_counts *counts, double *rows, tacit_error *error) {
  if (options->adjacency == TACIT_ADD_REMOVE) {
    *rows = (double)(options->nominal_rows ? options->nominal_rows : schema->nominal_rows);
    return TACIT_OK;
  }
  TACIT_TRY(tacit_read_counts_check(counts, schema, error));
  size_t records = counts->records - counts->dropped_lag;
  *rows = (double)records;
  if (records >= schema->columns) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "%zu rows are too few for %zu encoded columns; use more rows or fewer features", records,
                    schema->columns);
}

tacit_status tacit_learn_promise(const tacit_schema *schema, const tacit_learn_options *options, double rows,
                                 tacit_certificate *c, tacit_error *error) {
  c->private = !options->seeded;
  if (options->seeded)
    snprintf(c->reason, sizeof c->reason, "the noise came from a seed, for tests and reproductions");
  c->noise = options->seeded ? TACIT_NOISE_SEEDED : TACIT_NOISE_OS;
  c->adjacency = options->adjacency;
  c->rows_per_unit = schema->rows_per_unit;
  c->rows = (size_t)rows;
  c->mu = options->mu;
  c->epsilon = options->mu > 0 ? 0 : options->epsilon;
  c->delta = options->mu > 0 ? 0 : options->delta;
  if (c->adjacency == TACIT_REPLACE_ONE || !options->nominal_rows) return TACIT_OK;
  return tacit_certificate_number(c, "nominal_rows", rows, error);
}

tacit_status tacit_learn_check_pair(const tacit_learn_options *options, const tacit_certificate *planned,
                                    tacit_error *error) {
  if (tacit_certificate_delta(planned, options->epsilon) <= options->delta) return TACIT_OK;
  return tacit_fail(error, TACIT_INTERNAL,
                    "the planned noise would not keep the promise; nothing was released");
}

enum { LISTED_MAX = 500000 }; /* about 300 bytes each, and a policy has at most 256 MB */

tacit_status tacit_learn_spend(const tacit_schema *schema, const tacit_learn_options *options,
                               const tacit_certificate *certificate, const tacit_certificate *planned,
                               tacit_error *error) {
  tacit_cost cost = {.mu = certificate->mu, .epsilon = certificate->epsilon, .delta = certificate->delta};
  const tacit_committed committed = {.certificate = certificate,
                                     .releases = planned,
                                     .schema_hash = schema->hash,
                                     .goals = options->quantiles,
                                     .goal_count = options->quantile_count};
  if (planned && planned->mechanism_count > LISTED_MAX)
    return tacit_fail(
        error, TACIT_REFUSED,
        "the certificate would list %zu different releases, more than a policy file can hold (%d); use "
        "fewer steps, or steps with equal shares (growth 1)",
        planned->mechanism_count, LISTED_MAX);
  if (!options->spend) return TACIT_OK;
  TACIT_TRY(tacit_commitment(&committed, cost.commitment, error));
  if (cost.mu == 0) TACIT_TRY(tacit_certificate_rdp(planned, cost.rdp, error));
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) cost.rdp[i] *= TACIT_RDP_HEADROOM;
  return options->spend(options->spend_user, &cost, error);
}
