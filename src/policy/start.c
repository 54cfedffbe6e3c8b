/* A policy as the beginning of the next one, and the chain that they make (proofs/follow.md). */
#include "base/base.h"
#include "method/fit.h"
#include "method/method.h"
#include "method/state.h"
#include "policy/policy.h"
#include "policy/sign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tacit_status tacit_policy_hash(const tacit_policy *policy, char hash[65], tacit_error *error) {
  unsigned char digest[crypto_hash_sha256_BYTES];
  crypto_hash_sha256_state state;
  char *text = tacit_policy_text(policy);
  if (!text) return tacit_no_memory(error);
  crypto_hash_sha256_init(&state);
  crypto_hash_sha256_update(&state, (const unsigned char *)text, strlen(text));
  crypto_hash_sha256_update(&state, (const unsigned char *)"\n", 1);
  crypto_hash_sha256_final(&state, digest);
  sodium_bin2hex(hash, 65, digest, sizeof digest);
  free(text);
  return TACIT_OK;
}

const char *tacit_policy_before(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  return c && c->before[0] ? c->before : NULL;
}

const char *tacit_policy_period(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  return c && c->period[0] ? c->period : NULL;
}

/* A policy whose noise came from a seed fails verification by that alone, and may begin what is not private
   either. Everything else about it must hold. */
static bool holds_but_for_noise(const tacit_policy *policy, const tacit_verdict *verdict) {
  size_t failed = 0;
  for (size_t i = 0; i < verdict->count; i++) failed += !verdict->checks[i].holds;
  bool seeded = policy->certificate && policy->certificate->noise == TACIT_NOISE_SEEDED;
  return verdict->holds || (seeded && failed == 2); /* that it is private, and that its noise is real */
}

/* Whether a fit can have left this state: within some ranges of the target, and so far from what a file can
   hold that the next state can be written as well. */
static bool can_go_on(const tacit_policy *policy) {
  const tacit_state *state = policy->state;
  double reach = tacit_scale_reach(&policy->schema->targets[0].scale), most = 1e4 * reach;
  bool near = state->spread <= 2 * reach && state->spread_variance <= most;
  for (size_t k = 0; k < 2; k++)
    near = near && fabs(state->tail[k]) <= most && state->tail_variance[k] <= most;
  for (size_t j = 0; j < state->columns; j++)
    near = near && fabs(state->centre[j]) <= most && state->covariance[tacit_triangle(j) + j] <= 1e4 * most;
  return near;
}

tacit_status tacit_policy_start(const tacit_policy *policy, tacit_start **start, tacit_error *error) {
  tacit_verdict verdict;
  *start = NULL;
  if (!policy->state)
    return tacit_fail(error, TACIT_REFUSED,
                      "the policy to go on from says nothing of what was learned beyond its rule; the first "
                      "policy of a chain is made by the method %s, too, without one to go on from",
                      tacit_method_name(tacit_method_following()));
  if (!can_go_on(policy))
    return tacit_fail(
        error, TACIT_REFUSED,
        "the state in the policy to go on from is none that a fit leaves: use the file as its fit "
        "wrote it");
  tacit_policy_verify(policy, &verdict);
  if (!holds_but_for_noise(policy, &verdict))
    return tacit_fail(
        error, TACIT_REFUSED,
        "the policy to go on from does not verify; see tacit verify, and use the file as its fit "
        "wrote it");
  tacit_start *made = tacit_alloc(1, sizeof *made);
  if (!made) return tacit_no_memory(error);
  made->private = verdict.holds;
  made->quantile = policy->goals[0].quantile;
  memcpy(made->schema, policy->schema->hash, sizeof made->schema);
  tacit_status status = tacit_policy_hash(policy, made->hash, error);
  if (status == TACIT_OK) status = tacit_state_copy(policy->state, &made->state, error);
  if (status == TACIT_OK)
    *start = made;
  else
    tacit_start_free(made);
  return status;
}

void tacit_policy_verify_link(const tacit_policy *policy, const tacit_policy *before,
                              tacit_verdict *verdict) {
  const char *stated = tacit_policy_before(policy);
  char hash[65] = "";
  tacit_verdict own;
  tacit_policy_verify(before, &own);
  bool named = stated && tacit_policy_hash(before, hash, NULL) == TACIT_OK && !strcmp(stated, hash);
  bool same = named && !strcmp(policy->schema->hash, before->schema->hash) && before->state &&
              policy->goals[0].quantile == before->goals[0].quantile;
  tacit_verdict_check(verdict, same && own.holds, "%s",
                      !stated      ? "it goes on from no policy, but one was given"
                      : !named     ? "it goes on from another policy than the one that was given"
                      : !same      ? "the policy that it goes on from has another schema or quantile"
                      : !own.holds ? "the policy that it goes on from does not hold by itself"
                                   : "it goes on from the policy that was given, which holds by itself");
}
