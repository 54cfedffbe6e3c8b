/* Reads one feature's own keys: which kind it is, and its levels, lag, knots, degree, period or resolution.
 */
#include "schema/fields.h"
#include "schema/parse.h"
#include "schema/wavelet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SPLINE_DEGREE = 3,
  SPLINE_DEGREE_MAX = 5,
  POLYNOMIAL_DEGREE_MAX = 9,
  HARMONICS_MAX = 32,
  HAAR_MAX = TACIT_WAVELET_LEVELS
};

#define BOUNDS "min, max, center, scale, missing"

/* How an entry is told: by a key of its own, or by its transform. */
static const struct {
  const char *key, *transform;
  tacit_feature_kind kind;
  const char *known;
} KINDS[] = {
    {"interaction", NULL, TACIT_FEATURE_PRODUCT, "interaction"},
    {NULL, "spline", TACIT_FEATURE_SPLINE, "name, transform, knots, degree, " BOUNDS},
    {NULL, "polynomial", TACIT_FEATURE_POLYNOMIAL, "name, transform, degree, " BOUNDS},
    {NULL, "fourier", TACIT_FEATURE_FOURIER, "name, transform, period, harmonics, " BOUNDS},
    {NULL, "haar", TACIT_FEATURE_HAAR, "name, transform, levels, " BOUNDS},
    {NULL, "wavelet", TACIT_FEATURE_WAVELET, "name, transform, filter, levels, " BOUNDS},
    {"lag", NULL, TACIT_FEATURE_LAG, "name, lag, " BOUNDS},
    {"date", NULL, TACIT_FEATURE_CATEGORY, "name, date, format, start, end, holidays, harmonics, missing"},
    {"flag", NULL, TACIT_FEATURE_CATEGORY, "name, flag, missing"},
    {"hash", NULL, TACIT_FEATURE_CATEGORY, "name, hash, fold"},
    {"levels", NULL, TACIT_FEATURE_CATEGORY, "name, levels, fold, other, missing"},
    {"name", NULL, TACIT_FEATURE_NUMBER, "name, " BOUNDS}, /* what no other key says */
};
enum { NUMBER = sizeof KINDS / sizeof *KINDS - 1 };

static tacit_status find_kind(const json_t *json, const char *where, size_t *kind, tacit_error *error) {
  const char *transform = json_string_value(json_object_get(json, "transform"));
  bool transformed = json_object_get(json, "transform") != NULL;
  for (*kind = 0; *kind < NUMBER; ++*kind) {
    if (KINDS[*kind].key && !transformed && json_object_get(json, KINDS[*kind].key)) return TACIT_OK;
    if (KINDS[*kind].transform && transform && !strcmp(transform, KINDS[*kind].transform)) return TACIT_OK;
  }
  if (!transformed) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "\"transform\" in %s must be one of \"spline\", \"polynomial\", \"fourier\", \"haar\", "
                    "\"wavelet\"",
                    where);
}

/* The bounds of a sum say little of one period: a lag of its column has its own, in the column's units. */
static tacit_status lag_scale(tacit_feature *feature, const tacit_target *target,
                              const tacit_fields *fields) {
  bool given = tacit_fields_has(fields, "min") || tacit_fields_has(fields, "max") ||
               tacit_fields_has(fields, "center") || tacit_fields_has(fields, "scale");
  feature->has_scale = true;
  if (!given && !target->sum_of_next) return TACIT_OK;
  if (!given)
    return tacit_fail(
        fields->error, TACIT_REFUSED,
        "the lag of \"%.60s\" in %s is one period's, but the target's bounds are those of a sum: "
        "add \"min\" and \"max\" (or \"center\" and \"scale\") to the lag",
        feature->name, fields->where);
  if (!target->sum_of_next)
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "%s is a lag of \"%.60s\" and has its bounds: leave out its own", fields->where,
                      feature->name);
  return tacit_fields_scale(fields, &given, &feature->scale);
}

static tacit_status parse_lag(tacit_feature *feature, const tacit_schema *schema,
                              const tacit_fields *fields) {
  for (size_t t = 0; t < schema->target_count; t++) {
    if (strcmp(schema->targets[t].name, feature->name) != 0) continue;
    feature->lag_target = t;
    feature->scale = schema->targets[t].scale;
    TACIT_TRY(lag_scale(feature, &schema->targets[t], fields));
    if (feature->scale.limit > TACIT_SCALE_LIMIT) feature->scale.limit = TACIT_SCALE_LIMIT;
    TACIT_TRY(tacit_fields_missing(fields, &feature->has_missing, &feature->missing));
    return tacit_fields_count(fields, "lag", 1, TACIT_LAG_MAX, &feature->lag);
  }
  return tacit_fail(fields->error, TACIT_BAD_INPUT,
                    "%s has a \"lag\" of \"%s\", which is not a target: only targets can be lagged",
                    fields->where, feature->name);
}

/* "auto": a size that follows the public number of rows, the least whole m with m^(2s + 1) >= n. For what is
   s times smooth that is the rate at which bias and error of a series are in balance. Whole numbers: it is
   the same everywhere. */
static tacit_status auto_size(const tacit_fields *fields, const char *key, const tacit_schema *schema,
                              size_t smooth, size_t *size) {
  if (!schema->nominal_rows)
    return tacit_fail(
        fields->error, TACIT_REFUSED,
        "\"%s\" in %s is to follow the number of rows: add \"nominal_rows\" to the schema, or give a "
        "number",
        key, fields->where);
  for (*size = 1;; ++*size) {
    double power = 1;
    for (size_t k = 0; k < 2 * smooth + 1; k++) power *= (double)*size;
    if (power >= (double)schema->nominal_rows) return TACIT_OK;
  }
}

static bool is_auto(const tacit_fields *fields, const char *key) {
  const char *word = json_string_value(json_object_get(fields->object, key));
  return word && !strcmp(word, "auto");
}

/* Of steps and wavelets: 2^levels columns, the intercept among them, or so many that it is no fewer. */
static tacit_status parse_levels(tacit_feature *feature, const tacit_schema *schema, size_t smooth,
                                 const tacit_fields *fields) {
  size_t size = 1;
  if (!is_auto(fields, "levels"))
    return tacit_fields_count(fields, "levels", 1, HAAR_MAX, &feature->resolution);
  TACIT_TRY(auto_size(fields, "levels", schema, smooth, &size));
  for (feature->resolution = 1; feature->resolution < HAAR_MAX && (size_t)1 << feature->resolution < size;)
    feature->resolution++;
  return TACIT_OK;
}

static tacit_status parse_wavelet(tacit_feature *feature, const tacit_schema *schema,
                                  const tacit_fields *fields) {
  const char *name = json_string_value(json_object_get(fields->object, "filter"));
  size_t filter = 0;
  while (name && tacit_wavelet_names[filter] && strcmp(name, tacit_wavelet_names[filter]) != 0) filter++;
  if (!name || !tacit_wavelet_names[filter])
    return tacit_fail(fields->error, TACIT_BAD_INPUT, "\"filter\" in %s must be \"D4\" or \"D8\"",
                      fields->where);
  TACIT_TRY(parse_levels(feature, schema, tacit_wavelet_moments((tacit_wavelet_filter)filter), fields));
  feature->wavelet = tacit_wavelet_new((tacit_wavelet_filter)filter, feature->resolution);
  return feature->wavelet ? TACIT_OK : tacit_no_memory(fields->error);
}

/* A count is turned into positions when the bounds are known. */
static tacit_status parse_spline(tacit_feature *feature, const tacit_schema *schema,
                                 const tacit_fields *fields) {
  feature->degree = SPLINE_DEGREE;
  if (tacit_fields_has(fields, "degree"))
    TACIT_TRY(tacit_fields_count(fields, "degree", 1, SPLINE_DEGREE_MAX, &feature->degree));
  const json_t *knots = json_object_get(fields->object, "knots");
  if (is_auto(fields, "knots"))
    return auto_size(fields, "knots", schema, feature->degree + 1, &feature->knot_count);
  if (!json_is_array(knots))
    return tacit_fields_count(fields, "knots", 0, TACIT_COLUMNS_MAX, &feature->knot_count);
  size_t count = json_array_size(knots);
  if (count > TACIT_COLUMNS_MAX)
    return tacit_fail(fields->error, TACIT_BAD_INPUT, "\"knots\" in %s must be at most %d positions",
                      fields->where, TACIT_COLUMNS_MAX);
  feature->knots = tacit_alloc(count, sizeof *feature->knots);
  if (!feature->knots) return tacit_no_memory(fields->error);
  feature->knot_count = count;
  for (size_t i = 0; i < count; i++) {
    const json_t *knot = json_array_get(knots, i);
    if (!json_is_number(knot))
      return tacit_fail(fields->error, TACIT_BAD_INPUT,
                        "\"knots\" in %s must be a count or an array of numbers", fields->where);
    feature->knots[i] = json_number_value(knot);
  }
  return TACIT_OK;
}

static tacit_status parse_number(tacit_feature *feature, const tacit_fields *fields) {
  TACIT_TRY(tacit_fields_scale(fields, &feature->has_scale, &feature->scale));
  return tacit_fields_missing(fields, &feature->has_missing, &feature->missing);
}

size_t tacit_feature_entries(const json_t *json) {
  size_t count = json_object_get(json, "date") ? tacit_date_features(json) : 1;
  return count ? count : 1;
}

/* Of what is read as a number. */
static tacit_status parse_transform(tacit_feature *feature, const tacit_schema *schema,
                                    const tacit_fields *fields) {
  TACIT_TRY(parse_number(feature, fields));
  if (feature->kind == TACIT_FEATURE_SPLINE) return parse_spline(feature, schema, fields);
  if (feature->kind == TACIT_FEATURE_POLYNOMIAL)
    return tacit_fields_count(fields, "degree", 1, POLYNOMIAL_DEGREE_MAX, &feature->degree);
  if (feature->kind == TACIT_FEATURE_HAAR) return parse_levels(feature, schema, 1, fields);
  if (feature->kind == TACIT_FEATURE_WAVELET) return parse_wavelet(feature, schema, fields);
  if (feature->kind == TACIT_FEATURE_FOURIER) {
    TACIT_TRY(tacit_fields_positive(fields, "period", &feature->period));
    return tacit_fields_count(fields, "harmonics", 1, HARMONICS_MAX, &feature->harmonics);
  }
  return TACIT_OK;
}

tacit_status tacit_feature_parse(tacit_feature *feature, const tacit_schema *schema, const json_t *json,
                                 size_t index, tacit_error *error) {
  char where[40];
  snprintf(where, sizeof where, "features[%zu]", index);
  size_t kind = 0;
  TACIT_TRY(find_kind(json, where, &kind, error));
  tacit_fields fields;
  TACIT_TRY(tacit_fields_open(&fields, json, where, KINDS[kind].known, error));
  feature->kind = KINDS[kind].kind;
  const char *key = KINDS[kind].key ? KINDS[kind].key : "";
  if (feature->kind == TACIT_FEATURE_PRODUCT) return TACIT_OK; /* once its factors are there */
  if (!strcmp(key, "date")) return tacit_date_parse(feature, &fields);
  TACIT_TRY(tacit_fields_name(&fields, "name", &feature->name));
  if (!strcmp(key, "flag")) return tacit_flag_parse(feature, &fields);
  if (!strcmp(key, "hash")) return tacit_hash_parse(feature, &fields);
  if (feature->kind == TACIT_FEATURE_CATEGORY) return tacit_category_parse(feature, &fields);
  if (feature->kind == TACIT_FEATURE_LAG) return parse_lag(feature, schema, &fields);
  return parse_transform(feature, schema, &fields);
}
