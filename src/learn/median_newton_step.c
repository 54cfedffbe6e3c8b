/* The last part of median-newton: noisy Newton steps of slopes, location and spread, each taken with
 * its gain. */
#include "base/base.h"
#include "learn/median_newton.h"
#include "method/newton_plan.h"
#include "num/normal.h"

#include <math.h>
#include <string.h>

static const double BANDWIDTH = 0.15; /* of the location's counts, in spreads */
/* What lies within one spread grows by this per unit of the logarithm of the span. */
static const double INSIDE_SLOPE = 0.484;
static const double DRIFT = 0.1;   /* variance that the logarithm of the spread gains with each step */
static const double LARGEST = 0.7; /* step of the logarithm of the spread */
static const double HETERO =
    0.15; /* slopes at tau may differ from the median's by this times z_tau spreads */
/* How much of a step of the slopes is believed to arrive, where sampling error rules: of the first eight
   little, so that what is wrong with the start is soon forgotten, later all, so that the noise of steps is
   averaged. */
enum { EARLY_STEPS = 8 };
static const double EARLY_TRUST = 0.5, LATE_TRUST = 1;
/* Where noise is small, and spreads may differ from row to row, one bandwidth for all is too wide for rows of
   small spread, and what it smooths away is a bias that no budget mends: from this step on it shrinks by that
   from one to the next. Sooner, or faster, steps overshoot. Where a spread is learned the centre may stay
   smooth: steps at the quantile, in spreads of each row, come after it. */
enum { NARROWER_FROM = 6 };
static const double NARROWER = 0.85;
static const double SHAPE = 0.3; /* the quantile may differ from the normal one by this times z_tau spreads */

double tacit_newton_gain(double *V, double v, double gamma, double trust) {
  double k = *V > 0 ? gamma * *V / (gamma * gamma * *V + v) : 0, left = 1 - trust * k * gamma;
  *V = left * left * *V + k * k * v;
  return k;
}

void tacit_newton_cap(double *V, const double *gamma, size_t d, double total) {
  double sum = 0;
  for (size_t k = 0; k < d; k++) sum += V[k] * gamma[k];
  for (size_t k = 0; sum > total && k < d; k++) V[k] *= total / sum;
}

/* The density at the level's quantile of a normal residual of spread s, smoothed with bandwidth h s. */
static double density(const tacit_newton *newton, double level, double h) {
  double wide = sqrt(1 + h * h);
  return tacit_normal_pdf(tacit_normal_quantile(level) / wide) / (newton->s * wide);
}

/* One pass over the rows at the current slopes, location and spread, for the three steps below: the sum of
   {Phi((a + w'x - y) / h) - level} w, w clipped (Zhao's Algorithm 1 in whitened rows), how many residuals lie
   within one spread of a, and their smoothed number below a. */
static tacit_score_part part_of(const tacit_newton *newton, double level, bool slopes) {
  double h = slopes ? newton->bandwidth : BANDWIDTH;
  return (tacit_score_part){.target = newton->column,
                            .tau = tacit_newton_asked(&newton->recipe, level),
                            .kernel = TACIT_KERNEL_GAUSSIAN,
                            .bandwidth = h * newton->s,
                            .coefficients = newton->x,
                            .offset = newton->a,
                            .clip_norm = newton->recipe.score_clip};
}

static tacit_question question_of(const tacit_newton *newton, const tacit_score_part *part, bool slopes) {
  return (tacit_question){.kind = TACIT_QUESTION_SCORES,
                          .units = tacit_newton_units(newton, TACIT_INSIDE, part->tau),
                          .image = &newton->white,
                          .last_image = newton->last,
                          .scores = {.parts = part,
                                     .count = 1,
                                     .scores = slopes,
                                     .sides = true,
                                     .span = newton->s,
                                     .smoothing = BANDWIDTH * newton->s}};
}

static tacit_status pass_over_rows(tacit_newton *newton, double level, bool slopes, tacit_error *error) {
  const tacit_score_part part = part_of(newton, level, slopes);
  const tacit_question question = question_of(newton, &part, slopes);
  newton->within = newton->sum + (slopes ? newton->d : 0);
  newton->below = newton->within + 1;
  return tacit_rows_ask(&newton->task->rows, &question, newton->sum, error);
}

/* The trust in step t of the slopes, those at the quantile being the last ones. */
static double trust(const tacit_newton *newton, int t) {
  if (newton->recipe.rich < 1 || newton->recipe.secant) return TACIT_NEWTON_TRUST;
  return t < EARLY_STEPS ? EARLY_TRUST : LATE_TRUST;
}

/* A Newton step of the slopes: with the curvature of normal residuals and rows, and what earlier steps found
   to be wrong with it. */
static tacit_status slope_step(tacit_newton *newton, double level, double believed, tacit_error *error) {
  double h = newton->bandwidth, curve = newton->n * density(newton, level, h) * newton->recipe.clip_gain,
         sigma;
  const tacit_mechanism *planned = tacit_plan_next(&newton->task->plan, newton->target);
  double asked = tacit_newton_asked(&newton->recipe, level);
  if (!planned || planned->level != asked || planned->clip != newton->recipe.score_clip ||
      planned->unit != (newton->recipe.units ? newton->unit[0] : 0))
    return tacit_gate_astray(error); /* the pass held rows to another radius than the noise is for */
  TACIT_TRY(tacit_release_sum(&newton->task->gate, newton->target, TACIT_RELEASE_SCORES, newton->sum,
                              newton->u, &sigma, error));
  double noise = sigma / curve;
  for (size_t k = 0; newton->shortened && k < newton->d; k++)
    newton->u[k] += (asked - level) * newton->shortened[k];
  for (size_t k = 0; k < newton->d; k++) newton->u[k] /= curve;
  if (newton->recipe.secant) tacit_secant_learn(&newton->secant, newton->x, newton->u, noise, level);
  for (size_t k = 0; k < newton->d; k++)
    newton->u[k] *=
        tacit_followed_gain(&newton->followed, k, &newton->V[k], noise * noise, newton->gamma[k], believed);
  tacit_secant_turn(&newton->secant, newton->u, newton->step);
  for (size_t k = 0; k < newton->d; k++) newton->x[k] -= newton->step[k];
  return TACIT_OK;
}

/* Of the rows within or below, and what each was taken less. */
static tacit_status release_count(tacit_newton *newton, uint64_t *sum, double level, double *count,
                                  double *sigma, tacit_error *error) {
  const tacit_mechanism *planned = tacit_plan_next(&newton->task->plan, newton->target);
  double unit = newton->unit[sum == newton->within ? 1 : 2];
  if (!planned || planned->unit != (newton->recipe.units ? unit : 0)) return tacit_gate_astray(error);
  TACIT_TRY(
      tacit_release_sum(&newton->task->gate, newton->target, TACIT_RELEASE_COUNT, sum, count, sigma, error));
  *count += tacit_newton_less(newton, level);
  return TACIT_OK;
}

/* The share of residuals below a, smoothed, against the level: a Newton step of the location, given to *a. */
static tacit_status location_step(tacit_newton *newton, double level, double *a, tacit_error *error) {
  double f = density(newton, level, BANDWIDTH), count = 0, sigma = 0;
  TACIT_TRY(release_count(newton, newton->below, level, &count, &sigma, error));
  double noise = sigma / (newton->n * f);
  double gain = tacit_followed_gain(&newton->followed, newton->d, &newton->Va, noise * noise, 1, 1);
  double step = gain * (count / newton->n - level) / f;
  *a = newton->a - fmax(-newton->s, fmin(newton->s, step));
  return TACIT_OK;
}

/* How many residuals lie within one spread of a: a step of the logarithm of the spread, given to *s. */
static tacit_status spread_step(tacit_newton *newton, double *s, tacit_error *error) {
  double count, sigma;
  TACIT_TRY(release_count(newton, newton->within, TACIT_INSIDE, &count, &sigma, error));
  double noise = sigma / (newton->n * INSIDE_SLOPE),
         gain = tacit_newton_gain(&newton->Vs, noise * noise, 1, 1);
  double step = gain * (count / newton->n - TACIT_INSIDE) / INSIDE_SLOPE;
  newton->Vs += DRIFT;
  *s = fmin(newton->s * exp(-fmax(-LARGEST, fmin(LARGEST, step))), 2 * newton->y_far);
  return TACIT_OK;
}

/* How far units reach, where the steps stand. */
static tacit_status find_reach(tacit_newton *newton, double level, tacit_unit_clip kind, tacit_error *error) {
  bool slopes = newton->d > 0, median = kind == TACIT_CLIP_MEDIAN;
  const tacit_score_part part = part_of(newton, level, slopes);
  const tacit_question question = question_of(newton, &part, slopes);
  return tacit_newton_reach(newton, &question, kind, (const bool[]){slopes, median, true}, error);
}

static bool narrows(const tacit_newton *newton) {
  const tacit_recipe *recipe = &newton->recipe;
  return recipe->secant && recipe->levels && recipe->share.spread == 0;
}

tacit_status tacit_newton_at_median(tacit_newton *newton, tacit_error *error) {
  double a = newton->a, s = newton->s;
  int steps = newton->recipe.median_steps;
  newton->Vs = 0.5;
  newton->bandwidth = newton->recipe.slope_bandwidth;
  for (int t = 0; t < steps; t++) {
    TACIT_TRY(tacit_progress(newton->task->context, "learning", 0.1 + 0.7 * t / steps, error));
    if (narrows(newton) && t >= NARROWER_FROM) newton->bandwidth *= NARROWER;
    if (t == TACIT_UNIT_STEPS) TACIT_TRY(find_reach(newton, 0.5, TACIT_CLIP_MEDIAN, error));
    TACIT_TRY(pass_over_rows(newton, 0.5, true, error));
    TACIT_TRY(spread_step(newton, &s, error));
    tacit_newton_cap(newton->V, newton->gamma, newton->d, newton->s * newton->s);
    newton->Va = fmin(newton->Va, newton->s * newton->s);
    TACIT_TRY(slope_step(newton, 0.5, trust(newton, t), error));
    TACIT_TRY(location_step(newton, 0.5, &a, error));
    newton->a = a;
    newton->s = s;
  }
  return TACIT_OK;
}

/* From the median to tau: the normal guess, and room for slopes and quantile to differ from it. */
static void move_to_quantile(tacit_newton *newton) {
  double z = tacit_normal_quantile(newton->tau), apart = HETERO * z * newton->s;
  newton->a += z * newton->s;
  newton->Va = fmin(newton->Va, newton->s * newton->s) + (SHAPE * z * newton->s) * (SHAPE * z * newton->s);
  for (size_t k = 0; k < newton->d; k++) newton->V[k] += apart * apart / (double)newton->d;
  tacit_newton_cap(newton->V, newton->gamma, newton->d, newton->s * newton->s);
}

tacit_status tacit_newton_at_quantile(tacit_newton *newton, tacit_error *error) {
  bool far;
  TACIT_TRY(tacit_newton_tail(newton, &far, error));
  if (far) return TACIT_OK;
  move_to_quantile(newton);
  if (tacit_newton_counts_reach(&newton->recipe, newton->tau))
    TACIT_TRY(find_reach(newton, newton->tau, TACIT_CLIP_QUANTILE, error));
  for (int t = 0; t < TACIT_QUANTILE_STEPS; t++) {
    TACIT_TRY(tacit_progress(newton->task->context, "learning", 0.8 + 0.2 * t / TACIT_QUANTILE_STEPS, error));
    TACIT_TRY(pass_over_rows(newton, newton->tau, newton->d > 0, error));
    if (newton->d) TACIT_TRY(slope_step(newton, newton->tau, trust(newton, TACIT_MEDIAN_STEPS), error));
    TACIT_TRY(location_step(newton, newton->tau, &newton->a, error));
  }
  TACIT_TRY(pass_over_rows(newton, newton->tau, false, error));
  return location_step(newton, newton->tau, &newton->a, error);
}
