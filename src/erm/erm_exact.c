/* Exact quantile regression by linear programming, and proof of its optimality.

     minimise over b   sum_i rho_tau(y_i - x_i'b)
     =  maximise       y'a   subject to   X'a = 0,  tau - 1 <= a_i <= tau         (Koenker and Bassett 1978)

     n, p    rows, columns           r    y - X b
     a       the dual: a_i = tau where r_i > 0, tau - 1 where r_i < 0, between them where r_i = 0
     B       the rows of basic a_i: the fit interpolates them, X_B b = y_B

   The dual has p equations and n bounded unknowns, which the simplex method likes better than n equations.
   Shifting Koenker's box [0, 1] to [tau - 1, tau] makes the right-hand side an exact zero and the two
   objectives equal.

   On a large table the signs of most residuals are clear from a smoothed fit, and with them their a_i: they
   move to the right-hand side, and only rows near the fit stay in the program (Portnoy and Koenker 1997).
   Where a sign was wrong its row joins them, and the program is solved again. */
#include "base/base.h"
#include "erm/erm.h"
#include "erm/exact_problem.h"
#include "erm/exact_sums.h"
#include "erm/smooth_block.h"
#include "loss/check.h"
#include "num/dense.h"
#include "num/solvers.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/solvers.h>

enum { BASIC = 1 }; /* CLP's status code */

static double largest(size_t n, const double *values) {
  double most = tacit_smooth_largest(n, values);
  return most > 0 ? most : 1;
}

/* The dual as CLP wants it: minimise -y'a, columns compressed, and everything scaled to at most 1 so that
   CLP's absolute tolerances mean the same for all units. */
static tacit_status load(tacit_exact_problem *q, Clp_Simplex *model, tacit_error *error) {
  size_t n = q->n, p = q->p, m = q->m;
  CoinBigIndex *start = tacit_alloc(m + 1, sizeof *start);
  int *row = tacit_alloc(m * p, sizeof *row);
  double *value = tacit_alloc(m * p, sizeof *value), *bounds = tacit_alloc(3 * m + p, sizeof *bounds);
  bool enough = start && row && value && bounds;
  if (enough) {
    double *low = bounds, *high = low + m, *cost = high + m, *fixed = cost + m; /* fixed: minus their X'a */
    int entries = 0;
    if (m < n)
      for (size_t k = 0; k < m; k++) q->a[q->kept[k]] = 0;
    if (m < n) tacit_exact_balance(&q->rows, q->a, fixed);
    for (size_t j = 0; j < p; j++) fixed[j] /= -q->width[j];
    for (size_t k = 0; k < m; k++) {
      size_t i = q->kept[k];
      low[k] = q->tau - 1;
      high[k] = q->tau;
      cost[k] = -q->y[i];
      for (size_t j = 0; j < p; j++) cost[k] += q->x[j * n + i] * q->base[j];
      for (size_t j = 0; j < p; j++)
        if (q->x[j * n + i] != 0) {
          row[entries] = (int)j;
          value[entries++] = q->x[j * n + i] / q->width[j];
        }
      start[k + 1] = entries;
    }
    q->scale = largest(m, cost);
    for (size_t k = 0; k < m; k++) cost[k] /= q->scale;
    Clp_loadProblem(model, (int)m, (int)p, start, row, value, low, high, cost, fixed, fixed);
  }
  free(start);
  free(row);
  tacit_free_wiped(value, m * p * sizeof *value);
  tacit_free_wiped(bounds, (3 * m + p) * sizeof *bounds);
  return enough ? TACIT_OK : tacit_no_memory(error);
}

/* b from the row prices of -y'a, and a clamped to its box. */
static void read_prices(const tacit_exact_problem *q, Clp_Simplex *model, double *b) {
  const double *price = Clp_getRowPrice(model), *a = Clp_getColSolution(model);
  for (size_t j = 0; j < q->p; j++) b[j] = q->base[j] - price[j] * q->scale / q->width[j];
  for (size_t k = 0; k < q->m; k++) q->a[q->kept[k]] = fmin(fmax(a[k], q->tau - 1), q->tau);
}

/* b from the interpolated rows in full precision, where that is no worse, and r for it. Of a deficient design
   fewer than p columns are basic, and the shortest solution stands for all. */
static tacit_status polish(tacit_exact_problem *q, Clp_Simplex *model, double *b, tacit_error *error) {
  size_t n = q->n, p = q->p, m = 0;
  double *left = tacit_alloc(p * p, sizeof *left), *right = tacit_alloc(3 * p, sizeof *right);
  bool enough = left && right, better = false;
  if (enough) {
    for (size_t k = 0; k < q->m && m < p; k++) {
      if (Clp_getColumnStatus(model, (int)k) != BASIC) continue;
      for (size_t j = 0; j < p; j++) left[j * p + m] = q->x[j * n + q->kept[k]] / q->width[j];
      right[m++] = q->y[q->kept[k]];
    }
    q->basic = m;
    double *room = right + p, *c = right + 2 * p;
    if (m > 0 && tacit_dense_shortest(m, p, left, right, room)) {
      for (size_t j = 0; j < p; j++) c[j] = right[j] / q->width[j];
      tacit_exact_set_residuals(q, b);
      double before = q->loss, rounding = 1e-15 * q->height * (double)n;
      tacit_exact_set_residuals(q, c);
      better = q->loss <= before + rounding;
      if (better) memcpy(b, c, p * sizeof *b);
    }
  }
  if (!better) tacit_exact_set_residuals(q, b);
  tacit_free_wiped(left, p * p * sizeof *left);
  tacit_free_wiped(right, 3 * p * sizeof *right);
  return enough ? TACIT_OK : tacit_no_memory(error);
}

/* The program over the kept rows (feasible: it has a solution), solved by the dual simplex or, if hard, by
 * the primal too. */
static tacit_status solve_kept(tacit_exact_problem *q, bool hard, double *b, bool *feasible, bool *proved,
                               tacit_error *error) {
  Clp_Simplex *model = Clp_newModel();
  if (!model) return tacit_no_memory(error);
  Clp_setLogLevel(model, 0);
  Clp_setPrimalTolerance(model, 1e-9);
  Clp_setDualTolerance(model, 1e-10);
  tacit_status status = load(q, model, error);
  /* Not Clp_initialSolve, which puts up a signal handler of its own. The dual simplex starts feasible here,
     each unknown at the bound its cost prefers; the primal is for the case that it gives up. */
  *proved = *feasible = false;
  for (int attempt = 0; status == TACIT_OK && !*proved && attempt <= hard; attempt++) {
    status = tacit_progress(q->context, "linear program", 0.5 * attempt, error);
    if (status != TACIT_OK) break;
    if (attempt == 0) (void)Clp_dual(model, 0);
    if (attempt == 1) (void)Clp_primal(model, 0);
    *feasible = Clp_status(model) == 0;
    read_prices(q, model, b);
    status = polish(q, model, b, error);
    *proved = status == TACIT_OK && tacit_exact_is_optimal(q);
  }
  Clp_deleteModel(model);
  return status;
}

enum {
  LARGE = 20000, /* rows from which on most are left out, */
  MANY = 100,    /* if there are so many for each column; */
};
static tacit_status solve_near(tacit_exact_problem *q, const tacit_sample *sample, size_t target, double *b,
                               bool *proved, tacit_error *error) {
  double share = tacit_exact_share(q), size;
  TACIT_TRY(tacit_exact_rough(q, sample, target, share, &size, b, error));
  if (!(size > 0)) return TACIT_OK;
  double near = tacit_exact_near(q, share, size);
  tacit_exact_keep_near(q, near);
  q->base = q->rough;
  for (int round = 0; round < TACIT_EXACT_ROUNDS && q->m <= q->n / 4; round++) {
    bool feasible = q->m >= 4 * q->p;
    if (feasible) TACIT_TRY(solve_kept(q, false, b, &feasible, proved, error));
    if (*proved && q->basic < q->p && q->base != q->zeros) { /* one of many, on a flat side: */
      q->base = q->zeros;                                    /* from elsewhere a corner comes first */
      *proved = false;
      continue;
    }
    if (*proved) return TACIT_OK;
    if (!tacit_exact_keep_more(q, feasible, &near)) return TACIT_OK;
  }
  return TACIT_OK;
}

/* Without the simplex method there is the interior point; and a fit without residuals is its own proof. */
static tacit_status solve_without(tacit_exact_problem *q, const tacit_sample *sample, size_t target,
                                  double *b, tacit_error *error) {
  bool proved = false;
  TACIT_TRY(tacit_exact_solve_wide(q, sample, target, b, &proved, error));
  if (proved) return TACIT_OK;
  memset(q->a, 0, q->n * sizeof *q->a);
  memcpy(b, q->rough, q->p * sizeof *b);
  tacit_exact_set_residuals(q, b);
  if (tacit_exact_is_optimal(q)) return TACIT_OK;
  TACIT_TRY(tacit_load_solvers(error)); /* says what is missing */
  return TACIT_OK;
}

static tacit_status solve(tacit_exact_problem *q, const tacit_sample *sample, size_t target, double *b,
                          tacit_error *error) {
  bool proved = false, feasible;
  if (!tacit_have_clp()) return solve_without(q, sample, target, b, error);
  if (q->p >= TACIT_EXACT_WIDE && q->n >= 2 * q->p)
    TACIT_TRY(tacit_exact_solve_wide(q, sample, target, b, &proved, error));
  if (proved) return TACIT_OK;
  if (q->n >= LARGE && q->n / MANY >= q->p) TACIT_TRY(solve_near(q, sample, target, b, &proved, error));
  if (proved) return TACIT_OK;
  q->base = q->zeros;
  for (q->m = 0; q->m < q->n; q->m++) q->kept[q->m] = q->m;
  TACIT_TRY(solve_kept(q, true, b, &feasible, &proved, error));
  if (proved) return TACIT_OK;
  return tacit_fail(error, TACIT_INTERNAL,
                    "the linear program was not solved: columns may be nearly dependent, or the "
                    "schema's bounds far too wide");
}

tacit_status tacit_erm_exact(const tacit_sample *sample, size_t target, double tau, double *coefficients,
                             const tacit_context *context, tacit_error *error) {
  size_t n = sample->rows, p = sample->columns;
  if (!(tau > 0 && tau < 1)) return tacit_fail(error, TACIT_USAGE, "the quantile must lie between 0 and 1");
  if (n == 0) return tacit_fail(error, TACIT_BAD_INPUT, "there are no rows to learn from");
  if (n > (size_t)INT_MAX / (p + 1)) /* CLP counts the entries in an int */
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the table is too large for a linear program: use the smoothed loss instead");

  tacit_exact_problem q = {
      .x = sample->x, .y = sample->y + target * n, .n = n, .p = p, .tau = tau, .context = context};
  size_t count = 2 * n + (4 + TACIT_EXACT_PARTS) * p;
  double *space = tacit_alloc(count, sizeof *space);
  q.kept = tacit_alloc(n, sizeof *q.kept);
  if (!space || !q.kept) {
    free(q.kept);
    free(space);
    return tacit_no_memory(error);
  }
  q.a = space;
  q.r = space + n;
  q.width = space + 2 * n;
  q.rough = q.width + p;
  q.zeros = q.rough + p;
  q.balance = q.zeros + p;
  q.base = q.zeros;
  q.rows = (tacit_exact_rows){sample->x, q.y, n, p, tacit_threads(context), q.balance + p};
  q.height = largest(n, q.y);
  q.size = tacit_smooth_size(n, q.y);
  tacit_exact_widths(&q.rows, q.width);
  tacit_status status = solve(&q, sample, target, coefficients, error);
  tacit_free_wiped(space, count * sizeof *space);
  tacit_free_wiped(q.kept, n * sizeof *q.kept);
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
