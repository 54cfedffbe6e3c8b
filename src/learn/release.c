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
static tacit_status look_before(const tacit_gate *gate, tacit_mechanism *mechanism, const uint64_t *exact,
                                tacit_error *error) {
  const tacit_release_probe *probe = gate->probe;
  return probe && probe->before ? probe->before(probe->self, mechanism, exact, error) : TACIT_OK;
}

static tacit_status look_after(const tacit_gate *gate, const tacit_mechanism *mechanism, uint64_t *noisy,
                               tacit_stream *stream, tacit_error *error) {
  const tacit_release_probe *probe = gate->probe;
  return probe && probe->after ? probe->after(probe->self, mechanism, noisy, stream, error) : TACIT_OK;
}

static tacit_status add_noise(const tacit_gate *gate, const tacit_mechanism *mechanism, tacit_stream *stream,
                              uint64_t *values, tacit_error *error) {
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
static tacit_status add_own_noise(tacit_gate *gate, const tacit_mechanism *mechanism, uint64_t *values,
                                  tacit_error *error) {
  tacit_stream stream;
  TACIT_TRY(tacit_stream_begin(&gate->noise, &stream, error));
  tacit_status status = add_noise(gate, mechanism, &stream, values, error);
  tacit_stream_end(&stream);
  return status;
}

void tacit_gate_open(tacit_gate *gate, const uint64_t *seed, const tacit_ranks *ranks) {
  *gate = (tacit_gate){.plan = NULL};
  if (seed)
    tacit_noise_source_seeded(&gate->noise, *seed);
  else
    tacit_noise_source_os(&gate->noise);
  gate->noise.ranks = ranks;
}

tacit_status tacit_gate_astray(tacit_error *error) {
  return tacit_fail(
      error, TACIT_INTERNAL,
      "a learner was about to release what was not planned or not paid for; it was not released");
}

/* The target's next release, or all of its next item, entered into the certificate: from here on it counts as
   made. */
static tacit_status take(tacit_gate *gate, size_t target, tacit_release_kind kind, bool all,
                         tacit_mechanism *m, tacit_error *error) {
  const tacit_mechanism *next = tacit_plan_next(gate->plan, target);
  if (!gate->paid || !next || next->kind != kind) return tacit_gate_astray(error);
  if (kind != TACIT_RELEASE_SIGN && !(next->sigma > 0 && next->sigma <= TACIT_SIGMA_MAX))
    return tacit_fail(error, TACIT_REFUSED,
                      "this guarantee needs more noise than the grid can hold; use a larger mu, a smaller "
                      "clip norm or fewer steps");
  *m = *next;
  if (!all) m->count = 1;
  tacit_plan_take(gate->plan, target, m->count);
  return tacit_certificate_add(gate->certificate, m, error);
}

tacit_status tacit_release_sum(tacit_gate *gate, size_t target, tacit_release_kind kind, uint64_t *sum,
                               double *out, double *sigma, tacit_error *error) {
  tacit_mechanism m;
  TACIT_TRY(take(gate, target, kind, false, &m, error));
  const tacit_ranks *ranks = gate->noise.ranks;
  /* one rank draws the noise; the others learn the noisy sum */
  tacit_status status = tacit_ranks_first(ranks) ? add_own_noise(gate, &m, sum, error) : TACIT_OK;
  TACIT_TRY(tacit_ranks_share(ranks, status, sum, m.dimension * sizeof *sum, error));
  for (size_t j = 0; j < m.dimension; j++) out[j] = ldexp((double)(int64_t)sum[j], -m.bits);
  if (sigma) *sigma = ldexp(m.sigma, -m.bits);
  return TACIT_OK;
}

tacit_status tacit_gate_public(const tacit_gate *gate, const tacit_question *question, tacit_error *error) {
  bool public = gate->plan->facts->schema->features_public && tacit_question_without_targets(question);
  return gate->paid && public ? TACIT_OK : tacit_gate_astray(error);
}

tacit_status tacit_release_linear(tacit_gate *gate, size_t target, int64_t *noise, tacit_error *error) {
  tacit_mechanism m;
  TACIT_TRY(take(gate, target, TACIT_RELEASE_OBJECTIVE, false, &m, error));
  memset(noise, 0, m.dimension * sizeof *noise);
  return add_own_noise(gate, &m, (uint64_t *)noise, error);
}

tacit_status tacit_release_run_begin(tacit_gate *gate, size_t target, tacit_mechanism *run,
                                     tacit_stream *stream, tacit_error *error) {
  TACIT_TRY(take(gate, target, TACIT_RELEASE_SAMPLED, true, run, error));
  return tacit_stream_begin(&gate->noise, stream, error);
}

tacit_status tacit_release_run_step(const tacit_gate *gate, const tacit_mechanism *run, tacit_stream *stream,
                                    int64_t *sum, tacit_error *error) {
  return add_noise(gate, run, stream, (uint64_t *)sum, error);
}

static tacit_status turn_bit(tacit_gate *gate, const tacit_mechanism *m, uint64_t *bit, tacit_error *error) {
  tacit_mechanism told = *m;
  tacit_stream stream;
  TACIT_TRY(tacit_stream_begin(&gate->noise, &stream, error));
  tacit_status status = look_before(gate, &told, bit, error);
  *bit ^= !(tacit_stream_bits(&stream) < tacit_response_threshold(m->level));
  if (status == TACIT_OK) status = look_after(gate, m, bit, &stream, error);
  tacit_stream_end(&stream);
  return status;
}

tacit_status tacit_release_sign(tacit_gate *gate, size_t target, bool truth, bool *out, tacit_error *error) {
  uint64_t bit = truth;
  tacit_mechanism m;
  TACIT_TRY(take(gate, target, TACIT_RELEASE_SIGN, false, &m, error));
  const tacit_ranks *ranks = gate->noise.ranks;
  tacit_status status = tacit_ranks_first(ranks) ? turn_bit(gate, &m, &bit, error) : TACIT_OK;
  TACIT_TRY(tacit_ranks_share(ranks, status, &bit, sizeof bit, error));
  *out = bit;
  return TACIT_OK;
}

static tacit_status draw_direction(tacit_gate *gate, size_t columns, double *direction, tacit_error *error) {
  tacit_stream stream;
  TACIT_TRY(tacit_stream_begin(&gate->noise, &stream, error));
  tacit_direction(&stream, columns, direction);
  tacit_stream_end(&stream);
  return TACIT_OK;
}

tacit_status tacit_gate_direction(tacit_gate *gate, size_t columns, double *direction, tacit_error *error) {
  if (!gate->paid) return tacit_gate_astray(error);
  const tacit_ranks *ranks = gate->noise.ranks;
  tacit_status status = tacit_ranks_first(ranks) ? draw_direction(gate, columns, direction, error) : TACIT_OK;
  return tacit_ranks_share(ranks, status, direction, columns * sizeof *direction, error);
}
