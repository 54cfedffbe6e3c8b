/* A budget of mu^2, spent in shares: each release gets the noise its share allows. */
#include "learn/budget.h"

#include "base/base.h"

#include <math.h>

double tacit_budget_sigma(const tacit_budget *budget, double sensitivity, double share) {
  return tacit_share_sigma(sensitivity, budget->mu, share);
}

tacit_status tacit_budget_release(tacit_budget *budget, tacit_mechanism m, double share, uint64_t *sum,
                                  double *out, double *sigma, tacit_error *error) {
  static const double WHOLE = 1 + 0x1p-41; /* shares may round up when added; within the headroom */
  m.target = budget->target;
  m.count = 1;
  TACIT_TRY(tacit_mechanism_sensitivity(&m, budget->adjacency, budget->rows_per_unit, &m.sensitivity, error));
  budget->spent += share;
  if (!(share > 0 && budget->spent <= WHOLE))
    return tacit_fail(error, TACIT_INTERNAL,
                      "a learner tried to spend more than its budget; nothing was released");
  m.sigma = tacit_budget_sigma(budget, m.sensitivity, share);
  if (sigma) *sigma = ldexp(m.sigma, -m.bits);
  return tacit_release_sum(&budget->gate, &m, sum, out, error);
}

tacit_status tacit_budget_row_sum(tacit_budget *budget, const tacit_design *design,
                                  const tacit_row_pass *pass, int threads, double share, double *out,
                                  double *sigma, tacit_error *error) {
  size_t width = tacit_row_sum_width(pass);
  uint64_t *sum = tacit_alloc(width, sizeof *sum);
  if (!sum) return tacit_no_memory(error);
  tacit_status status = tacit_row_sum(design, pass, threads, sum, error);
  tacit_mechanism m = {.kind = pass->moment ? TACIT_RELEASE_MOMENT : TACIT_RELEASE_ROWS,
                       .dimension = width,
                       .clip = pass->clip,
                       .bits = pass->moment ? 2 * pass->bits : pass->bits};
  if (status == TACIT_OK) status = tacit_budget_release(budget, m, share, sum, out, sigma, error);
  tacit_free_wiped(sum, width * sizeof *sum);
  return status;
}

tacit_status tacit_budget_count(tacit_budget *budget, uint64_t sum, double share, double *count,
                                double *sigma, tacit_error *error) {
  tacit_mechanism m = {.kind = TACIT_RELEASE_COUNT, .dimension = 1, .bits = TACIT_SCORE_BITS};
  return tacit_budget_release(budget, m, share, &sum, count, sigma, error);
}
