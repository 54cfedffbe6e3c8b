/* The moment of many columns for smoothed ERM, from rows in two bytes: it serves as a metric for steps, whose
   end it does not change, and three digits are enough. */
#ifndef TACIT_SRC_SMOOTH_PAIRS_H
#define TACIT_SRC_SMOOTH_PAIRS_H

#include <stddef.h>
#include <stdint.h>

enum {
  TACIT_SMOOTH_WIDE = 256, /* columns from which on it is worth it, */
  TACIT_SMOOTH_WAIT = 512  /* with so many rows at a time */
};

typedef struct tacit_smooth_waiting {
  size_t rows, columns; /* multiples of 32 and of 4 */
  const float *z;       /* [column][TACIT_SMOOTH_WAIT] */
  int16_t *whole;       /* room for as many, */
  float *unit;          /* and for the columns */
} tacit_smooth_waiting;

/* The lower triangle of S += Z'Z in whole tiles. */
void tacit_smooth_moment_pairs(const tacit_smooth_waiting *waiting, double *s, size_t side);

#endif
