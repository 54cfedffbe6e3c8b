/* How sure a policy's rules are: covariances of their numbers, in encoded units, and what follows from them
   (proofs/intervals.md). */
#include "base/base.h"
#include "method/fit.h"
#include "num/normal.h"
#include "policy/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t numbers_of(const tacit_policy *policy) {
  return tacit_rule_numbers(policy->schema->columns, policy->raw_spread != NULL);
}

static double entry(const double *triangle, size_t j, size_t k) {
  return j >= k ? triangle[tacit_triangle(j) + k] : triangle[tacit_triangle(k) + j];
}

bool tacit_policy_has_uncertainty(const tacit_policy *policy, size_t target) {
  return policy->uncertainty && policy->uncertainty[target];
}

static tacit_status allocate(tacit_policy *policy, tacit_error *error) {
  policy->uncertainty = tacit_alloc(tacit_policy_goal_count(policy), sizeof *policy->uncertainty);
  return policy->uncertainty ? TACIT_OK : tacit_no_memory(error);
}

void tacit_policy_free_uncertainty(tacit_policy *policy) {
  for (size_t t = 0; policy->uncertainty && t < tacit_policy_goal_count(policy); t++)
    free(policy->uncertainty[t]);
  free(policy->uncertainty);
}

/* Whether these can be covariances: of two numbers none is larger than their standard deviations. */
static bool possible(const double *triangle, size_t numbers) {
  for (size_t j = 0; j < numbers; j++)
    for (size_t k = 0; k <= j; k++) {
      double own = entry(triangle, j, j), other = entry(triangle, k, k), both = entry(triangle, j, k);
      bool right =
          own >= 0 && own <= TACIT_COEFFICIENT_MAX && fabs(both) <= sqrt(own) * sqrt(other) * (1 + 1e-6);
      if (!right) return false;
    }
  return triangle[0] > 0;
}

tacit_status tacit_policy_fill_uncertainty(tacit_policy *policy, const double *uncertainty,
                                           tacit_error *error) {
  size_t each = tacit_triangle(numbers_of(policy));
  TACIT_TRY(allocate(policy, error));
  for (size_t t = 0; t < tacit_policy_goal_count(policy); t++, uncertainty += each) {
    if (!possible(uncertainty, numbers_of(policy))) continue;
    policy->uncertainty[t] = tacit_alloc(each, sizeof *uncertainty);
    if (!policy->uncertainty[t]) return tacit_no_memory(error);
    memcpy(policy->uncertainty[t], uncertainty, each * sizeof *uncertainty);
  }
  return TACIT_OK;
}

static json_t *target_json(const tacit_policy *policy, size_t target) {
  if (!tacit_policy_has_uncertainty(policy, target)) return json_null();
  const double *triangle = policy->uncertainty[target];
  json_t *rows = json_array();
  for (size_t j = 0; j < numbers_of(policy); j++) {
    json_t *row = json_array();
    for (size_t k = 0; k <= j; k++) tacit_json_append(&row, json_real(*triangle++));
    tacit_json_append(&rows, row);
  }
  return rows;
}

json_t *tacit_policy_uncertainty_json(const tacit_policy *policy) {
  if (tacit_policy_goal_count(policy) == 1) return target_json(policy, 0);
  json_t *all = json_object();
  for (size_t t = 0; t < tacit_policy_goal_count(policy); t++)
    tacit_json_put(&all, policy->by_goal.schema.targets[t].name, target_json(policy, t));
  return all;
}

/* Whether it has the form of a triangle: before room is made for one. */
static bool is_triangle(const json_t *json, size_t numbers) {
  bool good = json_array_size(json) == numbers;
  for (size_t j = 0; good && j < numbers; j++) good = json_array_size(json_array_get(json, j)) == j + 1;
  return good;
}

static bool read_target(const json_t *json, tacit_policy *policy, size_t target) {
  size_t numbers = numbers_of(policy);
  if (json_is_null(json)) return true;
  if (!is_triangle(json, numbers)) return false;
  double *triangle = policy->uncertainty[target] = tacit_alloc(tacit_triangle(numbers), sizeof *triangle);
  for (size_t j = 0; triangle && j < numbers; j++)
    for (size_t k = 0; k <= j; k++) {
      const json_t *value = json_array_get(json_array_get(json, j), k);
      if (!json_is_number(value)) return false;
      triangle[tacit_triangle(j) + k] = json_number_value(value);
    }
  return triangle && possible(triangle, numbers);
}

tacit_status tacit_policy_read_uncertainty(tacit_policy *policy, const json_t *json, tacit_error *error) {
  size_t targets = tacit_policy_goal_count(policy);
  TACIT_TRY(allocate(policy, error));
  bool good = targets == 1 || json_object_size(json) == targets;
  for (size_t t = 0; good && t < targets; t++)
    good = read_target(targets == 1 ? json : json_object_get(json, policy->by_goal.schema.targets[t].name),
                       policy, t);
  if (good) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT, "not a policy file: \"uncertainty\" is malformed");
}

bool tacit_policy_uncertainty_fits(const tacit_policy *policy, size_t target, size_t features, bool spread) {
  size_t p = policy->schema->columns;
  const double *at = policy->uncertainty[target];
  for (size_t j = 0; at && j < numbers_of(policy); j++) {
    bool none = (j >= p && !spread) || (features == 0 && j > 0);
    for (size_t k = 0; k <= j; k++, at++)
      if (none && (*at != 0 || signbit(*at))) return false;
  }
  return true;
}

/* How a number in the user's units follows from those of the encoded columns, which it does linearly: row by
   row for all of them. */
typedef void (*to_user)(const tacit_schema *schema, size_t target, const double *encoded, double *raw);

static void errors_of(const tacit_policy *policy, size_t target, to_user turn, size_t first, double *room,
                      double *errors) {
  size_t p = policy->schema->columns, width = p + 1;
  const double *triangle = policy->uncertainty[target];
  double *zero = room, *unit = zero + width, *J = unit + width; /* row i: what the encoded number i does */
  memset(unit, 0, width * sizeof *unit);
  turn(policy->schema, target, unit, zero);
  for (size_t i = 0; i < p; i++) {
    unit[i] = 1;
    turn(policy->schema, target, unit, J + i * width);
    for (size_t j = 0; j < p; j++) J[i * width + j] -= zero[j];
    unit[i] = 0;
  }
  for (size_t j = 0; j < p; j++) {
    double sum = 0;
    for (size_t i = 0; i < p; i++)
      for (size_t k = 0; k < p && J[i * width + j] != 0; k++)
        sum += J[i * width + j] * J[k * width + j] * entry(triangle, first + i, first + k);
    errors[j] = sqrt(fmax(0, sum));
  }
}

bool tacit_policy_standard_errors(const tacit_policy *policy, size_t target, double *errors) {
  size_t p = policy->schema->columns;
  if (!tacit_policy_has_uncertainty(policy, target)) return false;
  double *room = tacit_alloc((p + 2) * (p + 1), sizeof *room);
  if (!room) return false;
  errors_of(policy, target, tacit_schema_user_units, 0, room, errors);
  if (policy->raw_spread) {
    errors_of(policy, target, tacit_schema_user_spread, p, room, errors + p);
    errors[2 * p] = sqrt(entry(policy->uncertainty[target], 2 * p, 2 * p));
  }
  free(room);
  return true;
}

/* A row, its spread, and how the order follows the spread's logarithm there. */
typedef struct place {
  const double *x;
  size_t columns;
  double spread, slope;
} place;

static place place_of(const tacit_rule *rule, const double *x) {
  place at = {.x = x, .columns = rule->columns};
  if (!rule->spread) return at;
  double logarithm = 0, low, high;
  tacit_log_spread_bounds(rule->reach, &low, &high);
  for (size_t j = 0; j < rule->columns; j++) logarithm += rule->spread[j] * x[j];
  tacit_spreads(rule->reach, 1, &logarithm, &at.spread);
  if (logarithm > low && logarithm < high) at.slope = rule->spread[rule->columns] * at.spread;
  return at;
}

/* How the order follows one of the rule's numbers. */
static double gradient(const place *at, size_t number) {
  size_t p = at->columns;
  return number < p ? at->x[number] : number == 2 * p ? at->spread : at->slope * at->x[number - p];
}

bool tacit_policy_interval(const tacit_policy *policy, size_t target, const double *x, double level,
                           double *lower, double *upper) {
  const tacit_scale *scale = &policy->by_goal.schema.targets[target].scale;
  const tacit_rule rule = tacit_policy_rule(policy, target);
  if (!tacit_policy_has_uncertainty(policy, target)) return false;
  const double *triangle = policy->uncertainty[target];
  const place at = place_of(&rule, x);
  double variance = 0, order = tacit_rule_order(&rule, x);
  for (size_t j = 0; j < numbers_of(policy); j++)
    for (size_t k = 0; k <= j; k++) {
      double both = *triangle++;
      if (both != 0) variance += (j == k ? 1 : 2) * both * gradient(&at, j) * gradient(&at, k);
    }
  double reach = -tacit_normal_quantile((1 - level) / 2) * sqrt(fmax(0, variance));
  *lower = tacit_scale_decode(scale, fmax(-scale->limit, fmin(scale->limit, order - reach)));
  *upper = tacit_scale_decode(scale, fmax(-scale->limit, fmin(scale->limit, order + reach)));
  return true;
}
