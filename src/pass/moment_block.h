/* The moment of a block of rows in two bytes, multiplied in pairs (proofs/exact-sums.md, "In pairs"). */
#ifndef TACIT_SRC_MOMENT_BLOCK_H
#define TACIT_SRC_MOMENT_BLOCK_H

#include "data/design.h"

enum {
  TACIT_PAIR_BITS = 14,  /* a radius of at most 2^14 units: a cell has two bytes */
  TACIT_PAIR_WIDTH = 32, /* so many columns are worth it */
};

typedef struct tacit_moment_block {
  size_t width, padded;
  int16_t *cells;  /* [padded][TACIT_BLOCK] */
  double *squares; /* padded: each column's sum of squares */
  uint32_t *large; /* the columns whose products with others may be too large for 32 bits, */
  size_t larges;
  bool *is_large; /* and whether a column is one */
  void *memory;
  size_t bytes;
} tacit_moment_block;

bool tacit_moment_open(tacit_moment_block *m, size_t width); /* false without memory */
void tacit_moment_close(tacit_moment_block *m);              /* wipes */
void tacit_moment_begin(tacit_moment_block *m);              /* a block of rows that are zero */
/* TACIT_ROWS rows from `first` on, as columns of whole numbers of at most 2^14 in magnitude. */
void tacit_moment_take(tacit_moment_block *m, size_t first, const double *v);
/* Whether so many columns are large that doubles are faster. */
bool tacit_moment_is_rough(tacit_moment_block *m);
/* The rows from `first` on, again as doubles. */
void tacit_moment_give(const tacit_moment_block *m, size_t first, double *v);
/* Adds the products of all columns j <= k, by rows of the upper triangle, to sum, modulo 2^64. */
void tacit_moment_add(const tacit_moment_block *m, uint64_t *sum);

#endif
