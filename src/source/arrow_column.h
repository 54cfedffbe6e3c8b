/* One column of an Arrow stream: what it holds, and its values as cells and numbers. */
#ifndef TACIT_SRC_ARROW_COLUMN_H
#define TACIT_SRC_ARROW_COLUMN_H

#include "source/arrow_text.h"

#include <tacit/arrow.h>

/* What a column holds, by its format string. */
typedef enum tacit_arrow_kind {
  TACIT_ARROW_OTHER,
  TACIT_ARROW_I8,
  TACIT_ARROW_U8,
  TACIT_ARROW_I16,
  TACIT_ARROW_U16,
  TACIT_ARROW_I32,
  TACIT_ARROW_U32,
  TACIT_ARROW_I64,
  TACIT_ARROW_U64,
  TACIT_ARROW_F16,
  TACIT_ARROW_F32,
  TACIT_ARROW_F64,
  TACIT_ARROW_BOOL,
  TACIT_ARROW_TEXT,
  TACIT_ARROW_LARGE_TEXT,
  TACIT_ARROW_TEXT_VIEW,
  TACIT_ARROW_SPELLED, /* moments and decimals */
  TACIT_ARROW_NOTHING  /* nulls alone */
} tacit_arrow_kind;

typedef struct tacit_arrow_column {
  size_t child;
  tacit_arrow_kind holds;      /* for a dictionary, its indices */
  tacit_arrow_kind dictionary; /* its texts; TACIT_ARROW_OTHER: there is none */
  tacit_arrow_spelling spelling;
  char *spelled; /* of a cell, and of an integer beyond what a double holds: TACIT_ARROW_SIZE bytes */
} tacit_arrow_column;

/* What a column holds; TACIT_ARROW_OTHER: nothing that a schema can name. */
tacit_arrow_column tacit_arrow_column_of(const struct ArrowSchema *child, size_t place);
/* What it declares, and its type by DuckDB's name for it: a file's column is one thing, whichever way its
   file was written. */
void tacit_arrow_declares(const tacit_arrow_column *c, const char **type, tacit_declared *declared);
/* Whether it holds numbers, by which a double stands for each. */
bool tacit_arrow_numeric(const tacit_arrow_column *c);
/* Whether entry i, counted from the array's offset, has a value. */
bool tacit_arrow_valid(const struct ArrowArray *array, int64_t i);
/* Number i of an array's values, counted from their first. */
double tacit_arrow_number(const void *data, tacit_arrow_kind k, int64_t i);
/* The cell of a column in row i, counted from the batch's own offset; false for an array that makes no sense.
 */
bool tacit_arrow_cell(tacit_arrow_column *c, const struct ArrowArray *array, int64_t i, tacit_cell *cell);

#endif
