/* Moments and decimals of an Arrow array as text. */
#include "source/arrow_text.h"

#include "schema/calendar.h"
#include "source/digits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAY = 86400, WORDS = 8, DIGITS = 80 }; /* 2^255 has 77 digits */

static tacit_arrow_spelling decimal_of(const char *format) {
  char *end;
  tacit_arrow_spelling none = {.kind = TACIT_SPELL_NOT}, found = {.kind = TACIT_SPELL_DECIMAL};
  long bits = 128;
  if (strtol(format, &end, 10) < 1 || *end != ',') return none;
  long scale = strtol(end + 1, &end, 10);
  if (*end == ',') bits = strtol(end + 1, &end, 10);
  bool known = bits == 32 || bits == 64 || bits == 128 || bits == 256;
  if (*end || !known || scale < 0 || scale > DIGITS / 2) return none;
  found.width = (int)(bits / 8);
  found.scale = (int)scale;
  return found;
}

static tacit_arrow_spelling moment_of(const char *format) {
  static const struct {
    const char *begin;
    int64_t in_second;
  } UNITS[] = {{"tss:", 1}, {"tsm:", 1000}, {"tsu:", 1000000}, {"tsn:", 1000000000}};
  for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
    if (!strncmp(format, UNITS[i].begin, 4))
      return (tacit_arrow_spelling){
          .kind = TACIT_SPELL_MOMENT, .width = 8, .in_second = UNITS[i].in_second, .zoned = format[4] != 0};
  return (tacit_arrow_spelling){.kind = TACIT_SPELL_NOT};
}

tacit_arrow_spelling tacit_arrow_spelling_of(const char *format) {
  if (!format) return (tacit_arrow_spelling){.kind = TACIT_SPELL_NOT};
  if (!strcmp(format, "tdD")) return (tacit_arrow_spelling){.kind = TACIT_SPELL_DAYS, .width = 4};
  if (!strcmp(format, "tdm"))
    return (tacit_arrow_spelling){.kind = TACIT_SPELL_DAYS, .width = 8, .in_second = 1000};
  return format[0] == 'd' && format[1] == ':' ? decimal_of(format + 2) : moment_of(format);
}

static int64_t floor_of(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

static tacit_cell spell_moment(int64_t seconds, int nanoseconds, bool zoned, char *text) {
  const int64_t first = tacit_days_of(1, 1, 1), last = tacit_days_of(9999, 12, 31);
  int64_t days = floor_of(seconds, DAY);
  tacit_moment m = {.nanosecond = nanoseconds};
  if (days < first || days > last) return (tacit_cell){.text = "", .length = 0};
  int within = (int)(seconds - days * DAY);
  tacit_date_of(days, &m.year, &m.month, &m.day);
  m.hour = within / 3600;
  m.minute = within / 60 % 60;
  m.second = within % 60;
  size_t length = tacit_moment_print(&m, text);
  if (zoned) /* with its time at midnight too */
    length += (size_t)snprintf(text + length, TACIT_ARROW_SIZE - length,
                               within || nanoseconds ? "+00" : " 00:00:00+00");
  return (tacit_cell){.text = text, .length = length};
}

/* value <- value / 10; returns the remainder. Words from the lowest on. */
static unsigned divide(uint32_t *value, int words) {
  uint64_t rest = 0;
  for (int k = words; k-- > 0;) {
    rest = rest << 32 | value[k];
    value[k] = (uint32_t)(rest / 10);
    rest %= 10;
  }
  return (unsigned)rest;
}

static bool is_zero(const uint32_t *value, int words) {
  for (int k = 0; k < words; k++)
    if (value[k]) return false;
  return true;
}

/* Digits from behind: at least one before the point, exactly `scale` behind it. */
static tacit_cell spell_decimal(const tacit_arrow_spelling *spelling, const void *at, char *text) {
  uint32_t value[WORDS];
  char *end = text + TACIT_ARROW_SIZE, *p = end;
  int words = spelling->width / 4, digits = 0;
  memcpy(value, at, (size_t)spelling->width);
  bool negative = value[words - 1] >> 31;
  uint64_t carry = negative;
  for (int k = 0; k < words && negative; k++) {
    carry += (uint32_t)~value[k];
    value[k] = (uint32_t)carry;
    carry >>= 32;
  }
  while (digits <= spelling->scale || !is_zero(value, words)) {
    if (digits && digits == spelling->scale) *--p = '.';
    *--p = (char)('0' + divide(value, words));
    digits++;
  }
  if (negative) *--p = '-';
  return tacit_digits_cell(p, (size_t)(end - p));
}

tacit_cell tacit_arrow_spell(const tacit_arrow_spelling *spelling, const void *data, int64_t i, char *text) {
  const char *at = (const char *)data + i * spelling->width;
  if (spelling->kind == TACIT_SPELL_DECIMAL) return spell_decimal(spelling, at, text);
  int64_t value;
  int32_t days;
  if (spelling->width == 4) {
    memcpy(&days, at, sizeof days);
    return spell_moment((int64_t)days * DAY, 0, false, text);
  }
  memcpy(&value, at, sizeof value);
  int64_t unit = spelling->in_second, seconds = floor_of(value, unit);
  bool day = spelling->kind == TACIT_SPELL_DAYS;
  int64_t rest = value % unit + (value % unit < 0 ? unit : 0); /* value - seconds * unit could overflow */
  int fraction = day ? 0 : (int)(rest * (1000000000 / unit));
  return spell_moment(day ? floor_of(seconds, DAY) * DAY : seconds, fraction, spelling->zoned, text);
}
