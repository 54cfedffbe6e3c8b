/* tacit evaluate: what a policy costs on rows whose demand is known. Stamped NOT PRIVATE, unless it is given
   a budget of its own. */
#include "evaluate.h"

#include "events.h"
#include "table.h"
#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct open_request {
  const char *policy, *table, *train, *by, *where;
  table_form form; /* of both tables */
  event_tables events;
  bool json;
} open_request;

static json_t *number_json(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

/* Were none of the orders above what was sold on days that sold out enough. */
static double least_service(const tacit_evaluation *e) {
  return e->service_level - (double)e->sold_out_covered / (double)e->rows;
}

static json_t *evaluation_json(const tacit_evaluation *e) {
  json_t *json = json_pack("{s:I, s:f, s:f, s:f, s:f, s:o, s:f, s:f, s:f, s:f, s:b}", "rows",
                           (json_int_t)e->rows, "mean_cost", e->mean_cost, "mean_underage_cost",
                           e->mean_underage_cost, "mean_overage_cost", e->mean_overage_cost, "service_level",
                           e->service_level, "fill_rate", number_json(e->fill_rate), "mean_shortage",
                           e->mean_shortage, "mean_leftover", e->mean_leftover, "mean_demand", e->mean_demand,
                           "mean_pinball", e->mean_pinball, "private", 0);
  json_object_set_new(json, "demand_beyond_bounds", json_integer((json_int_t)e->beyond));
  json_object_set_new(json, "cost_without_features", number_json(e->cost_without_features));
  json_object_set_new(json, "cost_without_privacy", number_json(e->cost_without_privacy));
  json_object_set_new(json, "cost_of_last_observation", number_json(e->cost_of_last));
  if (e->sold_out_told)
    json_object_set_new(
        json, "sold_out",
        json_pack("{s:I, s:f}", "rows", (json_int_t)e->sold_out, "service_level_at_least", least_service(e)));
  return json;
}

/* The figures of each target: one target's at the top level, several as a list. */
static json_t *targets_json(const tacit_policy *policy, const tacit_evaluation *results) {
  size_t targets = tacit_policy_goal_count(policy);
  json_t *list = json_array();
  for (size_t t = 0; t < targets; t++) {
    json_t *one = evaluation_json(&results[t]);
    json_object_set_new(one, "target", json_string(tacit_policy_goal_name(policy, t)));
    json_array_append_new(list, one);
  }
  if (targets > 1) return json_pack("{s:o}", "targets", list);
  json_t *only = json_incref(json_array_get(list, 0));
  json_decref(list);
  return only;
}

static int print_machines(const tacit_policy *policy, const tacit_evaluated *result,
                          const tacit_source *source, const open_request *r) {
  json_t *json = targets_json(policy, result->all);
  json_object_set_new(json, "comparison", json_string(result->hindsight ? "these rows" : "train"));
  json_t *list = r->by ? json_array() : NULL;
  for (size_t g = 0; g < result->groups; g++) {
    const tacit_evaluation *e = &result->by[g * result->targets];
    json_t *one = e->rows ? targets_json(policy, e) : json_pack("{s:i}", "rows", 0);
    json_object_set_new(one, "value", json_string(result->names[g]));
    json_array_append_new(list, one);
  }
  if (list) json_object_set_new(json, "by", json_pack("{s:s, s:o}", "column", r->by, "groups", list));
  json_object_set_new(json, "data_holder_only",
                      json_pack("{s:I, s:o}", "dropped_lag", (json_int_t)result->dropped, "cells",
                                tally_json(source, tacit_policy_schema(policy))));
  events_json(source, json_object_get(json, "data_holder_only"));
  return print_json(json);
}

static void print_cost(const char *name, double cost, double own) {
  if (!isfinite(cost)) return;
  printf("  %-19s %14.6g", name, cost);
  if (cost > 0) printf("   (the policy: %+.1f %%)", 100 * (own / cost - 1));
  printf("\n");
}

static void print_comparison(const tacit_evaluation *e, const open_request *r) {
  printf("  other orders' mean cost on these rows, %s\n",
         r->train ? "learned without privacy from --train"
                  : "in hindsight: learned without privacy from these very rows,\n"
                    "  which flatters them (--train TABLE learns them from other rows)");
  print_cost("  without features", e->cost_without_features, e->mean_cost);
  print_cost("  without privacy", e->cost_without_privacy, e->mean_cost);
  print_cost(r->by ? "  its last demand" : "  last row's demand", e->cost_of_last, e->mean_cost);
  if (!isfinite(e->cost_of_last)) return;
  if (r->by)
    printf("      (to order what the row before with the same %s asked for)\n", r->by);
  else
    printf("      (to order what the row before asked for: a rival where rows are one series in time)\n");
}

/* What is scored as demand is what was sold. */
static void print_sold(const tacit_evaluation *e, const char *column) {
  if (e->sold_out_told)
    printf("    (%zu of %zu rows sold out, and their demand was more than what is scored here: the service\n"
           "    level lies between %.2f and %.2f %%; ",
           e->sold_out, e->rows, 100 * least_service(e), 100 * e->service_level);
  else
    printf(
        "    (demand was more than what is scored here on rows that sold out, and the table has no column\n"
        "    \"%s\" that tells them: the service level is too high; ",
        column);
  printf("fill rate, leftovers and overage costs are too high,\n"
         "    shortages and underage costs too low)\n");
}

static void print_target(const tacit_policy *policy, size_t t, const tacit_evaluation *e,
                         const open_request *r) {
  const char *name = tacit_policy_goal_name(policy, t);
  printf("\n%s, %zu rows\n", name, e->rows);
  printf("  mean cost           %14.6g\n", e->mean_cost);
  printf("    underage          %14.6g\n", e->mean_underage_cost);
  printf("    overage           %14.6g\n", e->mean_overage_cost);
  double underage, overage;
  printf("  service level       %13.2f %%   of rows are covered", 100 * e->service_level);
  if (tacit_schema_target_costs(tacit_policy_schema(policy), tacit_policy_goal_target(policy, t), &underage,
                                &overage))
    printf("; what is asked for follows from the schema's tiers\n");
  else
    printf("; %.6g %% were asked for\n", 100 * tacit_policy_goal(policy, t).quantile);
  const char *sold =
      tacit_schema_target_sold_out(tacit_policy_schema(policy), tacit_policy_goal_target(policy, t));
  if (sold) print_sold(e, sold);
  if (isfinite(e->fill_rate))
    printf("  fill rate           %13.2f %%   of demand is met\n", 100 * e->fill_rate);
  printf("  mean shortage       %14.6g\n", e->mean_shortage);
  printf("  mean leftover       %14.6g\n", e->mean_leftover);
  printf("  mean pinball loss   %14.6g\n", e->mean_pinball);
  if (e->beyond)
    printf(
        "  %zu rows' demand lies beyond the schema's bounds; it is scored as it is, and orders end there\n",
        e->beyond);
  if (sold)
    printf("  no comparison: other orders would have learned what was sold, not demand\n");
  else
    print_comparison(e, r);
}

/* A cell may hold what would draw on a terminal. */
static void print_value(const char *value) {
  int width = 0;
  for (const char *c = value; *c; c++, width++) putchar((unsigned char)*c < ' ' || *c == 127 ? '?' : *c);
  width = padded(24, value) - width;
  printf("%*s", width > 0 ? width : 0, "");
}

static void print_groups(const tacit_evaluated *result, size_t t, const open_request *r) {
  bool compared = isfinite(result->all[t].cost_without_features);
  printf("\n  %-24s %8s %14s %10s %10s%s\n", r->by, "rows", "mean cost", "service", "fill rate",
         compared ? "    no features" : "");
  for (size_t g = 0; g < result->groups; g++) {
    const tacit_evaluation *e = &result->by[g * result->targets + t];
    printf("  ");
    print_value(result->names[g]);
    printf(" %8zu", e->rows);
    if (e->rows)
      printf(" %14.6g %8.2f %% %8.2f %%", e->mean_cost, 100 * e->service_level, 100 * e->fill_rate);
    if (e->rows && isfinite(e->cost_without_features)) printf(" %14.6g", e->cost_without_features);
    printf("\n");
  }
}

static int print_people(const tacit_policy *policy, const tacit_evaluated *result, const open_request *r) {
  printf("NOT PRIVATE: these figures are computed from the rows without noise. Guard them like the rows.\n");
  for (size_t t = 0; t < result->targets; t++) {
    print_target(policy, t, &result->all[t], r);
    if (r->by) print_groups(result, t, r);
  }
  if (result->all[0].rows == tacit_policy_rows(policy))
    printf("\nThese are as many rows as the policy was learned from: if they are the same, it looks better "
           "here than it "
           "is.\n");
  if (result->dropped) printf("\n%zu records lie before the lags' reach and are left out\n", result->dropped);
  return flushed(0);
}

/* In the form of the other table, whose neighbour it is after a split. */
static tacit_status open_train(const open_request *r, const tacit_schema *schema, tacit_source **source,
                               tacit_error *error) {
  tacit_status status = open_as(r->train, &r->form, schema, source, error);
  if (status == TACIT_OK) return TACIT_OK;
  tacit_error named = *error;
  snprintf(error->text, sizeof error->text, "--train: %.480s", named.text);
  return status;
}

static tacit_status open_scored(const open_request *r, const tacit_schema *schema, tacit_source **source,
                                tacit_error *error) {
  if (r->events.events) return open_events(&r->events, &r->form, r->where, schema, source, error);
  tacit_status status = open_as(r->table, &r->form, schema, source, error);
  if (status == TACIT_OK) warn_of_lags(r->where, schema);
  return status == TACIT_OK ? keep_where(r->where, source, error) : status;
}

static int evaluate_openly(const open_request *r) {
  tacit_error error;
  tacit_context context;
  tacit_policy *policy = NULL;
  tacit_source *source = NULL;
  tacit_evaluate_options options = {.by = r->by};
  tacit_evaluated *result = NULL;
  int code;
  cli_context(&context, 0);
  tacit_status status = tacit_policy_read(r->policy, &policy, &error);
  if (status == TACIT_OK) status = open_scored(r, tacit_policy_schema(policy), &source, &error);
  if (status == TACIT_OK && r->train)
    status = open_train(r, tacit_policy_schema(policy), &options.train, &error);
  if (status == TACIT_OK) status = tacit_evaluate(policy, source, &options, &context, &result, &error);
  progress_done();
  if (status != TACIT_OK)
    code = fail(status, &error);
  else
    code = r->json ? print_machines(policy, result, source, r) : print_people(policy, result, r);
  if (status == TACIT_OK && !r->json) print_events(source);
  if (status == TACIT_OK && !r->json) print_tally(source, tacit_policy_schema(policy));
  tacit_evaluated_free(result);
  tacit_source_free(options.train);
  tacit_source_free(source);
  tacit_policy_free(policy);
  return code;
}

int run_evaluate(int argc, char **argv) {
  const char *arguments[2] = {NULL, NULL}, *adjacency = NULL;
  open_request r = {0};
  estimation e = {.wallet = {.wait = WAIT_DEFAULT}};
  bool private = false, other[7] = {false};
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
      {"period", OPTION_TEXT, &e.wallet.period, "NAME",
       "with --mu: which period TABLE's records are of, for a label with a budget for each", &other[6]},
      {"wait", OPTION_COUNT, &e.wallet.wait, "S", "seconds to wait for a ledger in use (default 30)", NULL},
      {"train", OPTION_TEXT, &r.train, "TABLE",
       "learn the orders to compare with from these rows, in TABLE's form, not from TABLE's own", NULL},
      {"where", OPTION_TEXT, &r.where, "CONDITION", "only the records of TABLE that meet it: \"shop = 24\"",
       NULL},
      {"by", OPTION_TEXT, &r.by, "COLUMN", "figures for each value of a column, for the data holder", NULL},
      EVENT_TABLES(r.events),
      TABLE_FORM(r.form),
      {"json", OPTION_FLAG, &e.json, NULL, "print one JSON object", NULL},
  };
  int code = parse_options(&(command_line){.usage = "evaluate POLICY TABLE [--mu M]",
                                           .about = "What a policy costs on a table with known demand, "
                                                    "scored as the table has it, beside what orders\n"
                                                    "without features, without privacy and by the last row "
                                                    "would cost. NOT PRIVATE; with --mu, the\n"
                                                    "mean cost alone, with noise, paid for from a ledger.",
                                           .options = options,
                                           .option_count = sizeof options / sizeof *options,
                                           .arguments = arguments,
                                           .least = 1,
                                           .most = 2},
                           argc, argv);
  if (code >= 0) return code;
  for (size_t i = 0; !private && i < sizeof other / sizeof *other; i++)
    if (other[i]) return usage_error("--%s goes with --mu", options[i + 1].name);
  r.policy = arguments[0];
  r.table = arguments[1];
  r.json = e.json;
  code = check_events(&r.events, r.table);
  if (code >= 0) return code;
  if (!r.table && !r.events.events)
    return usage_error("too few arguments; usage: tacit evaluate POLICY TABLE, see tacit evaluate --help");
  if (!private) return evaluate_openly(&r);
  if (r.by || r.train || r.where)
    return usage_error("--%s is for the data holder's eyes: leave out --mu", r.by      ? "by"
                                                                             : r.train ? "train"
                                                                                       : "where");
  if (e.no_ledger && e.wallet.path) return usage_error("give --ledger or --no-ledger, not both");
  e.form = r.form;
  e.events = r.events;
  code = set_adjacency(adjacency, &e.options.adjacency);
  return code >= 0 ? code : evaluate_privately(&e, arguments[0], arguments[1]);
}
