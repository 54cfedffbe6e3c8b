/* Private counts over one number per row, and the quantile they give (proofs/exact-sums.md). */
#ifndef TACIT_SRC_COUNTS_H
#define TACIT_SRC_COUNTS_H

#include "learn/budget.h"

/* The answer to a question that counts, released with a share of the budget. */
tacit_status tacit_private_count(tacit_budget *budget, tacit_rows *rows, const tacit_question *question,
                                 double share, double *count, double *sigma,
                                 tacit_error *error) TACIT_CHECKED;

/* Noisy bisection of [lo, hi] for the level-quantile: `halvings` counts, each with an equal part of the
   share, and interpolation inside the last bracket. With `octaves`, lo, hi and the quantile are logarithms to
   base 2. */
typedef struct tacit_bisection {
  double rows; /* the public number of rows */
  double level, lo, hi;
  bool octaves;
  double share;
  int halvings;
} tacit_bisection;
/* question says which number of a row; where to count is filled in. */
tacit_status tacit_private_quantile(tacit_budget *budget, tacit_rows *rows, tacit_question *question,
                                    const tacit_bisection *search, double *quantile,
                                    tacit_error *error) TACIT_CHECKED;

#endif
