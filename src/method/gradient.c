/* Gradient perturbation (Theorems 3 and 4 of Chen and Chua's companion paper, docs/papers.md): noisy gradient
   descent with equal steps, every iterate projected to |theta| <= B_theta, and all of them averaged. */
#include "base/base.h"
#include "method/descent.h"
#include "method/shares.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* The theorem takes T = n^2 steps, which is n^3 work. Its bound has T only in terms of order 1/T beside 1/n,
   so that beyond a few n steps little is gained: 4 n, while that is at most this many rows visited, and never
   fewer than STEPS_LEAST. */
static const double VISITS = 1e9, STEPS_PER_ROW = 4, STEPS_LEAST = 100;

#define AT(field) TACIT_OPTION_AT(gradient.field)
static const tacit_option_field OPTIONS[] = {
    TACIT_STEPS_OPTION(AT(steps), TACIT_STEPS_MAX), TACIT_STEP_SIZE_OPTION(AT(step_size)),
    TACIT_CLIP_NORM_OPTION(AT(clip_norm), 0),       TACIT_BANDWIDTH_OPTION(AT(bandwidth)),
    TACIT_KERNEL_OPTION(AT(kernel), "logistic"),    TACIT_THETA_BOUND_OPTION(AT(theta_bound)),
};

static const tacit_input INPUTS[] = {
    {"steps", TACIT_INPUT_WHOLE, TACIT_AT(steps), .least = 1, .most = TACIT_STEPS_MAX},
    {"clip_norm", TACIT_INPUT_NUMBER, TACIT_AT(clip_norm), TACIT_POSITIVE},
    {"growth", TACIT_INPUT_NUMBER, TACIT_AT(growth), .least = 1, .most = 1},
    {"average", TACIT_INPUT_WHOLE, TACIT_AT(average), .least = 1, .most = TACIT_STEPS_MAX},
    {.name = "kernel", .kind = TACIT_INPUT_KERNEL, .at = TACIT_AT(kernel)},
    {"start", TACIT_INPUT_WORD, TACIT_AT(sphere), .words = {"zero"}},
    {"whiten", TACIT_INPUT_WORD, TACIT_AT(whiten), .words = {"no"}, .old_name = "update",
     .old_words = {"Z eq. (7)"}},
    {"theta_bound", TACIT_INPUT_NUMBER, TACIT_AT(theta_bound), .least = TACIT_THETA_BOUND_LEAST,
     .most = TACIT_THETA_BOUND_MAX},
    {"step_size", TACIT_INPUT_EACH, TACIT_AT(step_size), TACIT_POSITIVE},
    {"bandwidth", TACIT_INPUT_UNITS, TACIT_AT(bandwidth), TACIT_POSITIVE}};

static tacit_status check(const tacit_facts *facts, const tacit_learn_options *options, tacit_error *error) {
  TACIT_TRY(tacit_check_bandwidth(facts, options->gradient.bandwidth, error));
  TACIT_TRY(tacit_check_step_size(options->gradient.step_size, error));
  return tacit_check_theta_bound(options->gradient.theta_bound, error);
}

/* A condition of the theorem that does not hold. */
static void write_note(const tacit_facts *facts, tacit_choice *choice) {
  const tacit_kernel_constants *k = tacit_kernel_facts(choice->kernel);
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    double tau_bar = fmax(facts->quantiles[t], 1 - facts->quantiles[t]);
    if (facts->rows < (1 + k->kappa1 * k->sup / (tau_bar * tau_bar)) / 4)
      snprintf(choice->note, sizeof choice->note,
               "the published rate of this method is promised for at least (1 + kappa_1 sup K / max(tau, 1 - "
               "tau)^2) / 4 rows, which is not met; the privacy guarantee holds all the same.");
  }
}

static tacit_status choose(const tacit_facts *facts, const tacit_learn_options *options, tacit_choice *choice,
                           tacit_error *error) {
  const tacit_gradient_options *o = &options->gradient;
  const tacit_schema *schema = facts->schema;
  double n = fmax(facts->rows, 1), T = fmax(STEPS_LEAST, fmin(STEPS_PER_ROW * n, VISITS / n));
  choice->steps = choice->average = o->steps ? o->steps : (size_t)T;
  choice->growth = 1;
  choice->kernel = tacit_kernel_named(o->kernel, TACIT_KERNEL_LOGISTIC);
  choice->clip_norm = tacit_clip_norm_of(o->clip_norm, schema, sqrt((double)schema->columns));
  choice->theta_bound = tacit_theta_bound_of(o->theta_bound, schema, 0);
  for (size_t t = 0; t < schema->target_count; t++)
    choice->theta[t] = tacit_theta_bound_of(o->theta_bound, schema, t);
  if (!((double)choice->steps * n <= TACIT_VISITS_MAX))
    return tacit_fail(error, TACIT_REFUSED,
                      "%zu steps over %.0f rows each are more than %g visits of a row; use fewer steps, or a "
                      "method that visits one row a step",
                      choice->steps, n, TACIT_VISITS_MAX);
  TACIT_TRY(tacit_descent_noise(facts, choice, error));
  tacit_projected_tune(facts, choice, 1, o->step_size, o->bandwidth);
  write_note(facts, choice);
  return TACIT_OK;
}

static tacit_status plan(const tacit_facts *facts, const tacit_choice *choice, tacit_release_plan *plan,
                         tacit_error *error) {
  return tacit_plan_descent(facts, choice, TACIT_CELL_BITS, plan, error);
}

static bool read_list(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice) {
  (void)certificate;
  return tacit_descent_noise(facts, choice, NULL) == TACIT_OK;
}

static bool possible(const tacit_facts *facts, const tacit_choice *choice, const char **wrong) {
  return tacit_fits(choice->average == choice->steps, "average", wrong) &&
         tacit_fits((double)choice->steps * facts->rows <= TACIT_VISITS_MAX, "steps", wrong) &&
         tacit_projected_possible(facts, choice, 1, wrong);
}

const tacit_method tacit_method_gradient = {
    .name = "gradient",
    .about = "gradient perturbation with projected and averaged iterates",
    .tiers = true,
    .promise = TACIT_PROMISE_GAUSSIAN,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .inputs = INPUTS,
    .input_count = sizeof INPUTS / sizeof *INPUTS,
    .check = check,
    .choose = choose,
    .plan = plan,
    .read_list = read_list,
    .possible = possible,
    .reach = tacit_theta_reach,
};
