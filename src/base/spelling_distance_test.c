/* Spellings that are near each other, and bytes that are UTF-8. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

static void near_words_are_found(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    size_t distance;
  } CASES[] = {{"fit", "fit", 0},
               {"Demand", "demand", 0},
               {"ftt", "fit", 1},
               {"tfi", "fit", SIZE_MAX},
               {"fti", "fit", 1},
               {"shema", "schema", 1},
               {"evlauate", "evaluate", 1},
               {"quantil", "quantile", 1},
               {"x", "y", SIZE_MAX},
               {"", "y", SIZE_MAX},
               {"plan", "order", SIZE_MAX},
               {"temperatur", "temperature", 1},
               {"nominal_rows", "nominal-rows", 1}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    assert_int_equal(tacit_spelling_distance(CASES[i].a, CASES[i].b), CASES[i].distance);
  char longer[100];
  memset(longer, 'a', sizeof longer);
  longer[sizeof longer - 1] = 0;
  assert_int_equal(tacit_spelling_distance(longer, longer), SIZE_MAX);
}

static void bytes_are_utf8_or_not(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool is;
  } CASES[] = {{"", true},
               {"plain", true},
               {"caf\xc3\xa9", true},
               {"caf\xe9", false},
               {"\xe2\x82\xac", true},
               {"\xe2\x82", false},
               {"\x80", false},
               {"\xc0\xaf", false},
               {"\xed\xa0\x80", false},
               {"\xf0\x9f\x8d\x9e", true},
               {"\xf4\x90\x80\x80", false},
               {"\xff", false}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    assert_int_equal(tacit_is_utf8(CASES[i].text, strlen(CASES[i].text)), CASES[i].is);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(near_words_are_found),
                                     cmocka_unit_test(bytes_are_utf8_or_not)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
