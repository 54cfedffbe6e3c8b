/* tacit spo evaluate: what decisions cost on rows whose costs are known. Stamped NOT PRIVATE. */
#include "spo.h"
#include "table.h"
#include "tally.h"

#include <math.h>
#include <stdio.h>

static int print_people(const tacit_spo_evaluation *e) {
  printf("NOT PRIVATE: these figures are computed from the rows without noise. Guard them like the rows.\n");
  printf("\n%zu rows\n", e->rows);
  printf("  mean SPO loss       %14.6g   what was paid above the best decision's cost\n", e->mean_spo_loss);
  printf("  mean optimal cost   %14.6g   of the best decision, known afterwards\n", e->mean_optimal_cost);
  if (isfinite(e->normalized_spo_loss))
    printf("  normalised loss     %13.3f %%\n", 100 * e->normalized_spo_loss);
  return flushed(0);
}

static int print_machines(const tacit_spo_evaluation *e, json_t *cells) {
  return print_json(
      json_pack("{s:I, s:f, s:o, s:f, s:b, s:{s:o}}", "rows", (json_int_t)e->rows, "mean_spo_loss",
                e->mean_spo_loss, "normalized_spo_loss",
                isfinite(e->normalized_spo_loss) ? json_real(e->normalized_spo_loss) : json_null(),
                "mean_optimal_cost", e->mean_optimal_cost, "private", 0, "data_holder_only", "cells", cells));
}

int run_spo_evaluate(int argc, char **argv) {
  bool json = false;
  const char *arguments[2];
  table_form form = {0};
  const option options[] = {TABLE_FORM(form),
                            {"json", OPTION_FLAG, &json, NULL, "print one JSON object", NULL}};
  int code = parse_options(&(command_line){.usage = "spo evaluate POLICY TABLE",
                                           .about = "What a policy's decisions cost on a table with known "
                                                    "costs, clamped to the schema's bounds, above\n"
                                                    "the best decisions. NOT PRIVATE.",
                                           .options = options,
                                           .option_count = sizeof options / sizeof *options,
                                           .arguments = arguments,
                                           .least = 2,
                                           .most = 2},
                           argc, argv);
  if (code >= 0) return code;
  tacit_error error;
  tacit_context context;
  tacit_policy *policy = NULL;
  tacit_source *source = NULL;
  tacit_spo_evaluation result;
  cli_context(&context, 1);
  tacit_status status = read_region_policy(arguments[0], "evaluate", &policy, &error);
  if (status == TACIT_OK) status = open_as(arguments[1], &form, tacit_policy_schema(policy), &source, &error);
  if (status == TACIT_OK) status = tacit_spo_evaluate(policy, source, &result, &context, &error);
  progress_done();
  if (status != TACIT_OK)
    code = fail(status, &error);
  else
    code = json ? print_machines(&result, tally_json(source, tacit_policy_schema(policy)))
                : print_people(&result);
  if (status == TACIT_OK && !json) print_tally(source, tacit_policy_schema(policy));
  tacit_source_free(source);
  tacit_policy_free(policy);
  return code;
}
