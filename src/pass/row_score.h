/* What one row's margin becomes: Phi, a count, a score within its cap. In single precision, for loops that
   the compiler vectorises; the same for all the forms that rows take. */
#ifndef TACIT_SRC_ROW_SCORE_H
#define TACIT_SRC_ROW_SCORE_H

#include <math.h>
#include <stdint.h>

/* An odd polynomial on [-4.25, 4.25], beyond which Phi is within 2^-16 of 0 or 1 (bench/phi_coefficients.py).
   A NaN fails the first comparison and counts as large. */
static inline float tacit_phi_of(float x) {
  x = x < 4.25f ? x : 4.25f;
  x = x > -4.25f ? x : -4.25f;
  float s = x * x, q = -0x1.689436p-39f;
  q = q * s + 0x1.2c6e0ep-32f;
  q = q * s - 0x1.c20a2ap-27f;
  q = q * s + 0x1.94d4fap-22f;
  q = q * s - 0x1.ef200ep-18f;
  q = q * s + 0x1.bb07c6p-14f;
  q = q * s - 0x1.2fa960p-10f;
  q = q * s + 0x1.453e00p-7f;
  q = q * s - 0x1.103192p-4f;
  q = q * s + 0x1.988220p-2f;
  return 0.5f + x * q;
}

/* One row counts at most 1, by comparison: proofs/exact-sums.md. The grid is an argument because the compiler
   fails to vectorise comparisons with constants. */
static inline uint32_t tacit_on_grid(float phi, float grid) {
  float v = phi * grid;
  v = v < grid ? v : grid;
  v = v > -grid ? v : -grid;
  int32_t part = (int32_t)v;
  return (uint32_t)(part > 0 ? part : 0);
}

/* Four roundings of 2^-24 lie between radius / norm and its quotient in single precision; this takes off
 * more. */
#define TACIT_CAP_SHRINK (1 - 0x1p-21f)

/* An integer of at most min(score, radius / norm): proofs/exact-sums.md, lemma 2. The zero row gets the
   score; it adds nothing whatever its score is. At most 2^16, so that it is exact. */
static inline float tacit_cap_of(int32_t norm, float score, float radius) {
  float cap = radius / (float)norm * TACIT_CAP_SHRINK;
  cap = cap < score ? cap : score;
  return (float)(int32_t)cap;
}

/* tau_bar maps to the cap, so the weight min(1, B / ||x||) is in it; a NaN becomes the cap. */
static inline float tacit_capped_score(float score, float inverse_tau_bar, float cap) {
  float v = score * (cap * inverse_tau_bar);
  v = v < cap ? v : cap;
  return v > -cap ? v : -cap;
}

static inline float tacit_inverse_of_larger(double tau) {
  return (float)(1 / (tau > 0.5 ? tau : 1 - tau));
}

#endif
