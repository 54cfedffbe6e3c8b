/* How sure a rule with a spread is: no release is made for it.

   Sources of error are the location and the directions of the steps at the quantile, u = (location,
   directions), and location and slopes of log s, v. The rule follows the spread that was found: where v is
   wrong, u is moved by -B v, which undoes most of it. */
#include "learn/uncertainty.h"

#include "base/base.h"
#include "num/normal.h"

#include <math.h>
#include <stdlib.h>

static const double BANDWIDTH = 0.15 / TACIT_MAD; /* of scores at the quantile, in spreads */
static const double SPREAD_DENSITY = 0.3779;      /* of log |normal| at its median, smoothed by 0.5 */
static const double SPREAD_VARIANCE = 0.1434;     /* of a score there */

/* What is known at the end, and room for what follows from it. */
typedef struct ending {
  const tacit_scaled *scaled;
  const tacit_arrived *arrived;
  size_t d, size; /* size: d + 2, of u */
  double *Z;      /* size x size: E zz', z = (1, directions' (w, t) - centre) */
  double *X;      /* size x (d + 1): E z (1, w)' */
  double *both;   /* d: E~ w, rows weighed by s */
} ending;

/* Directions' times a column (first, rest) of moments of (1, (w, t)), with the centre taken off. */
static double turned(const ending *e, size_t k, double first, const double *rest) {
  const tacit_curvature *c = e->arrived->curvature;
  double sum = 0;
  if (k == 0) return first;
  for (size_t j = 0; j < c->size; j++)
    sum += c->direction[j * c->size + k - 1] * (rest[j] - c->centre[j] * first);
  return sum;
}

/* Moments of (1, w, t) over all rows, turned. E w = 0. */
static void set_moments(ending *e, double *column) {
  const tacit_newton *newton = &e->scaled->newton;
  const tacit_tilted *tilted = e->arrived->tilted;
  size_t d = e->d, size = e->size;
  double ratio = tilted->average / tilted->h, mean_t = tilted->weight * (ratio - 1);
  double square = tilted->weight * tilted->weight * fmax(0, ratio * tilted->full / tilted->h - 2 * ratio + 1);
  for (size_t j = 0; j <= d; j++) { /* column j: E (w, t) (1, w)_j */
    for (size_t k = 0; k < d; k++) column[k] = j && k == j - 1 ? newton->gamma[k] : 0;
    column[d] = j ? tilted->weight * ratio * e->both[j - 1] : mean_t;
    for (size_t k = 0; k < size; k++) e->X[k * (d + 1) + j] = turned(e, k, j == 0, column);
  }
  for (size_t k = 0; k < size; k++) { /* E z (1, w, t)', turned from the other side */
    double first = e->X[k * (d + 1)];
    const tacit_curvature *c = e->arrived->curvature;
    double last = 0;
    if (k) {
      for (size_t j = 0; j < d; j++)
        last +=
            c->direction[j * c->size + k - 1] * (tilted->weight * ratio * e->both[j] - c->centre[j] * mean_t);
      last += c->direction[d * c->size + k - 1] * (square - c->centre[d] * mean_t);
    } else {
      last = mean_t;
    }
    for (size_t j = 0; j < d; j++) column[j] = e->X[k * (d + 1) + j + 1];
    column[d] = last;
    for (size_t l = 0; l < size; l++) e->Z[k * size + l] = turned(e, l, first, column);
  }
}

/* What a sum of scores is multiplied by to move u, and v: over n. */
static double quantile_step(const ending *e, size_t k) {
  const tacit_arrived *a = e->arrived;
  return (k ? (1 - a->left[k - 1]) / a->curvature->curve[k - 1] : 1) / a->f;
}

static double spread_step(const ending *e, size_t j) {
  const tacit_newton *newton = &e->scaled->newton;
  return (j ? (1 - e->scaled->left_g[j - 1]) / newton->gamma[j - 1] : 1) / SPREAD_DENSITY;
}

/* Rows are on both sides of the median's spreads as often, and beyond the quantile outside of them. */
static double shared_part(double tau) {
  return tau > 0.5 ? (1 - tau) / 2 : -tau / 2;
}

static void set_covariance(const ending *e, tacit_sources *sources) {
  const tacit_newton *newton = &e->scaled->newton;
  const tacit_arrived *a = e->arrived;
  size_t size = e->size, count = sources->count;
  double *C = sources->covariance, f = a->f * a->tilted->h;
  double score = tacit_score_variance(newton->tau, BANDWIDTH, f) / newton->n;
  double scatter = tacit_clip_scatter(fmax(1, a->clip * a->clip), a->clip);
  double reach = fmax(1, newton->recipe.score_clip / newton->recipe.clip_part);
  double spread = SPREAD_VARIANCE / newton->n * tacit_clip_scatter(reach * reach, newton->recipe.score_clip);
  for (size_t k = 0; k < size; k++) {
    for (size_t l = 0; l < size; l++)
      C[k * count + l] =
          score * (k && l ? scatter : 1) * quantile_step(e, k) * quantile_step(e, l) * e->Z[k * size + l];
    C[k * count + k] += k ? a->V[k - 1] : a->Va;
    for (size_t j = 0; j <= e->d; j++)
      C[k * count + size + j] = C[(size + j) * count + k] = shared_part(newton->tau) / newton->n *
                                                            quantile_step(e, k) * spread_step(e, j) *
                                                            e->X[k * (e->d + 1) + j];
  }
  for (size_t j = 0; j <= e->d; j++) {
    double step = spread_step(e, j), own = step * step * spread * (j ? newton->gamma[j - 1] : 1);
    C[(size + j) * count + size + j] = own + (j ? e->scaled->Vg[j - 1] : e->scaled->Vag);
  }
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

static void set_carried(const ending *e, tacit_sources *sources, double *u, double *x) {
  const tacit_newton *newton = &e->scaled->newton;
  size_t p = newton->schema->columns;
  for (size_t i = 0; i < e->size; i++) {
    for (size_t k = 0; k < e->size; k++) u[k] = k == i;
    carry_quantile(e, u, x, sources->carried + i * sources->numbers);
  }
  for (size_t j = 0; j <= e->d; j++) {
    double *out = sources->carried + (e->size + j) * sources->numbers;
    for (size_t k = 0; k < e->size; k++)
      u[k] = -e->arrived->f * e->arrived->tilted->h * e->scaled->times * quantile_step(e, k) *
             e->X[k * (e->d + 1) + j];
    carry_quantile(e, u, x, out);
    for (size_t k = 0; k < e->d; k++) x[k] = k + 1 == j;
    tacit_newton_coefficients(newton, x, j == 0, out + p);
  }
}

tacit_status tacit_scaled_uncertainty(const tacit_scaled *scaled, const tacit_arrived *arrived,
                                      tacit_error *error) {
  tacit_task *task = scaled->newton.task;
  size_t d = scaled->newton.d, size = d + 2;
  if (!task->choice.intervals) return TACIT_OK;
  ending e = {.scaled = scaled, .arrived = arrived, .d = d, .size = size};
  tacit_sources sources = {0};
  e.Z = tacit_alloc(size * (size + d + 1) + 3 * size, sizeof *e.Z);
  bool right = e.Z && tacit_sources_open(&sources, size + d + 1, task);
  if (right) {
    double *column = e.Z + size * (size + d + 1), *x = column + size;
    e.X = e.Z + size * size;
    e.both = x + size;
    right = tacit_weighed_rows(scaled, 1, e.both, NULL);
    if (right) {
      set_moments(&e, column);
      set_covariance(&e, &sources);
      set_carried(&e, &sources, column, x);
    }
  }
  tacit_status status =
      right ? tacit_sources_give(&sources, task, scaled->newton.target, error) : tacit_no_memory(error);
  tacit_sources_close(&sources);
  free(e.Z);
  return status;
}
