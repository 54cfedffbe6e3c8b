/* The only way out of this room for anything computed from rows: an exact sum plus exact noise, recorded.
   (proofs/exact-noise.md, proofs/composition.md) */
#ifndef TACIT_SRC_RELEASE_H
#define TACIT_SRC_RELEASE_H

#include "privacy/certificate.h"
#include "random/random.h"

typedef struct tacit_release {
  tacit_noise_source *noise;
  tacit_certificate *certificate; /* every release is added here before its noise is drawn */
} tacit_release;

/* out[j] = (sum[j] + round(sigma Z_j)) 2^-bits, the sum taken modulo 2^64 as a signed integer. sum is
   overwritten by the noisy one. sensitivity and sigma are in units of the grid 2^-bits. */
tacit_status tacit_release_sum(const tacit_release *gate, size_t target, size_t n, uint64_t *sum,
                               double sensitivity, double sigma, int bits, double *out,
                               tacit_error *error) TACIT_CHECKED;

#endif
