/* Spreads of the rows of a block: plain loops that the compiler vectorises. */
#include "pass/spread_block.h"

#include "num/clones.h"

#include <math.h>
#include <string.h>

/* Adding 1.5 * 2^23 rounds a small number to an integer, which then stands in the low bits of the sum. */
#define ROUND 0x1.8p23f

static inline float from_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* x = k log 2 + r; e^r by its series, of which the terms up to r^7 matter. k log 2 in two parts, the first of
   which is exact. */
static inline float exp_of(float x) {
  float shifted = x * 0x1.715476p+0f + ROUND, k = shifted - ROUND;
  float r = (x - k * 0x1.62e4p-1f) - k * 0x1.7f7d1cp-20f;
  float p = 1 / 5040.0f;
  p = p * r + 1 / 720.0f;
  p = p * r + 1 / 120.0f;
  p = p * r + 1 / 24.0f;
  p = p * r + 1 / 6.0f;
  p = p * r + 0.5f;
  p = p * r + 1;
  p = p * r + 1;
  return p * from_bits((bits_of(shifted) + 127) << 23);
}

/* x = 2^k m, m in [sqrt(1/2), sqrt 2); log m by the series of 2 artanh t, t = (m - 1) / (m + 1), |t| < 0.172.
 */
static inline float log_of(float x) {
  uint32_t bits = bits_of(x) - 0x3f3504f3; /* sqrt(1/2) */
  float k = (float)((int32_t)bits >> 23), m = from_bits((bits & 0x7fffff) + 0x3f3504f3);
  float t = (m - 1) / (m + 1), t2 = t * t;
  float p = 2 / 9.0f;
  p = p * t2 + 2 / 7.0f;
  p = p * t2 + 2 / 5.0f;
  p = p * t2 + 2 / 3.0f;
  p = p * t2 + 2;
  return k * 0x1.62e43p-1f + p * t;
}

float tacit_single_exp(float x) {
  return exp_of(x);
}

float tacit_single_log(float x) {
  return log_of(x);
}

/* A NaN fails the first comparison and becomes `most`. */
static inline float held(float x, float least, float most) {
  x = x < most ? x : most;
  return x > least ? x : least;
}

TACIT_CLONES static void above_residuals(float least, float most, float scale, float *restrict r,
                                         const float *restrict e) {
  const float smallest = 0x1p-100f;
  for (size_t i = 0; i < TACIT_BLOCK; i++) {
    float size = fabsf(r[i]);
    size = size > smallest ? size : smallest;
    r[i] = (held(e[i], least, most) - held(log_of(size), least, most)) * scale;
  }
}

TACIT_CLONES static void in_spreads(float least, float most, float times, float scale, float *restrict r,
                                    float *restrict e) {
  for (size_t i = 0; i < TACIT_BLOCK; i++) {
    float s = exp_of(held(e[i], least, most));
    e[i] = s;
    r[i] = (r[i] / s + times) * scale;
  }
}

void tacit_spread_margins(const tacit_row_spread *spread, tacit_score_form form, double bandwidth,
                          float r[TACIT_BLOCK], float e[TACIT_BLOCK]) {
  float least = (float)spread->least, most = (float)spread->most, scale = (float)(1 / bandwidth);
  if (form == TACIT_FORM_SPREAD)
    above_residuals(least, most, scale, r, e);
  else
    in_spreads(least, most, (float)spread->times, scale, r, e);
}

TACIT_CLONES static void draw_to(float level, float scale, const float *restrict s, float *restrict phi) {
  for (size_t i = 0; i < TACIT_BLOCK; i++) phi[i] = level + held(s[i] * scale, 0, 1) * (phi[i] - level);
}

void tacit_spread_weigh(const tacit_row_spread *spread, double tau, const float s[TACIT_BLOCK],
                        float phi[TACIT_BLOCK]) {
  draw_to((float)tau, (float)(1 / spread->full), s, phi);
}

/* Squares of 16-bit cells and the norm's, which is below 2^26, lose no more than 2^-24 each in single
   precision, their sum and its root likewise, and 2^-12 is added: never below the norm (design_map.c). */
TACIT_CLONES static void write_column(float slope, float base, float limit, const float *restrict s,
                                      const int32_t *restrict norms, int32_t *restrict cells,
                                      int32_t *restrict with) {
  const float more = 1 + 0x1p-12f;
  for (size_t i = 0; i < TACIT_BLOCK; i++) {
    float value = held(s[i] * slope + base, -limit, limit), norm = (float)norms[i];
    int32_t cell = (int32_t)(value + (value > 0 ? 0.5f : -0.5f));
    cell = norms[i] > 0 ? cell : 0;
    float square = norm * norm + (float)cell * (float)cell;
    cells[i] = cell;
    with[i] = (int32_t)(sqrtf(square) * more) + (square > 0);
  }
}

void tacit_spread_column(const tacit_row_spread *spread, int cell_bits, const float s[TACIT_BLOCK],
                         const int32_t norms[TACIT_BLOCK], int16_t cells[TACIT_BLOCK],
                         int32_t with[TACIT_BLOCK]) {
  int32_t wide[TACIT_BLOCK];
  double weight = ldexp(spread->weight, cell_bits);
  write_column((float)(weight / spread->unit), (float)-weight, TACIT_NARROW_MAX, s, norms, wide, with);
  for (size_t i = 0; i < TACIT_BLOCK; i++) cells[i] = (int16_t)wide[i];
  memset(wide, 0, sizeof wide);
}
