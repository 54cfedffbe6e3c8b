/* Records that are told apart by a group and a time: what the schema says of them, which period a record is
   of, and how many rows one record can change through look-ups. */
#include "schema/calendar.h"
#include "schema/clock.h"
#include "schema/fields.h"
#include "schema/parse.h"

#include <math.h>
#include <string.h>

enum { BY_MAX = 8 }; /* columns that tell groups apart */

static const char *const EVERY[] = {
    [TACIT_EVERY_DAY] = "day",     [TACIT_EVERY_HOUR] = "hour",     [TACIT_EVERY_WEEK] = "week",
    [TACIT_EVERY_MONTH] = "month", [TACIT_EVERY_NUMBER] = "number",
};
enum { PERIODS = sizeof EVERY / sizeof *EVERY };

static tacit_status parse_every(tacit_panel *panel, const tacit_fields *fields) {
  const json_t *value = json_object_get(fields->object, "every");
  if (!value) return TACIT_OK; /* a day */
  if (json_is_null(value)) return tacit_fields_blank(fields, "every");
  for (size_t k = 0; json_is_string(value) && k < PERIODS; k++)
    if (!strcmp(json_string_value(value), EVERY[k])) {
      panel->every = (tacit_every)k;
      return TACIT_OK;
    }
  return tacit_fail(fields->error, TACIT_BAD_INPUT,
                    "\"every\" in %s must be one of \"hour\", \"day\", \"week\", \"month\", \"number\"",
                    fields->where);
}

static tacit_status parse_format(tacit_panel *panel, const tacit_fields *fields) {
  if (!tacit_fields_has(fields, "format")) return TACIT_OK;
  TACIT_TRY(tacit_fields_name(fields, "format", &panel->format));
  if (panel->every != TACIT_EVERY_NUMBER && tacit_clock_format(panel->format)) return TACIT_OK;
  return tacit_fail(fields->error, TACIT_BAD_INPUT,
                    "\"format\" in %s must have %%Y, %%m and %%d, perhaps %%H, %%M and %%S, and goes with "
                    "periods of the calendar alone",
                    fields->where);
}

/* One column, or a list of them. */
static tacit_status parse_by(tacit_panel *panel, const tacit_fields *fields) {
  const json_t *by = json_object_get(fields->object, "by");
  if (!by) return TACIT_OK; /* all records are one group */
  size_t count = json_is_array(by) ? json_array_size(by) : 1;
  if (count < 1 || count > BY_MAX)
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "\"by\" in %s must be a column, or an array of 1 to %d of them", fields->where, BY_MAX);
  panel->by = tacit_alloc(count, sizeof *panel->by);
  if (!panel->by) return tacit_no_memory(fields->error);
  for (size_t k = 0; k < count; k++) {
    const json_t *name = json_is_array(by) ? json_array_get(by, k) : by;
    TACIT_TRY(tacit_fields_check_name(fields, "by", name));
    panel->by[k] = tacit_copy_text(json_string_value(name), json_string_length(name));
    if (!panel->by[k]) return tacit_no_memory(fields->error);
    panel->by_count++;
  }
  return TACIT_OK;
}

/* A sum is found by periods. */
static tacit_status refuse_sums(const tacit_schema *schema, tacit_error *error) {
  for (size_t t = 0; t < schema->target_count; t++)
    if (schema->targets[t].sum_of_next)
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "\"sum_of_next\" of target \"%.60s\" is looked up by time: add \"panel\": {\"time\": "
                        "...} to the schema, and \"by\" in it where a table has several groups",
                        schema->targets[t].name);
  return TACIT_OK;
}

tacit_status tacit_schema_parse_panel(tacit_schema *schema, const json_t *json, tacit_error *error) {
  tacit_panel *panel = &schema->panel;
  tacit_fields fields;
  if (!json) return refuse_sums(schema, error);
  TACIT_TRY(tacit_fields_open(&fields, json, "panel", "by, time, every, format, unique, missing", error));
  TACIT_TRY(tacit_fields_name(&fields, "time", &panel->time));
  TACIT_TRY(parse_every(panel, &fields));
  TACIT_TRY(parse_format(panel, &fields));
  TACIT_TRY(parse_by(panel, &fields));
  if (tacit_fields_has(&fields, "unique")) TACIT_TRY(tacit_fields_true(&fields, "unique", &panel->unique));
  if (tacit_fields_has(&fields, "missing")) TACIT_TRY(tacit_fields_true(&fields, "missing", &panel->missing));
  return TACIT_OK;
}

bool tacit_panel_names(const tacit_panel *panel, const char *column) {
  bool names = panel->time && !strcmp(panel->time, column);
  for (size_t k = 0; k < panel->by_count; k++) names = names || !strcmp(panel->by[k], column);
  return names;
}

bool tacit_panel_period(const tacit_panel *panel, double time, int64_t *period) {
  static const double HOUR = 3600, DAY = 86400, EXACT = 0x1p53;
  double days = floor(time / DAY);
  int year, month, day;
  switch (panel->every) {
  case TACIT_EVERY_HOUR:
    *period = (int64_t)floor(time / HOUR);
    return true;
  case TACIT_EVERY_DAY:
    *period = (int64_t)days;
    return true;
  case TACIT_EVERY_WEEK: /* 1970 began on a Thursday */
    *period = (int64_t)floor((days + 3) / 7);
    return true;
  case TACIT_EVERY_MONTH:
    tacit_date_of((int64_t)days, &year, &month, &day);
    *period = (int64_t)year * 12 + month - 1;
    return true;
  case TACIT_EVERY_NUMBER:
    break;
  }
  if (!(fabs(time) < EXACT && time == floor(time))) return false;
  *period = (int64_t)time;
  return true;
}

/* The periods, other than a record's own, in which a row looks at it: one for each lag, and one for each
   period further that a sum reaches. A lag looks back and a sum ahead, so no two are the same. */
static size_t looked_from(const tacit_schema *schema) {
  size_t sum = 1;
  for (size_t t = 0; t < schema->target_count; t++)
    if (schema->targets[t].sum_of_next > sum) sum = schema->targets[t].sum_of_next;
  return schema->distinct_lags + sum - 1;
}

bool tacit_schema_looks_up(const tacit_schema *schema) {
  return schema->panel.time && looked_from(schema) > 0;
}

bool tacit_schema_needs_all(const tacit_schema *schema) {
  return schema->unit_column || schema->largest_lag > 0 || tacit_schema_looks_up(schema);
}

bool tacit_schema_whole_units(const tacit_schema *schema) {
  return schema->unit_column && schema->rows_per_unit > 1 && schema->rows_per_unit <= TACIT_WHOLE_ROWS_MAX &&
         schema->largest_lag == 0 && !tacit_schema_looks_up(schema) && !schema->features_public;
}

bool tacit_schema_groups_in_units(const tacit_schema *schema) {
  for (size_t k = 0; schema->unit_column && k < schema->panel.by_count; k++)
    if (!strcmp(schema->panel.by[k], schema->unit_column)) return true;
  return false;
}

/* proofs/panels.md */
size_t tacit_schema_reach(const tacit_schema *schema) {
  size_t others = looked_from(schema);
  if (!schema->panel.time) return 1 + schema->distinct_lags;
  if (others == 0 || tacit_schema_groups_in_units(schema)) return 1;
  return 2 * others + (schema->panel.unique ? 1 : 2);
}
