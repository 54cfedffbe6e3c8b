/* The releases of learners that go by Newton steps, in their order: counts for centre and spread of the
   target, mean, radius and moment of the rows, steps at the median, the spread, a count of the tail, and
   steps at the quantile or a bisection (proofs/median-newton.md). Some of them decide what comes after: the
   radius of rows whose scale is not known, the norm that scores are clipped to, and whether the quantile lies
   far out.

   Goals may share releases (proofs/location-scale.md): what is about rows alone serves all targets, and what
   is about a target serves all its quantiles. */
#include "method/newton_plan.h"

#include "base/base.h"
#include "schema/goals.h"

#include <math.h>

/* Releases of a goal, or of all that share them, added to a plan one after the other. */
typedef struct course {
  const tacit_choice *choice;
  tacit_recipe recipe;
  tacit_release_plan *plan;
  size_t target; /* whose they are, */
  size_t place;  /* where the choice has their radius and clip norm, */
  size_t goal;   /* and what units are held to in their steps, */
  size_t first;  /* those at the median */
} course;

/* What a unit's part is held to, if it is: of everything before the scores, and of one kind of step. */
enum { SCORES, WITHIN, BELOW };

static double size_clip(const course *c, double part) {
  return c->recipe.units ? part * *tacit_newton_clips(c->choice, c->place, TACIT_CLIP_SIZE) : 0;
}

static double step_clip(const course *c, tacit_unit_clip kind, int part) {
  return c->recipe.units ? tacit_newton_clips(c->choice, c->goal, kind)[part] : 0;
}

/* So many releases of how far units reach. *open: it is not known yet what they say. */
static tacit_status add_reach(const course *c, double share, uint64_t count, double found, bool *open,
                              tacit_error *error) {
  const tacit_mechanism m = {.kind = TACIT_RELEASE_UNITS,
                             .target = c->target,
                             .dimension = TACIT_UNIT_BINS,
                             .bits = TACIT_SCORE_BITS};
  if (share == 0) return TACIT_OK;
  TACIT_TRY(tacit_plan_share(c->plan, m, share / (double)count, count, error));
  *open = found == 0;
  return TACIT_OK;
}

size_t tacit_newton_of_target(const tacit_facts *facts, size_t goal) {
  return tacit_goals_several(facts->schema) ? TACIT_ALL_TARGETS : goal;
}

size_t tacit_newton_of_rows(const tacit_facts *facts) {
  return facts->schema->target_count > 1 ? TACIT_ALL_TARGETS : 0;
}

size_t tacit_newton_first(const tacit_facts *facts, size_t goal) {
  return tacit_goals_several(facts->schema) ? 0 : goal;
}

uint64_t tacit_newton_reach_parts(const tacit_recipe *recipe) {
  return recipe->scaled ? 3 : recipe->d ? 2 : 1;
}

bool tacit_newton_begins(const tacit_facts *facts, size_t goal) {
  return goal == 0 || !tacit_goals_several(facts->schema);
}

static tacit_status add_counts(const course *c, double unit, double share, uint64_t count,
                               tacit_error *error) {
  tacit_mechanism m = {.kind = TACIT_RELEASE_COUNT,
                       .target = c->target,
                       .dimension = 1,
                       .unit = unit,
                       .bits = TACIT_SCORE_BITS};
  return tacit_plan_share(c->plan, m, share, count, error);
}

static double clip_of(const course *c) {
  return c->recipe.levels ? c->choice->clip[c->place] : c->recipe.score_clip;
}

double tacit_newton_asked(const tacit_recipe *recipe, double level) {
  return recipe->open ? 0.5 : level;
}

static tacit_status add_scores(const course *c, double unit, double level, double share, tacit_error *error) {
  tacit_mechanism m = {.kind = TACIT_RELEASE_SCORES,
                       .target = c->target,
                       .dimension = c->recipe.d,
                       .level = tacit_newton_asked(&c->recipe, level),
                       .clip = clip_of(c),
                       .unit = unit,
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
                       .level = tacit_newton_asked(&c->recipe, level),
                       .clip = tacit_newton_scaled_clip(&c->recipe, clip_of(c)),
                       .unit = step_clip(c, TACIT_CLIP_QUANTILE, SCORES),
                       .bits = c->choice->white_bits + TACIT_SCORE_BITS};
  return tacit_plan_share(c->plan, m, share, 1, error);
}

/* Centre and spread of the target, and how far some rows lie. */
static tacit_status add_target(const course *c, tacit_error *error) {
  const tacit_recipe_shares *s = &c->recipe.share;
  double unit = size_clip(c, TACIT_UNIT_TARGET);
  TACIT_TRY(
      add_counts(c, unit, TACIT_CENTRE_PART * s->target / TACIT_CENTRE_COUNTS, TACIT_CENTRE_COUNTS, error));
  TACIT_TRY(add_counts(c, unit, (1 - TACIT_CENTRE_PART) * s->target / TACIT_SPREAD_COUNTS,
                       TACIT_SPREAD_COUNTS, error));
  return s->far == 0 ? TACIT_OK : add_counts(c, unit, s->far / TACIT_FAR_COUNTS, TACIT_FAR_COUNTS, error);
}

static tacit_status add_mean(const course *c, tacit_error *error) {
  const tacit_recipe *r = &c->recipe;
  tacit_mechanism m = {.kind = TACIT_RELEASE_ROWS,
                       .target = c->target,
                       .dimension = r->d,
                       .clip = r->mean_clip,
                       .unit = size_clip(c, TACIT_UNIT_ROWS),
                       .bits = TACIT_MEAN_BITS};
  TACIT_TRY(tacit_plan_share(c->plan, m, r->share.mean, 1, error));
  return r->known ? TACIT_OK
                  : add_counts(c, size_clip(c, TACIT_UNIT_TARGET), r->share.radius / TACIT_RADIUS_COUNTS,
                               TACIT_RADIUS_COUNTS, error);
}

int tacit_moment_bits(int reach, double clip) {
  return reach - (int)ceil(log2(clip));
}

static tacit_status add_moment(const course *c, double radius, tacit_error *error) {
  const tacit_recipe *r = &c->recipe;
  tacit_mechanism moment = {.kind = TACIT_RELEASE_MOMENT,
                            .target = c->target,
                            .dimension = (r->d + r->targets) * (r->d + r->targets + 1) / 2,
                            .clip = radius,
                            .unit = size_clip(c, TACIT_UNIT_ROWS),
                            .bits = 2 * tacit_moment_bits(c->choice->moment_reach, radius)};
  return tacit_plan_share(c->plan, moment, r->share.moment, 1, error);
}

/* The slopes that steps begin with, where no moment gives them. */
static tacit_status add_start(const course *c, tacit_error *error) {
  return c->recipe.open ? add_scores(c, 0, 0.5, c->recipe.share.start, error) : TACIT_OK;
}

/* The first steps go without knowing how far units reach; what is known after them serves the others. */
static tacit_status add_median(const course *c, bool *open, tacit_error *error) {
  const tacit_recipe *r = &c->recipe;
  double shares[TACIT_MEDIAN_STEPS], early = size_clip(c, TACIT_UNIT_EARLY);
  tacit_recipe_median_shares(r->median_steps, shares);
  for (int t = 0; t < r->median_steps; t++) {
    double share = r->share.median * shares[t], unit[3];
    if (t == TACIT_UNIT_STEPS) {
      double found = *tacit_newton_clips(c->choice, c->goal, TACIT_CLIP_MEDIAN);
      TACIT_TRY(add_reach(c, r->share.reach, 3, found, open, error));
      if (*open) return TACIT_OK;
    }
    for (int i = 0; i < 3; i++) unit[i] = t < TACIT_UNIT_STEPS ? early : step_clip(c, TACIT_CLIP_MEDIAN, i);
    TACIT_TRY(add_counts(c, unit[WITHIN], share * TACIT_SPREAD_PART, 1, error));
    TACIT_TRY(add_scores(c, unit[SCORES], 0.5, share * (1 - TACIT_LOCATION_PART - TACIT_SPREAD_PART), error));
    TACIT_TRY(add_counts(c, unit[BELOW], share * TACIT_LOCATION_PART, 1, error));
  }
  return TACIT_OK;
}

/* A spread is learned like a median, of the logarithms of residuals. */
static tacit_status add_spread(const course *c, double whole, bool *open, tacit_error *error) {
  double share = whole / TACIT_SPREAD_STEPS;
  if (share > 0) {
    double found = *tacit_newton_clips(c->choice, c->goal, TACIT_CLIP_SPREAD);
    TACIT_TRY(add_reach(c, c->recipe.share.spread_reach, 2, found, open, error));
  }
  for (int t = 0; share > 0 && !*open && t < TACIT_SPREAD_STEPS; t++) {
    TACIT_TRY(add_scores(c, step_clip(c, TACIT_CLIP_SPREAD, SCORES), 0.5, share * (1 - TACIT_LOCATION_PART),
                         error));
    TACIT_TRY(add_counts(c, step_clip(c, TACIT_CLIP_SPREAD, BELOW), share * TACIT_LOCATION_PART, 1, error));
  }
  return TACIT_OK;
}

double tacit_newton_bisection_share(const tacit_recipe *r) {
  return (r->share.times + r->share.density + r->share.quantile + r->share.last + r->share.sure +
          r->share.near) /
         TACIT_TAIL_COUNTS;
}

/* In spreads of each row: how many the quantile is, then slopes, location and the number of spreads. */
static tacit_status add_scaled_steps(const course *c, double tau, tacit_error *error) {
  const tacit_recipe *r = &c->recipe;
  double share = r->share.quantile / r->scaled_steps, below = step_clip(c, TACIT_CLIP_QUANTILE, BELOW);
  TACIT_TRY(add_counts(c, below, r->share.times / TACIT_TIMES_STEPS, TACIT_TIMES_STEPS, error));
  TACIT_TRY(add_counts(c, step_clip(c, TACIT_CLIP_QUANTILE, WITHIN), r->share.density, 1, error));
  for (int t = 0; t < r->scaled_steps; t++) {
    TACIT_TRY(add_scaled(c, tau, share * (1 - TACIT_LOCATION_PART), error));
    TACIT_TRY(add_counts(c, below, share * TACIT_LOCATION_PART, 1, error));
  }
  return TACIT_OK;
}

static tacit_status add_steps(const course *c, double tau, tacit_error *error) {
  const tacit_recipe *r = &c->recipe;
  double share = r->share.quantile / TACIT_QUANTILE_STEPS;
  double unit = step_clip(c, TACIT_CLIP_QUANTILE, SCORES), below = step_clip(c, TACIT_CLIP_QUANTILE, BELOW);
  for (int t = 0; t < TACIT_QUANTILE_STEPS; t++) {
    if (r->d) TACIT_TRY(add_scores(c, unit, tau, share * (1 - TACIT_LOCATION_PART), error));
    TACIT_TRY(add_counts(c, below, r->d ? share * TACIT_LOCATION_PART : share, 1, error));
  }
  return TACIT_OK;
}

/* Without features nothing is known of units but their size, which a count of the tail goes by. */
static double tail_clip(const course *c) {
  const tacit_choice *choice = c->choice;
  if (c->recipe.d == 0) return size_clip(c, TACIT_UNIT_TARGET);
  return c->recipe.units ? tacit_newton_clips(choice, c->first, TACIT_CLIP_MEDIAN)[BELOW] : 0;
}

static tacit_status add_quantile(const course *c, double tau, bool *open, tacit_error *error) {
  const tacit_recipe *r = &c->recipe;
  if (c->choice->way[c->target] == TACIT_WAY_FAR)
    return add_counts(c, tail_clip(c), tacit_newton_bisection_share(r), TACIT_TAIL_COUNTS, error);
  if (tacit_newton_counts_reach(r, tau)) {
    double found = tacit_newton_clips(c->choice, c->goal, TACIT_CLIP_QUANTILE)[BELOW];
    TACIT_TRY(add_reach(c, r->share.far_reach, tacit_newton_reach_parts(r), found, open, error));
    if (*open) return TACIT_OK;
  }
  TACIT_TRY(r->scaled ? add_scaled_steps(c, tau, error) : add_steps(c, tau, error));
  TACIT_TRY(add_counts(c, step_clip(c, TACIT_CLIP_QUANTILE, BELOW), r->share.last, 1, error));
  TACIT_TRY(add_spread(c, r->share.sure, open, error));
  return r->share.near == 0 ? TACIT_OK : add_counts(c, 0, r->share.near, 1, error);
}

static tacit_status add_size(const course *c, bool *open, tacit_error *error) {
  if (!c->recipe.units) return TACIT_OK;
  double found = *tacit_newton_clips(c->choice, c->place, TACIT_CLIP_SIZE);
  return add_reach(c, c->recipe.share.size, 1, found, open, error);
}

/* Mean, radius and moment of the rows. *open: what comes after is not known yet. */
static tacit_status add_rows(const course *c, bool *open, tacit_error *error) {
  double radius = c->recipe.known ? c->recipe.moment_clip : c->choice->radius[c->place];
  *open = clip_of(c) == 0;
  if (c->recipe.open) return TACIT_OK;
  TACIT_TRY(add_mean(c, error));
  *open = radius == 0;
  if (*open) return TACIT_OK;
  TACIT_TRY(add_moment(c, radius, error));
  *open = clip_of(c) == 0;
  return TACIT_OK;
}

/* A goal's own: one that its target's median serves has none. */
static tacit_status add_goal(const course *c, size_t goal, double tau, bool *open, tacit_error *error) {
  *open = false;
  if (c->recipe.share.tail == 0) return TACIT_OK;
  TACIT_TRY(add_counts(c, tail_clip(c), c->recipe.share.tail, 1, error));
  *open = c->choice->way[goal] == TACIT_WAY_OPEN;
  return *open ? TACIT_OK : add_quantile(c, tau, open, error);
}

static tacit_status plan_alone(const tacit_facts *facts, const tacit_choice *choice, size_t goal,
                               tacit_release_plan *plan, bool *open, tacit_error *error) {
  course c = {.choice = choice, .plan = plan, .target = goal, .place = goal, .goal = goal, .first = goal};
  tacit_newton_recipe(facts, choice, goal, &c.recipe);
  TACIT_TRY(add_size(&c, open, error));
  if (*open) return TACIT_OK;
  TACIT_TRY(add_target(&c, error));
  if (c.recipe.d) {
    TACIT_TRY(add_rows(&c, open, error));
    if (*open) return TACIT_OK;
    TACIT_TRY(add_start(&c, error));
    TACIT_TRY(add_median(&c, open, error));
    if (*open) return TACIT_OK;
    TACIT_TRY(add_spread(&c, c.recipe.share.spread, open, error));
    if (*open) return TACIT_OK;
  }
  return add_goal(&c, goal, facts->quantiles[goal], open, error);
}

/* What goals share before any of them: the targets' scales, and the rows. */
static tacit_status plan_before(const tacit_facts *facts, const tacit_choice *choice,
                                tacit_release_plan *plan, bool *open, tacit_error *error) {
  course c = {.choice = choice, .plan = plan, .target = tacit_newton_of_rows(facts)};
  tacit_newton_recipe(facts, choice, 0, &c.recipe);
  TACIT_TRY(add_size(&c, open, error));
  for (size_t g = 0; g < facts->schema->target_count && !*open; g++) {
    if (!tacit_newton_begins(facts, g)) continue;
    c.target = tacit_newton_of_target(facts, g);
    tacit_newton_recipe(facts, choice, g, &c.recipe);
    TACIT_TRY(add_target(&c, error));
  }
  c.target = tacit_newton_of_rows(facts);
  return *open ? TACIT_OK : add_rows(&c, open, error);
}

/* A goal, and where it is its target's first what its target's goals share. */
static tacit_status plan_sharing(const tacit_facts *facts, const tacit_choice *choice, size_t goal,
                                 tacit_release_plan *plan, bool *open, tacit_error *error) {
  course c = {.choice = choice, .plan = plan, .target = tacit_newton_of_target(facts, goal)};
  tacit_newton_recipe(facts, choice, goal, &c.recipe);
  c.first = c.goal = tacit_newton_first(facts, goal);
  if (tacit_newton_begins(facts, goal)) {
    TACIT_TRY(add_start(&c, error));
    TACIT_TRY(add_median(&c, open, error));
    if (*open) return TACIT_OK;
    TACIT_TRY(add_spread(&c, c.recipe.share.spread, open, error));
    if (*open) return TACIT_OK;
  }
  c.target = c.goal = goal;
  return add_goal(&c, goal, facts->quantiles[goal], open, error);
}

/* From a goal on, up to the first whose way is open: those after it follow when it is learned. *settled gets
   how many are there, *items where the open one's part begins. */
static tacit_status plan_from(const tacit_facts *facts, const tacit_choice *choice, size_t goal,
                              tacit_release_plan *plan, size_t *settled, size_t *items, tacit_error *error) {
  bool share = choice->recipe.levels && !choice->alone, open = false;
  if (share && goal == 0) TACIT_TRY(plan_before(facts, choice, plan, &open, error));
  for (; goal < facts->schema->target_count && !open; goal++) {
    TACIT_TRY(share ? plan_sharing(facts, choice, goal, plan, &open, error)
                    : plan_alone(facts, choice, goal, plan, &open, error));
    if (open) break;
    *settled = goal + 1;
    *items = plan->list->mechanism_count;
  }
  return TACIT_OK;
}

tacit_status tacit_newton_plan_all(const tacit_facts *facts, const tacit_choice *choice,
                                   tacit_release_plan *plan, tacit_error *error) {
  size_t settled, items;
  return plan_from(facts, choice, 0, plan, &settled, &items, error);
}

tacit_status tacit_newton_plan_on(const tacit_facts *facts, tacit_choice *choice, tacit_release_plan *plan,
                                  tacit_error *error) {
  tacit_plan_cut(plan, choice->settled_items);
  return plan_from(facts, choice, choice->settled, plan, &choice->settled, &choice->settled_items, error);
}
