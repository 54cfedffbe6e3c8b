/* The exact sum of scores times rows: one pass over the design, all integers (proofs/exact-sums.md). */
#ifndef TACIT_SRC_SCORE_SUM_H
#define TACIT_SRC_SCORE_SUM_H

#include "loss/kernel.h"
#include "pass/spread_block.h"
#include "pass/unit_sum.h"
#include "schema/tiers.h"

/* What one pass needs: score_i = Kbar(u_i / h) - tau, weighted by min(1, B / ||x_i||), u_i by the form
   (question/question.h). */
typedef struct tacit_score_pass {
  size_t target;
  double tau;
  tacit_kernel kernel;
  double bandwidth;
  const double *coefficients; /* of the design's columns */
  double offset;              /* an intercept apart from them */
  tacit_score_form form;
  tacit_row_spread spread;
  tacit_score_bound bound;
  /* Costs in tiers: Kbar and both counts are then means over y + s_k, of weights w_k. NULL: none. */
  const tacit_tiers *tiers;
  bool sold; /* the target's last bit says whether the day sold out: chances then (proofs/sold-out.md) */
  const tacit_unit_rule *units; /* of scores and both counts, where units are taken as a whole; else NULL */
} tacit_score_pass;

/* sum[j] = sum over rows of (integer score) (integer cell), modulo 2^64: the same bits for every number of
   threads and every order of rows. The score is held to radius / ||row|| and rounded within it, toward zero
   or, for rows in two bytes, to the nearest multiple of TACIT_NARROW_STEP: each row adds a vector of norm at
   most bound.radius, whatever its margin. */
void tacit_score_sum(const tacit_design *design, const tacit_score_pass *pass, int threads, uint64_t *sum);

/* Several passes over the same rows, which are read once for all of them; sums[k * columns + j] is pass k's.
 */
void tacit_score_sums(const tacit_design *design, const tacit_score_pass *passes, size_t count, int threads,
                      uint64_t *sums);

/* Counts of u_i beside the scores, on the grid 2^-TACIT_SCORE_BITS: sum of 1{|u_i| <= span} and of
   Phi(u_i / smoothing). */
typedef struct tacit_side_counts {
  double span, smoothing;
  uint64_t within, below;
  uint64_t bins[2][TACIT_UNIT_BINS]; /* of units, where these are counted instead */
} tacit_side_counts;
/* The same pass, of any form, with counts (may be NULL). sum NULL: no scores, and the bound is not read, nor
   tau but for counts that are drawn to it. In the scaled form sum has one entry more. With rules for units
   that count them sum has TACIT_UNIT_BINS entries. */
void tacit_step_sum(const tacit_design *design, const tacit_score_pass *pass, int threads, uint64_t *sum,
                    tacit_side_counts *counts);

/* r[i] = y_i - x_i'b for each of the TACIT_BLOCK rows of a block of the design, to a small part of `unit`. */
void tacit_residuals(const tacit_design *design, const tacit_block *block, size_t target,
                     const double *coefficients, double unit, double *r);

#endif
