/* How sure a rule with a spread is: no release is made for it.

   Sources of error are the location and the directions of the steps at the quantile, u = (location,
   directions), and location and slopes of log s, v. The rule follows the spread that was found: where v is
   wrong, u is moved by -B v, which undoes most of it. */
#include "learn/uncertainty.h"

#include "base/base.h"
#include "num/normal.h"

#include <math.h>
#include <stdlib.h>

static const double MOST = 3;                     /* of the logarithm of E s E 1/s */
static const double ROOM = 0.005;                 /* of the variance of s / h, at least */
static const double BANDWIDTH = 0.15 / TACIT_MAD; /* of scores at the quantile, in spreads */
static const double SPREAD_DENSITY =
    0.34; /* of log |residual| at its median, smoothed: a normal one's is a tenth larger */
static const double SPREAD_VARIANCE = 0.154; /* of a score there */
static const double CHANCE = 1.2; /* of a smoothed median of normal residuals: its variance times n */
static const double TIMES = 3.5;  /* the number of spreads may be so far from a normal residual's */
static const double WHOLE = 30;   /* the time after which a location has arrived */

/* What is known at the end, and room for what follows from it. */
typedef struct ending {
  const tacit_scaled *scaled;
  const tacit_arrived *arrived;
  size_t d, size; /* size: d + 2, of u */
  double *turn;   /* size x size: z = turn (1, w, t), the directions with their centre taken off */
  double *Z;      /* size x size: E zz' over all rows, */
  double *C;      /* and over rows weighed by 1 / s, */
  double *X;      /* size x (d + 1): E z (1, w)' over all rows */
  double *X0;     /* (d + 1) x (d + 1): E (1, w)(1, w)' */
  double *start, *room;
  tacit_flow flow, spread; /* how u and v follow their scores */
} ending;

static void set_turn(ending *e) {
  const tacit_curvature *c = e->arrived->curvature;
  size_t size = e->size;
  e->turn[0] = 1;
  for (size_t k = 0; k < c->size; k++)
    for (size_t j = 0; j < c->size; j++) {
      double part = c->direction[j * c->size + k];
      e->turn[(k + 1) * size + j + 1] = part;
      e->turn[(k + 1) * size] -= part * c->centre[j];
    }
}

/* E (1, w, t)(1, w, t)' where the mean of w is `mean` and its covariance S, E t = t[0], E tt = t[1]; into
   room. cross: d, the covariance of w and t. */
static bool fill(const ending *e, const double *mean, double *S, const double *cross, const double t[2]) {
  size_t d = e->d, size = e->size;
  double *M = e->room, needed;
  if (!tacit_made_definite(d, S, cross, &needed)) return false;
  M[0] = 1;
  for (size_t j = 0; j < d; j++) {
    M[j + 1] = M[(j + 1) * size] = mean[j];
    for (size_t k = 0; k < d; k++) M[(j + 1) * size + k + 1] = S[j * d + k] + mean[j] * mean[k];
    M[(j + 1) * size + size - 1] = M[(size - 1) * size + j + 1] = cross[j] + mean[j] * t[0];
  }
  M[size - 1] = M[(size - 1) * size] = t[0];
  M[size * size - 1] =
      fmax(t[1], t[0] * t[0] + needed + e->arrived->tilted->weight * e->arrived->tilted->weight * ROOM);
  return true;
}

/* All rows, and rows weighed by 1 / s. */
static bool set_moments(ending *e) {
  double weight = e->arrived->tilted->weight, plus, minus, twice;
  size_t d = e->d, size = e->size;
  double *zero = tacit_alloc(4 * d + 2 * d * d, sizeof *zero), *mean = zero + d, *cross = mean + d;
  double *unused = cross + d, *S = unused + d, *S1 = S + d * d;
  bool right = zero && tacit_weighed_rows(e->scaled, 2, unused, NULL, &twice) &&
               tacit_weighed_rows(e->scaled, 1, cross, NULL, &plus) &&
               tacit_weighed_rows(e->scaled, -1, mean, S1, &minus) &&
               tacit_weighed_rows(e->scaled, 0, zero, S, unused);
  if (right) { /* E s / h, and E s^2 / h^2 */
    double ratio = exp(fmin(plus + minus, MOST)), square = exp(fmin(twice + 2 * minus, 2 * MOST));
    for (size_t j = 0; j < d; j++) cross[j] *= weight * ratio;
    right = fill(e, zero, S, cross,
                 (double[2]){weight * (ratio - 1),
                             weight * weight * fmax(square - 2 * ratio + 1, (ratio - 1) * (ratio - 1))});
    right = right && tacit_add_around(size, e->turn, e->room, e->Z, size);
    for (size_t k = 0; k < size; k++)
      for (size_t j = 0; j <= d; j++)
        for (size_t l = 0; l < size; l++)
          e->X[k * (d + 1) + j] += e->turn[k * size + l] * e->room[l * size + j];
    for (size_t k = 0; k <= d; k++)
      for (size_t j = 0; j <= d; j++) e->X0[k * (d + 1) + j] = e->room[k * size + j];
    for (size_t j = 0; j < d; j++) cross[j] = -weight * mean[j];
    right = right && fill(e, mean, S1, cross, (double[2]){0, weight * weight * (ratio - 1)}) &&
            tacit_add_around(size, e->turn, e->room, e->C, size);
  }
  free(zero);
  return right;
}

/* What was unknown before the steps at the quantile: what they say, what rows by chance make of the median's
   slopes, and the number of spreads, which begins as a normal residual's. */
static void set_start(ending *e) {
  const tacit_newton *newton = &e->scaled->newton;
  const tacit_arrived *a = e->arrived;
  const tacit_curvature *c = a->curvature;
  double times = TIMES * a->tilted->h / a->tilted->weight;
  for (size_t k = 0; k < c->size; k++) {
    double back = c->length[k] * c->length[k], unknown = a->followed->start[k];
    for (size_t j = 0; j < c->size; j++) {
      double part = c->direction[j * c->size + k] * back;
      double by = j == e->d ? times * times : CHANCE * newton->s * newton->s / (newton->n * newton->gamma[j]);
      unknown += part * part * by;
    }
    e->start[(k + 1) * e->size + k + 1] = unknown;
  }
}

/* How u and v follow the scores. */
static bool set_steps(ending *e) {
  const tacit_followed *u = e->arrived->followed, *v = &e->scaled->followed;
  e->flow.taken[0] = e->spread.taken[0] = WHOLE;
  for (size_t k = 1; k < e->size; k++)
    e->flow.taken[k] = (e->scaled->newton.recipe.secant ? TACIT_LEARNED_PACE : 1) * u->taken[k - 1];
  for (size_t j = 1; j <= e->d; j++) e->spread.taken[j] = v->taken[j - 1];
  return tacit_flow_turn(&e->flow, e->C) && tacit_flow_turn(&e->spread, e->X0);
}

/* Rows are on both sides of the median's spreads as often, and beyond the quantile outside of them. */
static double shared_part(double tau) {
  return tau > 0.5 ? (1 - tau) / 2 : -tau / 2;
}

/* T X, over the density: how u follows sums of scores that go with (1, w). */
static void set_follow(ending *e) {
  size_t size = e->size, width = e->d + 1;
  for (size_t k = 0; k < size; k++)
    for (size_t j = 0; j < width; j++) {
      double sum = 0;
      for (size_t l = 0; l < size; l++) sum += e->flow.T[k * size + l] * e->X[l * width + j];
      e->room[k * width + j] = sum / e->arrived->f;
    }
  for (size_t i = 0; i < size * width; i++) e->X[i] = e->room[i];
}

/* The spread by itself. */
static bool set_spread(ending *e, double *C, size_t count) {
  const tacit_newton *newton = &e->scaled->newton;
  const tacit_followed *g = &e->scaled->followed;
  size_t width = e->d + 1;
  double reach = fmax(1, newton->recipe.score_clip / newton->recipe.clip_part), *start = e->room;
  double clip = tacit_clip_scatter(reach * reach, newton->recipe.score_clip);
  for (size_t i = 0; i < width * width; i++) {
    e->X0[i] *= SPREAD_VARIANCE / (newton->n * SPREAD_DENSITY * SPREAD_DENSITY) * (i ? clip : 1);
    start[i] = 0;
  }
  for (size_t j = 1; j < width; j++) {
    start[j * width + j] = g->start[j - 1];
    C[j * count + j] += g->noise[j - 1];
  }
  C[0] += e->scaled->Vag;
  return tacit_add_around(width, e->spread.T, e->X0, C, count) &&
         tacit_add_around(width, e->spread.L, start, C, count);
}

static bool set_covariance(ending *e, tacit_sources *sources) {
  const tacit_newton *newton = &e->scaled->newton;
  const tacit_arrived *a = e->arrived;
  size_t size = e->size, count = sources->count, width = e->d + 1;
  double *C = sources->covariance, f = a->f * a->tilted->h;
  double score = tacit_score_variance(newton->tau, BANDWIDTH, f) / (newton->n * a->f * a->f);
  double scatter = tacit_clip_scatter(fmax(1, a->clip * a->clip), a->clip);
  for (size_t k = 0; k < size; k++) {
    for (size_t l = 0; l < size; l++) e->Z[k * size + l] *= score * (k && l ? scatter : 1);
    C[k * count + k] += k ? a->followed->noise[k - 1] : a->Va;
  }
  double *moved = e->room; /* the location arrives */
  moved[0] = 0;
  for (size_t k = 1; k < size; k++) moved[k] = a->moved[k - 1];
  bool right = tacit_add_around(size, e->flow.T, e->Z, C, count) &&
               tacit_flow_ahead(&e->flow, moved, C, count) &&
               tacit_add_around(size, e->flow.L, e->start, C, count);
  double both = shared_part(newton->tau) / (newton->n * SPREAD_DENSITY);
  for (size_t k = 0; k < size; k++)
    for (size_t j = 0; j < width; j++) {
      double sum = 0;
      for (size_t l = 0; l < width; l++) sum += e->X[k * width + l] * e->spread.T[j * width + l];
      C[k * count + size + j] = C[(size + j) * count + k] = both * sum;
    }
  return right && set_spread(e, C + size * count + size, count);
}

/* What u does to the rule: slopes, location and number of spreads. */
static void carry_quantile(const ending *e, const double *u, double *x, double *out) {
  const tacit_newton *newton = &e->scaled->newton;
  const tacit_curvature *c = e->arrived->curvature;
  const tacit_tilted *tilted = e->arrived->tilted;
  double a = u[0], last = 0;
  for (size_t j = 0; j < c->size; j++) {
    double moved = 0;
    for (size_t k = 0; k < c->size; k++) moved += c->direction[j * c->size + k] * u[k + 1];
    a -= c->centre[j] * moved;
    if (j < e->d)
      x[j] = moved;
    else
      last = tilted->weight * moved;
  }
  tacit_newton_coefficients(newton, x, a - last, out);
  out[2 * newton->schema->columns] = last / tilted->h;
}

static void set_carried(ending *e, tacit_sources *sources) {
  const tacit_newton *newton = &e->scaled->newton;
  size_t p = newton->schema->columns;
  double *u = e->room, *x = u + e->size, rows = e->arrived->f * e->arrived->tilted->h * e->scaled->times;
  for (size_t i = 0; i < e->size; i++) {
    for (size_t k = 0; k < e->size; k++) u[k] = k == i;
    carry_quantile(e, u, x, sources->carried + i * sources->numbers);
  }
  for (size_t j = 0; j <= e->d; j++) {
    double *out = sources->carried + (e->size + j) * sources->numbers;
    for (size_t k = 0; k < e->size; k++) u[k] = -rows * e->X[k * (e->d + 1) + j];
    carry_quantile(e, u, x, out);
    for (size_t k = 0; k < e->d; k++) x[k] = k + 1 == j;
    tacit_newton_coefficients(newton, x, j == 0, out + p);
  }
}

tacit_status tacit_scaled_uncertainty(const tacit_scaled *scaled, const tacit_arrived *arrived,
                                      tacit_error *error) {
  tacit_task *task = scaled->newton.task;
  size_t d = scaled->newton.d, size = d + 2, square = size * size;
  if (!task->choice.intervals) return TACIT_OK;
  ending e = {.scaled = scaled, .arrived = arrived, .d = d, .size = size};
  tacit_sources sources = {0};
  e.turn = tacit_alloc(7 * square, sizeof *e.turn);
  bool right = e.turn && tacit_sources_open(&sources, size + d + 1, task) && tacit_flow_open(&e.flow, size) &&
               tacit_flow_open(&e.spread, d + 1);
  if (right) {
    e.Z = e.turn + square;
    e.C = e.Z + square;
    e.X = e.C + square;
    e.X0 = e.X + square;
    e.start = e.X0 + square;
    e.room = e.start + square;
    set_turn(&e);
    set_start(&e);
    right = set_moments(&e) && set_steps(&e);
    set_follow(&e);
    right = right && set_covariance(&e, &sources);
    set_carried(&e, &sources);
  }
  tacit_status status =
      right ? tacit_sources_give(&sources, task, scaled->newton.target, error) : tacit_no_memory(error);
  tacit_sources_close(&sources);
  tacit_flow_close(&e.flow);
  tacit_flow_close(&e.spread);
  free(e.turn);
  return status;
}
