/* A quantile that lies many spreads out, as where most demand has one value: steps in units of the spread
   cannot reach it. One count finds that out, and bisection on a logarithmic scale then takes the place, and
   the budget, of the steps at the quantile. */
#include "base/base.h"
#include "learn/median_newton.h"

#include <math.h>

static const double FAR = 8;  /* spreads from the median: no normal residual gets there */
static const double SURE = 3; /* the count must say so by this many standard deviations of its noise */

tacit_status tacit_newton_tail(tacit_newton *newton, bool *far, tacit_error *error) {
  double side = newton->tau < 0.5 ? -1 : 1, level = fmax(newton->tau, 1 - newton->tau);
  double edge = log2(FAR * newton->s), top = log2(2 * newton->range), count, sigma, log_distance;
  /* how far out each residual lies on tau's side of the median */
  tacit_question distance = {.kind = TACIT_QUESTION_COUNT,
                             .image = &newton->white,
                             .last_image = tacit_newton_last(newton),
                             .count = {.value = TACIT_VALUE_SIDE,
                                       .above = true,
                                       .at = exp2(edge),
                                       .target = newton->target,
                                       .centre = newton->a,
                                       .side = side,
                                       .unit = newton->s,
                                       .vector = newton->x}};
  TACIT_TRY(tacit_private_count(newton->task, newton->target, &distance, &count, &sigma, error));
  *far = edge < top && count - (1 - level) * newton->n > SURE * sigma;
  newton->task->choice.way[newton->target] = *far ? TACIT_WAY_FAR : TACIT_WAY_NEAR;
  TACIT_TRY(tacit_task_plan_on(newton->task, newton->target, newton->planned, error));
  if (!*far) return TACIT_OK;
  const tacit_bisection tail = {
      .level = level, .lo = edge, .hi = top, .octaves = true, .halvings = TACIT_TAIL_COUNTS};
  TACIT_TRY(tacit_private_quantile(newton->task, newton->target, &distance, &tail, &log_distance, error));
  newton->a += side * exp2(log_distance);
  return TACIT_OK;
}
