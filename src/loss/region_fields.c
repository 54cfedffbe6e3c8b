/* Typed reading of a region's JSON. Regions are public, so the texts may quote them. */
#include "loss/region_kinds.h"

#include <math.h>
#include <string.h>

static bool is_known(const char *known, const char *key) {
  size_t length = strlen(key);
  for (const char *at = known; *at; at += strspn(at, ", ")) {
    size_t word = strcspn(at, ",");
    if (word == length && memcmp(at, key, length) == 0) return true;
    at += word;
  }
  return false;
}

tacit_status tacit_region_keys(const json_t *json, const char *known, tacit_error *error) {
  json_t *object = (json_t *)json; /* jansson's iterators do not write through it */
  for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at))
    if (!is_known(known, json_object_iter_key(at)))
      return tacit_fail(error, TACIT_BAD_INPUT, "unknown key \"%.100s\" in the region; the keys here are: %s",
                        json_object_iter_key(at), known);
  return TACIT_OK;
}

tacit_status tacit_region_count(const json_t *json, const char *key, size_t low, size_t high, size_t *count,
                                tacit_error *error) {
  const json_t *value = json_object_get(json, key);
  json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
  if (number < 0 || (uint64_t)number < low || (uint64_t)number > high)
    return tacit_fail(error, TACIT_BAD_INPUT, "\"%s\" of the region must be a whole number from %zu to %zu",
                      key, low, high);
  *count = (size_t)number;
  return TACIT_OK;
}

tacit_status tacit_region_positive(const json_t *json, const char *key, double *number, tacit_error *error) {
  const json_t *value = json_object_get(json, key);
  *number = json_is_number(value) ? json_number_value(value) : 0;
  if (*number >= 1 / TACIT_REGION_NUMBER_MAX && *number <= TACIT_REGION_NUMBER_MAX) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT, "\"%s\" of the region must be a number from 1e-9 to 1e9", key);
}

tacit_status tacit_region_numbers(const json_t *array, const char *where, size_t count, double *numbers,
                                  tacit_error *error) {
  if (!json_is_array(array) || json_array_size(array) != count)
    return tacit_fail(error, TACIT_BAD_INPUT, "%s of the region must be an array of %zu numbers", where,
                      count);
  for (size_t i = 0; i < count; i++) {
    const json_t *value = json_array_get(array, i);
    numbers[i] = json_is_number(value) ? json_number_value(value) : NAN;
    if (!(fabs(numbers[i]) <= TACIT_REGION_NUMBER_MAX))
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "entry %zu of %s of the region must be a number between -1e9 and 1e9", i, where);
  }
  return TACIT_OK;
}
