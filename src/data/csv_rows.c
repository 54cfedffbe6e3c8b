/* Reads CSV records that lie in memory into an encoder's inputs, and its rows into a store. */
#include "data/csv_rows.h"

#include "base/base.h"
#include "data/csv_scan.h"

#include <stdlib.h>
#include <string.h>

enum { PLAIN = 1 << 16 }; /* bytes; a record with more of such cells is left to the source */

tacit_status tacit_csv_rows_open(tacit_csv_rows *rows, tacit_source *source, const tacit_schema *schema,
                                 const tacit_row_store *store, tacit_error *error) {
  *rows = (tacit_csv_rows){.columns = source->columns, .scratch_bytes = store->scratch};
  TACIT_TRY(tacit_encoder_new(source, schema, true, &rows->encoder, error));
  const tacit_encoder *encoder = rows->encoder;
  rows->input = tacit_alloc(rows->columns, sizeof *rows->input);
  rows->text = tacit_alloc(rows->columns, sizeof *rows->text);
  rows->one = tacit_alloc(schema->columns + schema->target_count, sizeof *rows->one);
  rows->x = tacit_alloc(TACIT_TILE * schema->columns, sizeof *rows->x);
  rows->y = tacit_alloc(TACIT_TILE * schema->target_count, sizeof *rows->y);
  rows->scratch = tacit_alloc(store->scratch, 1);
  rows->plain = tacit_alloc(PLAIN, 1);
  if (!rows->input || !rows->text || !rows->one || !rows->x || !rows->y || !rows->scratch || !rows->plain)
    return tacit_no_memory(error);
  for (size_t j = 0; j < rows->columns; j++) rows->input[j] = TACIT_NO_COLUMN;
  for (size_t i = 0; i < encoder->input_count; i++) rows->input[encoder->inputs[i].column] = i;
  for (size_t f = 0; f < schema->feature_count; f++)
    if (schema->features[f].kind == TACIT_FEATURE_CATEGORY) rows->text[encoder->features[f]] = true;
  return TACIT_OK;
}

void tacit_csv_rows_close(tacit_csv_rows *rows) {
  if (rows->encoder) {
    const tacit_schema *schema = rows->encoder->schema;
    tacit_free_wiped(rows->one, rows->one ? (schema->columns + schema->target_count) * sizeof(double) : 0);
    tacit_free_wiped(rows->x, rows->x ? TACIT_TILE * schema->columns * sizeof *rows->x : 0);
    tacit_free_wiped(rows->y, rows->y ? TACIT_TILE * schema->target_count * sizeof *rows->y : 0);
    tacit_free_wiped(rows->scratch, rows->scratch ? rows->scratch_bytes : 0);
    tacit_free_wiped(rows->plain, rows->plain ? PLAIN : 0);
  }
  tacit_encoder_free(rows->encoder);
  free(rows->input);
  free(rows->text);
  *rows = (tacit_csv_rows){0};
}

/* What ends a cell that is not quoted, or is a fault in it. */
static bool is_special(char c) {
  return c == ',' || c == '\n' || c == '\r' || c == '"' || c == 0;
}

static const char *find_special(const char *p, const char *end) {
  while (p < end && !is_special(*p)) p++;
  return p;
}

/* A quoted cell at p; returns the place behind its closing quote, or NULL when something is wrong. */
static const char *quoted(const char *p, const char *end, tacit_cell *cell, bool *doubled) {
  const char *from = p + 1;
  *doubled = false;
  for (p = from;;) {
    const char *quote = memchr(p, '"', (size_t)(end - p));
    if (!quote || memchr(p, 0, (size_t)(quote - p))) return NULL;
    p = quote + 1;
    if (p == end || *p != '"') {
      *cell = (tacit_cell){.text = from, .length = (size_t)(quote - from)};
      return p;
    }
    *doubled = true;
    p++;
  }
}

/* The cell with doubled quotes made single. */
static bool write_plain(tacit_csv_rows *rows, tacit_cell *cell) {
  if (cell->length > PLAIN - rows->plain_used) return false;
  char *out = rows->plain + rows->plain_used;
  size_t n = 0;
  for (size_t i = 0; i < cell->length; i++) {
    out[n++] = cell->text[i];
    if (cell->text[i] == '"') i++;
  }
  rows->plain_used += n;
  *cell = (tacit_cell){.text = out, .length = n};
  return true;
}

static bool ends_cell(const char *p, const char *end) {
  return p == end || *p == ',' || *p == '\n' || *p == '\r';
}

/* One cell of column j at p; returns the place behind it, or NULL. */
static const char *read_cell(tacit_csv_rows *rows, size_t j, const char *p, const char *end) {
  tacit_encoder *encoder = rows->encoder;
  tacit_input *in = rows->input[j] == TACIT_NO_COLUMN ? NULL : &encoder->inputs[rows->input[j]];
  if (in && !rows->text[j]) {
    const char *behind = tacit_number_plain(p, end, &in->value);
    in->kind = TACIT_NUMBER;
    if (behind && ends_cell(behind, end)) return behind;
  }
  tacit_cell cell;
  bool doubled = false;
  if (p < end && *p == '"') {
    p = quoted(p, end, &cell, &doubled);
    if (!p) return NULL;
  } else {
    const char *from = p;
    p = find_special(p, end);
    cell = (tacit_cell){.text = from, .length = (size_t)(p - from)};
  }
  if (!ends_cell(p, end)) return NULL;
  if (!in && !rows->text[j]) return p;
  if (doubled && !write_plain(rows, &cell)) return NULL;
  if (in) in->kind = tacit_cell_read_number(&cell, &in->value);
  encoder->cells[j] = cell;
  return p;
}

/* The record at p; returns where the next one begins, or NULL. */
static const char *read_record(tacit_csv_rows *rows, const char *p, const char *end) {
  const char *from = p;
  rows->plain_used = 0;
  for (size_t j = 0; j < rows->columns; j++) {
    if (j > 0) {
      if (p == end || *p != ',') return NULL;
      p++;
    }
    p = read_cell(rows, j, p, end);
    if (!p) return NULL;
  }
  if (p < end && *p == '\r') p++;
  if (p < end && *p != '\n') return NULL;
  if (p == end && p > from && p[-1] == '\r') return NULL;
  if (p < end) p++;
  return (size_t)(p - from) < TACIT_CSV_RECORD_MAX ? p : NULL;
}

size_t tacit_csv_rows_read(tacit_csv_rows *rows, const char **at, const char *end, size_t records,
                           const tacit_row_store *store, size_t row) {
  const tacit_schema *schema = rows->encoder->schema;
  size_t done = 0, p = schema->columns, targets = schema->target_count;
  tacit_tile tile = {.stride = TACIT_TILE, .x = rows->x, .y = rows->y};
  for (; done < records; done++) {
    bool ready;
    const char *next = read_record(rows, *at, end);
    double *x = rows->one, *y = x + p;
    if (!next || tacit_encoder_row(rows->encoder, x, y, &ready, NULL) != TACIT_OK || !ready) break;
    for (size_t j = 0; j < p; j++) rows->x[j * TACIT_TILE + tile.count] = x[j];
    for (size_t t = 0; t < targets; t++) rows->y[t * TACIT_TILE + tile.count] = y[t];
    *at = next;
    if (++tile.count < TACIT_TILE) continue;
    store->put(store->self, row + done + 1 - tile.count, &tile, rows->scratch);
    tile.count = 0;
  }
  if (tile.count) store->put(store->self, row + done - tile.count, &tile, rows->scratch);
  return done;
}
