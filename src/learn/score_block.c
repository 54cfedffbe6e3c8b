/* The pass over one block: margins, normal probabilities, integer scores, products. Plain loops that the
   compiler vectorises; results are the same bits on every CPU. */
#include "learn/score_block.h"

#include "num/clones.h"

#include <math.h>
#include <string.h>

/* Four columns at a time: u is loaded and stored once for them. */
TACIT_CLONES void tacit_block_margins(const tacit_block *block, size_t columns, size_t target,
                                      const tacit_margin *margin, float u[TACIT_BLOCK]) {
  const int32_t *y = block->targets + target * TACIT_BLOCK;
  const float *b = margin->slope, per_target = margin->per_target, base = margin->base;
  for (size_t i = 0; i < TACIT_BLOCK; i++) u[i] = base - per_target * (float)y[i];
  size_t j = 0;
  for (; j + 4 <= columns; j += 4) {
    const int32_t *c = block->cells + j * TACIT_BLOCK;
    float b0 = b[j], b1 = b[j + 1], b2 = b[j + 2], b3 = b[j + 3];
    for (size_t i = 0; i < TACIT_BLOCK; i++)
      u[i] += (b0 * (float)c[i] + b1 * (float)c[i + TACIT_BLOCK]) +
              (b2 * (float)c[i + 2 * TACIT_BLOCK] + b3 * (float)c[i + 3 * TACIT_BLOCK]);
  }
  for (; j < columns; j++) {
    const int32_t *c = block->cells + j * TACIT_BLOCK;
    float b0 = b[j];
    for (size_t i = 0; i < TACIT_BLOCK; i++) u[i] += b0 * (float)c[i];
  }
}

/* An odd polynomial on [-4.25, 4.25], beyond which Phi is within 2^-16 of 0 or 1 (bench/phi_coefficients.py).
   A NaN fails the first comparison and counts as large. */
static inline float phi_of(float x) {
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

TACIT_CLONES void tacit_block_phi(const float u[TACIT_BLOCK], float scale, float phi[TACIT_BLOCK]) {
  for (size_t i = 0; i < TACIT_BLOCK; i++) phi[i] = phi_of(scale * u[i]);
}

/* Four roundings of 2^-24 lie between radius / norm and its quotient in single precision; this takes off
 * more. */
static const float SHRINK = 1 - 0x1p-21f;

/* An integer of at most min(score, radius / norm): proofs/exact-sums.md, lemma 2. The zero row gets the
   score; it adds nothing whatever its score is. At most 2^16, so that it is exact. */
static inline float cap_of(int32_t norm, float score, float radius) {
  float cap = radius / (float)norm * SHRINK;
  cap = cap < score ? cap : score;
  return (float)(int32_t)cap;
}

/* tau_bar maps to the cap, so the weight min(1, B / ||x||) is in it; truncation rounds toward zero, and a NaN
   becomes the cap. */
static inline int32_t integer_score(float score, float inverse_tau_bar, float cap) {
  float v = score * (cap * inverse_tau_bar);
  v = v < cap ? v : cap;
  v = v > -cap ? v : -cap;
  return (int32_t)v;
}

static inline float inverse_of_larger(double tau) {
  return (float)(1 / (tau > 0.5 ? tau : 1 - tau));
}

int64_t tacit_score_cap(double score, double tau, int64_t norm, const tacit_score_bound *bound) {
  float cap = cap_of((int32_t)norm, (float)bound->score, (float)bound->radius);
  return integer_score((float)score, inverse_of_larger(tau), cap);
}

TACIT_CLONES void tacit_block_scores(const tacit_block *block, const float phi[TACIT_BLOCK], double tau,
                                     const tacit_score_bound *bound, int32_t score[TACIT_BLOCK]) {
  float top = (float)bound->score, radius = (float)bound->radius;
  float level = (float)tau, inverse_tau_bar = inverse_of_larger(tau);
  const int32_t *norm = block->norms;
  for (size_t i = 0; i < TACIT_BLOCK; i++)
    score[i] = integer_score(phi[i] - level, inverse_tau_bar, cap_of(norm[i], top, radius));
}

/* Eight numbers at once: the compiler makes one or more instructions of an operation on them. */
typedef double eight __attribute__((vector_size(64)));
typedef int32_t eight_cells __attribute__((vector_size(32), aligned(4)));

static inline void load(const int32_t *cell, eight *out) {
  eight_cells cells;
  memcpy(&cells, cell, sizeof cells);
  *out = __builtin_convertvector(cells, eight);
}

static inline uint64_t total_of(const eight *sum) {
  uint64_t total = 0;
  for (int l = 0; l < 8; l++) total += (uint64_t)(int64_t)(*sum)[l];
  return total;
}

/* Asks for the cache line that holds cell i of a column, not nearer than the second cache: the first one is
   full of the block at work. */
static inline void ask_for(const int32_t *cells, size_t i) {
  __builtin_prefetch(cells + i, 0, 2);
}

/* |score| <= 2^16 and |cell| <= 2^20: a block's 2^10 products sum to less than 2^46, so that doubles hold
   every partial sum exactly, in whatever order. Two columns at a time share the scores. The cells come from
   the cache here, so memory is free to bring those of the next block. */
TACIT_CLONES void tacit_block_products(const tacit_block *block, size_t columns,
                                       const int32_t score[TACIT_BLOCK], const tacit_block *next,
                                       uint64_t *sum) {
  eight s[TACIT_BLOCK / 8];
  for (size_t i = 0; i < TACIT_BLOCK / 8; i++) load(score + 8 * i, &s[i]);
  for (size_t j = 0; j < columns; j += 2) {
    const int32_t *c = block->cells + j * TACIT_BLOCK, *d = j + 1 < columns ? c + TACIT_BLOCK : c;
    const int32_t *ahead = next->cells + j * TACIT_BLOCK;
    size_t other = j + 1 < columns ? TACIT_BLOCK : 0;
    eight a[2] = {{0}, {0}}, b[2] = {{0}, {0}}, x[2], y[2];
    for (size_t i = 0; i < TACIT_BLOCK / 8; i += 2) {
      ask_for(ahead, 8 * i);
      ask_for(ahead + other, 8 * i);
      load(c + 8 * i, &x[0]);
      load(c + 8 * i + 8, &x[1]);
      load(d + 8 * i, &y[0]);
      load(d + 8 * i + 8, &y[1]);
      a[0] += s[i] * x[0];
      a[1] += s[i + 1] * x[1];
      b[0] += s[i] * y[0];
      b[1] += s[i + 1] * y[1];
    }
    sum[j] += total_of(&a[0]) + total_of(&a[1]);
    if (j + 1 < columns) sum[j + 1] += total_of(&b[0]) + total_of(&b[1]);
  }
}

TACIT_CLONES uint64_t tacit_block_within(const float u[TACIT_BLOCK], size_t n, float span) {
  uint32_t count = 0;
  for (size_t i = 0; i < n; i++) count += fabsf(u[i]) <= span;
  return (uint64_t)count << TACIT_SCORE_BITS;
}

/* One row counts at most 1, by comparison: proofs/exact-sums.md. The grid is an argument because the compiler
   fails to vectorise comparisons with constants. */
TACIT_CLONES static uint64_t total_on_grid(const float *phi, size_t n, float grid) {
  uint32_t total = 0; /* at most 2^10 times 2^16 */
  for (size_t i = 0; i < n; i++) {
    float v = phi[i] * grid;
    v = v < grid ? v : grid;
    v = v > -grid ? v : -grid;
    int32_t part = (int32_t)v;
    total += (uint32_t)(part > 0 ? part : 0);
  }
  return total;
}

uint64_t tacit_block_total(const float phi[TACIT_BLOCK], size_t n) {
  return total_on_grid(phi, n, 1 << TACIT_SCORE_BITS);
}
