/* The public choices of objective perturbation: what the options and the schema say, and the rest by the
   rules of privacy/objective_recipe.c. */
#include "learn/objective_plan.h"

#include "learn/budget.h"
#include "learn/noisy_gd.h"
#include "loss/tuning.h"
#include "privacy/objective.h"
#include "method/objective_recipe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int part_of(const tacit_learn_options *options) {
  if (!options->preset || !*options->preset || !strcmp(options->preset, "part-1")) return 1;
  return strcmp(options->preset, "part-2") == 0 ? 2 : 0;
}

tacit_status tacit_objective_check(const tacit_schema *schema, const tacit_learn_options *options,
                                   tacit_error *error) {
  if (schema->rows_per_unit > 1)
    return tacit_fail(
        error, TACIT_REFUSED,
        "objective perturbation is proved for units of one row; this schema has %zu rows per unit: use "
        "the default method",
        schema->rows_per_unit);
  if (!part_of(options))
    return tacit_fail(error, TACIT_USAGE, "the presets of this method are part-1 and part-2 (C Theorem 3.6)");
  if (options->epsilon > TACIT_OBJECTIVE_EPSILON_MAX)
    return tacit_fail(error, TACIT_USAGE, "epsilon must be at most 100 for this method");
  if (options->delta < TACIT_OBJECTIVE_DELTA_LEAST)
    return tacit_fail(error, TACIT_USAGE, "delta must be at least 1e-200 for this method");
  return TACIT_OK;
}

/* The norm that rows are clipped to: bounded columns never exceed sqrt(columns); columns on a known scale
   rarely one and a half of it. */
static double clip_norm(const tacit_schema *schema, const tacit_learn_options *options) {
  if (options->clip_norm > 0) return options->clip_norm;
  if (schema->clip_norm > 0) return schema->clip_norm;
  return (tacit_schema_scales_known(schema) ? 1.5 : 1) * sqrt((double)schema->columns);
}

/* Conditions of the published rates, which the guarantee does not need. */
static void note_conditions(const tacit_objective_facts *f, int part, char *note) {
  double e2 = f->epsilon * f->epsilon;
  if (part == 1) return;
  if (e2 * e2 + f->columns * log(1 / f->delta) * e2 < 1 / f->rows)
    snprintf(note, 240,
             "C Theorem 3.6(2) promises its rate for epsilon^4 + d ln(1/delta) epsilon^2 of at least 1/n, "
             "which is not "
             "met; the privacy guarantee holds all the same.");
  else if (f->delta > exp(-f->epsilon / 2))
    snprintf(note, 240,
             "E Theorem 2 promises its rate for delta of at most e^(-epsilon/2), which is not met; the "
             "privacy guarantee "
             "holds all the same.");
}

tacit_status tacit_objective_plan_target(const tacit_schema *schema, const tacit_learn_options *options,
                                         double rows, size_t target, tacit_objective_plan *plan, char *note,
                                         tacit_error *error) {
  const tacit_target *y = &schema->targets[target];
  double tau = options->quantiles[target], targets = (double)schema->target_count;
  *plan = (tacit_objective_plan){.part = part_of(options), .kernel = TACIT_KERNEL_LOGISTIC};
  if (options->kernel && *options->kernel)
    TACIT_TRY(tacit_learn_kernel(options->kernel, &plan->kernel, error));
  plan->theta_bound = tacit_theta_bound(schema, target, options);
  plan->reach_bits = tacit_objective_reach_bits(plan->theta_bound);
  if (plan->theta_bound > TACIT_THETA_BOUND_MAX)
    return tacit_fail(error, TACIT_USAGE, "the bound of theta must be at most %g", TACIT_THETA_BOUND_MAX);
  const tacit_kernel_constants *k = tacit_kernel_facts(plan->kernel);
  tacit_objective_facts f = {.rows = rows,
                             .columns = (double)schema->columns,
                             .epsilon = options->epsilon / targets,
                             .delta = options->delta / targets,
                             .tau = tau,
                             .clip = clip_norm(schema, options),
                             .steepest = tacit_objective_steepest(k->name),
                             .kappa1 = k->kappa1,
                             .theta_bound = plan->theta_bound,
                             .adjacency = options->adjacency};
  double lambda;
  tacit_objective_noise noise;
  TACIT_TRY(tacit_objective_choose(&f, plan->part, options->lambda, options->bandwidth / y->scale.half,
                                   &lambda, &plan->bandwidth, error));
  plan->steepest = tacit_objective_slope(&f, plan->bandwidth);
  TACIT_TRY(tacit_objective_noise_find(&f, lambda, plan->bandwidth, &noise, error));
  TACIT_TRY(tacit_objective_releases(&f, target, lambda, plan->bandwidth, &noise, &plan->objective,
                                     &plan->minimiser, error));
  note_conditions(&f, plan->part, note);
  return TACIT_OK;
}
