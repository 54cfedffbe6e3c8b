/* Figures for people, who must not read that less was spent or promised, or more is left, than is true. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* To the nearest, and where that is on the wrong side, to the next on the other. */
static void print_rounded(char text[ROUNDED_SIZE], int digits, double value, bool up) {
  snprintf(text, ROUNDED_SIZE, "%.*e", digits - 1, value);
  double shown = strtod(text, NULL);
  if (isfinite(value) && (up ? shown < value : shown > value)) {
    double unit = pow(10, strtod(strchr(text, 'e') + 1, NULL) - (digits - 1));
    shown += up ? unit : -unit;
  }
  snprintf(text, ROUNDED_SIZE, "%.*g", digits, shown);
}

const char *in_full(char text[ROUNDED_SIZE], double value) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, ROUNDED_SIZE, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break; /* reads back as it was: 0.9, not 0.90000000000000002 */
  }
  return text;
}

const char *rounded_up(char text[ROUNDED_SIZE], int digits, double value) {
  print_rounded(text, digits, value, true);
  return text;
}

const char *rounded_down(char text[ROUNDED_SIZE], int digits, double value) {
  print_rounded(text, digits, value, false);
  return text;
}
