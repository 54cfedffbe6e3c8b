/* Any bytes as a cell that should hold a number: what is accepted is what strtod makes of it, and finite. */
#include "fuzz/target.h"
#include "source/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  double number = 0;
  const tacit_cell cell = {.text = (const char *)data, .length = size};
  tacit_number_kind kind = tacit_cell_read_number(&cell, &number);
  MUST(tacit_cell_number(&cell, &number) == (kind == TACIT_NUMBER));
  if (kind != TACIT_NUMBER) return 0;
  char *text = malloc(size + 1), *end;
  MUST(text);
  if (size) memcpy(text, data, size);
  text[size] = 0;
  double plain = strtod(text, &end);
  MUST(isfinite(number) && plain == number && signbit(plain) == signbit(number));
  MUST(strspn(end, " \t\r\n\v\f") == strlen(end)); /* all of it was the number */
  free(text);
  return 0;
}
