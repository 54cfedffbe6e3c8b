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
  const tacit_learned learned = {.schema = schema, .coefficients = coefficients, .certificate = certificate};
  return tacit_policy_make(&learned, region, policy, error);
}

/* A region's keys, none of which has an object, by the alphabet. */
static json_t *sorted(json_t *object) {
  json_t *copy = json_object(), *value;
  const char *last = "", *key;
  for (size_t left = json_object_size(object); left > 0; left--) {
    const char *next = NULL;
    json_object_foreach(object, key, value) if (strcmp(key, last) > 0 && (!next || strcmp(key, next) < 0))
        next = key;
    if (!next) break;
    tacit_json_put(&copy, next, json_incref(json_object_get(object, next)));
    last = next;
  }
  return copy;
}

json_t *tacit_policy_region_json(const tacit_policy *policy) {
  json_t *json = policy->region->json;
  return policy->file ? json_incref(json) : sorted(json);
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
