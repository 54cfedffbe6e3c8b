/* Schemas with bytes changed at random neither crash nor leak, and whatever is accepted keeps its invariants.
 */
#include "base/bits_for_test.h"
#include "schema/schema.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* needs the headers above */

static const char *const valid[] = {
    "{\"target\":{\"name\":\"y\",\"min\":0,\"max\":10},\"features\":[{\"name\":\"t\",\"min\":-15,\"max\":40},"
    "{\"name\":\"t\",\"transform\":\"spline\",\"knots\":[1,2,30],\"degree\":2},{\"name\":\"y\",\"lag\":7},"
    "{\"name\":\"d\",\"levels\":[\"a\",\"b\",\"other\"],\"missing\":\"b\"}],\"unit\":{\"rows_per_unit\":2}}",
    "{\"target\":[{\"name\":\"y\",\"center\":5,\"scale\":2,\"missing\":0},{\"name\":\"z\",\"min\":-1,\"max\":"
    "1e3}],"
    "\"features\":[{\"name\":\"t\",\"transform\":\"haar\",\"levels\":3,\"min\":0,\"max\":1},"
    "{\"name\":\"t\",\"transform\":\"fourier\",\"period\":36.5,\"harmonics\":2},"
    "{\"name\":\"t\",\"transform\":\"polynomial\",\"degree\":4,\"min\":0.5,\"max\":19}],\"nominal_rows\":"
    "100}",
    "{\"target\":{\"name\":\"y\",\"min\":0,\"max\":1},\"features\":[{\"name\":\"a\",\"min\":0,\"max\":1,"
    "\"missing\":9}],"
    "\"second_moment\":[[1,0.25],[0.25,2.5e-1]],\"clip_norm\":1.5}",
    "{\"target\":{\"name\":\"y\",\"min\":0,\"max\":1},\"features\":[{\"name\":\"d\",\"date\":[\"weekday\","
    "\"hour\","
    "\"trend\",\"day-of-year\",\"week\"],\"start\":\"2016-01-01\",\"end\":\"2017-01-01\",\"holidays\":["
    "\"2016-12-25\"],"
    "\"format\":\"%d.%m.%Y\"},{\"name\":\"f\",\"flag\":true},{\"name\":\"s\",\"levels\":[1,2.5,\"b\"],"
    "\"fold\":true,"
    "\"other\":true},{\"name\":\"h\",\"hash\":9},{\"interaction\":[\"s\",\"weekday\"]},{\"interaction\":["
    "\"f\","
    "\"d[trend]\",\"h\"]}]}",
};

static uint64_t seed = 7;

static uint64_t bits(void) {
  return bits_of(&seed);
}

static void check_accepted(const tacit_schema *schema) {
  static const double points[] = {-1e308, -3, 0, 5e-324, 0.3, 17, 1e308};
  double *out = malloc(schema->columns * sizeof *out);
  assert_true(schema->columns >= 1 && schema->columns <= TACIT_COLUMNS_MAX);
  size_t next = 1;
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    assert_int_equal(feature->first, next);
    next += feature->width;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
      tacit_reads reads = tacit_feature_reads(feature);
      if (feature->factor_count > 0) continue;
      if (reads == TACIT_READS_LEVEL)
        tacit_feature_encode_level(feature, tacit_feature_level(feature, "b", i % 2), out);
      else if (reads == TACIT_READS_FLAG)
        tacit_feature_encode(feature, (double)(i % 2), out);
      else if (reads == TACIT_READS_MOMENT) /* from year 1 to 9999 */
        tacit_feature_encode(feature, -62135596800 + (double)i * 52589649600, out);
      else
        tacit_feature_encode(feature, points[i], out);
      for (size_t j = 0; j < feature->width; j++) assert_true(fabs(out[j]) <= TACIT_SCALE_LIMIT);
    }
  }
  assert_int_equal(next, schema->columns);
  assert_int_equal(strlen(schema->hash), 64);
  free(out);
}

static void mutants_are_read_or_refused(void **state) {
  (void)state;
  size_t accepted = 0, refused = 0;
  for (int trial = 0; trial < 30000; trial++) {
    const char *parent = valid[bits() % 4];
    size_t length = strlen(parent);
    char *text = malloc(length + 400);
    memcpy(text, parent, length + 1);
    for (size_t edits = bits() % 5; edits > 0; edits--) mutate(text, &length, &seed);
    /* An exact copy, so that reading past the end is seen. */
    char *exact = malloc(length);
    memcpy(exact, text, length);
    free(text);
    tacit_schema *schema;
    tacit_error error = {""};
    tacit_status status = tacit_schema_parse(exact, length, &schema, &error);
    if (status == TACIT_OK) {
      accepted++;
      check_accepted(schema);
    } else {
      refused++;
      assert_true(status == TACIT_BAD_INPUT || status == TACIT_REFUSED);
      assert_null(schema);
      assert_true(error.text[0] != 0);
    }
    tacit_schema_free(schema);
    free(exact);
  }
  /* Both outcomes must be common, or the test says nothing. */
  assert_true(accepted > 3000 && refused > 3000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mutants_are_read_or_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
