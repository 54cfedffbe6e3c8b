/* Smoothed ERM of many columns by limited-memory BFGS (Liu and Nocedal 1989) in the metric of the rows: a
   pass costs n p, where second derivatives cost n p^2.

     F(b) = (1/n) sum_i l_h(y_i - x_i'b)       g  its gradient
     M    X'X / n over some of the rows        s, v  the last steps, and by how much they changed g

   Where errors are like each other, the second derivative is nearly f M with f their density at the quantile,
   and steps along M^-1 g know almost everything; what they do not know the last few (s, v) tell. */
#include "erm/erm_gradient.h"

#include "num/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 12, PASSES = 80, HALVINGS = 12 };
/* Of a normal density at its outer quantiles, in spreads: the first step is a little too short. */
static const double DENSITY = 0.35;

typedef struct pair {
  double *s, *v, along; /* s'v */
} pair;

typedef struct state {
  const tacit_gradient_fit *fit;
  size_t p, kept, next;
  pair last[KEPT];
  double scale;       /* of M^-1 in the inverse second derivative */
  double *b, *g, *d;  /* the point, its gradient, the step */
  double *trial, *tg; /* the next point and its gradient */
  double value, tvalue;
} state;

static double dot(size_t p, const double *a, const double *b) {
  double sum = 0;
  for (size_t j = 0; j < p; j++) sum += a[j] * b[j];
  return sum;
}

static double evaluate(const state *s, const double *b, double *g) {
  const tacit_smooth_pass *pass = s->fit->pass;
  double n = (double)pass->taken, value = tacit_smooth_pass_run(pass, s->fit->h, b, g, NULL, NULL);
  for (size_t j = 0; j < s->p; j++) g[j] /= n;
  return value / n;
}

/* x <- M^-1 x */
static void solve_metric(const state *s, double *x) {
  tacit_solve_upper_turned(s->p, s->fit->metric->upper, s->p, x);
  tacit_solve_upper(s->p, s->fit->metric->upper, s->p, x);
}

/* d = minus the inverse second derivative, as far as it is known, times g. */
static void find_step(state *s) {
  double alpha[KEPT];
  size_t p = s->p;
  for (size_t j = 0; j < p; j++) s->d[j] = -s->g[j];
  for (size_t k = 0; k < s->kept; k++) {
    const pair *l = &s->last[(s->next + 2 * KEPT - 1 - k) % KEPT];
    alpha[k] = dot(p, l->s, s->d) / l->along;
    for (size_t j = 0; j < p; j++) s->d[j] -= alpha[k] * l->v[j];
  }
  solve_metric(s, s->d);
  for (size_t j = 0; j < p; j++) s->d[j] *= s->scale;
  for (size_t k = s->kept; k-- > 0;) {
    const pair *l = &s->last[(s->next + 2 * KEPT - 1 - k) % KEPT];
    double beta = dot(p, l->v, s->d) / l->along;
    for (size_t j = 0; j < p; j++) s->d[j] += (alpha[k] - beta) * l->s[j];
  }
}

/* |U d|: how far a step moves the fitted values. */
static double length_of(const state *s, const double *d) {
  double square = 0;
  for (size_t k = 0; k < s->p; k++) { /* d'M d from the lower triangle */
    const double *column = s->fit->metric->moment + k * s->p;
    square += d[k] * (column[k] * d[k] + 2 * dot(s->p - k - 1, column + k + 1, d + k + 1));
  }
  return sqrt(fmax(0, square));
}

/* Enough of a decrease; where differences of F drown in rounding, its slopes tell (erm_smooth.c). */
static bool decreased(const state *s, double along) {
  double before = dot(s->p, s->g, s->d) * along, after = dot(s->p, s->tg, s->d) * along;
  if (s->tvalue <= s->value + 1e-4 * before) return true;
  return s->tvalue <= s->value + 1e-13 * (s->fit->largest + s->fit->h) && after <= -0.9 * before;
}

/* A step along d, shorter where it has to be; false where no length will do. */
static bool move(state *s, int *passes) {
  double along = 1;
  for (int k = 0; k < HALVINGS; k++, along /= 4) {
    for (size_t j = 0; j < s->p; j++) s->trial[j] = s->b[j] + along * s->d[j];
    s->tvalue = evaluate(s, s->trial, s->tg);
    ++*passes;
    if (decreased(s, along)) return true;
  }
  return false;
}

/* What the step to the trial has shown, which then is the point. */
static void learn(state *s, double *room) {
  pair *l = &s->last[s->next];
  size_t p = s->p;
  for (size_t j = 0; j < p; j++) {
    l->s[j] = s->trial[j] - s->b[j];
    l->v[j] = s->tg[j] - s->g[j];
  }
  l->along = dot(p, l->s, l->v);
  memcpy(room, l->v, p * sizeof *room);
  solve_metric(s, room);
  double square = dot(p, l->v, room);
  if (l->along > 1e-12 * square && square > 0) { /* F is convex: but for rounding it always is */
    s->scale = l->along / square;
    s->next = (s->next + 1) % KEPT;
    if (s->kept < KEPT) s->kept++;
  }
  double *t = s->b;
  s->b = s->trial, s->trial = t;
  t = s->g, s->g = s->tg, s->tg = t;
  s->value = s->tvalue;
}

static tacit_status descend(state *s, double *room, bool *settled, tacit_error *error) {
  const tacit_gradient_fit *fit = s->fit;
  double first = 0;
  s->value = evaluate(s, s->b, s->g);
  for (int passes = 0; passes < PASSES;) {
    double norm = sqrt(dot(s->p, s->g, s->g));
    if (passes == 0) first = norm;
    *settled = norm <= fit->enough;
    if (*settled || !(norm < INFINITY)) break;
    double gone = first > 0 ? log(norm / first) / log(fit->enough / first) : 1;
    TACIT_TRY(tacit_progress(fit->context, "smoothed fit", fmax(0, fmin(1, gone)), error));
    find_step(s);
    if (!(dot(s->p, s->g, s->d) < 0)) break;
    *settled = fit->near > 0 && length_of(s, s->d) <= fit->near;
    if (!move(s, &passes)) break;
    learn(s, room);
    if (*settled) break;
  }
  return TACIT_OK;
}

tacit_status tacit_erm_by_gradients(const tacit_gradient_fit *fit, double *b, bool *settled,
                                    tacit_error *error) {
  size_t p = fit->pass->p, count = (2 * KEPT + 6) * p;
  double *space = tacit_alloc(count, sizeof *space);
  *settled = false;
  if (!space) return tacit_no_memory(error);
  state s = {.fit = fit, .p = p, .scale = fit->metric->spread / DENSITY};
  double *at = space;
  for (size_t k = 0; k < KEPT; k++, at += 2 * p) s.last[k] = (pair){.s = at, .v = at + p};
  s.b = at;
  s.g = at + p;
  s.d = at + 2 * p;
  s.trial = at + 3 * p;
  s.tg = at + 4 * p;
  memcpy(s.b, b, p * sizeof *b);
  tacit_status status = descend(&s, at + 5 * p, settled, error);
  memcpy(b, s.b, p * sizeof *b);
  tacit_free_wiped(space, count * sizeof *space);
  return status;
}
