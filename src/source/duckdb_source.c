/* A source over what DuckDB reads: its columns by a DESCRIBE, its rows chunk by chunk as DuckDB makes them.
 */
#include "source/duckdb_source.h"

#include "base/base.h"
#include "schema/calendar.h"
#include "source/digits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a column's values become cells, by the name of its type. A moment at midnight is its date, so that it
   does not matter which of the two types a writer found fit. */
typedef enum reading { AS_IT_IS, AS_TEXT, AS_DIGITS, AS_MOMENT, NOT_AT_ALL } reading;

typedef struct duckdb_source {
  tacit_source base;
  tacit_duckdb *duckdb;
  char *from, *what;
  void (*expression)(tacit_words *words, const char *name);
  tacit_answer columns; /* the DESCRIBE: name, type */
  size_t described;     /* columns of the table, readable or not */
  size_t *place;        /* of a readable column in the table */
  reading *how;
  const char **names, **unreadable, **type_names;
  tacit_declared *declared;
  bool *blurred;
  double *rounded_from;
  void *statement, *chunk;
  tacit_duckdb_result result;
  size_t *read, read_count; /* which columns are read; the next three are theirs */
  int *types;               /* by DuckDB's numbers */
  void **data;              /* in the chunk */
  uint64_t **validity;      /* in the chunk; NULL: all are valid */
  uint64_t rows, row;       /* in the chunk */
  bool started, ended;
  tacit_status failed;
} duckdb_source;

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* A unit by such a name could be two: DuckDB rounds to microseconds here. */
static bool is_zoned(const char *type) {
  return begins(type, "TIME") && (strstr(type, "WITH TIME ZONE") || strstr(type, "TZ"));
}

static double rounded_from(const char *type, bool two_bytes) {
  return !strcmp(type, "DOUBLE")  ? TACIT_DOUBLE_ROUNDS
         : !strcmp(type, "FLOAT") ? (two_bytes ? TACIT_HALF_ROUNDS : TACIT_FLOAT_ROUNDS)
                                  : (double)INFINITY;
}

static reading reading_of(const char *type) {
  static const char *const PLAIN[] = {"BOOLEAN",   "TINYINT",  "SMALLINT", "INTEGER", "UTINYINT",
                                      "USMALLINT", "UINTEGER", "FLOAT",    "DOUBLE",  "VARCHAR"};
  static const char *const LONG[] = {"BIGINT", "UBIGINT", "DECIMAL(", "HUGEINT", "UHUGEINT"};
  if (begins(type, "TIMESTAMP") && !is_zoned(type)) return AS_MOMENT;
  static const char *const WORDED[] = {"DATE", "TIME", "UUID", "ENUM(", "JSON"};
  size_t length = strlen(type);
  if (length > 0 && type[length - 1] == ']') return NOT_AT_ALL; /* a list or an array of whatever it was */
  for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++)
    if (!strcmp(type, PLAIN[i])) return AS_IT_IS;
  for (size_t i = 0; i < sizeof LONG / sizeof *LONG; i++)
    if (begins(type, LONG[i])) return AS_DIGITS;
  for (size_t i = 0; i < sizeof WORDED / sizeof *WORDED; i++)
    if (begins(type, WORDED[i])) return AS_TEXT;
  return NOT_AT_ALL;
}

static tacit_status broke_off(duckdb_source *self, tacit_error *error) {
  self->failed = TACIT_BAD_INPUT;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "%.200s: DuckDB stopped at or after record %zu: the file is damaged, or an expression of "
                    "the query has no value for a record (TRY_CAST gives an empty cell where CAST fails); "
                    "%s",
                    self->what, self->base.record + 1, TACIT_DUCKDB_WITHHELD);
}

/* c0, c1, ...: the table's columns by their places. */
static void add_place(tacit_words *w, size_t place) {
  char name[32];
  snprintf(name, sizeof name, "c%zu", place);
  tacit_words_add(w, name);
}

/* SELECT c0, CAST(c2 AS VARCHAR) FROM the table AS t(c0, c1, c2): a column that nobody asked for is not read.
   Nothing but columns as they are, and their values as text, is ever asked of the records of a file. */
static char *projection(const duckdb_source *self) {
  tacit_words w = {0};
  for (size_t k = 0; k < self->read_count; k++) {
    size_t j = self->read[k];
    bool cast = self->how[j] != AS_IT_IS;
    tacit_words_add(&w, k ? ", " : "SELECT ");
    if (cast) tacit_words_add(&w, "CAST(");
    if (self->expression)
      self->expression(&w, self->names[j]);
    else
      add_place(&w, self->place[j]);
    if (cast) tacit_words_add(&w, " AS VARCHAR)");
  }
  tacit_words_add(&w, " FROM ");
  tacit_words_add(&w, self->from);
  if (!self->expression) tacit_words_add(&w, " AS t(");
  for (size_t j = 0; j < self->described && !self->expression; j++) {
    if (j) tacit_words_add(&w, ", ");
    add_place(&w, j);
  }
  if (!self->expression) tacit_words_add(&w, ")");
  if (!w.failed) return w.text;
  free(w.text);
  return NULL;
}

static bool run(duckdb_source *self, const char *text) {
  const tacit_duckdb *d = self->duckdb;
  void *pending = NULL;
  bool done = d->prepare(d->connection, text, &self->statement) == 0 &&
              d->pending_prepared_streaming(self->statement, &pending) == 0 &&
              d->execute_pending(pending, &self->result) == 0;
  d->destroy_pending(&pending);
  if (!done || d->column_count(&self->result) != self->read_count) return false;
  for (size_t k = 0; k < self->read_count; k++) {
    int type = self->types[k] = d->column_type(&self->result, k);
    bool known =
        (type >= TACIT_DUCKDB_BOOLEAN && type <= TACIT_DUCKDB_DOUBLE) || type == TACIT_DUCKDB_VARCHAR;
    if (!known) return false;
  }
  return true;
}

static tacit_status start(duckdb_source *self, tacit_error *error) {
  bool any = false;
  for (size_t j = 0; j < self->base.columns; j++) any |= self->base.reader.asked[j];
  for (size_t j = 0; j < self->base.columns; j++)
    if (!any || self->base.reader.asked[j]) self->read[self->read_count++] = j;
  char *text = projection(self), threads[64];
  if (!text) return tacit_no_memory(error);
  self->started = true;
  snprintf(threads, sizeof threads, "SET threads = %d",
           self->base.reader.threads > 1 ? self->base.reader.threads : 1);
  tacit_answer none;
  tacit_status status = tacit_duckdb_ask(self->duckdb, threads, NULL, &none, NULL, error);
  if (status == TACIT_OK && !run(self, text)) status = broke_off(self, error);
  free(text);
  return status;
}

static void drop_chunk(duckdb_source *self) {
  if (self->chunk) self->duckdb->destroy_data_chunk(&self->chunk);
  self->chunk = NULL;
  self->rows = self->row = 0;
}

/* The next chunk that has rows. The end and a failure look alike but for the error that a failure leaves. */
static tacit_status next_chunk(duckdb_source *self, bool *more, tacit_error *error) {
  const tacit_duckdb *d = self->duckdb;
  while (!self->ended && self->row == self->rows) {
    drop_chunk(self);
    self->chunk = d->fetch_chunk(self->result);
    if (!self->chunk) {
      self->ended = true;
      if (d->result_error(&self->result)) return broke_off(self, error);
      break;
    }
    self->rows = d->data_chunk_get_size(self->chunk);
    for (size_t k = 0; k < self->read_count && self->rows; k++) {
      void *vector = d->data_chunk_get_vector(self->chunk, k);
      self->data[k] = d->vector_get_data(vector);
      self->validity[k] = d->vector_get_validity(vector);
    }
  }
  *more = !self->ended;
  return TACIT_OK;
}

static double number_at(const void *data, int type, uint64_t i) {
  switch (type) {
  case TACIT_DUCKDB_BOOLEAN:
    return ((const uint8_t *)data)[i] != 0;
  case TACIT_DUCKDB_TINYINT:
    return ((const int8_t *)data)[i];
  case TACIT_DUCKDB_SMALLINT:
    return ((const int16_t *)data)[i];
  case TACIT_DUCKDB_INTEGER:
    return ((const int32_t *)data)[i];
  case TACIT_DUCKDB_UTINYINT:
    return ((const uint8_t *)data)[i];
  case TACIT_DUCKDB_USMALLINT:
    return ((const uint16_t *)data)[i];
  case TACIT_DUCKDB_UINTEGER:
    return ((const uint32_t *)data)[i];
  case TACIT_DUCKDB_FLOAT:
    return (double)((const float *)data)[i];
  default:
    return ((const double *)data)[i];
  }
}

static tacit_status duckdb_next(tacit_source *source, tacit_cell *cells, bool *more, tacit_error *error) {
  duckdb_source *self = (duckdb_source *)source;
  *more = false;
  if (self->failed) return broke_off(self, error);
  if (!self->started) TACIT_TRY(start(self, error));
  TACIT_TRY(next_chunk(self, more, error));
  if (!*more) return TACIT_OK;
  uint64_t i = self->row++;
  for (size_t j = 0; j < source->columns; j++) cells[j] = (tacit_cell){.text = "", .length = 0};
  for (size_t k = 0; k < self->read_count; k++) {
    const uint64_t *valid = self->validity[k];
    tacit_cell *cell = &cells[self->read[k]];
    if (valid && !(valid[i / 64] >> i % 64 & 1)) continue;
    if (self->types[k] == TACIT_DUCKDB_VARCHAR) {
      cell->text = tacit_duckdb_text_of((const tacit_duckdb_text *)self->data[k] + i, &cell->length);
      reading how = self->how[self->read[k]];
      if (how == AS_DIGITS) *cell = tacit_digits_cell(cell->text, cell->length);
      if (how == AS_MOMENT) cell->length = tacit_without_midnight(cell->text, cell->length);
    } else
      *cell = (tacit_cell){.number = number_at(self->data[k], self->types[k], i)};
  }
  source->record++;
  return TACIT_OK;
}

static void duckdb_close(tacit_source *source) {
  duckdb_source *self = (duckdb_source *)source;
  drop_chunk(self);
  if (self->duckdb) {
    self->duckdb->destroy_result(&self->result);
    self->duckdb->destroy_prepare(&self->statement);
  }
  tacit_duckdb_close(self->duckdb);
  tacit_answer_free(&self->columns);
  free(self->from);
  free(self->what);
  free(self->place);
  free(self->how);
  free(self->names);
  free(self->unreadable);
  free(self->base.reader.asked);
  free(self->declared);
  free(self->type_names);
  free(self->blurred);
  free(self->rounded_from);
  free(self->read);
  free(self->types);
  free(self->data);
  free(self->validity);
  free(self);
}

static tacit_status describe(duckdb_source *self, tacit_error *error) {
  tacit_words w = {0};
  tacit_words_add(&w, "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ");
  tacit_words_add(&w, self->from);
  tacit_words_add(&w, ")");
  tacit_status status = w.failed ? tacit_no_memory(error)
                                 : tacit_duckdb_ask(self->duckdb, w.text, NULL, &self->columns, NULL, error);
  free(w.text);
  if (status == TACIT_BAD_INPUT)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "%.200s: DuckDB finds no columns: no Parquet file or a damaged one, or a query that does not fit its "
        "tables (try it in DuckDB itself); %s",
        self->what, TACIT_DUCKDB_WITHHELD);
  return status;
}

/* Columns that are given by their names: all text. */
static tacit_status copy_keys(duckdb_source *self, const tacit_answer *keys, tacit_error *error) {
  static const char TEXT[] = "VARCHAR";
  self->columns = (tacit_answer){.cells = tacit_alloc(2 * keys->rows, sizeof(char *)), .columns = 2};
  if (!self->columns.cells) return tacit_no_memory(error);
  for (size_t i = 0; i < keys->rows; i++) {
    char *name = tacit_copy_text(keys->cells[i], strlen(keys->cells[i]));
    char *type = tacit_copy_text(TEXT, strlen(TEXT));
    if (!name || !type) {
      free(name);
      free(type);
      return tacit_no_memory(error);
    }
    self->columns.cells[2 * i] = name;
    self->columns.cells[2 * i + 1] = type;
    self->columns.rows++;
  }
  return TACIT_OK;
}

/* Dates are texts too, but declare nothing: they meet the texts of a query. */
static tacit_declared declared_by(const char *type) {
  if (!strcmp(type, "VARCHAR") || begins(type, "ENUM(") || !strcmp(type, "UUID")) return TACIT_DECLARED_TEXT;
  reading how = reading_of(type);
  return how == AS_TEXT || how == AS_MOMENT ? TACIT_DECLARED_NOTHING : TACIT_DECLARED_NUMBERS;
}

/* Columns are known by their places, and must have the names that the file gives them. */
static tacit_status check_parquet(const duckdb_source *self, const tacit_parquet *parquet,
                                  tacit_error *error) {
  size_t n = self->columns.rows, j = 0;
  if (!parquet) return TACIT_OK;
  while (j < n && j < parquet->count && !strcmp(self->columns.cells[2 * j], parquet->columns[j].name)) j++;
  if (j == n && j == parquet->count) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "%.200s: DuckDB does not call column %zu by the name that it has in the file; no two "
                    "names may differ only in upper and lower case, so rename one of them",
                    self->what, j + 1);
}

static tacit_status take_columns(duckdb_source *self, const tacit_parquet *parquet, tacit_error *error) {
  size_t n = self->described = self->columns.rows;
  self->place = tacit_alloc(n, sizeof *self->place);
  self->how = tacit_alloc(n, sizeof *self->how);
  self->names = tacit_alloc(n, sizeof *self->names);
  self->unreadable = tacit_alloc(n, sizeof *self->unreadable);
  self->type_names = tacit_alloc(n, sizeof *self->type_names);
  self->base.reader.asked = tacit_alloc(n, sizeof *self->base.reader.asked);
  self->declared = tacit_alloc(n, sizeof *self->declared);
  self->blurred = tacit_alloc(n, sizeof *self->blurred);
  self->rounded_from = tacit_alloc(n, sizeof *self->rounded_from);
  self->read = tacit_alloc(n, sizeof *self->read);
  self->types = tacit_alloc(n, sizeof *self->types);
  self->data = tacit_alloc(n, sizeof *self->data);
  self->validity = tacit_alloc(n, sizeof *self->validity);
  if (!self->place || !self->how || !self->names || !self->unreadable || !self->type_names ||
      !self->base.reader.asked || !self->declared || !self->blurred || !self->rounded_from || !self->read ||
      !self->types || !self->data || !self->validity)
    return tacit_no_memory(error);
  tacit_source *base = &self->base;
  for (size_t j = 0; j < n; j++) {
    const char *name = self->columns.cells[2 * j], *type = self->columns.cells[2 * j + 1];
    reading how = parquet && parquet->columns[j].wide ? NOT_AT_ALL : reading_of(type);
    if (how == NOT_AT_ALL) {
      self->unreadable[base->header.unreadable_count++] = name;
      continue;
    }
    self->place[base->columns] = j;
    self->how[base->columns] = how;
    self->declared[base->columns] = self->expression ? TACIT_DECLARED_NOTHING : declared_by(type);
    self->blurred[base->columns] = is_zoned(type) || (parquet && parquet->columns[j].int96);
    self->rounded_from[base->columns] = rounded_from(type, parquet && parquet->columns[j].two_bytes);
    self->type_names[base->columns] = type;
    self->names[base->columns++] = name;
  }
  base->names = self->names;
  base->header.unreadable = self->unreadable;
  base->header.declared = self->declared;
  if (!self->expression) base->header.types = self->type_names;
  base->origin.blurred = self->blurred;
  base->origin.rounded_from = self->rounded_from;
  base->origin.reals_rounded = self->expression != NULL;
  if (base->columns == 0)
    return tacit_fail(error, TACIT_BAD_INPUT, "%.200s has no column of numbers or text", self->what);
  return tacit_source_check_names(base, error);
}

tacit_status tacit_source_duckdb(tacit_duckdb *duckdb, const tacit_duckdb_table *table, tacit_source **source,
                                 tacit_error *error) {
  *source = NULL;
  duckdb_source *self = tacit_alloc(1, sizeof *self);
  if (!self) {
    tacit_duckdb_close(duckdb);
    return tacit_no_memory(error);
  }
  self->duckdb = duckdb;
  self->base.next = duckdb_next;
  self->base.close = duckdb_close;
  self->expression = table->expression;
  self->from = tacit_copy_text(table->from, strlen(table->from));
  self->what = tacit_copy_text(table->what, strlen(table->what));
  tacit_status status = !self->from || !self->what ? tacit_no_memory(error)
                        : table->expression        ? copy_keys(self, table->keys, error)
                                                   : describe(self, error);
  if (status == TACIT_OK) status = check_parquet(self, table->parquet, error);
  if (status == TACIT_OK) status = take_columns(self, table->parquet, error);
  if (status == TACIT_OK)
    *source = &self->base;
  else
    duckdb_close(&self->base);
  return status;
}
