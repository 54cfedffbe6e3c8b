/* The Newton learners' public constants: functions of n, d, tau, mu and the schema, fitted by simulation on
   synthetic problems (bench/default_learner). */
#include "method/recipe.h"

#include "num/gamma.h"
#include "num/normal.h"

#include <math.h>

/* Shares of mu^2 before they are scaled to one. */
static const tacit_recipe_shares KNOWN = {
    .mean = 0.03, .moment = 0.12, .median = 0.45, .tail = 0.015, .quantile = 0.18, .last = 0.06};
static const tacit_recipe_shares WIDE = {.mean = 0.08,
                                         .radius = 0.02,
                                         .moment = 0.12,
                                         .median = 0.45,
                                         .tail = 0.015,
                                         .quantile = 0.18,
                                         .last = 0.06};
static const tacit_recipe_shares NO_FEATURES = {.target = 0.4, .tail = 0.05, .quantile = 0.35, .last = 0.2};
/* Bisection by counts needs a noise of some rows, whatever n: a larger share where n mu is small. */
static const double TARGET_LEAST = 0.03, TARGET_MOST = 0.3, TARGET_FEW = 600;
/* No slopes where n mu < FEW + MANY d: they would be noise. */
static const double FEW = 20, MANY = 2;
/* mu sqrt(n / d) from which on sampling error, not noise, rules. */
static const double RICH = 9;
/* From which on a step's noise is so small that steps can learn from each other, and this many will do. */
static const double RICHER = 64;
enum { FEWER_STEPS = 10 };
/* From which on levels can find out by themselves how far they have to go, after so many steps together. */
static const double PLENTY = 96;
enum { TOGETHER_STEPS = 4 };
/* With fewer rows of a column than this beyond the quantile it takes more steps, from this budget on; a
   quarter of them together. */
static const double THIN = 64, THIN_PLENTY = 16;
enum { THIN_TOGETHER = 4 };
/* Clip norm of a whitened row in sqrt(d), and bandwidth of the slopes' scores in residual spreads, at least.
 */
static const double CLIP = 0.5, BANDWIDTH = 0.15;
/* The radius of a row on a known scale, in sqrt(d): before and after centring. */
static const double KNOWN_RADIUS = 1.5, KNOWN_CENTRED = 1.2;

/* Each share times `rest`, but the target's. */
static tacit_recipe_shares times(tacit_recipe_shares s, double rest, double target) {
  return (tacit_recipe_shares){.target = target,
                               .far = s.far * rest,
                               .spread = s.spread * rest,
                               .times = s.times * rest,
                               .density = s.density * rest,
                               .sure = s.sure * rest,
                               .near = s.near * rest,
                               .mean = s.mean * rest,
                               .radius = s.radius * rest,
                               .moment = s.moment * rest,
                               .start = s.start * rest,
                               .median = s.median * rest,
                               .tail = s.tail * rest,
                               .quantile = s.quantile * rest,
                               .last = s.last * rest,
                               .size = s.size * rest,
                               .reach = s.reach * rest,
                               .spread_reach = s.spread_reach * rest,
                               .far_reach = s.far_reach * rest};
}

/* What all releases together have, before it is scaled: the rows' once, a target's once for each target, a
   goal's own for each goal. */
typedef struct total {
  double rows, median, tail, quantile, last, far, spread, times, density, sure, near, units;
} total;

static void add_to(total *sum, const tacit_recipe_shares *s, bool first_of_all, bool first_of_target) {
  if (first_of_all) {
    sum->rows += s->mean + s->radius + s->moment;
    sum->units += s->size;
  }
  if (first_of_target) {
    sum->units += s->reach + s->spread_reach;
    sum->median += s->median + s->start;
    sum->far += s->far;
    sum->spread += s->spread;
  }
  sum->tail += s->tail;
  sum->quantile += s->quantile;
  sum->last += s->last;
  sum->times += s->times;
  sum->density += s->density;
  sum->sure += s->sure;
  sum->near += s->near;
  sum->units += s->far_reach;
}

static double total_of(const total *sum) {
  return sum->rows + sum->median + sum->tail + sum->quantile + sum->last + sum->far + sum->spread +
         sum->times + sum->density + sum->sure + sum->near + sum->units;
}

static tacit_recipe_shares scaled(tacit_recipe_shares s, double target) {
  total sum = {0};
  add_to(&sum, &s, true, true);
  return times(s, (1 - target) / total_of(&sum), target);
}

/* c with E min(1, B / |z|) z z' = c I for z standard normal in d dimensions: what clipping leaves of the
 * curvature. */
double tacit_clip_gain(double d, double B) {
  return tacit_chi_square_cdf(d + 2, B * B) +
         B / d * sqrt(2) * tacit_gamma_ratio(d) * (1 - tacit_chi_square_cdf(d + 1, B * B));
}

/* Shares of what is counted of units, beside those below. */
static const double SIZE = 0.01, REACH = 0.03, SPREAD_REACH = 0.02, FAR_REACH = 0.05;

static void with_units(tacit_recipe_shares *s, bool slopes, bool spread, bool far) {
  s->size = SIZE;
  s->reach = slopes ? REACH : 0;
  s->spread_reach = spread ? SPREAD_REACH : 0;
  s->far_reach = far ? FAR_REACH : 0;
}

void tacit_recipe_choose(tacit_recipe *recipe, const tacit_recipe_size *size) {
  double rows = size->rows, mu_per_row = size->mu_per_row;
  bool known = size->known, buys = rows * mu_per_row >= FEW + MANY * (double)size->features;
  *recipe =
      (tacit_recipe){.d = buys ? size->features : 0, .known = known, .targets = 1, .units = size->units};
  if (recipe->d == 0) {
    recipe->share = NO_FEATURES;
    if (size->units) with_units(&recipe->share, false, false, true);
    recipe->share = scaled(recipe->share, NO_FEATURES.target);
    return;
  }
  double d = (double)recipe->d, root = sqrt(d), few = TARGET_FEW / (rows * mu_per_row) / (rows * mu_per_row);
  recipe->share = scaled(known ? KNOWN : WIDE, fmax(TARGET_LEAST, fmin(TARGET_MOST, few)));
  double wealth = mu_per_row * sqrt(rows / d);
  recipe->rich = fmin(1, wealth / RICH);
  recipe->secant = wealth >= RICHER;
  recipe->median_steps = recipe->secant ? FEWER_STEPS : TACIT_MEDIAN_STEPS;
  recipe->scaled_steps = recipe->stretched = TACIT_SCALED_STEPS;
  recipe->mean_clip = (known ? KNOWN_RADIUS : 1) * root;
  recipe->moment_clip = known ? KNOWN_CENTRED * root : 0;
  recipe->largest_clip = 2 * recipe->mean_clip;
  recipe->score_clip = fmax(CLIP, recipe->rich) * root;
  recipe->clip_gain = tacit_clip_gain(d, recipe->score_clip);
  recipe->slope_bandwidth = fmax(BANDWIDTH, recipe->rich / 2);
}

/* Quantiles nearer to the median hardly depend on the spread; and with fewer rows times mu than this for each
   feature its noise does more harm than it does good. */
static const double OUTER = 0.8, ENOUGH = 12;
/* Where features are public all else is so much better known that it takes more, the more the nearer the
   quantile is. */
static const double FAR_OUT = 0.9, OPEN_ENOUGH = 25, OPEN_NEAR_ENOUGH = 60;
/* Rows times mu from which on a count can tell how far some rows lie. */
static const double FAR_ENOUGH = 170;

/* Shares for intervals. */
static const double SURE = 0.08, NEAR = 0.02;

/* What the steps at the median get more where it is one of several quantiles: it has none of its own. */
static const double MEDIAN_ITSELF = 0.08;

/* Where features are public, the rows' shares are free, and some of them find the start. */
static const double START = 0.08;

/* Shares before they are scaled to one, for rules that may have a spread: of a goal that is scaled, of a
   target that has one. */
static tacit_recipe_shares with_spread(bool known, bool spread, bool scaled, bool far) {
  return (tacit_recipe_shares){.far = far ? 0.01 : 0,
                               .mean = known ? 0.03 : 0.08,
                               .radius = known ? 0 : 0.02,
                               .moment = 0.12,
                               .median = 0.45,
                               .spread = spread ? 0.25 : 0,
                               .tail = 0.015,
                               .times = scaled ? 0.06 : 0,
                               .density = scaled ? 0.015 : 0,
                               .quantile = scaled ? 0.3 : 0.18,
                               .last = 0.06};
}

bool tacit_recipe_is_outer(double tau) {
  return fmax(tau, 1 - tau) >= OUTER;
}

/* Whether a quantile lies so far out, and the budget buys a spread for it. */
static bool is_scaled(const tacit_recipe_size *size, double tau) {
  double enough = !size->open ? ENOUGH : fmax(tau, 1 - tau) >= FAR_OUT ? OPEN_ENOUGH : OPEN_NEAR_ENOUGH;
  return tacit_recipe_is_outer(tau) && size->rows * size->mu_per_row >= enough * (double)size->features;
}

/* The same of a goal or another of its target; and whether one of several is the median. */
static bool has_scaled(const tacit_recipe_goals *goals, size_t goal, const tacit_recipe_size *size) {
  bool scaled = is_scaled(size, goals->tau[goal]);
  for (size_t g = 0; goals->several && g < goals->count; g++) scaled |= is_scaled(size, goals->tau[g]);
  return scaled;
}

static bool has_median(const tacit_recipe_goals *goals) {
  bool median = false;
  for (size_t g = 0; goals->several && g < goals->count; g++) median |= goals->tau[g] == 0.5;
  return median;
}

static tacit_recipe_shares goal_shares(const tacit_recipe_goals *goals, size_t goal,
                                       const tacit_recipe_size *size) {
  tacit_recipe_shares s =
      with_spread(size->known, has_scaled(goals, goal, size), is_scaled(size, goals->tau[goal]),
                  size->rows * size->mu_per_row >= FAR_ENOUGH);
  if (size->open) s.mean = s.radius = s.moment = 0, s.start = START;
  if (size->units) with_units(&s, true, s.spread > 0, goals->tau[goal] != 0.5);
  if (has_median(goals)) s.median += MEDIAN_ITSELF;
  if (goals->several && goals->tau[goal] == 0.5) s.tail = s.quantile = s.last = 0; /* the centre is it */
  return s;
}

double tacit_recipe_whole(const tacit_recipe_size *size, const tacit_recipe_goals *goals) {
  total sum = {0};
  for (size_t g = 0; g < goals->count; g++) {
    tacit_recipe_shares s = goal_shares(goals, g, size);
    add_to(&sum, &s, g == 0, g == 0 || !goals->several);
  }
  return total_of(&sum);
}

void tacit_recipe_with_spread(tacit_recipe *recipe, const tacit_recipe_size *size, double square,
                              const tacit_recipe_goals *goals, size_t goal) {
  double whole = recipe->whole;
  tacit_recipe_choose(recipe, size);
  if (recipe->d == 0) return;
  if (!(whole > 0)) whole = tacit_recipe_whole(size, goals);
  recipe->whole = whole;
  size_t targets = goals->several ? 1 : goals->count;
  double target = recipe->share.target, rest = (double)goals->count * (1 - target) / whole;
  tacit_recipe_shares own = goal_shares(goals, goal, size);
  recipe->levels = true;
  recipe->open = size->open;
  recipe->targets = targets;
  recipe->scaled = own.times > 0;
  recipe->share = times(own, rest, target * (double)goals->count / (double)targets);
  if (!size->known) recipe->mean_clip = sqrt(square);
  recipe->largest_clip = 2 * recipe->mean_clip;
  recipe->clip_part = fmax(CLIP, recipe->rich);
}

void tacit_recipe_at_levels(tacit_recipe *recipe, const tacit_recipe_size *size, double tau,
                            tacit_steps_rule rule) {
  double each = size->rows / (double)recipe->d, wealth = size->mu_per_row * sqrt(each);
  bool plenty = wealth >= PLENTY && rule != TACIT_STEPS_EIGHT;
  recipe->thin = rule == TACIT_STEPS_NOW && wealth >= THIN_PLENTY && each * fmin(tau, 1 - tau) < THIN;
  if (recipe->thin) {
    recipe->scaled_steps = plenty ? TACIT_SCALED_MOST : TACIT_SCALED_MANY;
    recipe->stretched = recipe->scaled_steps / THIN_TOGETHER;
  } else if (plenty) {
    recipe->scaled_steps = TACIT_SCALED_MORE;
    recipe->stretched = TOGETHER_STEPS;
  }
}

/* The spread of a rule with one says it already. */
void tacit_recipe_with_intervals(tacit_recipe *recipe, double strength) {
  if (recipe->share.spread > 0) return;
  bool spread = recipe->d && strength >= ENOUGH * (double)recipe->d;
  recipe->share.sure = spread ? SURE : 0;
  recipe->share.near = NEAR;
  recipe->share = scaled(recipe->share, recipe->share.target);
}

void tacit_recipe_median_shares(int steps, double share[TACIT_MEDIAN_STEPS]) {
  static const double GROWTH = 1.1;
  double sum = 0;
  for (int t = 0; t < steps; t++) sum += share[t] = pow(GROWTH, t);
  for (int t = 0; t < steps; t++) share[t] /= sum;
}
