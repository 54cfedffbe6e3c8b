/* tacit simulate: the papers' data, a realistic restaurant and realistic shops, as CSV, with their public
 * schemas. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tacit_status to_stdout(void *user, const char *text, size_t length) {
  (void)user;
  return fwrite(text, 1, length, stdout) == length ? TACIT_OK : TACIT_INTERNAL;
}

/* The rows as text in memory, for --json. */
static tacit_status to_memory(void *user, const char *text, size_t length) {
  return fwrite(text, 1, length, user) == length ? TACIT_OK : TACIT_INTERNAL;
}

static int print_machines(const char *name, size_t rows, uint64_t seed, const char *schema) {
  char *csv = NULL;
  size_t size = 0;
  tacit_error error = {"not enough memory"};
  FILE *memory = open_memstream(&csv, &size);
  tacit_status status = memory ? tacit_simulate(name, rows, seed, to_memory, memory, &error) : TACIT_INTERNAL;
  if (memory && fclose(memory) != 0) status = TACIT_INTERNAL;
  int code = status == TACIT_OK ? print_json(json_pack("{s:s, s:o, s:s}", "name", name, "schema",
                                                       json_loads(schema, 0, NULL), "csv", csv))
                                : fail(status, &error);
  free(csv);
  return code;
}

static int write_text(const char *path, const char *text) {
  FILE *file = tacit_ledger_at(path) ? NULL : fopen(path, "w");
  bool good = file && fputs(text, file) >= 0;
  if (file) good = fclose(file) == 0 && good;
  if (good) return -1;
  fprintf(stderr, "tacit: cannot write %s%s\n", path,
          file ? "" : "; choose another name (a ledger is not written over)");
  return TACIT_INTERNAL;
}

int run_simulate(int argc, char **argv) {
  size_t rows = 0;
  uint64_t seed = 1;
  const char *schema_out = NULL, *region_out = NULL, *name;
  bool json = false;
  const option options[] = {
      {"rows", OPTION_COUNT, &rows, "N", "number of rows (default: the simulator's own)", NULL},
      {"seed", OPTION_SEED, &seed, "S", "the same seed gives the same rows (default 1)", NULL},
      {"schema-out", OPTION_TEXT, &schema_out, "S.json", "write the public schema of this data there", NULL},
      {"region-out", OPTION_TEXT, &region_out, "R.json", "write the region of its decisions there", NULL},
      {"json", OPTION_FLAG, &json, NULL, "print one JSON object with schema and CSV text", NULL},
  };
  char about[2048] = "Prints simulated rows as CSV. There are:\n";
  for (size_t i = 0; tacit_simulator_name(i); i++) {
    size_t used = strlen(about);
    snprintf(about + used, sizeof about - used, "  %-20s %s\n", tacit_simulator_name(i),
             tacit_simulator_about(i));
  }
  int code =
      parse_options(&(command_line){.usage = "simulate NAME [--rows N] [--seed S] [--schema-out S.json]",
                                    .about = about,
                                    .options = options,
                                    .option_count = sizeof options / sizeof *options,
                                    .arguments = &name,
                                    .least = 1,
                                    .most = 1},
                    argc, argv);
  if (code >= 0) return code;
  const char *schema = tacit_simulator_schema(name);
  if (!schema) return usage_error("no simulator \"%s\"; see tacit simulate --help", name);
  if (schema_out && (code = write_text(schema_out, schema)) >= 0) return code;
  const char *region = tacit_simulator_region(name);
  if (region_out && !region) return usage_error("%s is about quantities and has no region", name);
  if (region_out && (code = write_text(region_out, region)) >= 0) return code;
  if (json) return print_machines(name, rows, seed, schema);
  tacit_error error;
  tacit_status status = tacit_simulate(name, rows, seed, to_stdout, NULL, &error);
  if (ferror(stdout)) return flushed(0);
  return status == TACIT_OK ? flushed(0) : fail(status, &error);
}
