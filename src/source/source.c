/* What all sources share: the record's text, finding a column by its name, and refusing names that stand for
 * two columns. */
#include "source/source.h"

#include "base/base.h"
#include "schema/schema.h"
#include "source/no_column.h"

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

tacit_status tacit_source_check_form(const tacit_source *source, tacit_error *error) {
  const char *separator = source->reader.asked ? NULL : tacit_source_other_separator(source);
  if (!separator) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT,
                    "the table has only one column; its first line looks separated by %s: give the "
                    "separator (and the decimal comma, if numbers have one) as options",
                    separator);
}

tacit_status tacit_source_find(const tacit_source *source, const char *name, size_t *column,
                               tacit_error *error) {
  for (size_t j = 0; j < source->columns; j++)
    if (strcmp(source->names[j], name) == 0) {
      *column = j;
      if (source->reader.asked) source->reader.asked[j] = true;
      return TACIT_OK;
    }
  for (size_t j = 0; j < source->header.unreadable_count; j++)
    if (strcmp(source->header.unreadable[j], name) == 0)
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "column \"%.200s\" holds neither numbers nor text: its type (a list, a structure or "
                        "bytes) is unsupported",
                        name);
  return tacit_source_no_column(source, name, error);
}

tacit_status tacit_source_check_unit_column(const tacit_source *source, const char *key, const char *column,
                                            tacit_error *error) {
  for (size_t j = 0; column && j < source->columns; j++) {
    if (strcmp(source->names[j], column) != 0) continue;
    if (source->origin.computed && source->origin.computed[j])
      return tacit_fail(
          error, TACIT_REFUSED,
          "\"%s\" \"%.200s\" is computed or renamed by the query: a unit's name must stand in the "
          "table as it is, under its own name; select that column itself, or use --result-rows",
          key, column);
    if (source->origin.blurred && source->origin.blurred[j])
      return tacit_fail(
          error, TACIT_REFUSED,
          "\"%s\" \"%.200s\" holds times with a zone or of 96 bits (INT96), which may lose "
          "digits in reading, so that two units could become one; name units by text or whole numbers",
          key, column);
  }
  return TACIT_OK;
}

tacit_status tacit_source_check_unit(const tacit_source *source, const tacit_schema *schema,
                                     tacit_error *error) {
  return tacit_source_check_unit_column(source, "unit.column", schema->unit_column, error);
}

tacit_status tacit_source_check_lags(const tacit_source *source, const tacit_schema *schema,
                                     tacit_error *error) {
  bool looks_up = tacit_schema_looks_up(schema);
  if (looks_up && source->origin.unordered && !schema->panel.unique)
    return tacit_fail(
        error, TACIT_REFUSED,
        "of records with one group and time the first is looked up, but those of a database or of a query's "
        "result have no order that lasts; say \"unique\": true in \"panel\" if no two are the same, or write "
        "them to a file");
  if (source->origin.queried && schema->largest_lag > 0 && !looks_up)
    return tacit_fail(
        error, TACIT_REFUSED,
        "lags need the records of a file in their order, and a query or a condition may leave some out or "
        "change it; give the file itself as TABLE, let lags be looked up by group and time (\"panel\"), or "
        "remove them from the schema");
  return TACIT_OK;
}

/* Whether a column that must be public is computed from a private target. */
static bool is_mixed(const tacit_source *source, const char *name, size_t target) {
  for (size_t j = 0; j < source->columns; j++)
    if (!strcmp(source->names[j], name) && j != target && source->origin.related(source, target, j))
      return true;
  return false;
}

/* Where features are public, no query may make them of targets, nor choose records by these. */
static tacit_status check_public(const tacit_source *source, const tacit_schema *schema, tacit_error *error) {
  for (size_t t = 0; source->origin.related && t < schema->target_count; t++) {
    for (size_t j = 0; j < source->columns; j++) {
      if (strcmp(source->names[j], schema->targets[t].name) != 0) continue;
      bool mixed = schema->unit_column && is_mixed(source, schema->unit_column, j);
      for (size_t f = 0; f < schema->feature_count; f++)
        mixed |= is_mixed(source, schema->features[f].name, j);
      if (mixed)
        return tacit_fail(error, TACIT_REFUSED,
                          "the query computes a feature or a unit's name from the private target \"%.60s\"; "
                          "leave it out, or remove \"private\" from the schema",
                          schema->targets[t].name);
      if (source->origin.related(source, j, TACIT_THE_CONDITION))
        return tacit_fail(error, TACIT_REFUSED,
                          "the condition chooses records by the private target \"%.60s\", but which records "
                          "there are is public; choose by other columns, or remove \"private\" from the "
                          "schema",
                          schema->targets[t].name);
    }
  }
  return TACIT_OK;
}

tacit_status tacit_source_check_promise(const tacit_source *source, const tacit_schema *schema,
                                        tacit_adjacency adjacency, bool results, tacit_error *error) {
  if (source->origin.rows_are == TACIT_ROW_RESULT && !results)
    return tacit_fail(error, TACIT_REFUSED,
                      "this release cannot say that its unit is a row of a query's result; write the result "
                      "to a file of its own and say in its schema what a unit is");
  if (source->origin.rows_are == TACIT_ROW_RESULT && adjacency == TACIT_REPLACE_ONE)
    return tacit_fail(error, TACIT_REFUSED,
                      "how many rows a query's result has depends on the records, so it cannot be public: "
                      "with --result-rows give --adjacency add-remove and --nominal-rows");
  if (schema->features_public) TACIT_TRY(check_public(source, schema, error));
  if (source->origin.rows_are == TACIT_ROW_CHOSEN && adjacency == TACIT_REPLACE_ONE &&
      !schema->features_public)
    return tacit_fail(
        error, TACIT_REFUSED,
        "WHERE makes the number of rows depend on the records, so it cannot be public: give "
        "--adjacency add-remove and --nominal-rows, or leave WHERE out; where all columns but the target "
        "are public, the schema may say so: \"private\": \"target\"");
  if (schema->events && !source->origin.added_up)
    return tacit_fail(
        error, TACIT_REFUSED,
        "the schema says that the target is added up from events, each customer held to limits: "
        "give the events and their calendar, or leave \"events\" out of the schema");
  TACIT_TRY(tacit_source_check_lags(source, schema, error));
  return tacit_source_check_unit(source, schema, error);
}

tacit_number_kind tacit_source_read_number(const tacit_source *source, const tacit_cell *cell,
                                           double *number) {
  enum { LONG = 400 }; /* bytes; no number needs more digits */
  char plain[LONG];
  if (!source->text.decimal_comma || !cell->text) return tacit_cell_read_number(cell, number);
  if (cell->length > LONG || memchr(cell->text, '.', cell->length)) return TACIT_NUMBER_TEXT;
  for (size_t i = 0; i < cell->length; i++) plain[i] = cell->text[i] == ',' ? '.' : cell->text[i];
  const tacit_cell pointed = {.text = plain, .length = cell->length};
  tacit_number_kind kind = tacit_cell_read_number(&pointed, number);
  tacit_wipe(plain, cell->length);
  return kind;
}

const char *tacit_source_text(const tacit_source *source, size_t *length) {
  *length = source->text.raw_length;
  return source->text.raw;
}

void tacit_source_free(tacit_source *source) {
  if (!source) return;
  tacit_free_wiped(source->reader.tally, source->reader.tally_count * sizeof *source->reader.tally);
  source->close(source);
}
