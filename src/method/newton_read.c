/* What a certificate's list tells about a Newton learner's way: radius, clip norms, and whether a quantile
   lay far out. The list goes on after what is planned without them. */
#include "base/base.h"
#include "method/newton_plan.h"
#include "schema/goals.h"

#include <math.h>

/* What follows the count of the tail tells: where both ways begin with a count, its noise does. */
static tacit_way way_of(const tacit_facts *facts, const tacit_recipe *r, const tacit_mechanism *next) {
  double moves = 0;
  if (!next || next->kind != TACIT_RELEASE_COUNT) return TACIT_WAY_NEAR;
  if (tacit_mechanism_sensitivity(next, facts->adjacency, facts->schema->rows_per_unit, &moves, NULL))
    return TACIT_WAY_NEAR;
  double sigma = tacit_share_sigma(moves, tacit_facts_mu(facts), tacit_newton_bisection_share(r));
  bool clear = r->d > 0 && !r->scaled;
  bool far = clear || tacit_near(next->sigma, sigma, 1e-6);
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

/* What units are held to, read from the releases behind what is planned; parts: where each is among them,
   from 0 on, -1: it is not. */
static bool read_clips(const tacit_facts *facts, const tacit_certificate *certificate,
                       const tacit_release_plan *plan, const int parts[3], double *clip) {
  double most = (double)facts->schema->rows_per_unit;
  for (int i = 0; i < 3; i++) {
    size_t at = plan->list->mechanism_count + (size_t)parts[i];
    if (parts[i] < 0) continue;
    if (at >= certificate->mechanism_count) return false;
    clip[i] = certificate->mechanisms[at].unit;
    if (!(clip[i] >= most * TACIT_UNIT_LEAST && clip[i] <= most)) return false;
  }
  return true;
}

/* Everything that is settled so far. */
static bool plan_again(const tacit_facts *facts, tacit_choice *choice, tacit_release_plan *plan) {
  return tacit_newton_plan_on(facts, choice, plan, NULL) == TACIT_OK;
}

/* The radius of the rows, and the clip norm; `at`: of the goal that they are for, 0 where all share them. */
static bool read_rows(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice,
                      size_t at, tacit_release_plan *plan) {
  tacit_recipe r;
  tacit_newton_recipe(facts, choice, at, &r);
  if (!plan_again(facts, choice, plan)) return false;
  if (r.units) {
    double size[3];
    if (!read_clips(facts, certificate, plan, (const int[]){0, -1, -1}, size)) return false;
    choice->unit[at * TACIT_UNIT_CLIPS + TACIT_CLIP_SIZE] = size[0] / TACIT_UNIT_TARGET;
    if (!plan_again(facts, choice, plan)) return false;
  }
  if (r.d && !r.known && !r.open) {
    const tacit_mechanism *moment = after(certificate, plan, false);
    if (!moment || !radius_possible(&r, moment->clip)) return false;
    choice->radius[at] = moment->clip;
    if (!plan_again(facts, choice, plan)) return false;
  }
  if (r.d && r.levels) {
    const tacit_mechanism *scores = after(certificate, plan, true);
    if (!scores || !clip_possible(&r, scores->clip)) return false;
    choice->clip[at] = scores->clip;
    if (!plan_again(facts, choice, plan)) return false;
  }
  return true;
}

/* A kind of step's clips, and what is planned with them. */
static bool read_steps(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice,
                       tacit_release_plan *plan, size_t goal, tacit_unit_clip kind, const int parts[3]) {
  double *clip = choice->unit + goal * TACIT_UNIT_CLIPS + kind;
  return read_clips(facts, certificate, plan, parts, clip) && plan_again(facts, choice, plan);
}

static bool read_median(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice,
                        size_t goal, tacit_release_plan *plan) {
  tacit_recipe r;
  tacit_newton_recipe(facts, choice, goal, &r);
  if (r.share.reach > 0 &&
      !read_steps(facts, certificate, choice, plan, goal, TACIT_CLIP_MEDIAN, (const int[]){1, 0, 2}))
    return false;
  return r.share.spread_reach == 0 ||
         read_steps(facts, certificate, choice, plan, goal, TACIT_CLIP_SPREAD, (const int[]){0, -1, 1});
}

/* At the quantile what the median had, or what was counted there: the order of its first releases. */
static bool read_quantile(const tacit_facts *facts, const tacit_certificate *certificate,
                          tacit_choice *choice, size_t goal, tacit_release_plan *plan) {
  tacit_recipe r;
  tacit_newton_recipe(facts, choice, goal, &r);
  if (!r.units || choice->way[goal] != TACIT_WAY_NEAR) return true;
  if (!tacit_newton_counts_reach(&r, facts->quantiles[goal])) {
    tacit_newton_take_median(facts, choice, goal);
    return plan_again(facts, choice, plan);
  }
  static const int SCALED[] = {2, 1, 0}, LINEAR[] = {0, -1, 1}, FLAT[] = {-1, -1, 0};
  return read_steps(facts, certificate, choice, plan, goal, TACIT_CLIP_QUANTILE,
                    r.scaled ? SCALED
                    : r.d    ? LINEAR
                             : FLAT);
}

static bool read_goal(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice,
                      size_t goal, tacit_release_plan *plan) {
  tacit_recipe r;
  bool own_rows = goal == 0 || !choice->recipe.levels || choice->alone;
  if (own_rows && !read_rows(facts, certificate, choice, goal, plan)) return false;
  if (tacit_newton_begins(facts, goal) && !read_median(facts, certificate, choice, goal, plan)) return false;
  tacit_newton_recipe(facts, choice, goal, &r);
  choice->way[goal] = r.share.tail == 0 ? TACIT_WAY_NEAR : way_of(facts, &r, after(certificate, plan, false));
  return plan_again(facts, choice, plan) && read_quantile(facts, certificate, choice, goal, plan);
}

/* Rows have one grid for all of a policy's scores: that of its version, which the first of them tells. */
static int white_bits(const tacit_certificate *c) {
  for (size_t i = 0; i < c->mechanism_count; i++)
    if (c->mechanisms[i].kind == TACIT_RELEASE_SCORES)
      return c->mechanisms[i].bits == TACIT_OLD_WHITE_BITS + TACIT_SCORE_BITS ? TACIT_OLD_WHITE_BITS
                                                                              : TACIT_WHITE_BITS;
  return TACIT_WHITE_BITS;
}

/* The moment's grid, where it is that of older policies; else 0: it follows from the number of features. */
static int moment_reach(const tacit_certificate *c) {
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    if (m->kind == TACIT_RELEASE_MOMENT)
      return m->bits == 2 * tacit_moment_bits(TACIT_MOMENT_REACH, m->clip) ? TACIT_MOMENT_REACH : 0;
  }
  return 0;
}

/* Whether each target's rows are its own: older policies with several targets share none. Several quantiles
   of one target always share. */
static bool is_alone(const tacit_facts *facts, const tacit_certificate *c) {
  if (facts->schema->target_count == 1 || tacit_goals_several(facts->schema)) return false;
  for (size_t i = 0; i < c->mechanism_count; i++)
    if (c->mechanisms[i].kind == TACIT_RELEASE_ROWS) return c->mechanisms[i].target != TACIT_ALL_TARGETS;
  return false;
}

/* The steps of a goal in spreads, which have a column more. */
static size_t scaled_steps(const tacit_facts *facts, const tacit_certificate *c, size_t goal) {
  size_t steps = 0;
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    steps += m->kind == TACIT_RELEASE_SCORES && m->dimension == facts->schema->columns && m->target == goal;
  }
  return steps;
}

/* How many of them there are: older policies have eight for all goals, or sixteen. Where today's have as
   many, it is the same list. */
static tacit_steps_rule rule_of(const tacit_facts *facts, const tacit_certificate *c) {
  bool eight = true, sixteen = true;
  for (size_t goal = 0; goal < facts->schema->target_count; goal++) {
    size_t steps = scaled_steps(facts, c, goal);
    eight &= steps == 0 || steps == TACIT_SCALED_STEPS;
    sixteen &= steps == 0 || steps == TACIT_SCALED_MORE;
  }
  return eight ? TACIT_STEPS_EIGHT : sixteen ? TACIT_STEPS_SIXTEEN : TACIT_STEPS_NOW;
}

/* Without a spread older policies have another grid. */
bool tacit_newton_read_list(const tacit_facts *facts, const tacit_certificate *certificate, bool spread,
                            tacit_choice *choice) {
  tacit_release_plan plan;
  choice->white_bits = spread ? TACIT_WHITE_BITS : white_bits(certificate);
  choice->moment_reach = moment_reach(certificate);
  choice->alone = spread && is_alone(facts, certificate);
  choice->rule = spread ? rule_of(facts, certificate) : TACIT_STEPS_NOW;
  tacit_newton_settle(facts, spread, choice);
  bool right = tacit_plan_open(&plan, facts, NULL) == TACIT_OK;
  for (size_t t = 0; t < facts->schema->target_count && right; t++)
    right = read_goal(facts, certificate, choice, t, &plan);
  tacit_plan_close(&plan);
  return right;
}
