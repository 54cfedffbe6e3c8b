/* Dates and times of day as ISO 8601 writes them, 2024-01-31 and 2024-01-31 10:00:00, in the proleptic
   Gregorian calendar, years 1 to 9999. */
#ifndef TACIT_SRC_CALENDAR_H
#define TACIT_SRC_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tacit_moment {
  int year, month, day; /* month and day from 1 */
  int hour, minute, second, nanosecond;
  bool zoned; /* it says its zone */
  int offset; /* of which the clock is so many minutes ahead of UTC's */
} tacit_moment;

/* YYYY-MM-DD, perhaps followed by a space or T and HH, HH:MM, HH:MM:SS or HH:MM:SS.fraction, perhaps by a
   zone (Z, +01, +0130, +01:30), with blanks around it. False for anything else and for days that no calendar
   has. Digits of a fraction beyond the ninth are skipped. */
bool tacit_moment_parse(const char *text, size_t length, tacit_moment *moment);
enum { TACIT_MOMENT_TEXT = 48 };
/* "2024-01-31 10:00:00" with up to nine digits of a fraction, and "2024-01-31" for midnight: which of the two
   types a date has, it has one text. Nothing of a zone. */
size_t tacit_moment_print(const tacit_moment *moment, char text[TACIT_MOMENT_TEXT]);
/* The one text of all that read as the same moment of the same zone, or of none; 0 for what is no moment.
   These texts have the order of their moments, by the clock and then by zone. */
size_t tacit_moment_plain(const char *text, size_t length, char plain[TACIT_MOMENT_TEXT]);
/* The length of a moment's text without the time of day, where that is 00:00:00. */
size_t tacit_without_midnight(const char *text, size_t length);

/* What a reader of many dates asks of each lies here, to be compiled where it is asked. */
static inline bool tacit_is_leap(int year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Days of a year before its month, from 1 to 13, the next year's first. */
static inline int tacit_days_before_month(int year, int month) {
  static const int BEFORE[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
  return BEFORE[month - 1] + (month > 2 && tacit_is_leap(year)); /* NOLINT: no other months are asked for */
}

static inline int tacit_month_length(int year, int month) {
  return tacit_days_before_month(year, month + 1) - tacit_days_before_month(year, month);
}

static inline bool tacit_date_exists(int64_t year, int64_t month, int64_t day) {
  return year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 &&
         (day <= 28 || day <= tacit_month_length((int)year, (int)month));
}

/* Days before the first of January of a year, from 0001-01-01 on; and before 1970. */
static inline int64_t tacit_days_before_year(int64_t year) {
  int64_t y = year - 1;
  return 365 * y + y / 4 - y / 100 + y / 400;
}
enum { TACIT_EPOCH = 719162 };

/* Days since 1970-01-01, and back. */
static inline int64_t tacit_days_of(int year, int month, int day) {
  return tacit_days_before_year(year) + tacit_days_before_month(year, month) + day - 1 - TACIT_EPOCH;
}
void tacit_date_of(int64_t days, int *year, int *month, int *day);
int tacit_weekday(int64_t days); /* 1 for Monday to 7 for Sunday */
/* The ISO week: week 1 has the year's first Thursday. *year is the week's own, which may be a neighbour's. */
int tacit_iso_week(int64_t days, int *year);

#endif
