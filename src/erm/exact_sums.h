/* Sums over all rows that exact ERM needs around its linear program, by several threads. The rows are cut
   into parts whose number does not depend on the threads, so that the sums do not either. */
#ifndef TACIT_SRC_EXACT_SUMS_H
#define TACIT_SRC_EXACT_SUMS_H

#include <stddef.h>

enum { TACIT_EXACT_PARTS = 64 };

typedef struct tacit_exact_rows {
  const double *x, *y; /* x[j * n + i] */
  size_t n, p;
  int threads;
  double *room; /* parts x p */
} tacit_exact_rows;

/* r = y - X b; returns the sum of rho_tau(r). */
double tacit_exact_residuals(const tacit_exact_rows *rows, double tau, const double *b, double *r);
/* X'a */
void tacit_exact_balance(const tacit_exact_rows *rows, const double *a, double *sums);
/* max |x_j| for every column, 1 for a column of zeros */
void tacit_exact_widths(const tacit_exact_rows *rows, double *widths);

#endif
