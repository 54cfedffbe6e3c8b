/* Reads the list of features and settles what one feature takes from another: bounds, `missing`, knots. */
#include "schema/parse.h"

#include "schema/fields.h"

#include <string.h>

static const char *const TRANSFORMS[] = {
    [TACIT_FEATURE_SPLINE] = "spline",   [TACIT_FEATURE_POLYNOMIAL] = "polynomial",
    [TACIT_FEATURE_FOURIER] = "fourier", [TACIT_FEATURE_HAAR] = "haar",
    [TACIT_FEATURE_WAVELET] = "wavelet",
};

static bool is_transform(const tacit_feature *feature) {
  return feature->kind >= TACIT_FEATURE_SPLINE && feature->kind <= TACIT_FEATURE_WAVELET &&
         feature->part == TACIT_PART_CELL;
}

/* A target is not known when the decision is made; its past is. */
static tacit_status refuse_targets(const tacit_schema *schema, const tacit_feature *feature,
                                   tacit_error *error) {
  for (size_t t = 0; feature->kind != TACIT_FEATURE_LAG && feature->name && t < schema->target_count; t++) {
    if (strcmp(schema->targets[t].name, feature->name) == 0)
      return tacit_fail(
          error, TACIT_BAD_INPUT,
          "column \"%s\" is a target and cannot be a feature of the same row: give the feature a "
          "\"lag\", or remove it",
          feature->name);
  }
  return TACIT_OK;
}

/* The plain feature of the same column, wherever it stands, gives what the transform does not say itself. */
static void inherit(const tacit_schema *schema, tacit_feature *feature) {
  for (size_t f = 0; f < schema->feature_count; f++) {
    const tacit_feature *plain = &schema->features[f];
    if (plain->kind != TACIT_FEATURE_NUMBER || plain->part != TACIT_PART_CELL ||
        strcmp(plain->name, feature->name) != 0)
      continue;
    if (!feature->has_scale && plain->has_scale) {
      feature->has_scale = true;
      feature->scale = plain->scale;
    }
    if (!feature->has_missing && plain->has_missing) {
      feature->has_missing = true;
      feature->missing = plain->missing;
    }
  }
}

static tacit_status check_bounds(const tacit_feature *feature, tacit_error *error) {
  if (feature->kind == TACIT_FEATURE_CATEGORY || feature->kind == TACIT_FEATURE_FOURIER ||
      feature->kind == TACIT_FEATURE_PRODUCT)
    return TACIT_OK;
  if (!feature->has_scale) return tacit_no_bounds(feature->name, error);
  if (is_transform(feature) && feature->scale.limit != 1)
    return tacit_fail(
        error, TACIT_REFUSED,
        "the %s of column \"%s\" needs public bounds: give \"min\" and \"max\" in place of \"center\" "
        "and \"scale\"",
        TRANSFORMS[feature->kind], feature->name);
  return TACIT_OK;
}

/* Equally spaced where a count was given. The basis works on the scaled knots, so these must ascend strictly.
 */
static tacit_status place_knots(tacit_feature *feature, tacit_error *error) {
  const tacit_scale *scale = &feature->scale;
  if (!feature->knots) {
    feature->knots = tacit_alloc(feature->knot_count, sizeof *feature->knots);
    if (!feature->knots) return tacit_no_memory(error);
    for (size_t i = 0; i < feature->knot_count; i++) {
      double share = (double)(i + 1) / (double)(feature->knot_count + 1);
      feature->knots[i] = tacit_scale_decode(scale, 2 * share - 1);
    }
  }
  double last = -1;
  for (size_t i = 0; i <= feature->knot_count; i++) {
    double next = i < feature->knot_count ? tacit_scale_encode(scale, feature->knots[i]) : 1;
    if (!(last < next))
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "the \"knots\" of column \"%s\" must ascend, strictly between \"min\" and \"max\"",
                        feature->name);
    last = next;
  }
  return TACIT_OK;
}

/* Entries in their order; a date fills as many features as it lists parts. */
static tacit_status parse_entries(tacit_schema *schema, const json_t *entries, tacit_error *error) {
  size_t f = 0;
  for (size_t i = 0; i < json_array_size(entries); i++) {
    const json_t *json = json_array_get(entries, i);
    TACIT_TRY(tacit_feature_parse(&schema->features[f], schema, json, i, error));
    TACIT_TRY(refuse_targets(schema, &schema->features[f], error));
    f += tacit_feature_entries(json);
  }
  return TACIT_OK;
}

tacit_status tacit_schema_parse_features(tacit_schema *schema, const json_t *features, tacit_error *error) {
  if (!json_is_array(features))
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the schema needs an array \"features\"; write [] for the intercept alone");
  size_t count = 0;
  for (size_t i = 0; i < json_array_size(features); i++)
    count += tacit_feature_entries(json_array_get(features, i));
  if (count >= TACIT_COLUMNS_MAX) /* each has a column */
    return tacit_fail(error, TACIT_BAD_INPUT, "too many features: at most %d encoded columns",
                      TACIT_COLUMNS_MAX);
  schema->features = tacit_alloc(count, sizeof *schema->features);
  if (!schema->features) return tacit_no_memory(error);
  schema->feature_count = count;
  TACIT_TRY(parse_entries(schema, features, error));
  for (size_t f = 0; f < count; f++) {
    tacit_feature *feature = &schema->features[f];
    if (is_transform(feature)) inherit(schema, feature);
    TACIT_TRY(check_bounds(feature, error));
    if (feature->kind == TACIT_FEATURE_SPLINE) TACIT_TRY(place_knots(feature, error));
  }
  return tacit_schema_settle_products(schema, features, error);
}
