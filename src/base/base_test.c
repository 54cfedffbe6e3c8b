/* Allocation limits, error texts, cancelling. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void error_texts_are_cut_not_overrun(void **state) {
  (void)state;
  tacit_error error;
  char longer[2000];
  memset(longer, 'a', sizeof longer - 1);
  longer[sizeof longer - 1] = 0;
  assert_int_equal(tacit_fail(&error, TACIT_REFUSED, "%s", longer), TACIT_REFUSED);
  assert_int_equal(strlen(error.text), sizeof error.text - 1);
  assert_int_equal(tacit_fail(NULL, TACIT_USAGE, "nobody listens"), TACIT_USAGE);
}

static void sizes_that_overflow_are_no_memory(void **state) {
  (void)state;
  /* volatile: the compiler may not warn about, or fold, what the test is about */
  volatile size_t huge = SIZE_MAX / 2;
  assert_null(tacit_alloc(huge, 4));
  assert_null(tacit_alloc_aligned(huge, 4));
  size_t capacity = 0;
  assert_null(tacit_grow(NULL, &capacity, huge, 4));
  assert_int_equal(capacity, 0);
}

static void growing_keeps_what_was_there(void **state) {
  (void)state;
  size_t capacity = 0;
  int *items = NULL;
  for (int i = 0; i < 1000; i++) {
    items = tacit_grow(items, &capacity, (size_t)i + 1, sizeof *items);
    items[i] = i;
  }
  for (int i = 0; i < 1000; i++) assert_int_equal(items[i], i);
  free(items);
}

static bool always(void *user) {
  return *(bool *)user;
}

static void cancelling_ends_work(void **state) {
  (void)state;
  bool stop = false;
  tacit_context context;
  tacit_context_init(&context);
  context.cancelled = always;
  context.user = &stop;
  assert_int_equal(tacit_step(&context, "work", 0.5, NULL), TACIT_OK);
  stop = true;
  assert_int_equal(tacit_step(&context, "work", 0.5, NULL), TACIT_CANCELLED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(error_texts_are_cut_not_overrun),
      cmocka_unit_test(sizes_that_overflow_are_no_memory),
      cmocka_unit_test(growing_keeps_what_was_there),
      cmocka_unit_test(cancelling_ends_work),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
