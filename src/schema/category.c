/* Reads the levels of a category, and where unlisted and empty cells go. */
#include "schema/fields.h"
#include "schema/parse.h"

#include <string.h>

/* The levels in the order of their bytes, for the search in tacit_feature_level; refuses a level listed
 * twice. */
static tacit_status sort_levels(tacit_feature *feature, const tacit_fields *fields) {
  feature->level_order = tacit_alloc(feature->level_count, sizeof *feature->level_order);
  if (!feature->level_order) return tacit_no_memory(fields->error);
  for (size_t i = 0; i < feature->level_count; i++) {
    size_t low = 0, high = i;
    while (low < high) {
      size_t middle = (low + high) / 2;
      int order = strcmp(feature->levels[i], feature->levels[feature->level_order[middle]]);
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

tacit_status tacit_category_parse(tacit_feature *feature, const tacit_fields *fields) {
  const json_t *levels = json_object_get(fields->object, "levels");
  size_t count = json_is_array(levels) ? json_array_size(levels) : 0;
  if (count < 2)
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "\"levels\" in %s must be an array of at least two strings", fields->where);
  if (count > TACIT_COLUMNS_MAX)
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "\"levels\" in %s must list at most %d levels: gather the rare ones under \"other\"",
                      fields->where, TACIT_COLUMNS_MAX);
  feature->levels = tacit_alloc(count, sizeof *feature->levels);
  if (!feature->levels) return tacit_no_memory(fields->error);
  feature->level_count = count;
  for (size_t i = 0; i < count; i++) {
    const json_t *level = json_array_get(levels, i);
    TACIT_TRY(tacit_fields_check_name(fields, "levels", level));
    feature->levels[i] = tacit_copy_text(json_string_value(level), json_string_length(level));
    if (!feature->levels[i]) return tacit_no_memory(fields->error);
  }
  TACIT_TRY(sort_levels(feature, fields));
  feature->unknown_level = find_level(feature, "other", 0);
  feature->missing_level = feature->unknown_level;
  feature->has_missing = tacit_fields_has(fields, "missing");
  if (!feature->has_missing) return TACIT_OK;
  const json_t *missing = json_object_get(fields->object, "missing");
  TACIT_TRY(tacit_fields_check_name(fields, "missing", missing));
  feature->missing_level = find_level(feature, json_string_value(missing), count);
  if (feature->missing_level == count)
    return tacit_fail(fields->error, TACIT_BAD_INPUT, "\"missing\" in %s must be one of its \"levels\"",
                      fields->where);
  return TACIT_OK;
}
