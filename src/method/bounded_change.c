/* Customers behind totals: one of them moves at most so many rows' targets by so much. Every count and every
   score is a ramp of the target, wide enough that this moves it little. A linear rule; the default where the
   schema says how much a target moves. */
#include "method/bounded_change.h"

#include "base/base.h"

#include <math.h>

/* Of the bracket of a halving. */
static const double HALVING = 0.2;
/* No slopes where the strength is below FEW + MANY d. */
static const double FEW = 20, MANY = 2;
static const double STRENGTH_LEAST = 1e-2;
/* Of the range: what the residual's spread is taken to be before anything is known. */
static const double GUESS = 0.2;
/* A ramp of so many spreads to both sides costs about as little as any. */
static const double WIDE = 1.73;
enum { UNIT_ROWS_MAX = 1 << 12 };
static const double QUANTILE_LEAST = 1e-100;

static const double QUARTERS[4] = {1, 0x1.ae89f995ad3adp-1, 0x1.6a09e667f3bcdp-1, 0x1.306fe0a31b715p-1};

static double rung(double range, int k) {
  return ldexp(range * QUARTERS[k % 4], -(k / 4));
}

double tacit_bounded_rung(double range, double spread) {
  int best = 0;
  for (int k = 1; k < TACIT_BOUNDED_RUNGS; k++)
    if (fabs(rung(range, k) - spread) < fabs(rung(range, best) - spread)) best = k;
  return rung(range, best);
}

double tacit_bounded_halving(double length, int i) {
  return ldexp(HALVING * length, -i);
}

/* How much of a row's ramp of this half window one change moves. */
static double part_moved(const tacit_bounded *r, double width) {
  return fmin(1, ldexp(r->change, -TACIT_TARGET_BITS) / (2 * width));
}

static double strength_at(const tacit_facts *facts, const tacit_bounded *r, double spread) {
  return facts->rows * tacit_facts_mu(facts) /
         ((double)facts->schema->rows_per_unit * part_moved(r, WIDE * spread));
}

/* Of all goals, so that they have the same features. */
static double weakest(const tacit_facts *facts) {
  double least = INFINITY;
  for (size_t g = 0; g < facts->schema->target_count; g++) {
    const tacit_scale *scale = &facts->schema->targets[g].scale;
    const tacit_bounded r = {.change = tacit_scale_steps(scale, facts->schema->change)};
    least = fmin(least, strength_at(facts, &r, GUESS * tacit_scale_reach(scale)));
  }
  return least;
}

/* Windows narrow as the noise falls below what chance does to so many rows. */
static void set_widths(const tacit_facts *facts, tacit_bounded *r) {
  double s = r->spread, d = fmax(1, (double)r->d);
  double noise = fmin(3, sqrt(d) / (0.27 * strength_at(facts, r, s)) / (1.25 / sqrt(facts->rows)));
  r->start_width = 3 * r->target_spread;
  r->slope_width = WIDE * s;
  r->location_width = fmin(WIDE, 0.5 + noise) * s;
  r->spread_width = fmin(1, 0.5 + 0.25 * noise) * s;
  r->quantile_width = fmin(2, 0.87 + 1.2 * noise) * s;
  r->quantile_location_width = fmin(1.3, 0.4 + noise) * s;
  r->last_width = fmin(0.9, 0.26 + 0.5 * noise) * s;
}

void tacit_bounded_rules(const tacit_facts *facts, const tacit_choice *choice, size_t goal,
                         tacit_bounded *r) {
  const tacit_scale *scale = &facts->schema->targets[goal].scale;
  *r = (tacit_bounded){.change = tacit_scale_steps(scale, facts->schema->change),
                       .range = tacit_scale_reach(scale),
                       .target_spread = choice->radius[goal],
                       .spread = choice->spread[goal],
                       .clip = choice->clip[goal]};
  double features = (double)(facts->schema->columns - 1);
  r->strength = weakest(facts);
  r->d = r->strength >= FEW + MANY * features ? facts->schema->columns - 1 : 0;
  double few = fmax(0.03, fmin(0.3, 600 / (r->strength * r->strength))), rest = 1 - few;
  r->share = (tacit_bounded_shares){.centre = 0.5 * few, .spread = 0.5 * few};
  if (r->d == 0) {
    r->share.spreads = 0.1 * rest;
    r->share.quantile = 0.5 * rest;
    r->share.last = 0.4 * rest;
    r->spread = r->target_spread;
  } else {
    r->share.start = 0.15 * rest;
    r->share.residual = 0.03 * rest;
    r->share.median = 0.42 * rest;
    r->share.spreads = 0.03 * rest;
    r->share.quantile = 0.3 * rest;
    r->share.last = 0.07 * rest;
  }
  if (r->target_spread > 0 && r->spread > 0)
    set_widths(facts, r);
  else
    r->start_width = 3 * r->target_spread;
}

/* Releases of a goal, added to a plan one after the other. */
typedef struct course {
  const tacit_bounded *rules;
  tacit_release_plan *plan;
  size_t goal;
} course;

static tacit_status add_ramp(const course *c, double width, double share, tacit_error *error) {
  const tacit_mechanism m = {.kind = TACIT_RELEASE_RAMP,
                             .target = c->goal,
                             .dimension = 1,
                             .bits = TACIT_RAMP_BITS,
                             .width = width,
                             .change = c->rules->change};
  return tacit_plan_share(c->plan, m, share, 1, error);
}

static tacit_status add_slopes(const course *c, double width, double share, tacit_error *error) {
  const tacit_mechanism m = {.kind = TACIT_RELEASE_SLOPED,
                             .target = c->goal,
                             .dimension = c->rules->d,
                             .clip = c->rules->clip,
                             .bits = TACIT_RAMP_BITS + TACIT_WHITE_BITS,
                             .width = width,
                             .change = c->rules->change};
  return tacit_plan_share(c->plan, m, share, 1, error);
}

static tacit_status add_halvings(const course *c, double length, int count, double share,
                                 tacit_error *error) {
  for (int i = 0; i < count; i++)
    TACIT_TRY(add_ramp(c, tacit_bounded_halving(length, i), share / count, error));
  return TACIT_OK;
}

static tacit_status add_steps(const course *c, int steps, double whole, bool median, tacit_error *error) {
  const tacit_bounded *r = c->rules;
  double share = whole / steps;
  for (int t = 0; t < steps; t++) {
    if (r->d)
      TACIT_TRY(add_slopes(c, median ? r->slope_width : r->quantile_width,
                           share * (1 - TACIT_BOUNDED_LOCATION), error));
    TACIT_TRY(add_ramp(c, median ? r->location_width : r->quantile_location_width,
                       r->d ? share * TACIT_BOUNDED_LOCATION : share, error));
  }
  return TACIT_OK;
}

/* *open: what comes after is not known yet. */
static tacit_status plan_goal(const tacit_facts *facts, const tacit_choice *choice, size_t goal,
                              tacit_release_plan *plan, bool *open, tacit_error *error) {
  tacit_bounded r;
  tacit_bounded_rules(facts, choice, goal, &r);
  const course c = {&r, plan, goal};
  TACIT_TRY(add_halvings(&c, 2 * r.range, TACIT_BOUNDED_CENTRE, r.share.centre, error));
  TACIT_TRY(add_halvings(&c, r.range, TACIT_BOUNDED_SPREAD, r.share.spread, error));
  *open = r.target_spread == 0 || (r.d && r.clip == 0);
  if (*open) return TACIT_OK;
  if (r.d) {
    TACIT_TRY(add_slopes(&c, r.start_width, r.share.start, error));
    TACIT_TRY(add_halvings(&c, 2 * r.target_spread, TACIT_BOUNDED_RESIDUAL, r.share.residual, error));
    *open = r.spread == 0;
    if (*open) return TACIT_OK;
    TACIT_TRY(add_steps(&c, TACIT_BOUNDED_MEDIAN, r.share.median, true, error));
  }
  for (int t = 0; t < TACIT_BOUNDED_SPREADS; t++)
    TACIT_TRY(add_ramp(&c, r.spread_width, r.share.spreads / TACIT_BOUNDED_SPREADS, error));
  TACIT_TRY(add_steps(&c, TACIT_BOUNDED_QUANTILE, r.share.quantile, false, error));
  return add_ramp(&c, r.last_width, r.share.last, error);
}

tacit_status tacit_bounded_plan_on(const tacit_facts *facts, tacit_choice *choice, tacit_release_plan *plan,
                                   tacit_error *error) {
  bool open = false;
  tacit_plan_cut(plan, choice->settled_items);
  for (size_t g = choice->settled; g < facts->schema->target_count && !open; g++) {
    TACIT_TRY(plan_goal(facts, choice, g, plan, &open, error));
    if (open) break;
    choice->settled = g + 1;
    choice->settled_items = plan->list->mechanism_count;
  }
  return TACIT_OK;
}

static tacit_status plan(const tacit_facts *facts, const tacit_choice *choice, tacit_release_plan *plan,
                         tacit_error *error) {
  bool open = false;
  for (size_t g = 0; g < facts->schema->target_count && !open; g++)
    TACIT_TRY(plan_goal(facts, choice, g, plan, &open, error));
  return TACIT_OK;
}

static tacit_status check(const tacit_facts *facts, const tacit_learn_options *options, tacit_error *error) {
  (void)options;
  if (facts->schema->features_public) return TACIT_OK;
  return tacit_fail(error, TACIT_REFUSED,
                    "this method is for schemas whose features are public: add \"private\": \"target\" and, "
                    "where a unit moves targets by a limited amount, \"unit\": {\"change\": ...}");
}

static bool is_enough(const tacit_facts *facts) {
  bool enough = facts->schema->rows_per_unit <= UNIT_ROWS_MAX && weakest(facts) >= STRENGTH_LEAST;
  for (size_t g = 0; g < facts->schema->target_count; g++) enough &= facts->quantiles[g] >= QUANTILE_LEAST;
  return enough;
}

static tacit_status choose(const tacit_facts *facts, const tacit_learn_options *options, tacit_choice *choice,
                           tacit_error *error) {
  tacit_bounded r;
  (void)options;
  if (!is_enough(facts))
    return tacit_fail(
        error, TACIT_REFUSED,
        "this guarantee is too little for units of so many rows, or a quantile is below %g; use "
        "a larger mu, fewer rows per unit or a smaller change",
        QUANTILE_LEAST);
  tacit_bounded_rules(facts, choice, 0, &r);
  choice->features = r.d;
  return TACIT_OK;
}

static bool possible(const tacit_facts *facts, const tacit_choice *choice, const char **wrong) {
  tacit_bounded r;
  tacit_bounded_rules(facts, choice, 0, &r);
  bool right = facts->schema->features_public && is_enough(facts) && choice->features == r.d;
  *wrong = right ? NULL : "features";
  return right;
}

/* The release after those that are planned; its number says what was found. */
static const tacit_mechanism *after(const tacit_certificate *certificate, const tacit_release_plan *plan) {
  size_t at = plan->list->mechanism_count;
  return at < certificate->mechanism_count ? &certificate->mechanisms[at] : NULL;
}

static bool on_ladder(double range, double spread) {
  return spread > 0 && tacit_near(tacit_bounded_rung(range, spread), spread, TACIT_NEAR);
}

/* Which rung makes a plan go on as the list does. */
static bool find_rung(const tacit_facts *facts, tacit_choice *choice, double *spread, size_t goal,
                      const tacit_certificate *certificate, tacit_release_plan *plan) {
  const tacit_mechanism *next = after(certificate, plan);
  size_t items = plan->list->mechanism_count, settled = choice->settled,
         settled_items = choice->settled_items;
  double range = tacit_scale_reach(&facts->schema->targets[goal].scale);
  for (int k = 0; next && k < TACIT_BOUNDED_RUNGS; k++) {
    *spread = rung(range, k);
    if (tacit_bounded_plan_on(facts, choice, plan, NULL) != TACIT_OK) return false;
    if (plan->list->mechanism_count > items && plan->list->mechanisms[items].width == next->width)
      return true;
    choice->settled = settled; /* take it back */
    choice->settled_items = settled_items;
  }
  return false;
}

/* A norm that whitened rows can have. */
static bool clip_possible(const tacit_bounded *r, double clip) {
  return clip >= 0.25 * (1 - TACIT_NEAR) && clip <= sqrt((double)r->d) * (1 + TACIT_NEAR);
}

static bool read_list(const tacit_facts *facts, const tacit_certificate *certificate, tacit_choice *choice) {
  tacit_release_plan so_far;
  tacit_bounded r;
  bool right = tacit_plan_open(&so_far, facts, NULL) == TACIT_OK &&
               tacit_bounded_plan_on(facts, choice, &so_far, NULL) == TACIT_OK;
  for (size_t g = 0; right && g < facts->schema->target_count; g++) {
    tacit_bounded_rules(facts, choice, g, &r);
    const tacit_mechanism *next = after(certificate, &so_far);
    right = next != NULL;
    if (right && r.d) right = clip_possible(&r, choice->clip[g] = next->clip);
    right = right && find_rung(facts, choice, &choice->radius[g], g, certificate, &so_far);
    if (right && r.d) right = find_rung(facts, choice, &choice->spread[g], g, certificate, &so_far);
    right = right && on_ladder(r.range, choice->radius[g]);
  }
  tacit_plan_close(&so_far);
  return right;
}

static bool slopes(const tacit_choice *choice) {
  return choice->features != 0;
}

static const tacit_input INPUTS[] = {
    {"features", TACIT_INPUT_WHOLE, TACIT_AT(features), .least = 0, .most = TACIT_COLUMNS_MAX}};

const tacit_method tacit_method_bounded_change = {
    .name = "bounded-change",
    .about = "linear rules where a unit moves targets by a limited amount and features are public",
    .promise = TACIT_PROMISE_GAUSSIAN,
    .on_the_way = true,
    .inputs = INPUTS,
    .input_count = sizeof INPUTS / sizeof *INPUTS,
    .check = check,
    .choose = choose,
    .plan = plan,
    .plan_on = tacit_bounded_plan_on,
    .read_list = read_list,
    .possible = possible,
    .slopes = slopes,
};
