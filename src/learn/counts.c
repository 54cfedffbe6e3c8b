/* Counts over one number per row, and the private quantile they give by bisection. */
#include "learn/counts.h"

#include "base/base.h"
#include "num/clones.h"

#include <math.h>

/* A NaN is on neither side. */
TACIT_CLONES static uint64_t count_block(const double *v, size_t n, bool above, double t) {
  int64_t count = 0;
  if (above)
    for (size_t i = 0; i < n; i++) count += v[i] > t;
  else
    for (size_t i = 0; i < n; i++) count += v[i] <= t;
  return (uint64_t)count;
}

static uint64_t count(const tacit_values *values, bool above, double t) {
  const tacit_design *design = values->design;
  uint64_t total = 0;
#pragma omp parallel num_threads(values->threads) if (design->blocks > 1) reduction(+ : total)
  {
    double v[TACIT_BLOCK];
#pragma omp for schedule(static)
    for (size_t b = 0; b < design->blocks; b++) {
      size_t left = design->rows - b * TACIT_BLOCK, n = left < TACIT_BLOCK ? left : TACIT_BLOCK;
      tacit_block block = tacit_design_block(design, b);
      values->make(values->self, &block, v);
      total += count_block(v, n, above, t);
    }
    tacit_wipe(v, sizeof v);
  }
  return total << TACIT_SCORE_BITS;
}

uint64_t tacit_count_at_most(const tacit_values *values, double t) {
  return count(values, false, t);
}

uint64_t tacit_count_above(const tacit_values *values, double t) {
  return count(values, true, t);
}

tacit_status tacit_private_quantile(tacit_budget *budget, const tacit_values *values, double public_rows,
                                    double level, double lo, double hi, bool octaves, double share,
                                    int halvings, double *quantile, tacit_error *error) {
  double below = 0, above = 1; /* shares of rows at most lo and at most hi, as far as is known */
  for (int i = 0; i < halvings; i++) {
    double middle = (lo + hi) / 2, counted;
    uint64_t sum = tacit_count_at_most(values, octaves ? exp2(middle) : middle);
    TACIT_TRY(tacit_budget_count(budget, sum, share / halvings, &counted, NULL, error));
    double part = fmin(fmax(counted / public_rows, below), above);
    if (part < level)
      lo = middle, below = part;
    else
      hi = middle, above = part;
  }
  double inside = above - below;
  *quantile = lo + (hi - lo) * (inside > 1e-9 ? (level - below) / inside : 0.5);
  return TACIT_OK;
}
