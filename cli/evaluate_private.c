/* tacit evaluate --mu: the mean cost of a policy with noise, paid for from a ledger
   (proofs/private-evaluation.md). */
#include "evaluate.h"
#include "tally.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const ADJACENCY[] = {"replace-one", "add-remove"};
/* 95 % of a normal distribution lie within this many standard deviations. */
static const double WIDTH = 1.959964;

static json_t *estimate_json(const char *target, const tacit_estimate *e) {
  return json_pack("{s:s, s:f, s:f, s:[f, f], s:f, s:f}", "target", target, "mean_cost", e->mean_cost,
                   "standard_error", e->standard_error, "interval_95",
                   e->mean_cost - WIDTH * e->standard_error, e->mean_cost + WIDTH * e->standard_error,
                   "cost_bound", e->bound, "rows", e->rows);
}

/* The like of a policy's certificate: everything needed to recompute the guarantee. */
static json_t *privacy_json(const estimation *e, const tacit_schema *schema,
                            const tacit_estimate *estimates) {
  json_t *mechanisms = json_array();
  for (size_t t = 0; t < tacit_schema_targets(schema); t++) {
    const tacit_estimate *m = &estimates[t];
    json_array_append_new(mechanisms, json_pack("{s:s, s:s, s:i, s:f, s:f, s:f, s:i}", "release", "cost",
                                                "target", tacit_schema_target_name(schema, t), "grid_bits",
                                                m->grid_bits, "sensitivity", m->sensitivity, "sigma",
                                                m->sigma, "mu", m->mu, "count", 1));
  }
  return json_pack("{s:b, s:{s:s, s:f}, s:s, s:{s:I, s:s?}, s:o, s:{s:s, s:s}, s:s, s:o}", "private", 1,
                   "guarantee", "kind", "GDP", "mu", e->options.mu, "adjacency",
                   ADJACENCY[e->options.adjacency], "unit", "records_per_unit",
                   (json_int_t)tacit_schema_records_per_unit(schema), "column",
                   tacit_schema_unit_column(schema), "mechanisms", mechanisms, "noise", "source",
                   "operating system", "sampler", "exact rounded Gaussian", "schema_hash",
                   tacit_schema_hash(schema), "ledger", wallet_json(&e->wallet));
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
  for (size_t t = 0; t < targets; t++) {
    const tacit_estimate *m = &estimates[t];
    printf("\n%s, %.0f rows\n", tacit_schema_target_name(schema, t), m->rows);
    printf("  mean cost           %14.6g\n", m->mean_cost);
    printf(
        "    noise             %14.6g   (95 %% of the time the mean of these rows lies in %.6g ... %.6g)\n",
        m->standard_error, m->mean_cost - WIDTH * m->standard_error,
        m->mean_cost + WIDTH * m->standard_error);
    printf("  a row counts at most%14.6g   (--cost-bound)\n", m->bound);
  }
  if (tacit_schema_unit_column(schema)) printf("\nRows beyond a unit's limit count as no cost.\n");
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
  if (status == TACIT_OK)
    print_tally(source, schema); /* on standard error: what is printed else may leave the building */
  else
    wallet_regret(&e->wallet);
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
  if (status == TACIT_OK && code < 0 && !sound(policy)) code = TACIT_REFUSED;
  if (status == TACIT_OK && code < 0) status = tacit_source_open(table, &source, &error);
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
