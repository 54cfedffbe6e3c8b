/* Loads DuckDB's library, connects, and asks small questions. */
#include "source/duckdb.h"

#include "base/reading.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/source.h>

static const char LIBRARY[] = "libduckdb.so";

/* local: its symbols are for nobody else. It stays loaded, for it does not like to be unloaded. */
static void *load_file(const char *path) {
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* A name without a slash is looked for where the system looks for libraries, and nowhere else. In a path the
   loader takes $ORIGIN and its like for folders. */
static void *load_given(const char *own) {
  char *real = NULL;
  if (!strchr(own, '/')) return load_file(own);
  bool plain = tacit_reading_real(own, &real, NULL) == TACIT_OK && !strchr(real, '$');
  void *library = plain ? load_file(real) : NULL;
  free(real);
  return library;
}

static tacit_status load(tacit_duckdb *d, tacit_error *error) {
  const char *own = getenv("TACIT_DUCKDB");
  bool given = own && *own;
  void *library = given ? load_given(own) : load_file(LIBRARY);
  if (!library && given)
    return tacit_fail(error, TACIT_USAGE,
                      "cannot load DuckDB's C library from %.300s, which TACIT_DUCKDB names", own);
  if (!library)
    return tacit_fail(
        error, TACIT_USAGE,
        "Parquet, JSON and --sql are read through DuckDB's C library, which is not installed: get "
        "libduckdb.so (scripts/install-deps duckdb, or duckdb.org, \"C/C++\"), put it where the system looks "
        "for libraries or name it in TACIT_DUCKDB; or turn the table into a CSV file");
  const char *missing = NULL;
#define FIND(type, name, arguments)                                                                          \
  *(void **)&d->name = dlsym(library, "duckdb_" #name);                                                      \
  if (!d->name) missing = "duckdb_" #name;
  TACIT_DUCKDB_FUNCTIONS(FIND)
#undef FIND
  if (missing)
    return tacit_fail(error, TACIT_USAGE, "this DuckDB library has no %s; version 1.0 or later is needed",
                      missing);
  return TACIT_OK;
}

/* Nothing from the network, nothing to the disk. Rows come in the order of the file. */
static tacit_status configure(const tacit_duckdb *d, bool file, void *config, tacit_error *error) {
  static const char *const SETTINGS[][2] = {{"autoinstall_known_extensions", "false"},
                                            {"autoload_known_extensions", "false"},
                                            {"temp_directory", ""},
                                            {"preserve_insertion_order", "true"},
                                            {"threads", "1"}};
  for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++)
    if (d->set_config(config, SETTINGS[i][0], SETTINGS[i][1]) != 0)
      return tacit_fail(error, TACIT_USAGE,
                        "this DuckDB library has no setting %s; another version is needed", SETTINGS[i][0]);
  if (file && d->set_config(config, "access_mode", "READ_ONLY") != 0)
    return tacit_fail(error, TACIT_INTERNAL, "DuckDB cannot open a database for reading alone");
  return TACIT_OK;
}

const char *tacit_source_beside(size_t index) {
  static const char *const ENDS[] = {".wal", ".wal.checkpoint", ".wal.recovery", ".checkpoint.wal"};
  return index < sizeof ENDS / sizeof *ENDS ? ENDS[index] : NULL;
}

static tacit_status check_beside(const char *real, tacit_error *error) {
  tacit_status status = TACIT_OK;
  for (size_t i = 0; status == TACIT_OK && tacit_source_beside(i); i++) {
    tacit_words name = {0};
    tacit_words_add(&name, real);
    tacit_words_add(&name, tacit_source_beside(i));
    if (name.failed)
      status = tacit_no_memory(error);
    else if (tacit_reading_is_ledger(name.text))
      status = tacit_reading_refused(name.text, error);
    free(name.text);
  }
  return status;
}

/* A real path, or NULL for a database in memory. */
static tacit_status open_real(tacit_duckdb *d, const char *real, tacit_error *error) {
  void *config = NULL;
  char *why = NULL;
  if (d->create_config(&config) != 0) return tacit_no_memory(error);
  tacit_status status = configure(d, real != NULL, config, error);
  if (status == TACIT_OK && d->open_ext(real, &d->database, config, &why) != 0) {
    d->database = NULL;
    status = real ? tacit_fail(error, TACIT_BAD_INPUT,
                               "%.300s cannot be opened as a DuckDB database; a file of records is named in "
                               "the query itself, such as FROM 'sales.parquet'",
                               real)
                  : tacit_fail(error, TACIT_INTERNAL, "DuckDB does not start");
  }
  d->free(why); /* it may quote what it found in the file */
  d->destroy_config(&config);
  if (status == TACIT_OK && d->connect(d->database, &d->connection) != 0) {
    d->connection = NULL;
    status = tacit_fail(error, TACIT_INTERNAL, "DuckDB does not start");
  }
  return status;
}

static tacit_status open_database(tacit_duckdb *d, const char *path, tacit_error *error) {
  char *real = NULL;
  if (!path) return open_real(d, NULL, error);
  TACIT_TRY(tacit_reading_real(path, &real, error));
  tacit_status status = check_beside(real, error);
  if (status == TACIT_OK) status = open_real(d, real, error);
  free(real);
  return status;
}

tacit_status tacit_duckdb_open(const char *path, tacit_duckdb **duckdb, tacit_error *error) {
  *duckdb = NULL;
  tacit_duckdb *d = tacit_alloc(1, sizeof *d);
  if (!d) return tacit_no_memory(error);
  tacit_status status = load(d, error);
  if (status == TACIT_OK) status = open_database(d, path, error);
  if (status == TACIT_OK)
    *duckdb = d;
  else
    tacit_duckdb_close(d);
  return status;
}

void tacit_duckdb_close(tacit_duckdb *d) {
  if (!d) return;
  if (d->connection) d->disconnect(&d->connection);
  if (d->database) d->close(&d->database);
  free(d);
}

tacit_status tacit_duckdb_plainly(const tacit_duckdb *d, tacit_error *error) {
  tacit_answer none;
  tacit_status status = tacit_duckdb_ask(d, "PRAGMA disable_optimizer", NULL, &none, NULL, error);
  if (status == TACIT_OK) tacit_answer_free(&none);
  if (status != TACIT_BAD_INPUT) return status;
  return tacit_fail(error, TACIT_USAGE,
                    "this DuckDB library cannot do without its optimiser, which lets one record change what "
                    "is read of another; another version is needed");
}

void tacit_words_add(tacit_words *words, const char *text) {
  size_t length = strlen(text);
  char *grown =
      words->failed ? NULL : tacit_grow(words->text, &words->capacity, words->length + length + 1, 1);
  words->failed = !grown;
  if (!grown) return;
  words->text = grown;
  memcpy(words->text + words->length, text, length + 1);
  words->length += length;
}

void tacit_words_quote(tacit_words *words, const char *text, char quote) {
  char mark[] = {quote, 0};
  tacit_words_add(words, mark);
  for (; *text; text++) {
    char one[] = {*text, *text == quote ? quote : 0, 0};
    tacit_words_add(words, one);
  }
  tacit_words_add(words, mark);
}

static char *text_at(void *data, const uint64_t *valid, uint64_t row) {
  size_t length;
  if (valid && !(valid[row / 64] >> row % 64 & 1)) return tacit_copy_text("", 0);
  const char *text = tacit_duckdb_text_of((const tacit_duckdb_text *)data + row, &length);
  return tacit_copy_text(text, length);
}

static tacit_status take_rows(const tacit_duckdb *d, void *chunk, tacit_answer *answer, tacit_error *error) {
  size_t rows = d->data_chunk_get_size(chunk), columns = answer->columns;
  char **grown = realloc(answer->cells, (answer->rows + rows) * columns * sizeof *grown);
  if (!grown) return tacit_no_memory(error);
  answer->cells = grown;
  for (size_t i = 0; i < rows; i++, answer->rows++)
    for (size_t j = 0; j < columns; j++) {
      void *vector = d->data_chunk_get_vector(chunk, j);
      char *text = text_at(d->vector_get_data(vector), d->vector_get_validity(vector), i);
      grown[answer->rows * columns + j] = text;
      if (text) continue;
      while (j > 0) free(grown[answer->rows * columns + --j]);
      return tacit_no_memory(error);
    }
  return TACIT_OK;
}

static tacit_status take_answer(const tacit_duckdb *d, tacit_duckdb_result *result, tacit_answer *answer,
                                tacit_error *error) {
  answer->columns = d->column_count(result);
  for (size_t j = 0; j < answer->columns; j++)
    if (d->column_type(result, j) != TACIT_DUCKDB_VARCHAR) answer->columns = 0; /* BEGIN, CREATE: a count */
  tacit_status status = TACIT_OK;
  for (void *chunk; status == TACIT_OK && answer->columns && (chunk = d->fetch_chunk(*result));) {
    if (d->data_chunk_get_size(chunk)) status = take_rows(d, chunk, answer, error);
    d->destroy_data_chunk(&chunk);
  }
  return status;
}

tacit_status tacit_duckdb_ask(const tacit_duckdb *d, const char *text, const char *parameter,
                              tacit_answer *answer, char **why, tacit_error *error) {
  *answer = (tacit_answer){0};
  if (why) *why = NULL;
  void *statement = NULL;
  tacit_duckdb_result result = {0};
  const char *words = NULL;
  bool done = d->prepare(d->connection, text, &statement) == 0;
  if (!done) words = d->prepare_error(statement);
  if (done && parameter) done = d->bind_varchar(statement, 1, parameter) == 0;
  if (done && d->execute_prepared(statement, &result) != 0) {
    done = false;
    words = d->result_error(&result);
  }
  tacit_status status = done ? take_answer(d, &result, answer, error)
                             : tacit_fail(error, TACIT_BAD_INPUT, "DuckDB refuses a statement");
  if (!done && why && words) *why = tacit_copy_text(words, strlen(words));
  d->destroy_result(&result);
  d->destroy_prepare(&statement);
  if (status != TACIT_OK) tacit_answer_free(answer);
  return status;
}

void tacit_answer_free(tacit_answer *answer) {
  for (size_t i = 0; i < answer->rows * answer->columns; i++) {
    char *cell = answer->cells[i];
    tacit_free_wiped(cell, strlen(cell));
  }
  free(answer->cells);
  *answer = (tacit_answer){0};
}
