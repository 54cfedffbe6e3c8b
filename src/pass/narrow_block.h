/* What a pass computes for one block of rows in two bytes: score_block.h says it for four, and has what does
   not look at cells. Scores fit into two bytes too, so that the processor multiplies and adds them in pairs
   (proofs/exact-sums.md, "Rows in two bytes"). */
#ifndef TACIT_SRC_NARROW_BLOCK_H
#define TACIT_SRC_NARROW_BLOCK_H

#include "pass/score_block.h"

enum { TACIT_NARROW_STEP = 16 }; /* scores are multiples of it, here in units of it */

/* `next` is the block that will be asked about next, or the same one. */
void tacit_narrow_margins(const tacit_block *block, size_t columns, size_t target, const tacit_margin *margin,
                          const tacit_block *next, float u[TACIT_BLOCK]);
/* phi is used up. */
void tacit_narrow_scores(const tacit_block *block, float phi[TACIT_BLOCK], double tau,
                         const tacit_score_bound *bound, int16_t score[TACIT_BLOCK]);
void tacit_narrow_products(const tacit_block *block, size_t columns, const int16_t score[TACIT_BLOCK],
                           uint64_t *sum);

#endif
