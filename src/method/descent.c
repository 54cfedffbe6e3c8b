/* What the methods of descent share. */
#include "method/descent.h"

#include "base/base.h"
#include "method/shares.h"

#include <math.h>

bool tacit_is_given(const char *word) {
  return word && *word;
}

tacit_kernel tacit_kernel_named(const char *word, tacit_kernel otherwise) {
  tacit_kernel kernel = otherwise;
  if (tacit_is_given(word)) tacit_kernel_by_name(word, &kernel);
  return kernel;
}

double tacit_clip_norm_of(double option, const tacit_schema *schema, double rule) {
  return option > 0 ? option : schema->clip_norm > 0 ? schema->clip_norm : rule;
}

double tacit_theta_bound_of(double option, const tacit_schema *schema, size_t target) {
  return option > 0 ? option : tacit_default_theta_bound(schema->targets[target].bounded);
}

tacit_status tacit_check_bandwidth(const tacit_facts *facts, double bandwidth, tacit_error *error) {
  const tacit_schema *schema = facts->schema;
  for (size_t t = 0; t < schema->target_count && bandwidth != 0; t++) {
    double encoded = bandwidth / schema->targets[t].scale.half;
    if (!(encoded >= 1 / TACIT_BANDWIDTH_REACH && encoded <= TACIT_BANDWIDTH_REACH))
      return tacit_fail(error, TACIT_USAGE,
                        "the bandwidth is too far from the range of target \"%.60s\"; give it in the "
                        "target's own units",
                        schema->targets[t].name);
  }
  return TACIT_OK;
}

tacit_status tacit_check_theta_bound(double theta_bound, tacit_error *error) {
  if (theta_bound == 0 || theta_bound >= TACIT_THETA_BOUND_LEAST) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "the bound of theta must be at least %g", TACIT_THETA_BOUND_LEAST);
}

tacit_status tacit_check_step_size(double step_size, tacit_error *error) {
  if (step_size == 0 || step_size >= TACIT_STEP_SIZE_LEAST) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "the step size must be at least %g", TACIT_STEP_SIZE_LEAST);
}

bool tacit_region_mu_is_enough(const tacit_facts *facts) {
  static const double MU_LEAST = 1e-4; /* for a row; below it noise would outgrow the grid */
  return facts->mu / (double)facts->schema->rows_per_unit >= MU_LEAST;
}

tacit_status tacit_check_region_mu(const tacit_facts *facts, const tacit_learn_options *options,
                                   tacit_error *error) {
  (void)options;
  if (tacit_region_mu_is_enough(facts)) return TACIT_OK;
  return tacit_fail(error, TACIT_REFUSED,
                    "this guarantee leaves %.2g-GDP for each row of a unit, too little to learn anything; "
                    "use a larger mu or fewer rows per unit",
                    facts->mu / (double)facts->schema->rows_per_unit);
}

tacit_mechanism tacit_scores_of(const tacit_facts *facts, const tacit_choice *choice, size_t target,
                                int cell_bits) {
  return (tacit_mechanism){.kind = TACIT_RELEASE_SCORES,
                           .target = target,
                           .dimension = facts->schema->columns,
                           .level = facts->quantiles[target],
                           .clip = choice->clip_norm,
                           .bits = cell_bits + TACIT_SCORE_BITS,
                           .count = 1};
}

tacit_status tacit_descent_noise(const tacit_facts *facts, tacit_choice *choice, tacit_error *error) {
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    tacit_mechanism m = tacit_scores_of(facts, choice, t, TACIT_CELL_BITS);
    TACIT_TRY(tacit_mechanism_sensitivity(&m, facts->adjacency, facts->schema->rows_per_unit, &m.sensitivity,
                                          error));
    double sigma = tacit_share_sigma(m.sensitivity, tacit_facts_mu(facts), 1 / (double)choice->steps);
    choice->sigma[t] = ldexp(sigma, -m.bits) / facts->rows;
  }
  return TACIT_OK;
}

tacit_status tacit_plan_descent(const tacit_facts *facts, const tacit_choice *choice, int cell_bits,
                                tacit_release_plan *plan, tacit_error *error) {
  plan->in_turn = true;
  for (size_t t = 0; t < facts->schema->target_count; t++)
    TACIT_TRY(tacit_plan_growing(plan, tacit_scores_of(facts, choice, t, cell_bits), choice->steps,
                                 choice->growth, 1, error));
  return TACIT_OK;
}

/* `bound`: B_theta. */
static tacit_projected_descent descent_of(const tacit_facts *facts, const tacit_choice *choice, size_t target,
                                          double bound, double share) {
  return (tacit_projected_descent){.tau = facts->quantiles[target],
                                   .clip = choice->clip_norm,
                                   .bound = bound,
                                   .steps = (double)choice->steps,
                                   .rows = fmax(facts->rows, 1),
                                   .columns = (double)facts->schema->columns,
                                   .noise = choice->sigma[target],
                                   .kernel = choice->kernel,
                                   .share = share};
}

void tacit_projected_tune(const tacit_facts *facts, tacit_choice *choice, double share, double step_size,
                          double bandwidth) {
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    tacit_projected_descent d = descent_of(facts, choice, t, choice->theta[t], share);
    choice->step_size[t] = step_size > 0 ? step_size : tacit_projected_step(&d);
    choice->bandwidth[t] = bandwidth > 0 ? bandwidth / facts->schema->targets[t].scale.half
                                         : tacit_projected_bandwidth(&d, choice->step_size[t]);
  }
}

static bool steps_follow(const tacit_facts *facts, const tacit_choice *choice, double share, bool given) {
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    double bound = given ? choice->theta_bound : tacit_theta_bound_of(0, facts->schema, t);
    tacit_projected_descent d = descent_of(facts, choice, t, bound, share);
    if (!tacit_near(choice->step_size[t], tacit_projected_step(&d), TACIT_NEAR)) return false;
  }
  return true;
}

static bool bandwidths_follow(const tacit_facts *facts, const tacit_choice *choice, double share) {
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    tacit_projected_descent d = descent_of(facts, choice, t, choice->theta_bound, share);
    double rule = tacit_projected_bandwidth(&d, choice->step_size[t]);
    if (!tacit_near(choice->bandwidth[t], rule, TACIT_NEAR)) return false;
  }
  return true;
}

bool tacit_projected_possible(const tacit_facts *facts, const tacit_choice *choice, double share,
                              const char **wrong) {
  bool steps = tacit_step_is_given(facts, choice) || steps_follow(facts, choice, share, true) ||
               (tacit_theta_is_default(facts, choice) && steps_follow(facts, choice, share, false));
  bool bandwidths = tacit_bandwidth_is_given(facts, choice) || bandwidths_follow(facts, choice, share);
  return tacit_fits(steps, "step_size", wrong) && tacit_fits(bandwidths, "bandwidth", wrong);
}

bool tacit_step_is_given(const tacit_facts *facts, const tacit_choice *choice) {
  for (size_t t = 0; t < facts->schema->target_count; t++)
    if (choice->step_size[t] != choice->step_size[0] || choice->step_size[t] < TACIT_STEP_SIZE_LEAST ||
        choice->step_size[t] > TACIT_STEP_SIZE_MAX)
      return false;
  return true;
}

/* It went from the target's units to encoded ones, and, in a certificate, back. */
bool tacit_bandwidth_is_given(const tacit_facts *facts, const tacit_choice *choice) {
  static const double MOST = TACIT_BANDWIDTH_REACH * (1 + TACIT_NEAR);
  double option = choice->bandwidth[0] * facts->schema->targets[0].scale.half;
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    double own = choice->bandwidth[t];
    if (!(own >= 1 / MOST && own <= MOST) ||
        !tacit_near(own * facts->schema->targets[t].scale.half, option, TACIT_NEAR))
      return false;
  }
  return true;
}

bool tacit_theta_is_default(const tacit_facts *facts, const tacit_choice *choice) {
  return choice->theta_bound == tacit_theta_bound_of(0, facts->schema, 0);
}

double tacit_theta_reach(const tacit_facts *facts, const tacit_choice *choice, size_t target) {
  double own = tacit_theta_is_default(facts, choice) ? tacit_theta_bound_of(0, facts->schema, target) : 0;
  return fmax(choice->theta_bound, own);
}

bool tacit_fits(bool holds, const char *input, const char **wrong) {
  if (!holds) *wrong = input;
  return holds;
}
