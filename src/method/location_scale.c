/* Rules with a spread that differs from row to row: order = b'x + k exp(g'x). The default. */
#include "method/newton_plan.h"

static const tacit_option_field OPTIONS[] = {
    {{"intervals", TACIT_OPTION_FLAG, NULL,
      "the policy says how sure its rule is; some of the budget pays for it; one target, one quantile"},
     .at = TACIT_OPTION_AT(location_scale.intervals)}};

static tacit_status choose(const tacit_facts *facts, const tacit_learn_options *options, tacit_choice *choice,
                           tacit_error *error) {
  choice->intervals = options->location_scale.intervals;
  choice->whole_units =
      tacit_newton_whole_units(facts->schema, choice->intervals) && tacit_newton_sees_tail(facts);
  return tacit_newton_choose(facts, true, choice, error);
}

static bool whole_units(const tacit_schema *schema, const tacit_learn_options *options) {
  return tacit_newton_whole_units(schema, options->location_scale.intervals);
}

static bool read_list(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice) {
  return tacit_newton_read_list(facts, certificate, true, choice);
}

static tacit_spread_paid spread_paid(const tacit_facts *facts, const tacit_choice *choice, size_t target) {
  tacit_recipe recipe;
  tacit_newton_recipe(facts, choice, target, &recipe);
  return !recipe.scaled                         ? TACIT_SPREAD_NONE
         : choice->way[target] == TACIT_WAY_FAR ? TACIT_SPREAD_GIVEN_UP
                                                : TACIT_SPREAD_USED;
}

const tacit_method tacit_method_location_scale = {
    .name = "location-scale",
    .about = "median and spread of demand by noisy Newton steps, then the quantile in spreads",
    .tiers = true,
    .sold = true,
    .promise = TACIT_PROMISE_GAUSSIAN,
    .on_the_way = true,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .inputs = tacit_newton_inputs,
    .input_count = TACIT_NEWTON_ALL_INPUTS,
    .whole_units = whole_units,
    .choose = choose,
    .plan = tacit_newton_plan_all,
    .plan_on = tacit_newton_plan_on,
    .read_list = read_list,
    .possible = tacit_newton_possible,
    .slopes = tacit_newton_slopes,
    .spread = true,
    .spread_paid = spread_paid,
};
