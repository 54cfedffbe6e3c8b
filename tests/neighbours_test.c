/* Neighbouring tables: no release of any private method moves further than stated, nothing else moves at all,
   and the search finds faults that are planted (neighbours/neighbours.h). The long test has far more tables.
 */
#include "neighbours/neighbours.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static bool quick(void) {
  return getenv("TACIT_QUICK") != NULL;
}

static void no_release_moves_further_than_stated(void **state) {
  (void)state;
  static const size_t problems[METHODS] = {50, 60, 20, 40, 20, 3, 6, 20, 15, 10, 40};
  tally found = {0};
  for (method m = 0; m < METHODS; m++) search(1000, quick() ? 1 : problems[m], m, NO_FAULT, &found);
  if (!quick()) search(4000, 40, BY_LOCATION_SCALE, NO_FAULT, &found); /* more units of many rows */
  tally_print(&found);
  assert_nothing_moves_further(&found);
  if (!quick()) assert_not_vacuous(&found, 0.95);
}

static void planted_faults_are_found(void **state) {
  (void)state;
  if (quick()) skip();
  assert_faults_are_found(8);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_release_moves_further_than_stated),
                                     cmocka_unit_test(planted_faults_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
