/* The only way out of this room for anything computed from rows: an exact sum plus exact noise, recorded. */
#include "learn/release.h"

#include <math.h>

tacit_status tacit_release_sum(const tacit_release *gate, size_t target, size_t n, uint64_t *sum,
                               double sensitivity, double sigma, int bits, double *out, tacit_error *error) {
  if (!(sigma > 0 && sigma <= TACIT_SIGMA_MAX))
    return tacit_fail(error, TACIT_REFUSED,
                      "this guarantee needs more noise than the grid can hold; use a larger mu, "
                      "a smaller clip_norm or fewer steps");
  tacit_mechanism record = {
      .target = target, .dimension = n, .sensitivity = sensitivity, .sigma = sigma, .count = 1};
  TACIT_TRY(tacit_certificate_add(gate->certificate, &record, error));
  tacit_stream stream;
  TACIT_TRY(tacit_stream_begin(gate->noise, &stream, error));
  for (size_t j = 0; j < n; j++) {
    sum[j] += (uint64_t)tacit_gaussian_integer(&stream, sigma);
    out[j] = ldexp((double)(int64_t)sum[j], -bits);
  }
  tacit_stream_end(&stream);
  return TACIT_OK;
}
