/* A source over columns that are already in memory. */
#include "base/base.h"
#include "source/source.h"

#include <stdlib.h>
#include <string.h>

typedef struct columns_source {
  tacit_source base;
  size_t rows;
  const double *const *numbers;
  const char *const *const *texts;
  double rounded_from[]; /* texts are none of its numbers */
} columns_source;

static tacit_status columns_next(tacit_source *self, tacit_cell *cells, bool *more, tacit_error *error) {
  (void)error;
  const columns_source *columns = (const columns_source *)self;
  *more = self->record < columns->rows;
  if (!*more) return TACIT_OK;
  size_t row = self->record++;
  self->fraction = (double)self->record / (double)columns->rows;
  for (size_t j = 0; j < self->columns; j++) {
    if (columns->numbers && columns->numbers[j])
      cells[j] = (tacit_cell){.number = columns->numbers[j][row]};
    else {
      const char *text = columns->texts[j][row];
      if (!text) text = ""; /* R's NA and Python's None arrive as NULL */
      cells[j] = (tacit_cell){.text = text, .length = strlen(text)};
    }
  }
  return TACIT_OK;
}

static void columns_close(tacit_source *self) {
  free(self);
}

tacit_status tacit_source_columns(size_t rows, size_t columns, const char *const *names,
                                  const double *const *numbers, const char *const *const *texts,
                                  tacit_source **source, tacit_error *error) {
  *source = NULL;
  if (columns == 0 || !names)
    return tacit_fail(error, TACIT_USAGE, "a table needs at least one named column");
  for (size_t j = 0; j < columns; j++) {
    bool number = numbers && numbers[j], text = texts && texts[j];
    if (!names[j]) return tacit_fail(error, TACIT_USAGE, "column %zu has no name", j + 1);
    if (number == text)
      return tacit_fail(error, TACIT_USAGE, "column %zu must have either numbers or texts", j + 1);
  }
  columns_source *self = tacit_alloc(1, sizeof *self + columns * sizeof *self->rounded_from);
  if (!self) return tacit_no_memory(error);
  *self = (columns_source){
      .base = {.columns = columns, .names = names, .next = columns_next, .close = columns_close},
      .rows = rows,
      .numbers = numbers,
      .texts = texts};
  for (size_t j = 0; j < columns; j++) self->rounded_from[j] = TACIT_DOUBLE_ROUNDS;
  self->base.origin.rounded_from = self->rounded_from;
  bool all = numbers != NULL;
  for (size_t j = 0; all && j < columns; j++) all = numbers[j] != NULL;
  if (all) {
    self->base.batch.numbers = numbers;
    self->base.batch.rows = rows;
  }
  tacit_status status = tacit_source_check_names(&self->base, error);
  if (status)
    free(self);
  else
    *source = &self->base;
  return status;
}
