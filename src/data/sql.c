/* The rows of a query. Either it keeps one record one row: then its expressions are computed here, of one
   record at a time; or the caller declares that a unit is a row of its result: then DuckDB may do what it
   likes (proofs/sql.md). */
#include "base/base.h"
#include "source/duckdb_source.h"
#include "source/expression.h"

#include <stdlib.h>
#include <string.h>
#include <tacit/data.h>

static tacit_status open_records(const char *database, const char *name, tacit_source **records,
                                 tacit_error *error) {
  if (database) return tacit_source_duckdb_table(database, name, records, error);
  TACIT_TRY(tacit_source_open(name, records, error));
  if (!(*records)->pack) return TACIT_OK;
  tacit_source_free(*records);
  *records = NULL;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "%.200s is packed: its records are encoded already and cannot be queried; name the table "
                    "that it was made from",
                    name);
}

static tacit_status open_rows(const char *database, const char *text, tacit_source **source,
                              tacit_error *error) {
  tacit_query *query;
  tacit_source *records;
  TACIT_TRY(tacit_query_parse(text, &query, error));
  tacit_status status = open_records(database, query->table, &records, error);
  if (status == TACIT_OK) return tacit_source_select(records, query, source, error);
  tacit_query_free(query);
  return status;
}

/* Any SELECT, in brackets; it may end in a comment. */
static tacit_status open_result(const char *database, const char *text, tacit_source **source,
                                tacit_error *error) {
  tacit_duckdb *duckdb;
  tacit_words from = {0};
  size_t length = strlen(text);
  while (length > 0 && strchr("; \t\r\n", text[length - 1])) length--;
  char *query = tacit_copy_text(text, length);
  if (!query) return tacit_no_memory(error);
  tacit_words_add(&from, "(");
  tacit_words_add(&from, query);
  tacit_words_add(&from, "\n)");
  free(query);
  tacit_status status = from.failed ? tacit_no_memory(error) : tacit_duckdb_open(database, &duckdb, error);
  const tacit_duckdb_table table = {.from = from.text, .what = "the query"};
  if (status == TACIT_OK) status = tacit_source_duckdb(duckdb, &table, source, error);
  if (status == TACIT_OK) {
    (*source)->origin.queried = (*source)->origin.unordered = true;
    (*source)->origin.rows_are = TACIT_ROW_RESULT;
  }
  free(from.text);
  return status;
}

tacit_status tacit_source_sql(const char *database, const char *text, bool result_rows, tacit_source **source,
                              tacit_error *error) {
  *source = NULL;
  return result_rows ? open_result(database, text, source, error) : open_rows(database, text, source, error);
}

tacit_status tacit_source_where(tacit_source *records, const char *condition, tacit_source **source,
                                tacit_error *error) {
  tacit_query *query = NULL;
  *source = NULL;
  tacit_status status =
      records->pack || records->engine
          ? tacit_fail(error, TACIT_BAD_INPUT,
                       "the rows are encoded already and have no columns that a condition could "
                       "name; use the table itself")
          : tacit_condition_parse(condition, &query, error);
  if (status == TACIT_OK) return tacit_source_select(records, query, source, error);
  tacit_source_free(records);
  return status;
}
