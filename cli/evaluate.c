/* tacit evaluate: what a policy costs on rows whose demand is known. Stamped NOT PRIVATE, unless it is given
   a budget of its own. */
#include "evaluate.h"
#include "tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *to_json(const char *target, const tacit_evaluation *e) {
  return json_pack("{s:s, s:I, s:f, s:f, s:f, s:f, s:f, s:b}", "target", target, "rows", (json_int_t)e->rows,
                   "mean_cost", e->mean_cost, "mean_underage_cost", e->mean_underage_cost,
                   "mean_overage_cost", e->mean_overage_cost, "service_level", e->service_level,
                   "mean_pinball", e->mean_pinball, "private", 0);
}

static int print_people(const tacit_schema *schema, const tacit_evaluation *results) {
  printf("NOT PRIVATE: these figures are computed from the rows without noise. Guard them like the rows.\n");
  for (size_t t = 0; t < tacit_schema_targets(schema); t++) {
    const tacit_evaluation *e = &results[t];
    printf("\n%s, %zu rows\n", tacit_schema_target_name(schema, t), e->rows);
    printf("  mean cost           %14.6g\n", e->mean_cost);
    printf("    underage          %14.6g\n", e->mean_underage_cost);
    printf("    overage           %14.6g\n", e->mean_overage_cost);
    printf("  service level       %13.2f %%\n", 100 * e->service_level);
    printf("  mean pinball loss   %14.6g\n", e->mean_pinball);
  }
  return flushed(0);
}

/* One target: its figures at the top level; several: a list. */
static json_t *results_json(const tacit_schema *schema, const tacit_evaluation *results) {
  size_t targets = tacit_schema_targets(schema);
  if (targets == 1) return to_json(tacit_schema_target_name(schema, 0), &results[0]);
  json_t *list = json_array();
  for (size_t t = 0; t < targets; t++)
    json_array_append_new(list, to_json(tacit_schema_target_name(schema, t), &results[t]));
  return json_pack("{s:o}", "targets", list);
}

static int print_machines(const tacit_schema *schema, const tacit_evaluation *results,
                          const tacit_source *source) {
  json_t *json = results_json(schema, results);
  json_object_set_new(json, "data_holder_only", json_pack("{s:o}", "cells", tally_json(source, schema)));
  return print_json(json);
}

static int evaluate_openly(const char *const *arguments, bool json) {
  tacit_error error;
  tacit_context context;
  tacit_policy *policy = NULL;
  tacit_source *source = NULL;
  tacit_evaluation *results = NULL;
  int code;
  cli_context(&context, 1);
  tacit_status status = tacit_policy_read(arguments[0], &policy, &error);
  if (status == TACIT_OK) status = tacit_source_open(arguments[1], &source, &error);
  if (status == TACIT_OK) {
    results = calloc(tacit_schema_targets(tacit_policy_schema(policy)), sizeof *results);
    status = results ? tacit_evaluate(policy, source, results, &context, &error) : TACIT_INTERNAL;
    if (!results) snprintf(error.text, sizeof error.text, "not enough memory");
  }
  progress_done();
  if (status != TACIT_OK)
    code = fail(status, &error);
  else
    code = json ? print_machines(tacit_policy_schema(policy), results, source)
                : print_people(tacit_policy_schema(policy), results);
  if (status == TACIT_OK && !json) print_tally(source, tacit_policy_schema(policy));
  free(results);
  tacit_source_free(source);
  tacit_policy_free(policy);
  return code;
}

int run_evaluate(int argc, char **argv) {
  const char *arguments[2], *adjacency = NULL;
  estimation e = {.wallet = {.wait = WAIT_DEFAULT}};
  bool private = false, other[6] = {false};
  const option options[] = {
      {"mu", OPTION_NUMBER, &e.options.mu, "M", "release the mean cost with noise instead, mu-GDP", &private},
      {"cost-bound", OPTION_NUMBER, &e.options.bound, "C",
       "with --mu: a public bound of a row's cost, below the schema's", &other[0]},
      {"adjacency", OPTION_TEXT, &adjacency, "A", "with --mu: replace-one (default) or add-remove",
       &other[1]},
      {"nominal-rows", OPTION_COUNT, &e.options.nominal_rows, "N",
       "with --mu: public number of rows, for add-remove", &other[2]},
      {"label", OPTION_TEXT, &e.wallet.label, "NAME", "with --mu: whose budget pays (default: default)",
       &other[3]},
      {"ledger", OPTION_TEXT, &e.wallet.path, "L.db", "with --mu: the ledger to spend from", &other[4]},
      {"no-ledger", OPTION_FLAG, &e.no_ledger, NULL, "with --mu: keep no record of the spending", &other[5]},
      {"wait", OPTION_COUNT, &e.wallet.wait, "S", "seconds to wait for a ledger in use (default 30)", NULL},
      {"json", OPTION_FLAG, &e.json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(
      &(command_line){
          .usage = "evaluate POLICY TABLE [--mu M]",
          .about =
              "Mean cost, service level and pinball loss of a policy on a table with known demand,\n"
              "with the table's values clamped to the schema's bounds. NOT PRIVATE; with --mu, the mean\n"
              "cost alone, with noise, paid for from a ledger.",
          .options = options,
          .option_count = sizeof options / sizeof *options,
          .arguments = arguments,
          .least = 2,
          .most = 2},
      argc, argv);
  if (code >= 0) return code;
  for (size_t i = 0; !private && i < sizeof other / sizeof *other; i++)
    if (other[i]) return usage_error("--%s goes with --mu", options[i + 1].name);
  if (!private) return evaluate_openly(arguments, e.json);
  if (e.no_ledger && e.wallet.path) return usage_error("give --ledger or --no-ledger, not both");
  code = set_adjacency(adjacency, &e.options.adjacency);
  return code >= 0 ? code : evaluate_privately(&e, arguments[0], arguments[1]);
}
