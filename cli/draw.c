/* A report's tables as CSV files, and what is drawn of them. */
#include "draw.h"

#include <string.h>

static void write_text(FILE *file, const char *text) {
  fputc('"', file);
  for (const char *c = text; *c; c++) {
    if (*c == '"') fputc('"', file);
    fputc(*c, file);
  }
  fputs("\",", file);
}

/* A heading is quoted where it holds what CSV would take for its own. */
static void write_heading(FILE *file, const char *text, bool last) {
  const char *quote = strpbrk(text, ",\" =") ? "\"" : "";
  fprintf(file, "%s%s%s%c", quote, text, quote, last ? '\n' : ',');
}

static int write_table(const tacit_report *r, const char *folder, const char *name) {
  plot_file csv;
  size_t columns = r->texts + r->numbers;
  int code = plot_open(folder, name, &csv);
  if (code >= 0) return code;
  for (size_t k = 0; k < columns; k++) write_heading(csv.file, r->columns[k], k + 1 == columns);
  for (size_t i = 0; i < r->rows; i++) {
    for (size_t k = 0; k < r->texts; k++) write_text(csv.file, r->text[i * r->texts + k]);
    plot_line(&csv, r->numbers, r->number + i * r->numbers);
  }
  return plot_close(&csv);
}

static const picture *find_picture(const char *name) {
  const picture *const lists[] = {zhao_pictures, chen_pictures, other_pictures};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    for (const picture *p = lists[i]; p->name; p++)
      if (!strcmp(p->name, name)) return p;
  return NULL;
}

static void add_file(drawn *what, const char *name, const char *ending) {
  json_array_append_new(what->files, json_sprintf("%s.%s", name, ending));
}

int draw_report(const tacit_report *report, const char *folder, drawn *what) {
  int code = -1;
  *what = (drawn){.files = json_array(), .all_drawn = true};
  for (const tacit_report *table = report; table && code < 0; table = table->next) {
    char file[64];
    snprintf(file, sizeof file, "%s.csv", table->name);
    code = write_table(table, folder, file);
    add_file(what, table->name, "csv");
  }
  /* a picture may show several tables, so that all of them come first */
  for (const tacit_report *table = report; table && code < 0; table = table->next) {
    const picture *p = find_picture(table->name);
    if (!p) continue;
    what->to_draw = true;
    code = plot_script(folder, p);
    add_file(what, table->name, "gp");
    if (code >= 0) break;
    bool good = plot_draw(folder, p->name);
    if (good) add_file(what, table->name, "png");
    what->all_drawn = what->all_drawn && good;
  }
  return code;
}
