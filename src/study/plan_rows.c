/* Simulated records that fit a schema: its columns, and rows drawn from a law of demand. */
#include "base/base.h"
#include "num/normal.h"
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

/* The column of this name, added if it is new. The first feature with bounds says how to simulate it. */
static size_t add_column(tacit_plan_columns *columns, const char *name, const tacit_feature *feature) {
  size_t c = find_column(columns, name);
  if (c == columns->count) columns->names[columns->count++] = name;
  const tacit_feature *known = columns->features[c];
  if (c >= columns->schema->target_count && (!known || !known->has_scale)) columns->features[c] = feature;
  return c;
}

tacit_status tacit_plan_columns_new(const tacit_schema *schema, tacit_plan_columns *columns,
                                    tacit_error *error) {
  size_t most = schema->target_count + schema->feature_count + 1;
  *columns = (tacit_plan_columns){.schema = schema};
  columns->names = tacit_alloc(most, sizeof *columns->names);
  columns->features = tacit_alloc(most, sizeof(const tacit_feature *));
  columns->column_of = tacit_alloc(most, sizeof *columns->column_of);
  columns->level_of = tacit_alloc(most, sizeof *columns->level_of);
  if (!columns->names || !columns->features || !columns->column_of || !columns->level_of)
    return tacit_no_memory(error);
  for (size_t t = 0; t < schema->target_count; t++) add_column(columns, schema->targets[t].name, NULL);
  for (size_t f = 0; f < schema->feature_count; f++)
    columns->column_of[f] = add_column(columns, schema->features[f].name, &schema->features[f]);
  if (schema->unit_column) add_column(columns, schema->unit_column, NULL);
  for (size_t c = 0; c < columns->count; c++) {
    columns->level_of[c] = columns->levels;
    if (tacit_plan_is_text(columns, c)) columns->levels += columns->features[c]->level_count;
  }
  return TACIT_OK;
}

void tacit_plan_columns_free(tacit_plan_columns *columns) {
  free(columns->names);
  free(columns->features);
  free(columns->column_of);
  free(columns->level_of);
}

bool tacit_plan_is_text(const tacit_plan_columns *columns, size_t c) {
  return columns->features[c] && columns->features[c]->kind == TACIT_FEATURE_CATEGORY;
}

tacit_status tacit_plan_table_new(const tacit_plan_columns *columns, size_t rows, tacit_plan_table *table,
                                  tacit_error *error) {
  const tacit_schema *schema = columns->schema;
  *table = (tacit_plan_table){.rows = rows};
  table->numbers = tacit_alloc(columns->count, sizeof *table->numbers);
  table->texts = tacit_alloc(columns->count, sizeof *table->texts);
  table->x = tacit_alloc(rows, schema->columns * sizeof *table->x);
  table->y = tacit_alloc(rows, schema->target_count * sizeof *table->y);
  bool enough = table->numbers && table->texts && table->x && table->y;
  for (size_t c = 0; enough && c < columns->count; c++) {
    if (tacit_plan_is_text(columns, c))
      enough = (table->texts[c] = tacit_alloc(rows, sizeof **table->texts)) != NULL;
    else
      enough = (table->numbers[c] = tacit_alloc(rows, sizeof **table->numbers)) != NULL;
  }
  return enough ? TACIT_OK : tacit_no_memory(error);
}

void tacit_plan_table_free(const tacit_plan_columns *columns, tacit_plan_table *table) {
  for (size_t c = 0; c < columns->count; c++) {
    if (table->numbers) free(table->numbers[c]);
    if (table->texts) free((void *)table->texts[c]);
  }
  free(table->numbers);
  free((void *)table->texts);
  free(table->x);
  free(table->y);
}

/* A normal number that has the share `together` of its variance from what all features of a row share. */
static double draw_mixed(double together, double common, tacit_stream *stream) {
  return sqrt(together) * common + sqrt(1 - together) * tacit_normal(stream);
}

static double draw_number(const tacit_feature *feature, double together, double common,
                          tacit_stream *stream) {
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
    if (!feature)
      table->numbers[c][i] = floor((double)i / (double)schema->rows_per_unit);
    else if (tacit_plan_is_text(columns, c))
      table->texts[c][i] = draw_level(feature, law->up_to + columns->level_of[c], together, common, stream);
    else
      table->numbers[c][i] = draw_number(feature, together, common, stream);
  }
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
    if (feature->kind == TACIT_FEATURE_CATEGORY) {
      const char *text = table->texts[c][i];
      tacit_feature_encode_level(feature, tacit_feature_level(feature, text, strlen(text)), out);
    } else if (feature->kind == TACIT_FEATURE_LAG) {
      const tacit_scale *scale = &schema->targets[feature->lag_target].scale;
      tacit_feature_encode(feature, i < feature->lag ? scale->center : table->numbers[c][i - feature->lag],
                           out);
    } else {
      tacit_feature_encode(feature, table->numbers[c][i], out);
    }
  }
}

void tacit_plan_simulate(const tacit_plan_columns *columns, const tacit_plan_law *law, tacit_stream *stream,
                         tacit_plan_table *table) {
  for (size_t i = 0; i < table->rows; i++) {
    draw_cells(columns, law, i, stream, table);
    encode_row(columns, i, table, table->x + i * columns->schema->columns);
    tacit_plan_demand(columns, law, i, stream, table);
  }
}
