/* The methods without privacy: what noise costs is measured against them. They release what they compute, so
   they have no plan; their certificates say that they are not private. */
#include "loss/tuning.h"
#include "method/method.h"
#include "method/spo_recipe.h"

static const tacit_option_field ERM[] = {
    {{"bandwidth", TACIT_OPTION_NUMBER, "W", "smoothing, in the target's own units"},
     TACIT_OPTION_AT(erm.bandwidth),
     0,
     NULL},
    {{"kernel", TACIT_OPTION_WORD, "NAME", "of the smoothing: gaussian (default), logistic, ..."},
     TACIT_OPTION_AT(erm.kernel),
     0,
     tacit_kernel_words},
};

static const tacit_option_field SPO_PLUS[] = {
    {{"steps", TACIT_OPTION_COUNT, "T", "steps of descent"},
     TACIT_OPTION_AT(spo_plus.steps),
     TACIT_SPO_STEPS_MAX,
     NULL},
    {{"step-size", TACIT_OPTION_NUMBER, "ETA", "step size, in spreads of the costs"},
     TACIT_OPTION_AT(spo_plus.step_size),
     TACIT_STEP_SIZE_MAX,
     NULL},
};

const tacit_method tacit_method_erm = {
    .name = "erm",
    .about = "the minimiser of the smoothed loss",
    .needs = TACIT_NEEDS_SOLVERS | TACIT_NEEDS_ONE_PLACE,
    .options = ERM,
    .option_count = sizeof ERM / sizeof *ERM,
};
const tacit_method tacit_method_erm_exact = {
    .name = "erm-exact",
    .about = "exact quantile regression",
    .needs = TACIT_NEEDS_SOLVERS | TACIT_NEEDS_ONE_PLACE,
};
const tacit_method tacit_method_saa = {
    .name = "saa",
    .about = "the quantile of demand, without features",
    .needs = TACIT_NEEDS_SOLVERS | TACIT_NEEDS_ONE_PLACE,
};
const tacit_method tacit_method_spo_plus = {
    .name = "spo-plus",
    .about = "the minimiser of the SPO+ loss",
    .needs = TACIT_NEEDS_SOLVERS | TACIT_NEEDS_REGION | TACIT_NEEDS_ONE_PLACE,
    .options = SPO_PLUS,
    .option_count = sizeof SPO_PLUS / sizeof *SPO_PLUS,
};
const tacit_method tacit_method_spo_least_squares_exact = {
    .name = "spo-least-squares-exact",
    .alias = "least-squares-exact",
    .about = "least squares, then optimisation",
    .needs = TACIT_NEEDS_SOLVERS | TACIT_NEEDS_REGION | TACIT_NEEDS_ONE_PLACE,
};
