/* A quantile that lies many spreads out, as where most demand has one value: steps in units of the spread
   cannot reach it. One count finds that out, and bisection on a logarithmic scale then takes the place, and
   the budget, of the steps at the quantile. */
#include "base/base.h"
#include "learn/median_newton.h"
#include "method/newton_plan.h"

#include <math.h>

static const double FAR = 8;  /* spreads from the median: no normal residual gets there */
static const double SURE = 3; /* the count must say so by this many standard deviations of its noise */

/* How far out each residual lies on tau's side of the median. */
static tacit_question distance_of(const tacit_newton *newton) {
  /* without features nothing is known of units but their size */
  tacit_unit_parts units =
      newton->d ? tacit_newton_units(newton, 0, 0) : tacit_newton_part(newton, TACIT_UNIT_TARGET);
  units.clip[0] = newton->d ? newton->unit[2] : units.clip[0];
  units.level[0] = 1 - fmax(newton->tau, 1 - newton->tau);
  return (tacit_question){.kind = TACIT_QUESTION_COUNT,
                          .units = units,
                          .image = &newton->white,
                          .last_image = newton->last,
                          .count = {.value = TACIT_VALUE_SIDE,
                                    .above = true,
                                    .at = FAR * newton->s,
                                    .target = newton->column,
                                    .centre = newton->a,
                                    .side = newton->tau < 0.5 ? -1 : 1,
                                    .unit = newton->s,
                                    .vector = newton->x}};
}

tacit_status tacit_newton_tail(tacit_newton *newton, bool *far, tacit_error *error) {
  double level = fmax(newton->tau, 1 - newton->tau), edge = log2(FAR * newton->s),
         top = log2(2 * newton->range), count, sigma;
  tacit_question distance = distance_of(newton);
  distance.count.at = exp2(edge);
  TACIT_TRY(tacit_private_count(newton->task, newton->target, &distance, &count, &sigma, error));
  *far = edge < top && count - (1 - level) * newton->n > SURE * sigma;
  return tacit_newton_go_far(newton, *far, error);
}

tacit_status tacit_newton_go_far(tacit_newton *newton, bool far, tacit_error *error) {
  double side = newton->tau < 0.5 ? -1 : 1, log_distance;
  newton->task->choice.way[newton->target] = far ? TACIT_WAY_FAR : TACIT_WAY_NEAR;
  if (newton->recipe.units && !far && !tacit_newton_counts_reach(&newton->recipe, newton->tau))
    tacit_newton_take_median(&newton->task->facts, &newton->task->choice, newton->goal);
  TACIT_TRY(tacit_task_plan_on(newton->task, error));
  if (!far) return TACIT_OK;
  tacit_question distance = distance_of(newton);
  const tacit_bisection tail = {.level = fmax(newton->tau, 1 - newton->tau),
                                .lo = log2(FAR * newton->s),
                                .hi = log2(2 * newton->range),
                                .octaves = true,
                                .halvings = TACIT_TAIL_COUNTS};
  TACIT_TRY(tacit_private_quantile(newton->task, newton->target, &distance, &tail, &log_distance, error));
  newton->a += side * exp2(log_distance);
  return TACIT_OK;
}
