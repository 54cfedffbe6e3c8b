/* tacit schema: a draft of the public facts about a table, and what a schema makes of them. */
#include "advice.h"
#include "glance.h"
#include "reading.h"
#include "table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char WARNING[] = "These counts come from the records: they are for the data holder's eyes only. "
                              "A schema that is changed after "
                              "seeing them is no longer public knowledge, and what is learned with it tells "
                              "more than its promise says. Fix "
                              "it by what is known from elsewhere, or fix the table.";

static int run_draft(int argc, char **argv) {
  const char *table, *out = NULL;
  table_form form = {0};
  const option options[] = {
      {"out", OPTION_TEXT, &out, "S.json", "where the draft goes (default: standard output)", NULL},
      TABLE_FORM(form)};
  int code = parse_options(
      &(command_line){
          .usage = "schema draft TABLE [--out S.json]",
          .about = "Drafts a schema from the names and the declared types of TABLE's columns. No record "
                   "is read: what a\nperson must say is blank (null), with a question. fit refuses the "
                   "draft until it is filled in.",
          .options = options,
          .option_count = sizeof options / sizeof *options,
          .arguments = &table,
          .least = 1,
          .most = 1},
      argc, argv);
  if (code >= 0) return code;
  if (out && is_input(out, table)) return usage_error("--out would replace the table");
  tacit_error error;
  tacit_source *source = NULL;
  char *json = NULL;
  tacit_status status = open_as(table, &form, NULL, &source, &error);
  if (status == TACIT_OK) status = tacit_schema_draft(source, &json, &error);
  tacit_source_free(source);
  if (status != TACIT_OK) return fail(status, &error);
  FILE *to = out ? fopen(out, "wx") : stdout;
  if (!to) {
    free(json);
    return errno == EEXIST
               ? usage_error("%s is there already, and is not written over: give another name", out)
               : usage_error("cannot write %s: %s", out, strerror(errno));
  }
  bool written = fputs(json, to) >= 0 && fputc('\n', to) != EOF;
  if (out) written = fclose(to) == 0 && written;
  free(json);
  if (out && !written) return usage_error("cannot write %s", out);
  fputs("tacit: answer each question, remove it, and fill in each null; then: tacit schema check\n", stderr);
  return flushed(0);
}

static bool is_named(const json_t *entry, const char *name) {
  const char *own = json_string_value(json_object_get(entry, "name"));
  return own && name && !strcmp(own, name);
}

/* All blanks and questions of a draft, so that nobody meets them one by one. */
static void list_open(const json_t *entry, const char *otherwise, const json_t *target) {
  const char *name = json_string_value(json_object_get(entry, "name"));
  if (entry != target && is_named(target, name) && !json_object_get(entry, "lag")) {
    fprintf(stderr, "  %s: is the target; remove it from the features\n", name);
    return;
  }
  const char *question = json_string_value(json_object_get(entry, "question")), *key;
  const char *between = " (";
  size_t blanks = 0;
  json_t *value;
  json_object_foreach((json_t *)entry, key, value) blanks += json_is_null(value);
  if (!question && !blanks) return;
  fprintf(stderr, "  %s: %s", name ? name : otherwise, question ? question : "");
  json_object_foreach((json_t *)entry, key, value) {
    if (!json_is_null(value)) continue;
    fprintf(stderr, "%s\"%s\"", between, key);
    between = ", ";
  }
  fprintf(stderr, blanks ? " blank)\n" : "\n");
}

static void list_questions(const char *path) {
  json_t *schema = json_load_file(path, 0, NULL), *targets = json_object_get(schema, "target");
  json_t *features = json_object_get(schema, "features");
  if (json_object_get(schema, "question"))
    fputs("  \"question\" at the top lists the kinds of columns; remove it when all is answered\n", stderr);
  for (size_t t = 0; t < json_array_size(targets); t++) list_open(json_array_get(targets, t), "target", NULL);
  if (json_is_object(targets)) list_open(targets, "target", targets);
  for (size_t f = 0; f < json_array_size(features); f++)
    list_open(json_array_get(features, f), "feature", targets);
  list_open(json_object_get(schema, "unit"), "unit", NULL);
  json_decref(schema);
}

typedef struct checking {
  const tacit_schema *schema;
  tacit_cell_counts *counts; /* NULL without a table */
  size_t records;
  reading read;
  glance price;
} checking;

static void print_columns(const checking *c) {
  size_t features = tacit_schema_features(c->schema);
  printf("%-24s %-12s %8s  %s\n", "column", "becomes", "columns", "called");
  for (size_t f = 0; f < features; f++) {
    tacit_schema_feature feature = tacit_schema_feature_at(c->schema, f);
    size_t last = feature.first + feature.columns - 1;
    printf("%-*s %-12s %8zu  %s", padded(24, feature.column), feature.column, feature.kind, feature.columns,
           tacit_schema_column_name(c->schema, feature.first));
    printf(last > feature.first ? " ... %s\n" : "\n", tacit_schema_column_name(c->schema, last));
  }
  for (size_t t = 0; t < tacit_schema_targets(c->schema); t++)
    printf("%-*s %-12s\n", padded(24, tacit_schema_target_name(c->schema, t)),
           tacit_schema_target_name(c->schema, t), "target");
  for (size_t t = 0; t < tacit_schema_targets(c->schema); t++)
    if (tacit_schema_target_sold_out(c->schema, t))
      printf("%-24s %-12s\n", tacit_schema_target_sold_out(c->schema, t),
             tacit_schema_target_sold_by(c->schema, t));
  printf("\n%zu encoded columns, the intercept among them", tacit_schema_columns(c->schema));
  glance_print(&c->price);
}

static const char *entry_name(const checking *c, size_t k) {
  size_t features = tacit_schema_features(c->schema);
  size_t targets = tacit_schema_targets(c->schema);
  return k < features             ? tacit_schema_feature_at(c->schema, k).column
         : k < features + targets ? tacit_schema_target_name(c->schema, k - features)
                                  : tacit_schema_target_sold_out(c->schema, k - features - targets);
}

static const char *entry_kind(const checking *c, size_t k) {
  size_t features = tacit_schema_features(c->schema);
  size_t targets = tacit_schema_targets(c->schema);
  return k < features             ? tacit_schema_feature_at(c->schema, k).kind
         : k < features + targets ? "target"
                                  : tacit_schema_target_sold_by(c->schema, k - features - targets);
}

static size_t entries(const checking *c) {
  return tacit_schema_entries(c->schema);
}

/* Cells of no listed level, which nothing stops at. */
static void print_unlisted(const checking *c) {
  for (size_t k = 0; k < tacit_schema_features(c->schema); k++) {
    const char *as = tacit_schema_feature_at(c->schema, k).unlisted_as;
    if (!c->counts[k].unlisted || !as) continue;
    printf("%s (%s): %zu cells are none of the levels and will count as %s", entry_name(c, k),
           entry_kind(c, k), c->counts[k].unlisted, as);
    puts(strcmp(as, "other") ? "; \"other\": true gives them a level of their own" : "");
  }
}

static const char *cure(const tacit_cell_counts *n) {
  if (n->refused == n->unlisted) return "spell the levels as the table does, or add \"other\": true";
  if (n->refused == n->outside) return "give bounds in the table's units";
  return "give it its right kind or format, fix the table, or, where it is few cells, add a \"missing\"";
}

/* Levels that nothing can be learned of. */
static void print_unseen(const checking *c) {
  for (size_t k = 0; k < tacit_schema_features(c->schema) && c->records; k++)
    if (c->counts[k].unseen)
      printf("%s (%s): %zu of its %zu levels occur in no record, and an order for one of them is a guess\n",
             entry_name(c, k), entry_kind(c, k), c->counts[k].unseen, c->counts[k].levels);
}

/* What a fit would say of one record, of all of them. */
static void print_refused(const checking *c) {
  for (size_t k = 0; k < entries(c); k++)
    if (c->counts[k].refused)
      printf("fit stops at %zu cells of %s (%s): %s\n", c->counts[k].refused, entry_name(c, k),
             entry_kind(c, k), cure(&c->counts[k]));
}

/* Where a column is mostly wrong, what is likely. */
static void print_advice(const checking *c) {
  char advice[ADVICE_LINES][ADVICE_TEXT];
  for (size_t k = 0; k < entries(c); k++) {
    const tacit_cell_counts *n = &c->counts[k];
    const odd_cells odd = {.records = c->records,
                           .unlisted = n->unlisted,
                           .unreadable = n->unreadable,
                           .outside = n->outside,
                           .foreign = n->foreign,
                           .commas = n->commas,
                           .filled = n->filled};
    size_t lines = advice_on(c->schema, k, &odd, advice);
    for (size_t i = 0; i < lines; i++) printf("%s (%s): %s\n", entry_name(c, k), entry_kind(c, k), advice[i]);
  }
}

static void print_counts_of_cells(const checking *c) {
  printf("\nof %zu records%24s %10s %10s %10s %10s\n", c->records, "", "empty", "unreadable", "outside",
         "unlisted");
  for (size_t k = 0; k < entries(c); k++) {
    const tacit_cell_counts *n = &c->counts[k];
    if (k < tacit_schema_features(c->schema) && !tacit_schema_feature_at(c->schema, k).has_cells) continue;
    if (!entry_name(c, k)) continue; /* a target that nothing is said of */
    printf("%-*s %-12s %10zu %10zu %10zu %10zu\n", padded(24, entry_name(c, k)), entry_name(c, k),
           entry_kind(c, k), n->empty, n->unreadable, n->outside, n->unlisted);
  }
  putchar('\n');
  print_rows(&c->read, c->schema);
  print_advice(c);
  print_unlisted(c);
  print_unseen(c);
  print_refused(c);
  print_wrapped(WARNING);
}

static json_t *columns_json(const checking *c) {
  json_t *columns = json_array();
  for (size_t f = 0; f < tacit_schema_features(c->schema); f++) {
    tacit_schema_feature feature = tacit_schema_feature_at(c->schema, f);
    json_array_append_new(columns, json_pack("{s:s, s:s, s:I, s:I}", "column", feature.column, "becomes",
                                             feature.kind, "first", (json_int_t)feature.first, "columns",
                                             (json_int_t)feature.columns));
  }
  return columns;
}

static json_t *counts_json(const checking *c) {
  json_t *cells = json_array();
  for (size_t k = 0; k < entries(c); k++) {
    if (!entry_name(c, k)) continue;
    json_array_append_new(
        cells, json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I}", "column", entry_name(c, k), "becomes",
                         entry_kind(c, k), "empty", (json_int_t)c->counts[k].empty, "unreadable",
                         (json_int_t)c->counts[k].unreadable, "outside", (json_int_t)c->counts[k].outside,
                         "unlisted", (json_int_t)c->counts[k].unlisted, "refused",
                         (json_int_t)c->counts[k].refused));
  }
  json_t *counts =
      json_pack("{s:I, s:o, s:s}", "records", (json_int_t)c->records, "cells", cells, "warning", WARNING);
  if (c->read.done && c->read.status == TACIT_OK)
    json_object_set_new(counts, "rows", json_integer((json_int_t)c->read.counts.rows));
  return counts;
}

static int print_check(const checking *c, bool json) {
  if (json) {
    json_t *object =
        json_pack("{s:s, s:I, s:o}", "schema_hash", tacit_schema_hash(c->schema), "encoded_columns",
                  (json_int_t)tacit_schema_columns(c->schema), "features", columns_json(c));
    if (c->counts) json_object_set_new(object, "data_holder_only", counts_json(c));
    json_t *to = c->price.of_table ? json_object_get(object, "data_holder_only") : object;
    if (c->price.made) json_object_set_new(to, "price", glance_json(&c->price));
    return print_json(object);
  }
  print_columns(c);
  if (c->counts) print_counts_of_cells(c);
  return flushed(0);
}

static tacit_status count_cells(checking *c, const char *table, const table_form *form, tacit_error *error) {
  tacit_source *source = NULL;
  tacit_context context;
  cli_context(&context, 0);
  tacit_status status = open_as(table, form, c->schema, &source, error);
  c->counts = calloc(entries(c), sizeof *c->counts);
  if (status == TACIT_OK && !c->counts) {
    snprintf(error->text, sizeof error->text, "not enough memory");
    status = TACIT_INTERNAL;
  }
  if (status == TACIT_OK)
    status = tacit_schema_check_table(c->schema, source, c->counts, &c->records, &context, error);
  progress_done();
  tacit_source_free(source);
  return status;
}

/* Whether a file is a schema, or a draft of one. */
static bool is_schema(const char *path) {
  tacit_error error;
  tacit_schema *schema = NULL;
  tacit_status status = tacit_schema_read(path, &schema, &error);
  tacit_schema_free(schema);
  return status == TACIT_OK || status == TACIT_REFUSED;
}

/* What can be read a second time. */
static bool is_regular(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static bool has_refused(const checking *c) {
  for (size_t k = 0; c->counts && k < entries(c); k++)
    if (c->counts[k].refused) return true;
  return false;
}

static int run_check(int argc, char **argv) {
  const char *arguments[2] = {NULL, NULL};
  bool json = false;
  size_t found = 0;
  table_form form = {0};
  checking c = {0};
  glance_init(&c.price);
  const option options[] = {
      GLANCE(c.price), TABLE_FORM(form), {"json", OPTION_FLAG, &json, NULL, "print one JSON object", NULL}};
  int code = parse_options(
      &(command_line){
          .usage = "schema check SCHEMA [TABLE] [--rows N]",
          .about =
              "Says what each column becomes, how many encoded columns there are, and what privacy costs "
              "at so many rows.\nWith TABLE, for the data holder's eyes only: how many cells are empty, "
              "unreadable, outside their bounds\nor no listed level.",
          .options = options,
          .option_count = sizeof options / sizeof *options,
          .arguments = arguments,
          .least = 1,
          .most = 2,
          .found = &found},
      argc, argv);
  if (code >= 0) return code;
  tacit_error error;
  tacit_schema *schema = NULL;
  tacit_status status = tacit_schema_read(arguments[0], &schema, &error);
  if (status == TACIT_BAD_INPUT && found > 1 && is_schema(arguments[1]))
    return usage_error("the schema comes first: tacit schema check %s %s", arguments[1], arguments[0]);
  if (status == TACIT_REFUSED) list_questions(arguments[0]); /* it is JSON, and says too little */
  c.schema = schema;
  if (status == TACIT_OK) code = glance_ask(&c.price, schema);
  if (status == TACIT_OK && code < 0 && found > 1) status = count_cells(&c, arguments[1], &form, &error);
  if (status != TACIT_OK) code = fail(status, &error);
  if (code < 0 && found > 1 && is_regular(arguments[1])) read_as_fit(&c.read, schema, arguments[1], &form);
  if (code < 0) {
    glance_look(&c.price, schema, c.records);
    code = print_check(&c, json);
    if (code == 0 && has_refused(&c)) code = TACIT_BAD_INPUT;
    if (code != TACIT_USAGE && c.read.done && !print_reading(&c.read)) code = TACIT_BAD_INPUT;
  }
  free(c.counts);
  tacit_schema_free(schema);
  return code;
}

static int print_help(void) {
  tacit_schema_kind kind;
  puts(
      "usage: tacit schema draft TABLE [--out S.json]\n"
      "       tacit schema check SCHEMA [TABLE] [--rows N]\n\n"
      "draft writes a schema for a table's columns, with blanks and questions; check says what a schema "
      "makes "
      "of\nthem. A schema is {\"target\": {...}, \"features\": [{...}, ...]} with columns of these kinds:\n");
  for (size_t k = 0; kind = tacit_schema_kind_at(k), kind.what; k++)
    printf("%s\n    %s\n", kind.what, kind.json);
  return flushed(0);
}

int run_schema(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "draft")) return run_draft(argc - 1, argv + 1);
  if (argc > 1 && !strcmp(argv[1], "check")) return run_check(argc - 1, argv + 1);
  if (argc > 1 && !strcmp(argv[1], "--help")) return print_help();
  return usage_error("usage: tacit schema draft TABLE, or tacit schema check SCHEMA [TABLE]");
}
