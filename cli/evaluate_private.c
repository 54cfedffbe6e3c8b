/* tacit evaluate --mu: the mean cost of a policy with noise, paid for from a ledger
   (proofs/private-evaluation.md). */
#include "evaluate.h"
#include "tally.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const ADJACENCY[] = {"replace-one", "add-remove"};

static json_t *estimate_json(const char *target, const tacit_estimate *e) {
  return json_pack("{s:s, s:f, s:f, s:[f, f], s:f, s:b, s:f, s:[f, f], s:f, s:b}", "target", target,
                   "mean_cost", e->cost.value, "standard_error", e->standard_error, "interval_95",
                   e->cost.low, e->cost.high, "cost_bound", e->bound, "cost_bound_is_private", e->bound_found,
                   "share_of_rows_cut", e->cut.value, "share_cut_interval_95", e->cut.low, e->cut.high,
                   "rows", e->rows, "rows_are_public", e->rows_public);
}

/* The like of a policy's certificate: everything needed to recompute the guarantee. */
static json_t *privacy_json(const estimation *e, const tacit_schema *schema,
                            const tacit_estimate *estimates) {
  json_t *mechanisms = json_array();
  for (size_t t = 0; t < tacit_schema_targets(schema); t++)
    for (size_t k = 0; k < estimates[t].release_count; k++) {
      const tacit_estimate_release *m = &estimates[t].releases[k];
      json_array_append_new(mechanisms,
                            json_pack("{s:s, s:s, s:i, s:f, s:f, s:f, s:I}", "release", m->what, "target",
                                      tacit_schema_target_name(schema, t), "grid_bits",
                                      estimates[t].grid_bits, "sensitivity", m->sensitivity, "sigma",
                                      m->sigma, "mu", m->mu, "count", (json_int_t)m->count));
    }
  return json_pack("{s:b, s:{s:s, s:f}, s:s, s:{s:I, s:s?}, s:o, s:{s:s, s:s}, s:s, s:o}", "private", 1,
                   "guarantee", "kind", "GDP", "mu", e->options.mu, "adjacency",
                   ADJACENCY[e->options.adjacency], "unit", "records_per_unit",
                   (json_int_t)tacit_schema_records_per_unit(schema), "column",
                   tacit_schema_unit_column(schema), "mechanisms", mechanisms, "noise", "source",
                   "operating system", "sampler", "exact rounded Gaussian", "schema_hash",
                   tacit_schema_hash(schema), "ledger", wallet_json(&e->wallet));
}

static void print_estimate(const char *target, const tacit_estimate *e) {
  printf("\n%s, %.0f rows%s\n", target, e->rows, e->rows_public ? "" : " (a noisy count)");
  printf("  mean cost           %14.6g   (95 %% of the time the mean of these rows lies in %.6g ... %.6g)\n",
         e->cost.value, e->cost.low, e->cost.high);
  printf("  a row counts at most%14.6g   (%s)\n", e->bound,
         e->bound_found ? "found by noisy counts; --cost-bound gives a public one" : "--cost-bound");
  printf("  rows that cost more %13.1f %%   (%.1f ... %.1f %%)\n", 100 * e->cut.value, 100 * e->cut.low,
         100 * e->cut.high);
}

static int report(const estimation *e, const tacit_schema *schema, const tacit_estimate *estimates) {
  size_t targets = tacit_schema_targets(schema);
  if (e->json) {
    json_t *json;
    json_t *list = targets > 1 ? json_array() : NULL;
    for (size_t t = 0; list && t < targets; t++)
      json_array_append_new(list, estimate_json(tacit_schema_target_name(schema, t), &estimates[t]));
    json = list ? json_pack("{s:o}", "targets", list)
                : estimate_json(tacit_schema_target_name(schema, 0), &estimates[0]);
    json_object_set_new(json, "private", json_true());
    json_object_set_new(json, "privacy", privacy_json(e, schema, estimates));
    return print_json(json);
  }
  char mu[ROUNDED_SIZE];
  printf("%s-Gaussian differential privacy, %s: this figure may leave the building.\n",
         rounded_up(mu, 6, e->options.mu), ADJACENCY[e->options.adjacency]);
  for (size_t t = 0; t < targets; t++) print_estimate(tacit_schema_target_name(schema, t), &estimates[t]);
  printf("\n");
  wallet_print(&e->wallet);
  return flushed(0);
}

/* A rule that came from rows without noise would carry them into the figure. */
static bool sound(const tacit_policy *policy) {
  tacit_verdict verdict;
  tacit_policy_verify(policy, &verdict);
  if (!verdict.holds)
    fputs("tacit: the policy does not verify, so its coefficients may come from rows without noise and carry "
          "them into this figure; evaluate a policy for which tacit verify holds\n",
          stderr);
  return verdict.holds;
}

/* The rule and its unit costs in plain arrays; false without memory. */
static bool fill(estimation *e, const tacit_policy *policy, double *memory) {
  const tacit_schema *schema = tacit_policy_schema(policy);
  size_t targets = tacit_schema_targets(schema), columns = tacit_schema_columns(schema);
  if (!memory) return false;
  double *underage = memory + targets * columns, *overage = underage + targets, *spread = overage + targets;
  for (size_t t = 0; t < targets; t++) {
    tacit_goal goal = tacit_policy_goal(policy, t);
    underage[t] = goal.underage > 0 ? goal.underage : goal.quantile;
    overage[t] = goal.underage > 0 ? goal.overage : 1 - goal.quantile;
    for (size_t j = 0; j < columns; j++) memory[t * columns + j] = tacit_policy_coefficient(policy, t, j);
    for (size_t j = 0; j < columns; j++)
      spread[t * (columns + 1) + j] = tacit_policy_log_spread(policy, t, j);
    spread[t * (columns + 1) + columns] = tacit_policy_spreads(policy, t);
  }
  e->options.coefficients = memory;
  e->options.spread = tacit_policy_has_spread(policy) ? spread : NULL;
  e->options.underage = underage;
  e->options.overage = overage;
  return true;
}

static int estimate(estimation *e, const tacit_policy *policy, tacit_source *source) {
  const tacit_schema *schema = tacit_policy_schema(policy);
  size_t targets = tacit_schema_targets(schema), columns = tacit_schema_columns(schema);
  double *memory = calloc(targets * (2 * columns + 3), sizeof *memory);
  tacit_estimate *estimates = calloc(targets, sizeof *estimates);
  tacit_error error = {"not enough memory"};
  tacit_context context;
  tacit_status status = TACIT_INTERNAL;
  cli_context(&context, 1);
  if (fill(e, policy, memory) && estimates)
    status = tacit_estimate_cost(schema, source, &e->options, &context, estimates, &error);
  progress_done();
  int code = status == TACIT_OK ? report(e, schema, estimates) : fail(status, &error);
  if (status == TACIT_OK) { /* on standard error: what is printed else may leave the building */
    print_events(source);
    print_tally(source, schema);
  }
  if (status != TACIT_OK) wallet_regret(&e->wallet);
  free(estimates);
  free(memory);
  return code;
}

int evaluate_privately(estimation *e, const char *policy_path, const char *table) {
  tacit_error error;
  tacit_policy *policy = NULL;
  tacit_source *source = NULL;
  int code = -1;
  tacit_status status = tacit_policy_read(policy_path, &policy, &error);
  if (status == TACIT_OK && tacit_policy_goal(policy, 0).quantile == 0)
    code = usage_error("this policy decides over a region; --mu is for policies that order");
  if (status == TACIT_OK && code < 0 &&
      tacit_policy_goal_count(policy) != tacit_schema_targets(tacit_policy_schema(policy)))
    code = usage_error(
        "this policy orders for several quantiles; --mu is for policies with one: leave it out, or "
        "fit the one that you need by itself");
  if (status == TACIT_OK && code < 0 && !sound(policy)) code = TACIT_REFUSED;
  if (status == TACIT_OK && code < 0)
    status = e->events.events
                 ? open_events(&e->events, &e->form, NULL, tacit_policy_schema(policy), &source, &error)
                 : open_as(table, &e->form, tacit_policy_schema(policy), &source, &error);
  if (status != TACIT_OK) code = fail(status, &error);
  if (code < 0 && !e->no_ledger) {
    code =
        wallet_open(&e->wallet, e->options.mu, "evaluate", tacit_policy_schema(policy), e->options.adjacency);
    e->options.spend = tacit_ledger_pay;
    e->options.spend_user = &e->wallet.payment;
  }
  if (code < 0) code = estimate(e, policy, source);
  wallet_close(&e->wallet);
  tacit_source_free(source);
  tacit_policy_free(policy);
  return code;
}
