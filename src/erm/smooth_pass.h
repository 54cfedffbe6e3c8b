/* One pass over the rows of a sample for smoothed ERM: residuals, kernel, loss, gradient and, if asked for,
   the weighted moment, block by block while the block is in the cache, by several threads. */
#ifndef TACIT_SRC_SMOOTH_PASS_H
#define TACIT_SRC_SMOOTH_PASS_H

#include "base/base.h"
#include "loss/kernel.h"

/* The rows are cut into parts whose number depends on n and p alone, and the parts' sums are added in their
   order: the result is the same for every number of threads. */
typedef struct tacit_smooth_pass {
  const double *x, *y; /* x[j * n + i] */
  size_t n, p;
  double tau;
  tacit_kernel kernel;
  int threads;
  size_t padded, rows;  /* p + 1 rounded up to tiles; rows a block */
  size_t waiting;       /* rows that wait for their moment */
  size_t every, taken;  /* one block in so many is taken; so many rows that makes */
  size_t parts, blocks; /* blocks a part */
  double *sums, *room;  /* for each part; for each thread */
  size_t sum_size, room_size;
} tacit_smooth_pass;

/* The rows to pass over: n of p columns, and one target. */
typedef struct tacit_smooth_table {
  const double *x, *y; /* x[j * n + i] */
  size_t n, p;
} tacit_smooth_table;

/* The table's x and y are borrowed. Close it also after a failure. */
tacit_status tacit_smooth_pass_open(tacit_smooth_pass *pass, const tacit_smooth_table *table, double tau,
                                    tacit_kernel kernel, int threads, tacit_error *error) TACIT_CHECKED;
void tacit_smooth_pass_close(tacit_smooth_pass *pass);
/* A pass over one block in so many of those that pass takes. It borrows pass's memory: one runs at a time. */
tacit_smooth_pass tacit_smooth_pass_thin(const tacit_smooth_pass *pass, size_t every);

/* The whitened moment's columns: column order[k] of X is the k-th of rank; with upper (p x p, column-major),
   they are divided by it from the right before they are multiplied, which keeps what a product of nearly
   dependent columns loses. */
typedef struct tacit_smooth_columns {
  const int *order;
  size_t rank;
  const double *upper;
} tacit_smooth_columns;

/* At b: sum of l_h(y - Xb), its gradient in b (p), and if moment is not NULL the lower triangle of
   Z' diag(l_h'') Z (rank x rank in a p x p array, column-major). */
double tacit_smooth_pass_run(const tacit_smooth_pass *pass, double h, const double *b, double *gradient,
                             const tacit_smooth_columns *columns, double *moment);
/* Lower triangle of (X y)'(X y), (p + 1) x (p + 1), to single precision. */
void tacit_smooth_pass_gram(const tacit_smooth_pass *pass, double *gram);

#endif
