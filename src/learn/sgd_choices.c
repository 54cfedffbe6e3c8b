/* The public choices of stochastic gradient perturbation: how a step samples, how many steps there are, the
   noise by exact accounting, step size and bandwidth by C Theorem 3.4 for any number of steps and any batch
   (loss/tuning.c; n^2 steps and a batch of one record give the theorem's). */
#include "learn/sgd.h"

#include "base/base.h"
#include "learn/noisy_gd.h"
#include "loss/tuning.h"

#include <math.h>
#include <stdio.h>

/* C takes n^2 steps. Beyond this many little is gained and seconds become minutes. */
static const double STEPS_DEFAULT = 25e6;

tacit_status tacit_sgd_check(const tacit_schema *schema, const tacit_learn_options *options,
                             tacit_error *error) {
  if (schema->rows_per_unit > 1)
    return tacit_fail(
        error, TACIT_REFUSED,
        "sampled sums are accounted for units of one row; this schema has %zu rows per unit: use the "
        "default method",
        schema->rows_per_unit);
  if (options->batch && options->rate != 0)
    return tacit_fail(error, TACIT_USAGE, "give a batch of fixed size or a rate, not both");
  if (options->rate != 0 && !(options->rate >= 0x1p-32 && options->rate <= 1))
    return tacit_fail(error, TACIT_USAGE, "the rate must be above 0 and at most 1");
  if (options->adjacency == TACIT_ADD_REMOVE && options->rate == 0)
    return tacit_fail(error, TACIT_REFUSED,
                      "a sample of fixed size shows the number of rows, which add-remove keeps private: give "
                      "--rate, or use "
                      "replace-one");
  if (options->theta_bound > TACIT_THETA_BOUND_MAX)
    return tacit_fail(error, TACIT_USAGE, "the bound of theta must be at most %g", TACIT_THETA_BOUND_MAX);
  return TACIT_OK;
}

/* batch or rate, steps. The rate is a multiple of 2^-32, so that a coin of it is tossed exactly; rounded up.
 */
static tacit_status choose_samples(const tacit_learn_options *options, double rows, tacit_sgd_plan *plan,
                                   tacit_error *error) {
  tacit_sampled *s = &plan->sampled;
  bool poisson = options->rate > 0;
  s->adjacency = options->adjacency;
  s->sampling = poisson ? TACIT_SAMPLING_POISSON : TACIT_SAMPLING_FIXED;
  plan->threshold = poisson ? (uint64_t)ceil(ldexp(options->rate, 32)) : 0;
  plan->batch = poisson ? 0 : options->batch ? options->batch : 1;
  if ((double)plan->batch > rows)
    return tacit_fail(error, TACIT_USAGE, "the batch has %llu records, the table only %.0f",
                      (unsigned long long)plan->batch, rows);
  s->rate = poisson ? ldexp((double)plan->threshold, -32) : fmin(1, nextafter((double)plan->batch / rows, 2));
  plan->size = poisson ? fmax(1, s->rate * rows) : (double)plan->batch;
  double visits = poisson ? fmax(rows, 1) : (double)plan->batch;
  double usual = fmax(1, fmin(fmin(rows * rows, STEPS_DEFAULT), 1e10 / visits));
  s->steps = options->steps ? options->steps : (uint64_t)usual;
  if ((double)s->steps * visits <= TACIT_VISITS_MAX) return TACIT_OK;
  return tacit_fail(error, TACIT_REFUSED, "%llu steps are more than %g visits of a row; use fewer --steps",
                    (unsigned long long)s->steps, TACIT_VISITS_MAX);
}

static void choose_step(const tacit_schema *schema, const tacit_learn_options *options, double rows,
                        size_t target, tacit_sgd_plan *plan) {
  double tau = options->quantiles[target], B = plan->mechanism.clip;
  plan->theta_bound = tacit_theta_bound(schema, target, options);
  tacit_projected_descent descent = {.tau = tau,
                                     .clip = B,
                                     .bound = plan->theta_bound,
                                     .steps = (double)plan->sampled.steps,
                                     .rows = fmax(rows, 1),
                                     .columns = (double)schema->columns,
                                     .noise = plan->sampled.sigma * (fmax(tau, 1 - tau) * B) / plan->size,
                                     .kernel = plan->kernel,
                                     .share = 0.5};
  plan->step_size = options->step_size > 0 ? options->step_size : tacit_projected_step(&descent);
  plan->bandwidth = options->bandwidth > 0 ? options->bandwidth / schema->targets[target].scale.half
                                           : tacit_projected_bandwidth(&descent, plan->step_size);
}

tacit_status tacit_sgd_plan_target(const tacit_schema *schema, const tacit_learn_options *options,
                                   double rows, size_t target, tacit_sgd_plan *plan, char *note,
                                   tacit_error *error) {
  double targets = (double)schema->target_count;
  *plan = (tacit_sgd_plan){.kernel = TACIT_KERNEL_LOGISTIC};
  if (options->kernel && *options->kernel)
    TACIT_TRY(tacit_learn_kernel(options->kernel, &plan->kernel, error));
  TACIT_TRY(choose_samples(options, rows, plan, error));
  tacit_mechanism *m = &plan->mechanism;
  *m = (tacit_mechanism){.kind = TACIT_RELEASE_SAMPLED,
                         .target = target,
                         .dimension = schema->columns,
                         .level = options->quantiles[target],
                         .clip = options->clip_norm > 0  ? options->clip_norm
                                 : schema->clip_norm > 0 ? schema->clip_norm
                                                         : sqrt((double)schema->columns),
                         .bits = TACIT_CELL_BITS + TACIT_SCORE_BITS,
                         .count = plan->sampled.steps,
                         .sample = plan->batch ? TACIT_SAMPLE_FIXED : TACIT_SAMPLE_POISSON,
                         .rate = plan->sampled.rate};
  TACIT_TRY(tacit_mechanism_sensitivity(m, options->adjacency, 1, &m->sensitivity, error));
  TACIT_TRY(tacit_sampled_sigma(&plan->sampled, options->epsilon / targets * (1 - 0x1p-40),
                                options->delta / targets * (1 - 0x1p-40), &plan->sampled.sigma, error));
  double one = options->adjacency == TACIT_REPLACE_ONE ? m->sensitivity / 2 : m->sensitivity;
  m->sigma = plan->sampled.sigma * one * (1 + 0x1p-30);
  if (!(m->sigma <= TACIT_SIGMA_MAX / 4))
    return tacit_fail(error, TACIT_REFUSED,
                      "this guarantee needs more noise than the grid can hold; use fewer steps");
  choose_step(schema, options, rows, target, plan);
  if (options->epsilon / targets > 1)
    snprintf(
        note, 240,
        "the published noise of this method (C Theorem 3.2) is proved for epsilon of at most 1 only; the "
        "noise here is calibrated exactly, so the guarantee holds all the same.");
  return TACIT_OK;
}
