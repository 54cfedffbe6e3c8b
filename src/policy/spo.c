/* Policies that decide over a region: made from a fit, read from a file, asked for decisions. */
#include "loss/region_hash.h"
#include "policy/policy.h"

#include <stdlib.h>
#include <string.h>

static tacit_status fits(const tacit_region *region, const tacit_schema *schema, tacit_error *error) {
  for (size_t t = 0; t < schema->target_count; t++)
    if (schema->targets[t].scale.log_unit > 0)
      return tacit_fail(error, TACIT_BAD_INPUT, "costs of decisions cannot have a logarithm");
  if (region->dimension == schema->target_count) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the region's decisions have %zu coordinates, but the schema has %zu cost columns",
                    region->dimension, schema->target_count);
}

tacit_status tacit_spo_policy_new(const tacit_schema *schema, const tacit_region *region,
                                  const double *coefficients, const tacit_certificate *certificate,
                                  tacit_policy **policy, tacit_error *error) {
  *policy = NULL;
  TACIT_TRY(fits(region, schema, error));
  tacit_policy *made = tacit_alloc(1, sizeof *made);
  if (!made) return tacit_no_memory(error);
  made->version = TACIT_POLICY_VERSION;
  tacit_status status = tacit_region_copy(region, &made->region, error);
  if (status == TACIT_OK) status = tacit_policy_fill(made, schema, coefficients, certificate, NULL, error);
  if (status != TACIT_OK) {
    tacit_policy_free(made);
    return status;
  }
  *policy = made;
  return TACIT_OK;
}

tacit_status tacit_policy_read_region(tacit_policy *policy, const json_t *json, tacit_error *error) {
  char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));
  if (!text)
    return tacit_fail(error, TACIT_BAD_INPUT, "not a policy file: \"region\" is missing or malformed");
  tacit_status status = tacit_region_parse(text, strlen(text), &policy->region, error);
  free(text);
  TACIT_TRY(status);
  return fits(policy->region, policy->schema, error);
}

const tacit_region *tacit_policy_region(const tacit_policy *policy) {
  return policy->region;
}

tacit_status tacit_spo_decide(const tacit_policy *policy, const double *x, double *work, double *w,
                              tacit_error *error) {
  if (!policy->region)
    return tacit_fail(error, TACIT_USAGE, "this policy orders quantities and has no region to decide over");
  for (size_t t = 0; t < policy->region->dimension; t++) work[t] = tacit_policy_decide(policy, t, x);
  return tacit_region_minimise(policy->region, work, NULL, work + policy->region->dimension, w, NULL, error);
}
