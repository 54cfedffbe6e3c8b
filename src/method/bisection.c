/* The quantile of demand, the same for every row: counts of rows below the middle of a bracket that is halved
   each time (proofs/bisection.md). It looks at no feature. What features are worth is what they gain over it.
 */
#include "base/base.h"
#include "method/method.h"

#include <math.h>

/* k counts have a noise of sqrt(k) / mu rows each. Brackets that hold fewer rows than that need no halving:
   log2(rows mu) of them would do if demand filled its bounds, and four more are for demand that fills a
   sixteenth. Too many do little harm, since noise grows with their root; too few leave a wide bracket. */
enum { HALVINGS_LEAST = 8, HALVINGS_MOST = 24, HALVINGS_MORE = 4 };

static const tacit_input INPUTS[] = {
    {"halvings", TACIT_INPUT_WHOLE, TACIT_AT(steps), .least = HALVINGS_LEAST, .most = HALVINGS_MOST}};

/* From public facts, and the same on every system: no logarithm is rounded. */
static size_t halvings_of(const tacit_facts *facts) {
  double mu_per_row = tacit_facts_mu(facts) / (double)facts->schema->rows_per_unit;
  double halves = facts->rows * mu_per_row >= 1 ? ilogb(facts->rows * mu_per_row) : 0;
  return (size_t)fmin(fmax(halves + HALVINGS_MORE, HALVINGS_LEAST), HALVINGS_MOST);
}

static tacit_status choose(const tacit_facts *facts, const tacit_learn_options *options, tacit_choice *choice,
                           tacit_error *error) {
  (void)options;
  (void)error;
  choice->steps = halvings_of(facts);
  return TACIT_OK;
}

/* For each target as many counts, with equal shares of its mu^2. */
static tacit_status plan(const tacit_facts *facts, const tacit_choice *choice, tacit_release_plan *plan,
                         tacit_error *error) {
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    const tacit_mechanism count = {
        .kind = TACIT_RELEASE_COUNT, .target = t, .dimension = 1, .bits = TACIT_SCORE_BITS};
    TACIT_TRY(tacit_plan_share(plan, count, 1 / (double)choice->steps, choice->steps, error));
  }
  return TACIT_OK;
}

static bool possible(const tacit_facts *facts, const tacit_choice *choice, const char **wrong) {
  *wrong = choice->steps != halvings_of(facts) ? "halvings" : NULL;
  return !*wrong;
}

/* The first bracket: the target's bounds, or as many scales around its centre as a feature can have. */
static double reach(const tacit_facts *facts, const tacit_choice *choice, size_t target) {
  (void)choice;
  return fmin(facts->schema->targets[target].scale.limit, TACIT_SCALE_LIMIT);
}

static bool slopes(const tacit_choice *choice) {
  (void)choice;
  return false;
}

const tacit_method tacit_method_bisection = {
    .name = "bisection",
    .about = "the quantile of demand by noisy counts, without features",
    .tiers = true,
    .promise = TACIT_PROMISE_GAUSSIAN,
    .inputs = INPUTS,
    .input_count = sizeof INPUTS / sizeof *INPUTS,
    .choose = choose,
    .plan = plan,
    .possible = possible,
    .reach = reach,
    .slopes = slopes,
};
