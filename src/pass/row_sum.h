/* Exact sums of vectors made from rows: any public map of a row, cut to integers and held to a radius
   (proofs/exact-sums.md, "The other sums"). The map may use earlier releases; the bound does not depend on
   it. */
#ifndef TACIT_SRC_ROW_SUM_H
#define TACIT_SRC_ROW_SUM_H

#include "pass/unit_sum.h"

/* out (a vector, or one number) from an encoded row x[0..columns) and its targets y[0..targets). */
typedef void (*tacit_row_map)(const void *self, const double *x, const double *y, double *out);

/* The same for TACIT_ROWS rows of a block at once, from its row `first` on, as columns:
   out[j * TACIT_ROWS + i]. */
enum { TACIT_ROWS = 128 };
typedef void (*tacit_rows_map)(const void *self, const tacit_block *block, size_t first, double *out);
/* A column of them: unit times each number, less shift. */
void tacit_rows_column(const int32_t *numbers, double unit, double shift, double out[TACIT_ROWS]);

typedef struct tacit_row_pass {
  tacit_row_map map;       /* or */
  tacit_rows_map map_rows; /* which must give the same for each row, and is faster */
  const void *self;
  size_t width; /* entries of out */
  double clip;  /* a longer out is scaled down to this norm */
  int bits;     /* then rounded toward zero on the grid 2^-bits */
  bool moment; /* sum the products out_j out_k, j <= k, by rows of the upper triangle, on the grid 2^-(2 bits)
                */
  const tacit_unit_rule *units; /* where units are taken as a whole, on grids that doubles add; else NULL */
} tacit_row_pass;

/* Scaling down is done a little too far, so that rounding does not make a clipped vector longer than the
   radius. */
#define TACIT_ROW_INSIDE (1 - 0x1p-40)

/* The number of entries of the sum. */
size_t tacit_row_sum_width(const tacit_row_pass *pass);
/* sum over rows, modulo 2^64: the same bits for every order of rows and number of threads. A vector that is
   longer than floor(clip 2^bits) after rounding, or holds a NaN, counts as zero. TACIT_INTERNAL without
   memory. */
tacit_status tacit_row_sum(const tacit_design *design, const tacit_row_pass *pass, int threads, uint64_t *sum,
                           tacit_error *error) TACIT_CHECKED;

#endif
