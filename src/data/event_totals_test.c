/* One customer more or less changes at most so many totals by at most so much, whatever the events are. */
#include "data/event_totals.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

enum { ROWS = 12, EVENTS_MAX = 60, CUSTOMERS = 5 };

typedef struct event {
  int customer; /* 0: none is said */
  size_t row;
  double quantity;
} event;

/* Row hashes are those of any public numbers. */
static uint64_t hash_of(size_t row) {
  return (row + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

/* The totals of all events but those of one customer (-1: of none). */
static tacit_event_counts add_up(const event *events, size_t count, int without,
                                 const tacit_event_limits *limits, double total[ROWS]) {
  tacit_event_totals *totals;
  char name[16];
  assert_int_equal(tacit_event_totals_new(ROWS, limits, &totals, NULL), TACIT_OK);
  for (size_t i = 0; i < count; i++) {
    if (events[i].customer == without) continue;
    int length = events[i].customer ? snprintf(name, sizeof name, "c%d", events[i].customer) : 0;
    const tacit_cell cell = {.text = name, .length = (size_t)length};
    assert_int_equal(tacit_event_totals_add(totals, &cell, events[i].row, hash_of(events[i].row),
                                            events[i].quantity, NULL),
                     TACIT_OK);
  }
  assert_int_equal(tacit_event_totals_end(totals, total, NULL), TACIT_OK);
  tacit_event_counts counts = *tacit_event_totals_counts(totals);
  tacit_event_totals_free(totals);
  return counts;
}

static double any_quantity(void) {
  static const double odd[] = {0, -1, 1e300, INFINITY, -INFINITY, 0.1, 1e-300, 3, 7, -0.3, 1e17};
  return rand() % 3 ? rand() % 9 - 2 : odd[(size_t)rand() % (sizeof odd / sizeof *odd)];
}

static void one_customer_changes_no_more_than_the_limits(void **state) {
  (void)state;
  static const double changes[] = {1, 2.5, 0.1, 1e-9, 3e8};
  event events[EVENTS_MAX];
  double with[ROWS], gone[ROWS];
  size_t full = 0;
  srand(1);
  for (int round = 0; round < 4000; round++) {
    const tacit_event_limits limits = {1 + (size_t)rand() % 6, changes[(size_t)rand() % 5], false};
    size_t count = (size_t)rand() % EVENTS_MAX;
    for (size_t i = 0; i < count; i++)
      events[i] = (event){rand() % (CUSTOMERS + 1), (size_t)rand() % ROWS, any_quantity()};
    (void)add_up(events, count, -1, &limits, with);
    for (int c = 1; c <= CUSTOMERS; c++) {
      size_t changed = 0;
      (void)add_up(events, count, c, &limits, gone);
      for (size_t i = 0; i < ROWS; i++) {
        changed += with[i] != gone[i];
        assert_true(with[i] >= gone[i] && with[i] - gone[i] <= limits.change);
      }
      assert_true(changed <= limits.rows);
      full += changed == limits.rows && limits.rows > 1;
    }
  }
  assert_true(full > 1000); /* the search comes to the limit */
}

/* The kept rows do not depend on the order of the events, nor on other customers. */
static void which_rows_are_kept_depends_on_the_customer_alone(void **state) {
  (void)state;
  const tacit_event_limits limits = {3, 10, false};
  event one[2 * ROWS], turned[2 * ROWS];
  double first[ROWS], second[ROWS];
  size_t kept = 0;
  for (size_t i = 0; i < ROWS; i++) one[i] = (event){1, i, 1 + (double)i / 4};
  for (size_t i = 0; i < ROWS; i++) turned[i] = one[ROWS - 1 - i];
  for (size_t i = ROWS; i < 2 * ROWS; i++) one[i] = turned[i] = (event){1, i - ROWS, 0.5};
  tacit_event_counts counts = add_up(one, 2 * ROWS, -1, &limits, first);
  assert_int_equal(counts.customers, 1);
  assert_int_equal(counts.busy, 1);
  (void)add_up(turned, 2 * ROWS, -1, &limits, second);
  assert_memory_equal(first, second, sizeof first);
  for (size_t i = 0; i < ROWS; i++) kept += first[i] > 0;
  assert_int_equal(kept, 3);
}

/* Of many busy customers every row keeps its share. */
static void no_row_is_starved(void **state) {
  (void)state;
  enum { BUSY = 3000 };
  const tacit_event_limits limits = {4, 1, false};
  event *events = malloc(sizeof *events * BUSY * ROWS);
  double total[ROWS];
  assert_non_null(events);
  for (size_t i = 0; i < (size_t)BUSY * ROWS; i++) events[i] = (event){1 + (int)(i / ROWS), i % ROWS, 1};
  tacit_event_counts counts = add_up(events, (size_t)BUSY * ROWS, -1, &limits, total);
  assert_int_equal(counts.busy, BUSY);
  for (size_t i = 0; i < ROWS; i++) assert_true(fabs(total[i] - 1000) < 130); /* five standard errors */
  free(events);
}

static void returns_are_netted_before_the_cut(void **state) {
  (void)state;
  const tacit_event_limits limits = {12, 4, false};
  const event events[] = {{1, 0, 9}, {1, 0, -6}, {1, 1, -2}, {2, 1, 3}, {1, 2, 5}, {0, 3, 5}, {0, 3, 2}};
  double total[ROWS];
  tacit_event_counts counts = add_up(events, 7, -1, &limits, total);
  assert_true(total[0] == 3 && total[1] == 3 && total[2] == 4 && total[3] == 6 && total[4] == 0);
  assert_int_equal(counts.events, 7);
  assert_int_equal(counts.customers, 2);
  assert_int_equal(counts.nameless, 2);
  assert_int_equal(counts.cut, 3);
  assert_int_equal(counts.busy, 0);
}

/* A missing name is nobody's, in columns of numbers as in those of text. */
static void missing_names_are_customers_of_their_own(void **state) {
  (void)state;
  const tacit_event_limits limits = {1, 4, false};
  tacit_event_totals *totals;
  double total[ROWS];
  assert_int_equal(tacit_event_totals_new(ROWS, &limits, &totals, NULL), TACIT_OK);
  for (size_t i = 0; i < ROWS; i++) {
    const tacit_cell cell = {.number = NAN};
    assert_int_equal(tacit_event_totals_add(totals, &cell, i, hash_of(i), 2, NULL), TACIT_OK);
  }
  assert_int_equal(tacit_event_totals_end(totals, total, NULL), TACIT_OK);
  for (size_t i = 0; i < ROWS; i++) assert_true(total[i] == 2);
  assert_int_equal(tacit_event_totals_counts(totals)->nameless, ROWS);
  tacit_event_totals_free(totals);
}

static void whole_numbers_are_on_the_grid(void **state) {
  (void)state;
  assert_true(tacit_event_grid(4) == 0x1p-22 && tacit_event_grid(4.9) == 0x1p-22);
  assert_true(tacit_event_grid(0x1p25 - 1) == 1);
  assert_true(tacit_event_grid(0.1) < 0.1 / 0x1p24 * 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_customer_changes_no_more_than_the_limits),
      cmocka_unit_test(which_rows_are_kept_depends_on_the_customer_alone),
      cmocka_unit_test(no_row_is_starved),
      cmocka_unit_test(returns_are_netted_before_the_cut),
      cmocka_unit_test(missing_names_are_customers_of_their_own),
      cmocka_unit_test(whole_numbers_are_on_the_grid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
