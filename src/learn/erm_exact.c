/* Exact quantile regression by linear programming, and proof of its optimality.

     minimise over b   sum_i rho_tau(y_i - x_i'b)
     =  maximise       y'a   subject to   X'a = 0,  tau - 1 <= a_i <= tau         (Koenker and Bassett 1978)

     n, p    rows, columns           r    y - X b
     a       the dual: a_i = tau where r_i > 0, tau - 1 where r_i < 0, between them where r_i = 0
     B       the rows of basic a_i: the fit interpolates them, X_B b = y_B

   The dual has p equations and n bounded unknowns, which the simplex method likes better than n equations.
   Shifting Koenker's box [0, 1] to [tau - 1, tau] makes the right-hand side an exact zero and the two
   objectives equal. */
#include "base/base.h"
#include "learn/baseline.h"
#include "loss/check.h"

#include <cblas.h>
#include <coin/Clp_C_Interface.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BASIC = 1 }; /* CLP's status code */

typedef struct problem {
  const double *x, *y;
  size_t n, p;
  double tau, height; /* height: max |y| */
  double *width;      /* p: max |x_j| */
  double *a, *r;      /* n each */
} problem;

static double residuals(const problem *q, const double *b, double *r) {
  memcpy(r, q->y, q->n * sizeof *r);
  cblas_dgemv(CblasColMajor, CblasNoTrans, (int)q->n, (int)q->p, -1, q->x, (int)q->n, b, 1, 1, r, 1);
  double sum = 0;
  for (size_t i = 0; i < q->n; i++) sum += tacit_check_loss(q->tau, r[i]);
  return sum;
}

static double largest(size_t n, const double *values) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(values[i]));
  return most > 0 ? most : 1;
}

/* The dual as CLP wants it: minimise -y'a, columns compressed, and everything scaled to at most 1 so that
   CLP's absolute tolerances mean the same for all units. */
static tacit_status load(const problem *q, Clp_Simplex *model, tacit_error *error) {
  size_t n = q->n, p = q->p;
  CoinBigIndex *start = tacit_alloc(n + 1, sizeof *start);
  int *row = tacit_alloc(n * p, sizeof *row);
  double *value = tacit_alloc(n * p, sizeof *value), *bounds = tacit_alloc(3 * n + p, sizeof *bounds);
  bool enough = start && row && value && bounds;
  if (enough) {
    double *low = bounds, *high = low + n, *cost = high + n, *zero = cost + n;
    int entries = 0;
    for (size_t i = 0; i < n; i++) {
      low[i] = q->tau - 1;
      high[i] = q->tau;
      cost[i] = -q->y[i] / q->height;
      for (size_t j = 0; j < p; j++)
        if (q->x[j * n + i] != 0) {
          row[entries] = (int)j;
          value[entries++] = q->x[j * n + i] / q->width[j];
        }
      start[i + 1] = entries;
    }
    Clp_loadProblem(model, (int)n, (int)p, start, row, value, low, high, cost, zero, zero);
  }
  free(start);
  free(row);
  tacit_free_wiped(value, n * p * sizeof *value);
  tacit_free_wiped(bounds, (3 * n + p) * sizeof *bounds);
  return enough ? TACIT_OK : tacit_no_memory(error);
}

/* b from the row prices of -y'a, and a clamped to its box. */
static void read_prices(const problem *q, Clp_Simplex *model, double *b) {
  const double *price = Clp_getRowPrice(model), *a = Clp_getColSolution(model);
  for (size_t j = 0; j < q->p; j++) b[j] = -price[j] * q->height / q->width[j];
  for (size_t i = 0; i < q->n; i++) q->a[i] = fmin(fmax(a[i], q->tau - 1), q->tau);
}

/* b from the interpolated rows in full precision, where that is no worse. Of a deficient design fewer than p
   columns are basic, and the shortest solution stands for all. */
static tacit_status polish(const problem *q, Clp_Simplex *model, double *b, tacit_error *error) {
  size_t n = q->n, p = q->p, m = 0;
  double *left = tacit_alloc(p * p, sizeof *left), *right = tacit_alloc(3 * p, sizeof *right);
  bool enough = left && right;
  if (enough) {
    for (size_t i = 0; i < n && m < p; i++) {
      if (Clp_getColumnStatus(model, (int)i) != BASIC) continue;
      for (size_t j = 0; j < p; j++) left[j * p + m] = q->x[j * n + i] / q->width[j];
      right[m++] = q->y[i];
    }
    int rank = 0;
    double *singular = right + p, *c = right + 2 * p;
    if (m > 0 && LAPACKE_dgelsd(LAPACK_COL_MAJOR, (int)m, (int)p, 1, left, (int)p, right, (int)p, singular,
                                1e-12, &rank) == 0) {
      for (size_t j = 0; j < p; j++) c[j] = right[j] / q->width[j];
      double before = residuals(q, b, q->r), rounding = 1e-15 * q->height * (double)n;
      if (residuals(q, c, q->r) <= before + rounding) memcpy(b, c, p * sizeof *b);
    }
  }
  tacit_free_wiped(left, p * p * sizeof *left);
  tacit_free_wiped(right, 3 * p * sizeof *right);
  return enough ? TACIT_OK : tacit_no_memory(error);
}

/* For any a in the box and any b*, sum rho(r*) >= a'r* = a'r + (X'a)'(b - b*). So b is optimal when X'a = 0
   and every rho(r_i) = a_i r_i. Neither CLP's word nor the polish is needed for this to hold. X'a is held to
   rounding: with columns that are nearly dependent b* may be far away, and CLP's own tolerance would let a
   wrong fit through. */
static bool optimal(const problem *q, const double *b) {
  double loss = residuals(q, b, q->r), size = 0;
  double gap = loss - cblas_ddot((int)q->n, q->a, 1, q->r, 1);
  for (size_t i = 0; i < q->n; i++) size += fabs(q->y[i]);
  if (!(gap <= 1e-9 * loss + 1e-13 * size)) return false;
  for (size_t j = 0; j < q->p; j++) {
    double balance = cblas_ddot((int)q->n, q->x + j * q->n, 1, q->a, 1);
    if (!(fabs(balance) <= 1e-13 * (double)q->n * q->width[j])) return false;
  }
  return true;
}

static tacit_status solve(const problem *q, double *b, const tacit_context *context, tacit_error *error) {
  Clp_Simplex *model = Clp_newModel();
  if (!model) return tacit_no_memory(error);
  Clp_setLogLevel(model, 0);
  Clp_setPrimalTolerance(model, 1e-9);
  Clp_setDualTolerance(model, 1e-10);
  tacit_status status = load(q, model, error);
  /* Not Clp_initialSolve, which puts up a signal handler of its own. The dual simplex starts feasible here,
     each unknown at the bound its cost prefers; the primal is for the case that it gives up. */
  for (int attempt = 0; status == TACIT_OK && attempt < 2; attempt++) {
    status = tacit_step(context, "linear program", 0.5 * attempt, error);
    if (status != TACIT_OK) break;
    if (attempt == 0) (void)Clp_dual(model, 0);
    if (attempt == 1) (void)Clp_primal(model, 0);
    read_prices(q, model, b);
    status = polish(q, model, b, error);
    if (status == TACIT_OK && optimal(q, b)) break;
    if (status == TACIT_OK && attempt == 1)
      status = tacit_fail(error, TACIT_INTERNAL,
                          "the linear program was not solved: columns may be nearly dependent, or the "
                          "schema's bounds far too wide");
  }
  Clp_deleteModel(model);
  return status;
}

tacit_status tacit_erm_exact(const tacit_sample *sample, size_t target, double tau, double *coefficients,
                             const tacit_context *context, tacit_error *error) {
  size_t n = sample->rows, p = sample->columns;
  if (!(tau > 0 && tau < 1)) return tacit_fail(error, TACIT_USAGE, "the quantile must lie between 0 and 1");
  if (n == 0) return tacit_fail(error, TACIT_BAD_INPUT, "there are no rows to learn from");
  if (n > (size_t)INT_MAX / (p + 1)) /* CLP counts the entries in an int */
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the table is too large for a linear program: fit it smoothed (erm)");

  problem q = {.x = sample->x, .y = sample->y + target * n, .n = n, .p = p, .tau = tau};
  size_t count = 2 * n + p;
  double *space = tacit_alloc(count, sizeof *space);
  if (!space) return tacit_no_memory(error);
  q.a = space;
  q.r = space + n;
  q.width = space + 2 * n;
  q.height = largest(n, q.y);
  for (size_t j = 0; j < p; j++) q.width[j] = largest(n, q.x + j * n);
  tacit_status status = solve(&q, coefficients, context, error);
  tacit_free_wiped(space, count * sizeof *space);
  return status;
}

double tacit_check_objective(const tacit_sample *sample, size_t target, double tau,
                             const double *coefficients) {
  double sum = 0;
  for (size_t i = 0; i < sample->rows; i++) {
    double r = sample->y[target * sample->rows + i];
    for (size_t j = 0; j < sample->columns; j++) r -= sample->x[j * sample->rows + i] * coefficients[j];
    sum += tacit_check_loss(tau, r);
  }
  return sum;
}
