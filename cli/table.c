/* Opens tables in the form that the user says. */
#include "table.h"

#include <stdio.h>
#include <string.h>

bool has_form(const table_form *form) {
  return form->separator || form->decimal;
}

tacit_status form_of(const table_form *form, tacit_csv_form *csv, tacit_error *error) {
  const char *s = form->separator ? form->separator : ",", *d = form->decimal ? form->decimal : ".";
  if (!strcmp(s, "tab") || !strcmp(s, "\\t")) s = "\t";
  *csv = (tacit_csv_form){*s, *d};
  if (strlen(s) == 1 && strlen(d) == 1) return TACIT_OK;
  snprintf(error->text, sizeof error->text, "--separator and --decimal are one character each, or tab");
  return TACIT_USAGE;
}

tacit_status open_as(const char *path, const table_form *form, tacit_source **source, tacit_error *error) {
  tacit_csv_form csv;
  *source = NULL;
  if (!has_form(form)) return tacit_source_open(path, source, error);
  tacit_status status = form_of(form, &csv, error);
  return status == TACIT_OK ? tacit_source_csv_as(path, &csv, source, error) : status;
}
