/* Tables of events and the calendars that they are added up for, as commands take them. */
#ifndef TACIT_CLI_EVENTS_H
#define TACIT_CLI_EVENTS_H

#include "table.h"

typedef struct event_tables {
  const char *events, *calendar; /* --events, --calendar: both or none */
} event_tables;

#define EVENT_TABLES(tables)                                                                                 \
  {"events",                                                                                                 \
   OPTION_TEXT,                                                                                              \
   &(tables).events,                                                                                         \
   "E",                                                                                                      \
   "instead of TABLE: who bought how much and when; the schema's \"events\" says how to read it",            \
   NULL},                                                                                                    \
  {                                                                                                          \
    "calendar", OPTION_TEXT, &(tables).calendar, "C",                                                        \
        "with --events: the public table of rows and features", NULL                                         \
  }

/* -1, or what to exit with where the options do not go together with each other and the table. */
int check_events(const event_tables *tables, const char *table);
/* A condition (NULL: none) is asked of each event. */
tacit_status open_events(const event_tables *tables, const table_form *form, const char *where,
                         const tacit_schema *schema, tacit_source **source, tacit_error *error);
/* What the limits did, for the data holder's eyes; nothing for other sources. */
void print_events(const tacit_source *source);
void events_json(const tacit_source *source, json_t *data_holder_only);

#endif
