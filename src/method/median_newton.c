/* Linear rules, and the same spread for all rows: the default until rules had a spread. */
#include "method/newton_plan.h"

static tacit_status choose(const tacit_facts *facts, const tacit_learn_options *options, tacit_choice *choice,
                           tacit_error *error) {
  (void)options;
  return tacit_newton_choose(facts, false, choice, error);
}

static bool read_list(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice) {
  return tacit_newton_read_list(facts, certificate, false, choice);
}

const tacit_method tacit_method_median_newton = {
    .name = "median-newton",
    .about = "slopes by noisy Newton steps at the median, then the quantile itself",
    .tiers = true,
    .sold = true,
    .promise = TACIT_PROMISE_GAUSSIAN,
    .on_the_way = true,
    .inputs = tacit_newton_inputs,
    .input_count = TACIT_NEWTON_INPUTS,
    .choose = choose,
    .plan = tacit_newton_plan_all,
    .plan_on = tacit_newton_plan_on,
    .read_list = read_list,
    .possible = tacit_newton_possible,
    .slopes = tacit_newton_slopes,
};
