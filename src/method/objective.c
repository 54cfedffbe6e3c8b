/* Objective perturbation (Chen and Chua's Algorithm 2): what the options and the schema say, and the rest by
   the rules of objective_recipe.c. */
#include "method/objective.h"

#include "base/base.h"
#include "method/descent.h"
#include "privacy/objective.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of lambda's 30 binary digits the last may be rounded either way. */
static const double NEAR_LAMBDA = 0x1p-28;

static const char *const PARTS[] = {"part-1", "part-2", NULL};
#define AT(field) TACIT_OPTION_AT(objective.field)
static const tacit_option_field OPTIONS[] = {
    {{"preset", TACIT_OPTION_WORD, "NAME", "part-1 (default) or part-2 of Chen and Chua's Theorem 3.6"},
     AT(preset),
     0,
     PARTS},
    TACIT_CLIP_NORM_OPTION(AT(clip_norm), 0),
    TACIT_BANDWIDTH_OPTION(AT(bandwidth)),
    TACIT_KERNEL_OPTION(AT(kernel), "logistic"),
    {{"lambda", TACIT_OPTION_NUMBER, "L", "weight of the ridge beside the mean loss"}, AT(lambda), 0, NULL},
    TACIT_THETA_BOUND_OPTION(AT(theta_bound)),
};

static const tacit_input INPUTS[] = {{"clip_norm", TACIT_INPUT_NUMBER, TACIT_AT(clip_norm), TACIT_POSITIVE},
                                     {"theta_bound", TACIT_INPUT_NUMBER, TACIT_AT(theta_bound),
                                      .least = TACIT_THETA_BOUND_LEAST, .most = TACIT_THETA_BOUND_MAX},
                                     {.name = "kernel", .kind = TACIT_INPUT_KERNEL, .at = TACIT_AT(kernel)},
                                     {"preset", TACIT_INPUT_WORD, TACIT_AT(second_part),
                                      .words = {"part-1", "part-2"}, .old_name = "rule",
                                      .old_words = {"C Thm 3.6(1)", "C Thm 3.6(2)"}},
                                     {"bandwidth", TACIT_INPUT_UNITS, TACIT_AT(bandwidth), TACIT_POSITIVE}};

static tacit_status check(const tacit_facts *facts, const tacit_learn_options *options, tacit_error *error) {
  if (facts->schema->rows_per_unit > 1)
    return tacit_fail(error, TACIT_REFUSED,
                      "objective perturbation is proved for units of one row; this schema has %zu rows per "
                      "unit: use the default method",
                      facts->schema->rows_per_unit);
  if (facts->epsilon > TACIT_OBJECTIVE_EPSILON_MAX)
    return tacit_fail(error, TACIT_USAGE, "epsilon must be at most 100 for this method");
  if (facts->delta < TACIT_OBJECTIVE_DELTA_LEAST)
    return tacit_fail(error, TACIT_USAGE, "delta must be at least 1e-200 for this method");
  TACIT_TRY(tacit_check_bandwidth(facts, options->objective.bandwidth, error));
  return tacit_check_theta_bound(options->objective.theta_bound, error);
}

tacit_objective_facts tacit_objective_facts_of(const tacit_facts *facts, const tacit_choice *choice,
                                               size_t target, double theta_bound) {
  const tacit_kernel_constants *k = tacit_kernel_facts(choice->kernel);
  return (tacit_objective_facts){.rows = facts->rows,
                                 .columns = (double)facts->schema->columns,
                                 .epsilon = choice->own_epsilon > 0 ? choice->own_epsilon
                                                                    : tacit_facts_epsilon(facts),
                                 .delta = tacit_facts_delta(facts),
                                 .tau = facts->quantiles[target],
                                 .clip = choice->clip_norm,
                                 .steepest = tacit_objective_steepest(k->name),
                                 .kappa1 = k->kappa1,
                                 .theta_bound = theta_bound,
                                 .adjacency = facts->adjacency};
}

/* Conditions of the published rates, which the guarantee does not need. */
static void write_note(const tacit_objective_facts *f, tacit_choice *choice) {
  double e2 = f->epsilon * f->epsilon;
  if (!choice->second_part) return;
  if (e2 * e2 + f->columns * log(1 / f->delta) * e2 < 1 / f->rows)
    snprintf(choice->note, sizeof choice->note,
             "Chen and Chua's Theorem 3.6(2) promises its rate for epsilon^4 + d ln(1/delta) epsilon^2 of at "
             "least 1/n, which is not met; the privacy guarantee holds all the same.");
  else if (f->delta > exp(-f->epsilon / 2))
    snprintf(choice->note, sizeof choice->note,
             "the companion's Theorem 2 promises its rate for delta of at most e^(-epsilon/2), which is not "
             "met; the privacy guarantee holds all the same.");
}

/* lambda, bandwidth and noise of every target, with the share of epsilon that the choice has. */
static tacit_status choose_targets(const tacit_facts *facts, const tacit_objective_options *o,
                                   tacit_choice *choice, tacit_error *error) {
  const tacit_schema *schema = facts->schema;
  for (size_t t = 0; t < schema->target_count; t++) {
    choice->theta[t] = tacit_theta_bound_of(o->theta_bound, schema, t);
    tacit_objective_facts f = tacit_objective_facts_of(facts, choice, t, choice->theta[t]);
    tacit_objective_noise noise;
    TACIT_TRY(tacit_objective_choose(&f, choice->second_part ? 2 : 1, o->lambda,
                                     o->bandwidth / schema->targets[t].scale.half, &choice->lambda[t],
                                     &choice->bandwidth[t], error));
    TACIT_TRY(tacit_objective_noise_find(&f, choice->lambda[t], choice->bandwidth[t], &noise, error));
    choice->sigma[t] = noise.sigma;
    choice->mu[t] = noise.mu;
    write_note(&f, choice);
  }
  return TACIT_OK;
}

static tacit_status plan(const tacit_facts *facts, const tacit_choice *choice, tacit_release_plan *plan,
                         tacit_error *error);

static bool keeps_the_promise(const tacit_facts *facts, const tacit_choice *choice) {
  tacit_release_plan made;
  bool kept = tacit_plan_open(&made, facts, NULL) == TACIT_OK &&
              plan(facts, choice, &made, NULL) == TACIT_OK && tacit_plan_check(&made, NULL) == TACIT_OK;
  tacit_plan_close(&made);
  return kept;
}

static tacit_status choose(const tacit_facts *facts, const tacit_learn_options *options, tacit_choice *choice,
                           tacit_error *error) {
  const tacit_objective_options *o = &options->objective;
  const tacit_schema *schema = facts->schema;
  /* bounded columns never exceed sqrt(columns); columns on a known scale rarely one and a half of it */
  double reach = (tacit_schema_scales_known(schema) ? 1.5 : 1) * sqrt((double)schema->columns);
  if (facts->rows > (double)TACIT_OBJECTIVE_ROWS_MAX)
    return tacit_fail(error, TACIT_REFUSED,
                      "objective perturbation is exact for at most %llu rows; use fewer nominal rows, or the "
                      "default method",
                      (unsigned long long)TACIT_OBJECTIVE_ROWS_MAX);
  choice->second_part = tacit_is_given(o->preset) && !strcmp(o->preset, PARTS[1]);
  choice->kernel = tacit_kernel_named(o->kernel, TACIT_KERNEL_LOGISTIC);
  choice->clip_norm = tacit_clip_norm_of(o->clip_norm, schema, reach);
  choice->theta_bound = tacit_theta_bound_of(o->theta_bound, schema, 0);
  if (schema->target_count > 1 && !(o->lambda > 0) && !(o->bandwidth > 0)) {
    TACIT_TRY(tacit_objective_share(facts->epsilon, facts->delta, schema->target_count, facts->adjacency,
                                    &choice->own_epsilon, error));
    TACIT_TRY(choose_targets(facts, o, choice, error));
    if (keeps_the_promise(facts, choice))
      return TACIT_OK; /* it may not where a bandwidth was held to its limits */
    choice->own_epsilon = 0;
  }
  return choose_targets(facts, o, choice, error);
}

static tacit_status plan(const tacit_facts *facts, const tacit_choice *choice, tacit_release_plan *plan,
                         tacit_error *error) {
  plan->slack = TACIT_NEAR;
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    tacit_objective_facts f = tacit_objective_facts_of(facts, choice, t, choice->theta[t]);
    const tacit_objective_noise noise = {choice->sigma[t], choice->mu[t]};
    tacit_mechanism releases[2];
    TACIT_TRY(
        tacit_objective_releases(&f, t, choice->lambda[t], choice->bandwidth[t], &noise, releases, error));
    TACIT_TRY(tacit_plan_add(plan, &releases[0], error));
    TACIT_TRY(tacit_plan_add(plan, &releases[1], error));
  }
  return TACIT_OK;
}

/* A target's lambda and noise from its two releases, with this bound of theta: a lambda of few digits, and
   the noise that the rules ask for. */
static bool read_target(const tacit_facts *facts, const tacit_mechanism *stated, tacit_choice *choice,
                        size_t target, double theta) {
  tacit_objective_facts f = tacit_objective_facts_of(facts, choice, target, theta);
  tacit_objective_noise noise = tacit_objective_noise_of(stated, stated + 1);
  choice->theta[target] = theta;
  choice->lambda[target] = stated->lambda;
  choice->sigma[target] = noise.sigma;
  choice->mu[target] = noise.mu;
  return tacit_objective_holds(stated->lambda) &&
         stated->lambda == tacit_objective_few_digits(stated->lambda) &&
         tacit_objective_noise_is(&f, stated->lambda, choice->bandwidth[target], &noise, TACIT_NEAR);
}

/* All targets with the stated bound, or each with its default. */
static bool read_with(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice,
                      bool given) {
  tacit_release_plan again;
  bool right = true;
  for (size_t t = 0; t < facts->schema->target_count && right; t++)
    right = read_target(facts, &certificate->mechanisms[2 * t], choice, t,
                        given ? choice->theta_bound : tacit_theta_bound_of(0, facts->schema, t));
  if (!right) return false;
  right = tacit_plan_open(&again, facts, NULL) == TACIT_OK && plan(facts, choice, &again, NULL) == TACIT_OK &&
          tacit_plan_is_listed(&again, certificate);
  tacit_plan_close(&again);
  return right;
}

static bool read_shared(const tacit_facts *facts, const tacit_certificate *certificate,
                        tacit_choice *choice) {
  return read_with(facts, certificate, choice, true) ||
         (tacit_theta_is_default(facts, choice) && read_with(facts, certificate, choice, false));
}

static bool read_list(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice) {
  if (facts->epsilon > TACIT_OBJECTIVE_EPSILON_MAX || facts->delta < TACIT_OBJECTIVE_DELTA_LEAST ||
      facts->rows > TACIT_OBJECTIVE_ROWS_MAX || facts->schema->rows_per_unit != 1 ||
      certificate->mechanism_count != 2 * facts->schema->target_count)
    return false;
  if (facts->schema->target_count > 1 &&
      tacit_objective_share(facts->epsilon, facts->delta, facts->schema->target_count, facts->adjacency,
                            &choice->own_epsilon, NULL) == TACIT_OK &&
      read_shared(facts, certificate, choice))
    return true;
  choice->own_epsilon = 0; /* lambda or a bandwidth was given, or the policy is older */
  return read_shared(facts, certificate, choice);
}

/* A bandwidth that was given is held to what the arithmetic can hold, target by target. */
static bool one_bandwidth(const tacit_facts *facts, const tacit_choice *choice) {
  const tacit_target *targets = facts->schema->targets;
  double option = 0;
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    double own = choice->bandwidth[t];
    bool held = tacit_near(own, TACIT_BANDWIDTH_LEAST, TACIT_NEAR) ||
                tacit_near(own, TACIT_BANDWIDTH_MOST, TACIT_NEAR);
    if (option == 0 && !held) option = own * targets[t].scale.half;
  }
  for (size_t t = 0; t < facts->schema->target_count && option > 0; t++)
    if (!tacit_near(choice->bandwidth[t], tacit_objective_bandwidth(option / targets[t].scale.half),
                    TACIT_NEAR))
      return false;
  return true;
}

/* What the theorem has for the stated lambda. */
static bool bandwidths_follow(const tacit_facts *facts, const tacit_choice *choice) {
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    tacit_objective_facts f = tacit_objective_facts_of(facts, choice, t, choice->theta_bound);
    double theorem = f.steepest * f.clip * f.clip / (choice->lambda[t] / 2 * f.epsilon);
    if (!tacit_near(choice->bandwidth[t], tacit_objective_bandwidth(theorem), TACIT_NEAR)) return false;
  }
  return true;
}

static bool one_lambda(const tacit_facts *facts, const tacit_choice *choice) {
  for (size_t t = 1; t < facts->schema->target_count; t++)
    if (choice->lambda[t] != choice->lambda[0]) return false;
  return true;
}

/* What the theorem has, with the stated bandwidths where those were given. */
static bool lambdas_follow(const tacit_facts *facts, const tacit_choice *choice, bool given, bool theta) {
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    tacit_objective_facts f = tacit_objective_facts_of(
        facts, choice, t, theta ? choice->theta_bound : tacit_theta_bound_of(0, facts->schema, t));
    double lambda, bandwidth;
    if (tacit_objective_choose(&f, choice->second_part ? 2 : 1, 0, given ? choice->bandwidth[t] : 0, &lambda,
                               &bandwidth, NULL) != TACIT_OK ||
        !tacit_near(lambda, choice->lambda[t], NEAR_LAMBDA))
      return false;
  }
  return true;
}

static bool possible(const tacit_facts *facts, const tacit_choice *choice, const char **wrong) {
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    double own = choice->bandwidth[t];
    if (!tacit_fits(tacit_near(tacit_objective_bandwidth(own), own, TACIT_NEAR), "bandwidth", wrong))
      return false;
  }
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    tacit_objective_facts f = tacit_objective_facts_of(facts, choice, t, choice->theta[t]);
    double lambda = choice->lambda[t] / (2 * facts->rows), own = choice->bandwidth[t];
    bool widest = tacit_near(own, TACIT_BANDWIDTH_MOST, TACIT_NEAR); /* held, and not refused */
    if (!tacit_fits(widest || lambda >= tacit_objective_lambda_least(&f, own) * (1 - TACIT_NEAR), "bandwidth",
                    wrong))
      return false;
  }
  bool given = one_bandwidth(facts, choice), follow = bandwidths_follow(facts, choice),
       lambdas = one_lambda(facts, choice);
  for (int theta = 1; theta >= (tacit_theta_is_default(facts, choice) ? 0 : 1); theta--)
    lambdas = lambdas || (given && lambdas_follow(facts, choice, true, theta)) ||
              (follow && lambdas_follow(facts, choice, false, theta));
  return tacit_fits((given || follow) && lambdas, "bandwidth", wrong);
}

const tacit_method tacit_method_objective = {
    .name = "objective",
    .about = "objective perturbation: the exact minimiser of a loss with a random linear term",
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
