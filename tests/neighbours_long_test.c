/* The same search as in neighbours_test.c at length: thousands of tables, and the largest distances come
   within a thousandth of what is stated. A first argument asks for one problem by its number. */
#include "neighbours/neighbours.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PROBLEMS = 4500, PAIRS = 8000, RELEASES = 300000 };

static void no_release_moves_further_than_stated(void **state) {
  (void)state;
  tally found = {0};
  search(1, PROBLEMS, METHODS, NO_FAULT, &found);
  tally_print(&found);
  assert_nothing_moves_further(&found);
  assert_not_vacuous(&found, 0.999);
  assert_true(found.largest[TACIT_RELEASE_MINIMISER] > 0.2 && found.gradient > 0.2);
  assert_true(found.pairs >= PAIRS && found.releases >= RELEASES);
}

static void planted_faults_are_found(void **state) {
  (void)state;
  assert_faults_are_found(24);
}

static int one_problem(uint64_t number) {
  tally found = {0};
  search(number, 1, METHODS, NO_FAULT, &found);
  tally_print(&found);
  return found.first[0] != 0;
}

int main(int count, char **arguments) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_release_moves_further_than_stated),
                                     cmocka_unit_test(planted_faults_are_found)};
  if (count > 1) return one_problem(strtoull(arguments[1], NULL, 10));
  return cmocka_run_group_tests(tests, NULL, NULL);
}
