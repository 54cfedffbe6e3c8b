/* Counts over one number per row, and the private quantile they give by bisection. */
#include "learn/counts.h"

#include "base/base.h"

#include <math.h>

uint64_t tacit_count_at_most(const double *values, size_t rows, double t) {
  uint64_t count = 0;
  for (size_t i = 0; i < rows; i++) count += values[i] <= t;
  return count << TACIT_SCORE_BITS;
}

uint64_t tacit_count_above(const double *values, size_t rows, double t) {
  uint64_t count = 0;
  for (size_t i = 0; i < rows; i++) count += values[i] > t;
  return count << TACIT_SCORE_BITS;
}

tacit_status tacit_private_quantile(tacit_budget *budget, const double *values, size_t rows,
                                    double public_rows, double level, double lo, double hi, double share,
                                    int halvings, double *quantile, tacit_error *error) {
  double below = 0, above = 1; /* shares of rows at most lo and at most hi, as far as is known */
  for (int i = 0; i < halvings; i++) {
    double middle = (lo + hi) / 2, count;
    TACIT_TRY(tacit_budget_count(budget, tacit_count_at_most(values, rows, middle), share / halvings, &count,
                                 NULL, error));
    double part = fmin(fmax(count / public_rows, below), above);
    if (part < level)
      lo = middle, below = part;
    else
      hi = middle, above = part;
  }
  double inside = above - below;
  *quantile = lo + (hi - lo) * (inside > 1e-9 ? (level - below) / inside : 0.5);
  return TACIT_OK;
}
