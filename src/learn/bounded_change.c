/* Linear rules from ramps of the target: one unit moves at most k rows' targets by a little each, so that a
   ramp of many times that width hardly moves (proofs/bounded-change.md).

   The centre and spread of the target by halvings; a start of the slopes by a ramp so wide that it is the
   target itself, cut; the spread of what is left; Newton steps at the median and then at the quantile, each
   taken with its gain (median_newton.h has the idea and the symbols). A ramp smooths: normal residuals of
   spread s have a mean ramp about a + z s, of half window g s, of

     A(z, g) = {(z + g) Phi(z + g) + phi(z + g) - (z - g) Phi(z - g) - phi(z - g)} / 2g,

   so that is what counts and scores are held against, not the level itself. Windows narrow with the noise,
   and the last one of the location is the narrowest. */
#include "method/bounded_change.h"
#include "base/base.h"
#include "learn/learners.h"
#include "learn/location_scale.h"
#include "learn/public_rows.h"
#include "num/linalg.h"
#include "num/normal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TRUST = 0.9; /* how much of a step of the slopes is believed to arrive */
static const double HETERO =
    0.15;                        /* slopes at tau may differ from the median's by this times z_tau spreads */
static const double SHAPE = 0.3; /* and the quantile from the normal one's */
static const double LARGEST = 0.5;        /* step of the logarithm of the spread */
static const double CURVE = 0.16;         /* of a normal residual at the median, squared */
static const double RICH = 9, CLIP = 0.5; /* as in method/recipe.c */
static const double LEAST_CLIP = 0.25;

typedef struct bounded {
  tacit_task *task;
  size_t goal, d;
  double n, tau;
  tacit_bounded rules;
  tacit_row_image image;
  double a, Va, before, s, Vs;
  double *mean, *S, *W, *size, *matrix, *gamma, *shortened, *x, *V, *u;
  uint64_t *sum;
} bounded;

/* The mean ramp of a normal residual, and its slope. */
static double smoothed(double z, double g) {
  double up = z + g, down = z - g;
  return (up * tacit_normal_cdf(up) + tacit_normal_pdf(up) - down * tacit_normal_cdf(down) -
          tacit_normal_pdf(down)) /
         (2 * g);
}

static double density(double z, double g) {
  return (tacit_normal_cdf(z + g) - tacit_normal_cdf(z - g)) / (2 * g);
}

/* Of those within so many spreads, where windows have g of them. */
static double inside(double spans, double g) {
  return smoothed(spans, g) - smoothed(-spans, g);
}

/* The next release must be what is asked: its noise is for this window. */
static tacit_status as_planned(const bounded *b, tacit_release_kind kind, double width, tacit_error *error) {
  const tacit_mechanism *m = tacit_plan_next(&b->task->plan, b->goal);
  bool right = m && m->kind == kind && m->width == width && m->change == b->rules.change &&
               (kind == TACIT_RELEASE_RAMP || (m->clip == b->rules.clip && m->dimension == b->d));
  return right ? TACIT_OK : tacit_gate_astray(error);
}

static tacit_question ramps(const bounded *b, double offset, double width) {
  return (tacit_question){.kind = TACIT_QUESTION_RAMPS,
                          .image = &b->image,
                          .ramps = {.target = tacit_task_column(b->task, b->goal),
                                    .coefficients = b->x,
                                    .offset = offset,
                                    .width = width,
                                    .clip_norm = b->rules.clip,
                                    .below_width = width,
                                    .within_width = width}};
}

/* The part of rows below `at`, or within span of it, and the noise of that. */
static tacit_status count(bounded *b, double at, double span, double width, double *part, double *noise,
                          tacit_error *error) {
  tacit_question question = ramps(b, at, width);
  question.ramps.span = span;
  TACIT_TRY(as_planned(b, TACIT_RELEASE_RAMP, width, error));
  TACIT_TRY(tacit_rows_ask(&b->task->rows, &question, b->sum, error));
  TACIT_TRY(tacit_release_sum(&b->task->gate, b->goal, TACIT_RELEASE_RAMP, b->sum + (span > 0), part, noise,
                              error));
  *part /= b->n;
  *noise /= b->n;
  return TACIT_OK;
}

/* Bisection of a bracket: of rows below a number, or within one of a. */
static tacit_status halve(bounded *b, double lo, double hi, bool spread, int halvings, double *found,
                          tacit_error *error) {
  double length = hi - lo, level = spread ? TACIT_INSIDE : 0.5, below = 0, above = 1, noise;
  for (int i = 0; i < halvings; i++) {
    double middle = (lo + hi) / 2, part;
    TACIT_TRY(count(b, spread ? b->a : middle, spread ? middle : 0, tacit_bounded_halving(length, i), &part,
                    &noise, error));
    part = fmin(fmax(part, below), above);
    if (part < level)
      lo = middle, below = part;
    else
      hi = middle, above = part;
  }
  double left = above - below;
  *found = lo + (hi - lo) * (left > 1e-9 ? (level - below) / left : 0.5);
  return TACIT_OK;
}

static tacit_status set_image(bounded *b, size_t columns, tacit_error *error) {
  b->image = (tacit_row_image){.inputs = b->task->schema->columns,
                               .columns = columns,
                               .cell_bits = TACIT_WHITE_BITS,
                               .narrow = true,
                               .matrix = columns ? b->matrix : NULL};
  return tacit_row_image_seal(&b->image, error);
}

/* W = E (ev + worth)^(-1/2): directions worth less than the noise of their steps stay short. */
static tacit_status whiten(bounded *b, tacit_error *error) {
  size_t d = b->d, p = d + 1;
  double strength = b->rules.strength, reach = 0, worth = (double)d / (CURVE * strength * strength);
  memcpy(b->W, b->S, d * d * sizeof *b->W);
  if (!tacit_eigen(d, b->W, b->size))
    return tacit_fail(error, TACIT_INTERNAL, "the eigenvalues of a moment could not be found");
  for (size_t k = 0; k < d; k++) {
    double ev = fmax(b->size[k], 1e-12);
    b->size[k] = ev + worth;
    reach += ev / b->size[k];
    b->matrix[k * p] = 0;
    for (size_t j = 0; j < d; j++) {
      b->W[j * d + k] /= sqrt(b->size[k]);
      b->matrix[k * p + j + 1] = b->W[j * d + k];
      b->matrix[k * p] -= b->W[j * d + k] * b->mean[j];
    }
  }
  double rich = fmin(1, strength / sqrt(b->n * (double)d) / RICH);
  b->rules.clip = fmax(LEAST_CLIP, fmax(CLIP, rich) * sqrt(reach));
  b->task->choice.clip[b->goal] = b->rules.clip;
  TACIT_TRY(set_image(b, d, error));
  return tacit_public_clipped(b->task, &b->image, b->rules.clip, b->shortened, b->gamma, error);
}

/* What was found is entered, and the plan goes on with it. */
static tacit_status go_on(bounded *b, tacit_error *error) {
  TACIT_TRY(tacit_task_plan_on(b->task, error));
  tacit_bounded_rules(&b->task->facts, &b->task->choice, b->goal, &b->rules);
  return TACIT_OK;
}

/* The released sum of (ramp - 1/2) w about the rule, as a Newton step: u, with noise *noise, against `aim`.
 */
static tacit_status ask_slopes(bounded *b, double width, double aim, double f, double *noise,
                               tacit_error *error) {
  tacit_question question = ramps(b, b->a, width);
  question.ramps.scores = true;
  TACIT_TRY(as_planned(b, TACIT_RELEASE_SLOPED, width, error));
  TACIT_TRY(tacit_rows_ask(&b->task->rows, &question, b->sum, error));
  TACIT_TRY(tacit_release_sum(&b->task->gate, b->goal, TACIT_RELEASE_SLOPED, b->sum, b->u, noise, error));
  for (size_t k = 0; k < b->d; k++) b->u[k] = (b->u[k] + (0.5 - aim) * b->shortened[k]) / (b->n * f);
  *noise /= b->n * f;
  return TACIT_OK;
}

static void move_slopes(bounded *b, double noise, double trust) {
  for (size_t k = 0; k < b->d; k++)
    b->x[k] -= b->u[k] * tacit_newton_gain(&b->V[k], noise * noise, b->gamma[k], trust);
}

/* A ramp so wide that it is the target, cut at its ends. */
static tacit_status start(bounded *b, tacit_error *error) {
  double width = b->rules.start_width, square = b->s * b->s, noise;
  for (size_t k = 0; k < b->d; k++) b->V[k] = square * fmin(1, b->size[k]);
  tacit_newton_cap(b->V, b->gamma, b->d, square);
  TACIT_TRY(ask_slopes(b, width, 0.5, density(0, width / b->s) / b->s, &noise, error));
  move_slopes(b, noise, 0.8);
  return TACIT_OK;
}

static tacit_status slope_step(bounded *b, double level, double width, tacit_error *error) {
  double z = tacit_normal_quantile(level), g = width / b->s, noise;
  TACIT_TRY(ask_slopes(b, width, smoothed(z, g), density(z, g) / b->s, &noise, error));
  tacit_newton_cap(b->V, b->gamma, b->d, b->s * b->s);
  move_slopes(b, noise, TRUST);
  return TACIT_OK;
}

static tacit_status location_step(bounded *b, double level, double width, tacit_error *error) {
  double z = tacit_normal_quantile(level), g = width / b->s, f = density(z, g) / b->s, part, noise;
  TACIT_TRY(count(b, b->a, 0, width, &part, &noise, error));
  double u = (part - smoothed(z, g)) / f, most = 1.5 * b->s;
  double move = tacit_number_step(&b->Va, u, noise * noise / (f * f), b->before);
  b->before = u;
  b->a -= fmax(-most, fmin(most, move));
  return TACIT_OK;
}

/* How many lie within one spread: a step of the logarithm of the spread. */
static tacit_status spread_step(bounded *b, tacit_error *error) {
  double width = b->rules.spread_width, g = width / b->s, part, noise;
  double slope = (inside(1.01, 1.01 * g) - inside(0.99, 0.99 * g)) / 0.02;
  TACIT_TRY(count(b, b->a, b->s, width, &part, &noise, error));
  double gain = tacit_newton_gain(&b->Vs, noise * noise / (slope * slope), 1, 1);
  double step = gain * (part - inside(1, g)) / slope;
  b->s = fmin(b->s * exp(-fmax(-LARGEST, fmin(LARGEST, step))), 2 * b->rules.target_spread);
  return TACIT_OK;
}

/* Centre and spread of the target, the rows, the first slopes and what they leave. */
static tacit_status begin(bounded *b, tacit_error *error) {
  double range = b->rules.range, least = range / 256;
  TACIT_TRY(set_image(b, 0, error));
  TACIT_TRY(halve(b, -range, range, false, TACIT_BOUNDED_CENTRE, &b->a, error));
  TACIT_TRY(halve(b, 0, range, true, TACIT_BOUNDED_SPREAD, &b->s, error));
  b->s = b->task->choice.radius[b->goal] = tacit_bounded_rung(range, fmax(least, b->s));
  b->Va = b->s * b->s;
  b->Vs = 0.1;
  if (b->d) TACIT_TRY(whiten(b, error));
  TACIT_TRY(go_on(b, error));
  if (!b->d) return TACIT_OK;
  TACIT_TRY(start(b, error));
  double left;
  TACIT_TRY(halve(b, 0, 2 * b->s, true, TACIT_BOUNDED_RESIDUAL, &left, error));
  b->s = b->task->choice.spread[b->goal] = tacit_bounded_rung(range, fmax(least, left));
  return go_on(b, error);
}

static tacit_status at_median(bounded *b, tacit_error *error) {
  for (int t = 0; b->d && t < TACIT_BOUNDED_MEDIAN; t++) {
    TACIT_TRY(tacit_progress(b->task->context, "learning", 0.2 + 0.1 * t, error));
    TACIT_TRY(slope_step(b, 0.5, b->rules.slope_width, error));
    TACIT_TRY(location_step(b, 0.5, b->rules.location_width, error));
  }
  for (int t = 0; t < TACIT_BOUNDED_SPREADS; t++) TACIT_TRY(spread_step(b, error));
  return TACIT_OK;
}

/* From the median to tau: the normal guess, and room for slopes and quantile to differ from it. */
static tacit_status at_quantile(bounded *b, tacit_error *error) {
  double z = tacit_normal_quantile(b->tau), apart = HETERO * z * b->s, shape = SHAPE * z * b->s;
  b->a += z * b->s;
  b->Va = fmin(b->Va, b->s * b->s) + shape * shape;
  b->before = 0;
  for (size_t k = 0; k < b->d; k++) b->V[k] += apart * apart / (double)b->d;
  for (int t = 0; t < TACIT_BOUNDED_QUANTILE; t++) {
    if (b->d) TACIT_TRY(slope_step(b, b->tau, b->rules.quantile_width, error));
    TACIT_TRY(location_step(b, b->tau, b->rules.quantile_location_width, error));
  }
  return location_step(b, b->tau, b->rules.last_width, error);
}

static tacit_status learn_goal(bounded *b, size_t goal, tacit_error *error) {
  tacit_task *task = b->task;
  b->goal = goal;
  b->tau = task->facts.quantiles[goal];
  b->before = 0;
  memset(b->x, 0, (b->d + 1) * sizeof *b->x);
  tacit_bounded_rules(&task->facts, &task->choice, goal, &b->rules);
  TACIT_TRY(begin(b, error));
  TACIT_TRY(at_median(b, error));
  TACIT_TRY(at_quantile(b, error));
  double *out = tacit_task_coefficients(task, goal);
  out[0] = b->a;
  for (size_t j = 0; j < b->d; j++) {
    double slope = 0;
    for (size_t k = 0; k < b->d; k++) slope += b->W[j * b->d + k] * b->x[k];
    out[j + 1] = slope;
    out[0] -= slope * b->mean[j];
  }
  return TACIT_OK;
}

static tacit_status open_bounded(bounded *b, tacit_error *error) {
  size_t d = b->d, p = d + 1;
  b->mean = tacit_alloc(8 * p + 2 * d * d + d * p, sizeof *b->mean);
  b->sum = tacit_alloc(d + 2, sizeof *b->sum);
  if (!b->mean || !b->sum) return tacit_no_memory(error);
  b->size = b->mean + p;
  b->gamma = b->size + p;
  b->shortened = b->gamma + p;
  b->x = b->shortened + p;
  b->V = b->x + p;
  b->u = b->V + p;
  b->S = b->u + 2 * p;
  b->W = b->S + d * d;
  b->matrix = b->W + d * d;
  return TACIT_OK;
}

tacit_status tacit_learn_bounded_change(tacit_task *task, tacit_error *error) {
  bounded b = {.task = task, .d = task->choice.features, .n = task->facts.rows};
  tacit_status status = open_bounded(&b, error);
  if (status == TACIT_OK) status = tacit_task_pay(task, error);
  if (status == TACIT_OK && b.d) status = tacit_public_mean(task, b.mean, error);
  if (status == TACIT_OK && b.d) status = tacit_public_covariance(task, b.mean, b.S, error);
  for (size_t g = 0; status == TACIT_OK && g < task->schema->target_count; g++)
    status = learn_goal(&b, g, error);
  if (b.sum) tacit_free_wiped(b.sum, (b.d + 2) * sizeof *b.sum);
  free(b.mean);
  return status;
}
