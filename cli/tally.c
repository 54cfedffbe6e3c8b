/* What the data holder is told of cells that the schema did not foresee: on standard error for people, under
   `data_holder_only` for machines, in a policy nowhere. */
#include "tally.h"

#include "advice.h"

#include <stdio.h>
#include <string.h>

/* A column that several features read is counted for each of them, and told of once. */
static bool told_before(const tacit_source *source, const tacit_schema *schema, size_t index,
                        const tacit_column_tally *t) {
  tacit_column_tally other;
  for (size_t i = 0; i < index && tacit_source_tally(source, schema, i, &other); i++)
    if (!strcmp(other.name, t->name) && other.clamped == t->clamped && other.unlisted == t->unlisted &&
        other.missing == t->missing && other.unreadable == t->unreadable && other.crossed == t->crossed &&
        other.all_midnight == t->all_midnight)
      return true;
  return false;
}

/* Of levels an empty cell may be one that the schema says nothing of; all other columns stop at these. */
static bool foresees_empty(const tacit_schema *schema, size_t index) {
  return index >= tacit_schema_features(schema) || tacit_schema_feature_at(schema, index).has_missing ||
         !tacit_schema_feature_at(schema, index).has_cells;
}

static size_t empty_of(const tacit_column_tally *t) {
  return t->missing - t->unreadable;
}

static bool is_odd(const tacit_source *source, const tacit_schema *schema, size_t index,
                   const tacit_column_tally *t) {
  return (t->clamped || t->unlisted || t->missing || t->crossed || t->all_midnight) &&
         !told_before(source, schema, index, t);
}

static void print_part(size_t count, const char *what, const char **between) {
  if (!count) return;
  fprintf(stderr, "%s%zu %s", *between, count, what);
  *between = ", ";
}

static const char *unreadable_words(const tacit_schema *schema, size_t index) {
  if (says_sold_out(schema, index)) return "neither true nor false";
  if (index >= tacit_schema_features(schema)) return "not a number";
  const tacit_schema_feature feature = tacit_schema_feature_at(schema, index);
  return feature.format                  ? "not a date in the schema's format"
         : !strcmp(feature.kind, "flag") ? "neither true nor false"
                                         : "not a number";
}

/* What became of them is public: the schema says it. */
static void print_unlisted(const tacit_schema *schema, size_t index, const tacit_column_tally *t,
                           const char **between) {
  print_part(t->unlisted, "of no listed level", between);
  if (!t->unlisted) return;
  fprintf(stderr, ", taken as %s", tacit_schema_feature_at(schema, index).unlisted_as);
  if (t->first_unlisted) fprintf(stderr, ", first in record %zu", t->first_unlisted);
}

static size_t advice_of(const tacit_schema *schema, size_t index, const tacit_column_tally *t,
                        char lines[ADVICE_LINES][ADVICE_TEXT]) {
  const odd_cells odd = {.records = t->seen,
                         .unlisted = t->unlisted,
                         .unreadable = t->unreadable,
                         .outside = t->clamped,
                         .foreign = t->foreign,
                         .commas = t->commas};
  return advice_on(schema, index, &odd, lines);
}

/* On one line: they are foreseen. */
static void print_empty(const tacit_source *source, const tacit_schema *schema) {
  tacit_column_tally t;
  const char *between = "tacit: empty cells, read as the schema says (for the data holder's eyes only):";
  for (size_t i = 0; tacit_source_tally(source, schema, i, &t); i++) {
    if (!empty_of(&t) || !foresees_empty(schema, i) || told_before(source, schema, i, &t)) continue;
    fprintf(stderr, "%s %s %zu", between, t.name, empty_of(&t));
    between = ",";
  }
  if (!strcmp(between, ",")) fputc('\n', stderr);
}

void print_tally(const tacit_source *source, const tacit_schema *schema) {
  tacit_column_tally t;
  char advice[ADVICE_LINES][ADVICE_TEXT];
  bool any = false;
  print_empty(source, schema);
  for (size_t i = 0; tacit_source_tally(source, schema, i, &t); i++) {
    const char *between = " ";
    size_t empty = foresees_empty(schema, i) ? 0 : empty_of(&t);
    if (!is_odd(source, schema, i, &t) ||
        !(t.clamped || t.unlisted || t.unreadable || t.crossed || t.all_midnight || empty))
      continue;
    if (!any)
      fputs("tacit: cells that the schema did not foresee (for the data holder's eyes only)\n", stderr);
    any = true;
    fprintf(stderr, "  %s:", t.name);
    print_unlisted(schema, i, &t, &between);
    print_part(t.clamped, "beyond the bounds, clamped", &between);
    print_part(t.unreadable, unreadable_words(schema, i), &between);
    print_part(empty, "empty", &between);
    print_part(t.all_midnight ? t.seen - t.missing : 0, "without a time of day, taken as 0:00", &between);
    print_part(t.crossed, CROSSED_WORDS, &between);
    fputc('\n', stderr);
    size_t lines = advice_of(schema, i, &t, advice);
    for (size_t k = 0; k < lines; k++) fprintf(stderr, "    %s\n", advice[k]);
  }
}

tacit_status pay_if_read(void *user, const tacit_cost *cost, tacit_error *error) {
  const careful_payment *p = user;
  tacit_error why;
  if (tacit_source_check_columns(p->source, p->schema, &why) != TACIT_OK) {
    snprintf(error->text, sizeof error->text, "nothing was spent: %.480s", why.text);
    return TACIT_BAD_INPUT;
  }
  return tacit_ledger_pay(p->payment, cost, error);
}

void print_unknown(const tacit_source *source, const tacit_schema *schema) {
  tacit_column_tally t;
  for (size_t i = 0; tacit_source_tally(source, schema, i, &t); i++) {
    if (!t.unlisted || told_before(source, schema, i, &t)) continue;
    const char *as = tacit_schema_feature_at(schema, i).unlisted_as;
    if (as && strcmp(as, "other") != 0)
      fprintf(stderr,
              "tacit: %zu rows have a level of %s that the policy does not know, and were ordered for as %s "
              "(first: "
              "record %zu)\n",
              t.unlisted, t.name, as, t.first_unlisted);
  }
}

json_t *tally_json(const tacit_source *source, const tacit_schema *schema) {
  tacit_column_tally t;
  char advice[ADVICE_LINES][ADVICE_TEXT];
  json_t *list = json_array();
  for (size_t i = 0; tacit_source_tally(source, schema, i, &t); i++) {
    if (!is_odd(source, schema, i, &t)) continue;
    json_t *cells = json_pack("{s:s, s:I, s:I, s:I, s:I}", "column", t.name, "clamped", (json_int_t)t.clamped,
                              "unlisted", (json_int_t)t.unlisted, "missing", (json_int_t)t.missing,
                              "unreadable", (json_int_t)t.unreadable);
    size_t lines = advice_of(schema, i, &t, advice);
    if (lines) json_object_set_new(cells, "advice", json_array());
    for (size_t k = 0; k < lines; k++)
      json_array_append_new(json_object_get(cells, "advice"), json_string(advice[k]));
    if (t.crossed) json_object_set_new(cells, "crossed", json_integer((json_int_t)t.crossed));
    json_array_append_new(list, cells);
  }
  return list;
}
