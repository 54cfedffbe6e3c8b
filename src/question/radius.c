/* How far one row's part of an answer can reach, in integers. */
#include "question/radius.h"

#include "base/base.h"
#include "schema/schema.h"

#include <math.h>

double tacit_clip_radius(double clip, int bits) {
  return floor(ldexp(clip, bits)); /* scaling by a power of two is exact */
}

double tacit_moment_radius(double clip, int bits) {
  double radius = tacit_clip_radius(clip, bits);
  return radius * radius;
}

double tacit_count_radius(int bits) {
  return ldexp(1, bits);
}

double tacit_unit_radius(double reach, double clip) {
  return floor(reach * clip);
}

double tacit_unit_edge(double most, int bin) {
  return ldexp(bin % 2 ? most : most * M_SQRT1_2, -(bin + 1) / 2);
}

tacit_unit_ends tacit_unit_leaning(double radius, double lean, bool leaving) {
  double wider = fmax(lean, 1 - lean), length = leaving ? radius / wider : 2 * radius;
  double low = floor(length * lean), high = floor(length * (1 - lean));
  /* no rounding may add to what is claimed */
  low = fmin(low, leaving ? radius : 2 * radius);
  return (tacit_unit_ends){low, fmin(high, leaving ? radius : 2 * radius - low)};
}

tacit_status tacit_score_bound_set(tacit_score_bound *bound, double tau, double clip_norm, int cell_bits,
                                   tacit_error *error) {
  if (!(tau > 0 && tau < 1))
    return tacit_fail(error, TACIT_USAGE, "the quantile must be above 0 and below 1");
  if (cell_bits < 0 || cell_bits > 30)
    return tacit_fail(error, TACIT_USAGE, "the grid must have 0 to 30 bits");
  /* Scaling by a power of two is exact, so ceil and floor are too. */
  double score = ceil(ldexp(fmax(tau, 1 - tau), TACIT_SCORE_BITS));
  double clip = tacit_clip_radius(clip_norm, cell_bits);
  if (!(clip >= 1 && score * clip < TACIT_EXACT))
    return tacit_fail(error, TACIT_USAGE, "clip_norm must lie between %g and %g", ldexp(1, -cell_bits),
                      ldexp(1, 36 - cell_bits));
  *bound = (tacit_score_bound){(int64_t)score, (int64_t)clip, (int64_t)(score * clip)};
  return TACIT_OK;
}

tacit_status tacit_ramp_bound_set(tacit_ramp_bound *bound, double width, double change, tacit_error *error) {
  const int64_t one = INT64_C(1) << TACIT_RAMP_BITS;
  double half = floor(ldexp(width, TACIT_TARGET_BITS));
  if (!(half >= 1 && half <= 0x1p31 && change >= 1 && change <= 0x1p32 && change == floor(change)))
    return tacit_fail(error, TACIT_USAGE, "a ramp's window or change does not fit the grid of targets");
  /* floor(a + b) - floor(a) <= ceil(b), b = change 2^24 / (2 half) */
  int64_t twice = 2 * (int64_t)half, moved = ((int64_t)change * one + twice - 1) / twice;
  *bound = (tacit_ramp_bound){.half = (int64_t)half, .steps = moved < one ? moved : one};
  return TACIT_OK;
}

/* A row within the clip norm keeps its ramp; a longer one's is scaled down, which rounds once more, and it is
   no longer than TACIT_RAMP_LONGEST clip norms. */
double tacit_ramp_radius(const tacit_ramp_bound *bound, double clip, int cell_bits) {
  double steps = fmin((double)bound->steps + TACIT_RAMP_LONGEST, ldexp(1, TACIT_RAMP_BITS));
  return steps * tacit_clip_radius(clip, cell_bits);
}
