/* Vectors made from some rows of a block, as whole doubles, and their exact sums (proofs/exact-sums.md, "In
   doubles"). */
#ifndef TACIT_SRC_ROW_BLOCK_H
#define TACIT_SRC_ROW_BLOCK_H

#include "pass/row_sum.h"

enum {
  TACIT_ROW_TILE = 4,
  TACIT_ROW_BITS = 26,    /* a radius of at most 2^26 units: squares are exact; */
  TACIT_MOMENT_BITS = 21, /* of at most 2^21: so are 1024 rows' sums of products */
};

/* Rows first.. of a block, TACIT_ROWS of them, as columns: x[j][i] and y[t][i] in encoded units. */
void tacit_rows_decode(const tacit_design *design, const tacit_block *block, size_t first, double *x,
                       double *y);
/* out [width][TACIT_ROWS] -> integers on the pass's grid with norm at most radius, or zero; zero too for rows
   without encoding (norms). */
void tacit_rows_cut(const tacit_row_pass *pass, const int32_t *norms, double radius, double *out);
/* sum[j] += over rows of v_j; or of v_j v_k for j >= k at [k side + j], in whole tiles of columns. */
void tacit_rows_add(size_t width, const double *v, double *sum);
void tacit_rows_multiply(size_t columns, const double *v, double *sum, size_t side);

#endif
