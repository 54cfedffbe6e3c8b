/* Private prediction, then optimisation: one noisy second moment of rows and costs. */
#include "base/base.h"
#include "method/descent.h"
#include "method/spo_recipe.h"

static tacit_status choose(const tacit_facts *facts, const tacit_learn_options *options, tacit_choice *choice,
                           tacit_error *error) {
  (void)facts;
  (void)options;
  (void)choice;
  (void)error;
  return TACIT_OK;
}

static tacit_status plan(const tacit_facts *facts, const tacit_choice *choice, tacit_release_plan *plan,
                         tacit_error *error) {
  (void)choice;
  size_t p = facts->schema->columns, d = facts->schema->target_count;
  tacit_spo_moment rule = tacit_spo_moment_choose(p, d);
  tacit_mechanism moment = {.kind = TACIT_RELEASE_MOMENT,
                            .target = TACIT_ALL_TARGETS,
                            .dimension = (p + d) * (p + d + 1) / 2,
                            .clip = rule.clip,
                            .bits = 2 * rule.bits};
  return tacit_plan_share(plan, moment, 1, 1, error);
}

static bool possible(const tacit_facts *facts, const tacit_choice *choice, const char **wrong) {
  (void)choice;
  return tacit_fits(tacit_region_mu_is_enough(facts), "mu", wrong);
}

const tacit_method tacit_method_spo_least_squares = {
    .name = "spo-least-squares",
    .alias = "least-squares",
    .about = "private prediction of the costs, then optimisation",
    .promise = TACIT_PROMISE_GAUSSIAN,
    .needs = TACIT_NEEDS_REGION,
    .check = tacit_check_region_mu,
    .choose = choose,
    .plan = plan,
    .possible = possible,
};
