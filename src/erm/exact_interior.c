/* Quantile regression by an interior point: the Frisch-Newton method (Portnoy and Koenker 1997) with
   Mehrotra's corrector (1992), begun near the central path at a smoothed fit.

     maximise y'a   subject to   X'a = c,  tau - 1 <= a <= tau         u = a + 1 - tau,  v = 1 - u
     z, w > 0 belong to u, v > 0, and w - z = r = y - X b throughout: b is as exact as its residuals are

     u z = v w = mu for all rows is the central path; Newton's step to it:
     X'QX db = X'Q xi - (c - X'a)   Q = 1 / (z/u + w/v)   xi = (mu - du dz)/u - z - (mu - dv dw)/v + w
     du = Q (xi - X db)             dz = (mu - du dz)/u - z - du z/u     dw = (mu - dv dw)/v - w + du w/v */
#include "erm/exact_interior.h"

#include "num/dense.h"
#include "num/small.h"
#include "num/solvers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 60, BLOCK = 2048 };
static const double CLOSE = 1e-13;   /* relative gap at which to stop, */
static const double FAIR = 1e-6;     /* and that is worth a look */
static const double INSIDE = 0.9995; /* of the way to the border */

typedef struct point {
  double *u, *v, *z, *w;
} point;

typedef struct state {
  const tacit_interior *problem;
  size_t n, p;
  point at, step;               /* step.v is not used: it is -step.u */
  double *q, *xi, *work;        /* n */
  double *nothing;              /* n zeros */
  double *b, *db, *rest, *left; /* p, p, p: c - X'a, p x p */
  double *scaled;               /* BLOCK x p: some rows, times the roots of q */
  double mu, gap;
} state;

/* out = X t */
static void fitted(const state *s, const double *t, double *out) {
  tacit_exact_rows rows = *s->problem->rows;
  rows.y = s->nothing;
  (void)tacit_exact_residuals(&rows, 0.5, t, out);
  for (size_t i = 0; i < s->n; i++) out[i] = -out[i];
}

/* On the central path for given residuals: 1 / (1 - u) - 1 / u = r / mu. */
static void centre(state *s, const double *r) {
  for (size_t i = 0; i < s->n; i++) {
    double t = r[i] / s->mu, root = sqrt(t * t + 4);
    double small = 2 / (2 + fabs(t) + root); /* of u and v the smaller one */
    s->at.u[i] = t > 0 ? 1 - small : small;
    s->at.v[i] = t > 0 ? small : 1 - small;
    s->at.z[i] = s->mu / s->at.u[i];
    s->at.w[i] = s->mu / s->at.v[i];
  }
}

/* c - X'a */
static void find_rest(state *s) {
  for (size_t i = 0; i < s->n; i++) s->work[i] = s->at.u[i] - (1 - s->problem->tau);
  tacit_exact_balance(s->problem->rows, s->work, s->rest);
  for (size_t j = 0; j < s->p; j++) s->rest[j] = (s->problem->sums ? s->problem->sums[j] : 0) - s->rest[j];
}

/* X'QX */
static void weigh(state *s) {
  const double *x = s->problem->rows->x;
  size_t n = s->n, p = s->p;
  memset(s->left, 0, p * p * sizeof *s->left);
  for (size_t begin = 0; begin < n; begin += BLOCK) {
    size_t m = n - begin < BLOCK ? n - begin : BLOCK;
    for (size_t i = 0; i < m; i++) s->work[i] = sqrt(s->q[begin + i]);
#pragma omp parallel for num_threads(s->problem->rows->threads) schedule(static)
    for (size_t j = 0; j < p; j++)
      for (size_t i = 0; i < m; i++) s->scaled[j * BLOCK + i] = s->work[i] * x[j * n + begin + i];
    tacit_dense_add_gram(m, p, s->scaled, BLOCK, s->left, p);
  }
}

/* X'QX = L L'; false when it is not positive to rounding. Where nobody else could solve such a program,
   columns that depend on others are left as they are. */
static bool factor(state *s) {
  weigh(s);
  if (tacit_dense_cholesky(s->p, s->left)) return true;
  if (tacit_have_clp()) return false;
  weigh(s);
  tacit_small_cholesky(s->p, s->left);
  return true;
}

/* The step to mu, with the products du dz and dv dw of the last one if it is to be corrected. */
static void find_step(state *s, double mu, bool corrected) {
  const point *at = &s->at, *d = &s->step;
  for (size_t i = 0; i < s->n; i++) {
    double one = mu - (corrected ? d->u[i] * d->z[i] : 0), two = mu + (corrected ? d->u[i] * d->w[i] : 0);
    s->xi[i] = one / at->u[i] - at->z[i] - two / at->v[i] + at->w[i];
    s->work[i] = s->q[i] * s->xi[i];
  }
  tacit_exact_balance(s->problem->rows, s->work, s->db);
  for (size_t j = 0; j < s->p; j++) s->db[j] -= s->rest[j];
  tacit_dense_cholesky_solve(s->p, s->left, s->db);
  fitted(s, s->db, s->work);
  for (size_t i = 0; i < s->n; i++) {
    double one = mu - (corrected ? d->u[i] * d->z[i] : 0), two = mu + (corrected ? d->u[i] * d->w[i] : 0);
    double du = s->q[i] * (s->xi[i] - s->work[i]);
    d->z[i] = one / at->u[i] - at->z[i] - du * at->z[i] / at->u[i];
    d->w[i] = two / at->v[i] - at->w[i] + du * at->w[i] / at->v[i];
    d->u[i] = du;
  }
}

/* How far the step goes until something is zero: of u and v, and of z and w. */
static void find_ends(const state *s, double *first, double *second) {
  const point *at = &s->at, *d = &s->step;
  double one = 1 / INSIDE, two = one;
  for (size_t i = 0; i < s->n; i++) {
    if (d->u[i] < 0) one = fmin(one, -at->u[i] / d->u[i]);
    if (d->u[i] > 0) one = fmin(one, at->v[i] / d->u[i]);
    if (d->z[i] < 0) two = fmin(two, -at->z[i] / d->z[i]);
    if (d->w[i] < 0) two = fmin(two, -at->w[i] / d->w[i]);
  }
  *first = INSIDE * one;
  *second = INSIDE * two;
}

/* The mean of u z and v w after a part of the step. */
static double mean_after(const state *s, double first, double second) {
  const point *at = &s->at, *d = &s->step;
  double sum = 0;
  for (size_t i = 0; i < s->n; i++)
    sum += (at->u[i] + first * d->u[i]) * (at->z[i] + second * d->z[i]) +
           (at->v[i] - first * d->u[i]) * (at->w[i] + second * d->w[i]);
  return sum / (2 * (double)s->n);
}

static void take_step(state *s, double first, double second) {
  const point *d = &s->step;
  for (size_t i = 0; i < s->n; i++) {
    s->at.u[i] += first * d->u[i];
    s->at.v[i] -= first * d->u[i];
    s->at.z[i] += second * d->z[i];
    s->at.w[i] += second * d->w[i];
  }
  for (size_t j = 0; j < s->p; j++) s->b[j] += second * s->db[j];
}

/* One turn: predictor, corrector, step. False when it cannot go on. */
static bool turn(state *s) {
  double first, second;
  for (size_t i = 0; i < s->n; i++) s->q[i] = 1 / (s->at.z[i] / s->at.u[i] + s->at.w[i] / s->at.v[i]);
  find_rest(s);
  if (!factor(s)) return false;
  find_step(s, 0, false);
  find_ends(s, &first, &second);
  double part = mean_after(s, first, second) / s->mu;
  find_step(s, s->mu * part * part * part, true);
  find_ends(s, &first, &second);
  if (!(first > 1e-6 && second > 1e-6)) return false;
  take_step(s, first, second);
  s->mu = mean_after(s, 0, 0);
  return isfinite(s->mu);
}

static tacit_status descend(state *s, tacit_error *error) {
  double loss = tacit_exact_residuals(s->problem->rows, s->problem->tau, s->b, s->work), begun = 0;
  s->mu = s->problem->start;
  centre(s, s->work);
  s->gap = INFINITY;
  for (int t = 0; t < TURNS && !(s->gap <= CLOSE); t++) {
    double done = begun > 0 ? log(begun / s->gap) / log(begun / CLOSE) : 0;
    TACIT_TRY(tacit_progress(s->problem->context, "interior point", fmax(0, fmin(1, done)), error));
    if (!turn(s)) break;
    s->gap = 2 * (double)s->n * s->mu / (loss > 0 ? loss : 1);
    if (!(begun > 0)) begun = s->gap;
  }
  return s->gap <= FAIR ? TACIT_OK : tacit_fail(error, TACIT_INTERNAL, "the interior point stayed far off");
}

tacit_status tacit_exact_interior(const tacit_interior *problem, double *b, double *a, double *freedom,
                                  tacit_error *error) {
  size_t n = problem->rows->n, p = problem->rows->p, count = 10 * n + 2 * p + p * p + BLOCK * p;
  double *space = tacit_alloc(count, sizeof *space), *at = space;
  if (!space) return tacit_no_memory(error);
  state s = {.problem = problem, .n = n, .p = p, .b = b, .q = freedom};
  double **const vectors[] = {&s.at.u,   &s.at.v,   &s.at.z, &s.at.w, &s.step.u,
                              &s.step.z, &s.step.w, &s.xi,   &s.work, &s.nothing};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++, at += n) *vectors[k] = at;
  s.db = at;
  s.rest = s.db + p;
  s.left = s.rest + p;
  s.scaled = s.left + p * p;
  tacit_status status = descend(&s, error);
  for (size_t i = 0; i < n; i++) a[i] = s.at.u[i] - (1 - problem->tau);
  tacit_free_wiped(space, count * sizeof *space);
  return status;
}
