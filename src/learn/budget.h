/* A budget of mu^2, spent in shares: each release gets the noise its share allows (proofs/composition.md). */
#ifndef TACIT_SRC_BUDGET_H
#define TACIT_SRC_BUDGET_H

#include "learn/release.h"
#include "method/shares.h"
#include "pass/rows.h"

typedef struct tacit_budget {
  tacit_release gate;
  double mu;     /* of this budget: the whole promise, or one target's part of it */
  size_t target; /* what the releases are listed under */
  tacit_adjacency adjacency;
  size_t rows_per_unit;
  double spent; /* shares of mu^2 given out so far, at most 1, */
  double lost;  /* and what rounding took away from their sum */
} tacit_budget;

/* The noise of a release that gets a share of mu^2, in the units of its sensitivity. */
double tacit_budget_sigma(const tacit_budget *budget, double sensitivity, double share);

/* The release as it is made with a share of the budget: the mechanism says kind, dimension, level, clip and
   bits; target, sensitivity, sigma and count are filled in. */
tacit_status tacit_budget_fill(const tacit_budget *budget, double share, tacit_mechanism *mechanism,
                               tacit_error *error) TACIT_CHECKED;
/* Releases sum with a share of the budget. The mechanism says kind, dimension, level, clip and bits; the rest
   is filled in. *sigma (may be NULL) gets the noise's scale in encoded units. Giving out more than the whole
   budget is a mistake in the learner: TACIT_INTERNAL. */
tacit_status tacit_budget_release(tacit_budget *budget, tacit_mechanism mechanism, double share,
                                  uint64_t *sum, double *out, double *sigma,
                                  tacit_error *error) TACIT_CHECKED;
/* The answer to a question for a sum of rows, released as rows or as a moment. out has as many entries. */
tacit_mechanism tacit_budget_row_mechanism(const tacit_rows_question *question); /* to be filled */
tacit_status tacit_budget_row_sum(tacit_budget *budget, tacit_rows *rows, const tacit_question *question,
                                  double share, double *out, double *sigma, tacit_error *error) TACIT_CHECKED;
/* A sum of numbers in [0, 1], each an integer on the grid 2^-TACIT_SCORE_BITS. */
tacit_status tacit_budget_count(tacit_budget *budget, uint64_t sum, double share, double *count,
                                double *sigma, tacit_error *error) TACIT_CHECKED;

#endif
