/* What all sources share: the record's text, finding a column by its name, and refusing names that stand for
 * two columns. */
#include "data/source.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

typedef struct named {
  const char *name;
  size_t column;
} named;

static int by_name(const void *a, const void *b) {
  const named *left = a, *right = b;
  int order = strcmp(left->name, right->name);
  if (order) return order;
  return left->column < right->column ? -1 : left->column > right->column;
}

tacit_status tacit_source_check_names(const tacit_source *source, tacit_error *error) {
  named *sorted = tacit_alloc(source->columns, sizeof *sorted);
  if (!sorted) return tacit_no_memory(error);
  for (size_t j = 0; j < source->columns; j++) sorted[j] = (named){source->names[j], j};
  qsort(sorted, source->columns, sizeof *sorted, by_name);
  tacit_status status = TACIT_OK;
  /* Places, not names: in a file without a header the first line is somebody's record. */
  for (size_t j = 1; j < source->columns && !status; j++)
    if (strcmp(sorted[j - 1].name, sorted[j].name) == 0)
      status = tacit_fail(error, TACIT_BAD_INPUT,
                          "header: duplicate column name in columns %zu and %zu; rename one of them",
                          sorted[j - 1].column + 1, sorted[j].column + 1);
  free(sorted);
  return status;
}

tacit_status tacit_source_find(const tacit_source *source, const char *name, size_t *column,
                               tacit_error *error) {
  for (size_t j = 0; j < source->columns; j++)
    if (strcmp(source->names[j], name) == 0) {
      *column = j;
      return TACIT_OK;
    }
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the table has no column \"%.200s\"; does its first line hold the column names?", name);
}

const char *tacit_source_text(const tacit_source *source, size_t *length) {
  *length = source->raw_length;
  return source->raw;
}

void tacit_source_free(tacit_source *source) {
  if (source) source->close(source);
}
