/* The pass over one block: margins, normal probabilities, integer scores, products. Plain loops that the
   compiler vectorises; results are the same bits on every CPU. */
#include "pass/score_block.h"

#include "num/clones.h"
#include "pass/row_score.h"

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

TACIT_CLONES void tacit_block_phi(const float u[TACIT_BLOCK], float scale, float phi[TACIT_BLOCK]) {
  for (size_t i = 0; i < TACIT_BLOCK; i++) phi[i] = tacit_phi_of(scale * u[i]);
}

int64_t tacit_score_cap(double score, double tau, int64_t norm, const tacit_score_bound *bound) {
  float cap = tacit_cap_of((int32_t)norm, (float)bound->score, (float)bound->radius);
  return (int32_t)tacit_capped_score((float)score, tacit_inverse_of_larger(tau), cap);
}

TACIT_CLONES void tacit_block_scores(const tacit_block *block, const float phi[TACIT_BLOCK], double tau,
                                     const tacit_score_bound *bound, int32_t score[TACIT_BLOCK]) {
  float top = (float)bound->score, radius = (float)bound->radius;
  float level = (float)tau, inverse_tau_bar = tacit_inverse_of_larger(tau);
  const int32_t *norm = block->norms;
  for (size_t i = 0; i < TACIT_BLOCK; i++)
    score[i] =
        (int32_t)tacit_capped_score(phi[i] - level, inverse_tau_bar, tacit_cap_of(norm[i], top, radius));
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

/* The grid is an argument because the compiler fails to vectorise comparisons with constants. */
TACIT_CLONES static uint64_t total_on_grid(const float *phi, size_t n, float grid) {
  uint32_t total = 0; /* at most 2^10 times 2^16 */
  for (size_t i = 0; i < n; i++) total += tacit_on_grid(phi[i], grid);
  return total;
}

uint64_t tacit_block_total(const float phi[TACIT_BLOCK], size_t n) {
  return total_on_grid(phi, n, 1 << TACIT_SCORE_BITS);
}
