/* Sources over what DuckDB reads. */
#ifndef TACIT_SRC_DUCKDB_SOURCE_H
#define TACIT_SRC_DUCKDB_SOURCE_H

#include "source/duckdb.h"
#include "source/parquet.h"
#include "source/source.h"

/* What every statement about records says when it fails: DuckDB's own words may quote a record. */
#define TACIT_DUCKDB_WITHHELD "DuckDB's own words are withheld, for they may quote a record"

/* What is read: `from` is what stands behind FROM. Its columns are what DuckDB says of it or, with
   `expression`, the names in `keys`, each of them a text that `expression` says how to compute. */
typedef struct tacit_duckdb_table {
  const char *from;
  const char *what; /* names the table in messages */
  const tacit_answer *keys;
  void (*expression)(tacit_words *words, const char *name);
  const tacit_parquet *parquet; /* what the file says of the same columns; NULL: it is none of Parquet */
} tacit_duckdb_table;

/* A source over such a table. It takes the connection over, also when it fails, and copies the rest. Nothing
   is read before the first record is asked for, and then only the columns that were looked up. Numbers and
   booleans come as numbers, those that no double tells apart by their digits (source/digits.h), dates and
   times as text, midnight as its date; a null is an empty cell. */
tacit_status tacit_source_duckdb(tacit_duckdb *duckdb, const tacit_duckdb_table *table, tacit_source **source,
                                 tacit_error *error) TACIT_CHECKED;

/* Whether a file is read through DuckDB, by its name: Parquet and JSON. */
bool tacit_duckdb_reads(const char *path);
/* The source of such a file as it is: each record of the file is a row. TACIT_BAD_INPUT for a file that is
   not there or not what its name says. */
tacit_status tacit_source_duckdb_file(const char *path, tacit_source **source,
                                      tacit_error *error) TACIT_CHECKED;
/* The source of one table of a DuckDB database, opened for reading alone: each record of it is a row. */
tacit_status tacit_source_duckdb_table(const char *database, const char *name, tacit_source **source,
                                       tacit_error *error) TACIT_CHECKED;

#endif
