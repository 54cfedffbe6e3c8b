/* How sure a policy's rule is: standard errors in the user's units, intervals around an order on every scale,
   and files that say it in no form that it can have. */
#include "policy/policy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double Z = 1.6448536269514722;

/* y from 0 to 10, x from 0 to 4: an encoded slope of 1 is one of 5 / 2. */
static tacit_status parse(const char *target, const char *spread, const char *uncertainty,
                          tacit_policy **policy) {
  char text[2000];
  snprintf(
      text, sizeof text,
      "{\"format\": \"tacit-policy\", \"version\": 2, \"tacit\": \"0.1.0\", \"rule\": \"%s\", \"targets\": "
      "[{\"name\": \"y\", \"quantile\": 0.9}], \"coefficients\": {\"(intercept)\": 2.0, \"x\": 0.5}, %s"
      "\"uncertainty\": %s, \"schema\": {\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 10%s}, "
      "\"features\": [{\"name\": \"x\", \"min\": 0, \"max\": 4}]}}",
      *spread ? "linear-with-spread" : "linear", spread, uncertainty, target);
  return tacit_policy_parse(text, strlen(text), policy, NULL);
}

static tacit_policy *good(const char *target, const char *spread, const char *uncertainty) {
  tacit_policy *policy;
  assert_int_equal(parse(target, spread, uncertainty, &policy), TACIT_OK);
  return policy;
}

static bool near(double a, double b) {
  return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

static void errors_are_in_the_users_units(void **state) {
  (void)state;
  tacit_policy *policy = good("", "", "[[0.04], [0.01, 0.09]]");
  double errors[2], lower, upper;
  assert_true(tacit_policy_has_uncertainty(policy, 0));
  assert_true(tacit_policy_standard_errors(policy, 0, errors));
  assert_true(near(errors[1], 2.5 * 0.3));
  assert_true(near(errors[0], 5 * sqrt(0.04 + 0.09 - 2 * 0.01))); /* the intercept is at x = 0, encoded -1 */
  const double x[] = {1, 0.5};                                    /* x = 3: the order is 3.5 */
  double reach = Z * 5 * sqrt(0.04 + 2 * 0.5 * 0.01 + 0.25 * 0.09);
  assert_true(tacit_policy_interval(policy, 0, x, 0.9, &lower, &upper));
  assert_true(near(lower, 3.5 - reach) && near(upper, 3.5 + reach));
  assert_true(tacit_policy_interval(policy, 0, x, 1 - 1e-12, &lower, &upper));
  assert_true(lower == 0 && upper == 10); /* demand lies within its bounds, and so does every order */
  tacit_policy_free(policy);
}

/* Through g by the delta method: b'x + k s, s = exp(g'x), with k = 2 and s = 1 at x = 2, in the user's units.
 */
static void a_spread_has_its_part(void **state) {
  (void)state;
  static const char SPREAD[] =
      "\"spread\": {\"logarithm\": {\"(intercept)\": 0.0, \"x\": 0.0}, \"spreads\": 2.0}, ";
  tacit_policy *policy =
      good("", SPREAD, "[[0.01], [0, 0.01], [0, 0, 0.04], [0, 0, 0, 0.04], [0, 0, 0, 0, 0.25]]");
  double errors[5], lower, upper;
  const double x[] = {1, 0};
  assert_true(tacit_policy_standard_errors(policy, 0, errors));
  assert_true(near(errors[3], 0.2 / 2) && near(errors[4], 0.5) && near(errors[2], sqrt(0.08)));
  assert_true(tacit_policy_interval(policy, 0, x, 0.9, &lower, &upper));
  /* 5 encoded units of y: location 0.1; 2 spreads of 1 / 5, each known to 0.2; 0.5 spreads of 1 / 5 */
  double reach = Z * 5 * sqrt(0.01 + 0.4 * 0.2 * 0.4 * 0.2 + 0.5 * 0.2 * 0.5 * 0.2);
  assert_true(near(lower, 5 - reach) && near(upper, 5 + reach));
  tacit_policy_free(policy);
}

/* On a logarithmic scale an interval is not symmetric, and never below 0. */
static void a_logarithm_is_turned_back(void **state) {
  (void)state;
  tacit_policy *policy = good(", \"transform\": \"log\"", "", "[[0.01], [0, 0.0]]");
  const double x[] = {1, -1};
  double lower, upper, order = tacit_policy_decide(policy, 0, x);
  assert_true(tacit_policy_interval(policy, 0, x, 0.9, &lower, &upper));
  assert_true(lower > 0 && lower < order && order < upper && upper - order > order - lower);
  tacit_policy_free(policy);
}

static void other_forms_are_refused(void **state) {
  (void)state;
  static const char *const forms[] = {
      "[[0.04]]",
      "[[0.04], [0.01]]",
      "[[0.04, 0.01], [0.01, 0.09]]",
      "[[0.04], [0.01, -0.09]]",
      "[[0.04], [0.07, 0.09]]", /* more than both standard deviations */
      "[[0], [0, 0.09]]",
      "[[0.04], [0.01, 1e300]]",
      "[[0.04], [null, 0.09]]",
      "[[0.04], [0.01, \"x\"]]",
      "[[0.04], [0.01, 0.09], [0, 0, 1]]",
      "{\"y\": [[0.04], [0.01, 0.09]]}",
      "true",
  };
  tacit_policy *policy;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (parse("", "", forms[i], &policy) != TACIT_BAD_INPUT) fail_msg("%s", forms[i]);
  policy = good("", "", "null"); /* asked for, and not known */
  double lower, upper, errors[2];
  const double x[] = {1, 0};
  assert_false(tacit_policy_has_uncertainty(policy, 0) || tacit_policy_standard_errors(policy, 0, errors) ||
               tacit_policy_interval(policy, 0, x, 0.9, &lower, &upper));
  tacit_policy_free(policy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_are_in_the_users_units),
      cmocka_unit_test(a_spread_has_its_part),
      cmocka_unit_test(a_logarithm_is_turned_back),
      cmocka_unit_test(other_forms_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
