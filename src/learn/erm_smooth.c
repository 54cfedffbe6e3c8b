/* Smoothed empirical risk minimisation: Newton's method with Levenberg damping along a shrinking bandwidth.

     minimise over b   F(b) = (1/n) sum_i l_h(y_i - x_i'b)

     n, p    rows, columns                    r     y - X b
     psi     Kbar(-r/h) - tau                 w     K(r/h) / h
     g       X'psi / n, the gradient          P     the columns' order, independent ones first
     U       upper triangle, XP = ZU          Z     whitened rows, Z'Z = n I (never stored)
     H       Z' diag(w) Z / n                 d     the step: (H + lambda I) U d = -U^-T g

   F is convex with a bounded second derivative, so a damping that is large enough always gives a decrease,
   and one proportional to |g| leaves Newton's rate intact even where H is singular (Li, Fukushima, Qi,
   Yamashita 2004). Measured in Z, the damping does not depend on the columns' units or on how collinear they
   are. For a small h, F is nearly a polyhedron and Newton's model reaches only as far as h: hence the way
   there through larger ones. */
#include "base/base.h"
#include "learn/baseline.h"
#include "loss/check.h"

#include <cblas.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  BLOCK = 1024,  /* rows at a time: a block of a dozen columns stays in the second-level cache */
  PASSES = 1000, /* over the rows; a bandwidth of a millionth of the spread takes a hundred */
};
static const double DEPENDENT = 1e-12; /* share of a column outside the others' span that counts as none */
static const double SHRINK = 4;        /* of the bandwidth from stage to stage */
static const double ENOUGH = 1e-10;    /* gradient norm that the contract promises */

typedef struct problem {
  const double *x, *y;
  int n, p, rank;
  double tau, largest; /* max |y| */
  tacit_kernel kernel;
  int *order;                /* P: column order[k] of X is the k-th */
  double *u;                 /* U, rank x rank in a p x p array */
  double *block;             /* (p + 1 + BLOCK) x (p + 1) */
  double *r, *psi, *w;       /* BLOCK each */
  double *step, *factor, *d; /* p + 1, p x p, p */
} problem;

/* F and its derivatives at b, for one bandwidth. */
typedef struct point {
  double *b, *g, *hessian; /* p, p, rank x rank (lower triangle) */
  double value, norm;
} point;

static int rows_left(const problem *q, int begin) {
  return q->n - begin < BLOCK ? q->n - begin : BLOCK;
}

/* U, P, and the least-squares fit b as the place to start; the spread of its residuals is returned, negative
   when LAPACK has no memory or meets no number. The triangle R of (X y) = QR is built block by block, as the
   QR of (R so far above the next rows); its X part is then factored again with pivoting, which tells the
   rank. U = R / sqrt(n). */
static double whiten(problem *q, double *b) {
  int p = q->p, stride = p + 1 + BLOCK;
  double *a = q->block, *c = a + (size_t)p * stride, rest = 0; /* c: the column of y */
  for (int begin = 0; begin < q->n; begin += BLOCK) {
    int m = rows_left(q, begin);
    for (int j = 0; j <= p; j++) {
      const double *column = j < p ? q->x + (size_t)j * q->n : q->y;
      memcpy(a + (size_t)j * stride + p + 1, column + begin, m * sizeof *a);
    }
    if (LAPACKE_dgeqrf(LAPACK_COL_MAJOR, p + 1 + m, p + 1, a, stride, q->step)) return -1;
    for (int j = 0; j < p; j++)
      for (int i = j + 1; i <= p; i++) a[(size_t)j * stride + i] = 0; /* the reflectors' remains */
  }
  if (LAPACKE_dgeqp3(LAPACK_COL_MAJOR, p, p, a, stride, q->order, q->step)) return -1;
  if (LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'T', p, 1, p, a, stride, q->step, c, stride)) return -1;
  for (int j = 0; j < p; j++) q->order[j]--; /* LAPACK counts from one */
  q->rank = 0;
  while (q->rank < p && fabs(a[(size_t)q->rank * (stride + 1)]) > DEPENDENT * fabs(a[0])) q->rank++;

  for (int k = q->rank; k <= p; k++) rest += c[k] * c[k];
  cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, q->rank, a, stride, c, 1);
  memset(b, 0, p * sizeof *b);
  for (int k = 0; k < q->rank; k++) b[q->order[k]] = c[k];
  for (int j = 0; j < p; j++)
    for (int i = 0; i <= j; i++) q->u[j * p + i] = a[(size_t)j * stride + i] / sqrt(q->n);
  return sqrt(rest / q->n);
}

static void evaluate(const problem *q, double h, point *at) {
  int n = q->n, p = q->p, rank = q->rank;
  double *r = q->r, *psi = q->psi, *w = q->w, *z = q->block;
  at->value = 0;
  memset(at->g, 0, p * sizeof *at->g);
  memset(at->hessian, 0, (size_t)p * p * sizeof *at->hessian);
  for (int begin = 0; begin < n; begin += BLOCK) {
    int m = rows_left(q, begin);
    const double *x = q->x + begin;
    double sum = 0;

    memcpy(r, q->y + begin, m * sizeof *r);
    cblas_dgemv(CblasColMajor, CblasNoTrans, m, p, -1, x, n, at->b, 1, 1, r, 1);
    for (int i = 0; i < m; i++) {
      sum += tacit_smooth_loss(q->kernel, q->tau, h, r[i]);
      w[i] = r[i] / h;
      psi[i] = -w[i];
    }
    at->value += sum;

    tacit_kernel_cdf_block(q->kernel, (size_t)m, psi, psi);
    for (int i = 0; i < m; i++) psi[i] -= q->tau;
    cblas_dgemv(CblasColMajor, CblasTrans, m, p, 1, x, n, psi, 1, 1, at->g, 1);

    tacit_kernel_density_block(q->kernel, (size_t)m, w, w);
    for (int i = 0; i < m; i++) w[i] = sqrt(w[i] / h);
    for (int k = 0; k < rank; k++)
      for (int i = 0; i < m; i++) z[(size_t)k * BLOCK + i] = w[i] * x[(size_t)q->order[k] * n + i];
    cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, m, rank, 1, q->u, p, z,
                BLOCK);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, rank, m, 1, z, BLOCK, 1, at->hessian, p);
  }
  at->value /= n;
  cblas_dscal(p, 1.0 / n, at->g, 1);
  cblas_dscal(p * p, 1.0 / n, at->hessian, 1);
  at->norm = cblas_dnrm2(p, at->g, 1);
}

/* The step d for the damping lambda = mu |U^-T g| / h, in the units of H, of which 1 / h is about the most
   there can be. Returns |U d|, how far it moves the fitted values in the quadratic mean, or infinity when
   H + lambda I is not positive to rounding. */
static double newton_step(const problem *q, double h, const point *at, double mu) {
  int p = q->p, rank = q->rank;
  double *s = q->step, *a = q->factor;
  for (int k = 0; k < rank; k++) s[k] = -at->g[q->order[k]];
  cblas_dtrsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, rank, q->u, p, s, 1);
  double lambda = mu * cblas_dnrm2(rank, s, 1) / h;

  memcpy(a, at->hessian, (size_t)p * p * sizeof *a);
  for (int k = 0; k < rank; k++) a[k * (p + 1)] += lambda;
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', rank, a, p)) return INFINITY;
  if (LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', rank, 1, a, p, s, p)) return INFINITY;
  double length = cblas_dnrm2(rank, s, 1);
  cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, rank, q->u, p, s, 1);
  memset(q->d, 0, p * sizeof *q->d);
  for (int k = 0; k < rank; k++) q->d[q->order[k]] = s[k];
  return length;
}

/* Enough of a decrease: Armijo's test or, where differences of F drown in rounding, its form in slopes, equal
   to it for a quadratic (Hager and Zhang's approximate Wolfe condition, 2005). */
static bool decreased(const problem *q, double h, const point *at, const point *trial) {
  double before = cblas_ddot(q->p, at->g, 1, q->d, 1), after = cblas_ddot(q->p, trial->g, 1, q->d, 1);
  if (trial->value <= at->value + 1e-4 * before) return true;
  return trial->value <= at->value + 1e-13 * (q->largest + h) && after <= -0.9 * before;
}

static void swap(point *a, point *b) {
  point t = *a;
  *a = *b;
  *b = t;
}

/* From at->b to the minimiser at bandwidth h, as far as rounding allows; or, on the way (near > 0), until a
   step that the damping does not hold back moves the fitted values by no more than near. A step that is not a
   decrease is taken back and the damping raised. Running out of passes is no failure here: the caller looks
   at the norm. */
static tacit_status descend(const problem *q, double h, double near, double done, point *at, point *trial,
                            int *passes, const tacit_context *context, tacit_error *error) {
  double mu = 0.1;
  evaluate(q, h, at);
  while (at->norm > 0 && (*passes)++ < PASSES && mu < 1e30) {
    TACIT_TRY(tacit_step(context, "smoothed fit", done, error));
    double length = newton_step(q, h, at, mu);
    if (isinf(length)) {
      mu = 8 * mu;
      continue;
    }
    for (int j = 0; j < q->p; j++) trial->b[j] = at->b[j] + q->d[j];
    if (length <= near && mu <= 0.1) { /* so close that the step may be taken unseen */
      swap(at, trial);
      break;
    }
    evaluate(q, h, trial);
    bool better = decreased(q, h, at, trial), last = at->norm <= ENOUGH && !(trial->norm < at->norm / 2);
    if (last && !(trial->norm < at->norm)) break;
    if (better || last) swap(at, trial);
    if (last) break;
    mu = better ? mu / 8 : mu * 8;
  }
  return TACIT_OK;
}

static tacit_status solve(problem *q, double h, double *coefficients, const tacit_context *context,
                          tacit_error *error) {
  size_t p = (size_t)q->p;
  double *space = tacit_alloc(2 * p * (p + 2), sizeof *space);
  if (!space) return tacit_no_memory(error);
  point at = {.b = space, .g = space + p, .hessian = space + 2 * p};
  point trial = {.b = at.hessian + p * p, .g = at.hessian + p * p + p, .hessian = at.hessian + p * p + 2 * p};

  double spread = whiten(q, at.b);
  tacit_status status = TACIT_OK;
  if (!(spread >= 0 && spread < INFINITY))
    status = tacit_fail(error, TACIT_INTERNAL, "no memory, or rows with a value that is not finite");
  int passes = 0;
  for (double wide = spread; status == TACIT_OK && wide > h; wide /= SHRINK)
    status = descend(q, wide, wide / SHRINK, log(spread / wide) / log(spread / h), &at, &trial, &passes,
                     context, error);
  if (status == TACIT_OK) status = descend(q, h, 0, 1, &at, &trial, &passes, context, error);
  if (status == TACIT_OK && !(at.norm <= ENOUGH))
    status =
        tacit_fail(error, TACIT_INTERNAL,
                   "the smoothed fit did not settle: raise the bandwidth, or narrow the schema's bounds");
  memcpy(coefficients, at.b, p * sizeof *coefficients);
  tacit_free_wiped(space, 2 * p * (p + 2) * sizeof *space);
  return status;
}

tacit_status tacit_erm_smooth(const tacit_sample *sample, size_t target, double tau, tacit_kernel kernel,
                              double h, double *coefficients, const tacit_context *context,
                              tacit_error *error) {
  if (!(tau > 0 && tau < 1)) return tacit_fail(error, TACIT_USAGE, "the quantile must lie between 0 and 1");
  if (!(h > 0) || isinf(h)) return tacit_fail(error, TACIT_USAGE, "the bandwidth must be positive");
  if (sample->rows == 0) return tacit_fail(error, TACIT_BAD_INPUT, "there are no rows to learn from");
  if (sample->rows > INT_MAX - BLOCK || sample->columns > 10000)
    return tacit_fail(error, TACIT_BAD_INPUT, "the table is too large for the smoothed fit");

  size_t n = sample->rows, p = sample->columns;
  problem q = {
      .x = sample->x, .y = sample->y + target * n, .n = (int)n, .p = (int)p, .tau = tau, .kernel = kernel};
  for (size_t i = 0; i < n; i++) q.largest = fmax(q.largest, fabs(q.y[i]));
  size_t block = (p + 1 + BLOCK) * (p + 1), count = block + 3 * BLOCK + 2 * p * p + 2 * p + 1;
  double *space = tacit_alloc(count, sizeof *space);
  q.order = tacit_alloc(p, sizeof *q.order);
  tacit_status status = TACIT_OK;
  if (!space || !q.order) {
    status = tacit_no_memory(error);
  } else {
    q.block = space;
    q.r = q.block + block;
    q.psi = q.r + BLOCK;
    q.w = q.psi + BLOCK;
    q.u = q.w + BLOCK;
    q.factor = q.u + p * p;
    q.step = q.factor + p * p;
    q.d = q.step + p + 1;
    status = solve(&q, h, coefficients, context, error);
  }
  tacit_free_wiped(space, count * sizeof *space);
  free(q.order);
  return status;
}
