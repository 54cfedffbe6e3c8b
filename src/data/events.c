/* A source whose rows are those of a public calendar, with what the events of a private table add up to as
   the target of each. Nothing of an event but its part in these totals goes further (proofs/transactions.md).
 */
#include "base/base.h"
#include "data/event_calendar.h"
#include "data/event_row.h"
#include "data/event_totals.h"
#include "data/unit_name.h"

#include <stdlib.h>
#include <string.h>
#include <tacit/data.h>

typedef struct events_source {
  tacit_source base;
  const tacit_schema *schema;
  tacit_source *events, *calendar;
  const char **names;
  tacit_declared *declared;
  size_t customer, quantity; /* columns of the events */
  tacit_event_key key;
  tacit_event_calendar *rows;
  double *total; /* NULL while nothing was read */
  tacit_event_counts counts;
} events_source;

static tacit_status read_quantity(const events_source *self, const tacit_cell *cells, double *quantity,
                                  tacit_error *error) {
  *quantity = 1;
  if (!self->schema->events->quantity ||
      tacit_source_read_number(self->events, &cells[self->quantity], quantity) == TACIT_NUMBER)
    return TACIT_OK;
  return tacit_fail(
      error, TACIT_BAD_INPUT,
      "the events, record %zu, column \"%.200s\": a quantity is a number; fix the event, or take "
      "it out of the table",
      self->events->record, self->schema->events->quantity);
}

static tacit_status add_event(events_source *self, const tacit_cell *cells, tacit_event_rows *rows,
                              tacit_event_totals *totals, tacit_error *error) {
  tacit_event_place place;
  double quantity;
  const tacit_cell *customer = &cells[self->customer];
  TACIT_TRY(read_quantity(self, cells, &quantity, error));
  TACIT_TRY(tacit_event_rows_find(rows, cells, &place, error));
  if (!place.found) {
    tacit_event_totals_elsewhere(totals);
    return TACIT_OK;
  }
  TACIT_TRY(tacit_unit_name_check(self->events, self->customer, customer, error));
  return tacit_event_totals_add(totals, customer, place.row, place.hash, quantity, error);
}

enum { STEP = 1 << 15 }; /* events between two looks at the caller's wishes */

static tacit_status add_all(events_source *self, tacit_event_totals *totals, tacit_error *error) {
  bool more = true;
  tacit_event_rows *rows = NULL;
  tacit_cell *cells = tacit_alloc(self->events->columns, sizeof *cells);
  tacit_status status = cells ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK) status = tacit_event_rows_new(&self->key, self->rows, &rows, error);
  for (size_t n = 0; status == TACIT_OK && more; n++) {
    if (n % STEP == 0)
      status = tacit_progress(self->base.reader.context, "reading events", self->events->fraction, error);
    if (status == TACIT_OK) status = self->events->next(self->events, cells, &more, error);
    if (status == TACIT_OK && more) status = add_event(self, cells, rows, totals, error);
  }
  tacit_event_rows_free(rows);
  free(cells);
  return status;
}

/* All events are read before the first row is given. */
static tacit_status read_events(events_source *self, tacit_error *error) {
  tacit_event_totals *totals = NULL;
  const tacit_event_limits limits = {self->schema->rows_per_unit, self->schema->change,
                                     self->events->text.decimal_comma};
  TACIT_TRY(tacit_event_calendar_read(self->calendar, self->schema->events, &self->rows, error));
  size_t rows = tacit_event_calendar_rows(self->rows);
  double *total = tacit_alloc(rows ? rows : 1, sizeof *total);
  if (!total) return tacit_no_memory(error);
  self->events->reader.threads = self->base.reader.threads;
  tacit_status status = tacit_event_totals_new(rows, &limits, &totals, error);
  if (status == TACIT_OK) status = add_all(self, totals, error);
  if (status == TACIT_OK) status = tacit_event_totals_end(totals, total, error);
  if (status == TACIT_OK) {
    self->counts = *tacit_event_totals_counts(totals);
    self->total = total;
  } else {
    tacit_free_wiped(total, rows * sizeof *total);
  }
  tacit_event_totals_free(totals);
  return status;
}

static tacit_status events_next(tacit_source *source, tacit_cell *cells, bool *more, tacit_error *error) {
  events_source *self = (events_source *)source;
  if (!self->rows) {
    TACIT_TRY(read_events(self, error));
  } else if (!self->total) {
    return tacit_fail(error, TACIT_BAD_INPUT, "the events could not be read");
  }
  size_t rows = tacit_event_calendar_rows(self->rows);
  *more = source->record < rows;
  if (!*more) return TACIT_OK;
  size_t targets_place = source->columns - 1;
  memcpy(cells, tacit_event_calendar_row(self->rows, source->record), targets_place * sizeof *cells);
  cells[targets_place] = (tacit_cell){.number = self->total[source->record++]};
  source->fraction = (double)source->record / (double)rows;
  return TACIT_OK;
}

static void events_close(tacit_source *source) {
  events_source *self = (events_source *)source;
  if (self->total) tacit_free_wiped(self->total, tacit_event_calendar_rows(self->rows) * sizeof *self->total);
  tacit_event_key_close(&self->key);
  tacit_event_calendar_free(self->rows);
  tacit_source_free(self->events);
  tacit_source_free(self->calendar);
  free(self->names);
  free(self->declared);
  free(self);
}

static tacit_status check_tables(const events_source *self, tacit_error *error) {
  const tacit_schema *schema = self->schema;
  if (!schema->events || !(schema->change > 0))
    return tacit_fail(
        error, TACIT_REFUSED,
        "the schema does not say how events become a target: add \"events\": {\"customer\": ..., "
        "\"key\": ..., \"quantity\": ...}, and the limits of one customer as \"unit\": "
        "{\"rows_per_unit\": ..., \"change\": ...}");
  if (self->events->pack || self->events->engine || self->calendar->pack || self->calendar->engine)
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "events and their calendar are read from tables, not from packed ones or an engine");
  if (self->events->origin.rows_are == TACIT_ROW_RESULT)
    return tacit_fail(
        error, TACIT_REFUSED,
        "nothing is known of the customers behind a query's result: give the events themselves");
  for (size_t j = 0; j < self->calendar->columns; j++)
    if (!strcmp(self->calendar->names[j], schema->targets[0].name))
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "the calendar has a column \"%.200s\", which the events are to be added up to: take "
                        "it out of the calendar, or give the target another name",
                        schema->targets[0].name);
  return tacit_source_check_unit_column(self->events, "events.customer", schema->events->customer, error);
}

/* The calendar's columns, and the target's. */
static tacit_status lay_out(events_source *self, tacit_error *error) {
  const tacit_source *calendar = self->calendar;
  const tacit_event_columns *columns = self->schema->events;
  TACIT_TRY(tacit_event_find(self->events, columns->customer, "the events", &self->customer, error));
  if (columns->quantity)
    TACIT_TRY(tacit_event_find(self->events, columns->quantity, "the events", &self->quantity, error));
  TACIT_TRY(tacit_event_key_open(&self->key, columns, self->events, "the events", error));
  size_t count = calendar->columns + 1;
  self->names = tacit_alloc(count, sizeof *self->names);
  self->declared = tacit_alloc(count, sizeof *self->declared);
  if (!self->names || !self->declared) return tacit_no_memory(error);
  memcpy(self->names, calendar->names, calendar->columns * sizeof *self->names);
  if (calendar->header.declared)
    memcpy(self->declared, calendar->header.declared, calendar->columns * sizeof *self->declared);
  self->names[calendar->columns] = self->schema->targets[0].name;
  self->base.columns = count;
  self->base.names = self->names;
  self->base.header.declared = self->declared;
  self->base.text.decimal_comma = calendar->text.decimal_comma;
  self->base.origin.added_up = true;
  return TACIT_OK;
}

tacit_status tacit_source_events(tacit_source *events, tacit_source *calendar, const tacit_schema *schema,
                                 tacit_source **source, tacit_error *error) {
  *source = NULL;
  events_source *self = tacit_alloc(1, sizeof *self);
  if (!self) {
    tacit_source_free(events);
    tacit_source_free(calendar);
    return tacit_no_memory(error);
  }
  *self = (events_source){.base = {.next = events_next, .close = events_close},
                          .schema = schema,
                          .events = events,
                          .calendar = calendar};
  tacit_status status = check_tables(self, error);
  if (status == TACIT_OK) status = lay_out(self, error);
  if (status == TACIT_OK)
    *source = &self->base;
  else
    events_close(&self->base);
  return status;
}

bool tacit_source_event_counts(const tacit_source *source, tacit_event_counts *counts) {
  if (!source->origin.added_up) return false;
  *counts = ((const events_source *)source)->counts;
  return true;
}
