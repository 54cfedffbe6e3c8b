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
/* Clip norm of a whitened row in sqrt(d), and bandwidth of the slopes' scores in residual spreads, at least.
 */
static const double CLIP = 0.5, BANDWIDTH = 0.15;
/* The radius of a row on a known scale, in sqrt(d): before and after centring. */
static const double KNOWN_RADIUS = 1.5, KNOWN_CENTRED = 1.2;

static tacit_recipe_shares scaled(tacit_recipe_shares s, double target) {
  double rest = (1 - target) / (s.mean + s.radius + s.moment + s.median + s.tail + s.quantile + s.last +
                                s.far + s.spread + s.times + s.density + s.sure + s.near);
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
                               .median = s.median * rest,
                               .tail = s.tail * rest,
                               .quantile = s.quantile * rest,
                               .last = s.last * rest};
}

/* c with E min(1, B / |z|) z z' = c I for z standard normal in d dimensions: what clipping leaves of the
 * curvature. */
double tacit_clip_gain(double d, double B) {
  return tacit_chi_square_cdf(d + 2, B * B) +
         B / d * sqrt(2) * tacit_gamma_ratio(d) * (1 - tacit_chi_square_cdf(d + 1, B * B));
}

void tacit_recipe_choose(tacit_recipe *recipe, double rows, size_t features, bool known, double mu_per_row) {
  bool buys = rows * mu_per_row >= FEW + MANY * (double)features;
  *recipe = (tacit_recipe){.d = buys ? features : 0, .known = known};
  if (recipe->d == 0) {
    recipe->share = scaled(NO_FEATURES, NO_FEATURES.target);
    return;
  }
  double d = (double)features, root = sqrt(d), few = TARGET_FEW / (rows * mu_per_row) / (rows * mu_per_row);
  recipe->share = scaled(known ? KNOWN : WIDE, fmax(TARGET_LEAST, fmin(TARGET_MOST, few)));
  double wealth = mu_per_row * sqrt(rows / d);
  recipe->rich = fmin(1, wealth / RICH);
  recipe->secant = wealth >= RICHER;
  recipe->median_steps = recipe->secant ? FEWER_STEPS : TACIT_MEDIAN_STEPS;
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
/* Rows times mu from which on a count can tell how far some rows lie. */
static const double FAR_ENOUGH = 170;

/* Shares for intervals. */
static const double SURE = 0.08, NEAR = 0.02;

/* Shares before they are scaled to one, for rules that may have a spread. */
static tacit_recipe_shares with_spread(bool known, bool spread, bool far) {
  return (tacit_recipe_shares){.far = far ? 0.01 : 0,
                               .mean = known ? 0.03 : 0.08,
                               .radius = known ? 0 : 0.02,
                               .moment = 0.12,
                               .median = 0.45,
                               .spread = spread ? 0.25 : 0,
                               .tail = 0.015,
                               .times = spread ? 0.06 : 0,
                               .density = spread ? 0.015 : 0,
                               .quantile = spread ? 0.3 : 0.18,
                               .last = 0.06};
}

bool tacit_recipe_is_outer(double tau) {
  return fmax(tau, 1 - tau) >= OUTER;
}

void tacit_recipe_with_spread(tacit_recipe *recipe, double rows, size_t features, bool known, double square,
                              double mu_per_row, double tau) {
  double strength = rows * mu_per_row;
  bool spread = tacit_recipe_is_outer(tau) && strength >= ENOUGH * (double)features;
  tacit_recipe_choose(recipe, rows, features, known, mu_per_row);
  if (recipe->d == 0) return;
  recipe->levels = true;
  recipe->share = scaled(with_spread(known, spread, strength >= FAR_ENOUGH), recipe->share.target);
  if (!known) recipe->mean_clip = sqrt(square);
  recipe->largest_clip = 2 * recipe->mean_clip;
  recipe->clip_part = fmax(CLIP, recipe->rich);
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
