/* The learners without privacy, behind the same door; their certificates say what they are. */
#include "base/base.h"
#include "erm/erm.h"
#include "learn/learners.h"
#include "method/descent.h"
#include "method/recipe.h"

typedef tacit_status (*fit_target)(tacit_task *task, size_t target, double *coefficients, tacit_error *error);

static tacit_status fit_targets(tacit_task *task, fit_target fit, tacit_error *error) {
  for (size_t t = 0; t < task->schema->target_count; t++)
    TACIT_TRY(fit(task, t, tacit_task_coefficients(task, t), error));
  return TACIT_OK;
}

static tacit_status check_rows(const tacit_task *task, tacit_error *error) {
  if (task->sample->rows >= task->schema->columns) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "%zu rows are too few for %zu encoded columns; use more rows or fewer features",
                    task->sample->rows, task->schema->columns);
}

static tacit_status fit_smooth(tacit_task *task, size_t t, double *coefficients, tacit_error *error) {
  const tacit_erm_options *o = &task->options->erm;
  double tau = task->facts.quantiles[t], h = o->bandwidth / task->schema->targets[t].scale.half;
  tacit_kernel kernel = tacit_kernel_named(o->kernel, TACIT_KERNEL_GAUSSIAN);
  size_t column = tacit_task_column(task, t);
  if (!(h > 0)) return tacit_erm_fit(task->sample, column, tau, kernel, coefficients, task->context, error);
  return tacit_erm_smooth(task->sample, column, &(const tacit_erm_loss){tau, kernel, h}, coefficients,
                          task->context, error);
}

/* A spread where the default learner may learn one; without features all rows have the same. */
static bool has_spread(const tacit_task *task, size_t t) {
  return task->schema->columns > 1 && tacit_recipe_is_outer(task->facts.quantiles[t]);
}

static tacit_status fit_spread(tacit_task *task, size_t t, double *coefficients, tacit_error *error) {
  if (!has_spread(task, t)) return fit_smooth(task, t, coefficients, error);
  TACIT_TRY(tacit_fit_want_spread(task->fit, error));
  const tacit_spread_fit out = {.tau = task->facts.quantiles[t],
                                .reach = tacit_scale_reach(&task->schema->targets[t].scale),
                                .coefficients = coefficients,
                                .spread = tacit_task_spread(task, t)};
  return tacit_erm_spread(task->sample, tacit_task_column(task, t), &out, task->context, error);
}

static tacit_status fit_exact(tacit_task *task, size_t t, double *coefficients, tacit_error *error) {
  const tacit_tiers *tiers = task->schema->targets[t].tiers;
  if (tiers)
    return tacit_erm_exact_tiers(task->sample, tacit_task_column(task, t), tiers, coefficients, task->context,
                                 error);
  return tacit_erm_exact(task->sample, tacit_task_column(task, t), task->facts.quantiles[t], coefficients,
                         task->context, error);
}

static tacit_status fit_flat(tacit_task *task, size_t t, double *coefficients, tacit_error *error) {
  const tacit_tiers *tiers = task->schema->targets[t].tiers;
  if (tiers) return tacit_saa_tiers(task->sample, tacit_task_column(task, t), tiers, coefficients, error);
  return tacit_saa(task->sample, tacit_task_column(task, t), task->facts.quantiles[t], coefficients, error);
}

tacit_status tacit_learn_erm(tacit_task *task, tacit_error *error) {
  TACIT_TRY(check_rows(task, error));
  return fit_targets(task, fit_smooth, error);
}

tacit_status tacit_learn_erm_spread(tacit_task *task, tacit_error *error) {
  TACIT_TRY(check_rows(task, error));
  return fit_targets(task, fit_spread, error);
}

tacit_status tacit_learn_erm_exact(tacit_task *task, tacit_error *error) {
  TACIT_TRY(check_rows(task, error));
  return fit_targets(task, fit_exact, error);
}

tacit_status tacit_learn_saa(tacit_task *task, tacit_error *error) {
  return fit_targets(task, fit_flat, error);
}
