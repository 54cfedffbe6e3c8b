/* Sample average approximation: the newsvendor's order without features is an order statistic of past demand.
 */
#include "base/base.h"
#include "erm/erm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* ceil(tau n), at least 1 and at most n. tau is often a ratio of costs, and the product may land a rounding
   error above the integer that was meant (0.07 * 100 > 7): what is within 1e-12 of an integer counts as that
   integer. */
static size_t rank_of(double tau, size_t n) {
  double rank = ceil(tau * (double)n * (1 - 1e-12));
  if (rank < 1) return 1;
  return rank < (double)n ? (size_t)rank : n;
}

tacit_status tacit_saa(const tacit_sample *sample, size_t target, double tau, double *coefficients,
                       tacit_error *error) {
  size_t n = sample->rows;
  if (!(tau > 0 && tau < 1)) return tacit_fail(error, TACIT_USAGE, "the quantile must lie between 0 and 1");
  if (n == 0) return tacit_fail(error, TACIT_BAD_INPUT, "there are no rows to learn from");
  double *sorted = tacit_alloc(n, sizeof *sorted);
  if (!sorted) return tacit_no_memory(error);
  memcpy(sorted, sample->y + target * n, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, ascending);

  memset(coefficients, 0, sample->columns * sizeof *coefficients);
  coefficients[0] = sorted[rank_of(tau, n) - 1];
  tacit_free_wiped(sorted, n * sizeof *sorted);
  return TACIT_OK;
}
