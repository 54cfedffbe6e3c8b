/* Numbers as they stand in cells, many at a time: digits / ten, rounded to doubles by columns. */
#ifndef TACIT_SRC_DECIMALS_H
#define TACIT_SRC_DECIMALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  TACIT_TEN_MAX = 22, /* 10^22 is the largest power of ten that is a double */
  TACIT_TEN_MINUS = 32
};
/* 10^k at k, -10^k at TACIT_TEN_MINUS + k, for k <= TACIT_TEN_MAX; 0 elsewhere. */
extern const double tacit_tens[2 * TACIT_TEN_MINUS];

/* out[i] = digits[i] / ten[i], the double nearest to it (ties to even), for entries of tacit_tens. Where
   ten[i] is NaN, digits[i] are a double's bits, and out[i] is that double. The arrays have room for a
   multiple of eight. */
void tacit_decimals_round(const uint64_t *digits, const double *ten, size_t count, double *out);

/* One of them, in integers: digits / 10^behind for behind <= TACIT_TEN_MAX (number.c). */
double tacit_decimal_exact(uint64_t digits, int behind);

#endif
