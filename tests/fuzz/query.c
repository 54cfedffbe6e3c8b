/* Any bytes as a query: refused, or rows that are the same whatever other records there are. */
#include "fuzz/target.h"
#include "source/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char RECORD[] = "7,-2.5,K\xc3\xb6ln ,2024-02-29 13:05:09,\n";

typedef tacit_status parse(const char *text, tacit_query **query, tacit_error *error);

/* The cells of the record's row as one text, to be freed; NULL where it has none. */
static char *row_of(parse *read, const char *query, const char *table) {
  tacit_query *parsed;
  tacit_source *records, *source;
  tacit_error error;
  char *text = NULL;
  if (read(query, &parsed, &error) != TACIT_OK) return NULL;
  MUST(tacit_source_csv_text(table, strlen(table), &records, &error) == TACIT_OK);
  if (tacit_source_select(records, parsed, &source, &error) != TACIT_OK) return NULL;
  tacit_cell *cells = calloc(source->columns + 1, sizeof *cells);
  bool more = false;
  if (source->next(source, cells, &more, &error) == TACIT_OK && more) {
    size_t length = 1;
    for (size_t j = 0; j < source->columns; j++) length += cells[j].text ? cells[j].length : sizeof(double);
    char *out = text = calloc(length, 1);
    MUST(out);
    for (size_t j = 0; j < source->columns; j++) {
      const void *from = cells[j].text ? (const void *)cells[j].text : (const void *)&cells[j].number;
      size_t bytes = cells[j].text ? cells[j].length : sizeof(double);
      for (size_t k = 0; k < bytes; k++) *out++ = (char)(((const char *)from)[k] | 1); /* no NUL */
    }
  }
  free(cells);
  tacit_source_free(source);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *query = malloc(size + 1), tables[2][256];
  MUST(query);
  if (size) memcpy(query, data, size);
  query[size] = 0;
  static const char HEADER[] = "n,m,s,d,e\n";
  strcat(strcpy(tables[0], HEADER), RECORD);
  strcat(strcat(strcpy(tables[1], HEADER), RECORD), "1e9,x,\"\",9999-12-31,5\n,,,,\n");
  parse *const ways[] = {tacit_query_parse, tacit_condition_parse};
  for (size_t i = 0; i < 2; i++) {
    char *alone = row_of(ways[i], query, tables[0]), *first = row_of(ways[i], query, tables[1]);
    if (alone) MUST(first && !strcmp(alone, first));
    free(alone);
    free(first);
  }
  free(query);
  return 0;
}
