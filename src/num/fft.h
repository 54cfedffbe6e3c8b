/* The discrete Fourier transform of 2^k complex numbers, with a proved bound on its round-off
   (proofs/fft.md). */
#ifndef TACIT_SRC_FFT_H
#define TACIT_SRC_FFT_H

#include "base/base.h"

typedef struct tacit_fft tacit_fft; /* the roots of unity for one length */

enum { TACIT_FFT_BITS_MAX = 24 };
/* For 2^bits numbers, 0 <= bits <= TACIT_FFT_BITS_MAX. NULL without memory. Free with tacit_fft_free. */
tacit_fft *tacit_fft_new(int bits);
void tacit_fft_free(tacit_fft *fft);
int tacit_fft_bits(const tacit_fft *fft);
/* From now on 2^bits numbers, with the same table of roots; false where that does not hold them. */
bool tacit_fft_shorten(tacit_fft *fft, int bits);

/* In place: X_k = sum_j x_j e^(-2 pi i jk / n), stored in bit-reversed order of k. */
void tacit_fft_forward(const tacit_fft *fft, double *re, double *im);
/* In place, from bit-reversed order: n times the inverse, x_j = sum_k X_k e^(+2 pi i jk / n). */
void tacit_fft_backward(const tacit_fft *fft, double *re, double *im);

/* Every output of either transform is within this factor times sum |inputs| of the exact sum. */
double tacit_fft_error(int bits);

#endif
