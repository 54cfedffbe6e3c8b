/* What a fit would make of a table: rows, what is left out, and where it would stop. */
#include "reading.h"

#include "tally.h"

#include <stdio.h>

static void note_crossed(reading *r, const tacit_source *source, const tacit_schema *schema) {
  tacit_column_tally t;
  for (size_t i = 0; tacit_source_tally(source, schema, i, &t) && !*r->crossed; i++)
    if (t.crossed)
      snprintf(r->crossed, sizeof r->crossed, "%.100s: %zu %s\n", t.name, t.crossed, CROSSED_WORDS);
}

void read_as_fit(reading *r, const tacit_schema *schema, const char *table, const table_form *form) {
  tacit_source *source = NULL;
  tacit_context context;
  cli_context(&context, 0);
  *r = (reading){.done = true};
  r->status = open_as(table, form, schema, &source, &r->error);
  if (r->status == TACIT_OK)
    r->status = tacit_schema_try_table(schema, source, &r->counts, &context, &r->error);
  progress_done();
  if (r->status == TACIT_OK) note_crossed(r, source, schema);
  if (r->status == TACIT_OK && tacit_source_check_columns(source, schema, &r->error) == TACIT_OK)
    r->error.text[0] = 0;
  tacit_source_free(source);
}

void print_rows(const reading *r, const tacit_schema *schema) {
  const tacit_unit unit = tacit_unit_of(schema, TACIT_REPLACE_ONE, false);
  if (!r->done || r->error.text[0]) return;
  printf("fit learns from %zu rows", r->counts.rows);
  if (unit.column) printf(", at most %zu of each %s", unit.rows_per_unit, unit.column);
  if (r->counts.dropped_unit || r->counts.dropped_lag)
    printf("; %zu records are left out%s", r->counts.dropped_unit + r->counts.dropped_lag,
           unit.column ? ": beyond that limit, or for want of what they look up"
                       : " for want of what they look up");
  printf("\n%s\n", r->crossed);
}

bool print_reading(const reading *r) {
  if (!r->error.text[0]) return true;
  fprintf(stderr, "tacit: fit would stop here: %s%s\n", r->error.text, flags_for(r->error.text));
  return false;
}
