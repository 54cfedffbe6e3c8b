/* How the numbers among a method's inputs hang together. A number that a learner takes from an option or else
   from a rule of its own may be anything within the option's limits; but with several targets the option's is
   the same for all, and the rule's is each target's own, which is computed again here. */
#include "policy/inputs.h"
#include "policy/listing.h"

#include "loss/check.h"
#include "loss/tuning.h"
#include "privacy/objective.h"

#include <math.h>
#include <string.h>

/* Of lambda's 30 binary digits the last may be rounded either way. */
static const double NEAR_LAMBDA = 0x1p-28;

static double tau_of(const tacit_policy *policy, size_t target) {
  return policy->goals[target].quantile;
}

/* Half the width of a target, or its scale: what one encoded unit is in its own. */
static double unit_of(const tacit_policy *policy, size_t target) {
  return policy->schema->targets[target].scale.half;
}

static bool bounded(const tacit_policy *policy, size_t target) {
  return policy->schema->targets[target].bounded;
}

/* A target's first release of a kind; NULL without one. */
static const tacit_mechanism *first(const tacit_policy *policy, size_t target, tacit_release_kind kind) {
  const tacit_certificate *c = policy->certificate;
  for (size_t i = 0; i < c->mechanism_count; i++)
    if (c->mechanisms[i].target == target && c->mechanisms[i].kind == kind) return &c->mechanisms[i];
  return NULL;
}

/* All targets have the option's. */
static bool same(const tacit_policy *policy, const char *name, double tolerance) {
  double option = tacit_input_of_target(policy, name, 0);
  for (size_t t = 1; t < policy->schema->target_count; t++)
    if (!tacit_near(tacit_input_of_target(policy, name, t), option, tolerance)) return false;
  return true;
}

static bool given_step(const tacit_policy *policy) {
  return same(policy, "step_size", 0) && tacit_input_of_target(policy, "step_size", 0) <= TACIT_STEP_SIZE_MAX;
}

/* In encoded units. */
static double own_bandwidth(const tacit_policy *policy, size_t t) {
  return tacit_input_of_target(policy, "bandwidth", t) / unit_of(policy, t);
}

/* It went from the target's units to encoded ones and back. */
static bool given_bandwidth(const tacit_policy *policy) {
  static const double MOST = TACIT_BANDWIDTH_REACH * (1 + TACIT_NEAR);
  for (size_t t = 0; t < policy->schema->target_count; t++) {
    double own = own_bandwidth(policy, t);
    if (!(own >= 1 / MOST && own <= MOST)) return false;
  }
  return same(policy, "bandwidth", TACIT_NEAR);
}

/* Each target has what a rule gives it, in the input's own units; `how` chooses among the rules. */
typedef double (*own_rule)(const tacit_policy *policy, size_t target, int how);

static bool each(const tacit_policy *policy, const char *name, own_rule value, int how) {
  for (size_t t = 0; t < policy->schema->target_count; t++)
    if (!tacit_near(tacit_input_of_target(policy, name, t), value(policy, t, how), TACIT_NEAR)) return false;
  return true;
}

static bool fits(bool holds, const char *name, const char **wrong) {
  if (!holds) *wrong = name;
  return holds;
}

static bool average_fits(const tacit_policy *policy, const char **wrong) {
  return fits(tacit_input_number(policy, "average") <= tacit_input_number(policy, "steps"), "average", wrong);
}

/* Z's recipe for features on a known scale, or his theorem's. */
static double descent_step(const tacit_policy *policy, size_t t, int how) {
  return how ? tacit_theory_step(tau_of(policy, t), bounded(policy, t))
             : tacit_default_step(bounded(policy, t));
}

static double descent_bandwidth(const tacit_policy *policy, size_t t, int how) {
  (void)how;
  return unit_of(policy, t) * tacit_default_bandwidth(tau_of(policy, t), (double)policy->certificate->rows,
                                                      (double)policy->schema->columns);
}

bool tacit_tuned_noisy_gd(const tacit_policy *policy, const char **wrong) {
  return average_fits(policy, wrong) &&
         fits(given_step(policy) || each(policy, "step_size", descent_step, 0) ||
                  each(policy, "step_size", descent_step, 1),
              "step_size", wrong) &&
         fits(given_bandwidth(policy) || each(policy, "bandwidth", descent_bandwidth, 0), "bandwidth", wrong);
}

double tacit_inputs_theta(const tacit_policy *policy, size_t t, tacit_theta_rule rule) {
  return rule == TACIT_THETA_DEFAULT ? tacit_default_theta_bound(bounded(policy, t))
                                     : tacit_input_number(policy, "theta_bound");
}

bool tacit_inputs_theta_default(const tacit_policy *policy) {
  return tacit_inputs_theta(policy, 0, TACIT_THETA_GIVEN) ==
         tacit_inputs_theta(policy, 0, TACIT_THETA_DEFAULT);
}

/* The noise of one coordinate of a mean gradient, as the learner takes it from its own plan. */
static double mean_noise(const tacit_policy *policy, size_t t, double clip) {
  const tacit_certificate *c = policy->certificate;
  double rows = (double)c->rows, tau = tau_of(policy, t);
  const tacit_mechanism *m = first(policy, t, TACIT_RELEASE_SCORES);
  if (m) return ldexp(m->sigma, -m->bits) / rows;
  if (!(m = first(policy, t, TACIT_RELEASE_SAMPLED))) return NAN;
  double one = c->adjacency == TACIT_REPLACE_ONE ? m->sensitivity / 2 : m->sensitivity;
  double size = tacit_certificate_find(c, "batch") ? tacit_input_number(policy, "batch")
                                                   : fmax(1, tacit_input_number(policy, "rate") * rows);
  return m->sigma / one / (1 + 0x1p-30) * (fmax(tau, 1 - tau) * clip) / size;
}

static tacit_projected_descent projected(const tacit_policy *policy, size_t t, int how) {
  const tacit_certificate *c = policy->certificate;
  double clip = tacit_input_number(policy, "clip_norm");
  tacit_projected_descent d = {.tau = tau_of(policy, t),
                               .clip = clip,
                               .bound = tacit_inputs_theta(policy, t, (tacit_theta_rule)how),
                               .steps = tacit_input_number(policy, "steps"),
                               .rows = fmax((double)c->rows, 1),
                               .columns = (double)policy->schema->columns,
                               .noise = mean_noise(policy, t, clip),
                               .share = strcmp(c->method, "sgd") == 0 ? 0.5 : 1};
  tacit_kernel_by_name(tacit_certificate_find(c, "kernel")->text, &d.kernel);
  return d;
}

static double projected_step(const tacit_policy *policy, size_t t, int how) {
  tacit_projected_descent d = projected(policy, t, how);
  return tacit_projected_step(&d);
}

static double projected_bandwidth(const tacit_policy *policy, size_t t, int how) {
  tacit_projected_descent d = projected(policy, t, how);
  return unit_of(policy, t) * tacit_projected_bandwidth(&d, tacit_input_of_target(policy, "step_size", t));
}

static bool projected_fits(const tacit_policy *policy, const char **wrong) {
  return fits(given_step(policy) || each(policy, "step_size", projected_step, 0) ||
                  (tacit_inputs_theta_default(policy) && each(policy, "step_size", projected_step, 1)),
              "step_size", wrong) &&
         fits(given_bandwidth(policy) || each(policy, "bandwidth", projected_bandwidth, 0), "bandwidth",
              wrong);
}

bool tacit_tuned_gradient(const tacit_policy *policy, const char **wrong) {
  double steps = tacit_input_number(policy, "steps"), rows = (double)policy->certificate->rows;
  return fits(tacit_input_number(policy, "average") == steps, "average", wrong) &&
         fits(steps * rows <= TACIT_VISITS_MAX, "steps", wrong) && projected_fits(policy, wrong);
}

/* A batch is some of the rows, whose number must then be public; a rate is a multiple of 2^-32. */
bool tacit_tuned_sgd(const tacit_policy *policy, const char **wrong) {
  const tacit_certificate *c = policy->certificate;
  double visits = fmax((double)c->rows, 1);
  if (tacit_certificate_find(c, "batch")) {
    visits = tacit_input_number(policy, "batch");
    if (!fits(c->adjacency == TACIT_REPLACE_ONE && visits <= (double)c->rows, "batch", wrong)) return false;
  } else {
    double rate = ldexp(tacit_input_number(policy, "rate"), 32);
    if (!fits(rate == floor(rate), "rate", wrong)) return false;
  }
  return fits(tacit_input_number(policy, "steps") * visits <= TACIT_VISITS_MAX, "steps", wrong) &&
         projected_fits(policy, wrong);
}

tacit_objective_facts tacit_inputs_objective(const tacit_policy *policy, size_t t, tacit_theta_rule rule) {
  const tacit_certificate *c = policy->certificate;
  double targets = (double)policy->schema->target_count;
  tacit_kernel kernel = TACIT_KERNEL_LOGISTIC;
  const char *name = tacit_certificate_find(c, "kernel")->text;
  tacit_kernel_by_name(name, &kernel);
  return (tacit_objective_facts){.rows = (double)c->rows,
                                 .columns = (double)policy->schema->columns,
                                 .epsilon = c->epsilon / targets,
                                 .delta = c->delta / targets,
                                 .tau = tau_of(policy, t),
                                 .clip = tacit_input_number(policy, "clip_norm"),
                                 .steepest = tacit_objective_steepest(name),
                                 .kappa1 = tacit_kernel_facts(kernel)->kappa1,
                                 .theta_bound = tacit_inputs_theta(policy, t, rule),
                                 .adjacency = c->adjacency};
}

/* A bandwidth that was given is held to what the arithmetic can hold, target by target. */
static bool one_bandwidth(const tacit_policy *policy) {
  double option = 0;
  for (size_t t = 0; t < policy->schema->target_count; t++) {
    double own = own_bandwidth(policy, t);
    bool held = tacit_near(own, TACIT_BANDWIDTH_LEAST, TACIT_NEAR) ||
                tacit_near(own, TACIT_BANDWIDTH_MOST, TACIT_NEAR);
    if (option == 0 && !held) option = own * unit_of(policy, t);
  }
  for (size_t t = 0; t < policy->schema->target_count && option > 0; t++)
    if (!tacit_near(own_bandwidth(policy, t), tacit_objective_bandwidth(option / unit_of(policy, t)),
                    TACIT_NEAR))
      return false;
  return true;
}

/* Of the sum over rows; NaN without an objective. */
static double lambda_of(const tacit_policy *policy, size_t t) {
  const tacit_mechanism *objective = first(policy, t, TACIT_RELEASE_OBJECTIVE);
  return objective ? objective->lambda : NAN;
}

/* What the theorem has for the stated lambda. */
static bool bandwidths_follow(const tacit_policy *policy) {
  for (size_t t = 0; t < policy->schema->target_count; t++) {
    tacit_objective_facts f = tacit_inputs_objective(policy, t, TACIT_THETA_GIVEN);
    double theorem = f.steepest * f.clip * f.clip / (lambda_of(policy, t) / 2 * f.epsilon);
    if (!tacit_near(own_bandwidth(policy, t), tacit_objective_bandwidth(theorem), TACIT_NEAR)) return false;
  }
  return true;
}

static bool one_lambda(const tacit_policy *policy) {
  for (size_t t = 1; t < policy->schema->target_count; t++)
    if (lambda_of(policy, t) != lambda_of(policy, 0)) return false;
  return true;
}

/* What the theorem has, with the stated bandwidths where those were given. */
static bool lambdas_follow(const tacit_policy *policy, bool given, int how) {
  int part = strcmp(tacit_certificate_find(policy->certificate, "rule")->text, "C Thm 3.6(1)") == 0 ? 1 : 2;
  for (size_t t = 0; t < policy->schema->target_count; t++) {
    tacit_objective_facts f = tacit_inputs_objective(policy, t, (tacit_theta_rule)how);
    double lambda, bandwidth;
    if (tacit_objective_choose(&f, part, 0, given ? own_bandwidth(policy, t) : 0, &lambda, &bandwidth,
                               NULL) != TACIT_OK ||
        !tacit_near(lambda, lambda_of(policy, t), NEAR_LAMBDA))
      return false;
  }
  return true;
}

bool tacit_tuned_objective(const tacit_policy *policy, const char **wrong) {
  for (size_t t = 0; t < policy->schema->target_count; t++) {
    double own = own_bandwidth(policy, t);
    if (!fits(first(policy, t, TACIT_RELEASE_OBJECTIVE) &&
                  tacit_near(tacit_objective_bandwidth(own), own, TACIT_NEAR),
              "bandwidth", wrong))
      return false;
  }
  bool given = one_bandwidth(policy), follow = bandwidths_follow(policy), lambdas = one_lambda(policy);
  for (int how = 0; how < (tacit_inputs_theta_default(policy) ? 2 : 1); how++)
    lambdas = lambdas || (given && lambdas_follow(policy, true, how)) ||
              (follow && lambdas_follow(policy, false, how));
  return fits((given || follow) && lambdas, "bandwidth", wrong);
}

bool tacit_tuned_spo_exponential(const tacit_policy *policy, const char **wrong) {
  return average_fits(policy, wrong);
}

bool tacit_tuned_spo_gaussian(const tacit_policy *policy, const char **wrong) {
  double clip = tacit_input_number(policy, "clip_norm");
  return average_fits(policy, wrong) &&
         fits(clip <= TACIT_REGION_CLIP_MAX || clip == policy->schema->clip_norm, "clip_norm", wrong);
}
