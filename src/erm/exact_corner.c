/* The corner that an interior point is near: the rows whose a is freest are interpolated. */
#include "erm/exact_interior.h"
#include "num/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SLACK = 1e-7; /* an a that is outside of its box by no more is put onto its side */

typedef struct free_row {
  double freedom;
  size_t row;
} free_row;

static int freest_first(const void *a, const void *b) {
  const free_row *s = a, *t = b;
  if (s->freedom != t->freedom) return s->freedom > t->freedom ? -1 : 1;
  return s->row < t->row ? -1 : s->row > t->row;
}

/* The rows of the corner: p of the n. */
static bool choose(const tacit_interior *problem, const double *freedom, size_t *basis) {
  size_t n = problem->rows->n, p = problem->rows->p;
  free_row *all = tacit_alloc(n, sizeof *all);
  if (!all) return false;
  for (size_t i = 0; i < n; i++) all[i] = (free_row){freedom[i], i};
  qsort(all, n, sizeof *all, freest_first);
  for (size_t k = 0; k < p; k++) basis[k] = all[k].row;
  tacit_free_wiped(all, n * sizeof *all);
  return true;
}

/* Solves X_B b = y_B; then X_B'a_B = sums - X_N'a_N. */
static bool solve(const tacit_interior *problem, const size_t *basis, double *left, double *right,
                  bool turned) {
  const tacit_exact_rows *rows = problem->rows;
  size_t p = rows->p;
  for (size_t j = 0; j < p; j++)
    for (size_t k = 0; k < p; k++) left[turned ? k * p + j : j * p + k] = rows->x[j * rows->n + basis[k]];
  return tacit_dense_solve(p, left, right);
}

static bool find(const tacit_interior *problem, const size_t *basis, double *left, double *right, double *b,
                 double *a, double *r) {
  const tacit_exact_rows *rows = problem->rows;
  size_t n = rows->n, p = rows->p;
  double tau = problem->tau;
  for (size_t k = 0; k < p; k++) right[k] = rows->y[basis[k]];
  if (!solve(problem, basis, left, right, false)) return false;
  memcpy(b, right, p * sizeof *b);
  (void)tacit_exact_residuals(rows, tau, b, r);
  for (size_t i = 0; i < n; i++) a[i] = r[i] > 0 ? tau : tau - 1;
  for (size_t k = 0; k < p; k++) a[basis[k]] = 0;
  tacit_exact_balance(rows, a, right);
  for (size_t j = 0; j < p; j++) right[j] = (problem->sums ? problem->sums[j] : 0) - right[j];
  if (!solve(problem, basis, left, right, true)) return false;
  for (size_t k = 0; k < p; k++) {
    if (!(right[k] >= tau - 1 - SLACK && right[k] <= tau + SLACK)) return false;
    a[basis[k]] = right[k];
  }
  return true;
}

tacit_status tacit_exact_corner(const tacit_interior *problem, const double *freedom, double *b, double *a,
                                double *r, bool *found, tacit_error *error) {
  size_t p = problem->rows->p;
  *found = false;
  if (problem->rows->n < p) return TACIT_OK;
  double *left = tacit_alloc(p * p + p, sizeof *left);
  size_t *basis = tacit_alloc(p, sizeof *basis);
  bool enough = left && basis && choose(problem, freedom, basis);
  if (enough) *found = find(problem, basis, left, left + p * p, b, a, r);
  tacit_free_wiped(left, (p * p + p) * sizeof *left);
  free(basis);
  return enough ? TACIT_OK : tacit_no_memory(error);
}
