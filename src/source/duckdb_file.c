/* Parquet and JSON files, and tables of a DuckDB database, so that one record is one row.

   Nothing is guessed from records. A Parquet file says its columns' types itself. In a JSON file every value
   is taken as text: guessing types from records, as DuckDB would, lets one record change how all others are
   read (proofs/sql.md). */
#include "source/duckdb_source.h"

#include "base/reading.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { KEYS_MAX = 10000 };

typedef enum kind { OTHER, PARQUET, JSON, JSON_ARRAY, JSON_LINES } kind;

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

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* How a JSON file begins: as one array of records, or with records one after the other. However many blanks
   stand in front, the first byte that is none decides. */
static void look_at_start(int file, bool *marked, bool *array) {
  static const char MARK[] = "\xef\xbb\xbf";
  const size_t mark = sizeof MARK - 1;
  char part[4096];
  ssize_t length = pread(file, part, sizeof part, 0);
  *marked = length >= (ssize_t)mark && !memcmp(part, MARK, mark);
  *array = false;
  off_t from = *marked ? (off_t)mark : 0;
  for (bool blank = true; blank && (length = pread(file, part, sizeof part, from)) > 0; from += length) {
    ssize_t i = 0;
    while (i < length && is_blank(part[i])) i++;
    blank = i == length;
    *array = !blank && part[i] == '[';
  }
  tacit_wipe(part, sizeof part);
}

/* Where in an array a byte is. */
typedef struct place {
  size_t depth;
  bool text, escaped;
  bool ended, behind; /* the array has; something that is not blank stands behind it */
} place;

static void step(place *at, char c) {
  if (at->text) {
    at->text = at->escaped || c != '"';
    at->escaped = !at->escaped && c == '\\';
    return;
  }
  at->behind = at->behind || (at->ended && !is_blank(c));
  at->text = c == '"';
  at->depth += c == '[' || c == '{';
  if ((c != ']' && c != '}') || at->depth == 0) return;
  at->ended = --at->depth == 0;
}

/* Whether the first array of a file is closed, and nothing follows it: DuckDB takes a file that was cut off
   behind a comma for a whole one, and goes on reading records behind the bracket. */
static bool is_one_array(int file) {
  char part[1 << 14];
  place at = {0};
  off_t from = 0;
  for (ssize_t length; (length = pread(file, part, sizeof part, from)) > 0; from += length)
    for (ssize_t i = 0; i < length; i++) step(&at, part[i]);
  tacit_wipe(part, sizeof part);
  return at.ended && !at.behind;
}

/* Which of the two a .json file is, in *is. What follows a byte-order mark DuckDB reads or not by the number
   of its threads, unless it is an array. */
static tacit_status look_at_json(const char *path, kind *is, tacit_error *error) {
  if (*is != JSON && *is != JSON_LINES) return TACIT_OK;
  bool marked = false, array = false, whole = true;
  int file = tacit_reading_open(path, 0);
  if (file >= 0) {
    look_at_start(file, &marked, &array);
    array = array && *is == JSON;
    whole = !array || is_one_array(file);
    close(file);
  }
  if (marked && !array)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "%.200s begins with a byte-order mark; write it as UTF-8 without one", path);
  if (!whole)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "%.200s cannot be read as JSON: its array is not closed, or not the whole file; was the "
        "file cut off, or put together of two?",
        path);
  if (array) *is = JSON_ARRAY;
  return TACIT_OK;
}

/* Every key of a record is a column, wherever it occurs. Which there are decides nothing but whether a column
   that the schema or a query asks for is there. */
static tacit_status find_keys(const tacit_duckdb *duckdb, const char *objects, const char *path,
                              tacit_answer *keys, tacit_error *error) {
  tacit_words ask = {0};
  /* SQL has no column without a name, and no name with a NUL in it */
  tacit_words_add(&ask, "SELECT k FROM (SELECT DISTINCT unnest(json_keys(json)) AS k FROM ");
  tacit_words_add(&ask, objects);
  tacit_words_add(&ask, " WHERE json_type(json) = 'OBJECT') WHERE k <> '' AND position(chr(0) IN k) = 0 "
                        "ORDER BY k LIMIT 10001");
  tacit_status status =
      ask.failed ? tacit_no_memory(error) : tacit_duckdb_ask(duckdb, ask.text, NULL, keys, NULL, error);
  free(ask.text);
  if (status == TACIT_BAD_INPUT)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "%.200s cannot be read as JSON: it must be an array of objects, or objects one after the "
        "other, in UTF-8; %s",
        path, TACIT_DUCKDB_WITHHELD);
  if (status != TACIT_OK || (keys->rows > 0 && keys->rows <= KEYS_MAX)) return status;
  status = tacit_fail(error, TACIT_BAD_INPUT, "%.200s has %s", path,
                      keys->rows ? "too many different keys in its objects (more than 10000)"
                                 : "no object with keys, so that there are no columns");
  tacit_answer_free(keys);
  return status;
}

/* The value of a key as text. A JSON pointer names a key whatever characters it has. What is no object has no
   keys, though a pointer may find something in an array. */
static void extract_key(tacit_words *w, const char *key) {
  tacit_words pointer = {0};
  tacit_words_add(&pointer, "/");
  for (const char *c = key; *c; c++) {
    char one[] = {*c, 0};
    tacit_words_add(&pointer, *c == '~' ? "~0" : *c == '/' ? "~1" : one);
  }
  tacit_words_add(w, "CASE WHEN json_type(json) = 'OBJECT' THEN json_extract_string(json, ");
  w->failed = w->failed || pointer.failed;
  if (!pointer.failed) tacit_words_quote(w, pointer.text, '\'');
  tacit_words_add(w, ") END");
  free(pointer.text);
}

/* read_parquet('path'), or one of the forms of read_json_objects. */
static void add_reader(tacit_words *w, const char *real, kind is) {
  tacit_words_add(w, is == PARQUET ? "read_parquet(" : "read_json_objects(");
  tacit_words_quote(w, real, '\'');
  tacit_words_add(w, is == JSON_LINES   ? ", format = 'newline_delimited'"
                     : is == JSON_ARRAY ? ", format = 'array'"
                     : is == JSON       ? ", format = 'unstructured'"
                                        : "");
  tacit_words_add(w, ", hive_partitioning = false)"); /* no folders as columns, nor as records: json=... */
}

tacit_status tacit_source_duckdb_file(const char *path, tacit_source **source, tacit_error *error) {
  *source = NULL;
  kind is = kind_of(path);
  if (is == OTHER) is = PARQUET; /* known by its first and last bytes */
  char *real;
  TACIT_TRY(tacit_reading_real(path, &real, error));
  tacit_words from = {0};
  tacit_duckdb *duckdb = NULL;
  tacit_answer keys = {0};
  tacit_parquet parquet = {0};
  tacit_status status = look_at_json(real, &is, error);
  add_reader(&from, real, is);
  bool json = is != PARQUET;
  if (status == TACIT_OK && from.failed) status = tacit_no_memory(error);
  if (status == TACIT_OK) status = tacit_duckdb_open(NULL, &duckdb, error);
  if (status == TACIT_OK) status = tacit_duckdb_plainly(duckdb, error);
  if (status == TACIT_OK && json) status = find_keys(duckdb, from.text, path, &keys, error);
  if (status == TACIT_OK && !json) status = tacit_parquet_describe(duckdb, real, &parquet, error);
  const tacit_duckdb_table table = {from.text, path, &keys, json ? extract_key : NULL,
                                    json ? NULL : &parquet};
  if (status == TACIT_OK)
    status = tacit_source_duckdb(duckdb, &table, source, error);
  else
    tacit_duckdb_close(duckdb);
  tacit_answer_free(&keys);
  tacit_parquet_free(&parquet);
  free(real);
  free(from.text);
  return status;
}
