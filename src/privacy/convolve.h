/* Powers and products of measures on one grid, by the Fourier transform, with their distance from the exact
   ones (proofs/pld.md, proofs/fft.md). */
#ifndef TACIT_SRC_CONVOLVE_H
#define TACIT_SRC_CONVOLVE_H

#include "num/fft.h"
#include "privacy/measure.h"

typedef struct tacit_convolve_part {
  const tacit_measure *m;
  uint64_t power; /* at least 1 */
} tacit_convolve_part;

enum { TACIT_CONVOLVE_PARTS = 2 };
/* out = the convolution of all parts, each `power` times, restricted to a window; *off bounds the sum of |out
   - exact| over all losses, those outside the window included. Masses are not negative. TACIT_REFUSED when
   more than 2^bits_max points would be needed. *roots, NULL at first, is kept for the next call; free it. */
tacit_status tacit_convolve(const tacit_convolve_part *parts, size_t count, int bits_max, tacit_fft **roots,
                            tacit_measure *out, double *off, tacit_error *error) TACIT_CHECKED;

#endif
