/* tacit reproduce: a published table, the published method as we ran it, and tacit, side by side. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_json(const tacit_study_row *r) {
  json_t *steps = json_array();
  for (int i = 0; i < TACIT_STEP_SIZES; i++)
    if (isfinite(r->by_step[i]))
      json_array_append_new(steps, json_pack("{s:i, s:f, s:f}", "step", i + 1, "figure", r->by_step[i], "se",
                                             r->by_step_se[i]));
  return json_pack("{s:s, s:o, s:f, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "label",
                   r->label, "quantile", number(r->quantile), "mu", r->mu, "n", (json_int_t)r->rows,
                   "repetitions", (json_int_t)r->repetitions, "paper", number(r->paper), "paper_sd",
                   number(r->paper_sd), "published", number(r->published), "published_se",
                   number(r->published_se), "published_step", number(r->best_step), "published_by_step",
                   steps, "line_search", number(r->line_search), "line_search_se", number(r->line_search_se),
                   "tacit", number(r->tacit), "tacit_se", number(r->tacit_se));
}

/* A figure with its standard error, or a dash. */
static void print_cell(double value, double se) {
  char text[32] = "-";
  if (isfinite(value) && isfinite(se))
    snprintf(text, sizeof text, "%.5g (%.2g)", value, se);
  else if (isfinite(value))
    snprintf(text, sizeof text, "%.5g", value);
  printf("  %-18s", text);
}

static int print_people(const char *name, const tacit_study_row *rows, size_t count, const char *notes) {
  bool bars = !strncmp(name, "default-", 8); /* these have a bar where others have a paper's figure */
  int width = bars ? 28 : 22;
  printf("%-*s %-8s %-6s", width, "", "tau", "mu");
  printf("  %-18s  %-18s  %-6s  %-18s  %-18s\n", bars ? "bar" : "paper (sd)", "published (se)", "step",
         "line search (se)", "tacit (se)");
  for (size_t i = 0; i < count; i++) {
    const tacit_study_row *r = &rows[i];
    char mu[16] = "none";
    if (r->mu > 0) snprintf(mu, sizeof mu, "%.3g", r->mu);
    char quantile[16] = "-";
    if (isfinite(r->quantile)) snprintf(quantile, sizeof quantile, "%.4g", r->quantile);
    printf("%-*s %-8s %-6s", width, r->label, quantile, mu);
    print_cell(r->paper, r->paper_sd);
    print_cell(r->published, r->published_se);
    if (isfinite(r->best_step))
      printf("  %-6.3g", r->best_step);
    else
      printf("  %-6s", "-");
    print_cell(r->line_search, r->line_search_se);
    print_cell(r->tacit, r->tacit_se);
    putchar('\n');
  }
  printf("\n%s\n", notes);
  return flushed(0);
}

static int print_machines(const char *name, const tacit_study_row *rows, size_t count, const char *notes) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) json_array_append_new(list, row_json(&rows[i]));
  return print_json(json_pack("{s:s, s:o, s:s}", "study", name, "rows", list, "notes", notes));
}

int run_reproduce(int argc, char **argv) {
  tacit_study_options study;
  tacit_study_options_init(&study);
  bool json = false;
  size_t threads = 0;
  const char *name;
  const option options[] = {
      {"reps", OPTION_COUNT, &study.repetitions, "R", "repetitions (default: the paper's)", NULL},
      {"seed", OPTION_SEED, &study.seed, "S", "the same seed gives the same figures (default 1)", NULL},
      {"data", OPTION_TEXT, &study.data, "DIR", "folder with yaz_data.csv and yaz_target.csv", NULL},
      {"out", OPTION_TEXT, &study.out, "DIR", "folder for the figures' files (default zhao-figures)", NULL},
      {"threads", OPTION_COUNT, &threads, "N", "threads; default one per core", NULL},
      {"json", OPTION_FLAG, &json, NULL, "print one JSON object", NULL},
  };
  char about[2048] =
      "Prints a published table, the published method as run here, and tacit's default learner.\n";
  for (size_t i = 0; tacit_study_name(i); i++) {
    size_t used = strlen(about);
    snprintf(about + used, sizeof about - used, "  %-18s %s\n", tacit_study_name(i), tacit_study_about(i));
  }
  int code = parse_options("reproduce NAME [--reps R] [--data DIR] [--out DIR]", about, options,
                           sizeof options / sizeof *options, argc, argv, &name, 1, 1, NULL);
  if (code >= 0) return code;
  tacit_error error;
  tacit_context context;
  tacit_study_row *rows = NULL;
  size_t count = 0;
  char notes[2048] = "";
  cli_context(&context, threads);
  tacit_status status = tacit_reproduce(name, &study, &context, &rows, &count, notes, &error);
  progress_done();
  if (status != TACIT_OK)
    code = fail(status, &error);
  else
    code = json ? print_machines(name, rows, count, notes) : print_people(name, rows, count, notes);
  free(rows);
  return code;
}
