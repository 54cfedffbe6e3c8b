/* Counts over one number per row: integers on the grid 2^-TACIT_SCORE_BITS, each row's share in [0, 1]
   (proofs/exact-sums.md). A NaN counts as zero. */
#ifndef TACIT_SRC_COUNTS_H
#define TACIT_SRC_COUNTS_H

#include "learn/budget.h"

uint64_t tacit_count_at_most(const double *values, size_t rows, double t); /* 1{v <= t} */
uint64_t tacit_count_above(const double *values, size_t rows, double t);   /* 1{v > t} */

/* The level-quantile of the values by noisy bisection of [lo, hi]: `halvings` counts, each with an equal part
   of the share, and interpolation inside the last bracket. public_rows stands for the number of rows. */
tacit_status tacit_private_quantile(tacit_budget *budget, const double *values, size_t rows,
                                    double public_rows, double level, double lo, double hi, double share,
                                    int halvings, double *quantile, tacit_error *error) TACIT_CHECKED;

#endif
