/* Interactions: features whose columns are products of other features' columns. */
#include "schema/fields.h"
#include "schema/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a factor is called by: its label, or of a date the part alone where nothing else has that name. */
static size_t find_factor(const tacit_schema *schema, const char *name, bool part, size_t *factor) {
  size_t found = 0;
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    char label[TACIT_LABEL_MAX];
    if (feature->factor_count > 0 || !feature->name) continue;
    if (!part && !strstr(name, feature->name)) continue; /* a label has it somewhere */
    tacit_feature_label(feature, label);
    size_t behind = strlen(feature->name) + 1, length = strlen(label);
    bool of_date = feature->part > TACIT_PART_FLAG;
    if (part && !of_date) continue;
    if (part) label[length - 1] = 0;
    if (strcmp(part ? label + behind : label, name) != 0) continue;
    *factor = f;
    found++;
  }
  return found || part ? found : find_factor(schema, name, true, factor);
}

static tacit_status add_factor(const tacit_schema *schema, tacit_feature *feature, const tacit_fields *fields,
                               const json_t *name) {
  size_t factor = 0;
  TACIT_TRY(tacit_fields_check_name(fields, "interaction", name));
  size_t found = find_factor(schema, json_string_value(name), false, &factor);
  if (found != 1)
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "\"interaction\" in %s names \"%.100s\", which %s; give a feature's name, or "
                      "\"column[part]\" for a part of a date",
                      fields->where, json_string_value(name),
                      found ? "is the name of several features" : "is no feature of this schema");
  for (size_t i = 0; i < feature->factor_count; i++)
    if (feature->factors[i] == factor)
      return tacit_fail(fields->error, TACIT_BAD_INPUT, "\"interaction\" in %s names \"%.100s\" twice",
                        fields->where, json_string_value(name));
  feature->factors[feature->factor_count++] = factor;
  return TACIT_OK;
}

/* Products of levels are levels: at most one of them is on. */
static void settle_kind(const tacit_schema *schema, tacit_feature *feature) {
  double limit = 1;
  feature->kind = TACIT_FEATURE_CATEGORY;
  for (size_t i = 0; i < feature->factor_count; i++) {
    const tacit_feature *factor = &schema->features[feature->factors[i]];
    if (factor->kind != TACIT_FEATURE_CATEGORY) feature->kind = TACIT_FEATURE_PRODUCT;
    limit *= tacit_feature_limit(factor);
  }
  feature->scale.limit = fmin(limit, TACIT_SCALE_LIMIT);
}

static tacit_status name_product(const tacit_schema *schema, tacit_feature *feature, tacit_error *error) {
  char text[TACIT_FACTORS_MAX * (TACIT_LABEL_MAX + 1)] = "", *at = text;
  for (size_t i = 0; i < feature->factor_count; i++) {
    if (i > 0) *at++ = ':';
    tacit_feature_label(&schema->features[feature->factors[i]], at);
    at += strlen(at);
  }
  feature->name = tacit_copy_text(text, strlen(text));
  return feature->name ? TACIT_OK : tacit_no_memory(error);
}

static tacit_status settle(const tacit_schema *schema, tacit_feature *feature, const json_t *json,
                           size_t index, tacit_error *error) {
  char where[40];
  tacit_fields fields;
  snprintf(where, sizeof where, "features[%zu]", index);
  TACIT_TRY(tacit_fields_open(&fields, json, where, "interaction", error));
  const json_t *names = json_object_get(json, "interaction");
  size_t count = json_array_size(names);
  if (count < 2 || count > TACIT_FACTORS_MAX)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "\"interaction\" in %s must be an array of two or three features' names", where);
  feature->factors = tacit_alloc(count, sizeof *feature->factors);
  if (!feature->factors) return tacit_no_memory(error);
  for (size_t i = 0; i < count; i++)
    TACIT_TRY(add_factor(schema, feature, &fields, json_array_get(names, i)));
  settle_kind(schema, feature);
  return name_product(schema, feature, error);
}

tacit_status tacit_schema_settle_products(tacit_schema *schema, const json_t *features, tacit_error *error) {
  size_t f = 0;
  for (size_t i = 0; i < json_array_size(features); i++) {
    const json_t *json = json_array_get(features, i);
    if (json_object_get(json, "interaction")) TACIT_TRY(settle(schema, &schema->features[f], json, i, error));
    f += tacit_feature_entries(json);
  }
  return TACIT_OK;
}

static void multiply(const tacit_schema *schema, const tacit_feature *feature, size_t k, size_t stride,
                     size_t count, double *x) {
  double *out = x + (feature->first + k) * stride, limit = feature->scale.limit;
  for (size_t n = 0; n < feature->factor_count; n++) {
    const tacit_feature *factor = &schema->features[feature->factors[n]];
    const double *from = x + (factor->first + k % factor->width) * stride;
    for (size_t i = 0; i < count; i++) out[i] = n == 0 ? from[i] : out[i] * from[i];
    k /= factor->width;
  }
  for (size_t i = 0; i < count; i++) out[i] = out[i] < -limit ? -limit : out[i] > limit ? limit : out[i];
}

void tacit_schema_multiply(const tacit_schema *schema, size_t stride, size_t count, double *x) {
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *feature = &schema->features[f];
    for (size_t k = 0; feature->factor_count > 0 && k < feature->width; k++)
      multiply(schema, feature, k, stride, count, x);
  }
}
