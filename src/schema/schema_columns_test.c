/* Columns as tables have them: flags, levels that are numbers, folded or hashed, dates, interactions. What
   each becomes, what it is called, and what is refused. */
#include "schema/schema.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "schema/schema_for_test.h"

static void names_are(const char *text, const char *const *names) {
  tacit_schema *schema = accept(text);
  size_t count = 0;
  for (; names[count]; count++) {
    const char *name = tacit_schema_column_name(schema, count + 1);
    if (!name || strcmp(name, names[count]) != 0)
      fail_msg("column %zu is \"%s\", not \"%s\"", count + 1, name ? name : "(none)", names[count]);
  }
  assert_int_equal(schema->columns, count + 1);
  tacit_schema_free(schema);
}

static void flags(void **state) {
  (void)state;
  names_are(FEATURES("{'name': 'promo', 'flag': true}, {'name': 'open', 'flag': true, 'missing': false}"),
            (const char *const[]){"promo", "open", NULL});
  refuse(TACIT_BAD_INPUT, "\"flag\" in features[0] must be true",
         FEATURES("{'name': 'promo', 'flag': false}"));
  refuse(TACIT_BAD_INPUT, "must be true or false", FEATURES("{'name': 'promo', 'flag': true, 'missing': 1}"));
  refuse(TACIT_BAD_INPUT, "unknown key \"min\"", FEATURES("{'name': 'promo', 'flag': true, 'min': 0}"));
  refuse(TACIT_BAD_INPUT, "is a target", FEATURES("{'name': 'y', 'flag': true}"));
}

static void levels(void **state) {
  (void)state;
  names_are(FEATURES("{'name': 'shop', 'levels': [1, 24, 0.5, -3, 1e22, 'x'], 'missing': 24}"),
            (const char *const[]){"shop=24", "shop=0.5", "shop=-3", "shop=10000000000000000000000", "shop=x",
                                  NULL});
  names_are(FEATURES("{'name': 'a', 'levels': ['p'], 'other': true}"),
            (const char *const[]){"a=other", NULL});
  names_are(FEATURES("{'name': 'a', 'levels': ['p', 'q'], 'other': 'rest', 'missing': 'rest'}"),
            (const char *const[]){"a=q", "a=rest", NULL});
  refuse(TACIT_BAD_INPUT, "lists \"1\" twice", FEATURES("{'name': 'a', 'levels': [1, 1.0]}"));
  refuse(TACIT_BAD_INPUT, "lists \"other\" twice",
         FEATURES("{'name': 'a', 'levels': ['other', 'p'], 'other': true}"));
  refuse(TACIT_BAD_INPUT, "\"other\" in features[0] must be true",
         FEATURES("{'name': 'a', 'levels': [1, 2], 'other': 3}"));
  refuse(TACIT_BAD_INPUT, "lists \"mon \" twice",
         FEATURES("{'name': 'a', 'levels': ['MON', 'mon '], 'fold': true}"));
  refuse(TACIT_BAD_INPUT, "level of blanks", FEATURES("{'name': 'a', 'levels': ['MON', ' '], 'fold': true}"));
  refuse(TACIT_BAD_INPUT, "\"fold\" in features[0] must be true",
         FEATURES("{'name': 'a', 'levels': ['MON', 'TUE'], 'fold': 1}"));
  tacit_schema *schema = accept(
      FEATURES("{'name': 'a', 'levels': ['Mon', 'TUE ', 'Mär', 'À×Þ', 'šÿß'], 'fold': true, 'other': true}"));
  static const struct {
    const char *text;
    size_t level;
  } CELLS[] = {{"mon", 0}, {" MON\t", 0}, {"tue", 1},    {"Tue ", 1},         {"MäR", 2},
               {"MÄR", 2}, {"mÅr", 5},    {"à×þ", 3},    {"À×þ", 3},          {"à÷þ", 5},
               {"šÿß", 4}, {"Šÿß", 5},    {"monday", 5}, {"", 5 /* other */}, {"  ", 5}};
  for (size_t i = 0; i < sizeof CELLS / sizeof *CELLS; i++)
    assert_int_equal(tacit_feature_level(schema->features, CELLS[i].text, strlen(CELLS[i].text)),
                     CELLS[i].level);
  char longest[400];
  memset(longest, 'm', sizeof longest);
  assert_int_equal(tacit_feature_level(schema->features, longest, sizeof longest), 5);
  tacit_schema_free(schema);
}

/* Known answers: SHA-256 of abc begins with ba7816bf8f01cfea, that of 24 with c2356069e9d1e79c. */
static void buckets(void **state) {
  (void)state;
  tacit_schema *schema =
      accept(FEATURES("{'name': 'a', 'hash': 1000}, {'name': 'b', 'hash': 1000, 'fold': true}"));
  const tacit_feature *a = &schema->features[0], *b = &schema->features[1];
  assert_int_equal(schema->columns, 1 + 999 + 999);
  assert_string_equal(tacit_schema_column_name(schema, 5), "a=#5");
  assert_int_equal(tacit_feature_level(a, "abc", 3), 0xba7816bf8f01cfeaU % 1000);
  assert_int_equal(tacit_feature_level(a, "24", 2), 0xc2356069e9d1e79cU % 1000);
  assert_int_equal(tacit_feature_level(a, "", 0), 0);
  assert_int_equal(tacit_feature_level(b, " ABC", 4), 0xba7816bf8f01cfeaU % 1000);
  assert_int_not_equal(tacit_feature_level(a, "ABC", 3), tacit_feature_level(b, "ABC", 3));
  tacit_schema_free(schema);
  refuse(TACIT_BAD_INPUT, "from 2 to 2048", FEATURES("{'name': 'a', 'hash': 1}"));
  refuse(TACIT_BAD_INPUT, "unknown key \"missing\"", FEATURES("{'name': 'a', 'hash': 8, 'missing': 'x'}"));
}

static void dates(void **state) {
  (void)state;
  names_are(FEATURES("{'name': 'd', 'date': ['trend', 'weekday', 'day-of-year'], 'start': '2016-01-01', "
                     "'end': '2026-12-31', 'harmonics': 1, 'holidays': ['2016-12-25']}"),
            (const char *const[]){"d[trend]", "d[weekday]=Tuesday", "d[weekday]=Wednesday",
                                  "d[weekday]=Thursday", "d[weekday]=Friday", "d[weekday]=Saturday",
                                  "d[weekday]=Sunday", "d[day-of-year sin 1]", "d[day-of-year cos 1]",
                                  "d[holiday]", NULL});
  tacit_schema *schema = accept(FEATURES("{'name': 'd', 'date': ['month', 'week', 'hour']}"));
  assert_int_equal(schema->columns, 1 + 11 + 52 + 23);
  assert_string_equal(tacit_schema_column_name(schema, 1), "d[month]=February");
  assert_string_equal(tacit_schema_column_name(schema, 12), "d[week]=2");
  assert_string_equal(tacit_schema_column_name(schema, 64), "d[hour]=1");
  tacit_schema_free(schema);
#define DATE(d) FEATURES("{'name': 'd', 'date': " d "}")
  refuse(TACIT_BAD_INPUT, "must list some of", DATE("[]"));
  refuse(TACIT_BAD_INPUT, "must list some of", DATE("'weekday'"));
  refuse(TACIT_BAD_INPUT, "must list some of", DATE("['Weekday']"));
  refuse(TACIT_BAD_INPUT, "must list some of", DATE("['month', 'month']"));
  refuse(TACIT_BAD_INPUT, "must list some of", DATE("['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']"));
  refuse(TACIT_REFUSED, "trend of column \"d\" has no public bounds", DATE("['trend']"));
  refuse(TACIT_BAD_INPUT, "both \"start\" and \"end\"", DATE("['trend'], 'start': '2016-01-01'"));
  refuse(TACIT_BAD_INPUT, "both \"start\" and \"end\"",
         DATE("['trend'], 'start': '2016-01-01', 'end': '2016-01-01'"));
  refuse(TACIT_BAD_INPUT, "\"start\" in features[0] must be a date",
         DATE("['trend'], 'start': '2016-02-31', 'end': '2016-03-01'"));
  refuse(TACIT_BAD_INPUT, "without a time of day",
         DATE("['trend'], 'start': '2016-02-28T10:00', 'end': '2016-03-01'"));
  refuse(TACIT_REFUSED, "\"end\" in features[0] (column \"d\") is blank",
         DATE("['trend'], 'start': '2016-02-28', 'end': null"));
  refuse(TACIT_BAD_INPUT, "\"format\" in features[0] must have %Y", DATE("['month'], 'format': '%y-%m-%d'"));
  refuse(TACIT_BAD_INPUT, "goes with \"day-of-year\"", DATE("['month'], 'harmonics': 2"));
  refuse(TACIT_BAD_INPUT, "array of 1 to 10000 dates", DATE("['month'], 'holidays': []"));
  refuse(TACIT_BAD_INPUT, "\"holidays\" in features[0] must be a date",
         DATE("['month'], 'holidays': ['25.12.']"));
  refuse(TACIT_BAD_INPUT, "\"missing\" in features[0] must be a date", DATE("['month'], 'missing': 0"));
  refuse(TACIT_BAD_INPUT, "both be called \"d[month]=April\"",
         FEATURES("{'name': 'd', 'date': ['month']}, {'name': 'd', 'date': ['month']}"));
}

/* Each part of a few moments: weekdays by the calendar on the wall, ISO weeks at the turn of years. */
static void parts_of_moments(void **state) {
  (void)state;
  tacit_schema *schema = accept(FEATURES(
      "{'name': 'd', 'date': ['weekday', 'month', 'week', 'hour', 'trend', 'day-of-year'], 'start': "
      "'2016-01-01', 'end': '2016-01-11', 'harmonics': 1, 'holidays': ['2016-12-25', '2016-01-01']}"));
  static const struct {
    double seconds;
    size_t weekday, month, week, hour;
    double trend;
    int day;
    bool holiday;
  } MOMENTS[] = {
      {1451606400, 4, 0, 52, 0, -1, 1, true},              /* Friday 2016-01-01, in week 53 of 2015 */
      {1451606400 + 5 * 86400.0, 2, 0, 0, 0, 0, 6, false}, /* halfway */
      {1451606400 + 2.25 * 86400, 6, 0, 52, 6, -0.55, 3, false},
      {1451606400 + 10.5 * 86400, 0, 0, 1, 12, 1, 11, false},
      {1456704000 + 86399, 0, 1, 8, 23, 1, 60, false}, /* 2016-02-29 23:59:59 */
      {1482624000 + 3600, 6, 11, 50, 1, 1, 360, true}, /* Christmas */
      {-1, 2, 11, 0, 23, -1, 365, false},              /* Wednesday 1969-12-31, in week 1 of 1970 */
  };
  double out[64];
  for (size_t i = 0; i < sizeof MOMENTS / sizeof *MOMENTS; i++) {
    const size_t levels[] = {MOMENTS[i].weekday, MOMENTS[i].month, MOMENTS[i].week, MOMENTS[i].hour};
    for (size_t f = 0; f < 4; f++) {
      const tacit_feature *feature = &schema->features[f];
      tacit_feature_encode(feature, MOMENTS[i].seconds, out);
      for (size_t k = 0; k < feature->width; k++) assert_true(out[k] == (k + 1 == levels[f]));
    }
    tacit_feature_encode(&schema->features[4], MOMENTS[i].seconds, out);
    assert_true(out[0] == MOMENTS[i].trend);
    tacit_feature_encode(&schema->features[5], MOMENTS[i].seconds, out);
    double angle = 2 * acos(-1) * MOMENTS[i].day / 365.25;
    assert_true(fabs(out[0] - sin(angle)) < 1e-14 && fabs(out[1] - cos(angle)) < 1e-14);
    tacit_feature_encode(&schema->features[6], MOMENTS[i].seconds, out);
    assert_true(out[0] == MOMENTS[i].holiday);
  }
  tacit_schema_free(schema);
}

#define AB "{'name': 'a', 'levels': ['p', 'q', 'r']}, {'name': 'b', 'levels': [1, 2, 3]}, "
#define NUMBERS "{'name': 'x', 'min': 0, 'max': 4}, {'name': 'z', 'center': 0, 'scale': 1}, "

static void interactions_are_named_as_r_does(void **state) {
  (void)state;
  names_are(
      FEATURES("{'interaction': ['a', 'b']}, " AB "{'name': 'f', 'flag': true}, " NUMBERS
               "{'name': 'd', 'date': ['hour']}, {'interaction': ['x', 'a']}, {'interaction': ['x', 'z']},"
               "{'interaction': ['f', 'a', 'x']}"),
      (const char *const[]){
          "a=q:b=2",    "a=r:b=2",    "a=q:b=3",    "a=r:b=3",    "a=q",        "a=r",        "b=2",
          "b=3",        "f",          "x",          "z",          "d[hour]=1",  "d[hour]=2",  "d[hour]=3",
          "d[hour]=4",  "d[hour]=5",  "d[hour]=6",  "d[hour]=7",  "d[hour]=8",  "d[hour]=9",  "d[hour]=10",
          "d[hour]=11", "d[hour]=12", "d[hour]=13", "d[hour]=14", "d[hour]=15", "d[hour]=16", "d[hour]=17",
          "d[hour]=18", "d[hour]=19", "d[hour]=20", "d[hour]=21", "d[hour]=22", "d[hour]=23", "x:a=q",
          "x:a=r",      "x:z",        "f:a=q:x",    "f:a=r:x",    NULL});
}

static void interactions(void **state) {
  (void)state;
  tacit_schema *schema = accept(
      FEATURES(AB NUMBERS "{'name': 'hour', 'min': 0, 'max': 23}, {'name': 'd', 'date': ['hour', 'weekday']},"
                          "{'interaction': ['a', 'weekday']}, {'interaction': ['d[hour]', 'x']},"
                          "{'interaction': ['hour', 'z']}, {'interaction': ['z', 'x']}"));
  const tacit_feature *f = schema->features;
  assert_int_equal(f[7].kind, TACIT_FEATURE_CATEGORY); /* at most one is on */
  assert_int_equal(f[7].width, 2 * 6);
  assert_int_equal(f[8].kind, TACIT_FEATURE_PRODUCT);
  assert_int_equal(f[8].width, 23);
  assert_int_equal(f[9].factors[0], 4); /* the column of that name comes before a date's part */
  /* products of what stands in the columns, held to 8 scales */
  double *x = calloc(2 * schema->columns, sizeof *x);
  for (size_t i = 0; i < 2; i++) {
    x[2 * f[0].first + i] = i == 1;      /* a=q */
    x[2 * (f[6].first + 4) + i] = 1;     /* Saturday */
    x[2 * f[2].first + i] = i ? 0.5 : 1; /* x */
    x[2 * f[3].first + i] = i ? -8 : 8;
    x[2 * f[4].first + i] = i ? 1 : -1;
  }
  tacit_schema_multiply(schema, 2, 2, x);
  for (size_t k = 0; k < 12; k++) {
    assert_true(x[2 * (f[7].first + k)] == 0);
    assert_true(x[2 * (f[7].first + k) + 1] == (k == 8)); /* a=q is the first of two, Saturday the fifth */
  }
  assert_true(x[2 * f[9].first] == -8 && x[2 * f[9].first + 1] == -8);
  assert_true(x[2 * f[10].first] == 8 && x[2 * f[10].first + 1] == -4);
  free(x);
  tacit_schema_free(schema);
  schema = accept(FEATURES("{'name': 'z', 'center': 0, 'scale': 1}, {'name': 'w', 'center': 0, 'scale': 1}, "
                           "{'interaction': ['z', 'w']}"));
  double far[] = {1, 8, -7.5, 0};
  tacit_schema_multiply(schema, 1, 1, far);
  assert_true(far[3] == -8); /* and not -60 */
  assert_true(tacit_feature_limit(&schema->features[2]) == 8);
  tacit_schema_free(schema);
  refuse(TACIT_BAD_INPUT, "two or three", FEATURES(AB "{'interaction': ['a']}"));
  refuse(TACIT_BAD_INPUT, "two or three", FEATURES(AB "{'interaction': 'a'}"));
  refuse(TACIT_BAD_INPUT, "names \"a\" twice", FEATURES(AB "{'interaction': ['a', 'a']}"));
  refuse(TACIT_BAD_INPUT, "is no feature", FEATURES(AB "{'interaction': ['a', 'c']}"));
  refuse(TACIT_BAD_INPUT, "must be a string", FEATURES(AB "{'interaction': ['a', 1]}"));
  refuse(TACIT_BAD_INPUT, "name of several",
         FEATURES(AB "{'name': 'a', 'min': 0, 'max': 1}, {'interaction': ['a', 'b']}"));
  refuse(TACIT_BAD_INPUT, "unknown key \"name\"", FEATURES(AB "{'interaction': ['a', 'b'], 'name': 'c'}"));
  refuse(TACIT_BAD_INPUT, "more than 2048 encoded columns",
         FEATURES("{'name': 'a', 'hash': 60}, {'name': 'b', 'hash': 60}, {'interaction': ['a', 'b']}"));
}

static void blanks_are_named(void **state) {
  (void)state;
  refuse(TACIT_REFUSED, "\"min\" in features[0] (column \"a\") is blank",
         FEATURES("{'name': 'a', 'min': null, 'max': 1}"));
  refuse(TACIT_REFUSED, "\"levels\" in features[0] (column \"a\") is blank",
         FEATURES("{'name': 'a', 'levels': null}"));
  refuse(TACIT_REFUSED, "\"name\" in target is blank",
         "{'target': {'name': null, 'min': 0, 'max': 1}, 'features': []}");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flags),
      cmocka_unit_test(levels),
      cmocka_unit_test(buckets),
      cmocka_unit_test(dates),
      cmocka_unit_test(parts_of_moments),
      cmocka_unit_test(interactions_are_named_as_r_does),
      cmocka_unit_test(interactions),
      cmocka_unit_test(blanks_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
