/* Units are counted exactly, however many there are and whatever their ids look like. */
#include "data/units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

static bool take_text(tacit_units *units, const char *id, size_t length) {
  bool keep;
  assert_int_equal(tacit_units_take(units, &(tacit_cell){.text = id, .length = length}, &keep, NULL),
                   TACIT_OK);
  return keep;
}

static bool take_number(tacit_units *units, double id) {
  bool keep;
  assert_int_equal(tacit_units_take(units, &(tacit_cell){.number = id}, &keep, NULL), TACIT_OK);
  return keep;
}

static void every_unit_has_its_share(void **state) {
  (void)state;
  enum { UNITS = 50000, LIMIT = 3 };
  tacit_units *units;
  assert_int_equal(tacit_units_new(LIMIT, &units, NULL), TACIT_OK);
  for (int round = 0; round < LIMIT + 2; round++)
    for (int u = 0; u < UNITS; u++) {
      char id[32];
      int length = snprintf(id, sizeof id, "guest %d", u);
      assert_int_equal(take_text(units, id, (size_t)length), round < LIMIT);
    }
  tacit_units_free(units);
  tacit_units_free(NULL);
}

static void ids_are_told_apart_byte_for_byte(void **state) {
  (void)state;
  tacit_units *units;
  assert_int_equal(tacit_units_new(1, &units, NULL), TACIT_OK);
  assert_true(take_text(units, "", 0));
  assert_false(take_text(units, "", 0));
  assert_true(take_text(units, "ab", 2));
  assert_true(take_text(units, "ab", 1));
  assert_true(take_text(units, "ab ", 3));
  assert_true(take_text(units, "AB", 2));
  assert_false(take_text(units, "abc", 2));
  tacit_units_free(units);
}

static void equal_numbers_are_one_unit(void **state) {
  (void)state;
  tacit_units *units;
  assert_int_equal(tacit_units_new(1, &units, NULL), TACIT_OK);
  assert_true(take_number(units, 0.0));
  assert_false(take_number(units, -0.0));
  assert_true(take_number(units, NAN));
  assert_false(take_number(units, -(double)NAN));
  assert_true(take_number(units, 1));
  assert_true(take_number(units, nextafter(1, 2)));
  tacit_units_free(units);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_unit_has_its_share),
      cmocka_unit_test(ids_are_told_apart_byte_for_byte),
      cmocka_unit_test(equal_numbers_are_one_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
