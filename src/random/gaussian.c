/* round(sigma Z) for a true standard normal Z, exactly: a table decides almost always, multi-precision the
   rest.

   One word gives a sign and a tail integer k; the tail probability p of |Z| lies in [k, k+1) / 2^64. The
   table gives z(p) with a proved error. When all of value +- error rounds to one integer, no further bit of p
   and no further digit of z could change the answer; otherwise gaussian_hard.c looks closer
   (proofs/exact-noise.md).

   Only + - * and conversions are used, each right to one unit in any rounding mode and on any CPU with IEEE
   doubles: the same seed gives the same noise everywhere, and nothing rests on a library's fma or floor. */
#include "random/gaussian_hard.h"
#include "random/gaussian_table.h"
#include "random/random.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "the error bound needs doubles that are computed as doubles");
#ifdef __FAST_MATH__
#error "the error bound needs IEEE arithmetic: compile without -ffast-math"
#endif

/* Covers what does not grow with sigma: rounding a fraction below 1 and distances near 1/2, underflow. */
#define ABSOLUTE_ERROR 0x1p-48

/* Adding it leaves no bits for a fraction: |offset| < 2^50. */
#define ROUND_TO_INTEGER 0x1.8p52

static _Thread_local uint64_t hard_count;

uint64_t tacit_gaussian_hard_count(void) {
  return hard_count;
}

/* sigma with its last 26 bits cleared: 27 bits are left, so that times 26 bits of hi is exact, and likewise
   for the 26 bits of sigma - high_half(sigma). */
static double high_half(double sigma) {
  uint64_t bits;
  memcpy(&bits, &sigma, sizeof bits);
  bits &= ~((UINT64_C(1) << 26) - 1);
  memcpy(&sigma, &bits, sizeof bits);
  return sigma;
}

/* round(sigma z) modulo 2^64, z >= 0 the point with tail probability in [k, k+1) / 2^64. */
static uint64_t rounded_magnitude(tacit_stream *stream, uint64_t k, double sigma) {
  double t;
  const tacit_gaussian_row *row = tacit_gaussian_find(k, &t);
  if (!row) {
    hard_count++;
    return tacit_gaussian_hard(stream, k, sigma, NULL);
  }
  double sigma_high = high_half(sigma);
  double whole = sigma_high * row->hi;                /* exact */
  double correction = (sigma - sigma_high) * row->hi; /* exact */
  int64_t base = (int64_t)whole;
  double fraction = whole - (double)base; /* exact, in [0, 1) */
  double offset = fraction + (correction + sigma * tacit_gaussian_rest(row, t));
  double error = sigma * row->error + ABSOLUTE_ERROR;

  /* sigma z is within error of base + offset. Which integer is tried does not matter for the proof; in
     another rounding mode than the usual one it may be the second nearest, and the hard path decides. */
  double nearest = (offset + ROUND_TO_INTEGER) - ROUND_TO_INTEGER;
  if (fabs(offset - nearest) < 0.5 - error) return (uint64_t)(base + (int64_t)nearest);

  hard_count++;
  int64_t center = base + (int64_t)nearest, reach = (int64_t)error + 2;
  tacit_bracket bracket = {center > reach ? center - reach : 0, center + reach};
  return tacit_gaussian_hard(stream, k, sigma, &bracket);
}

int64_t tacit_gaussian_integer(tacit_stream *stream, double sigma) {
  /* A scale that is negative or not a number would release data without its noise: stop rather than go on. */
  if (!(sigma >= 0 && sigma <= TACIT_SIGMA_MAX)) abort();
  if (sigma == 0) return 0;
  uint64_t word = tacit_stream_bits(stream);
  uint64_t magnitude = rounded_magnitude(stream, word & INT64_MAX, sigma);
  return (int64_t)(word >> 63 ? -magnitude : magnitude);
}
