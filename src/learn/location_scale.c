/* Rules with a spread, target by target (location_scale.h has the idea and the symbols). Every release is a
   count, a sum of clipped rows, a moment of clipped rows or a sum of scores times clipped rows; everything
   else is computed from releases and public facts. The shares of mu^2 are public and sum to one
   (proofs/location-scale.md). */
#include "learn/location_scale.h"

#include "base/base.h"
#include "method/newton_plan.h"

#include <stdio.h>
#include <stdlib.h>

static tacit_status open_scaled(tacit_scaled *scaled, tacit_task *task, size_t target, tacit_error *error) {
  TACIT_TRY(tacit_newton_open(&scaled->newton, task, target, error));
  size_t d = scaled->newton.d;
  scaled->S = tacit_alloc(2 * d * d, sizeof(double));
  scaled->size = tacit_alloc(2 * d, sizeof(double));
  scaled->sum = tacit_alloc(d + 3, sizeof(uint64_t));
  scaled->xg = scaled->size + d;
  scaled->S0 = scaled->S + d * d;
  bool right = scaled->S && scaled->size && scaled->sum && tacit_followed_open(&scaled->followed, d);
  return right ? TACIT_OK : tacit_no_memory(error);
}

static void close_scaled(tacit_scaled *scaled) {
  if (scaled->sum) tacit_free_wiped(scaled->sum, (scaled->newton.d + 3) * sizeof(uint64_t));
  free(scaled->S);
  free(scaled->size);
  tacit_followed_close(&scaled->followed);
  tacit_newton_close(&scaled->newton);
}

/* The rule's numbers of the encoded columns: b, and g with k behind it. */
static void set_rule(const tacit_scaled *scaled, bool linear) {
  const tacit_newton *newton = &scaled->newton;
  tacit_newton_coefficients(newton, newton->x, newton->a,
                            tacit_task_coefficients(newton->task, newton->target));
  if (!newton->task->fit->spread) return;
  double *spread = tacit_task_spread(newton->task, newton->target);
  tacit_newton_coefficients(newton, scaled->xg, scaled->ag, spread);
  spread[newton->schema->columns] = linear ? 0 : scaled->times;
}

static tacit_status learn_target(tacit_scaled *scaled, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  bool linear = newton->recipe.share.spread == 0;
  TACIT_TRY(tacit_progress(newton->task->context, "learning", 0, error));
  TACIT_TRY(tacit_newton_scale(newton, error));
  if (newton->d) {
    TACIT_TRY(tacit_scaled_rows(scaled, error));
    TACIT_TRY(tacit_newton_at_median(newton, error));
  } else { /* the whitened rows then have no columns, only targets */
    TACIT_TRY(tacit_newton_set_white(newton, error));
  }
  if (linear) {
    TACIT_TRY(tacit_newton_at_quantile(newton, error));
    TACIT_TRY(tacit_linear_uncertainty(scaled, error));
  } else {
    TACIT_TRY(tacit_scaled_spread(scaled, error));
    TACIT_TRY(tacit_scaled_quantile(scaled, &linear, error));
    if (linear)
      snprintf(
          newton->task->fit->note, sizeof newton->task->fit->note,
          "a quantile lies more than 64 spreads from the median: most demand has one value, or tails are "
          "extreme. The features of that target were learned at the median alone");
  }
  set_rule(scaled, linear);
  return TACIT_OK;
}

/* Whether some target's releases pay for a spread. */
static bool pays_for_spread(const tacit_task *task) {
  bool pays = false;
  for (size_t t = 0; t < task->schema->target_count; t++)
    pays |= task->method->spread_paid(&task->facts, &task->choice, t) != TACIT_SPREAD_NONE;
  return pays;
}

tacit_status tacit_learn_location_scale(tacit_task *task, tacit_error *error) {
  tacit_plan_cut(&task->plan, 0);
  if (pays_for_spread(task)) TACIT_TRY(tacit_fit_want_spread(task->fit, error));
  if (task->choice.intervals) TACIT_TRY(tacit_fit_want_uncertainty(task->fit, error));
  for (size_t target = 0; target < task->schema->target_count; target++) {
    tacit_scaled scaled = {0};
    tacit_status status = open_scaled(&scaled, task, target, error);
    if (status == TACIT_OK) status = tacit_task_plan_on(task, target, scaled.newton.planned, error);
    if (status == TACIT_OK && target == 0) status = tacit_task_pay(task, error);
    if (status == TACIT_OK) status = learn_target(&scaled, error);
    close_scaled(&scaled);
    TACIT_TRY(status);
  }
  return TACIT_OK;
}
