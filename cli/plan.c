/* tacit plan: what a guarantee will cost, in money and percent, before any row is read. */
#include "draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct request {
  const char *schema, *adjacency, *out;
  numbers underage, overage, quantile;
  goal_list goals;
  tacit_plan_options plan;
  size_t threads;
  bool json;
} request;

static json_t *cell_json(const tacit_plan_row *row) {
  return json_pack("{s:f, s:I, s:b, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "mu", row->mu, "n",
                   (json_int_t)row->rows, "extrapolated", row->extrapolated, "cost", row->cost,
                   "cost_without_privacy", row->cost_without_privacy, "cost_without_features",
                   row->cost_without_features, "percent", row->percent, "percent_se", row->percent_se,
                   "worst_case", row->worst_case, "worst_case_percent", row->worst_case_percent, "rate",
                   row->rate);
}

static int print_machines(const request *r, const tacit_plan_result *result, bool all_drawn) {
  json_t *rows = json_array(), *assumptions = json_array();
  for (size_t i = 0; i < result->mu_count * result->size_count; i++)
    json_array_append_new(rows, cell_json(&result->rows[i]));
  for (size_t i = 0; i < result->assumption_count; i++)
    json_array_append_new(assumptions, json_string(result->assumptions[i]));
  json_t *json =
      json_pack("{s:o, s:f, s:I, s:I, s:s, s:s, s:o}", "rows", rows, "mu", r->plan.mu, "n",
                (json_int_t)r->plan.rows, "repetitions", (json_int_t)result->repetitions, "recommendation",
                result->recommendation, "worst_case", result->worst_case, "assumptions", assumptions);
  if (json && r->out && all_drawn) json_object_set_new(json, "picture", json_string(r->out));
  return print_json(json);
}

/* A column, padded unless it is the last. */
static void print_column(const tacit_plan_result *result, size_t k, const char *text) {
  bool last = k + 1 == result->size_count;
  printf("  %-*s%s", last ? 0 : 24, text, last ? "\n" : "");
}

/* Cost and percent, with its standard error where there is one. */
static void cell_text(char text[64], double cost, double percent, double se) {
  if (fabs(percent) < 0.05) percent = 0; /* no "-0.0" */
  int length = snprintf(text, 64, "%.4g  %+.1f %%", cost, percent);
  if (!isnan(se)) snprintf(text + length, 64 - (size_t)length, " (%.1f)", se);
}

/* The rows that are the same for every mu: without privacy, without features. */
static void print_baselines(const tacit_plan_result *result) {
  char text[64];
  printf("%-12s", "no privacy");
  for (size_t k = 0; k < result->size_count; k++) {
    snprintf(text, sizeof text, "%.4g", result->rows[k].cost_without_privacy);
    print_column(result, k, text);
  }
  printf("%-12s", "no features");
  for (size_t k = 0; k < result->size_count; k++) {
    double with = result->rows[k].cost_without_privacy, without = result->rows[k].cost_without_features;
    cell_text(text, without, 100 * (without / with - 1), NAN);
    print_column(result, k, text);
  }
  if (result->rows[result->size_count - 1].extrapolated) printf("* extrapolated\n");
}

static void print_guarantee(const tacit_plan_result *result, const tacit_plan_row *rows) {
  char text[64];
  printf("%-12.3g", rows[0].mu);
  for (size_t k = 0; k < result->size_count; k++) {
    cell_text(text, rows[k].cost, rows[k].percent, rows[k].percent_se);
    print_column(result, k, text);
  }
  printf("%-12s", "  worst case");
  for (size_t k = 0; k < result->size_count; k++) {
    snprintf(text, sizeof text, "within %+.0f %%", rows[k].worst_case_percent);
    print_column(result, k, text);
  }
}

static void print_grid(const tacit_plan_result *result) {
  printf("Cost per row, and percent above learning without privacy (standard error):\n\n%-12s", "mu");
  for (size_t k = 0; k < result->size_count; k++) {
    char text[64];
    snprintf(text, sizeof text, "%zu rows%s", result->rows[k].rows, result->rows[k].extrapolated ? " *" : "");
    print_column(result, k, text);
  }
  for (size_t m = 0; m < result->mu_count; m++)
    print_guarantee(result, result->rows + m * result->size_count);
  print_baselines(result);
}

static int print_people(const tacit_plan_result *result) {
  print_grid(result);
  printf("\n%s\n\n%s\n\nAssumptions:\n", result->recommendation, result->worst_case);
  for (size_t i = 0; i < result->assumption_count; i++) printf("- %s\n", result->assumptions[i]);
  return flushed(0);
}

static int parse_request(request *r, int argc, char **argv) {
  const option options[] = {
      {"rows", OPTION_COUNT, &r->plan.rows, "N", "rows that the table will have (needed)", NULL},
      {"schema", OPTION_TEXT, &r->schema, "S.json", "the public facts about the table (needed)", NULL},
      {"underage", OPTION_NUMBERS, &r->underage, "B", "cost of a missing unit; repeat for several targets",
       NULL},
      {"overage", OPTION_NUMBERS, &r->overage, "H", "cost of a unit left over", NULL},
      {"quantile", OPTION_NUMBERS, &r->quantile, "TAU", "instead of costs: the share of demand to cover",
       NULL},
      {"mu", OPTION_NUMBER, &r->plan.mu, "M", "the guarantee in question (default 0.5)", NULL},
      {"adjacency", OPTION_TEXT, &r->adjacency, "A", "replace-one (default) or add-remove", NULL},
      {"reps", OPTION_COUNT, &r->plan.repetitions, "R",
       "simulated problems (default 20, fewer for many columns)", NULL},
      {"seed", OPTION_SEED, &r->plan.seed, "S", "the same seed gives the same figures (default 1)", NULL},
      {"out", OPTION_TEXT, &r->out, "FILE", "draw percent against mu: FILE.png or FILE.svg", NULL},
      {"threads", OPTION_COUNT, &r->threads, "N", "threads; default one per core", NULL},
      {"json", OPTION_FLAG, &r->json, NULL, "print one JSON object", NULL},
  };
  const char *none;
  int code = parse_options(
      &(command_line){
          .usage = "plan --rows N --schema S.json --underage B --overage H [--mu M] [--out FILE.png]",
          .about = "Says what a guarantee will cost, before any row is read: the default learner on "
                   "simulated rows that fit\nthe schema, for several guarantees and numbers of rows.",
          .options = options,
          .option_count = sizeof options / sizeof *options,
          .arguments = &none},
      argc, argv);
  if (code >= 0) return code;
  if (!r->schema)
    return usage_error(
        "--schema is needed: the public facts about the table (tacit simulate writes an example)");
  if (!r->plan.rows) return usage_error("--rows is needed: how many rows the table will have");
  code = set_adjacency(r->adjacency, &r->plan.adjacency);
  return code < 0 && r->out ? draw_plan_check(r->out) : code;
}

static int report(const request *r, const tacit_plan_result *result) {
  bool all_drawn = false;
  int code = r->out ? draw_plan(r->out, result, &all_drawn) : -1;
  if (code >= 0) return code;
  code = r->json ? print_machines(r, result, all_drawn) : print_people(result);
  if (!r->out || code) return code;
  if (!all_drawn) {
    fprintf(stderr,
            "tacit: no picture: gnuplot is not installed or failed; the script that draws it is beside %s, "
            "with the ending .gp\n",
            r->out);
    return TACIT_INTERNAL;
  }
  if (!r->json) printf("\nwritten: %s\n", r->out);
  return flushed(0);
}

int run_plan(int argc, char **argv) {
  request r = {0};
  tacit_plan_options_init(&r.plan);
  int code = parse_request(&r, argc, argv);
  if (code >= 0) return code;
  tacit_error error;
  tacit_context context;
  tacit_schema *schema = NULL;
  tacit_plan_result *result = NULL;
  tacit_status status = tacit_schema_read(r.schema, &schema, &error);
  if (status == TACIT_OK) {
    code = set_goals(&r.underage, &r.overage, &r.quantile, tacit_schema_targets(schema), &r.goals);
    r.plan.goals = r.goals.goals;
    r.plan.goal_count = r.goals.count;
  }
  if (status == TACIT_OK && code < 0) {
    cli_context(&context, r.threads);
    status = tacit_plan(schema, &r.plan, &context, &result, &error);
    progress_done();
  }
  if (status != TACIT_OK)
    code = fail(status, &error);
  else if (code < 0)
    code = report(&r, result);
  tacit_plan_free(result);
  tacit_schema_free(schema);
  return code;
}
