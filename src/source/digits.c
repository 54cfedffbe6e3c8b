/* Cells of numbers that are given by their digits. */
#include "source/digits.h"

#include <string.h>

tacit_cell tacit_digits_cell(const char *text, size_t length) {
  size_t significant = 0, zeros = 0;
  bool point = memchr(text, '.', length) != NULL;
  while (point && text[length - 1] == '0') length--;
  if (point && text[length - 1] == '.') length--;
  for (size_t i = 0; i < length; i++) {
    bool digit = text[i] >= '0' && text[i] <= '9';
    if (!digit || (text[i] == '0' && significant == 0)) continue;
    zeros = text[i] == '0' ? zeros + 1 : 0;
    significant++;
  }
  tacit_cell cell = {.text = text, .length = length};
  double number;
  if (significant - zeros > 15 || !tacit_cell_number(&cell, &number)) return cell;
  return (tacit_cell){.number = number};
}
