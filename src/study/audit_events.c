/* The audit's tables as events of customers, added up by the reader that users' events go through. All rows
   are what many customers bought within their limits; the canary, in table 1 alone, would buy more than its
   own. A fault does not hold it to them. */
#include "base/base.h"
#include "study/audit.h"

#include <math.h>
#include <stdlib.h>

/* Harmless customers buy on at most this many rows, next to each other. */
enum { NEIGHBOURS = 8, CANARY = 0 };

/* What others buy on a row. On the canary's rows it lies half a change below the middle of every window. */
static double by_others(const tacit_audit *audit, size_t row) {
  double middle = TACIT_AUDIT_MIDDLE;
  if (row >= TACIT_AUDIT_ROWS - audit->method->bought) return middle - 0.5 * audit->method->change;
  return fmax(0, middle + audit->table[0].column[2][row]);
}

static void enter(tacit_audit_events *events, double who, size_t row, double much) {
  events->column[0][events->count] = who;
  events->column[1][events->count] = (double)row;
  events->column[2][events->count++] = much;
}

/* The first customer buys up to a change on each of a few rows, the next one what is left of them, and so on.
 */
static void enter_others(const tacit_audit *audit, size_t row, tacit_audit_events *events) {
  double left = by_others(audit, row), change = audit->method->change;
  for (size_t layer = 0; left > 0; layer++, left -= change)
    enter(events, (double)(CANARY + 1 + layer * TACIT_AUDIT_ROWS + row / NEIGHBOURS), row,
          fmin(left, change));
}

static tacit_status make_room(const tacit_audit *audit, tacit_audit_events *events, tacit_error *error) {
  size_t most = audit->method->bought;
  for (size_t i = 0; i < TACIT_AUDIT_ROWS; i++)
    most += (size_t)(by_others(audit, i) / audit->method->change) + 1;
  for (size_t j = 0; j < 3; j++)
    if (!(events->column[j] = tacit_alloc(most, sizeof **events->column))) return tacit_no_memory(error);
  return TACIT_OK;
}

/* The limits that events are held to. */
static tacit_status set_limits(tacit_audit *audit, tacit_error *error) {
  TACIT_TRY(tacit_audit_read_schema(audit, &audit->reading, error));
  if (audit->fault && audit->fault->any_rows) audit->reading->rows_per_unit = audit->method->bought;
  if (audit->fault && audit->fault->any_amount) audit->reading->change *= 2;
  return TACIT_OK;
}

tacit_status tacit_audit_make_events(tacit_audit *audit, tacit_error *error) {
  size_t first = TACIT_AUDIT_ROWS - audit->method->bought;
  for (int k = 0; k < 2; k++) {
    tacit_audit_events *events = &audit->events[k];
    TACIT_TRY(make_room(audit, events, error));
    for (size_t j = 0; j < 3; j++) events->calendar[j] = audit->table[k].column[j < 2 ? j : 3];
    for (size_t i = 0; i < TACIT_AUDIT_ROWS; i++) {
      enter_others(audit, i, events);
      if (i >= first) audit->table[k].column[0][i] = audit->table[k].column[1][i] = audit->method->canary;
      if (i >= first && k) enter(events, CANARY, i, 2 * audit->method->change);
      audit->table[k].column[3][i] = (double)i; /* the calendar's keys */
    }
  }
  return set_limits(audit, error);
}

tacit_status tacit_audit_open_events(const tacit_audit *audit, int table, tacit_source **source,
                                     tacit_error *error) {
  static const char *const of_events[] = {"who", "row", "much"}, *const of_rows[] = {"z1", "z2", "row"};
  const tacit_audit_events *e = &audit->events[table];
  tacit_source *events = NULL, *calendar = NULL;
  TACIT_TRY(
      tacit_source_columns(e->count, 3, of_events, (const double *const *)e->column, NULL, &events, error));
  tacit_status status =
      tacit_source_columns(TACIT_AUDIT_ROWS, 3, of_rows, e->calendar, NULL, &calendar, error);
  if (status == TACIT_OK) return tacit_source_events(events, calendar, audit->reading, source, error);
  tacit_source_free(events);
  return status;
}

void tacit_audit_free_events(tacit_audit *audit) {
  for (size_t i = 0; i < 6; i++) free(audit->events[i / 3].column[i % 3]);
  tacit_schema_free(audit->reading);
}
