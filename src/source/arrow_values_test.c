/* Views, decimals and times of Arrow are the texts that people write for them. */
#include "source/arrow_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void check_decimal(const char *format, const void *data, const char *want) {
  tacit_arrow_decimal decimal;
  char text[TACIT_ARROW_TEXT] = "";
  assert_true(tacit_arrow_decimal_of(format, &decimal));
  size_t length = tacit_arrow_decimal_text(&decimal, data, 1, text); /* the second entry */
  assert_int_equal(length, strlen(want));
  assert_memory_equal(text, want, length);
}

static void decimals_have_all_their_digits(void **state) {
  (void)state;
  tacit_arrow_decimal none;
  const int32_t small[] = {7, -12345};
  const int64_t middle[] = {7, 5};
  const uint64_t large[] = {7, 0, UINT64_MAX, INT64_MAX}, negative[] = {7, 0, -UINT64_C(150), UINT64_MAX};
  const uint64_t widest[8] = {[4] = 0, [7] = UINT64_C(1) << 63};
  check_decimal("d:9,2,32", small, "-123.45");
  check_decimal("d:9,0,32", small, "-12345");
  check_decimal("d:9,-3,32", small, "-12345000");
  check_decimal("d:18,3,64", middle, "0.005");
  check_decimal("d:38,0", large, "170141183460469231731687303715884105727");
  check_decimal("d:38,38", large, "1.70141183460469231731687303715884105727");
  check_decimal("d:19,2,128", negative, "-1.50");
  check_decimal("d:76,0,256", widest,
                "-57896044618658097711785492504343953926634992332820282019728792003956564819968");
  static const char *const BAD[] = {"d", "d:", "d:9", "d:9,x", "d:9,2,48", "d:9,99", "g", NULL};
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) assert_false(tacit_arrow_decimal_of(BAD[i], &none));
}

static void check_time(const char *format, const void *data, const char *want) {
  tacit_arrow_time time;
  char text[TACIT_ARROW_TEXT] = "";
  assert_true(tacit_arrow_time_of(format, &time));
  size_t length = tacit_arrow_time_text(&time, data, 0, text);
  assert_int_equal(length, strlen(want));
  assert_memory_equal(text, want, length);
}

static void times_are_what_the_calendar_says(void **state) {
  (void)state;
  check_time("tdD", (const int32_t[]){0}, "1970-01-01");
  check_time("tdD", (const int32_t[]){-1}, "1969-12-31");
  check_time("tdD", (const int32_t[]){17532}, "2018-01-01");
  check_time("tdD", (const int32_t[]){2932896}, "9999-12-31");
  check_time("tdD", (const int32_t[]){2932897}, "");
  check_time("tdD", (const int32_t[]){-719162}, "0001-01-01");
  check_time("tdD", (const int32_t[]){INT32_MIN}, "");
  check_time("tdm", (const int64_t[]){86400000}, "1970-01-02");
  check_time("tss:", (const int64_t[]){-1}, "1969-12-31 23:59:59");
  check_time("tss:", (const int64_t[]){1514764800}, "2018-01-01");
  check_time("tss:UTC", (const int64_t[]){1514764800}, "2018-01-01 00:00:00+00");
  check_time("tsm:", (const int64_t[]){1514764800500}, "2018-01-01 00:00:00.5");
  check_time("tsu:Europe/Berlin", (const int64_t[]){1514801234000001}, "2018-01-01 10:07:14.000001+00");
  check_time("tsn:", (const int64_t[]){1}, "1970-01-01 00:00:00.000000001");
  check_time("tsn:", (const int64_t[]){INT64_MIN}, "1677-09-21 00:12:43.145224192");
  check_time("tss:", (const int64_t[]){INT64_MAX}, "");
  tacit_arrow_time none;
  static const char *const BAD[] = {"tts", "tDs", "tiM", "ts", "td", "u", NULL};
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) assert_false(tacit_arrow_time_of(BAD[i], &none));
}

typedef struct view {
  int32_t length;
  char first[4];
  int32_t buffer, place;
} view;

static void views_stay_within_their_buffers(void **state) {
  (void)state;
  static const char BYTES[] = "..a text of twenty-two b";
  view views[] = {{0, "", 0, 0},      {3, "MON", 0, 0},    {22, "a te", 0, 2},  {22, "a te", 0, 3},
                  {22, "a te", 1, 2}, {22, "a te", -1, 2}, {22, "a te", 0, -2}, {-1, "", 0, 0}};
  const int64_t sizes[] = {24};
  const void *buffers[] = {NULL, views, BYTES, sizes};
  const struct ArrowArray array = {.length = 8, .n_buffers = 4, .buffers = buffers};
  tacit_cell cell;
  assert_true(tacit_arrow_view(&array, 0, &cell) && cell.length == 0);
  assert_true(tacit_arrow_view(&array, 1, &cell) && cell.length == 3 && !memcmp(cell.text, "MON", 3));
  assert_true(tacit_arrow_view(&array, 2, &cell) && cell.length == 22 && !memcmp(cell.text, BYTES + 2, 22));
  for (int64_t i = 3; i < 8; i++) assert_false(tacit_arrow_view(&array, i, &cell));
  const struct ArrowArray bare = {.length = 8, .n_buffers = 2, .buffers = buffers};
  assert_false(tacit_arrow_view(&bare, 1, &cell));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(decimals_have_all_their_digits),
                                     cmocka_unit_test(times_are_what_the_calendar_says),
                                     cmocka_unit_test(views_stay_within_their_buffers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
