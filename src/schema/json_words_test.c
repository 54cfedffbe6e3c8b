/* The mistakes that people make in a schema's JSON are told with what to write instead. */
#include "schema/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

static void mistakes_are_known(void **state) {
  (void)state;
#define BEGIN "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": "
#define LEVELS BEGIN "9}, \"features\": [{\"name\": \"a\", \"levels\": ["
  static const struct {
    const char *json, *words;
  } CASES[] = {{LEVELS "01, 02]}]}", "stands in quotes, such as \"01\""},
               {LEVELS "1, 01]}]}", "stands in quotes, such as \"01\""},
               {BEGIN "-01}, \"features\": []}", "stands in quotes, such as \"01\""},
               {BEGIN "0,5}, \"features\": []}", "0.5, not 0,5"},
               {BEGIN "12,75 }, \"features\": []}", "0.5, not 0,5"},
               {BEGIN ".5}, \"features\": []}", "0.5, not .5"},
               {BEGIN "9,}, \"features\": []}", "remove the comma before it"},
               {LEVELS "\"b\", ]}]}", "remove the comma before it"},
               {"{'target': 1}", "double quotes"},
               {LEVELS "b, c]}]}", "double quotes"},
               {BEGIN "9}, \"features\": [{\"name\": \"a\", \"flag\": True}]}", "small letters"},
               {BEGIN "9 \"missing\": 1}, \"features\": []}", "a comma is missing"},
               {BEGIN "9}, \"features\": [", "not closed"},
               {"day,shop,sold\n1,2,3\n", "is this a table"},
               {"", "is this a table"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    tacit_schema *schema;
    tacit_error error = {""};
    assert_int_equal(tacit_schema_parse(CASES[i].json, strlen(CASES[i].json), &schema, &error),
                     TACIT_BAD_INPUT);
    if (!strstr(error.text, CASES[i].words)) fail_msg("%s: %s", CASES[i].json, error.text);
  }
}

/* A table in the schema's place is not quoted: without a header its first line is somebody's record. */
static void nothing_of_a_table_is_told(void **state) {
  (void)state;
  static const char TABLE[] = "Anna,7\nBert,9\n";
  tacit_schema *schema;
  tacit_error error;
  assert_int_equal(tacit_schema_parse(TABLE, strlen(TABLE), &schema, &error), TACIT_BAD_INPUT);
  assert_null(strstr(error.text, "Anna"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes_are_known),
                                     cmocka_unit_test(nothing_of_a_table_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
