/* What rules with a spread ask of the rows, and what is released of the answers: all in one pass over them.
 */
#include "learn/location_scale.h"

tacit_status tacit_scaled_ask(tacit_scaled *scaled, const tacit_score_part *part, bool scores,
                              tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  const tacit_question question = {.kind = TACIT_QUESTION_SCORES,
                                   .image = &newton->white,
                                   .last_image = newton->last,
                                   .scores = {.parts = part,
                                              .count = 1,
                                              .scores = scores,
                                              .sides = true,
                                              .span = TACIT_NEAR_QUANTILE,
                                              .smoothing = part->bandwidth}};
  scaled->scores = scores ? tacit_score_columns(part, newton->d) : 0;
  return tacit_rows_ask(&newton->task->rows, &question, scaled->sum, error);
}

tacit_status tacit_scaled_scores(tacit_scaled *scaled, const tacit_score_part *part, double *out,
                                 double *sigma, tacit_error *error) {
  tacit_task *task = scaled->newton.task;
  const tacit_mechanism *planned = tacit_plan_next(&task->plan, scaled->newton.target);
  if (!planned || planned->level != part->tau || planned->clip != part->clip_norm ||
      planned->dimension != tacit_score_columns(part, scaled->newton.d))
    return tacit_gate_astray(error); /* the pass held rows to another radius than the noise is for */
  return tacit_release_sum(&task->gate, scaled->newton.target, TACIT_RELEASE_SCORES, scaled->sum, out, sigma,
                           error);
}

tacit_status tacit_scaled_count(tacit_scaled *scaled, double *count, double *sigma, tacit_error *error) {
  return tacit_release_sum(&scaled->newton.task->gate, scaled->newton.target, TACIT_RELEASE_COUNT,
                           scaled->sum + scaled->scores + 1, count, sigma, error);
}

tacit_status tacit_scaled_within(tacit_scaled *scaled, double *count, double *sigma, tacit_error *error) {
  return tacit_release_sum(&scaled->newton.task->gate, scaled->newton.target, TACIT_RELEASE_COUNT,
                           scaled->sum + scaled->scores, count, sigma, error);
}
