/* What tests of Parquet, JSON and SQL share: a folder of their own, files written by DuckDB itself, and rows
   as text. */
#ifndef TACIT_SRC_DUCKDB_FOR_TEST_H
#define TACIT_SRC_DUCKDB_FOR_TEST_H

#include "source/duckdb_source.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/tacit-duckdb-XXXXXX";

/* Makes the folder and goes there; false where there is no library. */
static inline bool duckdb_begin(void) {
  tacit_duckdb *duckdb;
  tacit_error error;
  if (tacit_duckdb_open(NULL, &duckdb, &error) != TACIT_OK) {
    printf("skipped: %s\n", error.text);
    return false;
  }
  tacit_duckdb_close(duckdb);
  assert(mkdtemp(folder) && chdir(folder) == 0);
  return true;
}

static inline void duckdb_end(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert(chdir("/") == 0 && system(command) == 0);
}

/* Runs a statement in a database in memory that lives no longer: COPY ... TO a file. */
static inline void duckdb_write(const char *statement) {
  tacit_duckdb *duckdb;
  tacit_answer answer;
  tacit_error error;
  char *why = NULL;
  assert(tacit_duckdb_open(NULL, &duckdb, &error) == TACIT_OK);
  if (tacit_duckdb_ask(duckdb, statement, NULL, &answer, &why, &error) != TACIT_OK) {
    printf("%s\n%s\n", statement, why ? why : error.text);
    abort();
  }
  tacit_answer_free(&answer);
  tacit_duckdb_close(duckdb);
}

/* A database in which the statements were run. */
static inline void duckdb_make(const char *path, const char *const *statements, size_t count) {
  tacit_duckdb *duckdb;
  tacit_answer answer;
  tacit_error error;
  char attach[64], *why = NULL;
  snprintf(attach, sizeof attach, "ATTACH '%s' AS s", path);
  assert(tacit_duckdb_open(NULL, &duckdb, &error) == TACIT_OK);
  for (size_t i = 0; i < count + 2; i++) {
    const char *statement = i == 0 ? attach : i == 1 ? "USE s" : statements[i - 2];
    if (tacit_duckdb_ask(duckdb, statement, NULL, &answer, &why, &error) == TACIT_OK) continue;
    printf("%s\n%s\n", statement, why ? why : error.text);
    abort();
  }
  tacit_duckdb_close(duckdb);
}

/* A Parquet file of RECORDS records of many types, perhaps without one of them. */
enum { RECORDS = 7 };

static inline void write_table(size_t without, const char *path) {
  char statement[1024];
  snprintf(statement, sizeof statement,
           "COPY (SELECT i AS id, i * 7 %% 5 AS a, i / 4.0 AS b, CASE WHEN i %% 3 > 0 THEN 'k' || (i %% 2) "
           "END AS k, "
           "DATE '2024-01-30' + CAST(i AS INTEGER) AS d, TIMESTAMP '2024-01-01 10:00:00' AS t, CAST(i AS "
           "DECIMAL(8, 2)) AS m, i %% 2 = 0 AS o FROM range(%d) AS r(i) WHERE i <> %zu) TO '%s'",
           RECORDS, without, path);
  duckdb_write(statement);
}

static inline void write_text(const char *path, const char *text, size_t length) {
  FILE *file = fopen(path, "wb");
  assert(file && fwrite(text, 1, length, file) == length && fclose(file) == 0);
}

/* All rows of a source, one line each, cells between bars; to be freed. Takes the source. NULL where reading
   fails, and *error says why. */
static inline char *rows_of(tacit_source *source, tacit_error *error) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  tacit_cell *cells = calloc(source->columns, sizeof *cells);
  assert(out && cells);
  bool more;
  tacit_status status;
  while ((status = source->next(source, cells, &more, error)) == TACIT_OK && more) {
    for (size_t j = 0; j < source->columns; j++)
      if (cells[j].text)
        fprintf(out, "%.*s|", (int)cells[j].length, cells[j].text);
      else
        fprintf(out, "%.17g|", cells[j].number);
    fputc('\n', out);
  }
  fclose(out);
  free(cells);
  tacit_source_free(source);
  if (status == TACIT_OK) return text;
  free(text);
  return NULL;
}

#endif
