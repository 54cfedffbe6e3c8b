/* The slow, exact half of the Gaussian sampler: decides in multi-precision, on as many bits as it takes. */
#ifndef TACIT_SRC_GAUSSIAN_HARD_H
#define TACIT_SRC_GAUSSIAN_HARD_H

#include "random/random.h"

/* Bounds of round(sigma z); 0 <= lower <= upper. */
typedef struct tacit_bracket {
  int64_t lower, upper;
} tacit_bracket;

/* round(sigma z) modulo 2^64 for the z whose tail probability begins with tail / 2^64, tail < 2^63; further
   bits come from the stream. bracket must hold the answer; NULL when nothing is known. sigma > 0 is finite.
   The program stops when there is no memory for multi-precision (GMP calls abort). */
uint64_t tacit_gaussian_hard(tacit_stream *stream, uint64_t tail, double sigma, const tacit_bracket *bracket);

#endif
