/* What a policy must have cost its ledger, and which release it is: recomputed from the file alone, for a
   comparison with the entry that its receipt names (proofs/ledger.md, Claim 6). */
#include "policy/rebuilt.h"

#include "base/base.h"
#include "privacy/commitment.h"

#include <stdlib.h>
#include <string.h>

tacit_status tacit_policy_commitment(const tacit_policy *policy, char commitment[65], tacit_error *error) {
  const tacit_method *method = tacit_method_certified(policy->certificate->method, policy->region != NULL);
  size_t count =
      policy->region ? 0 : tacit_policy_goal_count(policy); /* over a region there are no quantiles */
  double *quantiles = tacit_alloc(count + 1, sizeof *quantiles);
  if (!quantiles) return tacit_no_memory(error);
  for (size_t t = 0; t < count; t++) quantiles[t] = policy->goals[t].quantile;
  const tacit_committed committed = {.certificate = policy->certificate,
                                     .releases = policy->certificate,
                                     .follow = method && method->on_the_way,
                                     .schema_hash = policy->schema->hash,
                                     .goals = quantiles,
                                     .goal_count = count};
  tacit_status status = tacit_commitment(&committed, commitment, error);
  free(quantiles);
  return status;
}

static tacit_status price(const tacit_certificate *again, tacit_cost *cost, tacit_error *error) {
  if (again->mu != 0) {
    cost->mu = tacit_certificate_mu(again);
    return TACIT_OK;
  }
  cost->epsilon = again->epsilon;
  cost->delta = tacit_certificate_delta(again, again->epsilon);
  return tacit_certificate_rdp(again, cost->rdp, error);
}

static bool is_listed(const tacit_policy *policy) {
  tacit_rebuilt rebuilt;
  tacit_rebuild(policy, &rebuilt);
  tacit_rebuilt_free(&rebuilt);
  return rebuilt.listed;
}

tacit_status tacit_policy_cost(const tacit_policy *policy, tacit_cost *cost, tacit_error *error) {
  const tacit_certificate *c = policy->certificate;
  *cost = (tacit_cost){.mu = 0};
  if (!c || c->noise == TACIT_NOISE_NONE || !is_listed(policy))
    return tacit_fail(error, TACIT_CHECK_FAILED,
                      "its list of releases is not its method's; see tacit verify");
  memcpy(cost->period, c->period, sizeof cost->period);
  if (c->receipt.commitment[0]) TACIT_TRY(tacit_policy_commitment(policy, cost->commitment, error));
  tacit_certificate *again = tacit_policy_recomputed(policy);
  if (!again) return tacit_no_memory(error);
  tacit_status status = price(again, cost, error);
  tacit_certificate_free(again);
  return status;
}
