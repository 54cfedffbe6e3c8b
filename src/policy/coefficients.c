/* What a method can give for coefficients. Verification cannot know that they are what the releases gave. */
#include "policy/inputs.h"

#include <math.h>
#include <string.h>

/* A file has them in the user's units: back in encoded ones the intercept may be off by the rounding of
   centres up to 1e9 half widths away. */
static double rounding(double columns, double bound) {
  return 1e-6 * (columns + 4) * (1 + sqrt(columns) * bound);
}

/* Iterates are projected, and their average with them. */
static bool within_theta(const tacit_policy *policy) {
  size_t p = policy->schema->columns;
  for (size_t t = 0; t < policy->schema->target_count; t++) {
    double bound = tacit_inputs_theta(policy, t, TACIT_THETA_GIVEN), norm = 0;
    if (tacit_inputs_theta_default(policy))
      bound = fmax(bound, tacit_inputs_theta(policy, t, TACIT_THETA_DEFAULT));
    for (size_t j = 0; j < p; j++) norm = hypot(norm, policy->encoded[t * p + j]);
    if (!(norm <= bound + rounding((double)p, bound))) return false;
  }
  return true;
}

/* Slopes that nothing paid for are 0, and not -0. */
static bool none_unpaid(const tacit_policy *policy) {
  if (tacit_input_number(policy, "features") != 0) return true;
  for (size_t t = 0; t < policy->schema->target_count; t++)
    for (size_t j = 1; j < policy->schema->columns; j++) {
      double slope = tacit_policy_coefficient(policy, t, j);
      if (slope != 0 || signbit(slope)) return false;
    }
  return true;
}

bool tacit_coefficients_possible(const tacit_policy *policy) {
  const char *method = policy->certificate->method;
  if (!strcmp(method, "gradient") || !strcmp(method, "objective") || !strcmp(method, "sgd"))
    return within_theta(policy);
  return strcmp(method, "median-newton") != 0 || none_unpaid(policy);
}
