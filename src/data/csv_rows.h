/* Reads CSV records that lie in memory, a tile at a time: one look at each byte of a number, no copy of a
   category. It knows only what is well formed; whatever else it meets it leaves to the source,
   which has the words for it. */
#ifndef TACIT_SRC_CSV_ROWS_H
#define TACIT_SRC_CSV_ROWS_H

#include "data/encoder.h"
#include "data/level_table.h"
#include "source/number_run.h"
#include "source/rows.h"

/* What becomes of a column's cells. */
typedef struct tacit_csv_column {
  bool number;                /* it is read as one */
  bool required;              /* and there must be one */
  bool text;                  /* a category, a flag or a moment needs the cell */
  size_t run;                 /* columns from here on that are numbers and no more */
  size_t place;               /* of its decimals */
  size_t input;               /* the number's */
  size_t first_other, others; /* its inputs that are no numbers, among those of all columns */
} tacit_csv_column;

/* One thread's. */
typedef struct tacit_csv_rows {
  tacit_encoder *encoder;
  size_t columns;
  tacit_csv_column *column;
  tacit_number_run *read_run;
  tacit_decimals *decimals; /* a tile of each column that is a number */
  double *number;           /* the same, rounded; and behind them a tile of each input that is no number */
  size_t numbers;           /* how many columns are numbers */
  size_t *other;            /* the inputs that are none, column by column */
  const double **values;    /* each input's numbers */
  size_t *level;            /* a tile of each feature's, where it is a category */
  tacit_level_table *table; /* each feature's, where it is a category */
  char *plain;              /* this record's cells with quotes written twice, written out */
  size_t plain_used;
  double *x, *y; /* the encoded tile */
  void *scratch; /* for the store */
  size_t scratch_bytes;
} tacit_csv_rows;

/* TACIT_BAD_INPUT for a column that the schema needs and the source lacks. Close it after a failure, too. */
tacit_status tacit_csv_rows_open(tacit_csv_rows *rows, tacit_source *source, const tacit_schema *schema,
                                 const tacit_row_store *store, tacit_error *error) TACIT_CHECKED;
/* Reads up to `records` records at *at and puts them into the store from `row` on. Returns how many there
   were before one that is not as it should be, which begins at *at. The text's bytes alone are
   looked at. */
size_t tacit_csv_rows_read(tacit_csv_rows *rows, const char **at, const tacit_number_text *text,
                           size_t records, const tacit_row_store *store, size_t row);
void tacit_csv_rows_close(tacit_csv_rows *rows); /* wipes */

#endif
