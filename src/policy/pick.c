/* One of the quantiles that a policy has for its target, or one between two of them. */
#include "base/base.h"
#include "num/normal.h"
#include "policy/policy.h"

#include <math.h>

tacit_status tacit_policy_pick(const tacit_policy *policy, double quantile, tacit_pick *pick,
                               tacit_error *error) {
  size_t goals = tacit_policy_goal_count(policy), above = 0;
  *pick = (tacit_pick){.below = 0};
  if (policy->region || policy->schema->target_count > 1)
    return tacit_fail(error, TACIT_USAGE, "a quantile can be picked where a policy orders one target");
  while (above < goals && policy->goals[above].quantile < quantile) above++;
  bool own = above < goals && policy->goals[above].quantile == quantile;
  if (!own && goals == 1)
    return tacit_fail(error, TACIT_USAGE,
                      "this policy orders at the quantile %.6g alone: fit it for the one you need, or for "
                      "several at once",
                      policy->goals[0].quantile);
  if (!own && (above == 0 || above == goals))
    return tacit_fail(error, TACIT_USAGE,
                      "this policy has orders for quantiles from %.6g to %.6g: pick one between them, or fit "
                      "it for the one you need",
                      policy->goals[0].quantile, policy->goals[goals - 1].quantile);
  pick->below = own ? above : above - 1;
  pick->above = above;
  if (own) return TACIT_OK;
  double low = tacit_normal_quantile(policy->goals[pick->below].quantile);
  double high = tacit_normal_quantile(policy->goals[above].quantile);
  pick->weight = (tacit_normal_quantile(quantile) - low) / (high - low);
  return TACIT_OK;
}

double tacit_policy_decide_picked(const tacit_policy *policy, const tacit_pick *pick, const double *x) {
  double low = tacit_policy_decide(policy, pick->below, x);
  if (pick->weight == 0) return low;
  return low + pick->weight * (tacit_policy_decide(policy, pick->above, x) - low);
}
