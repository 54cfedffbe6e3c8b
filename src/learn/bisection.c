/* The quantile of demand without features: a bracket around it, halved by noisy counts.

     N_i = #{rows with y <= (lo + hi) / 2} + sigma g_i,   i = 1..k
     N_i / n < tau: lo <- (lo + hi) / 2, else hi <- (lo + hi) / 2

   y encoded target · n public number of rows · tau quantile · k halvings · g_i standard normal. A count moves
   by at most 1 per row of a unit, under both adjacencies, and mu^2 = k / sigma^2 (proofs/bisection.md). */
#include "base/base.h"
#include "learn/learners.h"

static tacit_status learn_target(tacit_task *task, size_t target, tacit_error *error) {
  double range = task->method->reach(&task->facts, &task->choice, target);
  const tacit_bisection search = {
      .level = task->facts.quantiles[target], .lo = -range, .hi = range, .halvings = (int)task->choice.steps};
  tacit_question question = {
      .kind = TACIT_QUESTION_COUNT,
      .count = {.value = TACIT_VALUE_TARGET, .target = tacit_task_column(task, target)}};
  /* the intercept; slopes stay 0 */
  return tacit_private_quantile(task, target, &question, &search, tacit_task_coefficients(task, target),
                                error);
}

tacit_status tacit_learn_bisection(tacit_task *task, tacit_error *error) {
  size_t targets = task->schema->target_count;
  TACIT_TRY(tacit_task_pay(task, error));
  for (size_t t = 0; t < targets; t++) {
    TACIT_TRY(tacit_progress(task->context, "learning", (double)t / (double)targets, error));
    TACIT_TRY(learn_target(task, t, error));
  }
  return TACIT_OK;
}
