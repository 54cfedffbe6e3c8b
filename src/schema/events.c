/* "events": which columns of a table of events say who bought how much, and on which row of the calendar. */
#include "schema/clock.h"
#include "schema/parse.h"

#include <stdlib.h>
#include <string.h>

static tacit_status refuse_key(const tacit_fields *fields) {
  return tacit_fail(fields->error, TACIT_BAD_INPUT,
                    "\"key\" in events must be a column that events and calendar both have, or an array of 1 "
                    "to %d of them, each once",
                    TACIT_EVENT_KEYS_MAX);
}

static tacit_status parse_keys(tacit_event_columns *events, const tacit_fields *fields) {
  const json_t *key = json_object_get(fields->object, "key");
  bool several = json_is_array(key);
  size_t count = several ? json_array_size(key) : 1;
  if (!key || count < 1 || count > TACIT_EVENT_KEYS_MAX) return refuse_key(fields);
  for (size_t k = 0; k < count; k++) {
    const json_t *name = several ? json_array_get(key, k) : key;
    TACIT_TRY(tacit_fields_check_name(fields, "key", name));
    for (size_t i = 0; i < k; i++)
      if (!strcmp(events->keys[i], json_string_value(name))) return refuse_key(fields);
    events->keys[k] = tacit_copy_text(json_string_value(name), json_string_length(name));
    if (!events->keys[k]) return tacit_no_memory(fields->error);
    events->key_count++;
  }
  return TACIT_OK;
}

/* The key, if any, that is compared by the day that it lies in. */
static tacit_status parse_day(tacit_event_columns *events, const tacit_fields *fields) {
  events->day = events->key_count;
  if (!tacit_fields_has(fields, "day") && tacit_fields_has(fields, "format"))
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "\"format\" in events goes with \"day\", which names the key that is a date");
  if (!tacit_fields_has(fields, "day")) return TACIT_OK;
  const char *name = json_string_value(json_object_get(fields->object, "day"));
  events->day = 0;
  while (events->day < events->key_count && !(name && !strcmp(events->keys[events->day], name)))
    events->day++;
  if (events->day == events->key_count)
    return tacit_fail(fields->error, TACIT_BAD_INPUT,
                      "\"day\" in events must be one of the columns of \"key\": the one that is a date");
  if (!tacit_fields_has(fields, "format")) return TACIT_OK;
  TACIT_TRY(tacit_fields_name(fields, "format", &events->format));
  if (tacit_clock_format(events->format)) return TACIT_OK;
  return tacit_fail(
      fields->error, TACIT_BAD_INPUT,
      "\"format\" in events must have %%Y, %%m and %%d once each, perhaps %%H, %%M and %%S, and "
      "what stands between them, as in \"%%d.%%m.%%Y\"");
}

tacit_status tacit_schema_parse_events(tacit_schema *schema, const json_t *json, tacit_error *error) {
  tacit_fields fields;
  TACIT_TRY(tacit_fields_open(&fields, json, "events", "customer, quantity, key, day, format", error));
  tacit_event_columns *events = schema->events = tacit_alloc(1, sizeof *events);
  if (!events) return tacit_no_memory(error);
  TACIT_TRY(tacit_fields_name(&fields, "customer", &events->customer));
  if (tacit_fields_has(&fields, "quantity"))
    TACIT_TRY(tacit_fields_name(&fields, "quantity", &events->quantity));
  TACIT_TRY(parse_keys(events, &fields));
  TACIT_TRY(parse_day(events, &fields));
  if (schema->target_count != 1)
    return tacit_fail(error, TACIT_BAD_INPUT, "\"events\" are added up to one target: give the schema one");
  if (!schema->features_public || !(schema->change > 0) || schema->unit_column)
    return tacit_fail(
        error, TACIT_BAD_INPUT,
        "\"events\" protect customers, whose limits \"unit\" says, and no others: give "
        "\"private\": \"target\" and \"unit\": {\"rows_per_unit\": ..., \"change\": ...} beside "
        "them, without a column");
  return TACIT_OK;
}

void tacit_event_columns_free(tacit_event_columns *events) {
  if (!events) return;
  for (size_t k = 0; k < events->key_count; k++) free(events->keys[k]);
  free(events->customer);
  free(events->quantity);
  free(events->format);
  free(events);
}
