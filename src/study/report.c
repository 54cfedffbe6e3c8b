/* Reports: a table that grows row by row, its notes, and its files. */
#include "study/report.h"

#include "study/plot.h"

#include <math.h>
#include <stdarg.h>
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

void tacit_report_free(tacit_report *report) {
  if (!report) return;
  free(report->columns);
  free(report->text);
  free(report->number);
  free(report);
}

static tacit_status grow(tacit_report *r, tacit_error *error) {
  size_t capacity = r->capacity ? 2 * r->capacity : FIRST_ROWS;
  char(*text)[TACIT_REPORT_TEXT] = tacit_alloc(capacity * r->texts, sizeof *text);
  double *number = tacit_alloc(capacity * r->numbers, sizeof *number);
  if (!text || !number) {
    free(text);
    free(number);
    return tacit_no_memory(error);
  }
  if (r->rows) {
    memcpy(text, r->text, r->rows * r->texts * sizeof *text);
    memcpy(number, r->number, r->rows * r->numbers * sizeof *number);
  }
  free(r->text);
  free(r->number);
  r->text = text;
  r->number = number;
  r->capacity = capacity;
  return TACIT_OK;
}

tacit_status tacit_report_add(tacit_report *r, const char *const *texts, const double *numbers,
                              tacit_error *error) {
  if (r->rows == r->capacity) TACIT_TRY(grow(r, error));
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

static void write_text(FILE *file, const char *text) {
  fputc('"', file);
  for (const char *c = text; *c; c++) {
    if (*c == '"') fputc('"', file);
    fputc(*c, file);
  }
  fputs("\",", file);
}

static void write_rows(const tacit_report *r, const tacit_plot_file *csv) {
  for (size_t k = 0; k < r->texts + r->numbers; k++)
    fprintf(csv->file, "%s%c", r->columns[k], k + 1 < r->texts + r->numbers ? ',' : '\n');
  for (size_t i = 0; i < r->rows; i++) {
    for (size_t k = 0; k < r->texts; k++) write_text(csv->file, r->text[i * r->texts + k]);
    tacit_plot_line(csv, r->numbers, r->number + i * r->numbers);
  }
}

tacit_status tacit_report_write(tacit_report *r, const char *folder, int width, int height,
                                const char *commands, tacit_error *error) {
  if (!folder) return TACIT_OK;
  char file[48];
  tacit_plot_file csv;
  snprintf(file, sizeof file, "%s.csv", r->name);
  TACIT_TRY(tacit_plot_folder(folder, error));
  TACIT_TRY(tacit_plot_open(folder, file, &csv, error));
  write_rows(r, &csv);
  TACIT_TRY(tacit_plot_close(&csv, error));
  TACIT_TRY(tacit_plot_script(folder, r->name, width, height, commands, error));
  bool drawn = tacit_plot_draw(folder, r->name);
  tacit_report_note(r, "\nfiles: %s.csv and %s.gp in %.200s%s.", r->name, r->name, folder,
                    drawn ? ", drawn as PNG" : "; no picture: gnuplot is not installed or failed");
  return TACIT_OK;
}
