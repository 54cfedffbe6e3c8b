/* A schema from a file or a text, its accessors, its hash, and its end. */
#include "schema/schema.h"

#include "schema/json_words.h"

#include "base/base.h"
#include "schema/parse.h"
#include "schema/sold.h"
#include "schema/tiers.h"
#include "schema/wavelet.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 16 << 20 }; /* jansson itself stops at 2048 levels of nesting */

static tacit_status too_large(tacit_error *error) {
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the schema is larger than %d MB, numbers written with 17 digits; use fewer columns, or "
                    "numbers that need no more digits than they have, such as 0.125",
                    BYTES_MAX >> 20);
}

/* Sorted keys, no white space, 17 digits: texts that mean the same facts in the same words hash the same. A
   policy has the schema in these words and is read by the same rules: 0.1 becomes 0.10000000000000001, and
   what is too large then is refused from the beginning. */
static tacit_status hash_json(const json_t *json, char hash[65], tacit_error *error) {
  char *text = tacit_json_text(json, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(17));
  if (!text) return tacit_no_memory(error);
  if (strlen(text) > BYTES_MAX) {
    free(text);
    return too_large(error);
  }
  unsigned char digest[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(digest, (const unsigned char *)text, strlen(text));
  sodium_bin2hex(hash, 65, digest, sizeof digest);
  free(text);
  return TACIT_OK;
}

static tacit_status parse_json(tacit_schema *schema, const char *text, size_t length, tacit_error *error) {
  json_error_t at;
  schema->json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &at);
  /* Without memory jansson often gives no text at all. */
  if (!schema->json && (json_error_code(&at) == json_error_out_of_memory || !at.text[0]))
    return tacit_no_memory(error);
  if (!schema->json && strstr(at.text, "'[' or '{' expected")) /* quoted no further: it may be a table */
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the schema does not begin as JSON does, with { (line %d, column %d); is this a table, "
                      "or another file?",
                      at.line, at.column);
  if (!schema->json) {
    const char *words = tacit_json_words(text, length, &at);
    return tacit_fail(error, TACIT_BAD_INPUT, "the schema is not JSON at line %d, column %d: %s%s%s", at.line,
                      at.column, at.text, *words ? "; " : "", words);
  }
  TACIT_TRY(hash_json(schema->json, schema->hash, error));
  return tacit_schema_parse_root(schema, schema->json, error);
}

tacit_status tacit_schema_parse(const char *json, size_t length, tacit_schema **schema, tacit_error *error) {
  *schema = NULL;
  if (length > BYTES_MAX) return too_large(error);
  tacit_schema *made = tacit_alloc(1, sizeof *made);
  if (!made) return tacit_no_memory(error);
  tacit_status status = parse_json(made, json, length, error);
  if (status == TACIT_OK)
    *schema = made;
  else
    tacit_schema_free(made);
  return status;
}

tacit_status tacit_schema_read(const char *path, tacit_schema **schema, tacit_error *error) {
  char *text;
  size_t length;
  *schema = NULL;
  TACIT_TRY(tacit_read_file(path, BYTES_MAX, &text, &length, error));
  tacit_status status = tacit_schema_parse(text, length, schema, error);
  free(text);
  return status;
}

static void free_texts(char **texts, size_t count) {
  for (size_t i = 0; texts && i < count; i++) free(texts[i]);
  free(texts);
}

void tacit_schema_free(tacit_schema *schema) {
  if (!schema) return;
  for (size_t t = 0; t < schema->target_count; t++) {
    free(schema->targets[t].name);
    free(schema->targets[t].tiers);
    free(schema->targets[t].sold_column);
    free(schema->targets[t].sold_words);
  }
  free(schema->targets);
  for (size_t f = 0; f < schema->feature_count; f++) {
    tacit_feature *feature = &schema->features[f];
    free(feature->name);
    if (feature->keys != feature->levels) free_texts(feature->keys, feature->level_count);
    free_texts(feature->levels, feature->level_count);
    free(feature->level_order);
    free(feature->knots);
    free(feature->format);
    free(feature->days);
    tacit_wavelet_free(feature->wavelet);
    free(feature->holidays);
    free(feature->factors);
  }
  free(schema->features);
  free_texts(schema->column_names, schema->columns);
  free(schema->unit_column);
  tacit_event_columns_free(schema->events);
  free_texts(schema->panel.by, schema->panel.by_count);
  free(schema->panel.time);
  free(schema->panel.format);
  free(schema->second_moment);
  json_decref(schema->json);
  free(schema);
}

size_t tacit_schema_columns(const tacit_schema *schema) {
  return schema->columns;
}

const char *tacit_schema_column_name(const tacit_schema *schema, size_t column) {
  return column < schema->columns ? schema->column_names[column] : NULL;
}

size_t tacit_schema_targets(const tacit_schema *schema) {
  return schema->target_count;
}

size_t tacit_schema_nominal_rows(const tacit_schema *schema) {
  return schema->nominal_rows;
}

const char *tacit_schema_target_name(const tacit_schema *schema, size_t target) {
  return target < schema->target_count ? schema->targets[target].name : NULL;
}

size_t tacit_schema_features(const tacit_schema *schema) {
  return schema->feature_count;
}

static const char *kind_of(const tacit_feature *feature) {
  static const char *const KINDS[] = {
      [TACIT_FEATURE_NUMBER] = "number",   [TACIT_FEATURE_CATEGORY] = "levels",
      [TACIT_FEATURE_LAG] = "lag",         [TACIT_FEATURE_SPLINE] = "spline",
      [TACIT_FEATURE_HAAR] = "haar",       [TACIT_FEATURE_POLYNOMIAL] = "polynomial",
      [TACIT_FEATURE_FOURIER] = "fourier", [TACIT_FEATURE_PRODUCT] = "interaction",
      [TACIT_FEATURE_WAVELET] = "wavelet",
  };
  if (feature->factor_count > 0) return "interaction";
  if (feature->hashed) return "buckets";
  return feature->part == TACIT_PART_CELL ? KINDS[feature->kind] : tacit_part_name(feature->part);
}

tacit_schema_feature tacit_schema_feature_at(const tacit_schema *schema, size_t f) {
  const tacit_feature *feature = &schema->features[f];
  tacit_reads reads = tacit_feature_reads(feature);
  bool listed = reads == TACIT_READS_LEVEL && !feature->hashed, dated = reads == TACIT_READS_MOMENT;
  return (tacit_schema_feature){.column = feature->name,
                                .kind = kind_of(feature),
                                .first = feature->first,
                                .columns = feature->width,
                                .has_cells = reads != TACIT_READS_NOTHING,
                                .unlisted_as = listed ? feature->levels[feature->unknown_level] : NULL,
                                .format = !dated            ? NULL
                                          : feature->format ? feature->format
                                                            : "%Y-%m-%d",
                                .fold = feature->fold,
                                .has_missing = feature->has_missing};
}

double tacit_schema_target_log_unit(const tacit_schema *schema, size_t target) {
  return target < schema->target_count ? schema->targets[target].scale.log_unit : 0;
}

bool tacit_schema_target_costs(const tacit_schema *schema, size_t target, double *underage, double *overage) {
  const tacit_tiers *tiers = target < schema->target_count ? schema->targets[target].tiers : NULL;
  *underage = tiers ? tiers->underage : 0;
  *overage = tiers ? tiers->overage : 0;
  return tiers != NULL;
}

bool tacit_schema_csv(const tacit_schema *schema, tacit_csv_form *form) {
  *form = schema->csv;
  return form->separator != 0;
}

const char *tacit_schema_target_sold_out(const tacit_schema *schema, size_t target) {
  return target < schema->target_count ? schema->targets[target].sold_column : NULL;
}

const char *tacit_schema_target_sold_by(const tacit_schema *schema, size_t target) {
  if (!tacit_schema_target_sold_out(schema, target)) return NULL;
  return schema->targets[target].sold_by_stock ? "stock" : "sold_out";
}

size_t tacit_schema_entries(const tacit_schema *schema) {
  return schema->feature_count + (tacit_sold_any(schema) ? 2 : 1) * schema->target_count;
}

void tacit_schema_target_bounds(const tacit_schema *schema, size_t target, double *low, double *high) {
  const tacit_scale *scale = &schema->targets[target].scale;
  *low = tacit_scale_decode(scale, -scale->limit);
  *high = tacit_scale_decode(scale, scale->limit);
}

size_t tacit_schema_records_per_unit(const tacit_schema *schema) {
  size_t records = schema->rows_per_unit / tacit_schema_reach(schema);
  return records ? records : 1; /* too few rows for the lags is refused elsewhere */
}

bool tacit_schema_features_public(const tacit_schema *schema) {
  return schema->features_public;
}

bool tacit_schema_enforces(const tacit_schema *schema) {
  return schema->unit_column || schema->events;
}

double tacit_schema_change(const tacit_schema *schema) {
  return schema->change;
}

const char *tacit_schema_unit_column(const tacit_schema *schema) {
  return schema->events ? schema->events->customer : schema->unit_column;
}

const char *tacit_schema_hash(const tacit_schema *schema) {
  return schema->hash;
}
