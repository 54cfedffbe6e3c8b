/* Reads the schema's top level and its targets. */
#include "schema/parse.h"

#include "schema/fields.h"
#include "schema/sold.h"
#include "schema/tiers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TARGETS_MAX = 1024 };         /* costs of a decision come as many targets */
static const double LARGEST = 1e300; /* of a target in its log_unit: the exponential gives it back */

tacit_status tacit_no_bounds(const char *column, tacit_error *error) {
  return tacit_fail(
      error, TACIT_REFUSED,
      "column \"%s\" has no public bounds: add \"min\" and \"max\" (or \"center\" and \"scale\") to the "
      "schema",
      column);
}

/* "transform": "log": what is learned is log(1 + y / log_unit), whose bounds follow from those of y. */
static tacit_status parse_transform(const tacit_fields *fields, tacit_target *target) {
  tacit_scale *scale = &target->scale;
  const char *transform = json_string_value(json_object_get(fields->object, "transform"));
  if (!tacit_fields_has(fields, "transform") && !tacit_fields_has(fields, "log_unit")) return TACIT_OK;
  if (!transform || strcmp(transform, "log") != 0)
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "the transform of target \"%.60s\" must be \"log\", or be left out", target->name);
  if (!target->bounded)
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "target \"%.60s\" has a logarithm: give its \"min\" and \"max\"", target->name);
  double unit = 1, low = scale->center - scale->half, high = scale->center + scale->half;
  if (tacit_fields_has(fields, "log_unit")) TACIT_TRY(tacit_fields_positive(fields, "log_unit", &unit));
  bool in_range = high / unit <= LARGEST;
  low = log1p(low / unit);
  high = log1p(high / unit);
  *scale =
      (tacit_scale){.center = low / 2 + high / 2, .half = high / 2 - low / 2, .limit = 1, .log_unit = unit};
  if (!(in_range && isfinite(low) && high - low > 1e-9) || tacit_scale_is_narrow(scale))
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "target \"%.60s\" has no logarithm of 1 + y / log_unit at its \"min\", or hardly any "
                      "range, or far too large a one; use a larger \"log_unit\" or another \"min\"",
                      target->name);
  return TACIT_OK;
}

static tacit_status parse_target(tacit_target *target, const json_t *json, const char *where,
                                 tacit_error *error) {
  tacit_fields fields;
  TACIT_TRY(tacit_fields_open(
      &fields, json, where,
      "name, min, max, center, scale, missing, transform, log_unit, sum_of_next, cost, sold_out, "
      "stock",
      error));
  TACIT_TRY(tacit_fields_name(&fields, "name", &target->name));
  if (!strcmp(target->name, "*")) /* certificates have it for all targets together */
    return tacit_fail(error, TACIT_BAD_INPUT, "a target cannot be called *; give it another name");
  bool given;
  TACIT_TRY(tacit_fields_scale(&fields, &given, &target->scale));
  if (!given) return tacit_no_bounds(target->name, error);
  target->bounded = tacit_fields_has(&fields, "min");
  if (!target->bounded) target->scale.limit = TACIT_TARGET_LIMIT;
  TACIT_TRY(parse_transform(&fields, target));
  TACIT_TRY(tacit_tiers_parse(&fields, target));
  if (tacit_fields_has(&fields, "sum_of_next"))
    TACIT_TRY(tacit_fields_count(&fields, "sum_of_next", 1, TACIT_SUM_MAX, &target->sum_of_next));
  TACIT_TRY(tacit_sold_parse(&fields, target));
  return tacit_fields_missing(&fields, &target->has_missing, &target->missing);
}

static tacit_status parse_targets(tacit_schema *schema, const json_t *json, tacit_error *error) {
  if (!json)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the schema has no \"target\": add {\"name\": ..., \"min\": ..., \"max\": ...}");
  bool several = json_is_array(json);
  size_t count = several ? json_array_size(json) : 1;
  if (count < 1 || count > TARGETS_MAX)
    return tacit_fail(error, TACIT_BAD_INPUT, "\"target\" must be an object or an array of 1 to %d objects",
                      TARGETS_MAX);
  schema->targets = tacit_alloc(count, sizeof *schema->targets);
  if (!schema->targets) return tacit_no_memory(error);
  schema->target_count = count;
  for (size_t t = 0; t < count; t++) {
    char where[32] = "target";
    if (several) snprintf(where, sizeof where, "target[%zu]", t);
    schema->targets[t].column = t;
    TACIT_TRY(parse_target(&schema->targets[t], several ? json_array_get(json, t) : json, where, error));
    for (size_t s = 0; s < t; s++) {
      if (strcmp(schema->targets[s].name, schema->targets[t].name) == 0)
        return tacit_fail(error, TACIT_BAD_INPUT, "target \"%s\" is listed twice", schema->targets[t].name);
    }
    if (!schema->targets[t].tiers != !schema->targets[0].tiers)
      return tacit_fail(
          error, TACIT_BAD_INPUT,
          "some targets have a \"cost\" and others have none: give one to all of them; a single "
          "tier, [{\"rate\": 3}], is the plain cost of a unit");
  }
  return TACIT_OK;
}

static tacit_status parse_unit(tacit_schema *schema, const json_t *json, tacit_error *error) {
  tacit_fields fields;
  TACIT_TRY(tacit_fields_open(&fields, json, "unit", "rows_per_unit, column, change", error));
  TACIT_TRY(tacit_fields_count(&fields, "rows_per_unit", 1, TACIT_COUNT_MAX, &schema->rows_per_unit));
  schema->unit_given = true;
  if (tacit_fields_has(&fields, "change")) {
    TACIT_TRY(tacit_fields_positive(&fields, "change", &schema->change));
    if (schema->change < 1 / TACIT_MAGNITUDE_MAX)
      return tacit_fail(error, TACIT_BAD_INPUT, "\"change\" in unit must be at least 1e-100");
    if (tacit_fields_has(&fields, "column"))
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "\"change\" is for units behind the totals of many rows: leave out \"column\"");
  }
  return tacit_fields_has(&fields, "column") ? tacit_fields_name(&fields, "column", &schema->unit_column)
                                             : TACIT_OK;
}

/* "private": "target": whoever guesses may know the features, the keys and the number of rows. */
static tacit_status parse_private(tacit_schema *schema, const json_t *json, tacit_error *error) {
  const char *word = json_string_value(json);
  schema->features_public = true;
  if (!word || strcmp(word, "target") != 0)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "\"private\" must be \"target\", which makes all other columns public, or be left out");
  for (size_t t = 0; t < schema->target_count && schema->unit_column; t++)
    if (!strcmp(schema->unit_column, schema->targets[t].name))
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "\"unit.column\" names the private target \"%.60s\"; name units by another column",
                        schema->unit_column);
  for (size_t t = 0; t < schema->target_count; t++)
    if (tacit_panel_names(&schema->panel, schema->targets[t].name))
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "\"panel\" names the private target \"%.60s\", but keys are public: name another "
                        "column there",
                        schema->targets[t].name);
  return TACIT_OK;
}

/* One of the characters that a file may have there. */
static tacit_status parse_mark(const tacit_fields *fields, const char *key, const char *marks,
                               const char *words, char *mark) {
  const json_t *given = json_object_get(fields->object, key);
  const char *text = json_string_value(given);
  if (!given) return TACIT_OK;
  if (text && !strcmp(text, "tab")) text = "\t";
  if (!text || strlen(text) != 1 || !strchr(marks, *text))
    return tacit_fail(fields->error, TACIT_BAD_INPUT, "\"%s\" in csv must be %s", key, words);
  *mark = *text;
  return TACIT_OK;
}

/* "csv": how the files that the schema is for write their cells. */
static tacit_status parse_csv(tacit_schema *schema, const json_t *json, tacit_error *error) {
  tacit_fields fields;
  TACIT_TRY(tacit_fields_open(&fields, json, "csv", "separator, decimal", error));
  schema->csv = (tacit_csv_form){',', '.'};
  TACIT_TRY(
      parse_mark(&fields, "separator", ",;\t|", "\",\", \";\", \"|\" or \"tab\"", &schema->csv.separator));
  return parse_mark(&fields, "decimal", ".,", "\".\" or \",\"", &schema->csv.decimal);
}

tacit_status tacit_schema_parse_root(tacit_schema *schema, const json_t *root, tacit_error *error) {
  tacit_fields fields;
  if (json_object_get(root, "coefficients") && json_object_get(root, "schema"))
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "this is a policy, not a schema: the schema that it was learned with is its \"schema\"");
  TACIT_TRY(tacit_fields_open(
      &fields, root, "the schema",
      "target, features, clip_norm, unit, panel, private, events, nominal_rows, second_moment, csv", error));
  schema->rows_per_unit = 1;
  TACIT_TRY(parse_targets(schema, json_object_get(root, "target"), error));
  if (tacit_fields_has(&fields, "nominal_rows"))
    TACIT_TRY(tacit_fields_count(&fields, "nominal_rows", 1, TACIT_COUNT_MAX, &schema->nominal_rows));
  TACIT_TRY(tacit_schema_parse_features(schema, json_object_get(root, "features"), error));
  if (tacit_fields_has(&fields, "clip_norm"))
    TACIT_TRY(tacit_fields_positive(&fields, "clip_norm", &schema->clip_norm));
  TACIT_TRY(tacit_schema_parse_panel(schema, json_object_get(root, "panel"), error));
  if (tacit_fields_has(&fields, "unit")) TACIT_TRY(parse_unit(schema, json_object_get(root, "unit"), error));
  if (tacit_fields_has(&fields, "private"))
    TACIT_TRY(parse_private(schema, json_object_get(root, "private"), error));
  if (schema->change > 0 && !schema->features_public)
    return tacit_fail(
        error, TACIT_REFUSED,
        "\"unit.change\" limits how far targets move, not features: add \"private\": \"target\", "
        "which makes features public, or remove it");
  if (tacit_fields_has(&fields, "events"))
    TACIT_TRY(tacit_schema_parse_events(schema, json_object_get(root, "events"), error));
  if (tacit_fields_has(&fields, "csv")) TACIT_TRY(parse_csv(schema, json_object_get(root, "csv"), error));
  TACIT_TRY(tacit_sold_check(schema, error));
  TACIT_TRY(tacit_schema_lay_out(schema, error));
  if (tacit_fields_has(&fields, "second_moment"))
    TACIT_TRY(tacit_schema_parse_second_moment(schema, json_object_get(root, "second_moment"), error));
  return TACIT_OK;
}
