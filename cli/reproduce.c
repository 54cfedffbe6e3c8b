/* tacit reproduce: a published table, the published method as we ran it, and tacit, side by side. */
#include "draw.h"

#include <stdio.h>
#include <string.h>
#include <tacit/papers.h>

typedef struct request {
  const char *name, *error_law, *out;
  tacit_reproduce_options reproduce;
  numbers epsilons, rows;
  size_t row_list[NUMBERS_MAX];
  size_t threads;
  bool json;
} request;

static void describe(char *about, size_t size) {
  size_t used = (size_t)snprintf(
      about, size,
      "Prints a published table, the published method as run here, and tacit's default learner.\n");
  for (size_t i = 0; tacit_reproduction_name(i) && used < size; i++)
    used += (size_t)snprintf(about + used, size - used, "  %-19s %s\n", tacit_reproduction_name(i),
                             tacit_reproduction_about(i));
}

static int parse_request(request *r, int argc, char **argv) {
  tacit_reproduce_options *o = &r->reproduce;
  const option options[] = {
      {"reps", OPTION_COUNT, &o->repetitions, "R", "repetitions (default: the paper's)", NULL},
      {"seed", OPTION_SEED, &o->seed, "S", "the same seed gives the same figures (default 1)", NULL},
      {"data", OPTION_TEXT, &o->data, "DIR", "folder with yaz_data.csv and yaz_target.csv", NULL},
      {"out", OPTION_TEXT, &r->out, "DIR",
       "folder for tables as CSV and figures (zhao-figures has a default)", NULL},
      {"columns", OPTION_COUNT, &o->columns, "D", "chen-*: 3 (default) or 51", NULL},
      {"error", OPTION_TEXT, &r->error_law, "E", "chen-*: exogenous (default) or endogenous errors", NULL},
      {"epsilon", OPTION_NUMBERS, &r->epsilons, "E", "chen-*: may be repeated", NULL},
      {"rows", OPTION_NUMBERS, &r->rows, "N", "chen-*, spo-smoothing*: may be repeated", NULL},
      {"delta", OPTION_NUMBER, &o->delta, "D", "chen-*: default the paper's 0.01", NULL},
      {"threads", OPTION_COUNT, &r->threads, "N", "threads; default one per core", NULL},
      {"json", OPTION_FLAG, &r->json, NULL, "print one JSON object", NULL},
  };
  char about[4096];
  describe(about, sizeof about);
  return parse_options(&(command_line){.usage = "reproduce NAME [--reps R] [--data DIR] [--out DIR]",
                                       .about = about,
                                       .options = options,
                                       .option_count = sizeof options / sizeof *options,
                                       .arguments = &r->name,
                                       .least = 1,
                                       .most = 1},
                       argc, argv);
}

static int complete(request *r) {
  tacit_reproduce_options *o = &r->reproduce;
  if (r->error_law && strcmp(r->error_law, "exogenous") != 0 && strcmp(r->error_law, "endogenous") != 0)
    return usage_error("--error must be exogenous or endogenous");
  o->endogenous = r->error_law && !strcmp(r->error_law, "endogenous");
  for (size_t i = 0; i < r->rows.count; i++) {
    if (!(r->rows.value[i] >= 1 && r->rows.value[i] <= 1e9))
      return usage_error("--rows must be a number of rows");
    r->row_list[i] = (size_t)r->rows.value[i];
  }
  if (r->rows.count) o->rows = r->row_list;
  if (r->epsilons.count) o->epsilons = r->epsilons.value;
  o->row_count = r->rows.count;
  o->epsilon_count = r->epsilons.count;
  o->seconds = seconds_now;
  if (!r->out && !strcmp(r->name, "zhao-figures")) r->out = "zhao-figures";
  return r->out ? plot_folder(r->out) : -1;
}

int run_reproduce(int argc, char **argv) {
  static request r;
  tacit_reproduce_options_init(&r.reproduce);
  int code = parse_request(&r, argc, argv);
  if (code < 0) code = complete(&r);
  if (code >= 0) return code;
  tacit_error error;
  tacit_context context;
  tacit_report *report = NULL;
  cli_context(&context, r.threads);
  tacit_status status = tacit_reproduce(r.name, &r.reproduce, &context, &report, &error);
  progress_done();
  code = status == TACIT_OK ? print_report(report, r.out, r.json) : fail(status, &error);
  tacit_report_free(report);
  return code;
}
