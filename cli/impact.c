/* tacit impact: what private ordering does to the newsvendor, its supplier and the value of features. */
#include "impact.h"
#include "draw.h"

#include <stdio.h>
#include <string.h>
#include <tacit/papers.h>

typedef struct request {
  tacit_impact_options impact;
  numbers slopes, epsilons, rows;
  size_t row_list[NUMBERS_MAX];
  const char *errors, *out, *table;
  pairs policies;
  size_t tables;
  size_t threads;
  bool json;
} request;

static int parse_request(request *r, int argc, char **argv) {
  const option options[] = {
      {"retail", OPTION_NUMBER, &r->impact.retail, "P", "retail price (default 10)", NULL},
      {"wholesale", OPTION_NUMBER, &r->impact.wholesale, "W", "wholesale price (default 6)", NULL},
      {"cost", OPTION_NUMBER, &r->impact.cost, "V", "the supplier's cost of a unit (default 4)", NULL},
      {"base", OPTION_NUMBER, &r->impact.base, "A", "mean demand (default 10)", NULL},
      {"slope", OPTION_NUMBERS, &r->slopes, "B", "demand per feature; repeat (default 1 and -0.5)", NULL},
      {"sd", OPTION_NUMBER, &r->impact.sd, "S", "standard deviation of the errors (default 1)", NULL},
      {"errors", OPTION_TEXT, &r->errors, "LAW", "normal (default) or laplace", NULL},
      {"rows", OPTION_NUMBERS, &r->rows, "N", "rows learned from; repeat (default 1000 and 10000)", NULL},
      {"epsilon", OPTION_NUMBERS, &r->epsilons, "E", "the guarantee; repeat (default 0.5, 1, 2)", NULL},
      {"delta", OPTION_NUMBER, &r->impact.delta, "D", "(default 0.01)", NULL},
      {"reps", OPTION_COUNT, &r->impact.repetitions, "R", "simulated tables (default 100)", NULL},
      {"seed", OPTION_SEED, &r->impact.seed, "S", "the same seed gives the same figures (default 1)", NULL},
      {"policy", OPTION_PAIRS, &r->policies, "P.json", "one's own, on TABLE, instead of a simulation; repeat",
       NULL},
      {"out", OPTION_TEXT, &r->out, "DIR", "folder for impact.csv and impact.png", NULL},
      {"threads", OPTION_COUNT, &r->threads, "N", "threads; default one per core", NULL},
      {"json", OPTION_FLAG, &r->json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){
          .usage = "impact [--retail P] [--wholesale W] [--cost V] [--rows N] [--epsilon E] | --policy "
                   "P.json TABLE",
          .about = "Says what private ordering does to a supply chain under a wholesale contract: bias and "
                   "variance of the\norder, the newsvendor's and the supplier's profit, the value of "
                   "features; by simulation. With --policy: what\npolicies earn whom on a table with known "
                   "demand. NOT PRIVATE then.",
          .options = options,
          .option_count = sizeof options / sizeof *options,
          .arguments = &r->table,
          .most = 1,
          .found = &r->tables},
      argc, argv);
  if (code >= 0) return code;
  if ((r->policies.count > 0) != (r->tables > 0)) return usage_error("give --policy and a table, or neither");
  if (r->errors && strcmp(r->errors, "normal") != 0 && strcmp(r->errors, "laplace") != 0)
    return usage_error("--errors must be normal or laplace");
  r->impact.laplace = r->errors && !strcmp(r->errors, "laplace");
  for (size_t i = 0; i < r->rows.count; i++) {
    if (!(r->rows.value[i] >= 1 && r->rows.value[i] <= 1e9))
      return usage_error("--rows must be a number of rows");
    r->row_list[i] = (size_t)r->rows.value[i];
  }
  return r->out ? plot_folder(r->out) : -1;
}

int run_impact(int argc, char **argv) {
  static request r;
  tacit_impact_options_init(&r.impact);
  int code = parse_request(&r, argc, argv);
  if (code >= 0) return code;
  if (r.policies.count) return impact_of_policies(&r.policies, r.table, &r.impact, r.json);
  if (r.slopes.count) r.impact.slopes = r.slopes.value;
  if (r.epsilons.count) r.impact.epsilons = r.epsilons.value;
  if (r.rows.count) r.impact.rows = r.row_list;
  r.impact.slope_count = r.slopes.count;
  r.impact.epsilon_count = r.epsilons.count;
  r.impact.row_count = r.rows.count;
  tacit_error error;
  tacit_context context;
  tacit_report *report = NULL;
  cli_context(&context, r.threads);
  tacit_status status = tacit_impact_published(&r.impact, &context, &report, &error);
  progress_done();
  code = status == TACIT_OK ? print_report(report, r.out, r.json) : fail(status, &error);
  tacit_report_free(report);
  return code;
}
