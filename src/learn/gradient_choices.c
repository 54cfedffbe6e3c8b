/* The public choices of gradient perturbation (E Theorems 3 and 4), which is noisy gradient descent with
   equal steps, every iterate projected to |theta| <= B_theta, and all of them averaged.

   Step size and bandwidth are those of loss/tuning.c. */
#include "learn/noisy_gd.h"

#include "base/base.h"
#include "loss/tuning.h"

#include <math.h>
#include <stdio.h>

/* E takes T = n^2, which is n^3 work. Its bound has T only in terms of order 1/T beside 1/n, so that beyond a
   few n steps little is gained: 4 n, while that is at most this many rows visited, and never fewer than
   STEPS_LEAST. */
static const double VISITS = 1e9, STEPS_PER_ROW = 4, STEPS_LEAST = 100;

double tacit_theta_bound(const tacit_schema *schema, size_t target, const tacit_learn_options *options) {
  if (options->theta_bound > 0) return options->theta_bound;
  return tacit_default_theta_bound(schema->targets[target].bounded);
}

void tacit_project(double *theta, size_t columns, double bound) {
  double square = 0;
  for (size_t j = 0; j < columns; j++) square += theta[j] * theta[j];
  if (square <= bound * bound) return;
  double scale = bound / sqrt(square);
  for (size_t j = 0; j < columns; j++) theta[j] *= scale;
}

tacit_status tacit_gradient_choose(tacit_noisy_gd *choice, const tacit_schema *schema,
                                   const tacit_learn_options *options, tacit_error *error) {
  if (options->theta_bound > TACIT_THETA_BOUND_MAX)
    return tacit_fail(error, TACIT_USAGE, "the bound of theta must be at most %g", TACIT_THETA_BOUND_MAX);
  *choice = (tacit_noisy_gd){.cell_bits = TACIT_CELL_BITS, .growth = 1, .kernel = TACIT_KERNEL_LOGISTIC};
  choice->bound = tacit_theta_bound(schema, 0, options);
  choice->clip_norm = options->clip_norm > 0  ? options->clip_norm
                      : schema->clip_norm > 0 ? schema->clip_norm
                                              : sqrt((double)schema->columns);
  if (!options->kernel || !*options->kernel) return TACIT_OK;
  return tacit_learn_kernel(options->kernel, &choice->kernel, error);
}

tacit_status tacit_gradient_choose_rows(tacit_noisy_gd *choice, const tacit_learn_options *options,
                                        double rows, tacit_error *error) {
  double n = fmax(rows, 1), T = fmax(STEPS_LEAST, fmin(STEPS_PER_ROW * n, VISITS / n));
  choice->steps = choice->average = options->steps ? options->steps : (size_t)T;
  if ((double)choice->steps * n <= TACIT_VISITS_MAX) return TACIT_OK;
  return tacit_fail(
      error, TACIT_REFUSED,
      "%zu steps over %.0f rows each are more than %g visits of a row; use fewer --steps, or --method sgd, "
      "which visits one row a step",
      choice->steps, n, TACIT_VISITS_MAX);
}

void tacit_gradient_tune(const tacit_noisy_gd *choice, const tacit_schema *schema, size_t target,
                         const tacit_learn_options *options, double rows, double sigma, double *step_size,
                         double *bandwidth) {
  tacit_projected_descent descent = {.tau = options->quantiles[target],
                                     .clip = choice->clip_norm,
                                     .bound = tacit_theta_bound(schema, target, options),
                                     .steps = (double)choice->steps,
                                     .rows = rows,
                                     .columns = (double)schema->columns,
                                     .noise = sigma,
                                     .kernel = choice->kernel,
                                     .share = 1};
  *step_size = options->step_size > 0 ? options->step_size : tacit_projected_step(&descent);
  *bandwidth = options->bandwidth > 0 ? options->bandwidth / schema->targets[target].scale.half
                                      : tacit_projected_bandwidth(&descent, *step_size);
}

void tacit_gradient_note(const tacit_noisy_gd *choice, const tacit_learn_options *options, double rows,
                         char *note) {
  const tacit_kernel_constants *k = tacit_kernel_facts(choice->kernel);
  for (size_t t = 0; t < options->quantile_count; t++) {
    double tau_bar = fmax(options->quantiles[t], 1 - options->quantiles[t]);
    if (rows < (1 + k->kappa1 * k->sup / (tau_bar * tau_bar)) / 4)
      snprintf(note, 240,
               "E Theorem 4 promises its rate for at least (1 + kappa_1 sup K / max(tau, 1 - tau)^2) / 4 "
               "rows, which is "
               "not met; the privacy guarantee holds all the same.");
  }
}
