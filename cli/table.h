/* Tables as commands open them: of any kind, or as CSV in a form that the user says. */
#ifndef TACIT_CLI_TABLE_H
#define TACIT_CLI_TABLE_H

#include "cli.h"

typedef struct table_form {
  const char *separator, *decimal; /* --separator, --decimal; NULL: the usual one */
} table_form;

enum { TABLE_FORM_OPTIONS = 2 };
#define TABLE_FORM(form)                                                                                     \
  {"separator",                                                                                              \
   OPTION_TEXT,                                                                                              \
   &(form).separator,                                                                                        \
   "S",                                                                                                      \
   "of a CSV file's cells: ',', ';', '|' or tab (default: the schema's \"csv\", or ',')",                    \
   NULL},                                                                                                    \
  {                                                                                                          \
    "decimal", OPTION_TEXT, &(form).decimal, "D", "of its numbers: '.' or ',' (default: likewise)", NULL     \
  }

/* Whether the user says anything; else the schema does, which may be NULL. TACIT_USAGE for what a form may
   not be. */
bool has_form(const table_form *form);
tacit_status form_of(const table_form *form, const tacit_schema *schema, tacit_csv_form *csv,
                     tacit_error *error);
tacit_status open_as(const char *path, const table_form *form, const tacit_schema *schema,
                     tacit_source **source, tacit_error *error);
/* A CSV file, and no other. */
tacit_status open_csv(const char *path, const table_form *form, const tacit_schema *schema,
                      tacit_source **source, tacit_error *error);
/* Of a policy with lags, which look rows up that a condition may have left out. */
void warn_of_lags(const char *condition, const tacit_schema *schema);
/* The records that meet a condition, in place of *source; NULL: all of them. */
tacit_status keep_where(const char *condition, tacit_source **source, tacit_error *error);

/* What order and spo decide print behind the table's own cells. A header waits for the first row, so that
   nothing is printed for a table that cannot be read: its text is copied before a record is read. *text is
   the caller's, NULL where the source has none. */
tacit_status copy_header(const tacit_source *source, char **text, tacit_error *error);
/* A number as the table writes them, in quotes where its comma would else end the cell. */
void print_decimal(const tacit_csv_form *form, double number);

#endif
