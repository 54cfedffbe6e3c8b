/* Moments as numbers: the quick way is the careful one's, formats read what they say, no calendar is made up.
 */
#include "schema/clock.h"

#include "schema/calendar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static bool reads(const char *format, const char *text, double seconds) {
  double got = -1;
  return tacit_clock_read(format, text, strlen(text), &got) && got == seconds;
}

static bool refuses(const char *format, const char *text) {
  double got;
  return !tacit_clock_read(format, text, strlen(text), &got);
}

static void iso(void **state) {
  (void)state;
  assert_true(reads(NULL, "1970-01-01", 0));
  assert_true(reads(NULL, "2016-02-29", 1456704000));
  assert_true(reads(NULL, " 2016-02-29 ", 1456704000));
  assert_true(reads(NULL, "2016-02-29T13:45:07", 1456704000 + 13 * 3600 + 45 * 60 + 7));
  assert_true(reads(NULL, "2016-02-29 13:45:07.999", 1456704000 + 13 * 3600 + 45 * 60 + 7));
  assert_true(reads(NULL, "2016-02-29 13:45", 1456704000 + 13 * 3600 + 45 * 60));
  assert_true(reads(NULL, "2016-02-29T13Z", 1456704000 + 13 * 3600));
  assert_true(reads(NULL, "2016-02-29T13:00:00+05:30", 1456704000 + 13 * 3600)); /* the clock it shows */
  assert_true(reads(NULL, "1969-12-31T23:59:59", -1));
  static const char *const BAD[] = {"",
                                    "2015-02-29",
                                    "2016-02-31",
                                    "2016-13-01",
                                    "2016-00-01",
                                    "2016-01-00",
                                    "0000-01-01",
                                    "2016-1-1",
                                    "16-01-01",
                                    "2016-01-01T24:00:00",
                                    "2016-01-01 23:60:00",
                                    "2016-01-01 23:59:60",
                                    "2016/01/01",
                                    "2016-01-01x",
                                    "2016-01-01_10:00:00",
                                    "1e309",
                                    "½",
                                    "20160101",
                                    "2016-01-01T10.00.00",
                                    "24:00"};
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
    if (!refuses(NULL, BAD[i])) fail_msg("read as a moment: %s", BAD[i]);
}

/* Texts of the two lengths that are read quickly, with any one byte changed to any other. */
static void the_quick_way_is_the_careful_one(void **state) {
  (void)state;
  static const char *const TEXTS[] = {"2016-02-29", "1999-12-31", "2016-02-29 13:45:07",
                                      "0001-01-01T00:00:00"};
  for (size_t t = 0; t < sizeof TEXTS / sizeof *TEXTS; t++)
    for (size_t i = 0; i < strlen(TEXTS[t]); i++)
      for (int c = 0; c < 256; c++) {
        char text[32];
        double got = 0;
        tacit_moment m;
        strcpy(text, TEXTS[t]);
        text[i] = (char)c;
        size_t length = strlen(TEXTS[t]);
        bool careful = tacit_moment_parse(text, length, &m);
        assert_int_equal(tacit_clock_read(NULL, text, length, &got), careful);
        if (careful)
          assert_true(got == (double)(86400 * tacit_days_of(m.year, m.month, m.day) + 3600 * m.hour +
                                      60 * m.minute + m.second));
      }
}

static void formats(void **state) {
  (void)state;
  assert_true(reads("%d.%m.%Y", "29.02.2016", 1456704000));
  assert_true(reads("%d.%m.%Y", " 1.2.2016", 1454284800));
  assert_true(reads("%Y%m%d", "20160229", 1456704000));
  assert_true(reads("%m/%d/%Y %H:%M", "2/29/2016 7:05", 1456704000 + 7 * 3600 + 300));
  assert_true(reads("100%% %d-%m-%Y", "100% 29-02-2016", 1456704000));
  assert_true(refuses("%d.%m.%Y", "31.02.2016"));
  assert_true(refuses("%d.%m.%Y", "29.02.16"));
  assert_true(refuses("%d.%m.%Y", "2016-02-29"));
  assert_true(refuses("%d.%m.%Y", "29.02.2016 "
                                  "x"));
  assert_true(refuses("%d.%m.%Y", ""));
  assert_true(refuses("%d.%m.%Y %H", "29.02.2016 24"));
  assert_true(refuses("%Y%m%d", "2016022"));
  static const char *const GOOD[] = {"%d.%m.%Y", "%Y%m%d%H%M%S", "%% %Y %m %d", "%H %d%m%Y"};
  static const char *const BAD[] = {
      "", "%d.%m", "%d.%m.%y", "%d.%m.%Y%", "%d.%m.%Y %d", "%Y-%m-%d %M", "%Y-%m-%d %H %S", "%F", "%j %Y"};
  for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) assert_true(tacit_clock_format(GOOD[i]));
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) assert_false(tacit_clock_format(BAD[i]));
}

static void printed_moments_are_read_back(void **state) {
  (void)state;
  static const char *const FORMATS[] = {NULL, "%d.%m.%Y um %H Uhr %M:%S", "%Y%m%d%H%M%S"};
  for (size_t f = 0; f < 3; f++)
    for (double s = -62135596800; s < 253402300800; s += 86399.0 * 997) {
      char text[64];
      tacit_clock_print(FORMATS[f], s, text, sizeof text);
      assert_true(reads(FORMATS[f], text, s));
    }
}

static void columns_of_dates(void **state) {
  (void)state;
  double seconds;
  assert_true(tacit_clock_of_days(16860, &seconds) && seconds == 1456704000);
  assert_true(tacit_clock_of_days(-719162, &seconds) && reads(NULL, "0001-01-01", seconds));
  assert_false(tacit_clock_of_days(-719163, &seconds));
  assert_false(tacit_clock_of_days(INT64_MAX, &seconds));
  assert_true(tacit_clock_of_units(1456704000123456, 1000000, &seconds) && seconds == 1456704000);
  assert_true(tacit_clock_of_units(-1, 1000000000, &seconds) &&
              seconds == -1); /* the second that it lies in */
  assert_false(tacit_clock_of_units(INT64_MIN, 1, &seconds));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(iso),
      cmocka_unit_test(the_quick_way_is_the_careful_one),
      cmocka_unit_test(formats),
      cmocka_unit_test(printed_moments_are_read_back),
      cmocka_unit_test(columns_of_dates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
