/* The releases of learners that go by Newton steps, in their order: counts for centre and spread of the
   target, mean, radius and moment of the rows, steps at the median, the spread, a count of the tail, and
   steps at the quantile or a bisection (proofs/median-newton.md). Some of them decide what comes after: the
   radius of rows whose scale is not known, the norm that scores are clipped to, and whether the quantile lies
   far out. */
#include "method/newton_plan.h"

#include "base/base.h"

#include <math.h>

/* A target's releases, added to a plan one after the other. */
typedef struct course {
  const tacit_choice *choice;
  tacit_recipe recipe;
  tacit_release_plan *plan;
  size_t target;
} course;

static tacit_status add_counts(const course *c, double share, uint64_t count, tacit_error *error) {
  tacit_mechanism m = {
      .kind = TACIT_RELEASE_COUNT, .target = c->target, .dimension = 1, .bits = TACIT_SCORE_BITS};
  return tacit_plan_share(c->plan, m, share, count, error);
}

static double clip_of(const course *c) {
  return c->recipe.levels ? c->choice->clip[c->target] : c->recipe.score_clip;
}

static tacit_status add_scores(const course *c, double level, double share, tacit_error *error) {
  tacit_mechanism m = {.kind = TACIT_RELEASE_SCORES,
                       .target = c->target,
                       .dimension = c->recipe.d,
                       .level = level,
                       .clip = clip_of(c),
                       .bits = c->choice->white_bits + TACIT_SCORE_BITS};
  return tacit_plan_share(c->plan, m, share, 1, error);
}

double tacit_newton_scaled_clip(const tacit_recipe *recipe, double clip) {
  double most = clip / recipe->clip_part;
  return sqrt(most * most + 1);
}

/* The same with the spread as one more column. */
static tacit_status add_scaled(const course *c, double level, double share, tacit_error *error) {
  tacit_mechanism m = {.kind = TACIT_RELEASE_SCORES,
                       .target = c->target,
                       .dimension = c->recipe.d + 1,
                       .level = level,
                       .clip = tacit_newton_scaled_clip(&c->recipe, clip_of(c)),
                       .bits = c->choice->white_bits + TACIT_SCORE_BITS};
  return tacit_plan_share(c->plan, m, share, 1, error);
}

/* Centre and spread of the target, and how far some rows lie. */
static tacit_status add_target(const course *c, tacit_error *error) {
  const tacit_recipe_shares *s = &c->recipe.share;
  TACIT_TRY(add_counts(c, TACIT_CENTRE_PART * s->target / TACIT_CENTRE_COUNTS, TACIT_CENTRE_COUNTS, error));
  TACIT_TRY(
      add_counts(c, (1 - TACIT_CENTRE_PART) * s->target / TACIT_SPREAD_COUNTS, TACIT_SPREAD_COUNTS, error));
  return s->far == 0 ? TACIT_OK : add_counts(c, s->far / TACIT_FAR_COUNTS, TACIT_FAR_COUNTS, error);
}

static tacit_status add_mean(const course *c, tacit_error *error) {
  const tacit_recipe *r = &c->recipe;
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

static tacit_status add_moment(const course *c, double radius, tacit_error *error) {
  const tacit_recipe *r = &c->recipe;
  tacit_mechanism moment = {.kind = TACIT_RELEASE_MOMENT,
                            .target = c->target,
                            .dimension = (r->d + 1) * (r->d + 2) / 2,
                            .clip = radius,
                            .bits = 2 * tacit_moment_bits(radius)};
  return tacit_plan_share(c->plan, moment, r->share.moment, 1, error);
}

static tacit_status add_median(const course *c, tacit_error *error) {
  const tacit_recipe *r = &c->recipe;
  double shares[TACIT_MEDIAN_STEPS];
  tacit_recipe_median_shares(r->median_steps, shares);
  for (int t = 0; t < r->median_steps; t++) {
    double share = r->share.median * shares[t];
    TACIT_TRY(add_counts(c, share * TACIT_SPREAD_PART, 1, error));
    TACIT_TRY(add_scores(c, 0.5, share * (1 - TACIT_LOCATION_PART - TACIT_SPREAD_PART), error));
    TACIT_TRY(add_counts(c, share * TACIT_LOCATION_PART, 1, error));
  }
  return TACIT_OK;
}

/* A spread is learned like a median, of the logarithms of residuals. */
static tacit_status add_spread(const course *c, double whole, tacit_error *error) {
  double share = whole / TACIT_SPREAD_STEPS;
  for (int t = 0; share > 0 && t < TACIT_SPREAD_STEPS; t++) {
    TACIT_TRY(add_scores(c, 0.5, share * (1 - TACIT_LOCATION_PART), error));
    TACIT_TRY(add_counts(c, share * TACIT_LOCATION_PART, 1, error));
  }
  return TACIT_OK;
}

static double bisection_share(const tacit_recipe *r) {
  return (r->share.times + r->share.density + r->share.quantile + r->share.last + r->share.sure +
          r->share.near) /
         TACIT_TAIL_COUNTS;
}

/* In spreads of each row: how many the quantile is, then slopes, location and the number of spreads. */
static tacit_status add_scaled_steps(const course *c, double tau, tacit_error *error) {
  const tacit_recipe *r = &c->recipe;
  double share = r->share.quantile / TACIT_SCALED_STEPS;
  TACIT_TRY(add_counts(c, r->share.times / TACIT_TIMES_STEPS, TACIT_TIMES_STEPS, error));
  TACIT_TRY(add_counts(c, r->share.density, 1, error));
  for (int t = 0; t < TACIT_SCALED_STEPS; t++) {
    TACIT_TRY(add_scaled(c, tau, share * (1 - TACIT_LOCATION_PART), error));
    TACIT_TRY(add_counts(c, share * TACIT_LOCATION_PART, 1, error));
  }
  return TACIT_OK;
}

static tacit_status add_steps(const course *c, double tau, tacit_error *error) {
  const tacit_recipe *r = &c->recipe;
  double share = r->share.quantile / TACIT_QUANTILE_STEPS;
  for (int t = 0; t < TACIT_QUANTILE_STEPS; t++) {
    if (r->d) TACIT_TRY(add_scores(c, tau, share * (1 - TACIT_LOCATION_PART), error));
    TACIT_TRY(add_counts(c, r->d ? share * TACIT_LOCATION_PART : share, 1, error));
  }
  return TACIT_OK;
}

static tacit_status add_quantile(const course *c, double tau, tacit_error *error) {
  const tacit_recipe *r = &c->recipe;
  if (c->choice->way[c->target] == TACIT_WAY_FAR)
    return add_counts(c, bisection_share(r), TACIT_TAIL_COUNTS, error);
  TACIT_TRY(r->share.spread > 0 ? add_scaled_steps(c, tau, error) : add_steps(c, tau, error));
  TACIT_TRY(add_counts(c, r->share.last, 1, error));
  TACIT_TRY(add_spread(c, r->share.sure, error));
  return r->share.near == 0 ? TACIT_OK : add_counts(c, r->share.near, 1, error);
}

tacit_status tacit_newton_plan(const tacit_facts *facts, const tacit_choice *choice, size_t target,
                               tacit_release_plan *plan, tacit_error *error) {
  course c = {.choice = choice, .plan = plan, .target = target};
  tacit_newton_recipe(facts, choice, target, &c.recipe);
  double radius = c.recipe.known ? c.recipe.moment_clip : choice->radius[target];
  TACIT_TRY(add_target(&c, error));
  if (c.recipe.d) {
    TACIT_TRY(add_mean(&c, error));
    if (radius == 0) return TACIT_OK;
    TACIT_TRY(add_moment(&c, radius, error));
    if (clip_of(&c) == 0) return TACIT_OK;
    TACIT_TRY(add_median(&c, error));
    TACIT_TRY(add_spread(&c, c.recipe.share.spread, error));
  }
  TACIT_TRY(add_counts(&c, c.recipe.share.tail, 1, error));
  if (choice->way[target] == TACIT_WAY_OPEN) return TACIT_OK;
  return add_quantile(&c, facts->quantiles[target], error);
}

tacit_status tacit_newton_plan_all(const tacit_facts *facts, const tacit_choice *choice,
                                   tacit_release_plan *plan, tacit_error *error) {
  for (size_t t = 0; t < facts->schema->target_count; t++) {
    TACIT_TRY(tacit_newton_plan(facts, choice, t, plan, error));
    if (choice->way[t] == TACIT_WAY_OPEN) break; /* the others' follow when they are learned */
  }
  return TACIT_OK;
}

/* What follows the count of the tail tells: where both ways begin with a count, its noise does. */
static tacit_way way_of(const tacit_facts *facts, const tacit_recipe *r, const tacit_mechanism *next) {
  double unit = ldexp((double)facts->schema->rows_per_unit, TACIT_SCORE_BITS);
  double sigma = tacit_share_sigma(unit, tacit_facts_mu(facts), bisection_share(r));
  bool clear = r->d > 0 && r->share.spread == 0;
  bool far = next && next->kind == TACIT_RELEASE_COUNT && (clear || tacit_near(next->sigma, sigma, 1e-6));
  return far ? TACIT_WAY_FAR : TACIT_WAY_NEAR;
}

/* A radius that counts can have found, */
static bool radius_possible(const tacit_recipe *r, double radius) {
  return radius >= ldexp(r->largest_clip, -TACIT_RADIUS_OCTAVES) * (1 - TACIT_NEAR) &&
         radius <= r->largest_clip * (1 + TACIT_NEAR);
}

/* and a norm that whitened rows can have: none of their columns has a larger moment than 1. */
static bool clip_possible(const tacit_recipe *r, double clip) {
  return clip >= r->clip_part * TACIT_LEAST_REACH * (1 - TACIT_NEAR) &&
         clip <= r->clip_part * sqrt((double)r->d) * (1 + TACIT_NEAR);
}

/* The first release of some kind after what is planned. */
static const tacit_mechanism *after(const tacit_certificate *certificate, const tacit_release_plan *plan,
                                    bool scores) {
  size_t at = plan->list->mechanism_count;
  while (scores && at < certificate->mechanism_count &&
         certificate->mechanisms[at].kind != TACIT_RELEASE_SCORES)
    at++;
  return at < certificate->mechanism_count ? &certificate->mechanisms[at] : NULL;
}

static bool plan_again(const tacit_facts *facts, const tacit_choice *choice, size_t target, size_t before,
                       tacit_release_plan *plan) {
  tacit_plan_cut(plan, before);
  return tacit_newton_plan(facts, choice, target, plan, NULL) == TACIT_OK;
}

/* Radius, clip norm and way of one target: the list goes on after what is planned without them. */
static bool read_target(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice,
                        size_t target, tacit_release_plan *plan) {
  tacit_recipe r;
  size_t before = plan->list->mechanism_count;
  tacit_newton_recipe(facts, choice, target, &r);
  if (!plan_again(facts, choice, target, before, plan)) return false;
  if (r.d && !r.known) {
    const tacit_mechanism *moment = after(certificate, plan, false);
    if (!moment || !radius_possible(&r, moment->clip)) return false;
    choice->radius[target] = moment->clip;
    if (!plan_again(facts, choice, target, before, plan)) return false;
  }
  if (r.d && r.levels) {
    const tacit_mechanism *scores = after(certificate, plan, true);
    if (!scores || !clip_possible(&r, scores->clip)) return false;
    choice->clip[target] = scores->clip;
    if (!plan_again(facts, choice, target, before, plan)) return false;
  }
  choice->way[target] = way_of(facts, &r, after(certificate, plan, false));
  return plan_again(facts, choice, target, before, plan);
}

/* Rows have one grid for all of a policy's scores: that of its version, which the first of them tells. */
static int white_bits(const tacit_certificate *c) {
  for (size_t i = 0; i < c->mechanism_count; i++)
    if (c->mechanisms[i].kind == TACIT_RELEASE_SCORES)
      return c->mechanisms[i].bits == TACIT_OLD_WHITE_BITS + TACIT_SCORE_BITS ? TACIT_OLD_WHITE_BITS
                                                                              : TACIT_WHITE_BITS;
  return TACIT_WHITE_BITS;
}

/* Without a spread older policies have another grid. */
bool tacit_newton_read_list(const tacit_facts *facts, const tacit_certificate *certificate, bool spread,
                            tacit_choice *choice) {
  tacit_release_plan plan;
  choice->white_bits = spread ? TACIT_WHITE_BITS : white_bits(certificate);
  tacit_newton_settle(facts, spread, choice);
  bool right = tacit_plan_open(&plan, facts, NULL) == TACIT_OK;
  for (size_t t = 0; t < facts->schema->target_count && right; t++)
    right = read_target(facts, certificate, choice, t, &plan);
  tacit_plan_close(&plan);
  return right;
}
