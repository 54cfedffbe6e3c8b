/* A table read as a fit reads it, without learning: for schema check, and for the data holder's eyes. */
#ifndef TACIT_CLI_READING_H
#define TACIT_CLI_READING_H

#include "table.h"

typedef struct reading {
  bool done;
  tacit_status status;
  tacit_error error; /* why a fit would stop, if it would; else empty */
  tacit_pack_counts counts;
  char crossed[400]; /* a word on lags that come from another series; else empty */
} reading;

void read_as_fit(reading *r, const tacit_schema *schema, const char *table, const table_form *form);
/* How many rows it learns from, and whose. */
void print_rows(const reading *r, const tacit_schema *schema);
/* False, after saying why, where a fit would stop. */
bool print_reading(const reading *r);

#endif
