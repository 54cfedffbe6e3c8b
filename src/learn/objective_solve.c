/* The perturbed objective's minimiser, to a certified gradient: Newton's method while it shortens the
   gradient, then steps that cannot fail (proofs/objective-perturbation.md, "A policy always results").

   How it gets there is nobody's concern: what is released has noise for the certified distance to the exact
   minimiser, whatever the path. */
#include "learn/objective_gradient.h"

#include "base/base.h"
#include "num/clones.h"
#include "num/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEWTON_MOST = 2000, HALVINGS = 16, CHUNKS = 16, MAJORISED = 4, SEARCH = 48 };

typedef struct workspace {
  const tacit_perturbed *problem;
  size_t d;
  double norm;                              /* certified, at theta */
  tacit_int128 *theta, *trial;              /* d */
  double *gradient, *trial_gradient, *step; /* d */
  double *slopes, *trial_slopes;            /* rows */
  double *hessian;                          /* CHUNKS x d x d */
  tacit_int128 *sums;                       /* threads x d */
  size_t passes;
} workspace;

static size_t chunk_count(size_t d) {
  return d <= 256 ? CHUNKS : 1;
}

/* Adds weight x x' of each row to the upper triangle. Four rows at a time: a line of the triangle is loaded
   and stored once for them. */
enum { TOGETHER = 4 };
TACIT_CLONES static void add_rows(const tacit_clipped_rows *rows, size_t from, size_t to,
                                  const double *slopes, double fixed, double *restrict h) {
  size_t d = rows->columns;
  double x[TOGETHER][TACIT_COLUMNS_MAX], w[TOGETHER];
  for (size_t i = from; i < to; i += TOGETHER) {
    for (size_t r = 0; r < TOGETHER; r++) {
      bool here = i + r < to;
      const int32_t *cells = rows->cells + (here ? i + r : i) * d;
      w[r] = !here ? 0 : fixed > 0 ? fixed : slopes[i + r];
      for (size_t j = 0; j < d; j++) x[r][j] = (double)cells[j];
    }
    if (w[0] == 0 && w[1] == 0 && w[2] == 0 && w[3] == 0) continue;
    for (size_t j = 0; j < d; j++) {
      double a = w[0] * x[0][j], b = w[1] * x[1][j], c = w[2] * x[2][j], e = w[3] * x[3][j];
      double *restrict line = h + j * d;
      for (size_t k = j; k < d; k++) line[k] += (a * x[0][k] + b * x[1][k]) + (c * x[2][k] + e * x[3][k]);
    }
  }
  for (size_t r = 0; r < TOGETHER; r++) tacit_wipe(x[r], d * sizeof *x[r]);
}

/* The Hessian, or with fixed > 0 a matrix above it everywhere; the same bits for every number of threads. */
static void fill_hessian(workspace *w, double fixed) {
  const tacit_perturbed *p = w->problem;
  size_t d = w->d, chunks = chunk_count(d), n = p->rows->rows;
  double unit = ldexp(1, -2 * TACIT_CELL_BITS);
  memset(w->hessian, 0, chunks * d * d * sizeof *w->hessian);
#pragma omp parallel for num_threads(p->threads) if (p->threads > 1) schedule(static)
  for (size_t c = 0; c < chunks; c++)
    add_rows(p->rows, n * c / chunks, n * (c + 1) / chunks, w->slopes, fixed, w->hessian + c * d * d);
  for (size_t c = 1; c < chunks; c++)
    for (size_t k = 0; k < d * d; k++) w->hessian[k] += w->hessian[c * d * d + k];
  for (size_t j = 0; j < d; j++)
    for (size_t k = j; k < d; k++)
      w->hessian[k * d + j] = w->hessian[j * d + k] = w->hessian[j * d + k] * unit + (j == k ? p->lambda : 0);
}

/* trial = theta - t step on the grid; false where it would leave the range of exact arithmetic. */
static bool move(workspace *w, double t) {
  const tacit_int128 most = (tacit_int128)1 << (TACIT_THETA_BITS + TACIT_THETA_MOST);
  for (size_t j = 0; j < w->d; j++) {
    double step = t * w->step[j];
    if (!(fabs(step) < ldexp(1, TACIT_THETA_MOST))) return false;
    w->trial[j] = w->theta[j] - (tacit_int128)ldexp(step, TACIT_THETA_BITS);
    if (w->trial[j] > most || w->trial[j] < -most) return false;
  }
  return true;
}

static double measure_trial(workspace *w) {
  w->passes++;
  return tacit_perturbed_gradient_slopes(w->problem, w->trial, w->trial_gradient, w->trial_slopes, w->sums);
}

static void accept(workspace *w, double norm) {
  double *g = w->gradient, *s = w->slopes;
  memcpy(w->theta, w->trial, w->d * sizeof *w->theta);
  w->gradient = w->trial_gradient;
  w->slopes = w->trial_slopes;
  w->trial_gradient = g;
  w->trial_slopes = s;
  w->norm = norm;
}

/* One Newton step, halved until it shortens the gradient; false when none does. */
static bool newton(workspace *w) {
  fill_hessian(w, 0);
  memcpy(w->step, w->gradient, w->d * sizeof *w->step);
  if (!tacit_solve_definite(w->d, w->hessian, w->step)) return false;
  double t = 1;
  for (int k = 0; k < HALVINGS; k++, t /= 2) {
    if (!move(w, t)) continue;
    double norm = measure_trial(w);
    if (norm <= w->norm * (1 - t / 8)) {
      accept(w, norm);
      return true;
    }
  }
  return false;
}

/* How fast the objective falls along the step at trial: below 0 past the lowest point of the line. */
static double slope_at(const workspace *w) {
  double dot = 0;
  for (size_t j = 0; j < w->d; j++) dot += w->trial_gradient[j] * w->step[j];
  return dot;
}

/* Newton's direction, as far as the objective falls. With the table's scores the objective is piecewise
   quadratic, where steps like this reach the minimum after finitely many, however narrow the pieces are; a
   gradient that has to shorten at once may first have to cross many of them. False when it does not move. */
static bool searched(workspace *w) {
  fill_hessian(w, 0);
  memcpy(w->step, w->gradient, w->d * sizeof *w->step);
  if (!tacit_solve_definite(w->d, w->hessian, w->step)) return false;
  double low = 0, high = INFINITY, t = 1, start = 0;
  for (size_t j = 0; j < w->d; j++) start += w->gradient[j] * w->step[j];
  for (int k = 0; k < SEARCH && high > low; k++) {
    double norm = 0, slope = -1;
    if (move(w, t)) {
      norm = measure_trial(w);
      slope = slope_at(w);
    }
    if (fabs(slope) <= start / 16 || (k == SEARCH - 1 && slope >= 0)) {
      accept(w, norm);
      return true;
    }
    if (slope > 0)
      low = t;
    else
      high = t;
    t = high < INFINITY ? low + (high - low) / 2 : 2 * t;
  }
  if (!(low > 0) || !move(w, low)) return false;
  accept(w, measure_trial(w));
  return true;
}

/* A step by a matrix above the Hessian everywhere lowers the objective, whatever it does to the gradient. */
static bool majorised(workspace *w) {
  fill_hessian(w, w->problem->steepest);
  memcpy(w->step, w->gradient, w->d * sizeof *w->step);
  if (!tacit_solve_definite(w->d, w->hessian, w->step) || !move(w, 1)) return false;
  accept(w, measure_trial(w));
  return true;
}

/* theta - G / M from 0 on: the rule that is proved to end. */
static tacit_status descend(workspace *w, double gamma, const tacit_context *context, tacit_error *error) {
  const tacit_perturbed *p = w->problem;
  double M = ((double)p->rows->rows * p->smoothness + p->lambda) * (1 + 0x1p-40);
  memset(w->trial, 0, w->d * sizeof *w->trial);
  accept(w, measure_trial(w));
  while (w->norm > gamma) {
    for (size_t j = 0; j < w->d; j++) w->step[j] = w->gradient[j] / M;
    TACIT_TRY(tacit_progress(context, "learning", 0.5, error));
    if (!move(w, 1)) return tacit_fail(error, TACIT_INTERNAL, "the descent left its range");
    accept(w, measure_trial(w));
  }
  return TACIT_OK;
}

static tacit_status solve(workspace *w, double gamma, const tacit_context *context, tacit_error *error) {
  accept(w, measure_trial(w)); /* at 0 */
  for (int k = 0; k < NEWTON_MOST && w->norm > gamma; k++) {
    TACIT_TRY(tacit_progress(context, "learning", 0.5, error));
    if (newton(w) || searched(w)) continue;
    int m = 0;
    while (m < MAJORISED && w->norm > gamma && majorised(w)) m++;
    if (m == 0) break; /* nothing moves it: not again */
  }
  return w->norm <= gamma ? TACIT_OK : descend(w, gamma, context, error);
}

/* One block of memory for everything. */
static size_t lay_out(workspace *w, const tacit_clipped_rows *rows, int threads, char *memory) {
  size_t d = rows->columns, n = rows->rows, at = 0, parts = (size_t)(threads > 1 ? threads : 1);
#define TAKE(field, count)                                                                                   \
  do {                                                                                                       \
    if (memory) w->field = (void *)(memory + at);                                                            \
    at += ((count) * sizeof *w->field + 63) / 64 * 64;                                                       \
  } while (0)
  TAKE(theta, d);
  TAKE(trial, d);
  TAKE(sums, parts * d);
  TAKE(gradient, d);
  TAKE(trial_gradient, d);
  TAKE(step, d);
  TAKE(slopes, n);
  TAKE(trial_slopes, n);
  TAKE(hessian, chunk_count(d) * d * d);
#undef TAKE
  return at;
}

tacit_status tacit_solver_room_new(const tacit_clipped_rows *rows, int threads, tacit_solver_room *room,
                                   tacit_error *error) {
  room->bytes = lay_out(&(workspace){.d = rows->columns}, rows, threads, NULL);
  room->memory = tacit_alloc_aligned(room->bytes, 1);
  return room->memory ? TACIT_OK : tacit_no_memory(error);
}

void tacit_solver_room_free(tacit_solver_room *room) {
  tacit_free_wiped(room->memory, room->bytes);
  room->memory = NULL;
}

tacit_status tacit_perturbed_solve(const tacit_perturbed *problem, double gamma,
                                   const tacit_solver_room *room, const tacit_context *context,
                                   tacit_int128 *theta, size_t *passes, tacit_error *error) {
  workspace w = {.problem = problem, .d = problem->rows->columns};
  if (!room->memory) return tacit_no_memory(error);
  lay_out(&w, problem->rows, problem->threads, room->memory);
  memset(w.trial, 0, w.d * sizeof *w.trial); /* where it starts */
  tacit_status status = solve(&w, gamma, context, error);
  memcpy(theta, w.theta, w.d * sizeof *theta);
  if (passes) *passes = w.passes;
  return status;
}
