/* Events are added up to the rows of a calendar, and what does not fit is refused or counted. */
#include "base/base.h"
#include "schema/schema.h"
#include "source/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/data.h>

/* last: it needs the others */
#include <cmocka.h>

static const char *const CALENDAR = "date,shop,weekday\n"
                                    "2024-01-01,1,MON\n"
                                    "2024-01-01,2,MON\n"
                                    "2024-01-02,1,TUE\n";

static tacit_schema *schema_with(const char *events, const char *unit) {
  char text[1024];
  tacit_error error;
  tacit_schema *schema;
  snprintf(text, sizeof text,
           "{\"target\": {\"name\": \"portions\", \"min\": 0, \"max\": 50}, \"features\": [{\"name\": "
           "\"weekday\", \"levels\": [\"MON\", \"TUE\"]}], \"private\": \"target\", \"unit\": %s%s%s}",
           unit, *events ? ", \"events\": " : "", events);
  if (tacit_schema_parse(text, strlen(text), &schema, &error)) {
    print_message("%s\n", error.text);
    return NULL;
  }
  return schema;
}

static tacit_source *csv(const char *text) {
  tacit_source *source;
  assert_int_equal(tacit_source_csv_text(text, strlen(text), &source, NULL), TACIT_OK);
  return source;
}

static tacit_status open_both(const char *events, const char *calendar, const tacit_schema *schema,
                              tacit_source **source, tacit_error *error) {
  return tacit_source_events(csv(events), csv(calendar), schema, source, error);
}

/* The totals, row by row. */
static tacit_status totals(const char *events, const char *calendar, const tacit_schema *schema,
                           double *total, size_t *rows, tacit_event_counts *counts, tacit_error *error) {
  tacit_source *source;
  tacit_cell cells[8];
  bool more = true;
  *rows = 0;
  TACIT_TRY(open_both(events, calendar, schema, &source, error));
  tacit_status status = TACIT_OK;
  while (status == TACIT_OK && more) {
    status = source->next(source, cells, &more, error);
    if (status == TACIT_OK && more) total[(*rows)++] = cells[source->columns - 1].number;
  }
  assert_true(tacit_source_event_counts(source, counts));
  tacit_source_free(source);
  return status;
}

static void events_find_their_rows(void **state) {
  (void)state;
  double total[8];
  size_t rows;
  tacit_event_counts counts;
  tacit_schema *schema =
      schema_with("{\"customer\": \"card\", \"quantity\": \"n\", \"key\": [\"date\", \"shop\"], \"day\": "
                  "\"date\"}",
                  "{\"rows_per_unit\": 2, \"change\": 4}");
  assert_non_null(schema);
  assert_int_equal(totals("n,card,date,shop,till\n"
                          "2,ann,2024-01-01T09:30:00,1,a\n"
                          "3,ann,2024-01-01T19:30:00, 1.0,b\n" /* five: cut to four */
                          "1,bob,2024-01-01,2,a\n"
                          "1,,2024-01-02,01,a\n"    /* nobody: one of its own */
                          "7,bob,2024-02-01,1,a\n"  /* no such row */
                          "1,bob,31 February,1,a\n" /* no day */
                          "2,eve,2024-01-02,1,a\n"
                          "-1,eve,2024-01-02,1,a\n",
                          CALENDAR, schema, total, &rows, &counts, NULL),
                   TACIT_OK);
  assert_int_equal(rows, 3);
  assert_true(total[0] == 4 && total[1] == 1 && total[2] == 2);
  assert_int_equal(counts.events, 8);
  assert_int_equal(counts.customers, 3);
  assert_int_equal(counts.elsewhere, 2);
  assert_int_equal(counts.nameless, 1);
  assert_int_equal(counts.cut, 1);
  tacit_schema_free(schema);
}

static void a_day_without_events_is_a_day_with_nothing_sold(void **state) {
  (void)state;
  double total[8];
  size_t rows;
  tacit_event_counts counts;
  tacit_schema *schema =
      schema_with("{\"customer\": \"card\", \"key\": \"date\"}", "{\"rows_per_unit\": 2, \"change\": 4}");
  assert_non_null(schema);
  assert_int_equal(totals("card,date\nann,a\nann,a\nbob,a\n", "date,weekday\na,MON\nb,TUE\n", schema, total,
                          &rows, &counts, NULL),
                   TACIT_OK);
  assert_true(rows == 2 && total[0] == 3 && total[1] == 0);
  tacit_schema_free(schema);
}

/* Whole numbers beyond 2^53 are keys of their own, too. */
static void large_numbers_are_told_apart(void **state) {
  (void)state;
  const double days[] = {0x1p60, 0x1p61}, events[] = {0x1p60, 0x1p60, 0x1p61, 0x1p62};
  const char *const weekdays[] = {"MON", "TUE"}, *const cards[] = {"a", "b", "c", "d"};
  const char *const both[] = {"day", "weekday"}, *const names[] = {"day", "card"};
  const double *const calendar_numbers[] = {days, NULL}, *const event_numbers[] = {events, NULL};
  const char *const *const calendar_texts[] = {NULL, weekdays}, *const *const event_texts[] = {NULL, cards};
  tacit_source *bought, *calendar, *source;
  tacit_cell cells[8];
  bool more;
  tacit_schema *schema =
      schema_with("{\"customer\": \"card\", \"key\": \"day\"}", "{\"rows_per_unit\": 2, \"change\": 4}");
  assert_int_equal(tacit_source_columns(4, 2, names, event_numbers, event_texts, &bought, NULL), TACIT_OK);
  assert_int_equal(tacit_source_columns(2, 2, both, calendar_numbers, calendar_texts, &calendar, NULL),
                   TACIT_OK);
  assert_int_equal(tacit_source_events(bought, calendar, schema, &source, NULL), TACIT_OK);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(source->next(source, cells, &more, NULL), TACIT_OK);
    assert_true(more && cells[2].number == 2 - i);
  }
  tacit_source_free(source);
  tacit_schema_free(schema);
}

/* A program that writes all customers otherwise because of one, 7.0 for 7, or all days with their midnight,
   changes neither who buys on which row nor which rows of a busy customer are kept. */
static void spelling_decides_nothing(void **state) {
  (void)state;
  enum { DAYS = 28, CUSTOMERS = 60 };
  char events[2][16384], calendar[1024];
  double total[2][DAYS];
  tacit_schema *schema =
      schema_with("{\"customer\": \"card\", \"key\": \"date\"}", "{\"rows_per_unit\": 3, \"change\": 4}");
  size_t at[2] = {0}, end = (size_t)snprintf(calendar, sizeof calendar, "date,weekday\n"), rows;
  for (int d = 0; d < DAYS; d++)
    end += (size_t)snprintf(calendar + end, sizeof calendar - end, "2024-02-%02d,MON\n", d + 1);
  for (int k = 0; k < 2; k++) at[k] = (size_t)snprintf(events[k], sizeof events[k], "card,date\n");
  for (int c = 0; c < CUSTOMERS; c++)
    for (int i = 0; i < 8; i++)
      for (int k = 0; k < 2; k++)
        at[k] += (size_t)snprintf(events[k] + at[k], sizeof events[k] - at[k],
                                  k ? "%d.0,2024-02-%02d 00:00:00\n" : "%d,2024-02-%02d\n", c,
                                  1 + (c * 5 + i * 3) % DAYS);
  for (int k = 0; k < 2; k++) {
    tacit_event_counts counts;
    assert_int_equal(totals(events[k], calendar, schema, total[k], &rows, &counts, NULL), TACIT_OK);
    assert_true(rows == DAYS && counts.busy == CUSTOMERS && counts.elsewhere == 0);
  }
  assert_memory_equal(total[0], total[1], sizeof *total);
  tacit_schema_free(schema);
}

static void refused(const char *events, const char *calendar, const tacit_schema *schema, const char *words) {
  double total[8];
  size_t rows;
  tacit_event_counts counts;
  tacit_error error;
  assert_int_not_equal(totals(events, calendar, schema, total, &rows, &counts, &error), TACIT_OK);
  if (!strstr(error.text, words)) fail_msg("%s", error.text);
}

static void what_does_not_fit_is_refused(void **state) {
  (void)state;
  const char *unit = "{\"rows_per_unit\": 2, \"change\": 4}", *calendar = "date,weekday\na,MON\nb,TUE\n";
  tacit_schema *schema =
      schema_with("{\"customer\": \"card\", \"key\": \"date\", \"quantity\": \"n\"}", unit);
  assert_non_null(schema);
  refused("card,date\nann,a\n", calendar, schema, "the events: ");
  refused("card,n,date\nann,x,a\n", calendar, schema, "a quantity is a number");
  refused("card,n,date\nann,,a\n", calendar, schema, "record 1");
  refused("card,n,date\nann,1e999,a\n", calendar, schema, "a quantity is a number");
  refused("card,n,date\nann,1,a\n", "day,weekday\na,MON\n", schema, "the calendar: ");
  refused("card,n,date\nann,1,a\n", "date,weekday\na,MON\na,TUE\n", schema, "that of record 1");
  refused("card,n,date\nann,1,a\n", "date,weekday\na,MON\n,TUE\n", schema, "record 2: its key");
  refused("card,n,date\nann,1,a\n", "date,weekday,portions\na,MON,3\n", schema,
          "take it out of the calendar");
  refused("card,n,date\n1.23e+16,1,a\n", calendar, schema, "two units could become one");
  tacit_schema_free(schema);
  schema = schema_with("", unit);
  refused("card,n,date\nann,1,a\n", calendar, schema, "\"events\"");
  tacit_schema_free(schema);
  assert_null(schema_with("{\"customer\": \"card\"}", unit));
  assert_null(schema_with("{\"customer\": \"card\", \"key\": []}", unit));
  assert_null(schema_with("{\"customer\": \"card\", \"key\": [\"a\", \"a\"]}", unit));
  assert_null(schema_with("{\"customer\": \"card\", \"key\": \"a\", \"day\": \"b\"}", unit));
  assert_null(schema_with("{\"customer\": \"card\", \"key\": \"a\", \"format\": \"%Y%m%d\"}", unit));
  assert_null(schema_with("{\"key\": \"a\"}", unit));
}

/* How far the events are read is told, and a caller may stop there. */
typedef struct watcher {
  size_t told;
  bool stop;
} watcher;

static void note(void *user, const char *what, double fraction) {
  watcher *w = user;
  assert_true(fraction >= 0 && fraction <= 1);
  w->told += !strcmp(what, "reading events");
}

static bool wants_to_stop(void *user) {
  const watcher *w = user;
  return w->stop && w->told > 1;
}

static void reading_is_told_and_can_be_stopped(void **state) {
  (void)state;
  enum { EVENTS = 150000, LINE = 20 };
  tacit_schema *schema = schema_with("{\"customer\": \"card\", \"key\": [\"date\", \"shop\"]}",
                                     "{\"rows_per_unit\": 2, \"change\": 4}");
  char *text = malloc(EVENTS * LINE + 32);
  assert_non_null(text);
  size_t n = (size_t)snprintf(text, 32, "card,date,shop\n");
  for (size_t i = 0; i < EVENTS; i++)
    n += (size_t)snprintf(text + n, LINE, "%zu,2024-01-01,%zu\n", i % 999, 1 + i % 2);
  for (int stop = 0; stop < 2; stop++) {
    watcher w = {.stop = stop};
    tacit_context context;
    tacit_source *source;
    tacit_cell cells[8];
    bool more;
    tacit_context_init(&context);
    context.progress = note;
    context.cancelled = wants_to_stop;
    context.user = &w;
    assert_int_equal(open_both(text, CALENDAR, schema, &source, NULL), TACIT_OK);
    source->reader.context = &context;
    assert_int_equal(source->next(source, cells, &more, NULL), stop ? TACIT_CANCELLED : TACIT_OK);
    assert_true(stop ? w.told == 2 : w.told == 5);
    tacit_source_free(source);
  }
  free(text);
  tacit_schema_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_find_their_rows),
      cmocka_unit_test(a_day_without_events_is_a_day_with_nothing_sold),
      cmocka_unit_test(large_numbers_are_told_apart),
      cmocka_unit_test(spelling_decides_nothing),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(reading_is_told_and_can_be_stopped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
