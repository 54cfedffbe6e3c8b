/* Schemas at their limits: what a fit could pay for, and then not write, is refused when it is read. */
#include "schema/schema.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* needs the headers above */

static tacit_status parse(const char *text, tacit_schema **schema, tacit_error *error) {
  return tacit_schema_parse(text, strlen(text), schema, error);
}

/* 0.1 has three bytes in a file, and nineteen in a policy. */
static void a_schema_that_grows_too_large_is_refused(void **state) {
  (void)state;
  enum { NUMBERS = 860000 };
  static const char HEAD[] = "{\"target\": [0.1";
  char *text = malloc(sizeof HEAD + 4 * NUMBERS + 2), *at = text + sizeof HEAD - 1;
  assert_non_null(text);
  memcpy(text, HEAD, sizeof HEAD);
  for (size_t i = 0; i < NUMBERS; i++, at += 4) memcpy(at, ",0.1", 4);
  memcpy(at, "]}", 3);
  tacit_schema *schema;
  tacit_error error;
  assert_int_equal(parse(text, &schema, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "larger than 16 MB"));
  free(text);
}

static tacit_status whiten(double moment, double *root) {
  char text[300];
  int bits;
  tacit_schema *schema;
  tacit_error error;
  snprintf(text, sizeof text,
           "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 1e60}, \"features\": [{\"name\": \"x\", "
           "\"center\": 0, \"scale\": 1}], \"second_moment\": [[%.17g, 0], [0, %.17g]]}",
           moment, moment);
  if (parse(text, &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  tacit_status status = tacit_schema_whitening(schema, root, &bits, &error);
  tacit_schema_free(schema);
  return status;
}

/* A whitened value reaches 8 scales over the root of the moment, at most 2^20. */
static void whitening_has_a_limit(void **state) {
  (void)state;
  double root[4];
  assert_int_equal(whiten(64 * 0x1p-39, root), TACIT_OK);
  assert_int_equal(whiten(64 * 0x1p-41, root), TACIT_REFUSED);
  assert_int_equal(whiten(1e-300, root), TACIT_REFUSED);
  assert_int_equal(whiten(1e300, root), TACIT_OK);
}

static tacit_status parse_log(const char *low, const char *high, const char *unit) {
  char text[300];
  tacit_schema *schema;
  tacit_error error;
  snprintf(text, sizeof text,
           "{\"target\": {\"name\": \"y\", \"min\": %s, \"max\": %s, \"transform\": \"log\", \"log_unit\": "
           "%s}, \"features\": []}",
           low, high, unit);
  tacit_status status = parse(text, &schema, &error);
  if (status == TACIT_OK)
    assert_true(isfinite(tacit_scale_decode(&schema->targets[0].scale, 1)));
  else
    assert_non_null(strstr(error.text, "hardly any range"));
  tacit_schema_free(schema);
  return status;
}

/* log 1e300 is 691, whose digits end where a range of 1e-9 begins. */
static void logarithms_keep_their_digits(void **state) {
  (void)state;
  assert_int_equal(parse_log("0.999999998e95", "1.000000002e95", "1e-190"), TACIT_BAD_INPUT);
  assert_int_equal(parse_log("0.999998e95", "1.000002e95", "1e-190"), TACIT_OK);
  assert_int_equal(parse_log("0", "0.000000002", "1"), TACIT_OK); /* around 0 */
  assert_int_equal(parse_log("0", "1e100", "1e-200"), TACIT_OK);
  assert_int_equal(parse_log("0", "1e100", "9e-201"), TACIT_BAD_INPUT); /* its exponential may be infinite */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_schema_that_grows_too_large_is_refused),
      cmocka_unit_test(whitening_has_a_limit),
      cmocka_unit_test(logarithms_keep_their_digits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
