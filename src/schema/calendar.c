/* Dates and times of day as ISO 8601 writes them. */
#include "schema/calendar.h"

#include <string.h>

void tacit_date_of(int64_t days, int *year, int *month, int *day) {
  int64_t since = days + TACIT_EPOCH, guess = since * 400 / 146097 + 1; /* 400 years have so many days */
  while (tacit_days_before_year(guess) > since) guess--;
  while (tacit_days_before_year(guess + 1) <= since) guess++;
  int rest = (int)(since - tacit_days_before_year(guess));
  *year = (int)guess;
  *month = rest / 32 + 1; /* never too late */
  while (rest >= tacit_days_before_month(*year, *month + 1)) ++*month;
  *day = rest - tacit_days_before_month(*year, *month) + 1;
}

int tacit_weekday(int64_t days) {
  return (int)((days % 7 + 7 + 3) % 7) + 1; /* 1970-01-01 was a Thursday */
}

int tacit_iso_week(int64_t days, int *year) {
  int month, day;
  int64_t thursday = days - tacit_weekday(days) + 4; /* the week belongs to its Thursday's year */
  tacit_date_of(thursday, year, &month, &day);
  return (int)((thursday - tacit_days_of(*year, 1, 1)) / 7) + 1;
}

typedef struct cursor {
  const char *at, *end;
} cursor;

static bool digits(cursor *c, int count, int *value) {
  *value = 0;
  if (c->end - c->at < count) return false;
  for (int i = 0; i < count; i++, c->at++) {
    if (*c->at < '0' || *c->at > '9') return false;
    *value = 10 * *value + (*c->at - '0');
  }
  return true;
}

static bool mark(cursor *c, char is) {
  if (c->at == c->end || *c->at != is) return false;
  c->at++;
  return true;
}

/* .123 and so on; what lies beyond the ninth digit is skipped, so that no second becomes the next. */
static bool fraction(cursor *c, int *nanosecond) {
  const char *first = c->at;
  for (int unit = 100000000; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++, unit /= 10)
    *nanosecond += unit * (*c->at - '0');
  return c->at > first;
}

static bool time_of_hour(cursor *c, tacit_moment *m) {
  if (!digits(c, 2, &m->minute) || (mark(c, ':') && !digits(c, 2, &m->second))) return false;
  return !mark(c, '.') || fraction(c, &m->nanosecond);
}

static bool time_of_day(cursor *c, tacit_moment *m) {
  if (!digits(c, 2, &m->hour) || (mark(c, ':') && !time_of_hour(c, m))) return false;
  return m->hour < 24 && m->minute < 60 && m->second < 60;
}

static bool zone(cursor *c, tacit_moment *m) {
  int hours, minutes = 0;
  m->zoned = c->at < c->end;
  if (!m->zoned || mark(c, 'Z')) return c->at == c->end;
  bool behind = mark(c, '-');
  if ((!behind && !mark(c, '+')) || !digits(c, 2, &hours)) return false;
  mark(c, ':');
  if (c->at < c->end && !digits(c, 2, &minutes)) return false;
  m->offset = (60 * hours + minutes) * (behind ? -1 : 1);
  return c->at == c->end && hours < 24 && minutes < 60;
}

bool tacit_moment_parse(const char *text, size_t length, tacit_moment *moment) {
  cursor c = {text, text + length};
  while (c.at < c.end && *c.at == ' ') c.at++;
  while (c.end > c.at && c.end[-1] == ' ') c.end--;
  *moment = (tacit_moment){0};
  if (!digits(&c, 4, &moment->year) || !mark(&c, '-') || !digits(&c, 2, &moment->month) || !mark(&c, '-') ||
      !digits(&c, 2, &moment->day) || !tacit_date_exists(moment->year, moment->month, moment->day))
    return false;
  if (c.at == c.end) return true;
  return (mark(&c, ' ') || mark(&c, 'T')) && time_of_day(&c, moment) && zone(&c, moment);
}

static char *put(char *at, char before, int value, int count) {
  if (before) *at++ = before;
  for (int i = count - 1; i >= 0; i--, value /= 10) at[i] = (char)('0' + value % 10);
  return at + count;
}

static char *put_time(char *at, const tacit_moment *m) {
  at = put(put(put(at, ' ', m->hour, 2), ':', m->minute, 2), ':', m->second, 2);
  if (m->nanosecond == 0) return at;
  at = put(at, '.', m->nanosecond, 9);
  while (at[-1] == '0') at--;
  return at;
}

static char *put_date(char *at, const tacit_moment *m) {
  return put(put(put(at, 0, m->year, 4), '-', m->month, 2), '-', m->day, 2);
}

size_t tacit_moment_print(const tacit_moment *m, char text[TACIT_MOMENT_TEXT]) {
  char *end = put_date(text, m);
  if (m->hour || m->minute || m->second || m->nanosecond) end = put_time(end, m);
  *end = 0;
  return (size_t)(end - text);
}

size_t tacit_moment_plain(const char *text, size_t length, char plain[TACIT_MOMENT_TEXT]) {
  tacit_moment m;
  if (!tacit_moment_parse(text, length, &m)) return 0;
  if (!m.zoned) return tacit_moment_print(&m, plain);
  /* with its time at midnight too: behind the date a + would stand above every time of day */
  int offset = m.offset < 0 ? -m.offset : m.offset;
  char *end = put_time(put_date(plain, &m), &m);
  end = put(put(end, m.offset < 0 ? '-' : '+', offset / 60, 2), ':', offset % 60, 2);
  *end = 0;
  return (size_t)(end - plain);
}

size_t tacit_without_midnight(const char *text, size_t length) {
  static const char MIDNIGHT[] = " 00:00:00";
  const size_t end = sizeof MIDNIGHT - 1;
  return length > end && !memcmp(text + length - end, MIDNIGHT, end) ? length - end : length;
}
