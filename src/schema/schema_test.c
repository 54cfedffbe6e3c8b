/* What a schema may say, its limits, and what its hash follows. */
#include "schema/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* needs the headers above */

#include "schema/schema_for_test.h"

static void the_design_example_is_laid_out(void **state) {
  (void)state;
  tacit_schema *schema =
      accept("{'target': {'name': 'lamb', 'min': 0, 'max': 100}, 'features': ["
             "{'name': 'temperature', 'transform': 'spline', 'knots': 1, 'degree': 2},"
             "{'name': 'temperature', 'min': -15, 'max': 40, 'missing': 10},"
             "{'name': 'z1', 'center': 0, 'scale': 1.5},"
             "{'name': 'weekday', 'levels': ['MON', 'TUE', 'other'], 'missing': 'TUE'},"
             "{'name': 'lamb', 'lag': 7, 'missing': 3}, {'name': 'lamb', 'lag': 14},"
             "{'name': 'temperature', 'transform': 'polynomial', 'degree': 2, 'min': 0, 'max': 1},"
             "{'name': 'day', 'transform': 'fourier', 'period': 365.25, 'harmonics': 2},"
             "{'name': 'temperature', 'transform': 'haar', 'levels': 2}],"
             "'clip_norm': 2.0, 'unit': {'rows_per_unit': 3, 'column': 'guest'}, 'nominal_rows': 500}");
  static const char *const names[] = {"(intercept)",
                                      "spline(temperature)[1]",
                                      "spline(temperature)[2]",
                                      "spline(temperature)[3]",
                                      "temperature",
                                      "z1",
                                      "weekday=TUE",
                                      "weekday=other",
                                      "lamb[lag 7]",
                                      "lamb[lag 14]",
                                      "polynomial(temperature)[1]",
                                      "polynomial(temperature)[2]",
                                      "fourier(day, 365.25)[sin 1]",
                                      "fourier(day, 365.25)[cos 1]",
                                      "fourier(day, 365.25)[sin 2]",
                                      "fourier(day, 365.25)[cos 2]",
                                      "haar(temperature)[1]",
                                      "haar(temperature)[2]",
                                      "haar(temperature)[3]"};
  assert_int_equal(tacit_schema_columns(schema), sizeof names / sizeof *names);
  for (size_t j = 0; j < schema->columns; j++)
    assert_string_equal(tacit_schema_column_name(schema, j), names[j]);
  assert_null(tacit_schema_column_name(schema, schema->columns));
  assert_int_equal(tacit_schema_targets(schema), 1);
  assert_string_equal(tacit_schema_target_name(schema, 0), "lamb");
  assert_null(tacit_schema_target_name(schema, 1));
  const tacit_feature *spline = &schema->features[0], *haar = &schema->features[8];
  assert_true(spline->has_missing && spline->missing == 10 && spline->scale.half == 27.5);
  assert_true(spline->knots[0] == 12.5);
  assert_true(schema->features[6].has_missing && schema->features[6].scale.half == 0.5);
  assert_true(haar->first == 16 && haar->width == 3 && haar->scale.center == 12.5);
  assert_true(schema->features[2].scale.limit == TACIT_SCALE_LIMIT && schema->features[2].scale.half == 1.5);
  const tacit_feature *lag = &schema->features[4];
  assert_true(lag->lag == 7 && lag->lag_target == 0 && lag->scale.half == 50 && lag->missing == 3);
  assert_true(schema->largest_lag == 14 && schema->distinct_lags == 2);
  assert_false(schema->features[7].has_scale);
  assert_true(schema->targets[0].bounded && schema->clip_norm == 2 && schema->rows_per_unit == 3);
  assert_true(schema->unit_given && schema->nominal_rows == 500);
  assert_string_equal(schema->unit_column, "guest");
  tacit_schema_free(schema);
}

static void several_targets_and_no_features(void **state) {
  (void)state;
  tacit_schema *schema =
      accept("{'features': [], 'target': [{'name': 'lamb', 'min': 0, 'max': 9, 'missing': 1},"
             "{'name': 'rice', 'center': 4, 'scale': 2}], 'second_moment': [[1]]}");
  assert_int_equal(tacit_schema_columns(schema), 1);
  assert_int_equal(tacit_schema_targets(schema), 2);
  assert_true(schema->targets[0].bounded && schema->targets[0].has_missing && !schema->targets[1].bounded);
  assert_true(schema->rows_per_unit == 1 && !schema->unit_given && !schema->unit_column &&
              schema->clip_norm == 0);
  assert_true(schema->second_moment[0] == 1);
  tacit_schema_free(schema);
  tacit_schema_free(NULL);
}

static void levels_are_total(void **state) {
  (void)state;
  tacit_schema *schema = accept(FEATURES("{'name': 'a', 'levels': ['z', 'y', 'other', 'ya', 'x']},"
                                         "{'name': 'b', 'levels': ['p', 'q'], 'missing': 'q'}"));
  const tacit_feature *a = &schema->features[0], *b = &schema->features[1];
  for (size_t i = 0; i < a->level_count; i++)
    assert_int_equal(tacit_feature_level(a, a->levels[i], strlen(a->levels[i])), i);
  assert_int_equal(tacit_feature_level(a, "yab", 2), 3); /* the length counts, not a terminator */
  assert_int_equal(tacit_feature_level(a, "Y", 1), 2);
  assert_int_equal(tacit_feature_level(a, "", 0), 2);
  assert_int_equal(tacit_feature_level(a, "z\0", 2), 2);
  assert_int_equal(tacit_feature_level(b, "nobody", 6), 0);
  assert_int_equal(tacit_feature_level(b, NULL, 0), 1);
  double out[4];
  tacit_feature_encode_level(a, 0, out);
  assert_true(out[0] == 0 && out[1] == 0 && out[2] == 0 && out[3] == 0);
  tacit_feature_encode_level(a, 3, out);
  assert_true(out[0] == 0 && out[1] == 0 && out[2] == 1 && out[3] == 0);
  tacit_schema_free(schema);
}

static void columns_are_limited(void **state) {
  (void)state;
  refuse(TACIT_BAD_INPUT, "more than 2048 encoded columns", SPLINE("'knots': 2045"));
  tacit_schema *schema = accept(SPLINE("'knots': 2044"));
  assert_int_equal(schema->columns, TACIT_COLUMNS_MAX);
  tacit_schema_free(schema);
  static char text[200000];
  size_t at =
      (size_t)snprintf(text, sizeof text, "{'target': {'name': 'y', 'min': 0, 'max': 1}, 'features': [");
  for (int f = 0; f < 2048; f++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%s{'name': '%d', 'min': 0, 'max': 1}", f ? "," : "",
                           f);
  snprintf(text + at, sizeof text - at, "]}");
  refuse(TACIT_BAD_INPUT, "too many features", text);
  at = (size_t)snprintf(
      text, sizeof text,
      "{'target': {'name': 'y', 'min': 0, 'max': 1}, 'features': [{'name': 'a', 'levels': [");
  for (int l = 0; l < 2049; l++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%s'%d'", l ? "," : "", l);
  snprintf(text + at, sizeof text - at, "]}]}");
  refuse(TACIT_BAD_INPUT, "at most 2048 levels", text);
  at = (size_t)snprintf(text, sizeof text, "{'features': [], 'target': [");
  for (int t = 0; t < 1025; t++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%s{'name': '%d', 'min': 0, 'max': 1}", t ? "," : "",
                           t);
  snprintf(text + at, sizeof text - at, "]}");
  refuse(TACIT_BAD_INPUT, "array of 1 to 1024", text);
}

#define MOMENT(m)                                                                                            \
  "{'target': {'name': 'y', 'min': 0, 'max': 1}, 'features': [{'name': 'a', 'min': 0, 'max': 1}], "          \
  "'second_moment': " m "}"

static void second_moments_are_checked(void **state) {
  (void)state;
  tacit_schema *schema = accept(MOMENT("[[1, 0.5], [0.5, 0.26]]"));
  assert_true(schema->second_moment[1] == 0.5 && schema->second_moment[3] == 0.26);
  tacit_schema_free(schema);
  refuse(TACIT_BAD_INPUT, "array of 2 rows", MOMENT("[[1]]"));
  refuse(TACIT_BAD_INPUT, "array of 2 rows", MOMENT("1"));
  refuse(TACIT_BAD_INPUT, "[1] must be an array of 2 numbers", MOMENT("[[1, 0], [0]]"));
  refuse(TACIT_BAD_INPUT, "[1][0] must be a number", MOMENT("[[1, 0], ['0', 1]]"));
  refuse(TACIT_BAD_INPUT, "not symmetric", MOMENT("[[1, 0.5], [0.4, 1]]"));
  refuse(TACIT_BAD_INPUT, "not positive definite", MOMENT("[[1, 0.5], [0.5, 0.25]]"));
  refuse(TACIT_BAD_INPUT, "not positive definite", MOMENT("[[1, 2], [2, 1]]"));
  refuse(TACIT_BAD_INPUT, "not positive definite", MOMENT("[[0, 0], [0, 1]]"));
  refuse(TACIT_BAD_INPUT, "not positive definite", MOMENT("[[1e-300, 1e308], [1e308, 1e308]]"));
}

static void promise(const char *text, bool add_remove, size_t nominal, const char *piece) {
  tacit_schema *schema = accept(text);
  tacit_error error = {""};
  tacit_status status =
      tacit_schema_check_promise(schema, add_remove ? TACIT_ADD_REMOVE : TACIT_REPLACE_ONE, nominal, &error);
  assert_int_equal(status, piece ? TACIT_REFUSED : TACIT_OK);
  if (piece && !strstr(error.text, piece)) fail_msg("no \"%s\" in \"%s\"", piece, error.text);
  tacit_schema_free(schema);
}

/* Two products share lag 7: three distinct lags, four rows. */
#define LAGS(unit)                                                                                           \
  "{'target': [{'name': 'y', 'min': 0, 'max': 1}, {'name': 'x', 'min': 0, 'max': 1}], 'features': ["         \
  "{'name': 'y', 'lag': 7}, {'name': 'x', 'lag': 7}, {'name': 'x', 'lag': 1}, {'name': 'y', 'lag': "         \
  "14}]" unit "}"

static void promises_need_their_facts(void **state) {
  (void)state;
  promise(FEATURES(""), false, 0, NULL);
  promise(LAGS(""), false, 0, "{\"rows_per_unit\": 4}");
  promise(LAGS(", 'unit': {'rows_per_unit': 3}"), false, 0, "into 4 rows");
  promise(LAGS(", 'unit': {'rows_per_unit': 4}"), false, 0, NULL);
  promise(LAGS(", 'unit': {'rows_per_unit': 9, 'column': 'id'}"), false, 0,
          "set \"rows_per_unit\" to 4 times");
  promise(LAGS(", 'unit': {'rows_per_unit': 4}, 'nominal_rows': 9"), true, 9, "would shift every later lag");
  promise(FEATURES(""), true, 0, "add \"nominal_rows\" to the schema or give --nominal-rows");
  promise(FEATURES(""), true, 100, NULL);
  promise(WITH("'nominal_rows': 100"), true, 0, NULL);
  promise(WITH("'unit': {'rows_per_unit': 2, 'column': 'id'}"), false, 0, NULL);
}

static void public_features_need_public_rows(void **state) {
  (void)state;
  tacit_schema *public = accept(WITH("'private': 'target'")), *private = accept(FEATURES(""));
  assert_true(tacit_schema_features_public(public) && !tacit_schema_features_public(private));
  tacit_schema_free(public);
  tacit_schema_free(private);
  promise(WITH("'private': 'target', 'unit': {'rows_per_unit': 2, 'column': 'id'}"), false, 0, NULL);
  promise(WITH("'private': 'target', 'nominal_rows': 9"), true, 9, "use replace-one");
  promise(LAGS(", 'unit': {'rows_per_unit': 4}, 'private': 'target'"), false, 0,
          "lags make features of private targets");
  refuse(TACIT_BAD_INPUT, "\"private\" must be \"target\"", WITH("'private': 'rows'"));
  refuse(TACIT_BAD_INPUT, "\"private\" must be \"target\"", WITH("'private': true"));
  refuse(TACIT_BAD_INPUT, "names the private target \"y\"",
         WITH("'private': 'target', 'unit': {'rows_per_unit': 2, 'column': 'y'}"));
  refuse(TACIT_BAD_INPUT, "but keys are public", WITH("'private': 'target', 'panel': {'time': 'y'}"));
  refuse(TACIT_BAD_INPUT, "but keys are public",
         WITH("'private': 'target', 'panel': {'time': 'day', 'by': ['shop', 'y']}"));
}

static void hashes_follow_the_facts(void **state) {
  (void)state;
  tacit_schema *a = accept("{'target': {'name': 'y', 'min': 0, 'max': 0.1}, 'features': []}");
  tacit_schema *b = accept(" {\n'features': [ ],\t'target': {'max': 1.0e-1, 'name': '\\u0079', 'min': 0}}\n");
  tacit_schema *c = accept("{'target': {'name': 'y', 'min': 0, 'max': 0.10000000000000002}, 'features': []}");
  assert_int_equal(strlen(tacit_schema_hash(a)), 64);
  assert_string_equal(tacit_schema_hash(a), tacit_schema_hash(b));
  assert_string_not_equal(tacit_schema_hash(a), tacit_schema_hash(c));
  /* sha256 of {"features":[],"target":{"max":0.10000000000000001,"min":0,"name":"y"}} */
  assert_string_equal(tacit_schema_hash(a),
                      "b4923f10c0c42c74315fcc0881bff765316ec160e1e9b2e903131b140e671c88");
  /* What a policy embeds hashes the same when it is read again. */
  char *text = json_dumps(c->json, JSON_INDENT(2));
  tacit_schema *again;
  assert_int_equal(tacit_schema_parse(text, strlen(text), &again, NULL), TACIT_OK);
  assert_string_equal(tacit_schema_hash(c), tacit_schema_hash(again));
  free(text);
  tacit_schema_free(a);
  tacit_schema_free(b);
  tacit_schema_free(c);
  tacit_schema_free(again);
}

static void files_are_read(void **state) {
  (void)state;
  tacit_error error;
  tacit_schema *schema;
  assert_int_equal(tacit_schema_read("no/such/schema.json", &schema, &error), TACIT_BAD_INPUT);
  assert_string_equal(error.text, "no such file: no/such/schema.json");
  assert_int_equal(tacit_schema_read(".", &schema, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "cannot read file"));
  char path[] = "/tmp/tacit_schema_XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *file = fdopen(descriptor, "w");
  fputs("{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 1}, \"features\": []}", file);
  fflush(file);
  assert_int_equal(tacit_schema_read(path, &schema, &error), TACIT_OK);
  tacit_schema_free(schema);
  for (int i = 0; i < 17 << 10; i++) fprintf(file, "%1024s", "");
  fclose(file);
  assert_int_equal(tacit_schema_read(path, &schema, &error), TACIT_BAD_INPUT);
  assert_non_null(strstr(error.text, "larger than 16 MB"));
  assert_null(schema);
  assert_int_equal(tacit_schema_parse("{", SIZE_MAX, &schema, &error), TACIT_BAD_INPUT);
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_design_example_is_laid_out),
      cmocka_unit_test(several_targets_and_no_features),
      cmocka_unit_test(levels_are_total),
      cmocka_unit_test(columns_are_limited),
      cmocka_unit_test(second_moments_are_checked),
      cmocka_unit_test(promises_need_their_facts),
      cmocka_unit_test(public_features_need_public_rows),
      cmocka_unit_test(hashes_follow_the_facts),
      cmocka_unit_test(files_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
