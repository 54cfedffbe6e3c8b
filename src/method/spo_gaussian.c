/* Gaussian descent on the SPO+ loss (Wang and Qin's Algorithm 2, sound form): `steps` sums of decisions'
   errors times rows, all with one radius; before them, where the rows' scale is not known, one moment of
   theirs. */
#include "base/base.h"
#include "method/descent.h"
#include "method/shares.h"
#include "method/spo_recipe.h"

#include <float.h>
#include <math.h>

#define AT(field) TACIT_OPTION_AT(spo_gaussian.field)
static const tacit_option_field OPTIONS[] = {
    TACIT_STEPS_OPTION(AT(steps), TACIT_SPO_STEPS_MAX),
    {{"step-size", TACIT_OPTION_NUMBER, "ETA", "step size, in spreads of the costs"},
     AT(step_size),
     TACIT_STEP_SIZE_MAX,
     NULL},
    {{"growth", TACIT_OPTION_NUMBER, "G", "growth of the budget's share from step to step"},
     AT(growth),
     TACIT_GROWTH_MAX,
     NULL},
    {{"average", TACIT_OPTION_COUNT, "K", "average the last K iterates"}, AT(average), 0, NULL},
    TACIT_CLIP_NORM_OPTION(AT(clip_norm), TACIT_REGION_CLIP_MAX),
};

static const tacit_input INPUTS[] = {
    {"steps", TACIT_INPUT_WHOLE, TACIT_AT(steps), .least = 1, .most = TACIT_SPO_STEPS_MAX},
    {"clip_norm", TACIT_INPUT_NUMBER, TACIT_AT(clip_norm), TACIT_POSITIVE},
    {"scales", TACIT_INPUT_WORD, TACIT_AT(wide), .words = {"known", "wide"}},
    {"step_size", TACIT_INPUT_NUMBER, TACIT_AT(step), TACIT_AT_MOST(TACIT_STEP_SIZE_MAX)},
    {"growth", TACIT_INPUT_NUMBER, TACIT_AT(growth), TACIT_AT_MOST(TACIT_GROWTH_MAX)},
    {"average", TACIT_INPUT_WHOLE, TACIT_AT(average), .least = 1, .most = TACIT_SPO_STEPS_MAX}};

static tacit_status choose(const tacit_facts *facts, const tacit_learn_options *options, tacit_choice *choice,
                           tacit_error *error) {
  (void)error;
  const tacit_spo_gaussian_options *o = &options->spo_gaussian;
  const tacit_schema *schema = facts->schema;
  choice->steps = o->steps ? o->steps : TACIT_SPO_STEPS;
  choice->average = o->average ? o->average : TACIT_SPO_AVERAGE;
  if (choice->average > choice->steps) choice->average = choice->steps;
  choice->wide = !tacit_schema_scales_known(schema);
  choice->clip_norm = tacit_clip_norm_of(o->clip_norm, schema, tacit_spo_clip_norm(schema->columns));
  double clarity = tacit_spo_clarity(facts->rows, schema->columns, schema->target_count,
                                     TACIT_SPO_RADIUS_SHARE * choice->clip_norm,
                                     facts->mu / (double)schema->rows_per_unit);
  choice->growth = o->growth > 0 ? o->growth : tacit_spo_growth(clarity);
  choice->step = o->step_size > 0 ? o->step_size : tacit_spo_step_size(clarity);
  return TACIT_OK;
}

static tacit_status plan(const tacit_facts *facts, const tacit_choice *choice, tacit_release_plan *plan,
                         tacit_error *error) {
  size_t p = facts->schema->columns;
  bool wide = !tacit_schema_scales_known(facts->schema);
  int cell_bits = wide ? (int)TACIT_SPO_WHITE_BITS : (int)TACIT_CELL_BITS;
  tacit_mechanism moment = {.kind = TACIT_RELEASE_MOMENT,
                            .target = TACIT_ALL_TARGETS,
                            .dimension = p * (p + 1) / 2,
                            .clip = tacit_spo_row_clip(p),
                            .bits = 2 * tacit_spo_row_bits(p)};
  tacit_mechanism sum = {.kind = TACIT_RELEASE_OUTER,
                         .target = TACIT_ALL_TARGETS,
                         .dimension = facts->schema->target_count * p,
                         .clip = TACIT_SPO_RADIUS_SHARE * choice->clip_norm,
                         .bits = cell_bits + TACIT_SCORE_BITS};
  if (wide) TACIT_TRY(tacit_plan_share(plan, moment, TACIT_SPO_WHITEN_SHARE, 1, error));
  return tacit_plan_growing(plan, sum, choice->steps, choice->growth, wide ? 1 - TACIT_SPO_WHITEN_SHARE : 1,
                            error);
}

static bool possible(const tacit_facts *facts, const tacit_choice *choice, const char **wrong) {
  const tacit_schema *schema = facts->schema;
  bool clip = choice->clip_norm <= TACIT_REGION_CLIP_MAX || choice->clip_norm == schema->clip_norm;
  return tacit_fits(tacit_region_mu_is_enough(facts), "steps", wrong) &&
         tacit_fits(choice->average <= choice->steps, "average", wrong) &&
         tacit_fits(clip, "clip_norm", wrong) &&
         tacit_fits(choice->wide == !tacit_schema_scales_known(schema), "scales", wrong);
}

const tacit_method tacit_method_spo_gaussian = {
    .name = "spo-gaussian",
    .alias = "gaussian",
    .about = "noisy descent on the SPO+ loss",
    .promise = TACIT_PROMISE_GAUSSIAN,
    .needs = TACIT_NEEDS_REGION,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .inputs = INPUTS,
    .input_count = sizeof INPUTS / sizeof *INPUTS,
    .check = tacit_check_region_mu,
    .choose = choose,
    .plan = plan,
    .possible = possible,
};
