/* tacit split: a table in two, for a first honest test: learn from one, evaluate on the other. */
#include "table.h"

#include <stdio.h>
#include <string.h>

typedef struct request {
  const char *table, *first, *second, *schema;
  table_form form;
  tacit_split_options split;
  bool json;
} request;

/* Where the number of rows of a part depends on what records hold. */
static const char *warning(const request *r) {
  return r->split.by || r->split.unit ? "how many rows each part has tells something of that column: where "
                                        "its values are secret, fit with "
                                        "--adjacency add-remove"
                                      : "";
}

/* The parts are plain CSV, whatever the table is: a name that says otherwise would mislead other programs. */
static bool is_packed_name(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (!strcmp(dot, ".gz") || !strcmp(dot, ".zst") || !strcmp(dot, ".parquet") ||
                 !strcmp(dot, ".arrow") || !strcmp(dot, ".arrows") || !strcmp(dot, ".feather"));
}

static int report(const request *r, const tacit_split_counts *counts) {
  if (r->json)
    return print_json(json_pack("{s:s, s:s, s:s, s:{s:I, s:I}}", "first", r->first, "second", r->second,
                                "note", warning(r), "data_holder_only", "first_rows",
                                (json_int_t)counts->first, "second_rows", (json_int_t)counts->second));
  printf("written: %s, %zu rows; %s, %zu rows. They hold private rows, as the table does\n", r->first,
         counts->first, r->second, counts->second);
  if (!counts->first || !counts->second)
    printf("note: %s has no rows; %s\n", counts->first ? r->second : r->first,
           r->split.by ? "cut elsewhere" : "give another share or seed");
  if (*warning(r)) printf("note: %s\n", warning(r));
  return flushed(0);
}

/* How a schema's dates are written; NULL: as ISO 8601 does, or it is no date. */
static const char *format_of(const tacit_schema *schema, const char *column) {
  for (size_t f = 0; f < tacit_schema_features(schema); f++) {
    tacit_schema_feature feature = tacit_schema_feature_at(schema, f);
    if (feature.format && !strcmp(feature.column, column) && strcmp(feature.format, "%Y-%m-%d"))
      return feature.format;
  }
  return NULL;
}

int run_split(int argc, char **argv) {
  request r = {.split = {.seed = 1}};
  bool seeded = false;
  const option options[] = {
      {"first", OPTION_TEXT, &r.first, "A.csv", "where the first part goes (needed)", NULL},
      {"second", OPTION_TEXT, &r.second, "B.csv", "where the second part goes (needed)", NULL},
      {"by", OPTION_TEXT, &r.split.by, "COLUMN", "cut by this column's values, numbers or dates", NULL},
      {"at", OPTION_TEXT, &r.split.at, "VALUE", "with --by: the second part begins here", NULL},
      {"format", OPTION_TEXT, &r.split.format, "F",
       "with --by: how its dates are written, unless like 2018-01-31: %d.%m.%Y", NULL},
      {"share", OPTION_NUMBER, &r.split.share, "P", "at random: about this share goes to the first part",
       NULL},
      {"seed", OPTION_SEED, &r.split.seed, "N", "with --share: another lot (default 1)", &seeded},
      {"unit", OPTION_TEXT, &r.split.unit, "COLUMN", "with --share: records of one unit go together", NULL},
      {"force", OPTION_FLAG, &r.split.replace, NULL,
       "replace files that hold something else (or TACIT_FORCE=1 in the environment)", NULL},
      TABLE_FORM(r.form),
      {"schema", OPTION_TEXT, &r.schema, "S.json", "says the table's form, and how its dates are written",
       NULL},
      {"json", OPTION_FLAG, &r.json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){
          .usage = "split TABLE --first A.csv --second B.csv (--by COLUMN --at VALUE | --share P)",
          .about = "Writes TABLE's records to two CSV files, each as it stands, in their order: before "
                   "and from a value on, or at random.",
          .options = options,
          .option_count = sizeof options / sizeof *options,
          .arguments = &r.table,
          .least = 1,
          .most = 1},
      argc, argv);
  if (code >= 0) return code;
  if (!r.first || !r.second) return usage_error("--first and --second are needed: where the parts go");
  if (is_packed_name(r.first) || is_packed_name(r.second))
    return usage_error(
        "the parts are written as plain CSV: give --first and --second names such as train.csv");
  if (seeded && r.split.by) return usage_error("--seed goes with --share");
  if (is_input(r.first, r.table) || is_input(r.second, r.table) || !strcmp(r.first, r.second) ||
      is_input(r.first, r.second))
    return usage_error("the two parts and the table are three files; give each a name of its own");
  tacit_error error;
  tacit_source *source = NULL;
  tacit_context context;
  tacit_split_counts counts = {0};
  r.split.replace = r.split.replace || is_forced();
  cli_context(&context, 1);
  tacit_schema *schema = NULL;
  tacit_status status = r.schema ? tacit_schema_read(r.schema, &schema, &error) : TACIT_OK;
  if (status == TACIT_OK && schema && r.split.by && !r.split.format)
    r.split.format = format_of(schema, r.split.by);
  if (status == TACIT_OK) status = open_as(r.table, &r.form, schema, &source, &error);
  if (status == TACIT_OK)
    status = tacit_split_table(source, &r.split, r.first, r.second, &counts, &context, &error);
  progress_done();
  code = status == TACIT_OK ? report(&r, &counts) : fail(status, &error);
  if (counts.undated)
    fprintf(stderr, "tacit: --format says how the dates of %s are written, such as --format %%d.%%m.%%Y\n",
            r.split.by);
  if (counts.other) fputs("tacit: --force replaces it\n", stderr);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return code;
}
