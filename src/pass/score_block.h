/* What a pass computes for one block of rows, in single precision: a row's number only decides how large its
   integer score is, never how large it may be, so 16 good bits are enough (proofs/exact-sums.md). */
#ifndef TACIT_SRC_SCORE_BLOCK_H
#define TACIT_SRC_SCORE_BLOCK_H

#include "data/design.h"
#include "question/radius.h"

/* u = slope'x + base - per_target y, x and y as the block's integers. */
typedef struct tacit_margin {
  const float *slope;
  float per_target, base;
} tacit_margin;
void tacit_block_margins(const tacit_block *block, size_t columns, size_t target, const tacit_margin *margin,
                         float u[TACIT_BLOCK]);
/* Phi(scale u), within 2^-16 and in [0, 1]; a NaN counts as large. */
void tacit_block_phi(const float u[TACIT_BLOCK], float scale, float phi[TACIT_BLOCK]);
/* Integer scores of phi - tau, capped by the bound and each row's norm. */
void tacit_block_scores(const tacit_block *block, const float phi[TACIT_BLOCK], double tau,
                        const tacit_score_bound *bound, int32_t score[TACIT_BLOCK]);
/* sum[j] += the sum of score times cell over the block, modulo 2^64. `next` is the block that will be asked
   about next, or the same one. */
void tacit_block_products(const tacit_block *block, size_t columns, const int32_t score[TACIT_BLOCK],
                          const tacit_block *next, uint64_t *sum);
/* How many of the first n have |u| <= span, and the sum of phi, numbers in [0, 1], over them, each rounded
   down to a multiple of 2^-TACIT_SCORE_BITS; both in these units. */
uint64_t tacit_block_within(const float u[TACIT_BLOCK], size_t n, float span);
uint64_t tacit_block_total(const float phi[TACIT_BLOCK], size_t n);

/* One row's integer score for a given real score and the row's norm: the cap itself, for tests and proofs. */
int64_t tacit_score_cap(double score, double tau, int64_t norm, const tacit_score_bound *bound);

#endif
