/* A budget of mu^2, spent in shares: each release gets the noise its share allows. */
#include "learn/budget.h"

#include "base/base.h"

#include <math.h>

double tacit_budget_sigma(const tacit_budget *budget, double sensitivity, double share) {
  return sensitivity / (budget->mu * sqrt(share)) * TACIT_HEADROOM;
}

tacit_status tacit_budget_release(tacit_budget *budget, tacit_release_kind kind, size_t dimension,
                                  double clip, int bits, double share, uint64_t *sum, double *out,
                                  double *sigma, tacit_error *error) {
  static const double WHOLE =
      1 + 1e-9; /* shares are rounded when they are added up; the headroom covers that */
  tacit_mechanism m = {
      .kind = kind, .target = budget->target, .dimension = dimension, .clip = clip, .bits = bits, .count = 1};
  TACIT_TRY(tacit_mechanism_sensitivity(&m, budget->tau, budget->adjacency, budget->rows_per_unit,
                                        &m.sensitivity, error));
  budget->spent += share;
  if (!(share > 0 && budget->spent <= WHOLE))
    return tacit_fail(error, TACIT_INTERNAL,
                      "a learner tried to spend more than its budget; nothing was released");
  m.sigma = tacit_budget_sigma(budget, m.sensitivity, share);
  if (sigma) *sigma = ldexp(m.sigma, -bits);
  return tacit_release_sum(&budget->gate, &m, sum, out, error);
}

tacit_status tacit_budget_row_sum(tacit_budget *budget, const tacit_design *design,
                                  const tacit_row_pass *pass, int threads, double share, double *out,
                                  double *sigma, tacit_error *error) {
  size_t width = tacit_row_sum_width(pass);
  uint64_t *sum = tacit_alloc(width, sizeof *sum);
  if (!sum) return tacit_no_memory(error);
  tacit_status status = tacit_row_sum(design, pass, threads, sum, error);
  if (status == TACIT_OK)
    status = tacit_budget_release(budget, pass->moment ? TACIT_RELEASE_MOMENT : TACIT_RELEASE_ROWS, width,
                                  pass->clip, pass->moment ? 2 * pass->bits : pass->bits, share, sum, out,
                                  sigma, error);
  tacit_free_wiped(sum, width * sizeof *sum);
  return status;
}

tacit_status tacit_budget_count(tacit_budget *budget, const double *values, size_t rows, double t,
                                double share, double *count, tacit_error *error) {
  /* A count is an integer; its noise is cut on a grid 2^-16 so that it is not coarse when mu is large. */
  uint64_t sum = tacit_count_at_most(values, rows, t) << TACIT_SCORE_BITS;
  return tacit_budget_release(budget, TACIT_RELEASE_COUNT, 1, 0, TACIT_SCORE_BITS, share, &sum, count, NULL,
                              error);
}
