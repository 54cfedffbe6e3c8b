/* What dense.h says, in plain loops: for machines without OpenBLAS and LAPACK. The same bits on every
 * machine. */
#ifndef TACIT_SRC_SMALL_H
#define TACIT_SRC_SMALL_H

#include <stdbool.h>
#include <stddef.h>

/* small.c */
/* b -= factor a */
void tacit_small_take(size_t n, double factor, const double *a, double *restrict b);
double tacit_small_dot(size_t n, const double *a, const double *b);
/* Without overflow on the way. */
double tacit_small_norm(size_t n, const double *a);
void tacit_small_add_gram(size_t m, size_t p, const double *x, size_t stride, double *out, size_t out_stride);
void tacit_small_divide(size_t m, size_t n, const double *u, size_t u_stride, double *z, size_t stride);
/* The lower triangle of a (n x n) becomes L with L L' = a. A column that depends on those before it gets a
   diagonal so large that solutions leave it out: it is no change where a is positive definite. */
void tacit_small_cholesky(size_t n, double *a);
bool tacit_small_solve(size_t n, double *a, double *b);

/* small_qr.c */
bool tacit_small_qr(size_t m, size_t n, double *a, size_t stride, double *factors);
bool tacit_small_qr_ordered(size_t m, size_t n, double *a, size_t stride, int *order, double *factors);
/* c (m) <- Q'c, and Q c, for the Q of so many reflectors */
void tacit_small_turn(size_t m, size_t reflectors, const double *a, size_t stride, const double *factors,
                      double *c);
void tacit_small_turn_back(size_t m, size_t reflectors, const double *a, size_t stride, const double *factors,
                           double *c);
bool tacit_small_shortest(size_t m, size_t p, double *a, double *b);

#endif
