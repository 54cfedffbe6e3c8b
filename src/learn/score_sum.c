/* The exact sum of scores times rows, block by block: margins, kernel, integer scores, products. */
#include "learn/score_sum.h"

#include "num/clones.h"

#include <math.h>
#include <string.h>

/* u = (x'b + offset - y) / h for a block. slope holds b_j 2^-cell_bits / h, base offset / h. */
TACIT_CLONES static void margins(const tacit_block *block, size_t columns, size_t target, const double *slope,
                                 double per_target, double base, double *restrict u) {
  const int32_t *y = block->targets + target * TACIT_BLOCK;
  for (size_t i = 0; i < TACIT_BLOCK; i++) u[i] = base - per_target * (double)y[i];
  for (size_t j = 0; j < columns; j++) {
    const int32_t *cell = block->cells + j * TACIT_BLOCK;
    double b = slope[j];
    for (size_t i = 0; i < TACIT_BLOCK; i++) u[i] += b * (double)cell[i];
  }
}

/* The largest integer s with s norm <= radius, at most the largest score. radius < 2^53 makes the quotient's
   rounding smaller than its distance to the next integer, so floor is exact (proofs/exact-sums.md, lemma 2).
 */
static inline double cap_of(double norm, double score, double radius) {
  double cap = floor(radius / (norm > 1 ? norm : 1));
  cap = cap < score ? cap : score;
  return norm > 0 ? cap : 0;
}

/* tau_bar maps to the cap, so the weight min(1, B / ||x||) is in it; truncation rounds toward zero. */
static inline int32_t integer_score(double score, double inverse_tau_bar, double cap) {
  double v = score * (cap * inverse_tau_bar);
  v = v < cap ? v : cap; /* a NaN fails both comparisons: it becomes cap, */
  v = v > -cap ? v : -cap;
  return score == score ? (int32_t)v : 0; /* and is dropped here */
}

TACIT_CLONES static void scores(const tacit_block *block, double tau, double inverse_tau_bar,
                                const tacit_score_bound *bound, const double *kbar, int32_t *restrict score) {
  double top = (double)bound->score, radius = (double)bound->radius;
  for (size_t i = 0; i < TACIT_BLOCK; i++)
    score[i] = integer_score(kbar[i] - tau, inverse_tau_bar, cap_of((double)block->norms[i], top, radius));
}

/* |score| <= 2^16 and |cell| <= 2^20, so a block's 2^10 products stay below 2^46: no overflow. */
TACIT_CLONES static void products(const tacit_block *block, size_t columns, const int32_t *score,
                                  uint64_t *restrict sum) {
  for (size_t j = 0; j < columns; j++) {
    const int32_t *cell = block->cells + j * TACIT_BLOCK;
    int64_t total = 0;
    for (size_t i = 0; i < TACIT_BLOCK; i++) total += (int64_t)score[i] * (int64_t)cell[i];
    sum[j] += (uint64_t)total;
  }
}

int64_t tacit_score_cap(double score, double tau, int64_t norm, const tacit_score_bound *bound) {
  double cap = cap_of((double)norm, (double)bound->score, (double)bound->radius);
  return integer_score(score, 1 / fmax(tau, 1 - tau), cap);
}

void tacit_score_sum(const tacit_design *design, const tacit_score_pass *pass, int threads, uint64_t *sum) {
  size_t columns = design->columns;
  double per_cell = ldexp(1 / pass->bandwidth, -design->cell_bits);
  double per_target = ldexp(1 / pass->bandwidth, -TACIT_TARGET_BITS);
  double inverse_tau_bar = 1 / fmax(pass->tau, 1 - pass->tau), base = pass->offset / pass->bandwidth;
  double slope[TACIT_COLUMNS_MAX];
  for (size_t j = 0; j < columns; j++) slope[j] = pass->coefficients[j] * per_cell;
  memset(sum, 0, columns * sizeof *sum);

#pragma omp parallel num_threads(threads) if (design->blocks > 1)
  {
    uint64_t part[TACIT_COLUMNS_MAX] = {0};
    double u[TACIT_BLOCK];
    int32_t score[TACIT_BLOCK];
#pragma omp for schedule(static)
    for (size_t b = 0; b < design->blocks; b++) {
      tacit_block block = tacit_design_block(design, b);
      margins(&block, columns, pass->target, slope, per_target, base, u);
      tacit_kernel_cdf_block(pass->kernel, TACIT_BLOCK, u, u);
      scores(&block, pass->tau, inverse_tau_bar, &pass->bound, u, score);
      products(&block, columns, score, part);
    }
#pragma omp critical
    for (size_t j = 0; j < columns; j++) sum[j] += part[j];
    tacit_wipe(part, columns * sizeof *part);
    tacit_wipe(score, sizeof score);
    tacit_wipe(u, sizeof u);
  }
}

void tacit_residuals(const tacit_design *design, const tacit_block *block, size_t target,
                     const double *coefficients, double *r) {
  double slope[TACIT_COLUMNS_MAX];
  for (size_t j = 0; j < design->columns; j++) slope[j] = ldexp(coefficients[j], -design->cell_bits);
  margins(block, design->columns, target, slope, ldexp(1, -TACIT_TARGET_BITS), 0, r);
  for (size_t i = 0; i < TACIT_BLOCK; i++) r[i] = -r[i];
}
