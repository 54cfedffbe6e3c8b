/* Opens tables in the form that the user says. */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool has_form(const table_form *form) {
  return form->separator || form->decimal;
}

static bool is_mark(const char *text) {
  return !text || strlen(text) == 1 || !strcmp(text, "tab") || !strcmp(text, "\\t");
}

tacit_status form_of(const table_form *form, const tacit_schema *schema, tacit_csv_form *csv,
                     tacit_error *error) {
  if (!schema || !tacit_schema_csv(schema, csv)) *csv = (tacit_csv_form){',', '.'};
  if (!is_mark(form->separator) || !is_mark(form->decimal)) {
    snprintf(error->text, sizeof error->text, "--separator and --decimal are one character each, or tab");
    return TACIT_USAGE;
  }
  if (form->separator) csv->separator = strlen(form->separator) == 1 ? *form->separator : '\t';
  if (form->separator && csv->separator == csv->decimal) csv->decimal = '.'; /* of a file with commas */
  if (form->decimal) csv->decimal = *form->decimal;
  return TACIT_OK;
}

tacit_status open_csv(const char *path, const table_form *form, const tacit_schema *schema,
                      tacit_source **source, tacit_error *error) {
  tacit_csv_form csv;
  *source = NULL;
  tacit_status status = form_of(form, schema, &csv, error);
  return status == TACIT_OK ? tacit_source_csv_as(path, &csv, source, error) : status;
}

tacit_status open_as(const char *path, const table_form *form, const tacit_schema *schema,
                     tacit_source **source, tacit_error *error) {
  tacit_csv_form csv;
  if (has_form(form)) return open_csv(path, form, schema, source, error);
  bool said = schema && tacit_schema_csv(schema, &csv);
  return tacit_source_open_as(path, said ? &csv : NULL, source, error);
}

void warn_of_lags(const char *condition, const tacit_schema *schema) {
  for (size_t f = 0; condition && f < tacit_schema_features(schema); f++)
    if (!strcmp(tacit_schema_feature_at(schema, f).kind, "lag")) {
      fputs("tacit: --where also takes away the rows that lags look up: to keep these, give the whole table "
            "and pick "
            "the rows that you need afterwards\n",
            stderr);
      return;
    }
}

tacit_status keep_where(const char *condition, tacit_source **source, tacit_error *error) {
  tacit_source *records = *source;
  if (!condition) return TACIT_OK;
  tacit_status status = tacit_source_where(records, condition, source, error);
  if (status == TACIT_OK) return TACIT_OK;
  tacit_error named = *error;
  snprintf(error->text, sizeof error->text, "--where: %.480s", named.text);
  return status;
}

tacit_status copy_header(const tacit_source *source, char **text, tacit_error *error) {
  size_t length;
  const char *line = tacit_source_text(source, &length);
  *text = NULL;
  if (!line) return TACIT_OK;
  *text = calloc(length + 1, 1);
  if (*text) {
    memcpy(*text, line, length);
    return TACIT_OK;
  }
  snprintf(error->text, sizeof error->text, "not enough memory");
  return TACIT_INTERNAL;
}

void print_decimal(const tacit_csv_form *form, double number) {
  char text[32];
  snprintf(text, sizeof text, "%.10g", number);
  char *point = strchr(text, '.');
  if (point) *point = form->decimal;
  bool quoted = point && form->decimal == form->separator;
  printf(quoted ? "\"%s\"" : "%s", text);
}
