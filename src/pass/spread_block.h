/* What a pass computes for one block of rows whose spreads differ: margins that need a row's own spread, and
   the spread as one more column. In single precision, like score_block.h, and the same bits on every CPU. */
#ifndef TACIT_SRC_SPREAD_BLOCK_H
#define TACIT_SRC_SPREAD_BLOCK_H

#include "pass/score_block.h"
#include "question/question.h"

/* e^x for |x| <= 60 and log x for x >= 2^-100, both to about 2^-22. */
float tacit_single_exp(float x);
float tacit_single_log(float x);

/* From residuals r = x'b + offset - y and exponents e = x'slopes + offset to the form's u / bandwidth, in
   place of r; e becomes the row's spread in the scaled form. */
void tacit_spread_margins(const tacit_row_spread *spread, tacit_score_form form, double bandwidth,
                          float r[TACIT_BLOCK], float e[TACIT_BLOCK]);

/* phi w + tau (1 - w), w = min(1, s / full): still in [0, 1]. */
void tacit_spread_weigh(const tacit_row_spread *spread, double tau, const float s[TACIT_BLOCK],
                        float phi[TACIT_BLOCK]);

/* The column weight (s / unit - 1) on the rows' grid, in two bytes and 0 for rows that are all zero, and
   norms of the rows with it, rounded up. */
void tacit_spread_column(const tacit_row_spread *spread, int cell_bits, const float s[TACIT_BLOCK],
                         const int32_t norms[TACIT_BLOCK], int16_t cells[TACIT_BLOCK],
                         int32_t with[TACIT_BLOCK]);

#endif
