/* Who computes: OpenBLAS and LAPACK, or small.h. */
#include "num/dense.h"

#include "num/linalg.h"
#include "num/small.h"
#include "num/solvers.h"

#include <stdlib.h>

double tacit_dense_dot(size_t n, const double *a, const double *b) {
  return tacit_have_algebra() ? cblas_ddot((int)n, a, 1, b, 1) : tacit_small_dot(n, a, b);
}

double tacit_dense_norm(size_t n, const double *a) {
  return tacit_have_algebra() ? cblas_dnrm2((int)n, a, 1) : tacit_small_norm(n, a);
}

void tacit_dense_scale(size_t n, double factor, double *a) {
  if (tacit_have_algebra())
    cblas_dscal((int)n, factor, a, 1);
  else
    for (size_t i = 0; i < n; i++) a[i] *= factor;
}

void tacit_dense_add_gram(size_t m, size_t p, const double *x, size_t stride, double *out,
                          size_t out_stride) {
  if (tacit_have_algebra())
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)p, (int)m, 1, x, (int)stride, 1, out,
                (int)out_stride);
  else
    tacit_small_add_gram(m, p, x, stride, out, out_stride);
}

void tacit_dense_divide(size_t m, size_t n, const double *u, size_t u_stride, double *z, size_t stride) {
  if (tacit_have_algebra())
    cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, (int)m, (int)n, 1, u,
                (int)u_stride, z, (int)stride);
  else
    tacit_small_divide(m, n, u, u_stride, z, stride);
}

void tacit_dense_solve_upper(size_t n, const double *u, size_t stride, double *b) {
  if (tacit_have_algebra())
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, (int)n, u, (int)stride, b, 1);
  else
    tacit_solve_upper(n, u, stride, b);
}

bool tacit_dense_cholesky(size_t n, double *a) {
  if (tacit_have_algebra()) return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (int)n, a, (int)n) == 0;
  return tacit_cholesky(n, a, n);
}

void tacit_dense_cholesky_solve(size_t n, const double *l, double *b) {
  if (tacit_have_algebra()) {
    (void)LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', (int)n, 1, l, (int)n, b, (int)n);
    return;
  }
  tacit_solve_lower(n, l, n, b);
  tacit_solve_lower_turned(n, l, n, b);
}

bool tacit_dense_solve(size_t n, double *a, double *b) {
  if (!tacit_have_algebra()) return tacit_small_solve(n, a, b);
  lapack_int *pivots = malloc(n * sizeof *pivots);
  if (!pivots) return false;
  bool solved = LAPACKE_dgesv(LAPACK_COL_MAJOR, (int)n, 1, a, (int)n, pivots, b, (int)n) == 0;
  free(pivots);
  return solved;
}

bool tacit_dense_qr(size_t m, size_t n, double *a, size_t stride, double *factors) {
  if (!tacit_have_algebra()) return tacit_small_qr(m, n, a, stride, factors);
  return LAPACKE_dgeqrf(LAPACK_COL_MAJOR, (int)m, (int)n, a, (int)stride, factors) == 0;
}

bool tacit_dense_qr_ordered(size_t n, double *a, size_t stride, int *order, double *factors) {
  if (!tacit_have_algebra()) return tacit_small_qr_ordered(n, n, a, stride, order, factors);
  for (size_t j = 0; j < n; j++) order[j] = 0; /* any column may come first */
  if (LAPACKE_dgeqp3(LAPACK_COL_MAJOR, (int)n, (int)n, a, (int)stride, order, factors)) return false;
  for (size_t j = 0; j < n; j++) order[j]--; /* LAPACK counts from one */
  return true;
}

bool tacit_dense_turn(size_t n, const double *a, size_t stride, const double *factors, double *c) {
  if (tacit_have_algebra())
    return LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'T', (int)n, 1, (int)n, a, (int)stride, factors, c,
                          (int)stride) == 0;
  tacit_small_turn(n, n, a, stride, factors, c);
  return true;
}

bool tacit_dense_shortest(size_t m, size_t p, double *a, double *b, double *room) {
  if (!tacit_have_algebra()) return tacit_small_shortest(m, p, a, b);
  int rank = 0;
  return LAPACKE_dgelsd(LAPACK_COL_MAJOR, (int)m, (int)p, 1, a, (int)p, b, (int)p, room, 1e-12, &rank) == 0;
}
