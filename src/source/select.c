/* The rows of a query over the records of another source: one record after the other, its cells alone at
   hand, so that no record can change what is computed of another (proofs/sql.md). */
#include "base/base.h"
#include "source/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct select_source {
  tacit_source base;
  tacit_source *records;
  tacit_query *query;
  tacit_node **nodes; /* one for each column of the result; NULL where it is a record's as it is */
  size_t *columns;    /* whose place this is then */
  const char **names;
  bool *computed;
  tacit_declared *declared;
  bool *blurred;
  double *rounded_from;
  tacit_cell *cells; /* of the record */
  tacit_evaluation evaluation;
  bool started;
} select_source;

static bool is_table(const tacit_query *q, const char *name) {
  return !name || tacit_same_word(name, strlen(name), q->alias ? q->alias : q->table);
}

/* Names are matched to the letter: in a JSON file columns are its records' keys, and with a looser rule one
   record's key could change which column a name means for all others. */
static tacit_status bind_column(const select_source *self, const char *table, const char *name,
                                size_t *column, tacit_error *error) {
  const tacit_source *records = self->records;
  for (*column = 0; is_table(self->query, table) && *column < records->columns; ++*column)
    if (!strcmp(records->names[*column], name)) return TACIT_OK;
  for (size_t j = 0; j < records->header.unreadable_count; j++)
    if (!strcmp(records->header.unreadable[j], name))
      return tacit_fail(error, TACIT_BAD_INPUT,
                        "column \"%.200s\" holds neither numbers nor text (a list, a structure or bytes)",
                        name);
  return tacit_fail(
      error, TACIT_REFUSED,
      "the %stable%s%.100s has no column \"%.100s\"; write names as the table does, capital letters too",
      self->query->whole ? "" : "query's ", table ? " " : "", table ? table : "", name);
}

static tacit_status bind(const select_source *self, tacit_node *node, tacit_error *error) {
  if (node->kind == TACIT_NODE_COLUMN)
    return bind_column(self, node->table, node->name, &node->column, error);
  for (size_t i = 0; i < node->count; i++) TACIT_TRY(bind(self, node->children[i], error));
  return TACIT_OK;
}

/* A source that reads only what is asked for is told what the expression needs. */
static void ask(const select_source *self, const tacit_node *node) {
  if (node->kind == TACIT_NODE_COLUMN) self->records->reader.asked[node->column] = true;
  for (size_t i = 0; i < node->count; i++) ask(self, node->children[i]);
}

static void start(select_source *self) {
  bool any = false;
  self->started = true;
  self->records->reader.threads = self->base.reader.threads;
  self->records->reader.context = self->base.reader.context;
  for (size_t j = 0; j < self->base.columns; j++) any |= self->base.reader.asked[j];
  for (size_t j = 0; j < self->base.columns; j++) self->base.reader.asked[j] |= !any;
  if (!self->records->reader.asked) return;
  for (size_t j = 0; j < self->base.columns; j++)
    if (self->base.reader.asked[j] && self->nodes[j])
      ask(self, self->nodes[j]);
    else if (self->base.reader.asked[j])
      self->records->reader.asked[self->columns[j]] = true;
  if (self->query->where) ask(self, self->query->where);
}

/* A record that is a row as it is has its text, too. */
static void pass_text(select_source *self) {
  if (!self->query->whole) return;
  self->base.text.raw = self->records->text.raw;
  self->base.text.raw_length = self->records->text.raw_length;
}

static tacit_cell cell_of(const tacit_value *value) {
  if (value->kind == TACIT_VALUE_NULL) return (tacit_cell){.text = ""};
  if (value->kind == TACIT_VALUE_NUMBER && !value->text) return (tacit_cell){.number = value->number};
  return (tacit_cell){.text = value->text, .length = value->length};
}

static bool is_chosen(select_source *self) {
  if (!self->query->where) return true;
  tacit_value met = tacit_node_value(self->query->where, &self->evaluation);
  return tacit_value_as_truth(&met) == TACIT_YES;
}

static void compute(select_source *self, tacit_cell *cells) {
  for (size_t j = 0; j < self->base.columns; j++) {
    if (!self->base.reader.asked[j]) {
      cells[j] = (tacit_cell){.text = ""};
    } else if (self->nodes[j]) {
      tacit_value value = tacit_node_value(self->nodes[j], &self->evaluation);
      cells[j] = cell_of(&value);
    } else {
      cells[j] = self->cells[self->columns[j]];
    }
  }
}

static tacit_status trouble(const select_source *self, tacit_error *error) {
  if (self->evaluation.scratch.failed) return tacit_no_memory(error);
  if (!self->evaluation.trouble) return TACIT_OK;
  return tacit_fail(error, TACIT_BAD_INPUT, "record %zu: %s", self->records->record,
                    self->evaluation.trouble);
}

static tacit_status select_next(tacit_source *source, tacit_cell *cells, bool *more, tacit_error *error) {
  select_source *self = (select_source *)source;
  tacit_source *records = self->records;
  if (!self->started) start(self);
  for (bool chosen = false; !chosen;) {
    tacit_scratch_reset(&self->evaluation.scratch);
    TACIT_TRY(records->next(records, self->cells, more, error));
    pass_text(self);
    source->record = records->record;
    source->fraction = records->fraction;
    if (!*more) return TACIT_OK;
    chosen = is_chosen(self);
    if (chosen) compute(self, cells);
    TACIT_TRY(trouble(self, error));
  }
  return TACIT_OK;
}

/* Whether column j of the records is, or shares something with, one that the expression names. */
static bool names(const tacit_source *records, const tacit_node *node, size_t j) {
  if (node->kind == TACIT_NODE_COLUMN && node->column == j) return true;
  if (node->kind == TACIT_NODE_COLUMN && records->origin.related &&
      records->origin.related(records, j, node->column))
    return true;
  for (size_t i = 0; i < node->count; i++)
    if (names(records, node->children[i], j)) return true;
  return false;
}

/* The same of a whole column of the result, or of what chooses its rows, here or further down. */
static bool has(const select_source *self, size_t column, size_t j) {
  const tacit_source *records = self->records;
  if (column == TACIT_THE_CONDITION)
    return (self->query->where && names(records, self->query->where, j)) ||
           (records->origin.related && records->origin.related(records, j, TACIT_THE_CONDITION));
  if (self->nodes[column]) return names(records, self->nodes[column], j);
  return self->columns[column] == j ||
         (records->origin.related && records->origin.related(records, j, self->columns[column]));
}

static bool names_shared(const select_source *self, const tacit_node *node, size_t other) {
  if (node->kind == TACIT_NODE_COLUMN && has(self, other, node->column)) return true;
  for (size_t i = 0; i < node->count; i++)
    if (names_shared(self, node->children[i], other)) return true;
  return false;
}

static bool select_related(const tacit_source *source, size_t column, size_t other) {
  const select_source *self = (const select_source *)source;
  return self->nodes[column] ? names_shared(self, self->nodes[column], other)
                             : has(self, other, self->columns[column]);
}

static void select_close(tacit_source *source) {
  select_source *self = (select_source *)source;
  tacit_source_free(self->records);
  tacit_query_free(self->query);
  tacit_scratch_free(&self->evaluation.scratch);
  free(self->nodes);
  free(self->columns);
  free(self->names);
  free(self->computed);
  free(self->declared);
  free(self->blurred);
  free(self->rounded_from);
  free(self->cells);
  free(self->base.reader.asked);
  free(self);
}

static void add_record_column(select_source *self, size_t column, const char *name) {
  size_t k = self->base.columns++;
  self->columns[k] = column;
  self->names[k] = name;
  self->declared[k] =
      self->records->header.declared ? self->records->header.declared[column] : TACIT_DECLARED_NOTHING;
  self->computed[k] = self->records->origin.computed && self->records->origin.computed[column];
  self->blurred[k] = self->records->origin.blurred && self->records->origin.blurred[column];
  self->rounded_from[k] =
      self->records->origin.rounded_from ? self->records->origin.rounded_from[column] : (double)INFINITY;
}

static tacit_status add_output(select_source *self, const tacit_output *output, tacit_error *error) {
  tacit_node *node = output->node;
  if (!node) {
    if (!is_table(self->query, output->name))
      return tacit_fail(error, TACIT_REFUSED, "the query has no table \"%.100s\"", output->name);
    for (size_t j = 0; j < self->records->columns; j++) add_record_column(self, j, self->records->names[j]);
    return TACIT_OK;
  }
  TACIT_TRY(bind(self, node, error));
  size_t k = self->base.columns;
  add_record_column(self, node->column, output->name);
  self->computed[k] |= strcmp(output->name, node->kind == TACIT_NODE_COLUMN ? node->name : "") != 0;
  if (node->kind == TACIT_NODE_COLUMN) return TACIT_OK;
  self->nodes[k] = node;
  self->computed[k] = true;
  self->declared[k] = TACIT_DECLARED_NOTHING;
  return TACIT_OK;
}

static tacit_status add_outputs(select_source *self, tacit_error *error) {
  size_t most = self->query->count * (self->records->columns + 1);
  self->nodes = tacit_alloc(most, sizeof(tacit_node *));
  self->columns = tacit_alloc(most, sizeof *self->columns);
  self->names = tacit_alloc(most, sizeof *self->names);
  self->computed = tacit_alloc(most, sizeof *self->computed);
  self->declared = tacit_alloc(most, sizeof *self->declared);
  self->blurred = tacit_alloc(most, sizeof *self->blurred);
  self->rounded_from = tacit_alloc(most, sizeof *self->rounded_from);
  self->base.reader.asked = tacit_alloc(most, sizeof *self->base.reader.asked);
  self->cells = tacit_alloc(self->records->columns, sizeof *self->cells);
  if (!self->nodes || !self->columns || !self->names || !self->computed || !self->declared ||
      !self->blurred || !self->rounded_from || !self->base.reader.asked || !self->cells)
    return tacit_no_memory(error);
  self->base.names = self->names;
  for (size_t i = 0; i < self->query->count; i++)
    TACIT_TRY(add_output(self, &self->query->outputs[i], error));
  if (self->query->where) TACIT_TRY(bind(self, self->query->where, error));
  return tacit_source_check_names(&self->base, error);
}

/* The records may be a query's rows themselves: what was said of those still holds. */
static tacit_row_kind rows_of(const tacit_source *records, const tacit_query *query) {
  return records->origin.rows_are == TACIT_ROW_RECORD && query->where ? TACIT_ROW_CHOSEN
                                                                      : records->origin.rows_are;
}

tacit_status tacit_source_select(tacit_source *records, tacit_query *query, tacit_source **source,
                                 tacit_error *error) {
  *source = NULL;
  select_source *self = tacit_alloc(1, sizeof *self);
  if (!self) {
    tacit_source_free(records);
    tacit_query_free(query);
    return tacit_no_memory(error);
  }
  self->base.next = select_next;
  self->base.close = select_close;
  self->base.origin.related = select_related;
  self->records = records;
  self->query = query;
  tacit_status status = add_outputs(self, error);
  if (status != TACIT_OK) {
    select_close(&self->base);
    return status;
  }
  self->base.origin.computed = self->computed;
  self->base.header.declared = self->declared;
  self->base.origin.blurred = self->blurred;
  self->base.origin.rounded_from = self->rounded_from;
  self->base.origin.reals_rounded = records->origin.reals_rounded;
  self->base.text.decimal_comma = records->text.decimal_comma;
  self->base.origin.queried = true;
  self->base.origin.unordered = records->origin.unordered;
  self->base.origin.rows_are = rows_of(records, query);
  self->base.header.unreadable = records->header.unreadable;
  self->base.header.unreadable_count = query->whole ? records->header.unreadable_count : 0;
  pass_text(self); /* the header */
  self->evaluation.cells = self->cells;
  self->evaluation.declared = records->header.declared;
  self->evaluation.records = records;
  *source = &self->base;
  return TACIT_OK;
}
