/* A policy's state, for the next one to go on from (method/state.h), to and from its file. */
#include "method/state.h"

#include "base/base.h"
#include "method/fit.h"
#include "policy/policy.h"

#include <string.h>

static json_t *numbers_json(const double *numbers, size_t count) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++) tacit_json_append(&array, json_real(numbers[i]));
  return array;
}

json_t *tacit_policy_state_json(const tacit_policy *policy) {
  const tacit_state *state = policy->state;
  json_t *json = json_object(), *covariance = json_array();
  for (size_t j = 0; j < state->columns; j++)
    tacit_json_append(&covariance, numbers_json(state->covariance + tacit_triangle(j), j + 1));
  tacit_json_put(&json, "centre", numbers_json(state->centre, state->columns));
  tacit_json_put(&json, "covariance", covariance);
  tacit_json_put(&json, "spread", json_real(state->spread));
  tacit_json_put(&json, "spread_variance", json_real(state->spread_variance));
  tacit_json_put(&json, "tail", numbers_json(state->tail, 2));
  tacit_json_put(&json, "tail_variance", numbers_json(state->tail_variance, 2));
  return json;
}

static bool read_numbers(const json_t *json, double *numbers, size_t count) {
  bool good = json_array_size(json) == count;
  for (size_t i = 0; good && i < count; i++) {
    const json_t *value = json_array_get(json, i);
    good = json_is_number(value);
    numbers[i] = json_number_value(value);
  }
  return good;
}

static bool read_state(const json_t *json, tacit_state *state) {
  const json_t *covariance = json_object_get(json, "covariance");
  bool good = json_array_size(covariance) == state->columns &&
              read_numbers(json_object_get(json, "centre"), state->centre, state->columns) &&
              read_numbers(json_object_get(json, "tail"), state->tail, 2) &&
              read_numbers(json_object_get(json, "tail_variance"), state->tail_variance, 2);
  for (size_t j = 0; good && j < state->columns; j++)
    good = read_numbers(json_array_get(covariance, j), state->covariance + tacit_triangle(j), j + 1);
  state->spread = json_number_value(json_object_get(json, "spread"));
  state->spread_variance = json_number_value(json_object_get(json, "spread_variance"));
  return good && tacit_state_sound(state);
}

tacit_status tacit_policy_read_state(tacit_policy *policy, const json_t *json, tacit_error *error) {
  /* before room is made for the square of as many */
  if (policy->schema->columns > TACIT_STATE_COLUMNS_MAX ||
      json_array_size(json_object_get(json, "centre")) != policy->schema->columns)
    return tacit_fail(error, TACIT_BAD_INPUT, "not a policy file: \"state\" is malformed");
  TACIT_TRY(tacit_state_new(policy->schema->columns, &policy->state, error));
  if (read_state(json, policy->state)) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT, "not a policy file: \"state\" is malformed");
}
