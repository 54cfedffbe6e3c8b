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

/* out[j] = (sum[j] + round(sigma_j Z_j)) 2^-bits, the sum taken modulo 2^64 as a signed integer. The
   mechanism says what was summed, its sensitivity and sigma; its count must be 1. sigma_j is sigma, and sigma
   / sqrt 2 for the off-diagonals of a moment (upper triangle by rows). sum is overwritten by the noisy one.
 */
tacit_status tacit_release_sum(const tacit_release *gate, const tacit_mechanism *mechanism, uint64_t *sum,
                               double *out, tacit_error *error) TACIT_CHECKED;

/* One bit of the table by randomised response: *out is `truth` with probability e^level / (1 + e^level), in
   exact arithmetic on uniform bits, rounded towards a coin (proofs/randomised-response.md). The mechanism is
   a TACIT_RELEASE_SIGN whose count is 1. */
tacit_status tacit_release_sign(const tacit_release *gate, const tacit_mechanism *mechanism, bool truth,
                                bool *out, tacit_error *error) TACIT_CHECKED;

#endif
