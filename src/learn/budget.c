/* A budget of mu^2, spent in shares: each release gets the noise its share allows. */
#include "learn/budget.h"

#include "base/base.h"

#include <math.h>

double tacit_budget_sigma(const tacit_budget *budget, double sensitivity, double share) {
  return tacit_share_sigma(sensitivity, budget->mu, share);
}

/* Adding up a hundred thousand equal shares rounds the same way each time: what is lost is kept (Knuth's
   TwoSum), and the sum of spent and lost is that of the shares to far below the headroom. */
static bool give_out(tacit_budget *budget, double share) {
  static const double OVER = 0x1p-41; /* shares themselves are rounded; within the headroom */
  if (!(share > 0)) return false;
  double sum = budget->spent + share, part = sum - budget->spent;
  budget->lost += (budget->spent - (sum - part)) + (share - part);
  budget->spent = sum;
  return budget->spent - 1 + budget->lost <= OVER;
}

tacit_status tacit_budget_fill(const tacit_budget *budget, double share, tacit_mechanism *m,
                               tacit_error *error) {
  m->target = budget->target;
  m->count = 1;
  TACIT_TRY(tacit_mechanism_sensitivity(m, budget->adjacency, budget->rows_per_unit, &m->sensitivity, error));
  m->sigma = tacit_budget_sigma(budget, m->sensitivity, share);
  return TACIT_OK;
}

tacit_status tacit_budget_release(tacit_budget *budget, tacit_mechanism m, double share, uint64_t *sum,
                                  double *out, double *sigma, tacit_error *error) {
  TACIT_TRY(tacit_budget_fill(budget, share, &m, error));
  if (!give_out(budget, share))
    return tacit_fail(error, TACIT_INTERNAL,
                      "a learner tried to spend more than its budget; nothing was released");
  if (sigma) *sigma = ldexp(m.sigma, -m.bits);
  return tacit_release_sum(&budget->gate, &m, sum, out, error);
}

tacit_mechanism tacit_budget_row_mechanism(const tacit_rows_question *question) {
  const tacit_question whole = {.kind = TACIT_QUESTION_ROWS, .rows = *question};
  return (tacit_mechanism){.kind = question->moment ? TACIT_RELEASE_MOMENT : TACIT_RELEASE_ROWS,
                           .dimension = tacit_question_width(&whole, NULL),
                           .clip = question->clip,
                           .bits = question->moment ? 2 * question->bits : question->bits};
}

tacit_status tacit_budget_row_sum(tacit_budget *budget, tacit_rows *rows, const tacit_question *question,
                                  double share, double *out, double *sigma, tacit_error *error) {
  tacit_mechanism m = tacit_budget_row_mechanism(&question->rows);
  uint64_t *sum = tacit_alloc(m.dimension, sizeof *sum);
  if (!sum) return tacit_no_memory(error);
  tacit_status status = tacit_rows_ask(rows, question, sum, error);
  if (status == TACIT_OK) status = tacit_budget_release(budget, m, share, sum, out, sigma, error);
  tacit_free_wiped(sum, m.dimension * sizeof *sum);
  return status;
}

tacit_status tacit_budget_count(tacit_budget *budget, uint64_t sum, double share, double *count,
                                double *sigma, tacit_error *error) {
  tacit_mechanism m = {.kind = TACIT_RELEASE_COUNT, .dimension = 1, .bits = TACIT_SCORE_BITS};
  return tacit_budget_release(budget, m, share, &sum, count, sigma, error);
}
