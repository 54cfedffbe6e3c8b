/* What reproduce and impact share: a report for people, as a table with its notes, or for machines. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CELL = TACIT_REPORT_TEXT };

static void cell_text(const tacit_report *r, size_t row, size_t column, char text[CELL]) {
  if (column < r->texts) {
    snprintf(text, CELL, "%s", r->text[row * r->texts + column]);
    return;
  }
  double value = r->number[row * r->numbers + column - r->texts];
  if (isnan(value))
    snprintf(text, CELL, "-");
  else
    snprintf(text, CELL, value == floor(value) && fabs(value) < 1e9 ? "%.0f" : "%.4g", value);
}

static void print_line(const tacit_report *r, const int *width, size_t row) {
  char text[CELL];
  for (size_t k = 0; k < r->texts + r->numbers; k++) {
    if (row == SIZE_MAX)
      snprintf(text, sizeof text, "%s", r->columns[k]);
    else
      cell_text(r, row, k, text);
    bool last = k + 1 == r->texts + r->numbers;
    printf("%s%-*s%s", k ? "  " : "", last ? 0 : width[k], text, last ? "\n" : "");
  }
}

static int print_people(const tacit_report *r) {
  size_t columns = r->texts + r->numbers;
  int *width = malloc(columns * sizeof *width);
  if (!width) return TACIT_INTERNAL;
  for (size_t k = 0; k < columns; k++) {
    width[k] = (int)strlen(r->columns[k]);
    for (size_t i = 0; i < r->rows; i++) {
      char text[CELL];
      cell_text(r, i, k, text);
      if ((int)strlen(text) > width[k]) width[k] = (int)strlen(text);
    }
  }
  print_line(r, width, SIZE_MAX);
  for (size_t i = 0; i < r->rows; i++) print_line(r, width, i);
  free(width);
  printf("\n%s\n", r->notes);
  return flushed(0);
}

static json_t *row_json(const tacit_report *r, size_t row) {
  json_t *object = json_object();
  for (size_t k = 0; k < r->texts + r->numbers; k++) {
    double value = k < r->texts ? 0 : r->number[row * r->numbers + k - r->texts];
    json_t *cell = k < r->texts      ? json_string(r->text[row * r->texts + k])
                   : isfinite(value) ? json_real(value)
                                     : json_null();
    json_object_set_new(object, r->columns[k], cell);
  }
  return object;
}

int print_report(const tacit_report *r, bool json) {
  if (!json) return print_people(r);
  json_t *list = json_array();
  for (size_t i = 0; i < r->rows; i++) json_array_append_new(list, row_json(r, i));
  return print_json(json_pack("{s:s, s:o, s:s}", "study", r->name, "rows", list, "notes", r->notes));
}

double seconds_now(void *user) {
  struct timespec now;
  (void)user;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* fair on a machine that is busy with other things */
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
