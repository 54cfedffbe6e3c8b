/* Exponential descent on the SPO+ loss in its sound form (Wang and Qin's Algorithm 1; docs/math.md).

   Each step draws a direction v uniformly on the unit sphere and releases one bit: whether the loss rises
   along v, told truly with probability e^eps0 / (1 + e^eps0). The rule then moves a public length along v or
   against it. As published the step's length was the gradient's norm, released without noise; here it is
   public, and all steps together are exactly as private as as many randomised responses
   (proofs/spo.md, proofs/randomised-response.md). A response costs the same however many rows there are, so
   more rows do not help: Gaussian descent is better but for few coefficients and large epsilon. */
#include "base/base.h"
#include "learn/spo.h"

#include <math.h>

__extension__ typedef __int128 wide;

enum { DIRECTION_BITS = 20 }; /* v is rounded to this grid, so that its product with the sum is exact */

/* Whether the sum has a product of at least zero with v, in integers; sign(0) = +1. */
static bool rises(const tacit_decisions *s, const double *direction) {
  wide product = 0;
  for (size_t k = 0; k < s->cells; k++)
    product += (wide)llround(ldexp(direction[k], DIRECTION_BITS)) * (int64_t)s->sum[k];
  return product >= 0;
}

static tacit_status descend(tacit_decisions *s, tacit_error *error) {
  const tacit_choice *choice = &s->task->choice;
  double *rule = s->numbers, *mean = rule + s->cells, *direction = mean + s->cells;
  double radius = tacit_decisions_beyond(s); /* a response needs no bound on rows */
  for (size_t t = 0; t < choice->steps; t++) {
    bool up;
    TACIT_TRY(tacit_progress(s->task->context, "learning", (double)t / (double)choice->steps, error));
    TACIT_TRY(tacit_decisions_sum(s, rule, radius, error));
    TACIT_TRY(tacit_gate_direction(&s->task->gate, s->cells, direction, error));
    TACIT_TRY(tacit_release_sign(&s->task->gate, TACIT_ALL_TARGETS, rises(s, direction), &up, error));
    double length = up ? -choice->step : choice->step;
    for (size_t k = 0; k < s->cells; k++) rule[k] += length * direction[k];
    for (size_t k = 0; k < s->cells && t + choice->average >= choice->steps; k++) mean[k] += rule[k];
  }
  for (size_t k = 0; k < s->cells; k++) mean[k] /= (double)choice->average;
  tacit_decisions_finish(s, mean);
  return TACIT_OK;
}

tacit_status tacit_learn_spo_exponential(tacit_task *task, tacit_error *error) {
  tacit_decisions s;
  size_t cells = task->schema->columns * task->schema->target_count;
  tacit_status status = tacit_decisions_open(&s, task, 3 * cells, error);
  if (status == TACIT_OK) status = tacit_task_pay(task, error);
  if (status == TACIT_OK) status = descend(&s, error);
  tacit_decisions_close(&s);
  return status;
}
