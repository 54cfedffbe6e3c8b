/* The pass over one block of rows in two bytes: plain loops that the compiler vectorises; results are the
   same bits on every CPU. */
#include "pass/narrow_block.h"

#include "num/clones.h"
#include "num/pairs.h"
#include "pass/row_score.h"

enum { LINE = 64 }; /* bytes that come from memory at once */

/* Columns by four, rows by thirty-two: between them there is time to ask for some of the next block. It has
   arrived in the second cache when this one is done. */
TACIT_CLONES void tacit_narrow_margins(const tacit_block *block, size_t columns, size_t target,
                                       const tacit_margin *margin, const tacit_block *next,
                                       float u[TACIT_BLOCK]) {
  enum { ROWS = 32, ASK = 6 };
  const int32_t *y = block->targets + target * TACIT_BLOCK;
  const float *b = margin->slope, per_target = margin->per_target, base = margin->base;
  const char *ahead = (const char *)next->narrow, *end = (const char *)(next->targets + TACIT_BLOCK);
  for (size_t i = 0; i < TACIT_BLOCK; i++) u[i] = base - per_target * (float)y[i];
  size_t j = 0;
  for (; j + 4 <= columns; j += 4) {
    const int16_t *c = block->narrow + j * TACIT_BLOCK;
    float b0 = b[j], b1 = b[j + 1], b2 = b[j + 2], b3 = b[j + 3];
    for (size_t first = 0; first < TACIT_BLOCK; first += ROWS) {
      for (int k = 0; k < ASK && ahead < end; k++, ahead += LINE) __builtin_prefetch(ahead, 0, 2);
      for (size_t i = first; i < first + ROWS; i++)
        u[i] += (b0 * (float)c[i] + b1 * (float)c[i + TACIT_BLOCK]) +
                (b2 * (float)c[i + 2 * TACIT_BLOCK] + b3 * (float)c[i + 3 * TACIT_BLOCK]);
    }
  }
  for (; j < columns; j++) {
    const int16_t *c = block->narrow + j * TACIT_BLOCK;
    float b0 = b[j];
    for (size_t i = 0; i < TACIT_BLOCK; i++) u[i] += b0 * (float)c[i];
  }
}

/* To nearest: on this grid a score cut toward zero would be felt. What is within the cap, a whole number,
   stays within it. */
static inline int16_t rounded(float v) {
  return (int16_t)(v + (v > 0 ? 0.5f : -0.5f));
}

/* In two loops: the one that ends in two bytes has half the width. */
TACIT_CLONES void tacit_narrow_scores(const tacit_block *block, float phi[TACIT_BLOCK], double tau,
                                      const tacit_score_bound *bound, int16_t score[TACIT_BLOCK]) {
  float top = (float)bound->score / TACIT_NARROW_STEP, radius = (float)bound->radius / TACIT_NARROW_STEP;
  float level = (float)tau, inverse_tau_bar = tacit_inverse_of_larger(tau);
  const int32_t *norm = block->norms;
  for (size_t i = 0; i < TACIT_BLOCK; i++)
    phi[i] = tacit_capped_score(phi[i] - level, inverse_tau_bar, tacit_cap_of(norm[i], top, radius));
  for (size_t i = 0; i < TACIT_BLOCK; i++) score[i] = rounded(phi[i]);
}

/* |score| <= 2^12 and |cell| < 2^15. */
void tacit_narrow_products(const tacit_block *block, size_t columns, const int16_t score[TACIT_BLOCK],
                           uint64_t *sum) {
  int64_t total[TACIT_PAIR_TILE];
  for (size_t j = 0, some; j < columns; j += some) {
    some = columns - j < TACIT_PAIR_TILE ? 1 : TACIT_PAIR_TILE; /* the last ones by themselves */
    tacit_pair_sums(TACIT_BLOCK, score, block->narrow + j * TACIT_BLOCK, some == 1 ? 0 : TACIT_BLOCK, total);
    for (size_t t = 0; t < some; t++) sum[j + t] += (uint64_t)total[t] * TACIT_NARROW_STEP;
  }
}
