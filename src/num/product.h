/* Products of matrices whose sums run in order: the same bits on every machine and for any number of threads.
 */
#ifndef TACIT_SRC_PRODUCT_H
#define TACIT_SRC_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

/* Row-major, rows stride apart. */
typedef struct tacit_matrix {
  double *at;
  size_t rows, columns, stride;
} tacit_matrix;

/* c = a b: every entry is 0 + a_i0 b_0k + a_i1 b_1k + ..., from left to right. c is neither a nor b. False
   without memory. */
bool tacit_product(const tacit_matrix *a, const tacit_matrix *b, const tacit_matrix *c, int threads);

#endif
