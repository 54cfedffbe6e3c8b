/* tacit simulate: the papers' data and a realistic restaurant, as CSV, with its public schema. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static tacit_status to_stdout(void *user, const char *text, size_t length) {
  (void)user;
  return fwrite(text, 1, length, stdout) == length ? TACIT_OK : TACIT_INTERNAL;
}

static int write_schema(const char *path, const char *schema) {
  FILE *file = fopen(path, "w");
  bool good = file && fputs(schema, file) >= 0;
  if (file) good = fclose(file) == 0 && good;
  if (good) return -1;
  fprintf(stderr, "tacit: cannot write %s\n", path);
  return TACIT_INTERNAL;
}

int run_simulate(int argc, char **argv) {
  size_t rows = 0;
  uint64_t seed = 1;
  const char *schema_out = NULL, *name;
  const option options[] = {
      {"rows", OPTION_COUNT, &rows, "N", "number of rows (default: the simulator's own)", NULL},
      {"seed", OPTION_SEED, &seed, "S", "the same seed gives the same rows (default 1)", NULL},
      {"schema-out", OPTION_TEXT, &schema_out, "S.json", "write the public schema of this data there", NULL},
  };
  char about[1024] = "Prints simulated rows as CSV. There are:\n";
  for (size_t i = 0; tacit_simulator_name(i); i++) {
    size_t used = strlen(about);
    snprintf(about + used, sizeof about - used, "  %-14s %s\n", tacit_simulator_name(i),
             tacit_simulator_about(i));
  }
  int code = parse_options("simulate NAME [--rows N] [--seed S] [--schema-out S.json]", about, options, 3,
                           argc, argv, &name, 1, 1, NULL);
  if (code >= 0) return code;
  const char *schema = tacit_simulator_schema(name);
  if (!schema) return usage_error("no simulator \"%s\"; see tacit simulate --help", name);
  if (schema_out && (code = write_schema(schema_out, schema)) >= 0) return code;
  tacit_error error;
  tacit_status status = tacit_simulate(name, rows, seed, to_stdout, NULL, &error);
  if (ferror(stdout)) return flushed(0);
  return status == TACIT_OK ? flushed(0) : fail(status, &error);
}
