/* The default learner: counts for centre and spread of the target, mean, radius and moment of the rows,
   Newton steps at the median, a count of the tail, and steps at the quantile or a bisection
   (proofs/default-learner.md). Two of its releases decide what comes after them: the radius of rows whose
   scale is not known, and whether the quantile lies far out. */
#include "method/median_newton.h"

#include "base/base.h"
#include "method/method.h"

#include <float.h>
#include <math.h>

/* Below this guarantee per row of a unit even a count drowns, and noise would outgrow the grid. */
static const double MU_LEAST = 1e-4;
enum { UNIT_ROWS_MAX = 1 << 12 };

static const tacit_input INPUTS[] = {
    {"features", TACIT_INPUT_WHOLE, TACIT_AT(features), .least = 0, .most = TACIT_COLUMNS_MAX},
    {"steps", TACIT_INPUT_WHOLE, TACIT_AT(steps), .least = 0, .most = TACIT_MEDIAN_STEPS},
    {"scales", TACIT_INPUT_WORD, TACIT_AT(wide), .words = {"known", "wide"}}};

static double per_row(const tacit_facts *facts) {
  return tacit_facts_mu(facts) / (double)facts->schema->rows_per_unit;
}

static bool is_enough(const tacit_facts *facts) {
  return per_row(facts) >= MU_LEAST && facts->schema->rows_per_unit <= UNIT_ROWS_MAX;
}

static void follow_recipe(const tacit_facts *facts, tacit_choice *choice) {
  const tacit_schema *schema = facts->schema;
  tacit_recipe_choose(&choice->recipe, facts->rows, schema->columns - 1, tacit_schema_scales_known(schema),
                      per_row(facts));
}

static tacit_status choose(const tacit_facts *facts, const tacit_learn_options *options, tacit_choice *choice,
                           tacit_error *error) {
  (void)options;
  if (facts->schema->rows_per_unit > UNIT_ROWS_MAX)
    return tacit_fail(error, TACIT_REFUSED, "a unit may have at most %d rows; use fewer rows per unit",
                      UNIT_ROWS_MAX);
  if (!is_enough(facts))
    return tacit_fail(error, TACIT_REFUSED,
                      "this guarantee leaves %.2g-GDP for each row of a unit, too little to learn anything; "
                      "use a larger mu or fewer rows per unit",
                      per_row(facts));
  follow_recipe(facts, choice);
  choice->features = choice->recipe.d;
  choice->steps = (size_t)choice->recipe.median_steps;
  choice->wide = !choice->recipe.known;
  return TACIT_OK;
}

/* A target's releases, added to a plan one after the other. */
typedef struct course {
  const tacit_choice *choice;
  const tacit_recipe *recipe;
  tacit_release_plan *plan;
  size_t target;
} course;

static tacit_status add_counts(const course *c, double share, uint64_t count, tacit_error *error) {
  tacit_mechanism m = {
      .kind = TACIT_RELEASE_COUNT, .target = c->target, .dimension = 1, .bits = TACIT_SCORE_BITS};
  return tacit_plan_share(c->plan, m, share, count, error);
}

static tacit_status add_scores(const course *c, double level, double share, tacit_error *error) {
  tacit_mechanism m = {.kind = TACIT_RELEASE_SCORES,
                       .target = c->target,
                       .dimension = c->recipe->d,
                       .level = level,
                       .clip = c->recipe->score_clip,
                       .bits = c->choice->white_bits + TACIT_SCORE_BITS};
  return tacit_plan_share(c->plan, m, share, 1, error);
}

static tacit_status add_mean(const course *c, tacit_error *error) {
  const tacit_recipe *r = c->recipe;
  tacit_mechanism m = {.kind = TACIT_RELEASE_ROWS,
                       .target = c->target,
                       .dimension = r->d,
                       .clip = r->mean_clip,
                       .bits = TACIT_MEAN_BITS};
  TACIT_TRY(tacit_plan_share(c->plan, m, r->share.mean, 1, error));
  return r->known ? TACIT_OK
                  : add_counts(c, r->share.radius / TACIT_RADIUS_COUNTS, TACIT_RADIUS_COUNTS, error);
}

int tacit_moment_bits(double clip) {
  return TACIT_MOMENT_REACH - (int)ceil(log2(clip));
}

static tacit_status add_slopes(const course *c, double radius, tacit_error *error) {
  const tacit_recipe *r = c->recipe;
  double shares[TACIT_MEDIAN_STEPS];
  tacit_mechanism moment = {.kind = TACIT_RELEASE_MOMENT,
                            .target = c->target,
                            .dimension = (r->d + 1) * (r->d + 2) / 2,
                            .clip = radius,
                            .bits = 2 * tacit_moment_bits(radius)};
  TACIT_TRY(tacit_plan_share(c->plan, moment, r->share.moment, 1, error));
  tacit_recipe_median_shares(r->median_steps, shares);
  for (int t = 0; t < r->median_steps; t++) {
    double share = r->share.median * shares[t];
    TACIT_TRY(add_counts(c, share * TACIT_SPREAD_PART, 1, error));
    TACIT_TRY(add_scores(c, 0.5, share * (1 - TACIT_LOCATION_PART - TACIT_SPREAD_PART), error));
    TACIT_TRY(add_counts(c, share * TACIT_LOCATION_PART, 1, error));
  }
  return TACIT_OK;
}

static double bisection_share(const tacit_recipe *r) {
  return (r->share.quantile + r->share.last) / TACIT_TAIL_COUNTS;
}

static tacit_status add_quantile(const course *c, double tau, tacit_error *error) {
  const tacit_recipe *r = c->recipe;
  double share = r->share.quantile / TACIT_QUANTILE_STEPS;
  if (c->choice->way[c->target] == TACIT_WAY_FAR)
    return add_counts(c, bisection_share(r), TACIT_TAIL_COUNTS, error);
  for (int t = 0; t < TACIT_QUANTILE_STEPS; t++) {
    if (r->d) TACIT_TRY(add_scores(c, tau, share * (1 - TACIT_LOCATION_PART), error));
    TACIT_TRY(add_counts(c, r->d ? share * TACIT_LOCATION_PART : share, 1, error));
  }
  return add_counts(c, r->share.last, 1, error);
}

tacit_status tacit_newton_plan(const tacit_facts *facts, const tacit_choice *choice, size_t target,
                               tacit_release_plan *plan, tacit_error *error) {
  const tacit_recipe *r = &choice->recipe;
  const course c = {choice, r, plan, target};
  double radius = r->known ? r->moment_clip : choice->radius[target];
  TACIT_TRY(
      add_counts(&c, TACIT_CENTRE_PART * r->share.target / TACIT_CENTRE_COUNTS, TACIT_CENTRE_COUNTS, error));
  TACIT_TRY(add_counts(&c, (1 - TACIT_CENTRE_PART) * r->share.target / TACIT_SPREAD_COUNTS,
                       TACIT_SPREAD_COUNTS, error));
  if (r->d) {
    TACIT_TRY(add_mean(&c, error));
    if (radius == 0) return TACIT_OK;
    TACIT_TRY(add_slopes(&c, radius, error));
  }
  TACIT_TRY(add_counts(&c, r->share.tail, 1, error));
  if (choice->way[target] == TACIT_WAY_OPEN) return TACIT_OK;
  return add_quantile(&c, facts->quantiles[target], error);
}

/* The first target's, as far as it is settled; the others' follow when they are learned. */
static tacit_status plan(const tacit_facts *facts, const tacit_choice *choice, tacit_release_plan *plan,
                         tacit_error *error) {
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    TACIT_TRY(tacit_newton_plan(facts, choice, t, plan, error));
    if (choice->way[t] == TACIT_WAY_OPEN) break;
  }
  return TACIT_OK;
}

/* What follows the count of the tail tells. */
static tacit_way way_of(const tacit_facts *facts, const tacit_recipe *r, const tacit_mechanism *next) {
  double unit = ldexp((double)facts->schema->rows_per_unit, TACIT_SCORE_BITS);
  double sigma = tacit_share_sigma(unit, tacit_facts_mu(facts), bisection_share(r));
  bool far = next && next->kind == TACIT_RELEASE_COUNT && (r->d > 0 || tacit_near(next->sigma, sigma, 1e-6));
  return far ? TACIT_WAY_FAR : TACIT_WAY_NEAR;
}

/* A radius that counts can have found. */
static bool radius_possible(const tacit_recipe *r, double radius) {
  return radius >= ldexp(r->largest_clip, -TACIT_RADIUS_OCTAVES) * (1 - TACIT_NEAR) &&
         radius <= r->largest_clip * (1 + TACIT_NEAR);
}

static const tacit_mechanism *item(const tacit_certificate *certificate, const tacit_release_plan *plan) {
  size_t at = plan->list->mechanism_count;
  return at < certificate->mechanism_count ? &certificate->mechanisms[at] : NULL;
}

/* Radius and way of one target: the list goes on after what is planned without them. */
static bool read_target(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice,
                        size_t target, tacit_release_plan *plan) {
  const tacit_recipe *r = &choice->recipe;
  size_t before = plan->list->mechanism_count;
  if (tacit_newton_plan(facts, choice, target, plan, NULL) != TACIT_OK) return false;
  if (r->d && !r->known) {
    const tacit_mechanism *moment = item(certificate, plan);
    if (!moment || !radius_possible(r, moment->clip)) return false;
    choice->radius[target] = moment->clip;
    tacit_plan_cut(plan, before);
    if (tacit_newton_plan(facts, choice, target, plan, NULL) != TACIT_OK) return false;
  }
  choice->way[target] = way_of(facts, r, item(certificate, plan));
  tacit_plan_cut(plan, before);
  return tacit_newton_plan(facts, choice, target, plan, NULL) == TACIT_OK;
}

/* Rows have one grid for all of a policy's scores: that of its version, which the first of them tells. */
static int white_bits(const tacit_certificate *c) {
  for (size_t i = 0; i < c->mechanism_count; i++)
    if (c->mechanisms[i].kind == TACIT_RELEASE_SCORES)
      return c->mechanisms[i].bits == TACIT_OLD_WHITE_BITS + TACIT_SCORE_BITS ? TACIT_OLD_WHITE_BITS
                                                                              : TACIT_WHITE_BITS;
  return TACIT_WHITE_BITS;
}

static bool read_list(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice) {
  tacit_release_plan plan;
  choice->white_bits = white_bits(certificate);
  follow_recipe(facts, choice);
  bool right = tacit_plan_open(&plan, facts, NULL) == TACIT_OK;
  for (size_t t = 0; t < facts->schema->target_count && right; t++)
    right = read_target(facts, certificate, choice, t, &plan);
  tacit_plan_close(&plan);
  return right;
}

static bool possible(const tacit_facts *facts, const tacit_choice *choice, const char **wrong) {
  const tacit_recipe *r = &choice->recipe;
  *wrong = !is_enough(facts)                          ? "features"
           : choice->features != r->d                 ? "features"
           : choice->steps != (size_t)r->median_steps ? "steps"
           : choice->wide == r->known                 ? "scales"
                                                      : NULL;
  return !*wrong;
}

/* Slopes that nothing paid for are 0. */
static bool slopes(const tacit_choice *choice) {
  return choice->features != 0;
}

const tacit_method tacit_method_median_newton = {
    .name = "median-newton",
    .about = "slopes by noisy Newton steps at the median, then the quantile itself",
    .promise = TACIT_PROMISE_GAUSSIAN,
    .on_the_way = true,
    .inputs = INPUTS,
    .input_count = sizeof INPUTS / sizeof *INPUTS,
    .choose = choose,
    .plan = plan,
    .read_list = read_list,
    .possible = possible,
    .slopes = slopes,
};
