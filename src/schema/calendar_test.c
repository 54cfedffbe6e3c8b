/* Dates against the C library's calendar, and what is no date. */
#include "schema/calendar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* last: it needs the others */
#include <cmocka.h>

/* Every day of the years 1 to 9999. */
static void days_are_the_c_librarys(void **state) {
  (void)state;
  int64_t first = tacit_days_of(1, 1, 1), last = tacit_days_of(9999, 12, 31);
  for (int64_t days = first; days <= last; days++) {
    int year, month, day, week_year;
    time_t seconds = (time_t)days * 86400;
    struct tm theirs;
    assert_non_null(gmtime_r(&seconds, &theirs));
    tacit_date_of(days, &year, &month, &day);
    if (year != theirs.tm_year + 1900 || month != theirs.tm_mon + 1 || day != theirs.tm_mday ||
        tacit_weekday(days) % 7 != theirs.tm_wday || tacit_days_of(year, month, day) != days)
      fail_msg("%04d-%02d-%02d", year, month, day);
    if (days % 13 || days < first + 7) continue; /* the week of a year is slow to print */
    char text[16], ours[16];
    strftime(text, sizeof text, "%G-%V", &theirs);
    int week = tacit_iso_week(days, &week_year);
    snprintf(ours, sizeof ours, "%d-%02d", week_year, week);
    assert_string_equal(ours, text);
  }
}

static void moments(void **state) {
  (void)state;
  static const struct {
    const char *text, *printed; /* NULL: no moment */
  } CASES[] = {{"2024-02-29", "2024-02-29"},
               {" 2024-01-31 ", "2024-01-31"},
               {"2024-01-31 10:05", "2024-01-31 10:05:00"},
               {"2024-01-31T10:05:09", "2024-01-31 10:05:09"},
               {"2024-01-31 10:05:09.250", "2024-01-31 10:05:09.25"},
               {"2024-01-31 10:05:09.9999999", "2024-01-31 10:05:09.9999999"},
               {"2024-01-31 00:00:59.99999999999999999", "2024-01-31 00:00:59.999999999"},
               {"2024-01-31 00:00:00", "2024-01-31"},
               {"2024-01-31T00:00", "2024-01-31"},
               {"2024-01-31 00:00:01", "2024-01-31 00:00:01"},
               {"2024-01-31 00:00:00.000001", "2024-01-31 00:00:00.000001"},
               {"2024-01-31 00:00:00.000000001", "2024-01-31 00:00:00.000000001"},
               {"2024-01-31 00:00:00.000000000", "2024-01-31"},
               {"2024-01-31 10:05:09Z", "2024-01-31 10:05:09"},
               {"2024-01-31 10:05:09+01", "2024-01-31 10:05:09"},
               {"2024-01-31 10:05:09-01:30", "2024-01-31 10:05:09"},
               {"2023-02-29", NULL},
               {"2024-13-01", NULL},
               {"2024-00-10", NULL},
               {"0000-01-01", NULL},
               {"2024-1-1", NULL},
               {"24-01-01", NULL},
               {"2024-01-31 24:00", NULL},
               {"2024-01-31 23:60", NULL},
               {"2024-01-31 23:59:60", NULL},
               {"2024-01-31T10", "2024-01-31 10:00:00"},
               {"2024-01-31 10.5", NULL},
               {"2024-01-31 1", NULL},
               {"2024-01-31 10:", NULL},
               {"2024-01-31 10:05:", NULL},
               {"2024-01-31 10:05:09.", NULL},
               {"2024-01-31 10:05:09+1", NULL},
               {"2024-01-31 10:05:09+24", NULL},
               {"2024-01-31 10:05:09+01:60", NULL},
               {"2024-01-31 10:05:09Z+01", NULL},
               {"2024-01-31x", NULL},
               {"31.01.2024", NULL},
               {"", NULL},
               {"½", NULL}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    tacit_moment moment;
    char text[TACIT_MOMENT_TEXT];
    bool parsed = tacit_moment_parse(CASES[i].text, strlen(CASES[i].text), &moment);
    if (parsed != (CASES[i].printed != NULL)) fail_msg("%s", CASES[i].text);
    if (!parsed) continue;
    assert_int_equal(tacit_moment_print(&moment, text), strlen(CASES[i].printed));
    assert_string_equal(text, CASES[i].printed);
  }
}

/* Moments in their order, by the clock and then by zone, each in all its spellings. */
static void one_text_for_one_moment(void **state) {
  (void)state;
  enum { SPELLINGS = 6 };
  static const char *const MOMENTS[][SPELLINGS] = {
      {"0001-01-01"},
      {"2024-01-30 23:59:59.999999999"},
      {"2024-01-31", "2024-01-31 00:00", "2024-01-31 00:00:00", "2024-01-31T00:00:00.000",
       "2024-01-31 00:00:00.000000", "2024-01-31T00:00:00.000000000"},
      {"2024-01-31 00:00:00+00:00", "2024-01-31T00:00Z", "2024-01-31 00:00:00.000-00",
       "2024-01-31 00:00+0000"},
      {"2024-01-31 00:00:00+01:30", "2024-01-31 00:00:00.000+0130"},
      {"2024-01-31 00:00:00-02:00", "2024-01-31 00:00-02"},
      {"2024-01-31 00:00:00.000000001"},
      {"2024-01-31 00:00:00.000000001Z"},
      {"2024-01-31 00:00:00.5", " 2024-01-31T00:00:00.500 "},
      {"2024-01-31 00:00:01"},
      {"2024-01-31 09:30", "2024-01-31 09:30:00", "2024-01-31T09:30:00.000000000"},
      {"2024-01-31 09:30:00-23:59"},
      {"2024-01-31 10:00"},
      {"2024-02-01"},
      {"9999-12-31"}};
  char before[TACIT_MOMENT_TEXT] = "", first[TACIT_MOMENT_TEXT], other[TACIT_MOMENT_TEXT];
  for (size_t i = 0; i < sizeof MOMENTS / sizeof *MOMENTS; i++) {
    assert_true(tacit_moment_plain(MOMENTS[i][0], strlen(MOMENTS[i][0]), first) > 0);
    if (strcmp(before, first) >= 0) fail_msg("%s is not above %s", first, before);
    for (size_t k = 1; k < SPELLINGS && MOMENTS[i][k]; k++) {
      assert_int_equal(tacit_moment_plain(MOMENTS[i][k], strlen(MOMENTS[i][k]), other), strlen(first));
      assert_string_equal(other, first);
    }
    memcpy(before, first, sizeof before);
  }
  assert_int_equal(tacit_moment_plain("2024-02-30", 10, other), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(days_are_the_c_librarys),
      cmocka_unit_test(moments),
      cmocka_unit_test(one_text_for_one_moment),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
