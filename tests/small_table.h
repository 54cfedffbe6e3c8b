/* A small CSV file for tests that need known data but not the data room: no quoted commas, header first. */
#ifndef TACIT_TESTS_SMALL_TABLE_H
#define TACIT_TESTS_SMALL_TABLE_H

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_COLUMNS = 32, SMALL_ROWS = 2000 };

typedef struct small_table {
  size_t rows, columns;
  char *text; /* the file, cut into cells */
  const char *name[SMALL_COLUMNS];
  const char *cell[SMALL_ROWS][SMALL_COLUMNS];
} small_table;

static inline char *small_unquote(char *cell) {
  size_t length = strlen(cell);
  if (length < 2 || cell[0] != '"') return cell;
  cell[length - 1] = 0;
  return cell + 1;
}

/* NULL when there is no such file. */
static inline small_table *small_table_read(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  small_table *table = calloc(1, sizeof *table);
  assert(table && fseek(file, 0, SEEK_END) == 0);
  long size = ftell(file);
  rewind(file);
  table->text = calloc((size_t)size + 1, 1);
  assert(table->text && fread(table->text, 1, (size_t)size, file) == (size_t)size);
  fclose(file);
  char *rest = table->text;
  for (bool header = true; *rest; header = false) {
    char *line = rest, *end = line + strcspn(line, "\r\n");
    rest = end + strspn(end, "\r\n");
    *end = 0;
    assert(table->rows < SMALL_ROWS);
    const char **into = header ? table->name : table->cell[table->rows++];
    for (size_t j = 0; line; j++) {
      assert(j < SMALL_COLUMNS);
      char *comma = strchr(line, ',');
      if (comma) *comma++ = 0;
      into[j] = small_unquote(line);
      if (header) table->columns = j + 1;
      line = comma;
    }
  }
  return table;
}

static inline const char *small_cell(const small_table *table, size_t row, const char *name) {
  for (size_t j = 0; j < table->columns; j++)
    if (strcmp(table->name[j], name) == 0) return table->cell[row][j];
  fprintf(stderr, "no column %s\n", name);
  abort();
}

static inline double small_number(const small_table *table, size_t row, const char *name) {
  return strtod(small_cell(table, row, name), NULL);
}

static inline void small_table_free(small_table *table) {
  if (table) free(table->text);
  free(table);
}

#endif
