/* The private quantile that counts give by bisection. */
#include "learn/counts.h"

#include "base/base.h"

#include <math.h>

tacit_status tacit_private_count(tacit_budget *budget, tacit_rows *rows, const tacit_question *question,
                                 double share, double *count, double *sigma, tacit_error *error) {
  uint64_t sum;
  TACIT_TRY(tacit_rows_ask(rows, question, &sum, error));
  tacit_status status = tacit_budget_count(budget, sum, share, count, sigma, error);
  tacit_wipe(&sum, sizeof sum);
  return status;
}

tacit_status tacit_private_quantile(tacit_budget *budget, tacit_rows *rows, tacit_question *question,
                                    const tacit_bisection *search, double *quantile, tacit_error *error) {
  double lo = search->lo, hi = search->hi;
  double below = 0, above = 1; /* shares of rows at most lo and at most hi, as far as is known */
  for (int i = 0; i < search->halvings; i++) {
    double middle = (lo + hi) / 2, counted;
    question->count.above = false;
    question->count.at = search->octaves ? exp2(middle) : middle;
    TACIT_TRY(
        tacit_private_count(budget, rows, question, search->share / search->halvings, &counted, NULL, error));
    double part = fmin(fmax(counted / search->rows, below), above);
    if (part < search->level)
      lo = middle, below = part;
    else
      hi = middle, above = part;
  }
  double inside = above - below;
  *quantile = lo + (hi - lo) * (inside > 1e-9 ? (search->level - below) / inside : 0.5);
  return TACIT_OK;
}
