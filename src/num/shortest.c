/* A number as text: the fewest digits that read back as it. */
#include "num/shortest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t tacit_shortest(double number, char text[TACIT_SHORTEST]) {
  int length = 0;
  if (number == floor(number) && fabs(number) < 0x1p128)
    return (size_t)snprintf(text, TACIT_SHORTEST, "%.0f", number);
  for (int digits = 15; digits <= 17; digits++) {
    length = snprintf(text, TACIT_SHORTEST, "%.*g", digits, number);
    if (strtod(text, NULL) == number) break;
  }
  for (int i = 0; i < length; i++) /* whatever the locale has for a point */
    if (!strchr("+-0123456789abcdefin", text[i])) text[i] = '.';
  return (size_t)length;
}
