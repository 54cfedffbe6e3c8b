/* Reads CSV records that lie in memory into a tile of decimals, and the tile, by columns, into a store. */
#include "data/csv_rows.h"

#include "base/base.h"
#include "data/encode_tile.h"
#include "data/tally.h"
#include "source/csv_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN = 1 << 16 }; /* bytes; a record with more of such cells is left to the source */

/* Who needs a column's number and has none to put in its place. */
static bool is_required(const tacit_encoder *encoder, size_t input) {
  const tacit_schema *schema = encoder->schema;
  for (size_t f = 0; f < schema->feature_count; f++)
    if (tacit_feature_reads(&schema->features[f]) != TACIT_READS_LEVEL && encoder->features[f] == input &&
        !schema->features[f].has_missing)
      return true;
  for (size_t t = 0; t < schema->target_count; t++)
    if ((encoder->targets[t] == input && !schema->targets[t].has_missing) ||
        (encoder->sold[t] == input && !schema->targets[t].sold_has_missing))
      return true;
  return false;
}

/* Inputs that are no numbers, each with a tile behind those of the numbers. */
static void plan_others(tacit_csv_rows *rows) {
  const tacit_encoder *encoder = rows->encoder;
  size_t count = 0;
  for (size_t j = 0; j < rows->columns; j++) {
    rows->column[j].first_other = count;
    for (size_t i = 0; i < encoder->input_count; i++) {
      if (encoder->inputs[i].column != j || encoder->inputs[i].reading == TACIT_READS_NUMBER) continue;
      rows->column[j].text = true;
      rows->values[i] = rows->number + (rows->numbers + count) * TACIT_TILE;
      rows->other[count++] = i;
    }
    rows->column[j].others = count - rows->column[j].first_other;
  }
}

/* Decimals lie in the order of the columns that are numbers, so that those of a run lie side by side. */
static void plan_columns(tacit_csv_rows *rows) {
  const tacit_encoder *encoder = rows->encoder;
  const tacit_schema *schema = encoder->schema;
  for (size_t i = 0; i < encoder->input_count; i++) {
    if (encoder->inputs[i].reading != TACIT_READS_NUMBER) continue;
    tacit_csv_column *column = &rows->column[encoder->inputs[i].column];
    column->number = true;
    column->input = i;
    column->required = is_required(encoder, i);
  }
  for (size_t f = 0; f < schema->feature_count; f++)
    if (rows->encoder->levels[f].feature) rows->column[encoder->features[f]].text = true;
  for (size_t j = 0; j < rows->columns; j++) {
    rows->column[j].place = rows->numbers;
    rows->numbers += rows->column[j].number;
  }
  for (size_t i = 0; i < encoder->input_count; i++)
    if (encoder->inputs[i].reading == TACIT_READS_NUMBER)
      rows->values[i] = rows->number + rows->column[encoder->inputs[i].column].place * TACIT_TILE;
  plan_others(rows);
  for (size_t j = rows->columns, run = 0; j-- > 0; rows->column[j].run = run)
    run = rows->column[j].number && !rows->column[j].text ? run + 1 : 0;
}

tacit_status tacit_csv_rows_open(tacit_csv_rows *rows, tacit_source *source, const tacit_schema *schema,
                                 const tacit_row_store *store, tacit_error *error) {
  *rows = (tacit_csv_rows){
      .columns = source->columns, .scratch_bytes = store->scratch, .read_run = tacit_number_run_best()};
  TACIT_TRY(tacit_encoder_new(source, schema, true, &rows->encoder, error));
  size_t inputs = rows->encoder->input_count;
  rows->column = tacit_alloc(rows->columns, sizeof *rows->column);
  rows->decimals = tacit_alloc(inputs, sizeof *rows->decimals);
  rows->number = tacit_alloc(TACIT_TILE * inputs, sizeof *rows->number);
  rows->values = tacit_alloc(inputs, sizeof *rows->values);
  rows->other = tacit_alloc(inputs, sizeof *rows->other);
  rows->level = tacit_alloc(TACIT_TILE * schema->feature_count, sizeof *rows->level);
  rows->table = tacit_alloc(schema->feature_count, sizeof *rows->table);
  rows->x = tacit_alloc(TACIT_TILE * schema->columns, sizeof *rows->x);
  rows->y = tacit_alloc(TACIT_TILE * schema->target_count, sizeof *rows->y);
  rows->scratch = tacit_alloc(store->scratch, 1);
  rows->plain = tacit_alloc(PLAIN, 1);
  if (!rows->column || !rows->decimals || !rows->number || !rows->values || !rows->other || !rows->level ||
      !rows->table || !rows->x || !rows->y || !rows->scratch || !rows->plain)
    return tacit_no_memory(error);
  plan_columns(rows);
  for (size_t f = 0; f < schema->feature_count; f++)
    if (rows->encoder->levels[f].feature)
      TACIT_TRY(tacit_level_table_open(&rows->table[f], &rows->encoder->levels[f], error));
  return TACIT_OK;
}

static void wipe(void *memory, size_t count, size_t size) {
  tacit_free_wiped(memory, memory ? count * size : 0);
}

void tacit_csv_rows_close(tacit_csv_rows *rows) {
  if (rows->encoder) {
    const tacit_schema *schema = rows->encoder->schema;
    size_t inputs = rows->encoder->input_count;
    wipe(rows->decimals, inputs, sizeof *rows->decimals);
    wipe(rows->number, TACIT_TILE * inputs, sizeof *rows->number);
    wipe(rows->level, TACIT_TILE * schema->feature_count, sizeof *rows->level);
    wipe(rows->x, TACIT_TILE * schema->columns, sizeof *rows->x);
    wipe(rows->y, TACIT_TILE * schema->target_count, sizeof *rows->y);
    wipe(rows->scratch, rows->scratch_bytes, 1);
    wipe(rows->plain, PLAIN, 1);
    for (size_t f = 0; rows->table && f < schema->feature_count; f++)
      tacit_level_table_close(&rows->table[f]);
  }
  tacit_encoder_free(rows->encoder);
  free(rows->column);
  free(rows->values);
  free(rows->other);
  free(rows->table);
  *rows = (tacit_csv_rows){0};
}

/* What ends a cell that is not quoted, or is a fault in it. */
static bool is_special(char c) {
  return c == ',' || c == '\n' || c == '\r' || c == '"' || c == 0;
}

/* The first of them from p on, eight bytes at a time: none of them lies above the comma. */
static const char *find_special(const char *p, const char *end) {
  const uint64_t ones = 0x0101010101010101;
  uint64_t word;
  while ((size_t)(end - p) >= sizeof word) {
    memcpy(&word, p, sizeof word);
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) word = __builtin_bswap64(word);
    /* the high bit of each byte up to ','; a borrow makes it wrong only above the lowest one */
    uint64_t low = (word - (',' + 1) * ones) & ~word & 0x80 * ones;
    p += low ? (size_t)__builtin_ctzll(low) / 8 : sizeof word;
    if (!low) continue;
    if (is_special(*p)) return p;
    p++;
  }
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

/* A number that was read whole, or NaN where there is none, as its column's entry for a row. */
static void set_number(tacit_decimals *decimals, size_t row, double number) {
  memcpy(&decimals->low[row], &number, sizeof number);
  decimals->top[row] = 0;
  decimals->ten[row] = (double)NAN;
}

/* end: of the bytes that may be looked at */
static void set_levels(tacit_csv_rows *rows, size_t j, size_t row, const tacit_cell *cell, const char *end) {
  for (size_t f = 0; f < rows->encoder->schema->feature_count; f++)
    if (rows->table[f].values && rows->encoder->features[f] == j) {
      size_t level = tacit_level_table_find(&rows->table[f], cell->text, cell->length, end);
      rows->level[f * TACIT_TILE + row] = level;
      tacit_level_tally(rows->table[f].values, cell, level, &rows->encoder->tally[f]);
    }
}

static void note_missing(tacit_csv_rows *rows, size_t input, const tacit_cell *cell) {
  tacit_tally_unreadable(&rows->encoder->inputs[input].odd, rows->encoder->source, cell);
}

/* What was noted of a tile's inputs, to all who read them. */
static void tally_odd(tacit_encoder *encoder) {
  const tacit_schema *schema = encoder->schema;
  for (size_t k = 0; k < tacit_tally_count(schema); k++) {
    bool feature = k < schema->feature_count;
    size_t t = k - schema->feature_count;
    size_t input = feature                    ? encoder->features[k]
                   : t < schema->target_count ? encoder->targets[t]
                                              : encoder->sold[t - schema->target_count];
    if (input == TACIT_NO_COLUMN || (feature && encoder->levels[k].feature)) continue;
    encoder->tally[k].unreadable += encoder->inputs[input].odd.unreadable;
    encoder->tally[k].commas += encoder->inputs[input].odd.commas;
  }
  for (size_t i = 0; i < encoder->input_count; i++) encoder->inputs[i].odd = (tacit_tally){0};
}

/* Flags and moments; false where there is none and must be one. */
static bool set_others(tacit_csv_rows *rows, const tacit_csv_column *column, size_t row,
                       const tacit_cell *cell) {
  for (size_t k = column->first_other; k < column->first_other + column->others; k++) {
    size_t i = rows->other[k];
    double value;
    bool there = tacit_input_read(&rows->encoder->inputs[i], cell, &value) == TACIT_NUMBER;
    if (!there && is_required(rows->encoder, i)) return false;
    if (!there) note_missing(rows, i, cell);
    rows->number[(rows->numbers + k) * TACIT_TILE + row] = there ? value : (double)NAN;
  }
  return true;
}

/* One cell of column j at p, whatever it is; returns the place behind it, or NULL. */
static const char *read_cell(tacit_csv_rows *rows, size_t j, size_t row, const char *p, const char *end) {
  const tacit_csv_column *column = &rows->column[j];
  double number = NAN;
  if (column->number && !column->text) {
    const char *behind = tacit_number_plain(p, end, &number);
    if (behind && ends_cell(behind, end)) {
      set_number(&rows->decimals[column->place], row, number);
      return behind;
    }
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
  if (!column->number && !column->text) return p;
  if (doubled && !write_plain(rows, &cell)) return NULL;
  if (column->text) set_levels(rows, j, row, &cell, doubled ? cell.text + cell.length : end);
  if (column->others && !set_others(rows, column, row, &cell)) return NULL;
  if (column->number) {
    bool there = tacit_cell_read_number(&cell, &number) == TACIT_NUMBER;
    if (!there && column->required) return NULL;
    if (!there) note_missing(rows, column->input, &cell);
    set_number(&rows->decimals[column->place], row, there ? number : (double)NAN);
  }
  return p;
}

/* The record at p as a row of the tile; returns where the next one begins, or NULL. */
static inline const char *read_record(tacit_csv_rows *rows, size_t row, const char *p,
                                      const tacit_number_text *text) {
  const char *from = p, *end = text->end;
  size_t columns = rows->columns;
  rows->plain_used = 0;
  for (size_t j = 0; j < columns; j++) {
    const tacit_csv_column *column = &rows->column[j];
    size_t run = column->run;
    if (run) run = rows->read_run(p, text, &rows->decimals[column->place], run, row, &p);
    if (run)
      j += run - 1;
    else
      p = read_cell(rows, j, row, p, end);
    if (!p) return NULL;
    if (j + 1 == columns) break;
    if (p == end || *p != ',') return NULL;
    p++;
  }
  if (p < end && *p == '\r') p++;
  if (p < end && *p != '\n') return NULL;
  /* a lone carriage return, or one column without a line end: the source has the words */
  if (p == end && (columns == 1 || (p > from && p[-1] == '\r'))) return NULL;
  if (p < end) p++;
  return (size_t)(p - from) < TACIT_CSV_RECORD_MAX ? p : NULL;
}

static void encode_levels(tacit_csv_rows *rows, size_t count) {
  const tacit_schema *schema = rows->encoder->schema;
  for (size_t f = 0; f < schema->feature_count; f++)
    if (rows->table[f].values)
      tacit_encode_levels(&schema->features[f], rows->level + f * TACIT_TILE, count,
                          rows->x + schema->features[f].first * TACIT_TILE);
}

static void put_tile(tacit_csv_rows *rows, size_t count, const tacit_row_store *store, size_t row) {
  if (!count) return;
  for (size_t i = 0; i < rows->numbers; i++)
    tacit_decimals_round(&rows->decimals[i], count, rows->number + i * TACIT_TILE);
  /* what is missing and may not be was seen before */
  (void)tacit_encode_tile(rows->encoder, rows->values, 0, count, rows->x, rows->y, rows->encoder->tally);
  tally_odd(rows->encoder);
  encode_levels(rows, count);
  tacit_schema_multiply(rows->encoder->schema, TACIT_TILE, count, rows->x);
  const tacit_tile tile = {.count = count, .stride = TACIT_TILE, .x = rows->x, .y = rows->y};
  store->put(store->self, row, &tile, rows->scratch);
}

size_t tacit_csv_rows_read(tacit_csv_rows *rows, const char **at, const tacit_number_text *text,
                           size_t records, const tacit_row_store *store, size_t row) {
  size_t done = 0, count = 0;
  for (; done < records; done++) {
    const char *next = read_record(rows, count, *at, text);
    if (!next) break;
    *at = next;
    if (++count < TACIT_TILE) continue;
    put_tile(rows, count, store, row + done + 1 - count);
    count = 0;
  }
  put_tile(rows, count, store, row + done - count);
  return done;
}
