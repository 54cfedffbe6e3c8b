/* What a schema may not say, and the texts of the refusals. */
#include "schema/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* needs the headers above */

#include "schema/schema_for_test.h"

static void missing_public_facts_are_refused(void **state) {
  (void)state;
  refuse(TACIT_REFUSED,
         "column \"rain\" has no public bounds: add \"min\" and \"max\" (or \"center\" and \"scale\")",
         FEATURES("{'name': 'rain'}"));
  refuse(TACIT_REFUSED, "column \"y\" has no public bounds", TARGET("{'name': 'y'}"));
  refuse(TACIT_REFUSED, "column \"t\" has no public bounds",
         FEATURES("{'name': 't', 'transform': 'haar', 'levels': 2}"));
  refuse(
      TACIT_REFUSED, "the spline of column \"t\" needs public bounds: give \"min\" and \"max\"",
      FEATURES("{'name': 't', 'center': 0, 'scale': 1}, {'name': 't', 'transform': 'spline', 'knots': 2}"));
  refuse(TACIT_REFUSED, "the polynomial of column \"t\" needs",
         FEATURES("{'name': 't', 'transform': 'polynomial', 'degree': 2, 'center': 0, 'scale': 1}"));
}

static void unknown_keys_are_named(void **state) {
  (void)state;
  refuse(TACIT_BAD_INPUT, "unknown key \"clipnorm\" in the schema", WITH("'clipnorm': 2"));
  refuse(TACIT_BAD_INPUT, "unknown key \"lag\" in target",
         TARGET("{'name': 'y', 'min': 0, 'max': 1, 'lag': 2}"));
  refuse(TACIT_BAD_INPUT, "unknown key \"Max\" in target[1]",
         TARGET("[{'name': 'x', 'min': 0, 'max': 1}, {'name': 'y', 'min': 0, 'Max': 1}]"));
  refuse(TACIT_BAD_INPUT, "unknown key \"rows\" in unit", WITH("'unit': {'rows': 2}"));
  refuse(TACIT_BAD_INPUT, "unknown key \"knots\" in features[0]",
         FEATURES("{'name': 'a', 'min': 0, 'max': 1, 'knots': 3}"));
  refuse(TACIT_BAD_INPUT,
         "unknown key \"min\" in features[0]; the keys here are: name, levels, fold, other, missing",
         FEATURES("{'name': 'a', 'levels': ['p', 'q'], 'min': 0}"));
  refuse(TACIT_BAD_INPUT, "features[0] is a lag of \"y\" and has its bounds",
         FEATURES("{'name': 'y', 'lag': 1, 'min': 0}"));
  refuse(TACIT_BAD_INPUT, "unknown key \"lag\"",
         FEATURES("{'name': 'y', 'transform': 'haar', 'levels': 1, 'lag': 1}"));
  refuse(TACIT_BAD_INPUT, "unknown key \"na\"", FEATURES("{'name': 'a', 'min': 0, 'max': 1, 'na': 3}"));
}

static void malformed_json_is_located(void **state) {
  (void)state;
  refuse(TACIT_BAD_INPUT, "line 1, column 0", "");
  refuse(TACIT_BAD_INPUT, "line 2, column 2", "{\n 1}");
  refuse(TACIT_BAD_INPUT, "duplicate object key", WITH("'clip_norm': 1, 'clip_norm': 2"));
  refuse(TACIT_BAD_INPUT, "real number overflow", WITH("'clip_norm': 1e999"));
  refuse(TACIT_BAD_INPUT, "invalid token", WITH("'clip_norm': NaN"));
  refuse(TACIT_BAD_INPUT, "invalid token", WITH("'clip_norm': -Infinity"));
  refuse(TACIT_BAD_INPUT, "\\u0000", FEATURES("{'name': 'a\\u0000b', 'min': 0, 'max': 1}"));
  refuse(TACIT_BAD_INPUT, "end of file expected", WITH("'clip_norm': 1") " {}");
  refuse(TACIT_BAD_INPUT, "the schema must be an object", "[]");
  char deep[5000];
  memset(deep, '[', sizeof deep - 1);
  deep[sizeof deep - 1] = 0;
  refuse(TACIT_BAD_INPUT, "maximum parsing depth", deep);
}

static void wrong_types_are_refused(void **state) {
  (void)state;
  refuse(TACIT_BAD_INPUT, "no \"target\"", "{'features': []}");
  refuse(TACIT_BAD_INPUT, "array \"features\"", "{'target': {'name': 'y', 'min': 0, 'max': 1}}");
  refuse(TACIT_BAD_INPUT, "target must be an object", TARGET("7"));
  refuse(TACIT_BAD_INPUT, "array of 1 to 1024", TARGET("[]"));
  refuse(TACIT_BAD_INPUT, "target[0] must be an object", TARGET("['y']"));
  refuse(TACIT_BAD_INPUT, "features[0] must be an object", FEATURES("'a'"));
  refuse(TACIT_BAD_INPUT, "\"min\" in features[0] must be a number",
         FEATURES("{'name': 'a', 'min': '0', 'max': 1}"));
  refuse(TACIT_BAD_INPUT, "\"missing\" in features[0] must be a number",
         FEATURES("{'name': 'a', 'min': 0, 'max': 1, 'missing': false}"));
  refuse(TACIT_BAD_INPUT, "\"name\" in features[0] must be a string",
         FEATURES("{'name': 3, 'min': 0, 'max': 1}"));
  refuse(TACIT_BAD_INPUT, "\"name\" in features[0] is missing", FEATURES("{'min': 0, 'max': 1}"));
  refuse(TACIT_BAD_INPUT, "\"transform\" in features[0] must be one of",
         FEATURES("{'name': 'a', 'transform': 'sawtooth', 'min': 0, 'max': 1}"));
  refuse(TACIT_BAD_INPUT, "\"transform\" in features[0]", FEATURES("{'name': 'a', 'transform': true}"));
  refuse(TACIT_BAD_INPUT, "unit must be an object", WITH("'unit': 3"));
  refuse(TACIT_BAD_INPUT, "\"rows_per_unit\" in unit is missing", WITH("'unit': {'column': 'id'}"));
  refuse(TACIT_BAD_INPUT, "\"rows_per_unit\" in unit must be a whole number",
         WITH("'unit': {'rows_per_unit': 0}"));
  refuse(TACIT_BAD_INPUT, "\"rows_per_unit\" in unit", WITH("'unit': {'rows_per_unit': 2.0}"));
  refuse(TACIT_BAD_INPUT, "\"column\" in unit must not be empty",
         WITH("'unit': {'rows_per_unit': 2, 'column': ''}"));
  refuse(TACIT_BAD_INPUT, "\"nominal_rows\"", WITH("'nominal_rows': -5"));
  refuse(TACIT_BAD_INPUT, "\"nominal_rows\"", WITH("'nominal_rows': 9223372036854775807"));
  refuse(TACIT_BAD_INPUT, "\"clip_norm\" in the schema must be above 0", WITH("'clip_norm': 0"));
  refuse(TACIT_BAD_INPUT, "\"clip_norm\" in the schema must be a number", WITH("'clip_norm': true"));
}

static void unusable_bounds_are_refused(void **state) {
  (void)state;
  refuse(TACIT_BAD_INPUT, "\"min\" in features[0] must be below \"max\"",
         FEATURES("{'name': 'a', 'min': 1, 'max': 1}"));
  refuse(TACIT_BAD_INPUT, "\"min\" in target must be below", TARGET("{'name': 'y', 'min': 2, 'max': 1}"));
  refuse(TACIT_BAD_INPUT, "\"max\" in features[0] is missing", FEATURES("{'name': 'a', 'min': 1}"));
  refuse(TACIT_BAD_INPUT, "\"center\" in features[0] is missing", FEATURES("{'name': 'a', 'scale': 1}"));
  refuse(TACIT_BAD_INPUT, "mixes bounds", FEATURES("{'name': 'a', 'min': 1, 'max': 2, 'scale': 1}"));
  refuse(TACIT_BAD_INPUT, "\"scale\" in features[0] must be above 0",
         FEATURES("{'name': 'a', 'center': 1, 'scale': 0}"));
  refuse(TACIT_BAD_INPUT, "must be above 0", FEATURES("{'name': 'a', 'center': 1, 'scale': -1}"));
  refuse(TACIT_BAD_INPUT, "too large", FEATURES("{'name': 'a', 'min': -1.7e308, 'max': 1.7e308}"));
  refuse(TACIT_BAD_INPUT, "too large", FEATURES("{'name': 'a', 'center': 1e200, 'scale': 1e99}"));
  refuse(TACIT_BAD_INPUT, "too narrow", FEATURES("{'name': 'a', 'min': 0, 'max': 5e-324}"));
  refuse(TACIT_BAD_INPUT, "too narrow", FEATURES("{'name': 'a', 'min': 1e12, 'max': 1000000000001}"));
}

static void bad_names_and_twins_are_refused(void **state) {
  (void)state;
  refuse(TACIT_BAD_INPUT, "\"name\" in features[0] must not be empty",
         FEATURES("{'name': '', 'min': 0, 'max': 1}"));
  refuse(TACIT_BAD_INPUT, "control character", FEATURES("{'name': 'a\\nb', 'min': 0, 'max': 1}"));
  refuse(TACIT_BAD_INPUT, "control character", FEATURES("{'name': 'a\\u007f', 'min': 0, 'max': 1}"));
  refuse(TACIT_BAD_INPUT, "control character", FEATURES("{'name': '\\u0085', 'min': 0, 'max': 1}"));
  tacit_schema_free(accept(FEATURES("{'name': 'Größe \\u00a0 µ', 'min': 0, 'max': 1}")));
  char text[600];
  snprintf(text, sizeof text, FEATURES("{'name': '%0256d', 'min': 0, 'max': 1}"), 0);
  refuse(TACIT_BAD_INPUT, "too long", text);
  refuse(TACIT_BAD_INPUT, "both be called \"a\"",
         FEATURES("{'name': 'a', 'min': 0, 'max': 1}, {'name': 'a', 'min': 0, 'max': 2}"));
  refuse(TACIT_BAD_INPUT, "both be called \"a=q\"",
         FEATURES("{'name': 'a', 'levels': ['p', 'q']}, {'name': 'a=q', 'min': 0, 'max': 1}"));
  refuse(TACIT_BAD_INPUT, "both be called \"(intercept)\"",
         FEATURES("{'name': '(intercept)', 'min': 0, 'max': 1}"));
  refuse(TACIT_BAD_INPUT, "both be called \"y[lag 3]\"",
         FEATURES("{'name': 'y', 'lag': 3}, {'name': 'y', 'lag': 3}"));
  refuse(TACIT_BAD_INPUT, "a target cannot be called *", /* certificates have it for all targets together */
         "{\"target\": {\"name\": \"*\", \"min\": 0, \"max\": 1}, \"features\": []}");
  refuse(TACIT_BAD_INPUT, "target \"y\" is listed twice",
         TARGET("[{'name': 'y', 'min': 0, 'max': 1}, {'name': 'y', 'min': 0, 'max': 2}]"));
  refuse(TACIT_BAD_INPUT, "column \"y\" is a target", FEATURES("{'name': 'y', 'min': 0, 'max': 1}"));
  refuse(TACIT_BAD_INPUT, "column \"y\" is a target", FEATURES("{'name': 'y', 'levels': ['1', '2']}"));
}

static void bad_features_are_refused(void **state) {
  (void)state;
  refuse(TACIT_BAD_INPUT, "at least two strings", FEATURES("{'name': 'a', 'levels': ['p']}"));
  refuse(TACIT_BAD_INPUT, "at least two strings", FEATURES("{'name': 'a', 'levels': 3}"));
  refuse(TACIT_BAD_INPUT, "empty cells are not a level", FEATURES("{'name': 'a', 'levels': ['', 'x']}"));
  refuse(TACIT_BAD_INPUT, "\"levels\" in features[0] must be a string",
         FEATURES("{'name': 'a', 'levels': ['p', true]}"));
  refuse(TACIT_BAD_INPUT, "lists \"p\" twice", FEATURES("{'name': 'a', 'levels': ['p', 'q', 'p']}"));
  refuse(TACIT_BAD_INPUT, "must be one of its \"levels\"",
         FEATURES("{'name': 'a', 'levels': ['p', 'q'], 'missing': 'r'}"));
  refuse(TACIT_BAD_INPUT, "\"missing\" in features[0] must be a string",
         FEATURES("{'name': 'a', 'levels': ['p', 'q'], 'missing': false}"));
  refuse(TACIT_BAD_INPUT, "must be one of its \"levels\"",
         FEATURES("{'name': 'a', 'levels': ['p', 'q'], 'missing': 0}"));
  refuse(TACIT_BAD_INPUT, "\"rain\", which is not a target", FEATURES("{'name': 'rain', 'lag': 1}"));
  refuse(TACIT_BAD_INPUT, "from 1 to 100000", FEATURES("{'name': 'y', 'lag': 0}"));
  refuse(TACIT_BAD_INPUT, "from 1 to 100000", FEATURES("{'name': 'y', 'lag': 100001}"));
  refuse(TACIT_BAD_INPUT, "\"knots\" in features[0] is missing", SPLINE("'degree': 3"));
  refuse(TACIT_BAD_INPUT, "\"knots\" in features[0] must be a whole", SPLINE("'knots': 1.5"));
  refuse(TACIT_BAD_INPUT, "array of numbers", SPLINE("'knots': ['1']"));
  refuse(TACIT_BAD_INPUT, "must ascend", SPLINE("'knots': [1, 1]"));
  refuse(TACIT_BAD_INPUT, "must ascend", SPLINE("'knots': [3, 1]"));
  refuse(TACIT_BAD_INPUT, "must ascend", SPLINE("'knots': [0, 1]"));
  refuse(TACIT_BAD_INPUT, "must ascend", SPLINE("'knots': [1, 4]"));
  refuse(TACIT_BAD_INPUT, "must ascend", SPLINE("'knots': [1, 1e300]"));
  refuse(TACIT_BAD_INPUT, "from 1 to 5", SPLINE("'knots': 1, 'degree': 6"));
  refuse(TACIT_BAD_INPUT, "from 0 to 2048", SPLINE("'knots': 1000000"));
  refuse(TACIT_BAD_INPUT, "from 1 to 9",
         FEATURES("{'name': 'a', 'min': 0, 'max': 4, 'transform': 'polynomial', 'degree': 10}"));
  refuse(TACIT_BAD_INPUT, "\"degree\" in features[0] is missing",
         FEATURES("{'name': 'a', 'min': 0, 'max': 4, 'transform': 'polynomial'}"));
  refuse(TACIT_BAD_INPUT, "from 1 to 7",
         FEATURES("{'name': 'a', 'min': 0, 'max': 4, 'transform': 'haar', 'levels': 8}"));
  refuse(TACIT_BAD_INPUT, "from 1 to 7",
         FEATURES("{'name': 'a', 'min': 0, 'max': 4, 'transform': 'haar', 'levels': ['p', 'q']}"));
  refuse(TACIT_BAD_INPUT, "\"period\" in features[0] must be above 0",
         FEATURES("{'name': 'a', 'transform': 'fourier', 'period': 0, 'harmonics': 1}"));
  refuse(TACIT_BAD_INPUT, "from 1 to 32",
         FEATURES("{'name': 'a', 'transform': 'fourier', 'period': 7, 'harmonics': 33}"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(missing_public_facts_are_refused), cmocka_unit_test(unknown_keys_are_named),
      cmocka_unit_test(malformed_json_is_located),        cmocka_unit_test(wrong_types_are_refused),
      cmocka_unit_test(unusable_bounds_are_refused),      cmocka_unit_test(bad_names_and_twins_are_refused),
      cmocka_unit_test(bad_features_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
