/* Cells of numbers that are given by their digits. */
#include "source/digits.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum { DIGITS = 15 }; /* any two decimals of so many digits are two doubles */

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Whether a whole number is a double: but for its powers of two it has at most 53 bits. */
static bool is_double(const char *text, size_t length) {
  wide value = 0;
  for (size_t i = text[0] == '-'; i < length; i++) {
    if (!is_digit(text[i]) || value > ((wide)-1 - 9) / 10) return false;
    value = value * 10 + (wide)(text[i] - '0');
  }
  while (value > 0 && (value & 1) == 0) value >>= 1;
  return value <= (wide)1 << 53;
}

static size_t significant(const char *text, size_t length) {
  size_t count = 0;
  for (size_t i = 0; i < length; i++) count += is_digit(text[i]) && (count > 0 || text[i] != '0');
  return count;
}

tacit_cell tacit_digits_cell(const char *text, size_t length) {
  const char *point = memchr(text, '.', length);
  while (point && text[length - 1] == '0') length--;
  if (point && text + length == point + 1) length--;
  bool fraction = point && text + length > point;
  tacit_cell cell = {.text = text, .length = length};
  bool apart = length > 0 && (fraction ? significant(text, length) <= DIGITS : is_double(text, length));
  double number;
  if (!apart || !tacit_cell_number(&cell, &number)) return cell;
  return (tacit_cell){.number = number};
}
