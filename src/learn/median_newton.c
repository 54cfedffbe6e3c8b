/* Linear rules by Newton steps: scale of the target, centre and whitening of the rows, Newton steps at the
   median, Newton steps at the quantile (median_newton.h has the idea and the symbols).

   Every release is a count, a sum of clipped rows, a moment of clipped rows or a sum of scores times clipped
   rows (proofs/exact-sums.md); everything else is computed from releases and public facts. The shares of mu^2
   are public and sum to one (proofs/median-newton.md). */
#include "learn/median_newton.h"

#include "base/base.h"
#include "method/newton_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tacit_status tacit_newton_set_white(tacit_newton *newton, tacit_error *error) {
  newton->white = (tacit_row_image){.inputs = newton->schema->columns,
                                    .columns = newton->d,
                                    .cell_bits = TACIT_WHITE_BITS,
                                    .narrow = true,
                                    .matrix = newton->d ? newton->matrix : NULL};
  return tacit_row_image_seal(&newton->white, error);
}

tacit_status tacit_newton_open(tacit_newton *newton, tacit_task *task, size_t target, tacit_error *error) {
  const tacit_schema *schema = task->schema;
  *newton = (tacit_newton){.task = task,
                           .schema = schema,
                           .target = target,
                           .column = tacit_task_column(task, target),
                           .place = task->choice.recipe.levels ? 0 : target,
                           .first = target,
                           .goal = target,
                           .last = task->choice.recipe.levels || target + 1 == schema->target_count,
                           .n = task->facts.rows,
                           .tau = task->facts.quantiles[target],
                           .range = tacit_scale_reach(&schema->targets[target].scale)};
  tacit_newton_recipe(&task->facts, &task->choice, target, &newton->recipe);
  size_t d = newton->d = newton->recipe.d;
  newton->mean = tacit_alloc(d, sizeof(double));
  newton->W = tacit_alloc(d * d, sizeof(double));
  size_t width = d + newton->recipe.targets;
  newton->moment = tacit_alloc(width * (width + 1) / 2, sizeof(double));
  newton->x = tacit_alloc(5 * d, sizeof(double));
  newton->matrix = tacit_alloc(d * newton->schema->columns, sizeof(double));
  newton->sum = tacit_alloc(d + 2, sizeof(uint64_t));
  if (newton->recipe.open) newton->shortened = tacit_alloc(d, sizeof(double));
  if ((newton->recipe.open && !newton->shortened) || !newton->mean || !newton->W || !newton->matrix ||
      !newton->moment || !newton->x || !newton->sum || !tacit_secant_open(&newton->secant, d) ||
      !tacit_followed_open(&newton->followed, d + 1))
    return tacit_no_memory(error);
  newton->V = newton->x + d;
  newton->u = newton->V + d;
  newton->step = newton->u + d;
  newton->gamma = newton->step + d;
  for (size_t k = 0; k < d; k++) newton->gamma[k] = 1;
  return TACIT_OK;
}

void tacit_newton_close(tacit_newton *newton) {
  if (newton->sum) tacit_free_wiped(newton->sum, (newton->d + 2) * sizeof(uint64_t));
  free(newton->mean);
  free(newton->matrix);
  free(newton->W);
  free(newton->moment);
  free(newton->shortened);
  free(newton->x);
  tacit_secant_close(&newton->secant);
  tacit_followed_close(&newton->followed);
}

void tacit_newton_coefficients(const tacit_newton *newton, const double *x, double a, double *coefficients) {
  size_t d = newton->d;
  coefficients[0] = a;
  for (size_t j = 0; j < d; j++) {
    double slope = 0;
    for (size_t k = 0; k < d; k++) slope += newton->W[j * d + k] * x[k];
    coefficients[j + 1] = slope;
    coefficients[0] -= slope * newton->mean[j];
  }
}

static tacit_status learn_target(tacit_newton *newton, tacit_error *error) {
  TACIT_TRY(tacit_progress(newton->task->context, "learning", 0, error));
  TACIT_TRY(tacit_newton_size(newton, error));
  TACIT_TRY(tacit_newton_scale(newton, error));
  if (newton->d) {
    TACIT_TRY(tacit_newton_centre(newton, error));
    TACIT_TRY(tacit_newton_whiten(newton, error));
    TACIT_TRY(tacit_newton_at_median(newton, error));
  } else { /* the whitened rows then have no columns, only targets */
    TACIT_TRY(tacit_newton_set_white(newton, error));
  }
  TACIT_TRY(tacit_newton_at_quantile(newton, error));
  tacit_newton_coefficients(newton, newton->x, newton->a,
                            tacit_task_coefficients(newton->task, newton->target));
  return TACIT_OK;
}

tacit_status tacit_learn_median_newton(tacit_task *task, tacit_error *error) {
  const tacit_schema *schema = task->schema;
  for (size_t target = 0; target < schema->target_count; target++) {
    tacit_newton newton;
    tacit_status status = tacit_newton_open(&newton, task, target, error);
    if (status == TACIT_OK && target == 0) status = tacit_task_pay(task, error);
    if (status == TACIT_OK) status = learn_target(&newton, error);
    tacit_newton_close(&newton);
    TACIT_TRY(status);
  }
  return TACIT_OK;
}
