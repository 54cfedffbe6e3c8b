/* Products of columns of two-byte numbers, which processors multiply in pairs: several times as fast as
   doubles, and exact while sums stay below 2^31. */
#ifndef TACIT_SRC_PAIRS_H
#define TACIT_SRC_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TACIT_PAIR_TILE = 4, TACIT_PAIR_RUN = 32 };

/* out[s][t] = the sum of a_s[i] b_t[i] over i < length, for four columns a_s = a + s * stride and four of b.
   length is a multiple of TACIT_PAIR_RUN. Sums are those of whole numbers modulo 2^32, whatever the order. */
void tacit_pair_products(size_t length, const int16_t *a, const int16_t *b, size_t stride,
                         int32_t out[TACIT_PAIR_TILE][TACIT_PAIR_TILE]);

/* out[t] = the sum of a[i] b_t[i] over i < length, for one column a and four of b, where no product is 2^27
   or more in magnitude: exact. */
void tacit_pair_sums(size_t length, const int16_t *a, const int16_t *b, size_t stride,
                     int64_t out[TACIT_PAIR_TILE]);
bool tacit_pair_sums_by(size_t kind, size_t length, const int16_t *a, const int16_t *b, size_t stride,
                        int64_t out[TACIT_PAIR_TILE]);

/* The same by one of the processor's ways, for tests; false where it does not have this one. */
size_t tacit_pair_kinds(void);
bool tacit_pair_products_by(size_t kind, size_t length, const int16_t *a, const int16_t *b, size_t stride,
                            int32_t out[TACIT_PAIR_TILE][TACIT_PAIR_TILE]);

#endif
