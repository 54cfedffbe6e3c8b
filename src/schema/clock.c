/* Reads moments: quickly as ISO 8601 writes them, and by a format of a few directives. */
#include "schema/clock.h"

#include "schema/calendar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double DAY = 86400;

static double seconds_of(int64_t days, int hour, int minute, int second) {
  return (double)days * DAY + (double)((hour * 60 + minute) * 60 + second);
}

bool tacit_clock_of_days(int64_t days, double *seconds) {
  *seconds = (double)days * DAY;
  return days >= tacit_days_of(1, 1, 1) && days <= tacit_days_of(9999, 12, 31);
}

bool tacit_clock_of_units(int64_t units, int64_t per_second, double *seconds) {
  int64_t whole = units / per_second - (units % per_second < 0);
  double unused;
  *seconds = (double)whole;
  return tacit_clock_of_days(whole / 86400 - (whole % 86400 < 0), &unused);
}

static inline unsigned digit(char c) {
  return (unsigned)(unsigned char)c - '0'; /* above 9 for anything else */
}

/* Two digits; what is none makes it 1000 or more. */
static inline unsigned two(const char *p) {
  unsigned a = digit(p[0]), b = digit(p[1]);
  return a <= 9 && b <= 9 ? 10 * a + b : 1000;
}

/* 2024-01-31, perhaps with T or a space and 10:00:00: what most files have. */
static bool read_plain(const char *p, size_t length, double *seconds) {
  unsigned century = two(p), year = two(p + 2), month = two(p + 5), day = two(p + 8);
  unsigned hour = 0, minute = 0, second = 0;
  if (century > 99 || year > 99) return false;
  year += 100 * century;
  if (p[4] != '-' || p[7] != '-' || !tacit_date_exists(year, month, day)) return false;
  if (length > 10) {
    hour = two(p + 11), minute = two(p + 14), second = two(p + 17);
    if ((p[10] != 'T' && p[10] != ' ') || p[13] != ':' || p[16] != ':') return false;
    if (hour > 23 || minute > 59 || second > 59) return false;
  }
  *seconds = seconds_of(tacit_days_of((int)year, (int)month, (int)day), (int)hour, (int)minute, (int)second);
  return true;
}

/* Up to `most` digits, at least `least`. */
static bool read_digits(const char **p, const char *end, int least, int most, int *value) {
  int count = 0;
  for (*value = 0; count < most && *p < end && digit(**p) <= 9; count++)
    *value = 10 * *value + (int)digit(*(*p)++);
  return count >= least;
}

typedef struct fields {
  int year, month, day, hour, minute, second;
} fields;

static int *field_of(fields *f, char directive) {
  switch (directive) {
  case 'Y':
    return &f->year;
  case 'm':
    return &f->month;
  case 'd':
    return &f->day;
  case 'H':
    return &f->hour;
  case 'M':
    return &f->minute;
  case 'S':
    return &f->second;
  default:
    return NULL;
  }
}

/* Beside another number a number has all its digits: 20160229 is no 2016-02-2 and a 9. */
static bool read_formatted(const char *format, const char *p, const char *end, double *seconds) {
  fields f = {0};
  for (bool beside = false; *format; format++) {
    bool directive = *format == '%' && *++format != '%';
    bool year = *format == 'Y';
    int most = year ? 4 : 2;
    beside |= format[1] == '%' && format[2] != '%';
    if (directive ? !read_digits(&p, end, beside || year ? most : 1, most, field_of(&f, *format))
                  : p == end || *p++ != *format)
      return false;
    beside = directive;
  }
  if (p != end || !tacit_date_exists(f.year, f.month, f.day)) return false;
  *seconds = seconds_of(tacit_days_of(f.year, f.month, f.day), f.hour, f.minute, f.second);
  return f.hour < 24 && f.minute < 60 && f.second < 60;
}

bool tacit_clock_read(const char *format, const char *text, size_t length, double *seconds) {
  tacit_moment m;
  if (!format && (length == 10 || length == 19) && read_plain(text, length, seconds)) return true;
  if (format) {
    const char *end = text + length;
    while (text < end && *text == ' ') text++;
    while (end > text && end[-1] == ' ') end--;
    return read_formatted(format, text, end, seconds);
  }
  if (!tacit_moment_parse(text, length, &m)) return false;
  *seconds = seconds_of(tacit_days_of(m.year, m.month, m.day), m.hour, m.minute, m.second);
  return true;
}

bool tacit_clock_format(const char *format) {
  fields seen = {0};
  for (; *format; format++) {
    if (*format != '%' || *++format == '%') continue;
    int *field = *format ? field_of(&seen, *format) : NULL;
    if (!field || (*field)++) return false;
  }
  return seen.year && seen.month && seen.day && (seen.hour || !seen.minute) && (seen.minute || !seen.second);
}

void tacit_clock_print(const char *format, double seconds, char *text, size_t room) {
  double days = floor(seconds / DAY);
  int rest = (int)(seconds - days * DAY);
  fields f = {.hour = rest / 3600, .minute = rest / 60 % 60, .second = rest % 60};
  tacit_date_of((int64_t)days, &f.year, &f.month, &f.day);
  size_t used = 0;
  text[0] = 0;
  for (const char *p = format ? format : "%Y-%m-%dT%H:%M:%S"; *p && used + 1 < room; p++) {
    bool directive = *p == '%' && *++p != '%';
    int written = directive ? snprintf(text + used, room - used, "%0*d", *p == 'Y' ? 4 : 2, *field_of(&f, *p))
                            : snprintf(text + used, room - used, "%c", *p);
    used += (size_t)written;
  }
}
