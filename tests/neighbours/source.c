/* A table as the learners can get it: columns in memory, CSV text, a packed file; whole or a rank's part. */
#include "neighbours/neighbours.h"

#include <stdio.h>
#include <stdlib.h>

static void must(tacit_status status, const problem *p, const tacit_error *error) {
  if (status == TACIT_OK) return;
  fprintf(stderr, "problem %llu: %s\n%s\n", (unsigned long long)p->seed, error->text, p->json);
  abort();
}

static size_t rows_at(const table *t, size_t rank, bool all) {
  size_t rows = 0;
  for (size_t i = 0; i < t->rows; i++) rows += all || t->home[i] == rank;
  return rows;
}

static void open_columns(const problem *p, const table *t, size_t rank, bool all, opened *o) {
  tacit_error error;
  size_t rows = rows_at(t, rank, all);
  o->columns = t->columns;
  o->names = calloc(t->columns, sizeof *o->names);
  o->numbers = calloc(t->columns, sizeof *o->numbers);
  o->texts = calloc(t->columns, sizeof *o->texts);
  for (size_t j = 0; j < t->columns; j++) {
    o->names[j] = p->columns[j].name;
    if (p->columns[j].text)
      o->texts[j] = calloc(rows + 1, sizeof **o->texts);
    else
      o->numbers[j] = calloc(rows + 1, sizeof **o->numbers);
    for (size_t i = 0, at = 0; i < t->rows; i++) {
      const cell *c = &t->cells[i * t->columns + j];
      if (!all && t->home[i] != rank) continue;
      if (o->texts[j])
        o->texts[j][at++] = c->text;
      else
        o->numbers[j][at++] = c->number;
    }
  }
  must(tacit_source_columns(rows, t->columns, o->names, (const double *const *)o->numbers,
                            (const char *const *const *)o->texts, &o->source, &error),
       p, &error);
}

static void open_csv(const problem *p, const table *t, size_t rank, opened *o) {
  tacit_error error;
  size_t most = (t->rows + 1) * t->columns * (sizeof(cell) + 2) + 1, n = 0;
  o->text = malloc(most);
  for (size_t j = 0; j < t->columns; j++)
    n += (size_t)snprintf(o->text + n, most - n, "%s%s", j ? "," : "", p->columns[j].name);
  for (size_t i = 0; i < t->rows; i++)
    for (size_t j = 0; j < t->columns && t->home[i] == rank; j++)
      n += (size_t)snprintf(o->text + n, most - n, "%s%s", j ? "," : "\n", t->cells[i * t->columns + j].text);
  n += (size_t)snprintf(o->text + n, most - n, "\n");
  must(tacit_source_csv_text(o->text, n, &o->source, &error), p, &error);
}

void source_pack(const problem *p, const table *t) {
  opened rows = {0};
  tacit_error error;
  tacit_pack_counts counts;
  open_columns(p, t, 0, true, &rows);
  must(tacit_pack_table(rows.source, p->schema, p->file, &counts, NULL, &error), p, &error);
  source_close(&rows);
}

void source_open(const problem *p, const table *t, size_t rank, opened *o) {
  tacit_error error;
  *o = (opened){0};
  if (p->sold)
    events_open(p, t, o);
  else if (p->origin == FROM_COLUMNS)
    open_columns(p, t, rank, false, o);
  else if (p->origin == FROM_CSV)
    open_csv(p, t, rank, o);
  else
    must(tacit_source_open_part(p->file, rank, p->ranks, &o->source, &error), p, &error);
}

void source_close(opened *o) {
  tacit_source_free(o->source);
  if (o->parts) events_close(o);
  for (size_t j = 0; j < o->columns; j++) {
    free(o->numbers[j]);
    free(o->texts[j]);
  }
  free(o->numbers);
  free(o->texts);
  free(o->names);
  free(o->text);
}
