/* Numbers that are given by their digits. */
#include "source/digits.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum { DIGITS = 15 }; /* any two decimals of so many digits are two doubles */

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool tacit_digits_read(const char *text, size_t length, tacit_digits *digits) {
  const char *p = text, *end = text + length, *point = NULL;
  size_t count = 0;
  while (p < end && is_blank(*p)) p++;
  while (p < end && is_blank(end[-1])) end--;
  bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) p++;
  for (const char *q = p; q < end; q++) {
    if (*q == '.' && !point)
      point = q;
    else if (!is_digit(*q))
      return false;
    count += is_digit(*q);
  }
  while (p < end && *p == '0') p++;
  while (point && end[-1] == '0') end--;
  if (point && end == point + 1) end--;
  *digits = (tacit_digits){.negative = negative && p < end, .text = p, .length = (size_t)(end - p)};
  return count > 0;
}

/* Whether a whole number is a double: but for its powers of two it has at most 53 bits. */
static bool is_double(const tacit_digits *digits) {
  wide value = 0;
  for (size_t i = 0; i < digits->length; i++) {
    if (value > ((wide)-1 - 9) / 10) return false;
    value = value * 10 + (wide)(digits->text[i] - '0');
  }
  while (value > 0 && (value & 1) == 0) value >>= 1;
  return value <= (wide)1 << 53;
}

static size_t significant(const tacit_digits *digits) {
  size_t count = 0;
  for (size_t i = 0; i < digits->length; i++)
    count += is_digit(digits->text[i]) && (count > 0 || digits->text[i] != '0');
  return count;
}

bool tacit_digits_apart(const tacit_digits *digits) {
  bool fraction = digits->length > 0 && memchr(digits->text, '.', digits->length);
  return fraction ? significant(digits) <= DIGITS : is_double(digits);
}

tacit_cell tacit_digits_cell(const char *text, size_t length) {
  tacit_digits digits;
  tacit_cell cell = {.text = text, .length = length};
  double number;
  if (!tacit_digits_read(text, length, &digits)) return cell;
  if (tacit_digits_apart(&digits) && tacit_cell_number(&cell, &number)) return (tacit_cell){.number = number};
  cell.length = (size_t)(digits.text + digits.length - text);
  return cell;
}
