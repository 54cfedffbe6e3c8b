/* Views of texts, decimals, dates and times in Arrow arrays. */
#include "source/arrow_values.h"

#include "schema/calendar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A view has sixteen bytes: a length, and a short text itself, or its first bytes, buffer and place. */
enum { VIEW = 16, SHORT = 12, FIRST_BUFFER = 2 };

bool tacit_arrow_view(const struct ArrowArray *array, int64_t i, tacit_cell *cell) {
  if (array->n_buffers < FIRST_BUFFER + 1 || !array->buffers[1]) return false;
  const char *view = (const char *)array->buffers[1] + VIEW * i;
  int32_t length, where[2]; /* buffer, place */
  memcpy(&length, view, sizeof length);
  memcpy(where, view + 8, sizeof where);
  if (length < 0) return false;
  *cell = (tacit_cell){.text = view + sizeof length, .length = (size_t)length};
  if (length <= SHORT) return true;
  int64_t buffers = array->n_buffers - FIRST_BUFFER - 1; /* behind them all, their sizes */
  const int64_t *sizes = array->buffers[array->n_buffers - 1];
  if (where[0] < 0 || where[0] >= buffers || where[1] < 0 || !sizes ||
      !array->buffers[FIRST_BUFFER + where[0]] || (int64_t)where[1] + length > sizes[where[0]])
    return false;
  cell->text = (const char *)array->buffers[FIRST_BUFFER + where[0]] + where[1];
  return true;
}

bool tacit_arrow_decimal_of(const char *format, tacit_arrow_decimal *decimal) {
  int precision, scale, bits = 128, read = 0;
  if (!format || strncmp(format, "d:", 2) != 0) return false;
  if (sscanf(format, "d:%d,%d%n", &precision, &scale, &read) < 2) return false;
  if (format[read] == ',' && sscanf(format + read, ",%d", &bits) != 1) return false;
  if ((bits != 32 && bits != 64 && bits != 128 && bits != 256) || abs(scale) > 76) return false;
  *decimal = (tacit_arrow_decimal){(size_t)bits / 8, scale};
  return true;
}

/* The digits of a whole number without sign, last first; it is divided to nothing. */
static size_t digits_of(uint32_t *limb, size_t limbs, char *digits) {
  size_t count = 0;
  for (bool any = true; any;) {
    uint64_t rest = 0;
    any = false;
    for (size_t k = limbs; k-- > 0;) {
      rest = rest << 32 | limb[k];
      limb[k] = (uint32_t)(rest / 10);
      rest %= 10;
      any = any || limb[k];
    }
    digits[count++] = (char)('0' + rest);
  }
  return count;
}

size_t tacit_arrow_decimal_text(const tacit_arrow_decimal *decimal, const void *data, int64_t i,
                                char text[TACIT_ARROW_TEXT]) {
  uint32_t limb[8];
  char digits[160] = {0}; /* 2^256 has 78, and a scale adds 76 zeros at most */
  size_t limbs = decimal->bytes / sizeof *limb, length = 0;
  memcpy(limb, (const char *)data + decimal->bytes * (size_t)i, decimal->bytes);
  bool negative = limb[limbs - 1] >> 31;
  uint64_t carry = 1;
  for (size_t k = 0; negative && k < limbs; k++) {
    carry += (uint32_t)~limb[k];
    limb[k] = (uint32_t)carry;
    carry >>= 32;
  }
  size_t zeros = decimal->scale < 0 ? (size_t)-decimal->scale : 0,
         point = decimal->scale > 0 ? (size_t)decimal->scale : 0;
  memset(digits, '0', zeros);
  size_t count = zeros + digits_of(limb, limbs, digits + zeros);
  while (count <= point) digits[count++] = '0';
  if (count + 3 > TACIT_ARROW_TEXT) return 0;
  if (negative) text[length++] = '-';
  for (size_t k = count; k-- > 0;) {
    text[length++] = digits[k];
    if (k == point && point) text[length++] = '.';
  }
  return length;
}

bool tacit_arrow_time_of(const char *format, tacit_arrow_time *time) {
  static const struct {
    const char *format;
    int64_t in_a_day;
  } UNITS[] = {{"tss:", 86400}, {"tsm:", 86400000}, {"tsu:", 86400000000}, {"tsn:", 86400000000000}};
  if (!format) return false;
  *time = (tacit_arrow_time){.in_a_day = 1, .narrow = true};
  if (!strcmp(format, "tdD")) return true;
  *time = (tacit_arrow_time){.in_a_day = 86400000};
  if (!strcmp(format, "tdm")) return true;
  for (size_t k = 0; k < sizeof UNITS / sizeof *UNITS; k++)
    if (!strncmp(format, UNITS[k].format, strlen(UNITS[k].format))) {
      *time =
          (tacit_arrow_time){.in_a_day = UNITS[k].in_a_day, .zoned = format[strlen(UNITS[k].format)] != 0};
      return true;
    }
  return false;
}

size_t tacit_arrow_time_text(const tacit_arrow_time *time, const void *data, int64_t i,
                             char text[TACIT_ARROW_TEXT]) {
  enum {
    SECONDS = 86400,
    NANOSECONDS = 1000000000,
    FIRST = -719162,
    LAST = 2932896
  }; /* days of years 1, 9999 */
  int64_t value = time->narrow ? ((const int32_t *)data)[i] : ((const int64_t *)data)[i];
  int64_t days = value / time->in_a_day, rest = value % time->in_a_day;
  if (rest < 0) rest += time->in_a_day, days--;
  if (days < FIRST || days > LAST) return 0;
  int64_t in_a_second = time->in_a_day > SECONDS ? time->in_a_day / SECONDS : 1;
  int64_t seconds = time->in_a_day == 1 ? 0 : rest / in_a_second;
  tacit_moment m = {.hour = (int)(seconds / 3600),
                    .minute = (int)(seconds / 60 % 60),
                    .second = (int)(seconds % 60),
                    .nanosecond = (int)(rest % in_a_second * (NANOSECONDS / in_a_second))};
  tacit_date_of(days, &m.year, &m.month, &m.day);
  size_t length = tacit_moment_print(&m, text);
  if (!time->zoned) return length;
  bool midnight = seconds == 0 && m.nanosecond == 0;
  return length +
         (size_t)snprintf(text + length, TACIT_ARROW_TEXT - length, "%s+00", midnight ? " 00:00:00" : "");
}
