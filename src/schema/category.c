/* Reads the levels of a category, and where unlisted and empty cells go. */
#include "num/shortest.h"
#include "schema/fields.h"
#include "schema/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS_LEAST = 2 };

size_t tacit_fold(const char *text, size_t length, char *folded, size_t room) {
  while (length > 0 && (*text == ' ' || *text == '\t')) text++, length--;
  while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
  for (size_t i = 0; i < length && i < room; i++) {
    unsigned char byte = (unsigned char)text[i];
    bool behind = i > 0 && (unsigned char)text[i - 1] == 0xC3;           /* À to Þ begin with it in UTF-8 */
    bool capital = behind ? byte >= 0x80 && byte <= 0x9E && byte != 0x97 /* × is no letter */
                          : byte >= 'A' && byte <= 'Z';
    folded[i] = (char)(capital ? byte + 0x20 : byte);
  }
  return length;
}

/* A level that is a number has its shortest text, so that 1 and 1.0 are one. */
static tacit_status level_text(const tacit_fields *fields, const char *key, const json_t *level,
                               char **text) {
  char number[TACIT_SHORTEST];
  if (json_is_number(level)) {
    size_t length = json_is_integer(level) ? (size_t)snprintf(number, sizeof number, "%lld",
                                                              (long long)json_integer_value(level))
                                           : tacit_shortest(json_number_value(level) + 0.0, number);
    *text = tacit_copy_text(number, length);
  } else {
    TACIT_TRY(tacit_fields_check_name(fields, key, level));
    *text = tacit_copy_text(json_string_value(level), json_string_length(level));
  }
  return *text ? TACIT_OK : tacit_no_memory(fields->error);
}

/* What cells are compared with. */
static tacit_status make_keys(tacit_feature *feature, const tacit_fields *fields) {
  feature->keys = feature->levels;
  if (!feature->fold) return TACIT_OK;
  feature->keys = tacit_alloc(feature->level_count, sizeof *feature->keys);
  for (size_t i = 0; feature->keys && i < feature->level_count; i++) {
    char folded[TACIT_NAME_MAX];
    size_t length = tacit_fold(feature->levels[i], strlen(feature->levels[i]), folded, sizeof folded);
    if (length == 0)
      return tacit_fail(fields->error, TACIT_BAD_INPUT,
                        "\"levels\" in %s has a level of blanks, which \"fold\" makes empty", fields->where);
    feature->keys[i] = tacit_copy_text(folded, length);
    if (!feature->keys[i]) return tacit_no_memory(fields->error);
  }
  return feature->keys ? TACIT_OK : tacit_no_memory(fields->error);
}

/* The levels in the order of their bytes, for the search in tacit_feature_level; refuses a level listed
 * twice. */
static tacit_status sort_levels(tacit_feature *feature, const tacit_fields *fields) {
  feature->level_order = tacit_alloc(feature->level_count, sizeof *feature->level_order);
  if (!feature->level_order) return tacit_no_memory(fields->error);
  for (size_t i = 0; i < feature->level_count; i++) {
    size_t low = 0, high = i;
    while (low < high) {
      size_t middle = (low + high) / 2;
      int order = strcmp(feature->keys[i], feature->keys[feature->level_order[middle]]);
      if (order == 0)
        return tacit_fail(fields->error, TACIT_BAD_INPUT, "\"levels\" in %s lists \"%s\" twice",
                          fields->where, feature->levels[i]);
      if (order < 0)
        high = middle;
      else
        low = middle + 1;
    }
    memmove(feature->level_order + low + 1, feature->level_order + low,
            (i - low) * sizeof *feature->level_order);
    feature->level_order[low] = i;
  }
  return TACIT_OK;
}

static size_t find_level(const tacit_feature *feature, const char *text, size_t otherwise) {
  for (size_t i = 0; i < feature->level_count; i++) {
    if (strcmp(feature->levels[i], text) == 0) return i;
  }
  return otherwise;
}

/* "other": true, or the name of the level that stands for all that is not listed; behind the listed ones. */
static tacit_status add_other(tacit_feature *feature, const tacit_fields *fields) {
  const json_t *other = json_object_get(fields->object, "other");
  if (!other) return TACIT_OK;
  if (!json_is_true(other) && !json_is_string(other))
    return tacit_fail(fields->error, TACIT_BAD_INPUT, "\"other\" in %s must be true, or a level's name",
                      fields->where);
  if (json_is_string(other)) TACIT_TRY(tacit_fields_check_name(fields, "other", other));
  const char *name = json_is_true(other) ? "other" : json_string_value(other);
  feature->levels[feature->level_count] = tacit_copy_text(name, strlen(name));
  if (!feature->levels[feature->level_count]) return tacit_no_memory(fields->error);
  feature->unknown_level = feature->level_count++;
  return TACIT_OK;
}

static tacit_status read_levels(tacit_feature *feature, const tacit_fields *fields) {
  const json_t *levels = json_object_get(fields->object, "levels");
  size_t count = json_is_array(levels) ? json_array_size(levels) : 0;
  if (json_is_null(levels)) return tacit_fields_blank(fields, "levels");
  if (count < (tacit_fields_has(fields, "other") ? 1 : 2))
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "\"levels\" in %s must be an array of at least two strings or numbers", fields->where);
  if (count > TACIT_COLUMNS_MAX)
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "\"levels\" in %s must list at most %d levels: gather the rare ones under \"other\"",
                      fields->where, TACIT_COLUMNS_MAX);
  feature->levels = tacit_alloc(count + 1, sizeof *feature->levels);
  if (!feature->levels) return tacit_no_memory(fields->error);
  for (size_t i = 0; i < count; i++) {
    const json_t *level = json_array_get(levels, i);
    if (json_is_string(level) && !json_string_length(level))
      return tacit_fail(
          fields->error, TACIT_BAD_INPUT,
          "\"levels\" in %s has an empty text, but empty cells are not a level: for a column that is "
          "marked x or left empty write \"levels\": [\"no\", \"x\"], \"missing\": \"no\"",
          fields->where);
    TACIT_TRY(level_text(fields, "levels", json_array_get(levels, i), &feature->levels[i]));
    feature->level_count++;
  }
  feature->unknown_level = find_level(feature, "other", 0);
  return add_other(feature, fields);
}

static tacit_status read_missing(tacit_feature *feature, const tacit_fields *fields) {
  char *text;
  feature->missing_level = feature->unknown_level;
  feature->has_missing = tacit_fields_has(fields, "missing");
  if (!feature->has_missing) return TACIT_OK;
  TACIT_TRY(level_text(fields, "missing", json_object_get(fields->object, "missing"), &text));
  feature->missing_level = find_level(feature, text, feature->level_count);
  free(text);
  if (feature->missing_level == feature->level_count)
    return tacit_fail(fields->error, TACIT_BAD_INPUT, "\"missing\" in %s must be one of its \"levels\"",
                      fields->where);
  return TACIT_OK;
}

tacit_status tacit_category_parse(tacit_feature *feature, const tacit_fields *fields) {
  if (tacit_fields_has(fields, "fold")) TACIT_TRY(tacit_fields_true(fields, "fold", &feature->fold));
  TACIT_TRY(read_levels(feature, fields));
  TACIT_TRY(make_keys(feature, fields));
  TACIT_TRY(sort_levels(feature, fields));
  return read_missing(feature, fields);
}

tacit_status tacit_hash_parse(tacit_feature *feature, const tacit_fields *fields) {
  size_t buckets;
  if (tacit_fields_has(fields, "fold")) TACIT_TRY(tacit_fields_true(fields, "fold", &feature->fold));
  TACIT_TRY(tacit_fields_count(fields, "hash", BUCKETS_LEAST, TACIT_COLUMNS_MAX, &buckets));
  feature->hashed = true;
  feature->levels = tacit_alloc(buckets, sizeof *feature->levels);
  if (!feature->levels) return tacit_no_memory(fields->error);
  feature->level_count = buckets;
  feature->keys = feature->levels;
  for (size_t i = 0; i < buckets; i++) {
    char name[24];
    int length = snprintf(name, sizeof name, "#%zu", i);
    feature->levels[i] = tacit_copy_text(name, (size_t)length);
    if (!feature->levels[i]) return tacit_no_memory(fields->error);
  }
  return TACIT_OK;
}

tacit_status tacit_flag_parse(tacit_feature *feature, const tacit_fields *fields) {
  bool flag;
  TACIT_TRY(tacit_fields_true(fields, "flag", &flag));
  feature->part = TACIT_PART_FLAG;
  feature->level_count = 2;
  const json_t *missing = json_object_get(fields->object, "missing");
  feature->has_missing = missing != NULL;
  feature->missing = json_is_true(missing);
  if (!missing || json_is_boolean(missing)) return TACIT_OK;
  return tacit_fail(fields->error, TACIT_BAD_INPUT, "\"missing\" in %s must be true or false", fields->where);
}
