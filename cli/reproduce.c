/* tacit reproduce: a published table, the published method as we ran it, and tacit, side by side. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/papers.h>

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

/* Chen and Chua's studies: tables of their own. */
typedef struct chen_request {
  size_t columns;
  const char *error_law;
  numbers epsilons, rows;
  double delta;
} chen_request;

static bool is_report(const char *name) {
  for (size_t i = 0; tacit_report_name(i); i++)
    if (!strcmp(name, tacit_report_name(i))) return true;
  return false;
}

static int run_report(const char *name, const tacit_study_options *study, const chen_request *chen,
                      size_t threads, bool json) {
  tacit_report_options options;
  tacit_report *report = NULL;
  tacit_error error;
  tacit_context context;
  static size_t rows[NUMBERS_MAX];
  tacit_report_options_init(&options);
  options.repetitions = study->repetitions;
  options.seed = study->seed;
  options.out = study->out;
  options.columns = chen->columns;
  options.delta = chen->delta;
  options.seconds = seconds_now;
  if (chen->error_law && strcmp(chen->error_law, "exogenous") != 0 &&
      strcmp(chen->error_law, "endogenous") != 0)
    return usage_error("--error must be exogenous or endogenous");
  options.endogenous = chen->error_law && !strcmp(chen->error_law, "endogenous");
  if (chen->epsilons.count) options.epsilons = chen->epsilons.value;
  options.epsilon_count = chen->epsilons.count;
  for (size_t i = 0; i < chen->rows.count; i++) {
    if (!(chen->rows.value[i] >= 1 && chen->rows.value[i] <= 1e9))
      return usage_error("--rows must be a number of rows");
    rows[i] = (size_t)chen->rows.value[i];
  }
  if (chen->rows.count) options.rows = rows;
  options.row_count = chen->rows.count;
  cli_context(&context, threads);
  tacit_status status = tacit_report_make(name, &options, &context, &report, &error);
  progress_done();
  int code = status == TACIT_OK ? print_report(report, json) : fail(status, &error);
  tacit_report_free(report);
  return code;
}

int run_reproduce(int argc, char **argv) {
  tacit_study_options study;
  tacit_study_options_init(&study);
  static chen_request chen;
  bool json = false;
  size_t threads = 0;
  const char *name;
  const option options[] = {
      {"reps", OPTION_COUNT, &study.repetitions, "R", "repetitions (default: the paper's)", NULL},
      {"seed", OPTION_SEED, &study.seed, "S", "the same seed gives the same figures (default 1)", NULL},
      {"data", OPTION_TEXT, &study.data, "DIR", "folder with yaz_data.csv and yaz_target.csv", NULL},
      {"out", OPTION_TEXT, &study.out, "DIR", "folder for the figures' files (zhao-figures has a default)",
       NULL},
      {"columns", OPTION_COUNT, &chen.columns, "D", "chen-*: 3 (default) or 51", NULL},
      {"error", OPTION_TEXT, &chen.error_law, "E", "chen-*: exogenous (default) or endogenous errors", NULL},
      {"epsilon", OPTION_NUMBERS, &chen.epsilons, "E", "chen-*: may be repeated", NULL},
      {"rows", OPTION_NUMBERS, &chen.rows, "N", "chen-*: may be repeated", NULL},
      {"delta", OPTION_NUMBER, &chen.delta, "D", "chen-*: default the paper's 0.01", NULL},
      {"threads", OPTION_COUNT, &threads, "N", "threads; default one per core", NULL},
      {"json", OPTION_FLAG, &json, NULL, "print one JSON object", NULL},
  };
  char about[4096] =
      "Prints a published table, the published method as run here, and tacit's default learner.\n";
  for (size_t i = 0; tacit_study_name(i); i++) {
    size_t used = strlen(about);
    snprintf(about + used, sizeof about - used, "  %-18s %s\n", tacit_study_name(i), tacit_study_about(i));
  }
  for (size_t i = 0; tacit_report_name(i); i++) {
    size_t used = strlen(about);
    snprintf(about + used, sizeof about - used, "  %-18s %s\n", tacit_report_name(i), tacit_report_about(i));
  }
  int code = parse_options("reproduce NAME [--reps R] [--data DIR] [--out DIR]", about, options,
                           sizeof options / sizeof *options, argc, argv, &name, 1, 1, NULL);
  if (code >= 0) return code;
  if (is_report(name)) return run_report(name, &study, &chen, threads, json);
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
