/* The only way out of this room for anything computed from rows: an exact sum plus exact noise, recorded. */
#include "learn/release.h"

#include "learn/ranks.h"
#include "privacy/randomised_response.h"

#include <math.h>
#include <string.h>

/* Whether entry j of an upper triangle, by rows, of a symmetric matrix is off its diagonal. */
static bool off_diagonal(size_t entries, size_t j) {
  size_t width = (size_t)((sqrt(8.0 * (double)entries + 1) - 1) / 2);
  while (j >= width) j -= width--;
  return j > 0;
}

double tacit_release_sigma(const tacit_mechanism *mechanism, size_t j) {
  /* the double above sqrt(1/2): noise is rounded up */
  static const double ROOT_HALF_UP = 0x1.6a09e667f3bcdp-1;
  bool half = mechanism->kind == TACIT_RELEASE_MOMENT && off_diagonal(mechanism->dimension, j);
  return half ? mechanism->sigma * ROOT_HALF_UP : mechanism->sigma;
}

/* What a probe may look at, and change, around the drawing of noise. */
static tacit_status look_before(const tacit_release *gate, tacit_mechanism *mechanism, const uint64_t *exact,
                                tacit_error *error) {
  const tacit_release_probe *probe = gate->probe;
  return probe && probe->before ? probe->before(probe->self, mechanism, exact, error) : TACIT_OK;
}

static tacit_status look_after(const tacit_release *gate, const tacit_mechanism *mechanism, uint64_t *noisy,
                               tacit_stream *stream, tacit_error *error) {
  const tacit_release_probe *probe = gate->probe;
  return probe && probe->after ? probe->after(probe->self, mechanism, noisy, stream, error) : TACIT_OK;
}

static tacit_status add_noise(const tacit_release *gate, const tacit_mechanism *mechanism,
                              tacit_stream *stream, uint64_t *values, tacit_error *error) {
  const tacit_mechanism *drawn = mechanism;
  tacit_mechanism spoiled;
  if (gate->probe) {
    spoiled = *mechanism;
    drawn = &spoiled;
    TACIT_TRY(look_before(gate, &spoiled, values, error));
  }
  for (size_t j = 0; j < mechanism->dimension; j++)
    values[j] += (uint64_t)tacit_gaussian_integer(stream, tacit_release_sigma(drawn, j));
  return look_after(gate, mechanism, values, stream, error);
}

/* One release from a stream of its own. */
static tacit_status add_own_noise(const tacit_release *gate, const tacit_mechanism *mechanism,
                                  uint64_t *values, tacit_error *error) {
  tacit_stream stream;
  TACIT_TRY(tacit_stream_begin(gate->noise, &stream, error));
  tacit_status status = add_noise(gate, mechanism, &stream, values, error);
  tacit_stream_end(&stream);
  return status;
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
  /* one rank draws the noise; the others learn the noisy sum */
  tacit_status status = tacit_ranks_first(ranks) ? add_own_noise(gate, mechanism, sum, error) : TACIT_OK;
  TACIT_TRY(tacit_ranks_share(ranks, status, sum, mechanism->dimension * sizeof *sum, error));
  for (size_t j = 0; j < mechanism->dimension; j++) out[j] = ldexp((double)(int64_t)sum[j], -mechanism->bits);
  return TACIT_OK;
}

tacit_status tacit_release_linear(const tacit_release *gate, const tacit_mechanism *mechanism, int64_t *noise,
                                  tacit_error *error) {
  if (!(mechanism->sigma > 0 && mechanism->sigma <= TACIT_SIGMA_MAX))
    return tacit_fail(error, TACIT_REFUSED, "this guarantee needs more noise than the grid can hold");
  TACIT_TRY(tacit_certificate_add(gate->certificate, mechanism, error));
  memset(noise, 0, mechanism->dimension * sizeof *noise);
  return add_own_noise(gate, mechanism, (uint64_t *)noise, error);
}

tacit_status tacit_release_run_begin(const tacit_release *gate, const tacit_mechanism *mechanism,
                                     tacit_stream *stream, tacit_error *error) {
  if (!(mechanism->sigma > 0 && mechanism->sigma <= TACIT_SIGMA_MAX))
    return tacit_fail(error, TACIT_REFUSED, "this guarantee needs more noise than the grid can hold");
  TACIT_TRY(tacit_certificate_add(gate->certificate, mechanism, error));
  return tacit_stream_begin(gate->noise, stream, error);
}

tacit_status tacit_release_run_step(const tacit_release *gate, const tacit_mechanism *mechanism,
                                    tacit_stream *stream, int64_t *sum, tacit_error *error) {
  return add_noise(gate, mechanism, stream, (uint64_t *)sum, error);
}

/* The bit from a stream of its own, turned or not. */
static tacit_status turn_bit(const tacit_release *gate, const tacit_mechanism *mechanism, uint64_t *bit,
                             tacit_error *error) {
  tacit_mechanism told = *mechanism;
  tacit_stream stream;
  TACIT_TRY(tacit_stream_begin(gate->noise, &stream, error));
  tacit_status status = look_before(gate, &told, bit, error);
  *bit ^= !(tacit_stream_bits(&stream) < tacit_response_threshold(mechanism->level));
  if (status == TACIT_OK) status = look_after(gate, mechanism, bit, &stream, error);
  tacit_stream_end(&stream);
  return status;
}

tacit_status tacit_release_sign(const tacit_release *gate, const tacit_mechanism *mechanism, bool truth,
                                bool *out, tacit_error *error) {
  const tacit_ranks *ranks = gate->noise->ranks;
  uint64_t bit = truth;
  TACIT_TRY(tacit_certificate_add(gate->certificate, mechanism, error));
  tacit_status status = tacit_ranks_first(ranks) ? turn_bit(gate, mechanism, &bit, error) : TACIT_OK;
  TACIT_TRY(tacit_ranks_share(ranks, status, &bit, sizeof bit, error));
  *out = bit != 0;
  return TACIT_OK;
}
