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
  static const size_t problems[METHODS] = {50, 60, 30, 20, 40, 20, 3, 6, 20, 15, 10, 40, 80};
  tally found = {0};
  for (method m = 0; m < METHODS; m++) search(1000, quick() ? 1 : problems[m], m, NO_FAULT, &found);
  static const uint64_t MORE[] = {4000, 5000, 6000}; /* more units of many rows */
  for (size_t i = 0; i < 3 && !quick(); i++) search(MORE[i], 40, BY_LOCATION_SCALE, NO_FAULT, &found);
  tally_print(&found);
  assert_nothing_moves_further(&found);
  if (!quick()) assert_not_vacuous(&found, 0.95);
}

/* Units whose counts are held to more on one side than on the other. */
static void no_release_that_leans_moves_further(void **state) {
  (void)state;
  tally found = {0};
  search(LEANING, quick() ? 1 : 60, BY_LOCATION_SCALE, NO_FAULT, &found);
  tally_print(&found);
  assert_nothing_moves_further(&found);
  if (quick()) return;
  printf("counts that lean: %.9f and %.9f of the stated distance\n", found.leaning[0], found.leaning[1]);
  assert_true(found.leaning[0] > 0.98 && found.leaning[1] > 0.98);
}

/* Rows that look other records up, with keys that records share or that one is moved to. */
static void no_release_of_panels_moves_further(void **state) {
  (void)state;
  static const size_t problems[METHODS] = {60, 40, 20, 60, 30, 30, 4, 4, 20, 10, 5, 60};
  tally found = {0};
  for (method m = 0; m < METHODS; m++)
    if (problems[m]) search(PANELS, quick() ? 1 : problems[m], m, NO_FAULT, &found);
  tally_print(&found);
  assert_nothing_moves_further(&found);
  if (quick()) return;
  assert_true(found.of_panels > found.pairs / 2 && found.of_sums && found.verified);
  for (method m = 0; m < METHODS; m++)
    assert_true(!problems[m] || found.of_method[m][0] + found.of_method[m][1] > 0);
  assert_true(found.refused < found.pairs / 10);
  /* a row that looks keeps its own cells, so a sum comes less near to what is stated (proofs/panels.md) */
  assert_true(found.largest[TACIT_RELEASE_SCORES] > 0.6 && found.largest[TACIT_RELEASE_COUNT] > 0.9);
}

/* Days that sold out, in most problems: a row's bit is its own. */
static void no_release_of_sales_moves_further(void **state) {
  (void)state;
  tally found = {0};
  search(STOCKS, quick() ? 1 : 40, BY_MEDIAN_NEWTON, NO_FAULT, &found);
  search(STOCKS, quick() ? 1 : 40, BY_LOCATION_SCALE, NO_FAULT, &found);
  tally_print(&found);
  assert_nothing_moves_further(&found);
  if (!quick()) assert_true(found.of_stocks > found.pairs / 3);
}

/* From a file of events to the released integers: whole customers come, go, and are replaced. */
static void no_release_from_events_moves_further(void **state) {
  (void)state;
  static const size_t problems[METHODS] = {
      [BY_MEDIAN_NEWTON] = 10, [BY_LOCATION_SCALE] = 30, [BY_FOLLOW] = 10,   [BY_BISECTION] = 20,
      [BY_NOISY_GD] = 10,      [BY_GRADIENT] = 10,       [BY_EVALUATE] = 20, [BY_BOUNDED_CHANGE] = 120};
  tally found = {0};
  for (method m = 0; m < METHODS; m++)
    if (problems[m]) search(EVENTS, quick() ? 1 : problems[m], m, NO_FAULT, &found);
  tally_print(&found);
  assert_nothing_moves_further(&found);
  if (!quick()) assert_events_are_searched(&found, 0.98);
}

static void planted_faults_are_found(void **state) {
  (void)state;
  if (quick()) skip();
  assert_faults_are_found(8);
  assert_faults_of_events_are_found(12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_release_moves_further_than_stated),
                                     cmocka_unit_test(no_release_that_leans_moves_further),
                                     cmocka_unit_test(no_release_of_panels_moves_further),
                                     cmocka_unit_test(no_release_of_sales_moves_further),
                                     cmocka_unit_test(no_release_from_events_moves_further),
                                     cmocka_unit_test(planted_faults_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
