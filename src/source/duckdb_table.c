/* One table of a DuckDB database: each record of it is a row.

   A view may be anything, a generated column is an expression that nobody has looked at, and functions that
   the database defines could stand in for DuckDB's own: all three are refused (proofs/sql.md). */
#include "base/base.h"
#include "source/duckdb_source.h"

#include <stdlib.h>
#include <string.h>

/* The first question, with nothing in it that can be redefined. */
static tacit_status refuse_own_functions(const tacit_duckdb *duckdb, tacit_error *error) {
  tacit_answer own;
  TACIT_TRY(tacit_duckdb_ask(duckdb,
                             "SELECT function_name FROM system.main.duckdb_functions() WHERE NOT internal",
                             NULL, &own, NULL, error));
  bool none = own.columns == 1 && own.rows == 0;
  tacit_answer_free(&own);
  if (none) return TACIT_OK;
  return tacit_fail(
      error, TACIT_REFUSED,
      "the database defines functions (macros) of its own, which may stand in for DuckDB's; drop them, or "
      "export the table to Parquet and select from that");
}

/* The table by exactly this name, in full in *from. DuckDB's names do not heed the case of ASCII letters
   alone, so that a looser comparison here could find a table where FROM would find a view. */
static tacit_status find_table(const tacit_duckdb *duckdb, const char *name, tacit_words *from,
                               tacit_error *error) {
  tacit_answer tables;
  TACIT_TRY(
      tacit_duckdb_ask(duckdb,
                       "SELECT table_name, database_name, CASE WHEN contains(lower(sql), 'generated') THEN "
                       "'computes' ELSE '' END FROM system.main.duckdb_tables() WHERE NOT internal AND "
                       "schema_name = 'main' AND database_name = current_database() AND table_name = $1",
                       name, &tables, NULL, error));
  bool found = tables.columns == 3 && tables.rows == 1 && !strcmp(tables.cells[0], name);
  bool computes = found && *tables.cells[2]; /* or a name or default that says so */
  if (found) {
    tacit_words_quote(from, tables.cells[1], '"');
    tacit_words_add(from, ".main.");
    tacit_words_quote(from, name, '"');
  }
  tacit_answer_free(&tables);
  if (computes)
    return tacit_fail(error, TACIT_REFUSED,
                      "the table \"%.100s\" computes some of its columns (GENERATED); give them in the query "
                      "instead, from a table without them",
                      name);
  if (found) return from->failed ? tacit_no_memory(error) : TACIT_OK;
  return tacit_fail(
      error, TACIT_BAD_INPUT,
      "the database has no table \"%.100s\" in its schema main (write the name as the database does); a view "
      "may be "
      "anything, so give the table it is made from, or leave TABLE out and name a file: FROM 'sales.parquet'",
      name);
}

tacit_status tacit_source_duckdb_table(const char *database, const char *name, tacit_source **source,
                                       tacit_error *error) {
  *source = NULL;
  tacit_duckdb *duckdb;
  TACIT_TRY(tacit_duckdb_open(database, &duckdb, error));
  tacit_words from = {0};
  tacit_status status = tacit_duckdb_plainly(duckdb, error);
  if (status == TACIT_OK) status = refuse_own_functions(duckdb, error);
  if (status == TACIT_OK) status = find_table(duckdb, name, &from, error);
  const tacit_duckdb_table table = {.from = from.text, .what = name};
  if (status == TACIT_OK)
    status = tacit_source_duckdb(duckdb, &table, source, error);
  else
    tacit_duckdb_close(duckdb);
  if (status == TACIT_OK) (*source)->origin.unordered = true;
  free(from.text);
  return status;
}
