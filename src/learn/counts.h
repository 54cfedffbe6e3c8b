/* Counts over one number per row: integers on the grid 2^-TACIT_SCORE_BITS, each row's share in [0, 1]
   (proofs/exact-sums.md). A NaN counts as zero. */
#ifndef TACIT_SRC_COUNTS_H
#define TACIT_SRC_COUNTS_H

#include "learn/budget.h"

uint64_t tacit_count_at_most(const double *values, size_t rows, double t); /* 1{v <= t} */
uint64_t tacit_count_above(const double *values, size_t rows, double t);   /* 1{v > t} */
uint64_t tacit_count_within(const double *values, size_t rows, double centre,
                            double span); /* 1{|v - centre| <= span} */
uint64_t tacit_count_smooth(const double *values, size_t rows, double t, double h); /* Phi((t - v) / h) */

/* One number for each row, made block by block when it is counted and never kept: values has TACIT_BLOCK
   entries. A NaN counts nowhere. */
typedef struct tacit_values {
  const tacit_design *design;
  void (*make)(const void *self, const tacit_block *block, double *values);
  const void *self;
  int threads;
} tacit_values;

typedef enum tacit_count_kind {
  TACIT_COUNT_AT_MOST, /* v <= at */
  TACIT_COUNT_ABOVE,   /* v > at */
  TACIT_COUNT_WITHIN,  /* |v - at| <= span */
  TACIT_COUNT_SMOOTH   /* Phi((at - v) / span) */
} tacit_count_kind;

typedef struct tacit_count_rule {
  tacit_count_kind kind;
  double at, span;
} tacit_count_rule;

/* Several counts in one pass: sum[k] for rule[k], the same for every number of threads. At most
   TACIT_COUNT_RULES of them. */
enum { TACIT_COUNT_RULES = 4 };
void tacit_count_rows(const tacit_values *values, const tacit_count_rule *rule, size_t rules, uint64_t *sum);

/* The level-quantile of the values by noisy bisection of [lo, hi]: `halvings` counts, each with an equal part
   of the share, and interpolation inside the last bracket. With `octaves`, lo, hi and the quantile are
   logarithms to base 2 of values. public_rows stands for the number of rows. */
tacit_status tacit_private_quantile(tacit_budget *budget, const tacit_values *values, double public_rows,
                                    double level, double lo, double hi, bool octaves, double share,
                                    int halvings, double *quantile, tacit_error *error) TACIT_CHECKED;

#endif
