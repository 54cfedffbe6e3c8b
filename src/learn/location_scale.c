/* Rules with a spread (location_scale.h has the idea and the symbols). Every release is a count, a sum of
   clipped rows, a moment of clipped rows or a sum of scores times clipped rows; everything else is computed
   from releases and public facts. What is about the rows is released once for all targets, what is about a
   target once for all its quantiles. The shares of mu^2 are public and sum to one
   (proofs/location-scale.md). */
#include "learn/location_scale.h"

#include "base/base.h"
#include "method/newton_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a target before the rows are. */
typedef struct scale {
  double a, Va, s, y_spread, y_far;
} scale;

static tacit_status open_scaled(tacit_scaled *scaled, tacit_task *task, tacit_error *error) {
  TACIT_TRY(tacit_newton_open(&scaled->newton, task, 0, error));
  size_t d = scaled->newton.d;
  scaled->S = tacit_alloc(2 * d * d, sizeof(double));
  scaled->back = tacit_alloc(d * d, sizeof(double));
  scaled->size = tacit_alloc(3 * d, sizeof(double));
  scaled->sum = tacit_alloc(d + 3, sizeof(uint64_t));
  scaled->kept = tacit_alloc(2 * d, sizeof(double));
  scaled->rare = tacit_alloc(d + task->schema->feature_count + 1, sizeof *scaled->rare);
  scaled->xg = scaled->size + d;
  scaled->apart = scaled->xg + d;
  scaled->S0 = scaled->S + d * d;
  bool right = scaled->S && scaled->back && scaled->size && scaled->sum && scaled->kept && scaled->rare &&
               tacit_followed_open(&scaled->followed, d);
  return right ? TACIT_OK : tacit_no_memory(error);
}

static void close_scaled(tacit_scaled *scaled) {
  if (scaled->sum) tacit_free_wiped(scaled->sum, (scaled->newton.d + 3) * sizeof(uint64_t));
  free(scaled->S);
  free(scaled->back);
  free(scaled->size);
  free(scaled->kept);
  free(scaled->rare);
  tacit_followed_close(&scaled->followed);
  tacit_newton_close(&scaled->newton);
}

/* The rule's numbers of the encoded columns: b, and g with k behind it. */
static void set_rule(const tacit_scaled *scaled, size_t goal, bool linear) {
  const tacit_newton *newton = &scaled->newton;
  double *slopes = tacit_task_coefficients(newton->task, goal);
  tacit_newton_coefficients(newton, newton->x, newton->a, slopes);
  tacit_scaled_hold_rare(scaled, slopes);
  if (!newton->recipe.scaled) return;
  double *spread = tacit_task_spread(newton->task, goal);
  tacit_newton_coefficients(newton, scaled->xg, scaled->ag, spread);
  tacit_scaled_hold_rare(scaled, spread);
  spread[newton->schema->columns] = linear ? 0 : scaled->times;
}

static void keep(tacit_scaled *scaled) {
  const tacit_newton *newton = &scaled->newton;
  memcpy(scaled->kept, newton->x, newton->d * sizeof(double));
  memcpy(scaled->kept + newton->d, newton->V, newton->d * sizeof(double));
  scaled->kept_a = newton->a;
  scaled->kept_Va = newton->Va;
}

/* A goal's own rules, with the clip norm that was found for all. */
static void take_recipe(tacit_newton *newton, size_t goal) {
  double clip = newton->recipe.score_clip, gain = newton->recipe.clip_gain;
  tacit_newton_recipe(&newton->task->facts, &newton->task->choice, goal, &newton->recipe);
  newton->recipe.score_clip = clip;
  newton->recipe.clip_gain = gain;
}

/* From the median, as it was kept, to a goal. */
static void turn_to(tacit_scaled *scaled, size_t goal) {
  tacit_newton *newton = &scaled->newton;
  take_recipe(newton, goal);
  newton->target = newton->goal = goal;
  newton->tau = newton->task->facts.quantiles[goal];
  newton->leans = false;
  memcpy(newton->x, scaled->kept, newton->d * sizeof(double));
  memcpy(newton->V, scaled->kept + newton->d, newton->d * sizeof(double));
  newton->a = scaled->kept_a;
  newton->Va = scaled->kept_Va;
  memcpy(newton->unit, tacit_newton_clips(&newton->task->choice, newton->first, TACIT_CLIP_MEDIAN),
         sizeof newton->unit);
}

static tacit_status learn_linear(tacit_scaled *scaled, tacit_error *error) {
  TACIT_TRY(tacit_newton_at_quantile(&scaled->newton, error));
  return tacit_linear_uncertainty(scaled, error);
}

static const char FAR[] =
    "a quantile lies more than 64 spreads from the median: most demand has one value, or tails are extreme. "
    "The features of that target were learned at the median alone";

static tacit_status learn_goal(tacit_scaled *scaled, size_t goal, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  turn_to(scaled, goal);
  bool far = false;
  if (newton->recipe.scaled)
    TACIT_TRY(tacit_scaled_quantile(scaled, &far, error));
  else if (newton->recipe.share.tail > 0) /* else it is the median */
    TACIT_TRY(learn_linear(scaled, error));
  tacit_fit *fit = newton->task->fit;
  if (far && !strstr(fit->note, FAR))
    snprintf(fit->note + strlen(fit->note), sizeof fit->note - strlen(fit->note), "%s%s",
             *fit->note ? ". Also, " : "", FAR);
  set_rule(scaled, goal, far);
  return TACIT_OK;
}

/* A target's median and spread, and then its goals. */
static tacit_status learn_target(tacit_scaled *scaled, size_t first, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  const tacit_facts *facts = &newton->task->facts;
  newton->target = tacit_newton_of_target(facts, first);
  TACIT_TRY(tacit_newton_at_median(newton, error));
  if (newton->recipe.share.spread > 0) TACIT_TRY(tacit_scaled_spread(scaled, error));
  keep(scaled);
  size_t goal = first;
  do TACIT_TRY(learn_goal(scaled, goal, error));
  while (++goal < newton->schema->target_count && !tacit_newton_begins(facts, goal));
  return TACIT_OK;
}

/* Where a target's learning begins; the rows are the same for all. */
static void turn_to_target(tacit_scaled *scaled, size_t first) {
  tacit_newton *newton = &scaled->newton;
  const tacit_task *task = newton->task;
  take_recipe(newton, first);
  newton->target = tacit_newton_of_target(&task->facts, first);
  newton->first = first;
  newton->column = tacit_task_column(task, first);
  newton->range = tacit_scale_reach(&task->schema->targets[first].scale);
}

/* Centre and spread of each target, as the moment of the rows needs them. */
static tacit_status find_scales(tacit_scaled *scaled, scale *scales, tacit_target_part *parts,
                                tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  for (size_t t = 0; t < newton->recipe.targets; t++) {
    TACIT_TRY(tacit_progress(newton->task->context, "learning", 0, error));
    turn_to_target(scaled, t);
    TACIT_TRY(tacit_newton_scale(newton, error));
    TACIT_TRY(tacit_scaled_far(newton, error));
    scales[t] = (scale){newton->a, newton->Va, newton->s, newton->y_spread, newton->y_far};
    parts[t] = tacit_newton_target_part(newton);
  }
  return TACIT_OK;
}

/* Without features; where it is asked how sure the order is, which has one goal. */
static tacit_status learn_flat(tacit_scaled *scaled, tacit_error *error) {
  TACIT_TRY(tacit_newton_size(&scaled->newton, error));
  TACIT_TRY(tacit_newton_scale(&scaled->newton, error));
  TACIT_TRY(tacit_newton_set_white(&scaled->newton, error)); /* of no columns, only targets */
  TACIT_TRY(learn_linear(scaled, error));
  set_rule(scaled, 0, true);
  return TACIT_OK;
}

static tacit_status learn_all(tacit_scaled *scaled, scale *scales, tacit_target_part *parts,
                              tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  if (newton->d == 0) return learn_flat(scaled, error);
  newton->target = tacit_newton_of_rows(&newton->task->facts);
  TACIT_TRY(tacit_newton_size(newton, error));
  TACIT_TRY(find_scales(scaled, scales, parts, error));
  TACIT_TRY(tacit_scaled_rows(scaled, parts, error));
  for (size_t t = 0; t < newton->recipe.targets; t++) {
    turn_to_target(scaled, t);
    newton->a = scales[t].a;
    newton->Va = scales[t].Va;
    newton->s = scales[t].s;
    newton->y_spread = scales[t].y_spread;
    newton->y_far = scales[t].y_far;
    tacit_newton_early(newton);
    tacit_secant_begin(&newton->secant);
    memset(scaled->xg, 0, newton->d * sizeof *scaled->xg);
    if (newton->recipe.open)
      TACIT_TRY(tacit_scaled_public_start(scaled, error));
    else
      tacit_newton_start(newton, scaled->moment_noise, scaled->size, scaled->apart);
    TACIT_TRY(learn_target(scaled, t, error));
  }
  return TACIT_OK;
}

/* Whether some goal's releases pay for a spread. */
static bool pays_for_spread(const tacit_task *task) {
  bool pays = false;
  for (size_t g = 0; g < task->schema->target_count; g++)
    pays |= task->method->spread_paid(&task->facts, &task->choice, g) != TACIT_SPREAD_NONE;
  return pays;
}

tacit_status tacit_learn_location_scale(tacit_task *task, tacit_error *error) {
  if (!task->choice.recipe.levels && !task->choice.intervals)
    return tacit_learn_median_newton(task, error); /* no features */
  if (pays_for_spread(task)) TACIT_TRY(tacit_fit_want_spread(task->fit, error));
  if (task->choice.intervals) TACIT_TRY(tacit_fit_want_uncertainty(task->fit, error));
  tacit_scaled scaled = {0};
  tacit_status status = open_scaled(&scaled, task, error);
  size_t targets = scaled.newton.recipe.targets;
  scale *scales = tacit_alloc(targets, sizeof *scales);
  tacit_target_part *parts = tacit_alloc(targets, sizeof *parts);
  if (status == TACIT_OK && (!scales || !parts)) status = tacit_no_memory(error);
  if (status == TACIT_OK) status = tacit_task_pay(task, error);
  if (status == TACIT_OK) status = learn_all(&scaled, scales, parts, error);
  free(scales);
  free(parts);
  close_scaled(&scaled);
  return status;
}
