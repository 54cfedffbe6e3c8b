/* Counts over one number per row: integers on the grid 2^-TACIT_SCORE_BITS, each row's share in [0, 1]
   (proofs/exact-sums.md). A NaN counts as zero. */
#ifndef TACIT_SRC_COUNTS_H
#define TACIT_SRC_COUNTS_H

#include "learn/budget.h"

/* One number for each row, made block by block when it is counted and never kept: values has TACIT_BLOCK
   entries. */
typedef struct tacit_values {
  const tacit_design *design;
  void (*make)(const void *self, const tacit_block *block, double *values);
  const void *self;
  int threads;
} tacit_values;

uint64_t tacit_count_at_most(const tacit_values *values, double t); /* 1{v <= t} */
uint64_t tacit_count_above(const tacit_values *values, double t);   /* 1{v > t} */

/* The level-quantile of the values by noisy bisection of [lo, hi]: `halvings` counts, each with an equal part
   of the share, and interpolation inside the last bracket. With `octaves`, lo, hi and the quantile are
   logarithms to base 2 of values. public_rows stands for the number of rows. */
tacit_status tacit_private_quantile(tacit_budget *budget, const tacit_values *values, double public_rows,
                                    double level, double lo, double hi, bool octaves, double share,
                                    int halvings, double *quantile, tacit_error *error) TACIT_CHECKED;

#endif
