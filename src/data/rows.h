/* Where encoded rows go when several threads write them: room is made first, each thread then fills its own
   rows in any order, and the rows are kept in the end. */
#ifndef TACIT_SRC_ROWS_H
#define TACIT_SRC_ROWS_H

#include <tacit/base.h>

enum { TACIT_TILE = 64 }; /* rows written at a time */

typedef struct tacit_row_store {
  void *self;
  size_t scratch; /* bytes that each thread gives to put */
  /* Room for `rows` more rows behind those that are kept. */
  tacit_status (*reserve)(void *self, size_t rows, tacit_error *error);
  /* count <= TACIT_TILE rows, the first of them `row` rows behind the kept ones: x is count x columns, y
     count x targets. May be called by several threads for different rows. */
  void (*put)(void *self, size_t row, size_t count, const double *x, const double *y, void *scratch);
  /* The first `rows` of the reserved ones are rows from now on; the others never were. */
  tacit_status (*keep)(void *self, size_t rows, tacit_error *error);
} tacit_row_store;

#endif
