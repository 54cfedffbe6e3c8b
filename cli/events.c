/* Opens events with their calendar, and says what the limits of one customer did to them. */
#include "events.h"

#include <stdio.h>

int check_events(const event_tables *tables, const char *table) {
  if (!tables->events && !tables->calendar) return -1;
  if (!tables->events || !tables->calendar)
    return usage_error("--events and --calendar go together: purchases, and the public rows that they are "
                       "added up for");
  if (table) return usage_error("give a TABLE, or --events and --calendar, not both");
  return -1;
}

tacit_status open_events(const event_tables *tables, const table_form *form, const char *where,
                         const tacit_schema *schema, tacit_source **source, tacit_error *error) {
  tacit_source *events = NULL, *calendar = NULL;
  *source = NULL;
  tacit_status status = open_as(tables->calendar, form, schema, &calendar, error);
  if (status == TACIT_OK) status = open_as(tables->events, form, schema, &events, error);
  if (status == TACIT_OK && where) {
    tacit_source *records = events;
    events = NULL;
    status = tacit_source_where(records, where, &events, error);
  }
  if (status == TACIT_OK) return tacit_source_events(events, calendar, schema, source, error);
  tacit_source_free(calendar);
  tacit_source_free(events);
  return status;
}

void print_events(const tacit_source *source) {
  tacit_event_counts c;
  if (!tacit_source_event_counts(source, &c)) return;
  fprintf(stderr, "tacit: %zu events of %zu customers (for the data holder's eyes only)\n", c.events,
          c.customers);
  if (c.elsewhere) fprintf(stderr, "  %zu events of no row of the calendar, left out\n", c.elsewhere);
  if (c.nameless)
    fprintf(stderr, "  %zu events without a customer, each taken for a customer of its own\n", c.nameless);
  if (c.busy)
    fprintf(stderr,
            "  %zu customers with more rows than the schema's \"rows_per_unit\", the others left out\n",
            c.busy);
  if (c.cut)
    fprintf(stderr,
            "  %zu times a customer's quantity in a row was cut to the schema's \"change\", or to 0\n",
            c.cut);
}

void events_json(const tacit_source *source, json_t *data_holder_only) {
  tacit_event_counts c;
  if (!tacit_source_event_counts(source, &c)) return;
  json_object_set_new(data_holder_only, "events",
                      json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "read", (json_int_t)c.events, "customers",
                                (json_int_t)c.customers, "of_no_row", (json_int_t)c.elsewhere,
                                "without_customer", (json_int_t)c.nameless, "customers_over_rows_per_unit",
                                (json_int_t)c.busy, "cut", (json_int_t)c.cut));
}
