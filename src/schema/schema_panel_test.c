/* Panels: what a schema may say of them, which period a time is of, and how many rows a record reaches. */
#include "schema/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* needs the headers above */

#include "schema/schema_for_test.h"

#define LAG(l) "{'name': 'y', 'lag': " l "}"
#define PANEL(features, panel, more)                                                                         \
  "{'target': {'name': 'y', 'min': 0, 'max': 10}, 'features': [" features "], 'panel': {" panel "}" more "}"
#define UNIT(k) ", 'unit': {'rows_per_unit': " k "}"

static void a_panel_is_read(void **state) {
  (void)state;
  tacit_schema *s = accept(PANEL(LAG("1"), "'by': ['shop', 'product'], 'time': 'd', 'every': 'month'", ""));
  assert_int_equal(s->panel.by_count, 2);
  assert_string_equal(s->panel.by[1], "product");
  assert_string_equal(s->panel.time, "d");
  assert_true(s->panel.every == TACIT_EVERY_MONTH && !s->panel.unique && !s->panel.missing);
  tacit_schema_free(s);
  s = accept(
      PANEL("", "'by': 'shop', 'time': 'd', 'format': '%d.%m.%Y', 'unique': true, 'missing': true", ""));
  assert_true(s->panel.every == TACIT_EVERY_DAY && s->panel.unique && s->panel.missing);
  assert_string_equal(s->panel.by[0], "shop");
  assert_false(tacit_schema_looks_up(s)); /* there are no lags */
  assert_false(tacit_schema_needs_all(s));
  assert_int_equal(tacit_schema_reach(s), 1);
  tacit_schema_free(s);
  s = accept(PANEL(LAG("1"), "'time': 'd', 'every': 'number'", "")); /* one group */
  assert_true(tacit_schema_looks_up(s) && tacit_schema_needs_all(s) && s->panel.by_count == 0);
  tacit_schema_free(s);
}

static void what_no_panel_may_say(void **state) {
  (void)state;
  refuse(TACIT_BAD_INPUT, "\"time\" in panel is missing", PANEL("", "'by': 'shop'", ""));
  refuse(TACIT_BAD_INPUT, "unknown key \"lag\" in panel", PANEL("", "'time': 'd', 'lag': 1", ""));
  refuse(TACIT_BAD_INPUT, "\"every\" in panel must be one of",
         PANEL("", "'time': 'd', 'every': 'fortnight'", ""));
  refuse(TACIT_BAD_INPUT, "\"every\" in panel must be one of", PANEL("", "'time': 'd', 'every': 7", ""));
  refuse(TACIT_BAD_INPUT, "\"format\" in panel must have",
         PANEL("", "'time': 'd', 'format': '%d.%m.%Y', 'every': 'number'", ""));
  refuse(TACIT_BAD_INPUT, "\"format\" in panel must have", PANEL("", "'time': 'd', 'format': '%d.%m'", ""));
  refuse(TACIT_BAD_INPUT, "\"by\" in panel must be a column", PANEL("", "'time': 'd', 'by': []", ""));
  refuse(TACIT_BAD_INPUT, "\"by\" in panel must be a string", PANEL("", "'time': 'd', 'by': ['a', 1]", ""));
  refuse(TACIT_BAD_INPUT, "\"unique\" in panel must be true", PANEL("", "'time': 'd', 'unique': false", ""));
  refuse(TACIT_REFUSED, "is blank", PANEL("", "'time': null", ""));
  refuse(TACIT_BAD_INPUT, "panel must be an object", WITH("'panel': 'shop'"));
}

static int64_t period(tacit_every every, double time) {
  int64_t p = INT64_MIN;
  const tacit_panel panel = {.every = every};
  return tacit_panel_period(&panel, time, &p) ? p : INT64_MIN;
}

static void times_have_periods(void **state) {
  (void)state;
  static const double DAY = 86400;
  assert_int_equal(period(TACIT_EVERY_DAY, 0), 0);
  assert_int_equal(period(TACIT_EVERY_DAY, DAY - 1), 0);
  assert_int_equal(period(TACIT_EVERY_DAY, -1), -1); /* before 1970, too, a day is a day */
  assert_int_equal(period(TACIT_EVERY_HOUR, DAY), 24);
  assert_int_equal(period(TACIT_EVERY_HOUR, -1), -1);
  /* 1970-01-04 was a Sunday, 1970-01-05 a Monday */
  assert_int_equal(period(TACIT_EVERY_WEEK, 3 * DAY), 0);
  assert_int_equal(period(TACIT_EVERY_WEEK, 4 * DAY), 1);
  assert_int_equal(period(TACIT_EVERY_WEEK, -4 * DAY), -1);
  assert_int_equal(period(TACIT_EVERY_MONTH, 30 * DAY), 1970 * 12);
  assert_int_equal(period(TACIT_EVERY_MONTH, 31 * DAY), 1970 * 12 + 1);
  assert_int_equal(period(TACIT_EVERY_MONTH, -1), 1970 * 12 - 1);
  assert_int_equal(period(TACIT_EVERY_NUMBER, -7), -7);
  assert_int_equal(period(TACIT_EVERY_NUMBER, 0.5), INT64_MIN);
  assert_int_equal(period(TACIT_EVERY_NUMBER, 0x1p53), INT64_MIN); /* perhaps a neighbour */
  assert_int_equal(period(TACIT_EVERY_NUMBER, 0x1p53 - 1), (INT64_C(1) << 53) - 1);
}

/* The promise of a schema under both adjacencies: accepted, or refused with these words. */
static void promises(const char *text, const char *words, size_t reach) {
  tacit_schema *s = accept(text);
  assert_int_equal(tacit_schema_reach(s), reach);
  for (int a = 0; a < 2; a++) {
    tacit_error error = {""};
    tacit_status status = tacit_schema_check_promise(s, (tacit_adjacency)a, 100, &error);
    assert_int_equal(status, words ? TACIT_REFUSED : TACIT_OK);
    if (words && !strstr(error.text, words)) fail_msg("%s, not %s", error.text, words);
  }
  tacit_schema_free(s);
}

static void look_ups_must_be_counted(void **state) {
  (void)state;
#define BY "'by': 'shop', 'time': 'd'"
  promises(PANEL(LAG("1"), BY, ""), "one record can change 4 rows", 4);
  promises(PANEL(LAG("1"), BY, UNIT("3")), "one record can change 4 rows", 4);
  promises(PANEL(LAG("1"), BY, UNIT("4")), NULL, 4);
  promises(PANEL(LAG("1"), BY ", 'unique': true", UNIT("2")), "one record can change 3 rows", 3);
  promises(PANEL(LAG("1"), BY ", 'unique': true", UNIT("3")), NULL, 3);
  promises(PANEL(LAG("1") ", " LAG("7"), BY, UNIT("6")), NULL, 6);
  promises(PANEL("", BY, ""), NULL, 1);
  /* a group within a unit: its look-ups stay there */
  promises(PANEL(LAG("1"), BY, ", 'unit': {'rows_per_unit': 5, 'column': 'shop'}"), NULL, 1);
  promises(PANEL(LAG("1"), BY, ", 'unit': {'rows_per_unit': 50, 'column': 'guest'}"),
           "add \"guest\" to \"by\"", 4);
  tacit_schema *s = accept(PANEL(LAG("1"), BY, UNIT("9")));
  assert_int_equal(tacit_schema_records_per_unit(s), 2);
  tacit_schema_free(s);
  s = accept(PANEL(LAG("1"), BY, ", 'unit': {'rows_per_unit': 5, 'column': 'shop'}"));
  assert_int_equal(tacit_schema_records_per_unit(s), 5);
  tacit_schema_free(s);
}

#define SUM(sum, features, more)                                                                             \
  "{'target': {'name': 'y', 'min': 0, 'max': 70, 'sum_of_next': " sum "}, 'features': [" features            \
  "], 'panel': {" BY "}" more "}"

/* A record is in the sums of as many rows as there are periods, one of which is its own. */
static void sums_over_periods(void **state) {
  (void)state;
  tacit_schema *s = accept(SUM("7", "", UNIT("14")));
  assert_int_equal(s->targets[0].sum_of_next, 7);
  assert_true(tacit_schema_looks_up(s));
  tacit_schema_free(s);
  promises(SUM("7", "", UNIT("13")), "one record can change 14 rows", 14);
  promises(SUM("7", "", UNIT("14")), NULL, 14);
  promises(SUM("7", "{'name': 'y', 'lag': 3, 'min': 0, 'max': 10}", UNIT("16")), NULL, 16);
  promises(SUM("1", "", ""), NULL, 1);
  promises(SUM("7", "", UNIT("14") ", 'private': 'target'"), "cannot be combined with \"private\"", 14);
  s = accept(SUM("7", "{'name': 'y', 'lag': 3, 'min': 0, 'max': 10}", ""));
  assert_true(s->features[0].scale.center == 5 && s->features[0].scale.half == 5);
  tacit_schema_free(s);
  refuse(TACIT_REFUSED, "the target's bounds are those of a sum", SUM("7", LAG("1"), ""));
  refuse(TACIT_BAD_INPUT, "leave out its own", FEATURES("{'name': 'y', 'lag': 1, 'min': 0, 'max': 10}"));
  refuse(TACIT_BAD_INPUT, "\"sum_of_next\" in target must be a whole number from 1 to 1000",
         SUM("0", "", ""));
  refuse(TACIT_BAD_INPUT, "\"sum_of_next\" in target must be a whole number from 1 to 1000",
         SUM("1001", "", ""));
  refuse(TACIT_BAD_INPUT, "is looked up by time: add \"panel\"",
         TARGET("{'name': 'y', 'min': 0, 'max': 70, 'sum_of_next': 2}"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_panel_is_read),    cmocka_unit_test(what_no_panel_may_say),
      cmocka_unit_test(times_have_periods), cmocka_unit_test(look_ups_must_be_counted),
      cmocka_unit_test(sums_over_periods),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
