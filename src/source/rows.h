/* Where encoded rows go when several threads write them: room is made first, each thread then fills its own
   rows in any order, and the rows are kept in the end. */
#ifndef TACIT_SRC_ROWS_H
#define TACIT_SRC_ROWS_H

#include <tacit/base.h>

enum { TACIT_TILE = 64 }; /* rows written at a time */

/* Some rows by columns: row i has x[j * stride + i] in column j and y[t * stride + i] as target t. */
typedef struct tacit_tile {
  size_t count, stride; /* count <= TACIT_TILE, count <= stride */
  const double *x, *y;
} tacit_tile;

typedef struct tacit_row_store {
  void *self;
  size_t scratch; /* bytes that each thread gives to put */
  /* Room for `rows` more rows behind those that are kept. */
  tacit_status (*reserve)(void *self, size_t rows, tacit_error *error);
  /* A tile, its first row `row` rows behind the kept ones. May be called by several threads for different
     rows. */
  void (*put)(void *self, size_t row, const tacit_tile *tile, void *scratch);
  /* The first `rows` of the reserved ones are rows from now on; the others never were. */
  tacit_status (*keep)(void *self, size_t rows, tacit_error *error);
  struct tacit_unit_list *units; /* gets whose each row is; NULL: nobody asks */
} tacit_row_store;

#endif
