/* Rules that go on from the last policy's (follow.h has the idea and the symbols). Every release is a count,
   a sum of clipped rows or a sum of scores times clipped rows; everything else is computed from releases, the
   last policy and public facts (proofs/follow.md). */
#include "learn/follow.h"

#include "base/base.h"
#include "learn/learners.h"
#include "method/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double BANDWIDTH = 0.5;                                                /* in spreads */
static const double INSIDE = 0.6826894921370859, INSIDE_SLOPE = 0.4839414490382867; /* of a normal residual */
static const double SPREAD_MOST = 0.5;                                           /* of the target's range */
static const double SPREAD_LARGEST = 0.7;                                        /* step of its logarithm */
static const double SPREAD_FIRST = 0.3, SPREAD_STEP = 0.03, SPREAD_DRIFT = 0.05; /* variances of it */
static const double LARGEST = 1;       /* step of orders, in spreads */
static const double BELIEVED = 4;      /* variance of orders at most, in squares of the spread */
static const double CENTRE_MOST = 1e6; /* a coefficient that no chain reaches */
enum { SPREAD_OCTAVES = 9 };

static tacit_status open_follower(tacit_follower *f, tacit_task *task, tacit_error *error) {
  size_t p = task->schema->columns;
  const tacit_start *from = task->options->from;
  *f = (tacit_follower){.task = task,
                        .p = p,
                        .column = tacit_task_column(task, 0),
                        .n = task->facts.rows,
                        .range = tacit_scale_reach(&task->schema->targets[0].scale)};
  tacit_follow_rules(&task->facts, task->choice.followed, &f->recipe);
  if (task->choice.followed != (from != NULL)) return tacit_gate_astray(error);
  TACIT_TRY(from ? tacit_state_copy(from->state, &task->fit->state, error)
                 : tacit_state_new(p, &task->fit->state, error));
  f->state = task->fit->state;
  f->mean = tacit_alloc(7 * p + 1, sizeof(double));
  f->M = tacit_alloc(5 * p * p, sizeof(double));
  f->matrix = tacit_alloc(p * p > TACIT_FOLLOW_TAIL * p ? p * p : TACIT_FOLLOW_TAIL * p, sizeof(double));
  f->sum = tacit_alloc(p + TACIT_FOLLOW_TAIL + 2, sizeof(uint64_t));
  if (!f->mean || !f->M || !f->matrix || !f->sum) return tacit_no_memory(error);
  double **rows[] = {&f->e, &f->v, &f->x, &f->at, &f->released, &f->values};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) *rows[i] = f->mean + (i + 1) * p;
  f->root = f->M + p * p;
  f->V = f->root + p * p;
  f->P = f->V + p * p;
  return TACIT_OK;
}

static void close_follower(tacit_follower *f) {
  if (f->sum) tacit_free_wiped(f->sum, (f->p + TACIT_FOLLOW_TAIL + 2) * sizeof(uint64_t));
  free(f->mean);
  free(f->M);
  free(f->matrix);
}

tacit_status tacit_follow_begin(tacit_follower *f, tacit_error *error) {
  double top = log2(2 * f->range), octave;
  tacit_state *state = f->state;
  const tacit_bisection centre = {
      .level = 0.5, .lo = -f->range, .hi = f->range, .halvings = TACIT_FOLLOW_COUNTS};
  const tacit_bisection spread = {.level = INSIDE,
                                  .lo = top - SPREAD_OCTAVES,
                                  .hi = top,
                                  .octaves = true,
                                  .halvings = TACIT_FOLLOW_COUNTS};
  tacit_question question = {.kind = TACIT_QUESTION_COUNT,
                             .count = {.value = TACIT_VALUE_TARGET, .target = f->column}};
  TACIT_TRY(tacit_private_quantile(f->task, 0, &question, &centre, &state->centre[0], error));
  question.count.value = TACIT_VALUE_DISTANCE;
  question.count.centre = state->centre[0];
  TACIT_TRY(tacit_private_quantile(f->task, 0, &question, &spread, &octave, error));
  state->spread = fmin(exp2(octave), SPREAD_MOST * f->range);
  state->spread_variance = SPREAD_FIRST;
  for (size_t j = 0; j < f->p; j++) state->covariance[tacit_triangle(j) + j] = state->spread * state->spread;
  return TACIT_OK;
}

tacit_status tacit_follow_ask(tacit_follower *f, const tacit_score_part *part, bool count,
                              tacit_error *error) {
  const tacit_question question = {.kind = TACIT_QUESTION_SCORES,
                                   .image = &f->image,
                                   .scores = {.parts = part,
                                              .count = 1,
                                              .scores = true,
                                              .sides = count,
                                              .span = f->state->spread,
                                              .smoothing = f->state->spread}};
  return tacit_rows_ask(&f->task->rows, &question, f->sum, error);
}

tacit_status tacit_follow_scores(tacit_follower *f, const tacit_score_part *part, double *sigma,
                                 tacit_error *error) {
  const tacit_mechanism *planned = tacit_plan_next(&f->task->plan, 0);
  if (!planned || planned->level != part->tau || planned->clip != part->clip_norm ||
      planned->dimension != f->image.columns)
    return tacit_gate_astray(error); /* the pass held rows to another radius than the noise is for */
  return tacit_release_sum(&f->task->gate, 0, TACIT_RELEASE_SCORES, f->sum, f->released, sigma, error);
}

/* A step in the basis: each coordinate by its own gain, all together by no more than a spread. */
static void step(tacit_follower *f, double density, double sigma) {
  double all = 0, square = 0, s = f->state->spread, noise = sigma / (f->n * density);
  for (size_t k = 0; k < f->p; k++) all += f->v[k];
  double held = fmin(1, BELIEVED * s * s / all);
  for (size_t k = 0; k < f->p; k++) {
    double v = held * f->v[k], gain = v / (v + noise * noise);
    f->released[k] *= gain / (f->n * density);
    square += f->released[k] * f->released[k];
    f->v[k] = (1 - gain) * (1 - gain) * v + gain * gain * noise * noise;
  }
  double part = square > LARGEST * LARGEST * s * s ? LARGEST * s / sqrt(square) : 1;
  for (size_t k = 0; k < f->p; k++) f->x[k] -= part * f->released[k];
}

/* How many residuals lie within the spread: a step of its logarithm. */
static void follow_spread(tacit_follower *f, double count, double sigma) {
  tacit_state *state = f->state;
  double noise = sigma / (f->n * INSIDE_SLOPE),
         own = INSIDE * (1 - INSIDE) / (f->n * INSIDE_SLOPE * INSIDE_SLOPE);
  double gain = state->spread_variance / (state->spread_variance + noise * noise + own);
  double change = gain * (count / f->n - INSIDE) / INSIDE_SLOPE;
  state->spread *= exp(-fmax(-SPREAD_LARGEST, fmin(SPREAD_LARGEST, change)));
  state->spread = fmax(fmin(state->spread, SPREAD_MOST * f->range), ldexp(f->range, -24));
  state->spread_variance = state->spread_variance * (1 - gain) + SPREAD_STEP;
}

static double density_of(const tacit_follower *f) {
  return 0.3989422804014327 / (f->state->spread * hypot(1, BANDWIDTH));
}

/* The centre's numbers of the image's columns: V^-1 b = V' M b, since V'MV = 1. */
static void see_centre(tacit_follower *f) {
  size_t p = f->p;
  for (size_t j = 0; j < p; j++) {
    f->at[j] = 0;
    for (size_t k = 0; k < p; k++) f->at[j] += f->M[j * p + k] * f->state->centre[k];
  }
  for (size_t k = 0; k < p; k++) {
    f->values[k] = 0;
    for (size_t j = 0; j < p; j++) f->values[k] += f->V[j * p + k] * f->at[j];
  }
}

static tacit_status take_steps(tacit_follower *f, tacit_error *error) {
  double sigma = 0, count = 0, count_sigma = 0;
  see_centre(f);
  double density = density_of(f);
  f->sampling = 0.25 / (f->n * density * density);
  for (size_t k = 0; k < f->p; k++) f->v[k] = f->e[k] + f->sampling, f->x[k] = 0;
  for (size_t t = 0; t < TACIT_FOLLOW_STEPS; t++) {
    TACIT_TRY(tacit_progress(f->task->context, "learning", (double)t / TACIT_FOLLOW_STEPS, error));
    for (size_t k = 0; k < f->p; k++) f->at[k] = f->values[k] + f->x[k];
    const tacit_score_part part = {.target = f->column,
                                   .tau = 0.5,
                                   .kernel = TACIT_KERNEL_GAUSSIAN,
                                   .bandwidth = BANDWIDTH * f->state->spread,
                                   .coefficients = f->at,
                                   .clip_norm = f->recipe.score_clip};
    TACIT_TRY(tacit_follow_ask(f, &part, true, error));
    TACIT_TRY(tacit_follow_scores(f, &part, &sigma, error));
    TACIT_TRY(tacit_release_sum(&f->task->gate, 0, TACIT_RELEASE_COUNT, f->sum + f->p, &count, &count_sigma,
                                error));
    step(f, density_of(f), sigma);
    follow_spread(f, count, count_sigma);
  }
  return TACIT_OK;
}

/* From the sample's optimum to what it says of the truth, and back to the columns. */
static void conclude(tacit_follower *f) {
  size_t p = f->p;
  double *covariance = f->state->covariance;
  for (size_t k = 0; k < p; k++) {
    double all = f->e[k] + f->sampling, part = f->e[k] / all;
    f->x[k] *= part;
    f->e[k] = fmax(f->e[k] - part * part * (all - f->v[k]), 0);
  }
  for (size_t j = 0; j < p; j++) {
    for (size_t k = 0; k < p; k++) f->state->centre[j] += f->V[j * p + k] * f->x[k];
    f->state->centre[j] = fmax(-CENTRE_MOST, fmin(CENTRE_MOST, f->state->centre[j]));
    for (size_t k = 0; k <= j; k++, covariance++) {
      *covariance = 0;
      for (size_t l = 0; l < p; l++) *covariance += f->V[j * p + l] * f->e[l] * f->V[k * p + l];
    }
  }
  f->state->spread_variance += SPREAD_DRIFT;
}

static tacit_status learn(tacit_follower *f, tacit_error *error) {
  if (f->recipe.first) TACIT_TRY(tacit_follow_begin(f, error));
  TACIT_TRY(tacit_follow_rows(f, error));
  TACIT_TRY(tacit_follow_basis(f, error));
  TACIT_TRY(take_steps(f, error));
  conclude(f);
  if (f->recipe.tail) return tacit_follow_tail(f, error);
  memcpy(tacit_task_coefficients(f->task, 0), f->state->centre, f->p * sizeof(double));
  return TACIT_OK;
}

tacit_status tacit_learn_follow(tacit_task *task, tacit_error *error) {
  tacit_follower follower;
  tacit_status status = open_follower(&follower, task, error);
  if (status == TACIT_OK) status = tacit_task_pay(task, error);
  if (status == TACIT_OK) status = learn(&follower, error);
  close_follower(&follower);
  return status;
}
