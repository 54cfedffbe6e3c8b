/* What reproduce and impact share: a report for people, as a table with its notes, or for machines. */
#include "draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CELL = TACIT_REPORT_TEXT };

/* NAME_se and NAME_sd stand in parentheses behind NAME: "se" or "sd" where the next column is such a one. */
static const char *spread_of(const tacit_report *r, size_t column) {
  size_t length = strlen(r->columns[column]);
  if (column < r->texts || column + 1 >= r->shown) return NULL;
  const char *next = r->columns[column + 1];
  if (strncmp(next, r->columns[column], length) != 0) return NULL;
  return !strcmp(next + length, "_se") ? "se" : !strcmp(next + length, "_sd") ? "sd" : NULL;
}

static double number_at(const tacit_report *r, size_t row, size_t column) {
  return r->number[row * r->numbers + column - r->texts];
}

/* Line 0 is the heading. Where a spread stands beside a figure, one more of its digits may matter. */
static void cell_text(const tacit_report *r, size_t line, size_t column, char text[CELL]) {
  const char *spread = spread_of(r, column);
  if (line == 0) {
    snprintf(text, CELL, spread ? "%s (%s)" : "%s", r->columns[column], spread);
    return;
  }
  if (column < r->texts) {
    snprintf(text, CELL, "%s", r->text[(line - 1) * r->texts + column]);
    return;
  }
  double value = number_at(r, line - 1, column), beside = spread ? number_at(r, line - 1, column + 1) : NAN;
  bool whole = value == floor(value) && fabs(value) < 1e9;
  if (isnan(value))
    snprintf(text, CELL, "-");
  else if (isnan(beside))
    snprintf(text, CELL, whole ? "%.0f" : spread ? "%.5g" : "%.4g", value);
  else
    snprintf(text, CELL, "%.5g (%.2g)", value, beside);
}

static int widest(const tacit_report *r, size_t column) {
  int width = 0;
  for (size_t line = 0; line <= r->rows; line++) {
    char text[CELL];
    cell_text(r, line, column, text);
    if ((int)strlen(text) > width) width = (int)strlen(text);
  }
  return width;
}

/* The files by name, and whether there are pictures among them. */
static void print_files(const char *folder, const drawn *what) {
  fputs("files: ", stdout);
  for (size_t i = 0; i < json_array_size(what->files); i++)
    printf("%s%s", i ? ", " : "", json_string_value(json_array_get(what->files, i)));
  printf(" in %s%s\n", folder, what->all_drawn ? "" : "; no picture: gnuplot is not installed or failed");
}

static int print_people(const tacit_report *r, const char *folder, const drawn *what) {
  int *width = malloc(r->shown * sizeof *width);
  if (!width) return TACIT_INTERNAL;
  for (size_t k = 0; k < r->shown; k++) width[k] = widest(r, k);
  for (size_t line = 0; line <= r->rows; line++)
    for (size_t k = 0, next; k < r->shown; k = next) {
      char text[CELL];
      next = k + (spread_of(r, k) ? 2 : 1);
      bool last = next >= r->shown;
      cell_text(r, line, k, text);
      printf("%s%-*s%s", k ? "  " : "", last ? 0 : width[k], text, last ? "\n" : "");
    }
  free(width);
  printf("\n%s\n", r->notes);
  if (folder) print_files(folder, what);
  return flushed(0);
}

static json_t *row_json(const tacit_report *r, size_t row) {
  json_t *object = json_object();
  for (size_t k = 0; k < r->texts + r->numbers; k++) {
    double value = k < r->texts ? 0 : number_at(r, row, k);
    json_t *cell = k < r->texts      ? json_string(r->text[row * r->texts + k])
                   : isfinite(value) ? json_real(value)
                                     : json_null();
    json_object_set_new(object, r->columns[k], cell);
  }
  return object;
}

static int print_machines(const tacit_report *r, const char *folder, const drawn *what) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->rows; i++) json_array_append_new(list, row_json(r, i));
  json_t *json = json_pack("{s:s, s:o, s:s}", "study", r->name, "rows", list, "notes", r->notes);
  if (json && folder) {
    json_object_set_new(json, "folder", json_string(folder));
    json_object_set(json, "files", what->files);
    if (what->to_draw) json_object_set_new(json, "drawn", json_boolean(what->all_drawn));
  }
  return print_json(json);
}

int print_report(const tacit_report *r, const char *folder, bool json) {
  drawn what = {0};
  int code = folder ? draw_report(r, folder, &what) : -1;
  if (code < 0) code = json ? print_machines(r, folder, &what) : print_people(r, folder, &what);
  json_decref(what.files);
  return code;
}

double seconds_now(void *user) {
  struct timespec now;
  (void)user;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* fair on a machine that is busy with other things */
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
