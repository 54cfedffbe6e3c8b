/* What tests of queries share. */
#ifndef TACIT_SRC_SQL_FOR_TEST_H
#define TACIT_SRC_SQL_FOR_TEST_H

#include "source/duckdb_for_test.h"

#include <tacit/data.h>

/* The rows of a query whose rows are records, as text to be freed; NULL where it is refused. */
static inline char *result_of(const char *query, tacit_error *error) {
  tacit_source *source;
  if (tacit_source_sql(NULL, query, false, &source, error) != TACIT_OK) return NULL;
  return rows_of(source, error);
}

#endif
