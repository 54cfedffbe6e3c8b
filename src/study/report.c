/* Reports: a table that grows row by row, its notes, and further tables of points for its figures. */
#include "study/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROWS = 32 };

tacit_status tacit_report_new(const char *name, size_t texts, size_t numbers, const char *const *columns,
                              tacit_report **report, tacit_error *error) {
  tacit_report *r = *report = tacit_alloc(1, sizeof *r);
  if (!r) return tacit_no_memory(error);
  *r = (tacit_report){.texts = texts, .numbers = numbers, .shown = texts + numbers};
  snprintf(r->name, sizeof r->name, "%s", name);
  r->columns = tacit_alloc(texts + numbers, sizeof *r->columns);
  if (!r->columns) return tacit_no_memory(error);
  for (size_t k = 0; k < texts + numbers; k++) snprintf(r->columns[k], sizeof *r->columns, "%s", columns[k]);
  return TACIT_OK;
}

tacit_status tacit_report_table(tacit_report *report, const char *name, size_t numbers,
                                const char *const *columns, tacit_report **table, tacit_error *error) {
  while (report->next) report = report->next;
  tacit_status status = tacit_report_new(name, 0, numbers, columns, &report->next, error);
  *table = report->next;
  return status;
}

void tacit_report_free(tacit_report *report) {
  while (report) {
    tacit_report *next = report->next;
    free(report->columns);
    free(report->text);
    free(report->number);
    free(report);
    report = next;
  }
}

/* Twice the room; what was there stays. */
static bool grow(size_t capacity, size_t count, size_t size, void **cells) {
  void *grown = tacit_alloc(capacity, size);
  if (!grown) return false;
  if (count) memcpy(grown, *cells, count * size);
  free(*cells);
  *cells = grown;
  return true;
}

static tacit_status make_room(tacit_report *r, tacit_error *error) {
  size_t capacity = r->capacity ? 2 * r->capacity : FIRST_ROWS;
  void *text = r->text, *number = r->number;
  bool good = !r->texts || grow(capacity * r->texts, r->rows * r->texts, sizeof *r->text, &text);
  good = good && grow(capacity * r->numbers, r->rows * r->numbers, sizeof *r->number, &number);
  r->text = text;
  r->number = number;
  if (!good) return tacit_no_memory(error);
  r->capacity = capacity;
  return TACIT_OK;
}

tacit_status tacit_report_add(tacit_report *r, const char *const *texts, const double *numbers,
                              tacit_error *error) {
  if (r->rows == r->capacity) TACIT_TRY(make_room(r, error));
  for (size_t k = 0; k < r->texts; k++)
    snprintf(r->text[r->rows * r->texts + k], sizeof *r->text, "%s", texts[k]);
  memcpy(r->number + r->rows * r->numbers, numbers, r->numbers * sizeof *numbers);
  r->rows++;
  return TACIT_OK;
}

void tacit_report_note(tacit_report *r, const char *format, ...) {
  size_t used = strlen(r->notes);
  va_list list;
  va_start(list, format);
  vsnprintf(r->notes + used, sizeof r->notes - used, format, list);
  va_end(list);
}
