/* Lays out the encoded columns: which columns each feature fills, what they are called, how far lags reach.
 */
#include "schema/fields.h"
#include "schema/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_MAX = 2 * TACIT_NAME_MAX + 64 }; /* a column, a level, and "polynomial()[...]" */

static size_t feature_width(const tacit_feature *feature) {
  switch (feature->kind) {
  case TACIT_FEATURE_CATEGORY:
    return feature->level_count - 1;
  case TACIT_FEATURE_SPLINE:
    return feature->knot_count + feature->degree;
  case TACIT_FEATURE_POLYNOMIAL:
    return feature->degree;
  case TACIT_FEATURE_FOURIER:
    return 2 * feature->harmonics;
  case TACIT_FEATURE_HAAR:
    return ((size_t)1 << feature->resolution) - 1;
  case TACIT_FEATURE_NUMBER:
  case TACIT_FEATURE_LAG:
    break;
  }
  return 1;
}

/* The name of the k-th column of a feature, k from 0. */
static void label(const tacit_feature *feature, size_t k, char text[LABEL_MAX]) {
  const char *name = feature->name;
  switch (feature->kind) {
  case TACIT_FEATURE_NUMBER:
    snprintf(text, LABEL_MAX, "%s", name);
    break;
  case TACIT_FEATURE_CATEGORY:
    snprintf(text, LABEL_MAX, "%s=%s", name, feature->levels[k + 1]);
    break;
  case TACIT_FEATURE_LAG:
    snprintf(text, LABEL_MAX, "%s[lag %zu]", name, feature->lag);
    break;
  case TACIT_FEATURE_SPLINE:
    snprintf(text, LABEL_MAX, "spline(%s)[%zu]", name, k + 1);
    break;
  case TACIT_FEATURE_POLYNOMIAL:
    snprintf(text, LABEL_MAX, "polynomial(%s)[%zu]", name, k + 1);
    break;
  case TACIT_FEATURE_FOURIER:
    snprintf(text, LABEL_MAX, "fourier(%s, %g)[%s %zu]", name, feature->period, k % 2 ? "cos" : "sin",
             k / 2 + 1);
    break;
  case TACIT_FEATURE_HAAR:
    snprintf(text, LABEL_MAX, "haar(%s)[%zu]", name, k + 1);
    break;
  }
}

static tacit_status name_columns(tacit_schema *schema, tacit_error *error) {
  char text[LABEL_MAX] = "(intercept)";
  schema->column_names[0] = tacit_copy_text(text, strlen(text));
  if (!schema->column_names[0]) return tacit_no_memory(error);
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    for (size_t k = 0; k < feature->width; k++) {
      label(feature, k, text);
      char *copy = tacit_copy_text(text, strlen(text));
      if (!copy) return tacit_no_memory(error);
      schema->column_names[feature->first + k] = copy;
    }
  }
  return TACIT_OK;
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A policy maps names to coefficients: no name may stand for two columns. */
static tacit_status refuse_twins(const tacit_schema *schema, tacit_error *error) {
  char **sorted = tacit_alloc(schema->columns, sizeof *sorted);
  if (!sorted) return tacit_no_memory(error);
  memcpy(sorted, schema->column_names, schema->columns * sizeof *sorted);
  qsort(sorted, schema->columns, sizeof *sorted, compare_texts);
  const char *twin = NULL;
  for (size_t j = 1; j < schema->columns && !twin; j++) {
    if (strcmp(sorted[j - 1], sorted[j]) == 0) twin = sorted[j];
  }
  free(sorted);
  if (!twin) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "two encoded columns would both be called \"%.400s\": remove one of the features", twin);
}

static void measure_lags(tacit_schema *schema) {
  for (size_t f = 0; f < schema->feature_count; f++) {
    size_t lag = schema->features[f].lag; /* 0 but for lags */
    bool new = lag > 0;
    for (size_t e = 0; e < f && new; e++) new = schema->features[e].lag != lag;
    if (new) schema->distinct_lags++;
    if (lag > schema->largest_lag) schema->largest_lag = lag;
  }
}

tacit_status tacit_schema_lay_out(tacit_schema *schema, tacit_error *error) {
  size_t columns = 1;
  for (size_t f = 0; f < schema->feature_count; f++) {
    tacit_feature *feature = &schema->features[f];
    feature->first = columns;
    feature->width = feature_width(feature);
    columns += feature->width;
    if (columns > TACIT_COLUMNS_MAX)
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "the features make more than %d encoded columns: use fewer levels, knots or features",
                        TACIT_COLUMNS_MAX);
  }
  schema->column_names = tacit_alloc(columns, sizeof *schema->column_names);
  if (!schema->column_names) return tacit_no_memory(error);
  schema->columns = columns;
  measure_lags(schema);
  TACIT_TRY(name_columns(schema, error));
  return refuse_twins(schema, error);
}
