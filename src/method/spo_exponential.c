/* Exponential descent on the SPO+ loss in its sound form (Wang and Qin's Algorithm 1): `steps` randomised
   responses alike, as true as the guarantee allows. */
#include "base/base.h"
#include "method/descent.h"
#include "method/spo_recipe.h"
#include "privacy/randomised_response.h"

#include <math.h>

#define AT(field) TACIT_OPTION_AT(spo_exponential.field)
static const tacit_option_field OPTIONS[] = {
    TACIT_STEPS_OPTION(AT(steps), TACIT_SPO_STEPS_MAX),
    {{"step-size", TACIT_OPTION_NUMBER, "ETA", "step size, in spreads of the costs"},
     AT(step_size),
     TACIT_STEP_SIZE_MAX,
     NULL},
    {{"average", TACIT_OPTION_COUNT, "K", "average the last K iterates"}, AT(average), 0, NULL},
};

static const tacit_input INPUTS[] = {
    {"steps", TACIT_INPUT_WHOLE, TACIT_AT(steps), .least = 1, .most = TACIT_SPO_STEPS_MAX},
    {"step_size", TACIT_INPUT_NUMBER, TACIT_AT(step), TACIT_AT_MOST(TACIT_STEP_SIZE_MAX)},
    {"average", TACIT_INPUT_WHOLE, TACIT_AT(average), .least = 1, .most = TACIT_SPO_STEPS_MAX}};

/* Of T steps with bias tanh(eps0 / 2) the walk's drift stands sqrt(T) tanh(eps0 / 2) above its own spread:
   the T for which that is largest, from the guarantee alone. */
static tacit_status choose_steps(const tacit_facts *facts, size_t given, tacit_choice *choice,
                                 tacit_error *error) {
  choice->steps = given;
  if (given) return tacit_response_calibrate(facts->epsilon, facts->delta, given, &choice->noise, error);
  double best = 0;
  for (size_t steps = TACIT_SPO_RESPONSES_LEAST; steps <= TACIT_SPO_RESPONSES_MOST; steps *= 2) {
    double epsilon0;
    TACIT_TRY(tacit_response_calibrate(facts->epsilon, facts->delta, steps, &epsilon0, error));
    double clear = sqrt((double)steps) * tanh(epsilon0 / 2);
    if (clear <= best) continue;
    best = clear;
    choice->steps = steps;
    choice->noise = epsilon0;
  }
  return TACIT_OK;
}

static tacit_status choose(const tacit_facts *facts, const tacit_learn_options *options, tacit_choice *choice,
                           tacit_error *error) {
  const tacit_spo_exponential_options *o = &options->spo_exponential;
  TACIT_TRY(choose_steps(facts, o->steps, choice, error));
  choice->average = o->average ? o->average : choice->steps / 4 + 1;
  if (choice->average > choice->steps) choice->average = choice->steps;
  /* a walk that is told nothing ends about one spread from its start */
  choice->step = o->step_size > 0 ? o->step_size : 1 / sqrt((double)choice->steps);
  return TACIT_OK;
}

static tacit_status plan(const tacit_facts *facts, const tacit_choice *choice, tacit_release_plan *plan,
                         tacit_error *error) {
  (void)facts;
  const tacit_mechanism responses = {.kind = TACIT_RELEASE_SIGN,
                                     .target = TACIT_ALL_TARGETS,
                                     .dimension = 1,
                                     .level = choice->noise,
                                     .sensitivity = 1,
                                     .count = choice->steps};
  return tacit_plan_add(plan, &responses, error);
}

static bool read_list(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice) {
  double epsilon0;
  choice->noise = certificate->mechanism_count ? certificate->mechanisms[0].level : 0;
  return tacit_response_calibrate(facts->epsilon, facts->delta, choice->steps, &epsilon0, NULL) == TACIT_OK &&
         tacit_near(choice->noise, epsilon0, TACIT_NEAR);
}

static bool possible(const tacit_facts *facts, const tacit_choice *choice, const char **wrong) {
  (void)facts;
  return tacit_fits(choice->average <= choice->steps, "average", wrong);
}

const tacit_method tacit_method_spo_exponential = {
    .name = "spo-exponential",
    .alias = "exponential",
    .about = "descent on the SPO+ loss by randomised responses",
    .promise = TACIT_PROMISE_PAIR,
    .needs = TACIT_NEEDS_REGION,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .inputs = INPUTS,
    .input_count = sizeof INPUTS / sizeof *INPUTS,
    .choose = choose,
    .plan = plan,
    .read_list = read_list,
    .possible = possible,
};
