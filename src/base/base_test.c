/* Allocation limits, error texts, cancelling. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
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
  assert_int_equal(tacit_progress(&context, "work", 0.5, NULL), TACIT_OK);
  stop = true;
  assert_int_equal(tacit_progress(&context, "work", 0.5, NULL), TACIT_CANCELLED);
}

/* The flags of the mapping that holds an address: "dd" is MADV_DONTDUMP. False where the system does not say.
 */
static bool flags_at(const void *address, char flags[256]) {
  FILE *file = fopen("/proc/self/smaps", "r");
  char line[512];
  bool inside = false, found = false;
  while (file && !found && fgets(line, sizeof line, file)) {
    unsigned long long from, to;
    if (sscanf(line, "%llx-%llx ", &from, &to) == 2)
      inside = (uintptr_t)address >= from && (uintptr_t)address < to;
    else if (inside && !strncmp(line, "VmFlags:", 8))
      found = snprintf(flags, 256, "%s", line) > 0;
  }
  if (file) fclose(file);
  return found;
}

static void memory_for_rows_stays_out_of_core_dumps(void **state) {
  (void)state;
  char flags[256];
  static const size_t sizes[] = {4096, 5000, 1 << 20};
  for (size_t i = 0; i < 3; i++) {
    unsigned char *memory = tacit_alloc_aligned(sizes[i], 1);
    assert_non_null(memory);
    for (size_t k = 0; k < sizes[i]; k += 512) assert_int_equal(memory[k], 0);
    if (flags_at(memory, flags)) assert_non_null(strstr(flags, " dd"));
    if (flags_at(memory + sizes[i] - 1, flags)) assert_non_null(strstr(flags, " dd"));
    tacit_free_wiped(memory, sizes[i]);
  }
}

static void what_is_not_seen_is_found(void **state) {
  (void)state;
  static const char *const HIDDEN[] = {"a\tb",
                                       "\x7f",
                                       "a\xc2\x85",
                                       "\xe2\x80\x8b",
                                       "a\xe2\x80\xae",
                                       "\xe2\x80\xa8"
                                       "b",
                                       "\xef\xbb\xbfx",
                                       "x\xf3\xa0\x81\x81",
                                       "\xc2\xad"};
  static const char *const SEEN[] = {"",
                                     "a b",
                                     "K\xc3\xb6ln",
                                     "\xe6\x97\xa5\xe6\x9c\xac",
                                     "\xd9\x85\xe2\x80\x8c\xd9\x87",
                                     "\xf0\x9f\x8d\x96"};
  for (size_t i = 0; i < sizeof HIDDEN / sizeof *HIDDEN; i++)
    assert_true(tacit_has_control(HIDDEN[i], strlen(HIDDEN[i])));
  for (size_t i = 0; i < sizeof SEEN / sizeof *SEEN; i++)
    assert_false(tacit_has_control(SEEN[i], strlen(SEEN[i])));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(error_texts_are_cut_not_overrun),
      cmocka_unit_test(sizes_that_overflow_are_no_memory),
      cmocka_unit_test(growing_keeps_what_was_there),
      cmocka_unit_test(cancelling_ends_work),
      cmocka_unit_test(what_is_not_seen_is_found),
      cmocka_unit_test(memory_for_rows_stays_out_of_core_dumps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
