/* What the data holder is told of cells that the schema did not foresee: on standard error for people, under
   `data_holder_only` for machines, in a policy nowhere. */
#include "tally.h"

#include <stdio.h>
#include <string.h>

/* A column that several features read is counted for each of them, and told of once. */
static bool told_before(const tacit_source *source, const tacit_schema *schema, size_t index,
                        const tacit_column_tally *t) {
  tacit_column_tally other;
  for (size_t i = 0; i < index && tacit_source_tally(source, schema, i, &other); i++)
    if (!strcmp(other.name, t->name) && other.clamped == t->clamped && other.unlisted == t->unlisted &&
        other.missing == t->missing && other.crossed == t->crossed)
      return true;
  return false;
}

static bool is_odd(const tacit_source *source, const tacit_schema *schema, size_t index,
                   const tacit_column_tally *t) {
  return (t->clamped || t->unlisted || t->missing || t->crossed) && !told_before(source, schema, index, t);
}

static void print_part(size_t count, const char *what, const char **between) {
  if (!count) return;
  fprintf(stderr, "%s%zu %s", *between, count, what);
  *between = ", ";
}

void print_tally(const tacit_source *source, const tacit_schema *schema) {
  tacit_column_tally t;
  bool any = false;
  for (size_t i = 0; tacit_source_tally(source, schema, i, &t); i++) {
    const char *between = " ";
    if (!is_odd(source, schema, i, &t)) continue;
    if (!any)
      fputs("tacit: cells that the schema did not foresee (for the data holder's eyes only)\n", stderr);
    any = true;
    fprintf(stderr, "  %s:", t.name);
    print_part(t.unlisted, "of no listed level", &between);
    print_part(t.clamped, "beyond the bounds, clamped", &between);
    print_part(t.missing, "empty or not a number", &between);
    print_part(
        t.crossed,
        "rows whose lags come from another one; \"panel\" in the schema looks lags up by group and time",
        &between);
    fputc('\n', stderr);
  }
}

json_t *tally_json(const tacit_source *source, const tacit_schema *schema) {
  tacit_column_tally t;
  json_t *list = json_array();
  for (size_t i = 0; tacit_source_tally(source, schema, i, &t); i++) {
    if (!is_odd(source, schema, i, &t)) continue;
    json_t *cells = json_pack("{s:s, s:I, s:I, s:I}", "column", t.name, "clamped", (json_int_t)t.clamped,
                              "unlisted", (json_int_t)t.unlisted, "missing", (json_int_t)t.missing);
    if (t.crossed) json_object_set_new(cells, "crossed", json_integer((json_int_t)t.crossed));
    json_array_append_new(list, cells);
  }
  return list;
}
