/* The spread of a policy's rule (loss/rule.h): from a fit, to and from the file. */
#include "policy/policy.h"

#include "base/base.h"

#include <math.h>

static size_t width_of(const tacit_policy *policy) {
  return policy->schema->columns + 1;
}

static tacit_status allocate(tacit_policy *policy, tacit_error *error) {
  size_t cells = tacit_policy_goal_count(policy) * width_of(policy);
  policy->raw_spread = tacit_alloc(cells, sizeof(double));
  policy->encoded_spread = tacit_alloc(cells, sizeof(double));
  return policy->raw_spread && policy->encoded_spread ? TACIT_OK : tacit_no_memory(error);
}

tacit_status tacit_policy_fill_spread(tacit_policy *policy, const double *spread, tacit_error *error) {
  TACIT_TRY(allocate(policy, error));
  for (size_t t = 0; t < tacit_policy_goal_count(policy); t++) {
    double *raw = policy->raw_spread + t * width_of(policy);
    tacit_schema_user_spread(&policy->by_goal.schema, t, spread + t * width_of(policy), raw);
    for (size_t j = 0; j < width_of(policy); j++)
      if (!(fabs(raw[j]) <= TACIT_COEFFICIENT_MAX))
        return tacit_fail(error, TACIT_INTERNAL,
                          "a number of the spread leaves the range of numbers in the user's units; choose "
                          "wider bounds");
    tacit_schema_encoded_spread(&policy->by_goal.schema, t, raw,
                                policy->encoded_spread + t * width_of(policy));
  }
  return TACIT_OK;
}

static json_t *target_json(const tacit_policy *policy, size_t target) {
  json_t *spread = json_object(), *logarithm = json_object();
  for (size_t j = 0; j < policy->schema->columns; j++)
    tacit_json_put(&logarithm, policy->schema->column_names[j],
                   json_real(tacit_policy_log_spread(policy, target, j)));
  tacit_json_put(&spread, "logarithm", logarithm);
  tacit_json_put(&spread, "spreads", json_real(tacit_policy_spreads(policy, target)));
  return spread;
}

json_t *tacit_policy_spread_json(const tacit_policy *policy) {
  if (tacit_policy_goal_count(policy) == 1) return target_json(policy, 0);
  json_t *all = json_object();
  for (size_t t = 0; t < tacit_policy_goal_count(policy); t++)
    tacit_json_put(&all, policy->by_goal.schema.targets[t].name, target_json(policy, t));
  return all;
}

static bool read_number(const json_t *value, double *number) {
  *number = json_number_value(value);
  return json_is_number(value) && fabs(*number) <= TACIT_COEFFICIENT_MAX;
}

static bool read_target(const json_t *json, tacit_policy *policy, size_t target) {
  const tacit_schema *schema = &policy->by_goal.schema;
  const json_t *logarithm = json_object_get(json, "logarithm");
  double *raw = policy->raw_spread + target * width_of(policy);
  bool good = json_object_size(json) == 2 && json_object_size(logarithm) == schema->columns &&
              read_number(json_object_get(json, "spreads"), &raw[schema->columns]);
  for (size_t j = 0; good && j < schema->columns; j++)
    good = read_number(json_object_get(logarithm, schema->column_names[j]), &raw[j]);
  if (good)
    tacit_schema_encoded_spread(schema, target, raw, policy->encoded_spread + target * width_of(policy));
  return good;
}

tacit_status tacit_policy_read_spread(tacit_policy *policy, const json_t *json, tacit_error *error) {
  size_t targets = tacit_policy_goal_count(policy);
  bool good = json_is_object(json) && !policy->region && (targets == 1 || json_object_size(json) == targets);
  if (good) TACIT_TRY(allocate(policy, error));
  for (size_t t = 0; t < targets && good; t++)
    good = read_target(targets == 1 ? json : json_object_get(json, policy->by_goal.schema.targets[t].name),
                       policy, t);
  if (good) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT, "not a policy file: \"spread\" is missing or malformed");
}

bool tacit_policy_has_spread(const tacit_policy *policy) {
  return policy->raw_spread != NULL;
}

double tacit_policy_log_spread(const tacit_policy *policy, size_t target, size_t column) {
  return policy->raw_spread ? policy->raw_spread[target * width_of(policy) + column] : 0;
}

double tacit_policy_spreads(const tacit_policy *policy, size_t target) {
  return tacit_policy_log_spread(policy, target, policy->schema->columns);
}

tacit_rule tacit_policy_rule(const tacit_policy *policy, size_t target) {
  const double *spread = policy->encoded_spread;
  return (tacit_rule){.columns = policy->schema->columns,
                      .coefficients = policy->encoded + target * policy->schema->columns,
                      .spread = spread ? spread + target * width_of(policy) : NULL,
                      .reach = tacit_scale_reach(&policy->by_goal.schema.targets[target].scale)};
}
