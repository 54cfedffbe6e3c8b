/* Rules that are learned again as records arrive: from the last policy's, and from the new rows alone
   (proofs/follow.md). */
#include "method/follow.h"

#include "base/base.h"
#include "method/method.h"
#include "method/state.h"

#include <math.h>
#include <string.h>

/* Shares of mu^2. */
static const double START = 0.12, MEAN = 0.08, COUNTS = 0.03, TAIL = 0.2, GROWTH = 1.5;
/* Clip norms: of rows around their likely mean and of whitened rows, in root mean squares; of the tail's
   rows, whose second column has variance 1. */
static const double MEAN_CLIP = 0.8, SCORE_CLIP = 0.8, TAIL_CLIP = 1.8;
/* A bounded number's mean and scatter, in halves of its range; one of known scale, in scales. */
static const double BOUNDED_MEAN = 1.0 / 9, BOUNDED_SCATTER = 0.08, KNOWN_MEAN = 0.25, KNOWN_SCATTER = 1;
static const double MU_LEAST = 1e-4;
static const double QUANTILE_LEAST = 1e-6;

static const tacit_input INPUTS[] = {
    {"start", TACIT_INPUT_WORD, TACIT_AT(followed), .words = {"nothing", "policy"}},
    {"steps", TACIT_INPUT_WHOLE, TACIT_AT(steps), .least = TACIT_FOLLOW_STEPS, .most = TACIT_FOLLOW_STEPS}};

tacit_column_prior tacit_follow_prior(const tacit_feature *feature) {
  if (feature->kind == TACIT_FEATURE_CATEGORY) {
    double level = 1 / (double)(feature->width + 1);
    return (tacit_column_prior){level, level * (1 - level), 0, 1, feature->width + 1};
  }
  double reach = tacit_feature_limit(feature);
  bool known = reach > 1;
  return (tacit_column_prior){0, known ? KNOWN_MEAN : BOUNDED_MEAN, known ? KNOWN_SCATTER : BOUNDED_SCATTER,
                              reach, 0};
}

/* How far rows lie from their likely mean, squared, on average. */
static double square_of_rows(const tacit_schema *schema) {
  double square = 0;
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    tacit_column_prior prior = tacit_follow_prior(feature);
    square += (double)feature->width * (prior.variance + prior.scatter);
  }
  return square;
}

void tacit_follow_rules(const tacit_facts *facts, bool from, tacit_follow_recipe *recipe) {
  size_t p = facts->schema->columns;
  *recipe = (tacit_follow_recipe){.columns = p,
                                  .first = !from,
                                  .tail = facts->quantiles[0] != 0.5,
                                  .mean_clip = MEAN_CLIP * sqrt(square_of_rows(facts->schema)),
                                  .score_clip = fmax(1, SCORE_CLIP * sqrt((double)p)),
                                  .tail_clip = TAIL_CLIP};
  double rest = recipe->first ? 1 - START : 1, all = 0, part = 1;
  recipe->start_count = recipe->first ? START / (2 * TACIT_FOLLOW_COUNTS) : 0;
  bool asks = p > 1 && !facts->schema->features_public; /* public features need no noise */
  recipe->mean = asks ? rest * MEAN : 0;
  recipe->count = rest * COUNTS / TACIT_FOLLOW_STEPS;
  recipe->tail_step = recipe->tail ? rest * TAIL / TACIT_FOLLOW_TAIL_STEPS : 0;
  double left = rest * (1 - (asks ? MEAN : 0) - COUNTS - (recipe->tail ? TAIL : 0));
  for (size_t t = 0; t < TACIT_FOLLOW_STEPS; t++, part *= GROWTH) all += recipe->scores[t] = part;
  for (size_t t = 0; t < TACIT_FOLLOW_STEPS; t++) recipe->scores[t] *= left / all;
}

static tacit_status check(const tacit_facts *facts, const tacit_learn_options *options, tacit_error *error) {
  const tacit_start *from = options->from;
  if (facts->schema->target_count > 1)
    return tacit_fail(error, TACIT_REFUSED,
                      "this method follows one target at one quantile; fit one at a time");
  if (facts->schema->columns > TACIT_STATE_COLUMNS_MAX)
    return tacit_fail(error, TACIT_REFUSED,
                      "this method is for at most %d encoded columns; use fewer features",
                      TACIT_STATE_COLUMNS_MAX);
  if (tacit_facts_mu(facts) / (double)facts->schema->rows_per_unit < MU_LEAST)
    return tacit_fail(
        error, TACIT_REFUSED,
        "this guarantee leaves too little for each row of a unit to learn anything; use a larger "
        "mu or fewer rows per unit");
  if (!(facts->quantiles[0] >= QUANTILE_LEAST && facts->quantiles[0] <= 1 - QUANTILE_LEAST))
    return tacit_fail(error, TACIT_REFUSED,
                      "this method follows quantiles from %g to 1 - %g; ask for one of them", QUANTILE_LEAST,
                      QUANTILE_LEAST);
  if (!from) return TACIT_OK;
  if (strcmp(from->schema, facts->schema->hash) != 0)
    return tacit_fail(
        error, TACIT_REFUSED,
        "the policy to go on from has another schema; give the schema that stands in it, or start "
        "a new chain without it");
  if (from->quantile != facts->quantiles[0])
    return tacit_fail(error, TACIT_REFUSED,
                      "the policy to go on from orders for another quantile; ask for the same one");
  return TACIT_OK;
}

static tacit_status choose(const tacit_facts *facts, const tacit_learn_options *options, tacit_choice *choice,
                           tacit_error *error) {
  (void)facts;
  (void)error;
  choice->followed = options->from != NULL;
  choice->steps = TACIT_FOLLOW_STEPS;
  return TACIT_OK;
}

static tacit_status add_counts(tacit_release_plan *plan, double share, uint64_t count, tacit_error *error) {
  const tacit_mechanism m = {.kind = TACIT_RELEASE_COUNT, .dimension = 1, .bits = TACIT_SCORE_BITS};
  return tacit_plan_share(plan, m, share, count, error);
}

static tacit_status add_scores(tacit_release_plan *plan, size_t dimension, double level, double clip,
                               double share, tacit_error *error) {
  const tacit_mechanism m = {.kind = TACIT_RELEASE_SCORES,
                             .dimension = dimension,
                             .level = level,
                             .clip = clip,
                             .bits = TACIT_WHITE_BITS + TACIT_SCORE_BITS};
  return tacit_plan_share(plan, m, share, 1, error);
}

static tacit_status plan(const tacit_facts *facts, const tacit_choice *choice, tacit_release_plan *plan,
                         tacit_error *error) {
  tacit_follow_recipe r;
  tacit_follow_rules(facts, choice->followed, &r);
  if (r.first) TACIT_TRY(add_counts(plan, r.start_count, 2 * TACIT_FOLLOW_COUNTS, error));
  const tacit_mechanism mean = {
      .kind = TACIT_RELEASE_ROWS, .dimension = r.columns - 1, .clip = r.mean_clip, .bits = TACIT_MEAN_BITS};
  if (r.mean > 0) TACIT_TRY(tacit_plan_share(plan, mean, r.mean, 1, error));
  for (size_t t = 0; t < TACIT_FOLLOW_STEPS; t++) {
    TACIT_TRY(add_scores(plan, r.columns, 0.5, r.score_clip, r.scores[t], error));
    TACIT_TRY(add_counts(plan, r.count, 1, error));
  }
  for (size_t t = 0; r.tail && t < TACIT_FOLLOW_TAIL_STEPS; t++)
    TACIT_TRY(add_scores(plan, TACIT_FOLLOW_TAIL, facts->quantiles[0], r.tail_clip, r.tail_step, error));
  return TACIT_OK;
}

static bool possible(const tacit_facts *facts, const tacit_choice *choice, const char **wrong) {
  bool one = facts->schema->target_count == 1 && facts->schema->columns <= TACIT_STATE_COLUMNS_MAX;
  *wrong = !one ? "several targets" : choice->steps != TACIT_FOLLOW_STEPS ? "steps" : NULL;
  return !*wrong;
}

const tacit_method tacit_method_follow = {
    .name = "follow",
    .about = "goes on from the last policy with the new records alone: month after month, day after day",
    .tiers = true,
    .promise = TACIT_PROMISE_GAUSSIAN,
    .follows = true,
    .inputs = INPUTS,
    .input_count = sizeof INPUTS / sizeof *INPUTS,
    .check = check,
    .choose = choose,
    .plan = plan,
    .possible = possible,
};
