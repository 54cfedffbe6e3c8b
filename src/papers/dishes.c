/* Any dish of the restaurant data: columns, the schema a user would write, and any choice of rows as a table.
 */
#include "papers/dishes.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const tacit_weekdays[] = {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT", NULL};

static const struct {
  const char *name, *bounds;
} PLAIN[] = {{"is_holiday", "\"min\": 0, \"max\": 1"},
             {"rain", "\"min\": 0, \"max\": 40"},
             {"temperature", "\"min\": -15, \"max\": 40"}};
static const char *const LAG_NAMES[] = {"lag_7", "lag_14"};
static const size_t LAGS[] = {7, 14};
static const char DEMAND[] = "\"min\": 0, \"max\": 100";
enum { PLAINS = 3, LAG_COUNT = 2, DROPPED = TACIT_LAMB_DROPPED };

/* The next column, from the day `lag` before, for the days from DROPPED on. */
static tacit_status add_column(tacit_dish *dish, const char *name, const double *values, size_t rows,
                               size_t lag, tacit_error *error) {
  if (rows <= DROPPED || (dish->columns > 0 && rows != dish->rows + DROPPED))
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the two files of the restaurant data do not have the same rows");
  dish->rows = rows - DROPPED;
  double *copy = tacit_alloc(dish->rows, sizeof *copy);
  if (!copy) return tacit_no_memory(error);
  memcpy(copy, values + DROPPED - lag, dish->rows * sizeof *copy);
  dish->names[dish->columns] = name;
  dish->values[dish->columns++] = copy;
  return TACIT_OK;
}

static tacit_status read_column(tacit_dish *dish, const char *folder, const char *file, const char *name,
                                const char *const *levels, tacit_error *error) {
  double *values = NULL;
  size_t rows = 0;
  tacit_status status = tacit_lamb_column(folder, file, name, levels, &values, &rows, error);
  if (status == TACIT_OK) status = add_column(dish, name, values, rows, 0, error);
  free(values);
  return status;
}

static tacit_status read_demand(tacit_dish *dish, const char *folder, const char *name, bool lags,
                                tacit_error *error) {
  double *values = NULL;
  size_t rows = 0;
  tacit_status status = tacit_lamb_column(folder, "yaz_target.csv", name, NULL, &values, &rows, error);
  for (int k = 0; lags && k < LAG_COUNT && status == TACIT_OK; k++)
    status = add_column(dish, LAG_NAMES[k], values, rows, LAGS[k], error);
  if (status == TACIT_OK) status = add_column(dish, name, values, rows, 0, error);
  free(values);
  return status;
}

static tacit_status make_schema(const char *name, bool lags, bool weekday, tacit_schema **schema,
                                tacit_error *error) {
  char text[1024];
  int used =
      snprintf(text, sizeof text, "{\"target\": {\"name\": \"%s\", %s}, \"features\": [", name, DEMAND);
  for (int k = 0; k < PLAINS; k++)
    used += snprintf(text + used, sizeof text - (size_t)used, "%s{\"name\": \"%s\", %s}", k ? "," : "",
                     PLAIN[k].name, PLAIN[k].bounds);
  for (int k = 0; lags && k < LAG_COUNT; k++)
    used +=
        snprintf(text + used, sizeof text - (size_t)used, ",{\"name\": \"%s\", %s}", LAG_NAMES[k], DEMAND);
  for (size_t k = 0; weekday && tacit_weekdays[k]; k++)
    used += snprintf(text + used, sizeof text - (size_t)used, "%s\"%s\"%s",
                     k ? "," : ",{\"name\": \"weekday\", \"levels\": [", tacit_weekdays[k],
                     tacit_weekdays[k + 1] ? "" : "]}");
  used += snprintf(text + used, sizeof text - (size_t)used, "]}");
  return tacit_schema_parse(text, (size_t)used, schema, error);
}

static tacit_status encode(tacit_dish *dish, tacit_error *error) {
  size_t *order = tacit_alloc(dish->rows, sizeof *order);
  void *space = NULL;
  tacit_study_table table;
  tacit_source *source = NULL;
  tacit_read_counts counts;
  for (size_t i = 0; order && i < dish->rows; i++) order[i] = i;
  tacit_status status =
      order ? tacit_dish_table(dish, dish->rows, order, &space, &table, error) : tacit_no_memory(error);
  if (status == TACIT_OK)
    status = tacit_source_columns(table.rows, table.columns, table.names, table.values, table.texts, &source,
                                  error);
  if (status == TACIT_OK)
    status = tacit_sample_new(tacit_schema_columns(dish->schema), 1, &dish->encoded, error);
  if (status == TACIT_OK)
    status = tacit_encode_source(source, dish->schema, true,
                                 &(const tacit_row_taker){.add = tacit_sample_add, .self = dish->encoded},
                                 &counts, NULL, error);
  if (status == TACIT_OK) status = tacit_sample_finish(dish->encoded, error);
  tacit_source_free(source);
  free(space);
  free(order);
  return status;
}

tacit_status tacit_dish_read(const char *folder, const char *name, tacit_dish_features features,
                             tacit_dish *dish, tacit_error *error) {
  bool lags = features != TACIT_DISH_WEEKDAY, weekday = features != TACIT_DISH_LAGS;
  *dish = (tacit_dish){.weekday = TACIT_DISH_COLUMNS};
  for (int k = 0; k < PLAINS; k++)
    TACIT_TRY(read_column(dish, folder, "yaz_data.csv", PLAIN[k].name, NULL, error));
  if (weekday) {
    dish->weekday = dish->columns;
    TACIT_TRY(read_column(dish, folder, "yaz_data.csv", "weekday", tacit_weekdays, error));
  }
  TACIT_TRY(read_demand(dish, folder, name, lags, error));
  TACIT_TRY(make_schema(name, lags, weekday, &dish->schema, error));
  return encode(dish, error);
}

void tacit_dish_free(tacit_dish *dish) {
  for (size_t j = 0; j < dish->columns; j++) free(dish->values[j]);
  tacit_schema_free(dish->schema);
  tacit_sample_free(dish->encoded);
  *dish = (tacit_dish){0};
}

typedef struct space {
  const double *values[TACIT_DISH_COLUMNS];
  const char *const *texts[TACIT_DISH_COLUMNS];
  const char **weekdays;
  double cells[]; /* columns x rows, then the weekdays */
} space;

tacit_status tacit_dish_table(const tacit_dish *dish, size_t rows, const size_t *order, void **with,
                              tacit_study_table *table, tacit_error *error) {
  size_t cells = dish->columns * rows;
  space *s = *with = tacit_alloc(1, sizeof *s + cells * sizeof(double) + rows * sizeof *s->weekdays);
  if (!s) return tacit_no_memory(error);
  s->weekdays = (const char **)(void *)(s->cells + cells);
  for (size_t j = 0; j < dish->columns; j++) {
    for (size_t i = 0; i < rows; i++) s->cells[j * rows + i] = dish->values[j][order[i]];
    s->values[j] = s->cells + j * rows;
  }
  if (dish->weekday < dish->columns) {
    for (size_t i = 0; i < rows; i++)
      s->weekdays[i] = tacit_weekdays[(size_t)dish->values[dish->weekday][order[i]]];
    s->values[dish->weekday] = NULL;
    s->texts[dish->weekday] = s->weekdays;
  }
  *table = (tacit_study_table){dish->schema, rows, dish->columns, dish->names, s->values, s->texts};
  return TACIT_OK;
}
