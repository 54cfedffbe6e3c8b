/* Small dense linear algebra on symmetric matrices. */
#ifndef TACIT_SRC_LINALG_H
#define TACIT_SRC_LINALG_H

#include <stdbool.h>
#include <stddef.h>

/* out = a^(-1/2) for a symmetric positive definite n x n matrix a; out may be a. False when a is not positive
   definite (to about n times machine precision) or there is no memory. */
bool tacit_inverse_root(size_t n, const double *a, double *out);

/* Eigenvalues of a symmetric n x n matrix, ascending, and its eigenvectors: vector k in the column k of a,
   which is overwritten (row-major). The same bits on every machine. False for a number that is not finite or
   without memory; eigen.c. */
bool tacit_eigen(size_t n, double *a, double *values);
/* The same, and the same bits, by several threads. */
bool tacit_eigen_by(size_t n, double *a, double *values, int threads);
/* About the least eigenvalue: *above is no less than it but for rounding, and what is returned is below it
   unless another eigenvector hides from some dozens of products. The same bits on every machine and for any
   number of threads. Not a number without memory, or where an entry is not finite; least.c. */
double tacit_least_eigenvalue(size_t n, const double *a, double *above, int threads);

/* b <- a^(-1) b for a symmetric positive definite n x n matrix; a is overwritten. False when a is not
   positive definite. */
bool tacit_solve_definite(size_t n, double *a, double *b);

/* Column-major, columns stride apart, in plain loops that start no threads; cholesky.c. */
/* The lower triangle of a becomes L with L L' = a; the upper one is spoilt. False, with all of a spoilt, when
   a is not positive definite to rounding. */
bool tacit_cholesky(size_t n, double *a, size_t stride);
/* b <- L^-1 b, L'^-1 b, U^-1 b, U'^-1 b for triangles without a zero on the diagonal. */
void tacit_solve_lower(size_t n, const double *l, size_t stride, double *b);
void tacit_solve_lower_turned(size_t n, const double *l, size_t stride, double *b);
void tacit_solve_upper(size_t n, const double *u, size_t stride, double *b);
void tacit_solve_upper_turned(size_t n, const double *u, size_t stride, double *b);
/* out = L'^-1 by rows, n x n, for L by columns, its upper triangle zero; the same bits for any number of
   threads; triangle.c. */
void tacit_invert_lower(size_t n, const double *l, double *out, int threads);

#endif
