/* Lists that grow side by side keep what each of them holds. */
#include "data/purchases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

/* last: it needs the others */
#include <cmocka.h>

enum { LISTS = 3000 };

static void fill(size_t limit) {
  static tacit_purchase_list lists[LISTS];
  tacit_purchases *purchases;
  for (size_t i = 0; i < LISTS; i++) lists[i] = (tacit_purchase_list){0};
  assert_int_equal(tacit_purchases_new(limit, &purchases, NULL), TACIT_OK);
  srand(7);
  for (size_t n = 0; n < 60 * LISTS; n++) {
    size_t i = (size_t)rand() % LISTS;
    tacit_purchase_list *list = &lists[i];
    if (list->count == limit) continue;
    assert_int_equal(tacit_purchases_make_room(purchases, list, NULL), TACIT_OK);
    assert_true(list->count < list->room && list->room <= limit);
    list->held[list->count] = (tacit_purchase){.order = i, .row = list->count, .quantity = (double)i / 3};
    list->count++;
  }
  for (size_t i = 0; i < LISTS; i++)
    for (size_t k = 0; k < lists[i].count; k++)
      assert_true(lists[i].held[k].order == i && lists[i].held[k].row == k &&
                  lists[i].held[k].quantity == (double)i / 3);
  tacit_purchases_free(purchases);
}

static void lists_keep_what_they_hold(void **state) {
  (void)state;
  static const size_t limits[] = {1, 2, 3, 4, 5, 12, 33, 1000};
  for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) fill(limits[k]);
  tacit_purchases_free(NULL);
}

/* One list longer than a whole piece of memory. */
static void a_list_may_be_long(void **state) {
  (void)state;
  enum { LONG = 700000 };
  tacit_purchases *purchases;
  tacit_purchase_list list = {0};
  assert_int_equal(tacit_purchases_new(LONG, &purchases, NULL), TACIT_OK);
  while (list.count < LONG) {
    assert_int_equal(tacit_purchases_make_room(purchases, &list, NULL), TACIT_OK);
    list.held[list.count] = (tacit_purchase){.row = list.count};
    list.count++;
  }
  for (size_t k = 0; k < LONG; k++) assert_true(list.held[k].row == k);
  tacit_purchases_free(purchases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lists_keep_what_they_hold),
                                     cmocka_unit_test(a_list_may_be_long)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
