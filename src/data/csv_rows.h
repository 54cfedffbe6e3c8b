/* Reads CSV records that lie in memory straight into an encoder's inputs: one look at each byte of a number,
   no copy of a category. It knows only what is well formed; whatever else it meets it leaves to the source,
   which has the words for it. */
#ifndef TACIT_SRC_CSV_ROWS_H
#define TACIT_SRC_CSV_ROWS_H

#include "data/encoder.h"
#include "data/rows.h"

/* One thread's. */
typedef struct tacit_csv_rows {
  tacit_encoder *encoder;
  size_t columns;
  size_t *input; /* the input that a column is, or TACIT_NO_COLUMN */
  bool *text;    /* whether a category needs the column's cell */
  char *plain;   /* this record's cells with quotes written twice, written out */
  size_t plain_used;
  double *one;   /* a row */
  double *x, *y; /* a tile of them */
  void *scratch; /* for the store */
  size_t scratch_bytes;
} tacit_csv_rows;

/* TACIT_BAD_INPUT for a column that the schema needs and the source lacks. Close it after a failure, too. */
tacit_status tacit_csv_rows_open(tacit_csv_rows *rows, tacit_source *source, const tacit_schema *schema,
                                 const tacit_row_store *store, tacit_error *error) TACIT_CHECKED;
/* Reads up to `records` records at *at and puts them into the store from `row` on. Returns how many there
   were before one that is not as it should be, which begins at *at. */
size_t tacit_csv_rows_read(tacit_csv_rows *rows, const char **at, const char *end, size_t records,
                           const tacit_row_store *store, size_t row);
void tacit_csv_rows_close(tacit_csv_rows *rows); /* wipes */

#endif
