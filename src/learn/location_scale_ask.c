/* What rules with a spread ask of the rows, and what is released of the answers: all in one pass over them.
 */
#include "learn/location_scale.h"

static tacit_question question_of(const tacit_scaled *scaled, const tacit_score_part *part, bool scores) {
  const tacit_newton *newton = &scaled->newton;
  return (tacit_question){.kind = TACIT_QUESTION_SCORES,
                          .units = tacit_newton_units(newton, scaled->near, part->tau),
                          .image = &newton->white,
                          .last_image = newton->last,
                          .scores = {.parts = part,
                                     .count = 1,
                                     .scores = scores,
                                     .sides = true,
                                     .span = TACIT_NEAR_QUANTILE,
                                     .smoothing = part->bandwidth}};
}

tacit_status tacit_scaled_reach(tacit_scaled *scaled, const tacit_score_part *part, tacit_unit_clip kind,
                                tacit_error *error) {
  const tacit_question question = question_of(scaled, part, true);
  const bool parts[] = {true, kind == TACIT_CLIP_QUANTILE, true};
  return tacit_newton_reach(&scaled->newton, &question, kind, parts, error);
}

tacit_status tacit_scaled_ask(tacit_scaled *scaled, const tacit_score_part *part, bool scores,
                              tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  const tacit_question question = question_of(scaled, part, scores);
  scaled->level = part->tau;
  scaled->scores = scores ? tacit_score_columns(part, newton->d) : 0;
  return tacit_rows_ask(&newton->task->rows, &question, scaled->sum, error);
}

tacit_status tacit_scaled_scores(tacit_scaled *scaled, const tacit_score_part *part, double *out,
                                 double *sigma, tacit_error *error) {
  tacit_task *task = scaled->newton.task;
  const tacit_mechanism *planned = tacit_plan_next(&task->plan, scaled->newton.target);
  if (!planned || planned->level != part->tau || planned->clip != part->clip_norm ||
      planned->dimension != tacit_score_columns(part, scaled->newton.d) ||
      planned->unit != (scaled->newton.recipe.units ? scaled->newton.unit[0] : 0))
    return tacit_gate_astray(error); /* the pass held rows to another radius than the noise is for */
  return tacit_release_sum(&task->gate, scaled->newton.target, TACIT_RELEASE_SCORES, scaled->sum, out, sigma,
                           error);
}

/* The first or second count beside the scores; each of its rows was taken less the level. */
static tacit_status release_count(tacit_scaled *scaled, int which, double level, double *count, double *sigma,
                                  tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  const tacit_mechanism *planned = tacit_plan_next(&newton->task->plan, newton->target);
  if (!planned || planned->unit != (newton->recipe.units ? newton->unit[1 + which] : 0))
    return tacit_gate_astray(error);
  TACIT_TRY(tacit_release_sum(&newton->task->gate, newton->target, TACIT_RELEASE_COUNT,
                              scaled->sum + scaled->scores + which, count, sigma, error));
  *count += tacit_newton_less(newton, level);
  return TACIT_OK;
}

tacit_status tacit_scaled_count(tacit_scaled *scaled, double *count, double *sigma, tacit_error *error) {
  return release_count(scaled, 1, scaled->level, count, sigma, error);
}

tacit_status tacit_scaled_within(tacit_scaled *scaled, double *count, double *sigma, tacit_error *error) {
  return release_count(scaled, 0, scaled->near, count, sigma, error);
}
