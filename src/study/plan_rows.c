/* Simulated records that fit a schema: its columns, and rows drawn from a law of demand. */
#include "base/base.h"
#include "data/encoder.h"
#include "num/normal.h"
#include "schema/clock.h"
#include "study/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A bounded number, in units of half its range: a spread of a fifth of the range, cut at the bounds. */
static const double BOUNDED_SPREAD = 0.4, BOUND = 1;
/* What features have in common stays within this, so that a number within its bounds is soon found. */
static const double COMMON_MOST = 3;

static size_t find_column(const tacit_plan_columns *columns, const char *name) {
  size_t c = 0;
  while (c < columns->count && strcmp(columns->names[c], name) != 0) c++;
  return c;
}

/* Whether a feature says more about its column than another: dates before levels before bounds. */
static bool says_more(const tacit_feature *feature, const tacit_feature *known) {
  if (!known || !feature) return true;
  tacit_reads a = tacit_feature_reads(feature), b = tacit_feature_reads(known);
  if (a == TACIT_READS_MOMENT || b == TACIT_READS_MOMENT)
    return b != TACIT_READS_MOMENT || (feature->has_scale && !known->has_scale);
  if (a == TACIT_READS_LEVEL || b == TACIT_READS_LEVEL) return b != TACIT_READS_LEVEL;
  return !known->has_scale;
}

/* The column of this name, added if it is new. */
static size_t add_column(tacit_plan_columns *columns, const char *name, const tacit_feature *feature) {
  size_t c = find_column(columns, name);
  if (c == columns->count) columns->names[columns->count++] = name;
  if (c >= columns->schema->target_count && says_more(feature, columns->features[c]))
    columns->features[c] = feature;
  return c;
}

bool tacit_plan_is_date(const tacit_plan_columns *columns, size_t c) {
  return columns->features[c] && tacit_feature_reads(columns->features[c]) == TACIT_READS_MOMENT;
}

bool tacit_plan_has_levels(const tacit_plan_columns *columns, size_t c) {
  return columns->features[c] && tacit_feature_reads(columns->features[c]) == TACIT_READS_LEVEL;
}

static bool is_text(const tacit_plan_columns *columns, size_t c) {
  return tacit_plan_is_date(columns, c) || tacit_plan_has_levels(columns, c);
}

tacit_status tacit_plan_columns_new(const tacit_schema *schema, tacit_plan_columns *columns,
                                    tacit_error *error) {
  size_t most = schema->target_count + schema->feature_count + 2;
  *columns = (tacit_plan_columns){.schema = schema};
  columns->names = tacit_alloc(most, sizeof *columns->names);
  columns->features = tacit_alloc(most, sizeof(const tacit_feature *));
  columns->column_of = tacit_alloc(most, sizeof *columns->column_of);
  columns->level_of = tacit_alloc(most, sizeof *columns->level_of);
  if (!columns->names || !columns->features || !columns->column_of || !columns->level_of)
    return tacit_no_memory(error);
  for (size_t t = 0; t < schema->target_count; t++) add_column(columns, schema->targets[t].name, NULL);
  for (size_t f = 0; f < schema->feature_count; f++)
    if (schema->features[f].factor_count == 0)
      columns->column_of[f] = add_column(columns, schema->features[f].name, &schema->features[f]);
  if (schema->unit_column) add_column(columns, schema->unit_column, NULL);
  if (schema->panel.time) add_column(columns, schema->panel.time, NULL);
  for (size_t c = 0; c < columns->count; c++) {
    columns->level_of[c] = columns->levels;
    if (tacit_plan_has_levels(columns, c)) columns->levels += columns->features[c]->level_count;
  }
  return TACIT_OK;
}

void tacit_plan_columns_free(tacit_plan_columns *columns) {
  free(columns->names);
  free(columns->features);
  free(columns->column_of);
  free(columns->level_of);
}

tacit_status tacit_plan_table_new(const tacit_plan_columns *columns, size_t rows, tacit_plan_table *table,
                                  tacit_error *error) {
  const tacit_schema *schema = columns->schema;
  *table = (tacit_plan_table){.rows = rows};
  table->numbers = tacit_alloc(columns->count, sizeof *table->numbers);
  table->texts = tacit_alloc(columns->count, sizeof *table->texts);
  table->stamps = tacit_alloc(columns->count, sizeof *table->stamps);
  table->x = tacit_alloc(rows, schema->columns * sizeof *table->x);
  table->y = tacit_alloc(rows, schema->target_count * sizeof *table->y);
  bool enough = table->numbers && table->texts && table->stamps && table->x && table->y;
  for (size_t c = 0; enough && c < columns->count; c++) {
    if (is_text(columns, c))
      enough = (table->texts[c] = tacit_alloc(rows, sizeof **table->texts)) != NULL;
    else
      enough = (table->numbers[c] = tacit_alloc(rows, sizeof **table->numbers)) != NULL;
    if (enough && tacit_plan_is_date(columns, c))
      enough = (table->stamps[c] = tacit_alloc(rows, sizeof **table->stamps)) != NULL;
  }
  return enough ? TACIT_OK : tacit_no_memory(error);
}

void tacit_plan_table_free(const tacit_plan_columns *columns, tacit_plan_table *table) {
  for (size_t c = 0; c < columns->count; c++) {
    if (table->numbers) free(table->numbers[c]);
    if (table->texts) free((void *)table->texts[c]);
    if (table->stamps) free(table->stamps[c]);
  }
  free(table->stamps);
  free(table->numbers);
  free((void *)table->texts);
  free(table->x);
  free(table->y);
}

/* An hour of the years that the schema names, else of four years. */
static const char *draw_date(const tacit_feature *feature, tacit_stream *stream, tacit_plan_stamp *stamp) {
  static const double START = 11323, DAYS = 1461; /* 2001-01-01 and on */
  bool bounded = feature->has_scale;
  double first = bounded ? feature->start : START, days = bounded ? 2 * feature->scale.half + 1 : DAYS;
  double hour = (double)tacit_stream_below(stream, (uint64_t)(24 * days));
  tacit_clock_print(feature->format, 3600 * (24 * first + hour), stamp->text, sizeof stamp->text);
  return stamp->text;
}

/* A normal number that has the share `together` of its variance from what all features of a row share. */
static double draw_mixed(double together, double common, tacit_stream *stream) {
  return sqrt(together) * common + sqrt(1 - together) * tacit_normal(stream);
}

static double draw_number(const tacit_feature *feature, double together, double common,
                          tacit_stream *stream) {
  if (feature->part == TACIT_PART_FLAG) return (double)tacit_stream_below(stream, 2);
  if (!feature->has_scale) return feature->period * tacit_uniform(stream); /* a season without bounds */
  bool bounded = feature->scale.limit == BOUND;
  double e;
  do e = (bounded ? BOUNDED_SPREAD : 1) * draw_mixed(together, common, stream);
  while (fabs(e) > feature->scale.limit);
  return tacit_scale_decode(&feature->scale, e);
}

static const char *draw_level(const tacit_feature *feature, const double *up_to, double together,
                              double common, tacit_stream *stream) {
  double at = together > 0 ? tacit_normal_cdf(draw_mixed(together, common, stream)) : tacit_uniform(stream);
  size_t low = 0, high = feature->level_count - 1; /* the first level whose share reaches that far */
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (up_to[middle] < at)
      low = middle + 1;
    else
      high = middle;
  }
  return feature->levels[low];
}

/* The cells of row i that are not demand. A unit has as many rows as it may. */
static void draw_cells(const tacit_plan_columns *columns, const tacit_plan_law *law, size_t i,
                       tacit_stream *stream, tacit_plan_table *table) {
  const tacit_schema *schema = columns->schema;
  double together = law->kind->together, common = together > 0 ? tacit_normal(stream) : 0;
  common = fmin(fmax(common, -COMMON_MOST), COMMON_MOST);
  for (size_t c = schema->target_count; c < columns->count; c++) {
    const tacit_feature *feature = columns->features[c];
    if (columns->names[c] == schema->panel.time)
      table->numbers[c][i] = (double)i;
    else if (!feature)
      table->numbers[c][i] = floor((double)i / (double)schema->rows_per_unit);
    else if (tacit_plan_is_date(columns, c))
      table->texts[c][i] = draw_date(feature, stream, &table->stamps[c][i]);
    else if (tacit_plan_has_levels(columns, c))
      table->texts[c][i] = draw_level(feature, law->up_to + columns->level_of[c], together, common, stream);
    else
      table->numbers[c][i] = draw_number(feature, together, common, stream);
  }
}

/* What stands in column c of row i. */
static tacit_cell cell_of(const tacit_plan_table *table, size_t c, size_t i) {
  if (table->numbers[c]) return (tacit_cell){.number = table->numbers[c][i]};
  return (tacit_cell){.text = table->texts[c][i], .length = strlen(table->texts[c][i])};
}

/* Of all but lags and products. */
static void encode_cell(const tacit_feature *feature, const tacit_cell *cell, double *out) {
  const tacit_input input = {.reading = tacit_feature_reads(feature), .format = feature->format};
  double value;
  if (input.reading == TACIT_READS_LEVEL)
    tacit_feature_encode_level(feature, tacit_feature_level(feature, cell->text, cell->length), out);
  else if (tacit_input_read(&input, cell, &value) == TACIT_NUMBER)
    tacit_feature_encode(feature, value, out);
  else
    tacit_feature_encode(feature, feature->missing, out);
}

/* The encoded row i, as the encoder makes it; a lag before the first record is the middle of its target. */
static void encode_row(const tacit_plan_columns *columns, size_t i, const tacit_plan_table *table,
                       double *x) {
  const tacit_schema *schema = columns->schema;
  x[0] = 1;
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    size_t c = columns->column_of[f];
    double *out = x + feature->first;
    if (feature->factor_count > 0) continue;
    if (feature->kind == TACIT_FEATURE_LAG) {
      const tacit_scale *scale = &schema->targets[feature->lag_target].scale;
      tacit_feature_encode(feature, i < feature->lag ? scale->center : table->numbers[c][i - feature->lag],
                           out);
    } else {
      const tacit_cell cell = cell_of(table, c, i);
      encode_cell(feature, &cell, out);
    }
  }
  tacit_schema_multiply(schema, 1, 1, x);
}

void tacit_plan_simulate(const tacit_plan_columns *columns, const tacit_plan_law *law, tacit_stream *stream,
                         tacit_plan_table *table) {
  for (size_t i = 0; i < table->rows; i++) {
    draw_cells(columns, law, i, stream, table);
    encode_row(columns, i, table, table->x + i * columns->schema->columns);
    tacit_plan_demand(columns, law, i, stream, table);
  }
}
