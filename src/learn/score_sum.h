/* The exact sum of scores times rows: one pass over the design, all integers (proofs/exact-sums.md). */
#ifndef TACIT_SRC_SCORE_SUM_H
#define TACIT_SRC_SCORE_SUM_H

#include "data/design.h"
#include "loss/kernel.h"
#include "privacy/certificate.h"

/* What one pass needs: score_i = Kbar((x_i'b + offset - y_i) / h) - tau, weighted by min(1, B / ||x_i||). */
typedef struct tacit_score_pass {
  size_t target;
  double tau;
  tacit_kernel kernel;
  double bandwidth;
  const double *coefficients; /* of the design's columns */
  double offset;              /* an intercept apart from them */
  tacit_score_bound bound;
} tacit_score_pass;

/* sum[j] = sum over rows of (integer score) (integer cell), modulo 2^64: the same bits for every number of
   threads and every order of rows. The score is rounded toward zero and capped at floor(radius / ||row||), so
   each row adds a vector of norm at most bound.radius; a score that is not a number counts as zero. */
void tacit_score_sum(const tacit_design *design, const tacit_score_pass *pass, int threads, uint64_t *sum);

/* r[i] = y_i - x_i'b for each of the TACIT_BLOCK rows of a block of the design. */
void tacit_residuals(const tacit_design *design, const tacit_block *block, size_t target,
                     const double *coefficients, double *r);

/* One row's integer score for a given real score and the row's norm: the cap itself, for tests and proofs. */
int64_t tacit_score_cap(double score, double tau, int64_t norm, const tacit_score_bound *bound);

#endif
