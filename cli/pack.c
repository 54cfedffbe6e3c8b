/* tacit pack: a table's rows as the private learners want them, in a file that a fit reads without parsing.
 */
#include "table.h"
#include "tally.h"

#include <stdio.h>

int run_pack(int argc, char **argv) {
  const char *table, *schema_path = NULL, *out = NULL;
  size_t threads = 0;
  bool json = false;
  table_form form = {0};
  const option options[] = {
      {"schema", OPTION_TEXT, &schema_path, "S.json", "the public facts about the table (needed)", NULL},
      {"out", OPTION_TEXT, &out, "T.tacit", "where the packed table goes (needed)", NULL},
      {"threads", OPTION_COUNT, &threads, "N", "threads; default one per core", NULL},
      TABLE_FORM(form),
      {"json", OPTION_FLAG, &json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){
          .usage = "pack TABLE --schema S.json --out T.tacit",
          .about = "Encodes TABLE (a CSV, Arrow, Parquet or JSON file, or - for CSV on standard input) into "
                   "a file that "
                   "fit reads\nin place of it: without parsing, and however large it is. It is as private as "
                   "TABLE.",
          .options = options,
          .option_count = sizeof options / sizeof *options,
          .arguments = &table,
          .least = 1,
          .most = 1},
      argc, argv);
  if (code >= 0) return code;
  if (!schema_path || !out) return usage_error("--schema and --out are needed");
  if (is_input(out, table) || is_input(out, schema_path))
    return usage_error("--out would replace the table or the schema that is read; give it a name of its own");
  tacit_error error;
  tacit_schema *schema = NULL;
  tacit_source *source = NULL;
  tacit_context context;
  tacit_pack_counts counts = {0};
  cli_context(&context, threads);
  tacit_status status = tacit_schema_read(schema_path, &schema, &error);
  if (status == TACIT_OK) status = open_as(table, &form, schema, &source, &error);
  if (status == TACIT_OK) status = tacit_pack_table(source, schema, out, &counts, &context, &error);
  progress_done();
  if (status != TACIT_OK)
    code = fail(status, &error);
  else if (json)
    code = print_json(json_pack("{s:s, s:{s:I, s:I, s:I, s:I, s:o}}", "packed", out, "data_holder_only",
                                "records", (json_int_t)counts.records, "rows", (json_int_t)counts.rows,
                                "dropped_lag", (json_int_t)counts.dropped_lag, "dropped_unit",
                                (json_int_t)counts.dropped_unit, "cells", tally_json(source, schema)));
  else {
    printf("packed %zu rows of %zu records\n\nwritten: %s; it holds private rows, as the table does\n",
           counts.rows, counts.records, out);
    code = flushed(0);
    print_tally(source, schema);
  }
  tacit_source_free(source);
  tacit_schema_free(schema);
  return code;
}
