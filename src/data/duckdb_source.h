/* A source over what a SELECT gives. */
#ifndef TACIT_SRC_DUCKDB_SOURCE_H
#define TACIT_SRC_DUCKDB_SOURCE_H

#include "data/duckdb.h"
#include "data/source.h"

/* What every statement about records says when it fails: DuckDB's own words may quote a record. */
#define TACIT_DUCKDB_WITHHELD "DuckDB's own words are withheld, for they may quote a record"

/* The source of a SELECT, in whose words there is no semicolon. It takes the connection over, also when it
   fails. Nothing is read before the first record is asked for, and then only the columns that were looked
   up. Numbers and booleans come as numbers, 64-bit integers, decimals, dates and times as text; a null is an
   empty cell. `what` names the table in messages; computed (may be NULL) says of each column of the SELECT
   whether it was computed from others; both are copied. */
tacit_status tacit_source_duckdb(tacit_duckdb *duckdb, const char *select, const char *what,
                                 const bool *computed, tacit_source **source,
                                 tacit_error *error) TACIT_CHECKED;

/* A table's file as something to select from: a Parquet or JSON file, by its name. *select is to be freed.
   TACIT_BAD_INPUT for a file that is not there or not what its name says. */
bool tacit_duckdb_reads(const char *path);
bool tacit_duckdb_declares(
    const char *path); /* whether such a file says its columns itself, without records */
tacit_status tacit_duckdb_scan(const tacit_duckdb *duckdb, const char *path, char **select,
                               tacit_error *error) TACIT_CHECKED;
/* The source of such a file as it is: each record of the file is a row. */
tacit_status tacit_source_duckdb_file(const char *path, tacit_source **source,
                                      tacit_error *error) TACIT_CHECKED;

#endif
