/* Numbers as they stand in cells, many at a time: digits / ten, rounded to doubles by columns. */
#ifndef TACIT_SRC_DECIMALS_H
#define TACIT_SRC_DECIMALS_H

#include "source/rows.h"

enum {
  TACIT_TEN_MAX = 22, /* 10^22 is the largest power of ten that is a double */
  TACIT_TEN_MINUS = 32
};
/* 10^k at k, -10^k at TACIT_TEN_MINUS + k, for k <= TACIT_TEN_MAX; 0 elsewhere. */
extern const double tacit_tens[2 * TACIT_TEN_MINUS];

/* A tile of numbers. Number i is (top * 10^16 + middle * 10^8 + last) / ten, middle and last the lower and
   the upper half of low, both below 10^8, top below 1000, ten one of tacit_tens. Where ten is NaN, low holds
   a double's bits, and that is the number. */
typedef struct tacit_decimals {
  uint64_t low[TACIT_TILE];
  double ten[TACIT_TILE];
  int32_t top[TACIT_TILE];
} tacit_decimals;

/* out[i] is the double nearest to number i (ties to even), for i < count; out has room for a tile. */
void tacit_decimals_round(const tacit_decimals *decimals, size_t count, double *out);

/* One of them, in integers: digits / 10^behind for behind <= TACIT_TEN_MAX (number.c). */
double tacit_decimal_exact(uint64_t digits, int behind);

#endif
