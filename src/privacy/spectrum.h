/* Products of powers of two real sequences, from the one transform that carries both (proofs/fft.md, claims
   2 to 5). */
#ifndef TACIT_SRC_SPECTRUM_H
#define TACIT_SRC_SPECTRUM_H

#include "base/base.h"

/* The transform of a + i b in bit-reversed order becomes that of u + i v, u = a^p0 * b^p1 for power[0] = (p0,
   p1) and v alike for power[1], all zero when there is one product. p1 is 0 or 1. error[i]: how far a
   coefficient of the first and second sequence may be from the exact one, given the transform's own error. */
typedef struct tacit_spectrum {
  int bits;
  double *re, *im;
  double error[2];
  size_t products;
  uint64_t power[2][2];
} tacit_spectrum;

/* off[i]: what the errors of the coefficients and of the way back add to product i, in sum of absolute values
   after the backward transform, over 2^bits. */
void tacit_spectrum_multiply(tacit_spectrum *s, double off[2]);

#endif
