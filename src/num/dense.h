/* Dense linear algebra of learning without privacy: by OpenBLAS and LAPACK where they are at hand, else by
   the plain loops of small.h, which are slower from some hundred columns on and need nothing. Matrices are
   column-major, their columns stride apart, unless it says otherwise. */
#ifndef TACIT_SRC_DENSE_H
#define TACIT_SRC_DENSE_H

#include <stdbool.h>
#include <stddef.h>

double tacit_dense_dot(size_t n, const double *a, const double *b);
double tacit_dense_norm(size_t n, const double *a);
void tacit_dense_scale(size_t n, double factor, double *a);
/* The lower triangle of out (p x p) += X'X, with X m x p. */
void tacit_dense_add_gram(size_t m, size_t p, const double *x, size_t stride, double *out, size_t out_stride);
/* Z <- Z U^-1, with Z m x n and U an upper triangle. */
void tacit_dense_divide(size_t m, size_t n, const double *u, size_t u_stride, double *z, size_t stride);
/* b <- U^-1 b */
void tacit_dense_solve_upper(size_t n, const double *u, size_t stride, double *b);

/* The lower triangle of a (n x n, no gaps) becomes L with L L' = a; false when a is not positive definite.
   b <- (L L')^-1 b. */
bool tacit_dense_cholesky(size_t n, double *a);
void tacit_dense_cholesky_solve(size_t n, const double *l, double *b);
/* b <- a^-1 b; a (n x n, no gaps) is overwritten. False for a singular one, or without memory. */
bool tacit_dense_solve(size_t n, double *a, double *b);

/* a (m x n) = QR: R in its upper triangle, reflectors below and in factors (n). False for a number that is
   not finite, or without memory. With order (n) columns are exchanged so that R's diagonal falls: column k of
   QR is column order[k] of a. */
bool tacit_dense_qr(size_t m, size_t n, double *a, size_t stride, double *factors);
bool tacit_dense_qr_ordered(size_t n, double *a, size_t stride, int *order, double *factors);
/* c <- Q'c for the Q of n columns and rows */
bool tacit_dense_turn(size_t n, const double *a, size_t stride, const double *factors, double *c);

/* The shortest x among those that minimise |a x - b|, with a m x p, m <= p, columns p apart; b has room for
   p. Directions of less than 1e-12 of the largest one count as none. room: p numbers. */
bool tacit_dense_shortest(size_t m, size_t p, double *a, double *b, double *room);

#endif
