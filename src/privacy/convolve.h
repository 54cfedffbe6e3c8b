/* Powers and products of measures on one grid, by the Fourier transform, with their distance from the exact
   ones (proofs/pld.md, proofs/fft.md). */
#ifndef TACIT_SRC_CONVOLVE_H
#define TACIT_SRC_CONVOLVE_H

#include "num/fft.h"
#include "privacy/measure.h"

typedef struct tacit_convolve_part {
  const tacit_measure *m;
  uint64_t power; /* at least 1; of the second part 1 */
} tacit_convolve_part;

enum { TACIT_CONVOLVE_PARTS = 2 };
/* out = the convolution of all parts, each `power` times, restricted to a window; *off bounds the sum of |out
   - exact| over all losses, those outside the window included. Masses are not negative. TACIT_REFUSED when
   more than 2^bits_max points would be needed. *roots, NULL at first, is kept for the next call; free it. */
tacit_status tacit_convolve(const tacit_convolve_part *parts, size_t count, int bits_max, tacit_fft **roots,
                            tacit_measure *out, double *off, tacit_error *error) TACIT_CHECKED;

/* Several products of the same two measures, of which the second may be NULL, by one transform there and
   back: out = in[0]^power[0] * in[1]^power[1], power[0] at least 1 and power[1] at most 1. About
   e^log_outside may be left outside each window. Free every `out`. */
typedef struct tacit_product {
  uint64_t power[2];
  tacit_measure out;
  double off;
} tacit_product;
tacit_status tacit_convolve_products(const tacit_measure *const in[2], tacit_product *products, size_t count,
                                     double log_outside, int bits_max, tacit_fft **roots,
                                     tacit_error *error) TACIT_CHECKED;

#endif
