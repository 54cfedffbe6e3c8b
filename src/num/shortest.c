/* A number as text: the fewest digits that read back as it. */
#include "num/shortest.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t tacit_shortest(double number, char text[TACIT_SHORTEST]) {
  char made[TACIT_SHORTEST];
  bool whole = number == floor(number) && fabs(number) < 0x1p128;
  int length = whole ? snprintf(made, sizeof made, "%.0f", number) : 0;
  for (int digits = 15; !whole && digits <= 17; digits++) {
    length = snprintf(made, sizeof made, "%.*g", digits, number);
    if (strtod(made, NULL) == number) break;
  }
  for (int i = 0; i < length; i++) /* whatever the locale has for a point */
    if (!strchr("+-0123456789abcdefin", made[i])) made[i] = '.';
  memcpy(text, made, (size_t)length + 1);
  return (size_t)length;
}
