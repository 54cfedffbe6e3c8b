/* Parquet and JSON files as something to select from, so that one record of the file is one row.

   Nothing is guessed from records. A Parquet file says its columns' types itself. In a JSON file every value
   is taken as text: guessing types from records, as DuckDB would, lets one record change how all others are
   read (proofs/sql.md). */
#include "data/duckdb_source.h"

#include "base/base.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEYS_MAX = 10000 };

typedef enum kind { OTHER, PARQUET, JSON, JSON_LINES } kind;

static kind kind_of(const char *path) {
  static const struct {
    const char *end;
    kind is;
  } ENDS[] = {{".parquet", PARQUET}, {".json", JSON}, {".ndjson", JSON_LINES}, {".jsonl", JSON_LINES}};
  size_t length = strlen(path);
  for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
    size_t end = strlen(ENDS[i].end);
    if (length > end && !strcasecmp(path + length - end, ENDS[i].end)) return ENDS[i].is;
  }
  return OTHER;
}

bool tacit_duckdb_reads(const char *path) {
  return kind_of(path) != OTHER;
}

bool tacit_duckdb_declares(const char *path) {
  return kind_of(path) == PARQUET;
}

/* A JSON file is one array of records, or records one after the other. */
static bool is_array(const char *path) {
  char first[4096];
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = descriptor < 0 ? 0 : read(descriptor, first, sizeof first);
  if (descriptor >= 0) close(descriptor);
  size_t i = length > 3 && !memcmp(first, "\xef\xbb\xbf", 3) ? 3 : 0;
  while ((ssize_t)i < length && strchr(" \t\r\n", first[i])) i++;
  bool array = (ssize_t)i < length && first[i] == '[';
  tacit_wipe(first, sizeof first);
  return array;
}

/* The file by a name that DuckDB cannot take for a pattern or an address, to be freed; NULL, and the words,
   where there is none. */
static char *plain_path(const char *path, tacit_error *error) {
  struct stat about;
  char *real = NULL;
  bool there = stat(path, &about) == 0;
  if (!there)
    (void)tacit_fail(error, TACIT_BAD_INPUT, "no such file: %.300s", path);
  else if (!S_ISREG(about.st_mode))
    (void)tacit_fail(error, TACIT_BAD_INPUT,
                     "%.300s is not a file; Parquet and JSON are read from files alone", path);
  else if (!(real = realpath(path, NULL)))
    (void)tacit_fail(error, TACIT_BAD_INPUT, "%.300s cannot be read", path);
  if (!real || !strpbrk(real, "*?[{")) return real;
  (void)tacit_fail(error, TACIT_BAD_INPUT,
                   "%.300s: DuckDB takes *, ?, [ and { in names for patterns; rename the file", path);
  free(real);
  return NULL;
}

/* Every key of a record is a column, wherever it occurs. Which there are decides nothing but whether a column
   that the schema asks for is there. A JSON pointer names a key whatever characters it has. */
static tacit_status select_keys(const tacit_duckdb *duckdb, const char *objects, const char *path,
                                tacit_words *w, tacit_error *error) {
  tacit_words ask = {0};
  tacit_answer keys;
  /* SQL has no column without a name, and no name with a NUL in it */
  tacit_words_add(&ask, "SELECT k FROM (SELECT DISTINCT unnest(json_keys(json)) AS k FROM ");
  tacit_words_add(&ask, objects);
  tacit_words_add(&ask, " WHERE json_type(json) = 'OBJECT') WHERE k <> '' AND position(chr(0) IN k) = 0 "
                        "ORDER BY k LIMIT 10001");
  tacit_status status =
      ask.failed ? tacit_no_memory(error) : tacit_duckdb_ask(duckdb, ask.text, NULL, &keys, NULL, error);
  free(ask.text);
  if (status == TACIT_BAD_INPUT)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "%.200s cannot be read as JSON: it must be an array of objects, or objects one after the "
        "other, in UTF-8; %s",
        path, TACIT_DUCKDB_WITHHELD);
  if (status != TACIT_OK) return status;
  if (keys.rows == 0 || keys.rows > KEYS_MAX)
    status = tacit_fail(error, TACIT_BAD_INPUT, "%.200s has %s", path,
                        keys.rows ? "too many different keys in its objects (more than 10000)"
                                  : "no object with keys, so that there are no columns");
  for (size_t j = 0; j < keys.rows && status == TACIT_OK; j++) {
    tacit_words pointer = {0};
    tacit_words_add(&pointer, "/");
    for (const char *c = keys.cells[j]; *c; c++) {
      char one[] = {*c, 0};
      tacit_words_add(&pointer, *c == '~' ? "~0" : *c == '/' ? "~1" : one);
    }
    /* what is no object has no keys, though a pointer may find something in an array */
    tacit_words_add(w, j ? ", " : "SELECT ");
    tacit_words_add(w, "CASE WHEN json_type(json) = 'OBJECT' THEN json_extract_string(json, ");
    if (pointer.failed) status = tacit_no_memory(error);
    if (status == TACIT_OK) tacit_words_quote(w, pointer.text, '\'');
    tacit_words_add(w, ") END AS ");
    tacit_words_quote(w, keys.cells[j], '"');
    free(pointer.text);
  }
  tacit_words_add(w, " FROM ");
  tacit_words_add(w, objects);
  tacit_answer_free(&keys);
  return status;
}

static tacit_status select_json(const tacit_duckdb *duckdb, const char *path, const char *real, kind is,
                                tacit_words *w, tacit_error *error) {
  tacit_words objects = {0};
  tacit_words_add(&objects, "read_json_objects(");
  tacit_words_quote(&objects, real, '\'');
  tacit_words_add(&objects, is == JSON_LINES ? ", format = 'newline_delimited')"
                            : is_array(real) ? ", format = 'array')"
                                             : ", format = 'unstructured')");
  tacit_status status =
      objects.failed ? tacit_no_memory(error) : select_keys(duckdb, objects.text, path, w, error);
  free(objects.text);
  return status;
}

tacit_status tacit_duckdb_scan(const tacit_duckdb *duckdb, const char *path, char **select,
                               tacit_error *error) {
  tacit_words w = {0};
  kind is = kind_of(path);
  *select = NULL;
  char *real = plain_path(path, error);
  if (!real) return TACIT_BAD_INPUT;
  tacit_status status = TACIT_OK;
  if (is == JSON || is == JSON_LINES) {
    status = select_json(duckdb, path, real, is, &w, error);
  } else {
    tacit_words_add(&w, "SELECT * FROM read_parquet(");
    tacit_words_quote(&w, real, '\'');
    tacit_words_add(&w, ", hive_partitioning = false)"); /* else names of folders would be columns */
  }
  free(real);
  if (status == TACIT_OK && w.failed) status = tacit_no_memory(error);
  if (status == TACIT_OK)
    *select = w.text;
  else
    free(w.text);
  return status;
}

tacit_status tacit_source_duckdb_file(const char *path, tacit_source **source, tacit_error *error) {
  *source = NULL;
  tacit_duckdb *duckdb;
  char *select;
  TACIT_TRY(tacit_duckdb_open(NULL, &duckdb, error));
  tacit_status status = tacit_duckdb_plainly(duckdb, error);
  if (status == TACIT_OK) status = tacit_duckdb_scan(duckdb, path, &select, error);
  if (status != TACIT_OK) {
    tacit_duckdb_close(duckdb);
    return status;
  }
  status = tacit_source_duckdb(duckdb, select, path, NULL, source, error);
  free(select);
  return status;
}
