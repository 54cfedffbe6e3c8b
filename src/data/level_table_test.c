/* The table finds what the search over sorted names finds. */
#include "data/level_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char JSON[] = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 1}, \"features\": ["
                           "{\"name\": \"a\", \"levels\": [\"MON\", \"TUE\", \"MONDAYMONDAY\", \"12345678\", "
                           "\"123456789\", \"m\", \"M\", "
                           "\"other\", \"MO\", \"\\u00e9\", \" \"]},"
                           "{\"name\": \"b\", \"levels\": [\"MON\", \"TUE\"], \"missing\": \"TUE\"}]}";

static const char *const TEXTS[] = {"",         "MON",        "TUE",         "MONDAYMONDAY", "MONDAYMONDAX",
                                    "12345678", "1234567",    "123456789",   "1234567890",   "m",
                                    "M",        "MO",         "\xC3\xA9",    "\xC3",         " ",
                                    "  ",       "other",      "OTHER",       "MON ",         "TUESDAY",
                                    "x",        "12345678.0", "1.2345678e7", "1234567.0",    "012345678"};

static void as_the_search(void **state) {
  (void)state;
  tacit_schema *schema;
  assert_int_equal(tacit_schema_parse(JSON, strlen(JSON), &schema, NULL), TACIT_OK);
  for (size_t f = 0; f < 2; f++) {
    tacit_level_table table;
    tacit_level_values values;
    assert_int_equal(tacit_level_values_open(&values, &schema->features[f], NULL), TACIT_OK);
    assert_int_equal(tacit_level_table_open(&table, &values, NULL), TACIT_OK);
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
      for (size_t more = 0; more < 12; more++) { /* bytes behind the cell */
        size_t length = strlen(TEXTS[i]);
        char *text = malloc(length + more + 1);
        memcpy(text, TEXTS[i], length);
        memset(text + length, ',', more);
        assert_int_equal(tacit_level_table_find(&table, text, length, text + length + more),
                         tacit_level_of(&values, &(tacit_cell){.text = TEXTS[i], .length = length}));
        free(text);
      }
    tacit_level_table_close(&table);
    tacit_level_values_close(&values);
  }
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_search)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
