/* Names get numbers in the order in which they come, however many there are. */
#include "data/name_table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

/* last: it needs the others */
#include <cmocka.h>

static size_t enter(tacit_name_table *table, const char *name, size_t length) {
  size_t number;
  assert_int_equal(tacit_name_table_enter(table, name, length, &number, NULL), TACIT_OK);
  return number;
}

static void numbers_follow_the_order(void **state) {
  (void)state;
  enum { NAMES = 20000 };
  tacit_name_table *table;
  char name[32];
  assert_int_equal(tacit_name_table_new(&table, NULL), TACIT_OK);
  for (size_t round = 0; round < 2; round++)
    for (size_t i = 0; i < NAMES; i++) {
      size_t length = (size_t)snprintf(name, sizeof name, "name %zu", i);
      assert_int_equal(tacit_name_table_find(table, name, length), round ? i : TACIT_NO_NAME);
      assert_int_equal(enter(table, name, length), i);
    }
  assert_int_equal(tacit_name_table_count(table), NAMES);
  assert_int_equal(enter(table, "", 0), NAMES);
  assert_int_equal(enter(table, "name", 4), NAMES + 1);
  assert_int_equal(enter(table, "name\0", 5), NAMES + 2);
  tacit_name_table_free(table);
  tacit_name_table_free(NULL);
}

static void a_number_is_one_name(void **state) {
  (void)state;
  double a, b;
  size_t length;
  const double same[][2] = {{0.0, -0.0}, {NAN, -(double)NAN}, {7, 7}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    const void *left = tacit_cell_name(&(tacit_cell){.number = same[i][0]}, &a, &length);
    assert_int_equal(length, sizeof a);
    const void *right = tacit_cell_name(&(tacit_cell){.number = same[i][1]}, &b, &length);
    assert_memory_equal(left, right, length);
  }
  const char *text = "7";
  assert_ptr_equal(tacit_cell_name(&(tacit_cell){.text = text, .length = 1}, &a, &length), text);
  assert_int_equal(length, 1);
}

/* Names of every length up to one that is no longer short, which differ in one byte, in their length alone or
   in what overlaps where their bytes are read in words, are all told apart. */
static void names_that_are_nearly_the_same_are_not(void **state) {
  (void)state;
  enum { LONGEST = 20 };
  static const char bytes[] = {0, 'a', (char)0xff};
  tacit_name_table *table;
  assert_int_equal(tacit_name_table_new(&table, NULL), TACIT_OK);
  for (size_t round = 0; round < 2; round++) {
    size_t next = 0;
    for (size_t b = 0; b < sizeof bytes; b++)
      for (size_t length = b ? 1 : 0; length <= LONGEST; length++) {
        char name[LONGEST];
        for (size_t i = 0; i < length; i++) name[i] = bytes[b];
        assert_int_equal(enter(table, name, length), next++);
        for (size_t i = 0; i < length; i++) {
          name[i] = 'b';
          if (b == 0 || length > 1) assert_int_equal(enter(table, name, length), next++);
          name[i] = bytes[b];
        }
      }
    assert_int_equal(tacit_name_table_count(table), next);
  }
  tacit_name_table_free(table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_follow_the_order),
      cmocka_unit_test(a_number_is_one_name),
      cmocka_unit_test(names_that_are_nearly_the_same_are_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
