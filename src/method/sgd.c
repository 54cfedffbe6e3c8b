/* Stochastic gradient perturbation (Chen and Chua's Algorithm 1): how a step samples, how many steps there
   are, the noise by exact accounting, step size and bandwidth by their Theorem 3.4 for any number of steps
   and any batch (n^2 steps and a batch of one record give the theorem's). */
#include "method/sgd.h"
#include "base/base.h"
#include "method/descent.h"
#include "privacy/sampled.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* The paper takes n^2 steps. Beyond this many little is gained and seconds become minutes. */
static const double STEPS_DEFAULT = 25e6;
/* What a step sees of the loss's curvature. */
static const double SEEN = 0.5;
/* Of the noise, what covers the rounding of its scale; and of a guarantee, what is left for it. */
static const double RAISED = 1 + 0x1p-30, LOWERED = 1 - 0x1p-40;

#define AT(field) TACIT_OPTION_AT(sgd.field)
static const tacit_option_field OPTIONS[] = {
    TACIT_STEPS_OPTION(AT(steps), TACIT_VISITS_MAX),
    TACIT_STEP_SIZE_OPTION(AT(step_size)),
    TACIT_CLIP_NORM_OPTION(AT(clip_norm), 0),
    TACIT_BANDWIDTH_OPTION(AT(bandwidth)),
    TACIT_KERNEL_OPTION(AT(kernel), "logistic"),
    TACIT_THETA_BOUND_OPTION(AT(theta_bound)),
    {{"batch", TACIT_OPTION_COUNT, "M", "records in a step (default 1)"}, AT(batch), TACIT_VISITS_MAX, NULL},
    {{"rate", TACIT_OPTION_NUMBER, "Q", "instead of a batch: each record with this probability"},
     AT(rate),
     1,
     NULL},
};

static const tacit_input INPUTS[] = {
    {"steps", TACIT_INPUT_WHOLE, TACIT_AT(steps), .least = 1, .most = TACIT_VISITS_MAX},
    {"clip_norm", TACIT_INPUT_NUMBER, TACIT_AT(clip_norm), TACIT_POSITIVE},
    {"batch", TACIT_INPUT_WHOLE, TACIT_AT(batch), .least = 1, .most = TACIT_VISITS_MAX, .optional = true},
    {"rate", TACIT_INPUT_NUMBER, TACIT_AT(rate), .least = 0x1p-32, .most = 1, .optional = true},
    {"theta_bound", TACIT_INPUT_NUMBER, TACIT_AT(theta_bound), .least = TACIT_THETA_BOUND_LEAST,
     .most = TACIT_THETA_BOUND_MAX},
    {.name = "kernel", .kind = TACIT_INPUT_KERNEL, .at = TACIT_AT(kernel)},
    {"step_size", TACIT_INPUT_EACH, TACIT_AT(step_size), TACIT_POSITIVE},
    {"bandwidth", TACIT_INPUT_UNITS, TACIT_AT(bandwidth), TACIT_POSITIVE}};

static tacit_status check(const tacit_facts *facts, const tacit_learn_options *options, tacit_error *error) {
  const tacit_sgd_options *o = &options->sgd;
  if (facts->schema->rows_per_unit > 1)
    return tacit_fail(
        error, TACIT_REFUSED,
        "sampled sums are accounted for units of one row; this schema has %zu rows per unit: use "
        "the default method",
        facts->schema->rows_per_unit);
  if (o->batch && o->rate != 0)
    return tacit_fail(error, TACIT_USAGE, "give a batch of fixed size or a rate, not both");
  if (o->rate != 0 && !(o->rate >= 0x1p-32))
    return tacit_fail(error, TACIT_USAGE, "the rate must be above 0 and at most 1");
  if (facts->adjacency == TACIT_ADD_REMOVE && o->rate == 0)
    return tacit_fail(
        error, TACIT_REFUSED,
        "a sample of fixed size shows the number of rows, which add-remove keeps private: give a "
        "rate, or use replace-one");
  TACIT_TRY(tacit_check_bandwidth(facts, o->bandwidth, error));
  TACIT_TRY(tacit_check_step_size(o->step_size, error));
  return tacit_check_theta_bound(o->theta_bound, error);
}

/* Rows that a step visits. */
static double visits_of(const tacit_facts *facts, const tacit_choice *choice) {
  return choice->batch ? (double)choice->batch : fmax(facts->rows, 1);
}

double tacit_sgd_size(const tacit_facts *facts, const tacit_choice *choice) {
  return choice->batch ? (double)choice->batch : fmax(1, choice->rate * facts->rows);
}

/* As its accountant takes it. Of a batch's rate the quotient is rounded, and must not be below it. */
static tacit_sampled sampled_of(const tacit_facts *facts, const tacit_choice *choice) {
  return (tacit_sampled){.rate = choice->batch ? fmin(1, nextafter((double)choice->batch / facts->rows, 2))
                                               : choice->rate,
                         .steps = choice->steps,
                         .sigma = choice->noise,
                         .sampling = choice->batch ? TACIT_SAMPLING_FIXED : TACIT_SAMPLING_POISSON,
                         .adjacency = facts->adjacency};
}

/* All targets' runs are alike in norms of one record's gradient, so that together they are one run of as many
   steps more, under the whole guarantee (proofs/sampled-steps.md); where that is too long for the accountant,
   and in older policies, every target has an equal part of epsilon and delta instead. */
static bool together(const tacit_facts *facts, const tacit_choice *choice) {
  return (double)choice->steps * (double)facts->schema->target_count <= (double)TACIT_SAMPLED_STEPS_MAX;
}

typedef struct asked {
  tacit_sampled sampled;
  double epsilon, delta;
} asked;

static asked asked_of(const tacit_facts *facts, const tacit_choice *choice, bool as_one) {
  asked a = {sampled_of(facts, choice), tacit_facts_epsilon(facts) * LOWERED,
             tacit_facts_delta(facts) * LOWERED};
  if (!as_one) return a;
  a.sampled.steps *= facts->schema->target_count;
  a.epsilon = facts->epsilon * LOWERED;
  a.delta = facts->delta * LOWERED;
  return a;
}

/* batch or rate, steps. The rate is a multiple of 2^-32, so that a coin of it is tossed exactly; rounded up.
 */
static tacit_status choose_samples(const tacit_facts *facts, const tacit_sgd_options *o, tacit_choice *choice,
                                   tacit_error *error) {
  choice->rate = o->rate > 0 ? ldexp(ceil(ldexp(o->rate, 32)), -32) : 0;
  choice->batch = o->rate > 0 ? 0 : o->batch ? o->batch : 1;
  if ((double)choice->batch > facts->rows)
    return tacit_fail(error, TACIT_USAGE, "the batch has %zu records, the table only %.0f", choice->batch,
                      facts->rows);
  double visits = visits_of(facts, choice);
  double usual = fmax(1, fmin(fmin(facts->rows * facts->rows, STEPS_DEFAULT), 1e10 / visits));
  choice->steps = o->steps ? o->steps : (size_t)usual;
  if ((double)choice->steps * visits <= TACIT_VISITS_MAX) return TACIT_OK;
  return tacit_fail(error, TACIT_REFUSED, "%zu steps are more than %g visits of a row; use fewer steps",
                    choice->steps, TACIT_VISITS_MAX);
}

/* The noise of one coordinate of each target's mean gradient. */
static void set_noise(const tacit_facts *facts, tacit_choice *choice) {
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    double tau = facts->quantiles[t];
    choice->sigma[t] =
        choice->noise * (fmax(tau, 1 - tau) * choice->clip_norm) / tacit_sgd_size(facts, choice);
  }
}

static tacit_status choose(const tacit_facts *facts, const tacit_learn_options *options, tacit_choice *choice,
                           tacit_error *error) {
  const tacit_sgd_options *o = &options->sgd;
  const tacit_schema *schema = facts->schema;
  TACIT_TRY(choose_samples(facts, o, choice, error));
  choice->kernel = tacit_kernel_named(o->kernel, TACIT_KERNEL_LOGISTIC);
  choice->clip_norm = tacit_clip_norm_of(o->clip_norm, schema, sqrt((double)schema->columns));
  choice->theta_bound = tacit_theta_bound_of(o->theta_bound, schema, 0);
  for (size_t t = 0; t < schema->target_count; t++)
    choice->theta[t] = tacit_theta_bound_of(o->theta_bound, schema, t);
  const asked a = asked_of(facts, choice, together(facts, choice));
  TACIT_TRY(tacit_sampled_sigma(&a.sampled, a.epsilon, a.delta, &choice->noise, error));
  set_noise(facts, choice);
  tacit_projected_tune(facts, choice, SEEN, o->step_size, o->bandwidth);
  if (facts->epsilon > 1)
    snprintf(choice->note, sizeof choice->note,
             "the published noise of this method (Chen and Chua's Theorem 3.2) is proved for epsilon of at "
             "most 1 only; the noise here is calibrated exactly, so the guarantee holds all the same.");
  return TACIT_OK;
}

/* A target's run, without its noise, and one record's largest gradient. */
static tacit_status run_of(const tacit_facts *facts, const tacit_choice *choice, size_t target,
                           tacit_mechanism *run, double *one, tacit_error *error) {
  *run = (tacit_mechanism){.kind = TACIT_RELEASE_SAMPLED,
                           .target = target,
                           .dimension = facts->schema->columns,
                           .level = facts->quantiles[target],
                           .clip = choice->clip_norm,
                           .bits = TACIT_CELL_BITS + TACIT_SCORE_BITS,
                           .count = choice->steps,
                           .sample = choice->batch ? TACIT_SAMPLE_FIXED : TACIT_SAMPLE_POISSON,
                           .rate = sampled_of(facts, choice).rate};
  TACIT_TRY(tacit_mechanism_sensitivity(run, facts->adjacency, 1, &run->sensitivity, error));
  *one = facts->adjacency == TACIT_REPLACE_ONE ? run->sensitivity / 2 : run->sensitivity;
  return TACIT_OK;
}

static tacit_status plan(const tacit_facts *facts, const tacit_choice *choice, tacit_release_plan *plan,
                         tacit_error *error) {
  plan->slack = TACIT_NEAR;
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    tacit_mechanism run;
    double one;
    TACIT_TRY(run_of(facts, choice, t, &run, &one, error));
    run.sigma = choice->noise * one * RAISED;
    if (!(run.sigma <= TACIT_PLAN_SIGMA_MAX / 4))
      return tacit_fail(error, TACIT_REFUSED,
                        "this guarantee needs more noise than the grid can hold; use fewer steps");
    TACIT_TRY(tacit_plan_add(plan, &run, error));
  }
  return TACIT_OK;
}

/* The noise in norms of one record's gradient, the same for all targets. The learner's search ends when delta
   is within 2e-5 of the asked one; where it ends elsewhere, since little noise is more than enough, it is
   made again. */
static bool noise_follows(const tacit_facts *facts, const tacit_choice *choice, bool as_one) {
  static const double FOUND = 1 - 3e-5, AGAIN = 1e-6;
  tacit_interval reached;
  double sigma;
  const asked a = asked_of(facts, choice, as_one);
  if (tacit_sampled_delta(&a.sampled, a.epsilon, &reached, NULL) != TACIT_OK) return false;
  if (reached.upper >= a.delta * FOUND && reached.lower <= a.delta) return true;
  return tacit_sampled_sigma(&a.sampled, a.epsilon, a.delta, &sigma, NULL) == TACIT_OK &&
         tacit_near(choice->noise, sigma, AGAIN);
}

static bool read_list(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice) {
  double one;
  tacit_mechanism run;
  if (facts->schema->rows_per_unit != 1 || !certificate->mechanism_count ||
      run_of(facts, choice, 0, &run, &one, NULL) != TACIT_OK)
    return false;
  choice->noise = certificate->mechanisms[0].sigma / (one * RAISED);
  set_noise(facts, choice);
  if (together(facts, choice) && noise_follows(facts, choice, true)) return true;
  return (facts->schema->target_count > 1 || !together(facts, choice)) && noise_follows(facts, choice, false);
}

/* A batch is some of the rows, whose number must then be public; a rate is a multiple of 2^-32. */
static bool possible(const tacit_facts *facts, const tacit_choice *choice, const char **wrong) {
  double rate = ldexp(choice->rate, 32);
  bool batch = facts->adjacency == TACIT_REPLACE_ONE && (double)choice->batch <= facts->rows;
  return tacit_fits((choice->batch > 0) != (choice->rate > 0), choice->batch ? "rate" : "batch", wrong) &&
         tacit_fits(!choice->batch || batch, "batch", wrong) &&
         tacit_fits(rate == floor(rate), "rate", wrong) &&
         tacit_fits((double)choice->steps * visits_of(facts, choice) <= TACIT_VISITS_MAX, "steps", wrong) &&
         tacit_projected_possible(facts, choice, SEEN, wrong);
}

const tacit_method tacit_method_sgd = {
    .name = "sgd",
    .about = "stochastic gradient perturbation: many steps on random records (DP-SGD)",
    .promise = TACIT_PROMISE_PAIR,
    .needs = TACIT_NEEDS_ONE_PLACE,
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
