/* What a Parquet file says of its columns itself, where DuckDB's description leaves something out. */
#ifndef TACIT_SRC_PARQUET_H
#define TACIT_SRC_PARQUET_H

#include "source/duckdb.h"

typedef struct tacit_parquet_column {
  const char *name; /* as the file has it: DuckDB renames those that differ only in upper and lower case */
  bool wide;        /* a decimal of more digits than DuckDB's own, which it reads wrongly or as a double */
  bool int96;       /* a time of 96 bits: DuckDB drops its nanoseconds */
  bool two_bytes;   /* of bytes without a type: DuckDB calls FLOAT what is half of one */
} tacit_parquet_column;

typedef struct tacit_parquet {
  tacit_parquet_column *columns; /* in the file's order; their parts are not among them */
  size_t count;
  tacit_answer schema; /* where the names are */
} tacit_parquet;

/* No columns, and TACIT_OK, for what is no Parquet file: that is said when its rows are asked for. */
tacit_status tacit_parquet_describe(const tacit_duckdb *duckdb, const char *path, tacit_parquet *parquet,
                                    tacit_error *error) TACIT_CHECKED;
void tacit_parquet_free(tacit_parquet *parquet);

#endif
