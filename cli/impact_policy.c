/* tacit impact with policies of one's own: what they earn a shop and its supplier on rows whose demand is
 * known. */
#include "impact.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>

static json_t *to_json(const char *name, const char *target, const tacit_impact_share *s) {
  return json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:b}", "policy", name, "target", target, "order",
                   s->order, "demand", s->demand, "newsvendor_profit", s->newsvendor, "supplier_profit",
                   s->supplier, "newsvendor_share", s->newsvendor / (s->newsvendor + s->supplier), "cost",
                   s->cost, "private", 0);
}

static void print_line(const char *name, const char *target, const tacit_impact_share *s) {
  double both = s->newsvendor + s->supplier;
  printf("%-24.24s  %-16.16s  %-10.6g  %-10.6g  %-10.6g  %-10.6g  %-8.4f  %.6g\n", name, target, s->order,
         s->demand, s->newsvendor, s->supplier, s->newsvendor / both, s->cost);
}

/* One policy, all of its goals. */
static int add_policy(const char *path, const char *table, const tacit_impact_options *prices, json_t *list) {
  tacit_error error;
  tacit_context context;
  tacit_policy *policy = NULL;
  tacit_source *source = NULL;
  tacit_evaluated *result = NULL;
  cli_context(&context, 1);
  tacit_status status = tacit_policy_read(path, &policy, &error);
  if (status == TACIT_OK)
    status = open_as(table, &(table_form){0}, tacit_policy_schema(policy), &source, &error);
  if (status == TACIT_OK && tacit_schema_target_sold_out(tacit_policy_schema(policy), 0))
    fprintf(stderr,
            "tacit: %s: what is called demand here is what was sold; on rows that sold out it was more, "
            "and orders above that earn more than these figures say\n",
            path);
  if (status == TACIT_OK) status = tacit_evaluate(policy, source, NULL, &context, &result, &error);
  progress_done();
  for (size_t g = 0; status == TACIT_OK && g < result->targets; g++) {
    tacit_impact_share share;
    status = tacit_impact_of(prices, &result->all[g], &share, &error);
    if (status != TACIT_OK) break;
    if (list)
      json_array_append_new(list, to_json(path, tacit_policy_goal_name(policy, g), &share));
    else
      print_line(path, tacit_policy_goal_name(policy, g), &share);
  }
  tacit_evaluated_free(result);
  tacit_source_free(source);
  tacit_policy_free(policy);
  return status == TACIT_OK ? -1 : fail(status, &error);
}

int impact_of_policies(const pairs *policies, const char *table, const tacit_impact_options *prices,
                       bool json) {
  json_t *list = json ? json_array() : NULL;
  int code = -1;
  if (!json) {
    printf(
        "NOT PRIVATE: these figures are computed from the rows without noise. Guard them like the rows.\n\n");
    printf("%-24s  %-16s  %-10s  %-10s  %-10s  %-10s  %-8s  %s\n", "policy", "target", "order", "demand",
           "newsvendor", "supplier", "share", "cost");
  }
  for (size_t i = 0; i < policies->count && code < 0; i++)
    code = add_policy(policies->text[i], table, prices, list);
  if (code >= 0) {
    json_decref(list);
    return code;
  }
  return json ? print_json(json_pack("{s:o}", "policies", list)) : flushed(0);
}
