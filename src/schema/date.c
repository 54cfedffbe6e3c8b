/* Reads a column of dates: each part of them that the schema lists is a feature of its own. */
#include "schema/calendar.h"
#include "schema/clock.h"
#include "schema/fields.h"
#include "schema/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOLIDAYS_MAX = 10000, HARMONICS = 2, HARMONICS_MAX = 32, WEEKS = 53, HOURS = 24 };
static const double DAY = 86400, YEAR = 365.25;

/* What may be listed, and what it becomes. */
static const struct {
  tacit_cell_part part;
  tacit_feature_kind kind;
} PARTS[] = {
    {TACIT_PART_WEEKDAY, TACIT_FEATURE_CATEGORY}, {TACIT_PART_MONTH, TACIT_FEATURE_CATEGORY},
    {TACIT_PART_WEEK, TACIT_FEATURE_CATEGORY},    {TACIT_PART_DAY_OF_YEAR, TACIT_FEATURE_FOURIER},
    {TACIT_PART_HOUR, TACIT_FEATURE_CATEGORY},    {TACIT_PART_TREND, TACIT_FEATURE_NUMBER},
};
enum { PART_COUNT = sizeof PARTS / sizeof *PARTS };

static const char *const WEEKDAYS[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                       "Friday", "Saturday", "Sunday",    NULL};
static const char *const MONTHS[] = {"January",  "February", "March",  "April",     "May",
                                     "June",     "July",     "August", "September", "October",
                                     "November", "December", NULL};

/* What the parts of one column have in common. */
typedef struct column {
  const tacit_fields *fields;
  double start, end, missing; /* start and end in days, NaN where they are not given */
  bool has_missing;
} column;

size_t tacit_date_features(const json_t *json) {
  size_t parts = json_array_size(json_object_get(json, "date"));
  if (parts > PART_COUNT) parts = PART_COUNT; /* one would be listed twice */
  return parts + (json_object_get(json, "holidays") != NULL);
}

static tacit_status read_moment(const tacit_fields *fields, const char *key, const json_t *value,
                                double *seconds) {
  const char *text = json_string_value(value);
  if (text && tacit_clock_read(NULL, text, json_string_length(value), seconds)) return TACIT_OK;
  if (json_is_null(value)) return tacit_fields_blank(fields, key);
  return tacit_fail(fields->error, TACIT_BAD_INPUT, "\"%s\" in %s must be a date like \"2016-01-31\"", key,
                    fields->where);
}

static tacit_status read_day(const tacit_fields *fields, const char *key, double *day) {
  const json_t *value = json_object_get(fields->object, key);
  *day = NAN;
  if (!value) return TACIT_OK;
  TACIT_TRY(read_moment(fields, key, value, day));
  *day /= DAY;
  if (*day != floor(*day))
    return tacit_fail(fields->error, TACIT_BAD_INPUT, "\"%s\" in %s must be a date without a time of day",
                      key, fields->where);
  return TACIT_OK;
}

static tacit_status read_column(column *c) {
  const tacit_fields *fields = c->fields;
  TACIT_TRY(read_day(fields, "start", &c->start));
  TACIT_TRY(read_day(fields, "end", &c->end));
  if (isnan(c->start) != isnan(c->end) || c->start >= c->end)
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "%s must have both \"start\" and \"end\" or none, and the start before the end",
                      fields->where);
  const json_t *missing = json_object_get(fields->object, "missing");
  c->has_missing = missing != NULL;
  return missing ? read_moment(fields, "missing", missing, &c->missing) : TACIT_OK;
}

static tacit_status copy_levels(tacit_feature *feature, const char *const *names, size_t count, size_t first,
                                tacit_error *error) {
  feature->levels = tacit_alloc(count, sizeof *feature->levels);
  if (!feature->levels) return tacit_no_memory(error);
  feature->level_count = count;
  for (size_t i = 0; i < count; i++) {
    char number[24];
    snprintf(number, sizeof number, "%zu", first + i);
    const char *name = names ? names[i] : number;
    feature->levels[i] = tacit_copy_text(name, strlen(name));
    if (!feature->levels[i]) return tacit_no_memory(error);
  }
  return TACIT_OK;
}

static tacit_status settle_trend(tacit_feature *feature, const column *c) {
  if (isnan(c->start))
    return tacit_fail(
        c->fields->error, TACIT_REFUSED,
        "the trend of column \"%s\" has no public bounds: add \"start\" and \"end\" to the schema",
        feature->name);
  double half = (c->end - c->start) / 2;
  feature->start = c->start;
  feature->has_scale = true;
  feature->scale = (tacit_scale){.center = half, .half = half, .limit = 1};
  return TACIT_OK;
}

/* What a part has of its own. */
static tacit_status settle_part(tacit_feature *feature, const column *c) {
  tacit_error *error = c->fields->error;
  switch (feature->part) {
  case TACIT_PART_WEEKDAY:
    return copy_levels(feature, WEEKDAYS, 7, 0, error);
  case TACIT_PART_MONTH:
    return copy_levels(feature, MONTHS, 12, 0, error);
  case TACIT_PART_WEEK:
    return copy_levels(feature, NULL, WEEKS, 1, error);
  case TACIT_PART_HOUR:
    return copy_levels(feature, NULL, HOURS, 0, error);
  case TACIT_PART_DAY_OF_YEAR:
    feature->period = YEAR;
    feature->harmonics = HARMONICS;
    if (!tacit_fields_has(c->fields, "harmonics")) return TACIT_OK;
    return tacit_fields_count(c->fields, "harmonics", 1, HARMONICS_MAX, &feature->harmonics);
  case TACIT_PART_TREND:
    return settle_trend(feature, c);
  default:
    return TACIT_OK;
  }
}

static int by_day(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static tacit_status settle_holidays(tacit_feature *feature, const column *c) {
  const json_t *days = json_object_get(c->fields->object, "holidays");
  size_t count = json_array_size(days);
  if (count < 1 || count > HOLIDAYS_MAX)
    return tacit_fail(c->fields->error, TACIT_BAD_INPUT,
                      "\"holidays\" in %s must be an array of 1 to %d dates like \"2016-12-25\"",
                      c->fields->where, HOLIDAYS_MAX);
  feature->level_count = 2;
  feature->holidays = tacit_alloc(count, sizeof *feature->holidays);
  if (!feature->holidays) return tacit_no_memory(c->fields->error);
  for (size_t i = 0; i < count; i++) {
    double seconds = 0;
    TACIT_TRY(read_moment(c->fields, "holidays", json_array_get(days, i), &seconds));
    feature->holidays[feature->holiday_count++] = (int64_t)floor(seconds / DAY);
  }
  qsort(feature->holidays, count, sizeof *feature->holidays, by_day);
  return TACIT_OK;
}

/* What all parts of the column share. */
static tacit_status begin_part(tacit_feature *feature, const column *c, tacit_cell_part part,
                               tacit_feature_kind kind) {
  feature->kind = kind;
  feature->part = part;
  feature->has_missing = c->has_missing;
  feature->missing = c->missing;
  TACIT_TRY(tacit_fields_name(c->fields, "name", &feature->name));
  if (!tacit_fields_has(c->fields, "format")) return TACIT_OK;
  TACIT_TRY(tacit_fields_name(c->fields, "format", &feature->format));
  if (tacit_clock_format(feature->format)) return TACIT_OK;
  return tacit_fail(c->fields->error, TACIT_BAD_INPUT,
                    "\"format\" in %s must have %%Y, %%m and %%d once each, perhaps %%H, %%M and %%S, and "
                    "what stands between them, as in \"%%d.%%m.%%Y\"",
                    c->fields->where);
}

static tacit_status find_part(const column *c, const json_t *name, size_t *part) {
  const char *text = json_string_value(name);
  for (*part = 0; text && *part < PART_COUNT; ++*part)
    if (strcmp(text, tacit_part_name(PARTS[*part].part)) == 0) return TACIT_OK;
  return tacit_fail(c->fields->error, TACIT_BAD_INPUT,
                    "\"date\" in %s must list some of \"weekday\", \"month\", \"week\", \"day-of-year\", "
                    "\"hour\" and \"trend\", each once",
                    c->fields->where);
}

tacit_status tacit_date_parse(tacit_feature *features, const tacit_fields *fields) {
  column c = {.fields = fields};
  const json_t *parts = json_object_get(fields->object, "date");
  size_t count = json_array_size(parts), unused;
  bool seen[TACIT_PART_TREND + 1] = {false}, holidays = tacit_fields_has(fields, "holidays");
  if (!json_is_array(parts) || count > PART_COUNT || (count == 0 && !holidays))
    return find_part(&c, NULL, &unused);
  TACIT_TRY(read_column(&c));
  for (size_t i = 0; i < count; i++) {
    size_t k;
    TACIT_TRY(find_part(&c, json_array_get(parts, i), &k));
    if (seen[PARTS[k].part]) return find_part(&c, NULL, &unused);
    seen[PARTS[k].part] = true;
    TACIT_TRY(begin_part(&features[i], &c, PARTS[k].part, PARTS[k].kind));
    TACIT_TRY(settle_part(&features[i], &c));
  }
  if (tacit_fields_has(fields, "harmonics") && !seen[TACIT_PART_DAY_OF_YEAR])
    return tacit_fail(fields->error, TACIT_BAD_INPUT, "\"harmonics\" in %s goes with \"day-of-year\"",
                      fields->where);
  if (!holidays) return TACIT_OK;
  TACIT_TRY(begin_part(&features[count], &c, TACIT_PART_HOLIDAY, TACIT_FEATURE_CATEGORY));
  return settle_holidays(&features[count], &c);
}
