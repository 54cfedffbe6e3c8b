/* Lays out the encoded columns: which columns each feature fills, what they are called, how far lags reach.
 */
#include "schema/fields.h"
#include "schema/parse.h"
#include "schema/wavelet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of one column: a label and a level. */
enum { LABEL_MAX = TACIT_LABEL_MAX + TACIT_NAME_MAX + 64 };

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
  case TACIT_FEATURE_WAVELET:
    return ((size_t)1 << feature->resolution) - 1;
  case TACIT_FEATURE_NUMBER:
  case TACIT_FEATURE_LAG:
  case TACIT_FEATURE_PRODUCT:
    break;
  }
  return 1;
}

/* No more than there may be at all, so that it does not overflow. */
static size_t product_width(const tacit_schema *schema, const tacit_feature *feature) {
  size_t width = 1;
  for (size_t i = 0; i < feature->factor_count; i++) {
    width *= schema->features[feature->factors[i]].width;
    if (width > TACIT_COLUMNS_MAX) width = TACIT_COLUMNS_MAX;
  }
  return width;
}

void tacit_feature_label(const tacit_feature *feature, char text[TACIT_LABEL_MAX]) {
  const char *name = feature->name;
  if (feature->part > TACIT_PART_FLAG) {
    snprintf(text, TACIT_LABEL_MAX, "%s[%s]", name, tacit_part_name(feature->part));
    return;
  }
  switch (feature->kind) {
  case TACIT_FEATURE_NUMBER:
  case TACIT_FEATURE_CATEGORY:
  case TACIT_FEATURE_PRODUCT:
    snprintf(text, TACIT_LABEL_MAX, "%s", name);
    break;
  case TACIT_FEATURE_LAG:
    snprintf(text, TACIT_LABEL_MAX, "%s[lag %zu]", name, feature->lag);
    break;
  case TACIT_FEATURE_SPLINE:
    snprintf(text, TACIT_LABEL_MAX, "spline(%s)", name);
    break;
  case TACIT_FEATURE_POLYNOMIAL:
    snprintf(text, TACIT_LABEL_MAX, "polynomial(%s)", name);
    break;
  case TACIT_FEATURE_FOURIER:
    snprintf(text, TACIT_LABEL_MAX, "fourier(%s, %g)", name, feature->period);
    break;
  case TACIT_FEATURE_HAAR:
    snprintf(text, TACIT_LABEL_MAX, "haar(%s)", name);
    break;
  case TACIT_FEATURE_WAVELET:
    snprintf(text, TACIT_LABEL_MAX, "wavelet(%s, %s)", name, tacit_wavelet_names[feature->wavelet->filter]);
    break;
  }
}

/* The name of the k-th column of a feature that is no product, k from 0; returns its length. */
static size_t name_column(const tacit_feature *feature, size_t k, char *text) {
  tacit_feature_label(feature, text);
  size_t length = strlen(text), room = LABEL_MAX - length;
  if (feature->kind == TACIT_FEATURE_CATEGORY && feature->levels)
    snprintf(text + length, room, "=%s", feature->levels[k + 1]);
  else if (feature->part == TACIT_PART_DAY_OF_YEAR) /* date[day-of-year sin 1] */
    snprintf(text + length - 1, room, " %s %zu]", k % 2 ? "cos" : "sin", k / 2 + 1);
  else if (feature->kind == TACIT_FEATURE_FOURIER)
    snprintf(text + length, room, "[%s %zu]", k % 2 ? "cos" : "sin", k / 2 + 1);
  else if (feature->kind == TACIT_FEATURE_SPLINE || feature->kind == TACIT_FEATURE_POLYNOMIAL ||
           feature->kind == TACIT_FEATURE_HAAR || feature->kind == TACIT_FEATURE_WAVELET)
    snprintf(text + length, room, "[%zu]", k + 1);
  return strlen(text);
}

/* A product's columns are called after their factors', the first of which changes fastest, as R has them. */
static void label(const tacit_schema *schema, const tacit_feature *feature, size_t k, char *text) {
  if (feature->factor_count == 0) name_column(feature, k, text);
  for (size_t i = 0; i < feature->factor_count; i++) {
    const tacit_feature *factor = &schema->features[feature->factors[i]];
    if (i > 0) *text++ = ':';
    text += name_column(factor, k % factor->width, text);
    k /= factor->width;
  }
}

static tacit_status name_columns(tacit_schema *schema, tacit_error *error) {
  char text[TACIT_FACTORS_MAX * LABEL_MAX] = "(intercept)";
  schema->column_names[0] = tacit_copy_text(text, strlen(text));
  if (!schema->column_names[0]) return tacit_no_memory(error);
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    for (size_t k = 0; k < feature->width; k++) {
      label(schema, feature, k, text);
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
  for (size_t f = 0; f < schema->feature_count; f++)
    if (schema->features[f].factor_count == 0)
      schema->features[f].width = feature_width(&schema->features[f]);
  for (size_t f = 0; f < schema->feature_count; f++) {
    tacit_feature *feature = &schema->features[f];
    if (feature->factor_count > 0)
      feature->width = product_width(schema, feature); /* of widths that are known */
    feature->first = columns;
    columns += feature->width;
    if (columns > TACIT_COLUMNS_MAX)
      return tacit_fail(
          error, TACIT_BAD_INPUT,
          "the features make more than %d encoded columns: use fewer levels, knots, interactions or "
          "features",
          TACIT_COLUMNS_MAX);
  }
  schema->column_names = tacit_alloc(columns, sizeof *schema->column_names);
  if (!schema->column_names) return tacit_no_memory(error);
  schema->columns = columns;
  measure_lags(schema);
  for (size_t f = 0; f < schema->feature_count; f++)
    TACIT_TRY(tacit_feature_tabulate(&schema->features[f], error));
  TACIT_TRY(name_columns(schema, error));
  return refuse_twins(schema, error);
}
