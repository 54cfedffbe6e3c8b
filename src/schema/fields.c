/* Reads names, numbers, counts and scales from a JSON object, or says what is wrong with them. */
#include "schema/fields.h"

#include <math.h>
#include <string.h>

/* Centres far from zero on a narrow range lose their digits in the user's units: a decision would be the
   small difference of large numbers. At this ratio seven digits are left. */
static const double NARROWEST = 1e-9;

static bool is_known(const char *known, const char *key) {
  size_t length = strlen(key);
  for (const char *at = known; *at;) {
    size_t word = strcspn(at, ",");
    if (word == length && memcmp(at, key, length) == 0) return true;
    at += word;
    at += strspn(at, ", ");
  }
  return false;
}

tacit_status tacit_fields_open(tacit_fields *fields, const json_t *json, const char *where, const char *known,
                               tacit_error *error) {
  *fields = (tacit_fields){.object = json, .where = where, .error = error};
  if (!json_is_object(json)) return tacit_fail(error, TACIT_BAD_INPUT, "%s must be an object, {...}", where);
  const json_t *asked = json_object_get(json, "question"); /* of a whole draft: an object, with examples */
  const char *question = json_string_value(json_is_object(asked) ? json_object_get(asked, "of all") : asked);
  const char *name = json_string_value(json_object_get(json, "name"));
  if (question)
    return tacit_fail(
        error, TACIT_REFUSED,
        "%s%s%.100s%s still has its question: \"%.180s%s\"; answer it from what is known without "
        "looking at the records, then remove \"question\"",
        where, name ? " (column \"" : "", name ? name : "", name ? "\")" : "", question,
        strlen(question) > 180 ? "..." : "");
  /* jansson's iterators take a pointer to non-const and do not write through it. */
  json_t *object = (json_t *)json;
  for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
    const char *key = json_object_iter_key(at);
    if (!is_known(known, key) && json_is_null(json_object_iter_value(at)))
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "remove \"%.100s\": null from %s: it is for another kind of column", key, where);
    if (!is_known(known, key))
      return tacit_fail(error, TACIT_BAD_INPUT, "unknown key \"%.100s\" in %s; the keys here are: %s", key,
                        where, known);
  }
  return TACIT_OK;
}

bool tacit_fields_has(const tacit_fields *fields, const char *key) {
  return json_object_get(fields->object, key) != NULL;
}

static tacit_status refuse(const tacit_fields *fields, const char *key, const char *what) {
  return tacit_fail(fields->error, TACIT_BAD_INPUT, "\"%s\" in %s %s", key, fields->where, what);
}

static tacit_status find(const tacit_fields *fields, const char *key, const json_t **value) {
  *value = json_object_get(fields->object, key);
  if (!*value) return refuse(fields, key, "is missing");
  return TACIT_OK;
}

tacit_status tacit_fields_true(const tacit_fields *fields, const char *key, bool *value) {
  *value = json_is_true(json_object_get(fields->object, key));
  return *value ? TACIT_OK : refuse(fields, key, "must be true, or be left out");
}

tacit_status tacit_fields_blank(const tacit_fields *fields, const char *key) {
  const char *name = json_string_value(json_object_get(fields->object, "name"));
  return tacit_fail(fields->error, TACIT_REFUSED,
                    "\"%s\" in %s%s%.200s%s is blank: somebody who knows the table without looking at its "
                    "records has to fill it in",
                    key, fields->where, name ? " (column \"" : "", name ? name : "", name ? "\")" : "");
}

tacit_status tacit_fields_check_name(const tacit_fields *fields, const char *key, const json_t *value) {
  if (json_is_null(value)) return tacit_fields_blank(fields, key);
  if (!json_is_string(value)) return refuse(fields, key, "must be a string");
  size_t length = json_string_length(value);
  if (length == 0) return refuse(fields, key, "must not be empty");
  if (length > TACIT_NAME_MAX) return refuse(fields, key, "is too long: at most 255 bytes");
  if (tacit_has_control(json_string_value(value), length))
    return refuse(fields, key, "has a control character; use printable text");
  return TACIT_OK;
}

tacit_status tacit_fields_name(const tacit_fields *fields, const char *key, char **copy) {
  const json_t *value;
  TACIT_TRY(find(fields, key, &value));
  TACIT_TRY(tacit_fields_check_name(fields, key, value));
  *copy = tacit_copy_text(json_string_value(value), json_string_length(value));
  return *copy ? TACIT_OK : tacit_no_memory(fields->error);
}

tacit_status tacit_fields_number(const tacit_fields *fields, const char *key, double *number) {
  const json_t *value;
  TACIT_TRY(find(fields, key, &value));
  if (json_is_null(value)) return tacit_fields_blank(fields, key);
  if (!json_is_number(value)) return refuse(fields, key, "must be a number");
  *number = json_number_value(value);
  if (!isfinite(*number)) return refuse(fields, key, "must be a finite number");
  return TACIT_OK;
}

tacit_status tacit_fields_positive(const tacit_fields *fields, const char *key, double *number) {
  TACIT_TRY(tacit_fields_number(fields, key, number));
  if (!(*number > 0)) return refuse(fields, key, "must be above 0");
  if (*number > TACIT_MAGNITUDE_MAX) return refuse(fields, key, "must be at most 1e100");
  return TACIT_OK;
}

tacit_status tacit_fields_count(const tacit_fields *fields, const char *key, size_t low, size_t high,
                                size_t *count) {
  const json_t *value;
  TACIT_TRY(find(fields, key, &value));
  if (json_is_null(value)) return tacit_fields_blank(fields, key);
  json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
  if (number < 0 || (uint64_t)number < low || (uint64_t)number > high)
    return tacit_fail(fields->error, TACIT_BAD_INPUT, "\"%s\" in %s must be a whole number from %zu to %zu",
                      key, fields->where, low, high);
  *count = (size_t)number;
  return TACIT_OK;
}

bool tacit_scale_is_narrow(const tacit_scale *scale) {
  return scale->half < NARROWEST * fabs(scale->center);
}

static tacit_status check_scale(const tacit_fields *fields, const tacit_scale *scale) {
  double far = fabs(scale->center) + scale->half;
  if (!(far <= TACIT_MAGNITUDE_MAX))
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "the range in %s is too large: keep bounds within 1e100, or change the column's unit",
                      fields->where);
  if (!(scale->half >= 1 / TACIT_MAGNITUDE_MAX) || tacit_scale_is_narrow(scale))
    return tacit_fail(
        fields->error, TACIT_BAD_INPUT,
        "the range in %s is too narrow for the size of its numbers: subtract a constant from the "
        "column, or widen the bounds",
        fields->where);
  return TACIT_OK;
}

tacit_status tacit_fields_scale(const tacit_fields *fields, bool *given, tacit_scale *scale) {
  bool bounds = tacit_fields_has(fields, "min") || tacit_fields_has(fields, "max");
  bool guess = tacit_fields_has(fields, "center") || tacit_fields_has(fields, "scale");
  *given = bounds || guess;
  if (!*given) return TACIT_OK;
  if (bounds && guess)
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "%s mixes bounds: give \"min\" and \"max\", or \"center\" and \"scale\", not both",
                      fields->where);
  if (bounds) {
    double low = 0, high = 0;
    TACIT_TRY(tacit_fields_number(fields, "min", &low));
    TACIT_TRY(tacit_fields_number(fields, "max", &high));
    if (!(low < high)) return refuse(fields, "min", "must be below \"max\"");
    /* Halved before they are added: no overflow. */
    *scale = (tacit_scale){.center = low / 2 + high / 2, .half = high / 2 - low / 2, .limit = 1};
  } else {
    *scale = (tacit_scale){.limit = TACIT_SCALE_LIMIT};
    TACIT_TRY(tacit_fields_number(fields, "center", &scale->center));
    TACIT_TRY(tacit_fields_positive(fields, "scale", &scale->half));
  }
  return check_scale(fields, scale);
}

tacit_status tacit_fields_missing(const tacit_fields *fields, bool *given, double *missing) {
  *given = tacit_fields_has(fields, "missing");
  return *given ? tacit_fields_number(fields, "missing", missing) : TACIT_OK;
}
