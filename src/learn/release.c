/* The only way out of this room for anything computed from rows: an exact sum plus exact noise, recorded. */
#include "learn/release.h"

#include "learn/ranks.h"

#include <math.h>

/* Whether entry j of an upper triangle, by rows, of a symmetric matrix is off its diagonal. */
static bool off_diagonal(size_t entries, size_t j) {
  size_t width = (size_t)((sqrt(8.0 * (double)entries + 1) - 1) / 2);
  while (j >= width) j -= width--;
  return j > 0;
}

static tacit_status add_noise(const tacit_release *gate, const tacit_mechanism *mechanism, uint64_t *sum,
                              tacit_error *error) {
  /* the double above sqrt(1/2): noise is rounded up */
  static const double ROOT_HALF_UP = 0x1.6a09e667f3bcdp-1;
  tacit_stream stream;
  TACIT_TRY(tacit_stream_begin(gate->noise, &stream, error));
  for (size_t j = 0; j < mechanism->dimension; j++) {
    bool half = mechanism->kind == TACIT_RELEASE_MOMENT && off_diagonal(mechanism->dimension, j);
    sum[j] +=
        (uint64_t)tacit_gaussian_integer(&stream, half ? mechanism->sigma * ROOT_HALF_UP : mechanism->sigma);
  }
  tacit_stream_end(&stream);
  return TACIT_OK;
}

tacit_status tacit_release_sum(const tacit_release *gate, const tacit_mechanism *mechanism, uint64_t *sum,
                               double *out, tacit_error *error) {
  if (!(mechanism->sigma > 0 && mechanism->sigma <= TACIT_SIGMA_MAX))
    return tacit_fail(
        error, TACIT_REFUSED,
        "this guarantee needs more noise than the grid can hold; use a larger mu, a smaller clip_norm "
        "or fewer steps");
  TACIT_TRY(tacit_certificate_add(gate->certificate, mechanism, error));
  const tacit_ranks *ranks = gate->noise->ranks;
  if (ranks) TACIT_TRY(ranks->sum(ranks->user, sum, mechanism->dimension, error));
  /* one rank draws the noise; the others learn the noisy sum */
  tacit_status status = tacit_ranks_first(ranks) ? add_noise(gate, mechanism, sum, error) : TACIT_OK;
  TACIT_TRY(tacit_ranks_share(ranks, status, sum, mechanism->dimension * sizeof *sum, error));
  for (size_t j = 0; j < mechanism->dimension; j++) out[j] = ldexp((double)(int64_t)sum[j], -mechanism->bits);
  return TACIT_OK;
}
