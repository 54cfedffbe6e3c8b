/* The exact sum behind descent on the SPO+ loss (proofs/spo.md). */
#ifndef TACIT_SRC_DECISION_SUM_H
#define TACIT_SRC_DECISION_SUM_H

#include "data/design.h"
#include "loss/region.h"

/* d coordinates of a decision, as many costs · p columns · c costs of a row in their own units · w*(c) the
   best decision for costs c · rule d x p, in common units: prediction = centre + unit rule x. */
typedef struct tacit_decision_pass {
  const tacit_schema *schema; /* whose targets are the costs */
  const tacit_region *region;
  double unit;
  const double *best; /* rows x d: w*(c) of each row */
} tacit_decision_pass;

/* best[i d ..], of row i; a row whose best decision cannot be found gets NaN, one without encoding zeros.
   TACIT_INTERNAL without memory. */
tacit_status tacit_decision_best(const tacit_design *design, const tacit_decision_pass *pass, int threads,
                                 double *best, tacit_error *error) TACIT_CHECKED;
/* sum over rows of trunc(2^16 s u) cells', d x p, modulo 2^64, with u = (w*(c) - w*(2 prediction - c)) /
   diameter, half a subgradient of the SPO+ loss, and s <= 1 such that no row adds more than floor(radius
   2^bits), bits = cell_bits + 16, in integers. The same bits for every number of threads and order of rows. A
   row for which a decision cannot be found counts as zero. */
tacit_status tacit_decision_sum(const tacit_design *design, const tacit_decision_pass *pass,
                                const double *rule, double radius, int threads, uint64_t *sum,
                                tacit_error *error) TACIT_CHECKED;
/* One row's part of it: v, d integers, or false for none. norm is the row's; for tests and proofs. */
bool tacit_decision_cut(size_t d, const double *u, int32_t norm, double radius, int cell_bits, int64_t *v);

#endif
