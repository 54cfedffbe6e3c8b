/* The methods without privacy: what noise costs is measured against them. They release what they compute, so
   they have no plan; their certificates say that they are not private. */
#include "method/descent.h"
#include "method/spo_recipe.h"

static const tacit_option_field ERM[] = {
    TACIT_BANDWIDTH_OPTION(TACIT_OPTION_AT(erm.bandwidth)),
    TACIT_KERNEL_OPTION(TACIT_OPTION_AT(erm.kernel), "gaussian"),
};

static const tacit_option_field SPO_PLUS[] = {
    TACIT_STEPS_OPTION(TACIT_OPTION_AT(spo_plus.steps), TACIT_SPO_STEPS_MAX),
    {{"step-size", TACIT_OPTION_NUMBER, "ETA", "step size, in spreads of the costs"},
     TACIT_OPTION_AT(spo_plus.step_size),
     TACIT_STEP_SIZE_MAX,
     NULL},
};

static tacit_status check_erm(const tacit_facts *facts, const tacit_learn_options *options,
                              tacit_error *error) {
  return tacit_check_bandwidth(facts, options->erm.bandwidth, error);
}

const tacit_method tacit_method_erm = {
    .name = "erm",
    .about = "the minimiser of the smoothed loss",
    .needs = TACIT_NEEDS_ONE_PLACE,
    .options = ERM,
    .option_count = sizeof ERM / sizeof *ERM,
    .check = check_erm,
};
const tacit_method tacit_method_erm_spread = {
    .name = "erm-spread",
    .about = "the default's rule without noise, median and spread by smoothed losses",
    .needs = TACIT_NEEDS_ONE_PLACE,
    .spread = true,
};
const tacit_method tacit_method_erm_exact = {
    .name = "erm-exact",
    .about = "exact quantile regression",
    .needs = TACIT_NEEDS_ONE_PLACE,
};
const tacit_method tacit_method_saa = {
    .name = "saa",
    .about = "the quantile of demand, without features",
    .needs = TACIT_NEEDS_ONE_PLACE,
};
const tacit_method tacit_method_spo_plus = {
    .name = "spo-plus",
    .about = "the minimiser of the SPO+ loss",
    .needs = TACIT_NEEDS_REGION | TACIT_NEEDS_ONE_PLACE,
    .options = SPO_PLUS,
    .option_count = sizeof SPO_PLUS / sizeof *SPO_PLUS,
};
const tacit_method tacit_method_spo_least_squares_exact = {
    .name = "spo-least-squares-exact",
    .alias = "least-squares-exact",
    .about = "least squares, then optimisation",
    .needs = TACIT_NEEDS_REGION | TACIT_NEEDS_ONE_PLACE,
};
