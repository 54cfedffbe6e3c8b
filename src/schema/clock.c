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

/* Eight bytes that look like `form`, where zeros stand for any digit: pairs of digits as numbers, each in the
   byte where the pair begins. False for what does not look so. */
static inline bool eight(const char *p, uint64_t form, uint64_t *pairs) {
  const uint64_t ones = 0x0101010101010101, signs = form >> 3 & ones; /* of '-' and ':', and not of '0' */
  uint64_t word;
  memcpy(&word, p, sizeof word);
  if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) word = __builtin_bswap64(word);
  word ^= form;
  /* a digit and 6 stay below 16; a sign is the form's own */
  if (((word | (word + 6 * (ones ^ signs))) & 0xf0 * ones) | (word & 15 * signs)) return false;
  *pairs = 10 * word + (word >> 8);
  return true;
}

static inline unsigned pair_at(uint64_t pairs, int byte) {
  return (unsigned)(pairs >> 8 * byte) & 0xff;
}

/* 2024-01-31, perhaps with T or a space and 10:00:00: what most files have. */
static bool read_plain(const char *p, size_t length, double *seconds) {
  static const uint64_t DATE = 0x2d30302d30303030, TIME = 0x30303a30303a3030; /* 0000-00- and 00:00:00 */
  uint64_t pairs, clock = 0;
  unsigned tens = digit(p[8]), ones = digit(p[9]);
  if (!eight(p, DATE, &pairs) || tens > 9 || ones > 9) return false;
  if (length > 10 && ((p[10] != 'T' && p[10] != ' ') || !eight(p + 11, TIME, &clock))) return false;
  unsigned year = 100 * pair_at(pairs, 0) + pair_at(pairs, 2), month = pair_at(pairs, 5);
  unsigned hour = pair_at(clock, 0), minute = pair_at(clock, 3), second = pair_at(clock, 6);
  if (!tacit_date_exists(year, month, 10 * tens + ones) || hour > 23 || minute > 59 || second > 59)
    return false;
  *seconds = seconds_of(tacit_days_of((int)year, (int)month, (int)(10 * tens + ones)), (int)hour, (int)minute,
                        (int)second);
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
