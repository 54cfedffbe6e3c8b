/* Reads the restaurant data of Zhao, Zhou and Wang's section 6.2 and builds the paper's columns: the demand 7
   and 14 days before comes from earlier rows only. */
#include "papers/lamb.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const tacit_lamb_names[TACIT_LAMB_COLUMNS] = {"is_holiday", "lamb_7",      "lamb_14",
                                                          "rain",       "temperature", "lamb"};
enum { HOLIDAY, LAG_7, LAG_14, RAIN, TEMPERATURE, DEMAND };

/* Lags as ordinary bounded columns: the promise is then for a row, as in the paper, not for a day. */
static const char SCHEMA[] = "{\"target\": {\"name\": \"lamb\", \"min\": 0, \"max\": 100},"
                             " \"features\": [{\"name\": \"is_holiday\", \"min\": 0, \"max\": "
                             "1},{\"name\": \"lamb_7\", \"min\": 0, \"max\": 100},{\"name\": \"lamb_14\", "
                             "\"min\": 0, \"max\": 100},{\"name\": \"rain\", \"min\": 0, \"max\": "
                             "40},{\"name\": \"temperature\", \"min\": -15, \"max\": 40}]}";

enum { PATH = 4096 };

static tacit_status find_file(const char *folder, const char *name, char path[PATH], tacit_error *error) {
  static const char *const below[] = {"", "/restaurant"};
  for (int i = 0; i < 2; i++) {
    int length = snprintf(path, PATH, "%s%s/%s", folder, below[i], name);
    if (length > 0 && length < PATH && access(path, R_OK) == 0) return TACIT_OK;
  }
  return tacit_fail(
      error, TACIT_BAD_INPUT,
      "no %s in the folder %.200s: take yaz_data.csv and yaz_target.csv from the Python package ddop "
      "(pip download ddop) and name their folder with --data",
      name, folder);
}

typedef struct reading {
  tacit_source *source;
  const char *const *levels; /* NULL for a column of numbers */
  tacit_cell *cells;
  size_t at; /* the column's place */
  double *values;
  size_t rows, capacity;
} reading;

/* A number, or a level's place. */
static bool read_cell(const tacit_cell *cell, const char *const *levels, double *value) {
  if (!levels) return tacit_cell_number(cell, value);
  for (size_t k = 0; levels[k]; k++)
    if (cell->text && strlen(levels[k]) == cell->length && !memcmp(levels[k], cell->text, cell->length)) {
      *value = (double)k;
      return true;
    }
  return false;
}

static tacit_status read_rows(reading *r, const char *name, tacit_error *error) {
  bool more;
  TACIT_TRY(tacit_source_find(r->source, name, &r->at, error));
  for (;;) {
    TACIT_TRY(r->source->next(r->source, r->cells, &more, error));
    if (!more) return TACIT_OK;
    double *grown = tacit_grow(r->values, &r->capacity, r->rows + 1, sizeof *grown);
    if (!grown) return tacit_no_memory(error);
    r->values = grown;
    if (!read_cell(&r->cells[r->at], r->levels, &r->values[r->rows++]))
      return tacit_fail(error, TACIT_BAD_INPUT, "row %zu of the restaurant data has no %s in the column %s",
                        r->rows, r->levels ? "known level" : "number", name);
  }
}

tacit_status tacit_lamb_column(const char *folder, const char *file, const char *name,
                               const char *const *levels, double **values, size_t *rows, tacit_error *error) {
  char path[PATH];
  reading r = {.levels = levels};
  TACIT_TRY(find_file(folder, file, path, error));
  TACIT_TRY(tacit_source_csv(path, &r.source, error));
  r.cells = tacit_alloc(r.source->columns, sizeof *r.cells);
  tacit_status status = r.cells ? read_rows(&r, name, error) : tacit_no_memory(error);
  free(r.cells);
  tacit_source_free(r.source);
  *values = r.values;
  *rows = r.rows;
  return status;
}

/* A column from the day `lag` before, for the days from TACIT_LAMB_DROPPED on. */
static double *shifted(const double *values, size_t rows, size_t lag) {
  double *out = tacit_alloc(rows, sizeof *out);
  if (out) memcpy(out, values + TACIT_LAMB_DROPPED - lag, rows * sizeof *out);
  return out;
}

static tacit_status read_columns(const char *folder, tacit_lamb *lamb, tacit_error *error) {
  static const struct {
    int column;
    const char *file, *name;
  } files[] = {{HOLIDAY, "yaz_data.csv", "is_holiday"},
               {RAIN, "yaz_data.csv", "rain"},
               {TEMPERATURE, "yaz_data.csv", "temperature"},
               {DEMAND, "yaz_target.csv", "lamb"}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    double *values = NULL;
    size_t rows = 0;
    tacit_status status =
        tacit_lamb_column(folder, files[i].file, files[i].name, NULL, &values, &rows, error);
    if (status == TACIT_OK &&
        (rows <= TACIT_LAMB_DROPPED || (i > 0 && rows != lamb->rows + TACIT_LAMB_DROPPED)))
      status = tacit_fail(error, TACIT_BAD_INPUT,
                          "the two files of the restaurant data do not have the same rows");
    if (status == TACIT_OK) {
      lamb->rows = rows - TACIT_LAMB_DROPPED;
      bool demand = files[i].column == DEMAND;
      lamb->column[files[i].column] = shifted(values, lamb->rows, 0);
      if (demand) lamb->column[LAG_7] = shifted(values, lamb->rows, 7);
      if (demand) lamb->column[LAG_14] = shifted(values, lamb->rows, 14);
    }
    free(values);
    TACIT_TRY(status);
  }
  for (int j = 0; j < TACIT_LAMB_COLUMNS; j++)
    if (!lamb->column[j]) return tacit_no_memory(error);
  return TACIT_OK;
}

tacit_status tacit_lamb_read(const char *folder, tacit_lamb *lamb, tacit_error *error) {
  *lamb = (tacit_lamb){0};
  TACIT_TRY(read_columns(folder, lamb, error));
  TACIT_TRY(tacit_schema_parse(SCHEMA, sizeof SCHEMA - 1, &lamb->schema, error));
  TACIT_TRY(tacit_sample_new(TACIT_LAMB_COLUMNS, 1, &lamb->encoded, error));
  tacit_source *source = NULL;
  tacit_read_counts counts;
  TACIT_TRY(tacit_source_columns(lamb->rows, TACIT_LAMB_COLUMNS, tacit_lamb_names,
                                 (const double *const *)lamb->column, NULL, &source, error));
  tacit_status status = tacit_encode_source(
      source, lamb->schema, true, &(const tacit_row_taker){.add = tacit_sample_add, .self = lamb->encoded},
      &counts, NULL, error);
  tacit_source_free(source);
  return status == TACIT_OK ? tacit_sample_finish(lamb->encoded, error) : status;
}

void tacit_lamb_free(tacit_lamb *lamb) {
  for (int j = 0; j < TACIT_LAMB_COLUMNS; j++) free(lamb->column[j]);
  tacit_schema_free(lamb->schema);
  tacit_sample_free(lamb->encoded);
  *lamb = (tacit_lamb){0};
}
