/* What learners that go by Newton steps settle on: public rules, the same for whoever verifies. */
#include "base/base.h"
#include "method/newton_plan.h"
#include "schema/goals.h"

#include <math.h>
#include <stdio.h>

/* Below this guarantee per row of a unit even a count drowns, and noise would outgrow the grid. */
static const double MU_LEAST = 1e-4;
enum { UNIT_ROWS_MAX = 1 << 12 };
/* Intervals take the square of so many numbers in a policy. */
enum { INTERVAL_COLUMNS_MAX = 400 };
static const double QUANTILE_LEAST = 1e-100;

const tacit_input tacit_newton_inputs[TACIT_NEWTON_ALL_INPUTS] = {
    {"features", TACIT_INPUT_WHOLE, TACIT_AT(features), .least = 0, .most = TACIT_COLUMNS_MAX},
    {"steps", TACIT_INPUT_WHOLE, TACIT_AT(steps), .least = 0, .most = TACIT_MEDIAN_STEPS},
    {"scales", TACIT_INPUT_WORD, TACIT_AT(wide), .words = {"known", "wide"}},
    {"intervals", TACIT_INPUT_WORD, TACIT_AT(intervals), .words = {NULL, "yes"}, .optional = true},
    {"units", TACIT_INPUT_WORD, TACIT_AT(whole_units), .words = {NULL, "whole"}, .optional = true}};

/* A unit's rows partly go against each other: what k of them add is taken for the power 3/4 of k. Roots are
   the same on every system. */
double tacit_newton_mu(const tacit_facts *facts, const tacit_choice *choice) {
  double rows = (double)facts->schema->rows_per_unit, root = sqrt(rows);
  return tacit_facts_mu(facts) / (choice->whole_units ? root * sqrt(root) : rows);
}

static bool is_enough(const tacit_facts *facts, const tacit_choice *choice) {
  return tacit_newton_mu(facts, choice) >= MU_LEAST && facts->schema->rows_per_unit <= UNIT_ROWS_MAX;
}

bool tacit_newton_whole_units(const tacit_schema *schema, bool intervals) {
  return tacit_schema_whole_units(schema) && !intervals;
}

/* Far from the median a clip hides the few units that tell where the quantile lies, if noise does not let
   them be seen: there what rows can do one by one goes further, an order for all rows alike, as long as there
   are enough units for that. Full units times mu; chosen on simulated tables (docs/default-learner.md). */
static const double ENOUGH_UNITS = 20, ONE_BEYOND = 1;

bool tacit_newton_sees_tail(const tacit_facts *facts) {
  double units = facts->rows / (double)facts->schema->rows_per_unit * tacit_facts_mu(facts);
  bool sees = units < ENOUGH_UNITS;
  for (size_t g = 0; g < facts->schema->target_count; g++)
    sees |= units * fmin(facts->quantiles[g], 1 - facts->quantiles[g]) >= ONE_BEYOND;
  return sees;
}

const double *tacit_newton_clips(const tacit_choice *choice, size_t goal, tacit_unit_clip kind) {
  return choice->unit + goal * TACIT_UNIT_CLIPS + kind;
}

void tacit_newton_take_median(const tacit_facts *facts, tacit_choice *choice, size_t goal) {
  const double *from = tacit_newton_clips(choice, tacit_newton_first(facts, goal), TACIT_CLIP_MEDIAN);
  double *to = choice->unit + goal * TACIT_UNIT_CLIPS + TACIT_CLIP_QUANTILE;
  for (int i = 0; i < 3; i++) to[i] = from[i];
}

bool tacit_newton_counts_reach(const tacit_recipe *recipe, double tau) {
  return recipe->units && (tau != 0.5 || recipe->d == 0);
}

/* Densities at the quantile must not vanish in doubles. */
static bool quantiles_possible(const tacit_facts *facts) {
  bool possible = true;
  for (size_t t = 0; t < facts->schema->target_count; t++) possible &= facts->quantiles[t] >= QUANTILE_LEAST;
  return possible;
}

/* What a feature adds to it: a row has one level of each category, and one step of each scale. */
static double square_of_feature(const tacit_schema *schema, const tacit_feature *feature) {
  double product = 1;
  for (size_t i = 0; i < feature->factor_count; i++)
    product *= square_of_feature(schema, &schema->features[feature->factors[i]]);
  return feature->factor_count > 0                   ? product
         : feature->kind == TACIT_FEATURE_POLYNOMIAL ? (double)feature->degree
         : feature->kind == TACIT_FEATURE_FOURIER    ? (double)feature->harmonics
         : feature->resolution > 0                   ? (double)feature->resolution
                                                     : 1;
}

/* How long a row can be, squared. */
static double square_of_rows(const tacit_schema *schema) {
  double square = 0;
  for (size_t f = 0; f < schema->feature_count; f++)
    square += square_of_feature(schema, &schema->features[f]);
  return square;
}

static bool intervals_possible(const tacit_facts *facts) {
  return facts->schema->target_count == 1 && facts->schema->columns <= INTERVAL_COLUMNS_MAX;
}

/* Where quantiles of a target share, its guarantee is all of it. */
static tacit_recipe_size size_of(const tacit_facts *facts, const tacit_choice *choice, bool spread) {
  const tacit_schema *schema = facts->schema;
  bool shared = spread && tacit_goals_several(schema);
  return (tacit_recipe_size){.rows = facts->rows,
                             .features = schema->columns - 1,
                             .known = tacit_schema_scales_known(schema),
                             .open = schema->features_public,
                             .mu_per_row = tacit_newton_mu(facts, choice) *
                                           (shared ? sqrt((double)schema->target_count) : 1),
                             .units = choice->whole_units};
}

static tacit_recipe_goals goals_of(const tacit_facts *facts) {
  const tacit_schema *schema = facts->schema;
  return (tacit_recipe_goals){facts->quantiles, schema->target_count, tacit_goals_several(schema)};
}

void tacit_newton_settle(const tacit_facts *facts, bool spread, tacit_choice *choice) {
  const tacit_recipe_size size = size_of(facts, choice, spread);
  tacit_recipe_choose(&choice->recipe, &size);
  choice->recipe.levels = spread && choice->recipe.d;
  if (choice->moment_reach == 0)
    choice->moment_reach = choice->recipe.d < TACIT_WIDE_FEATURES ? TACIT_MOMENT_REACH : TACIT_WIDE_REACH;
  if (!choice->recipe.levels || choice->alone) return;
  const tacit_recipe_goals goals = goals_of(facts);
  choice->recipe.whole = tacit_recipe_whole(&size, &goals);
}

static bool has_levels(const tacit_schema *schema) {
  bool has = false;
  for (size_t f = 0; f < schema->feature_count; f++)
    has |= schema->features[f].kind == TACIT_FEATURE_CATEGORY;
  return has;
}

void tacit_newton_recipe(const tacit_facts *facts, const tacit_choice *choice, size_t goal,
                         tacit_recipe *recipe) {
  const tacit_schema *schema = facts->schema;
  const tacit_recipe_size size = size_of(facts, choice, true);
  tacit_recipe_goals goals = goals_of(facts);
  *recipe = choice->recipe;
  if (choice->alone) {
    goals = (tacit_recipe_goals){facts->quantiles + goal, 1, false};
    recipe->whole = 0; /* it is each goal's own */
  }
  if (recipe->levels)
    tacit_recipe_with_spread(recipe, &size, square_of_rows(schema), &goals, choice->alone ? 0 : goal);
  tacit_steps_rule rule =
      choice->intervals && choice->rule == TACIT_STEPS_NOW ? TACIT_STEPS_SIXTEEN : choice->rule;
  if (recipe->d && !recipe->known && has_levels(schema))
    tacit_recipe_at_levels(recipe, &size, facts->quantiles[goal], rule);
  if (choice->intervals) tacit_recipe_with_intervals(recipe, facts->rows * tacit_newton_mu(facts, choice));
}

/* What is given up, and why: from public facts. */
static void write_note(const tacit_facts *facts, tacit_choice *choice) {
  bool without = false;
  if (choice->recipe.d == 0 && facts->schema->columns > 1) {
    snprintf(
        choice->note, sizeof choice->note,
        "the budget buys no slopes with so few rows: the order is the same for all rows. Use a larger mu, "
        "more rows or fewer features");
    return;
  }
  for (size_t t = 0; choice->recipe.levels && t < facts->schema->target_count; t++) {
    tacit_recipe recipe;
    tacit_newton_recipe(facts, choice, t, &recipe);
    without |= tacit_recipe_is_outer(facts->quantiles[t]) && !recipe.scaled;
  }
  if (without)
    snprintf(
        choice->note, sizeof choice->note,
        "the budget does not buy how spreads differ from row to row with so few rows: one spread is taken "
        "for all. A larger mu, more rows or fewer features would do better at this quantile");
}

tacit_status tacit_newton_choose(const tacit_facts *facts, bool spread, tacit_choice *choice,
                                 tacit_error *error) {
  if (facts->schema->rows_per_unit > UNIT_ROWS_MAX)
    return tacit_fail(error, TACIT_REFUSED, "a unit may have at most %d rows; use fewer rows per unit",
                      UNIT_ROWS_MAX);
  if (!is_enough(facts, choice))
    return tacit_fail(error, TACIT_REFUSED,
                      "this guarantee leaves %.2g-GDP for each row of a unit, too little to learn anything; "
                      "use a larger mu or fewer rows per unit",
                      tacit_newton_mu(facts, choice));
  if (choice->intervals && facts->schema->target_count > 1)
    return tacit_fail(error, TACIT_REFUSED,
                      "intervals are for one target at one quantile; leave them out, or fit one at a time");
  if (choice->intervals && facts->schema->columns > INTERVAL_COLUMNS_MAX)
    return tacit_fail(error, TACIT_REFUSED,
                      "intervals are for at most %d encoded columns; use fewer features, or leave them out",
                      INTERVAL_COLUMNS_MAX);
  if (!quantiles_possible(facts))
    return tacit_fail(error, TACIT_REFUSED, "a quantile below %g cannot be learned; use a larger one",
                      QUANTILE_LEAST);
  tacit_newton_settle(facts, spread, choice);
  choice->features = choice->recipe.d;
  choice->steps = (size_t)choice->recipe.median_steps;
  choice->wide = !choice->recipe.known;
  write_note(facts, choice);
  return TACIT_OK;
}

bool tacit_newton_possible(const tacit_facts *facts, const tacit_choice *choice, const char **wrong) {
  const tacit_recipe *r = &choice->recipe;
  *wrong = !is_enough(facts, choice) || !quantiles_possible(facts)                              ? "features"
           : choice->features != r->d                                                           ? "features"
           : choice->steps != (size_t)r->median_steps                                           ? "steps"
           : choice->wide == r->known                                                           ? "scales"
           : choice->intervals && !intervals_possible(facts)                                    ? "intervals"
           : choice->whole_units && !tacit_newton_whole_units(facts->schema, choice->intervals) ? "units"
                                                                                                : NULL;
  return !*wrong;
}

/* Slopes that nothing paid for are 0. */
bool tacit_newton_slopes(const tacit_choice *choice) {
  return choice->features != 0;
}
