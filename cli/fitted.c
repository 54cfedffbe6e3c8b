/* The asked guarantee, and what `fit` says of a policy it made. */
#include "fitted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int set_guarantee(guarantee *g, const char *method, tacit_promise may) {
  tacit_error error;
  bool pair = g->has_epsilon || g->has_delta;
  if (g->has_epsilon != g->has_delta) return usage_error("--epsilon and --delta go together");
  if (pair && g->has_mu) return usage_error("give --mu, or --epsilon and --delta, not both");
  if (may == TACIT_PROMISE_NOTHING && (pair || g->has_mu))
    return usage_error("--method %s is not private: leave out the guarantee, or choose another method",
                       method);
  if (may == TACIT_PROMISE_NOTHING) return -1;
  if (!pair && !g->has_mu)
    return usage_error("give the guarantee: --mu M (0.5 is a reasonable promise), or --epsilon and --delta");
  if (may == TACIT_PROMISE_PAIR && g->has_mu)
    return usage_error(
        "--method %s is not Gaussian, so no mu describes its guarantee: give --epsilon and --delta", method);
  if (may == TACIT_PROMISE_PAIR || !pair) return -1;
  tacit_status status = tacit_gdp_mu(g->epsilon, g->delta, &g->mu, &error);
  g->epsilon = g->delta = 0;
  return status == TACIT_OK ? -1 : fail(status, &error);
}

void print_counts(const tacit_fit_counts *counts) {
  printf("read %zu records, learned from %zu rows", counts->records, counts->rows);
  if (counts->dropped_lag) printf("; %zu dropped before the lags' reach", counts->dropped_lag);
  if (counts->dropped_unit)
    printf("; %zu dropped beyond a unit's limit, behind a record with the same key, or for want of what they "
           "look up",
           counts->dropped_unit);
  if (!counts->rows) printf(": the policy is made of noise alone");
  printf("\n");
}

/* How many of so many coefficients people see; the others are in the file. */
static size_t shown_of(size_t count) {
  return count > 40 ? 30 : count;
}

static void print_others(size_t count) {
  if (shown_of(count) < count) printf("  ... %zu more, in the policy file\n", count - shown_of(count));
}

/* Room for the names of all columns, within reason. */
static int names_width(const tacit_schema *schema) {
  size_t width = 28, most = 60;
  for (size_t j = 0; j < tacit_schema_columns(schema); j++) {
    const char *name = tacit_schema_column_name(schema, j);
    size_t length = strlen(name) - (size_t)padded(0, name);
    if (length > width) width = length < most ? length : most;
  }
  return (int)width;
}

static void print_number(int width, const char *name, double number) {
  printf("  %-*s %14.6g\n", padded(width, name), name, number);
}

/* A number with its standard error and the interval of 90 %. */
static void print_sure(int width, const char *name, double number, double error) {
  const double reach = 1.6448536269514722 * error;
  printf("  %-*s %14.6g %12.3g %14.6g %14.6g\n", padded(width, name), name, number, error, number - reach,
         number + reach);
}

bool print_errors(const tacit_policy *policy, size_t target) {
  const tacit_schema *schema = tacit_policy_schema(policy);
  size_t p = tacit_schema_columns(schema);
  int width = names_width(schema);
  double *errors = calloc(2 * p + 1, sizeof *errors);
  bool known = errors && tacit_policy_standard_errors(policy, target, errors);
  if (known) {
    printf("  %-*s %14s %12s %14s %14s\n", width, "", "", "std. error", "90 % from", "to");
    for (size_t j = 0; j < shown_of(p); j++)
      print_sure(width, tacit_schema_column_name(schema, j), tacit_policy_coefficient(policy, target, j),
                 errors[j]);
    print_others(p);
  }
  if (known && tacit_policy_has_spread(policy)) {
    print_sure(width, "plus so many spreads:", tacit_policy_spreads(policy, target), errors[2 * p]);
    printf("the logarithm of the spread:\n");
    for (size_t j = 0; j < shown_of(p); j++)
      print_sure(width, tacit_schema_column_name(schema, j), tacit_policy_log_spread(policy, target, j),
                 errors[p + j]);
    print_others(p);
  }
  free(errors);
  return known;
}

static json_t *target_errors(const tacit_policy *policy, size_t target, double *errors) {
  const tacit_schema *schema = tacit_policy_schema(policy);
  size_t p = tacit_schema_columns(schema);
  if (!tacit_policy_standard_errors(policy, target, errors)) return json_null();
  json_t *all = json_object(), *b = json_object(), *g = json_object();
  bool spread = tacit_policy_has_spread(policy);
  for (size_t j = 0; j < p; j++) {
    json_object_set_new(b, tacit_schema_column_name(schema, j), json_real(errors[j]));
    if (spread) json_object_set_new(g, tacit_schema_column_name(schema, j), json_real(errors[p + j]));
  }
  json_object_set(all, "coefficients", b);
  if (spread) json_object_set(all, "logarithm", g);
  if (spread) json_object_set_new(all, "spreads", json_real(errors[2 * p]));
  json_decref(b);
  json_decref(g);
  return all;
}

json_t *errors_json(const tacit_policy *policy) {
  const tacit_schema *schema = tacit_policy_schema(policy);
  double *errors = calloc(2 * tacit_schema_columns(schema) + 1, sizeof *errors);
  json_t *all = errors ? json_object() : json_null();
  for (size_t t = 0; errors && t < tacit_schema_targets(schema); t++)
    json_object_set_new(all, tacit_schema_target_name(schema, t), target_errors(policy, t, errors));
  free(errors);
  return all;
}

void print_promise(const tacit_policy *policy, const wallet *w) {
  char statement[1024];
  double epsilon, mu = tacit_policy_mu(policy);
  tacit_policy_statement(policy, statement);
  print_wrapped(statement);
  if (mu > 0 && tacit_gdp_epsilon(mu, 1e-5, &epsilon, NULL) == TACIT_OK)
    printf("The same as (epsilon, delta): (%.3f, 1e-5).\n", ceil(epsilon * 1e3) / 1e3);
  print_beliefs(policy);
  wallet_print(w);
}

json_t *fitted_json(const char *out, const tacit_policy *policy, const wallet *w,
                    const tacit_fit_counts *counts, json_t *cells) {
  char statement[1024];
  tacit_policy_statement(policy, statement);
  return json_pack("{s:s, s:s, s:b, s:f, s:f, s:f, s:s, s:o, s:o, s:{s:I, s:I, s:I, s:I, s:o}}", "policy",
                   out, "method", tacit_policy_method(policy), "private", tacit_policy_private(policy), "mu",
                   tacit_policy_mu(policy), "epsilon", tacit_policy_epsilon(policy), "delta",
                   tacit_policy_delta(policy), "statement", statement, "attacker", beliefs_json(policy),
                   "ledger", wallet_json(w), "data_holder_only", "records", (json_int_t)counts->records,
                   "rows", (json_int_t)counts->rows, "dropped_lag", (json_int_t)counts->dropped_lag,
                   "dropped_unit", (json_int_t)counts->dropped_unit, "cells", cells);
}

/* Quantiles of one target share the spread, which is printed once; a goal that has none of it says nothing.
 */
static void print_spread(const tacit_policy *policy, size_t g) {
  const tacit_schema *schema = tacit_policy_schema(policy);
  double spreads = tacit_policy_spreads(policy, g);
  int width = names_width(schema);
  bool same = g > 0 && tacit_policy_spreads(policy, g - 1) != 0;
  if (!tacit_policy_has_spread(policy) || spreads == 0) return;
  for (size_t j = 0; same && j < tacit_schema_columns(schema); j++)
    same = tacit_policy_log_spread(policy, g, j) == tacit_policy_log_spread(policy, g - 1, j);
  printf(same ? "plus %.6g times the same spread\n" : "plus %.6g times the spread, whose logarithm is:\n",
         spreads);
  size_t columns = same ? 0 : tacit_schema_columns(schema);
  for (size_t j = 0; j < shown_of(columns); j++)
    print_number(width, tacit_schema_column_name(schema, j), tacit_policy_log_spread(policy, g, j));
  print_others(columns);
}

void print_coefficients(const tacit_policy *policy) {
  const tacit_schema *schema = tacit_policy_schema(policy);
  int width = names_width(schema);
  for (size_t g = 0; g < tacit_policy_goal_count(policy); g++) {
    tacit_goal goal = tacit_policy_goal(policy, g);
    size_t t = tacit_policy_goal_target(policy, g);
    double unit = tacit_schema_target_log_unit(schema, t);
    double most, over;
    if (tacit_schema_target_costs(schema, t, &most, &over))
      printf("\norder of %s (for the schema's costs in tiers)", tacit_schema_target_name(schema, t));
    else
      printf("\norder of %s (quantile %.4g)", tacit_schema_target_name(schema, t), goal.quantile);
    if (unit == 1) printf(", as log(1 + order)");
    if (unit > 0 && unit != 1) printf(", as log(1 + order / %.6g)", unit);
    printf(":\n");
    if (print_errors(policy, t)) continue;
    for (size_t j = 0; j < shown_of(tacit_schema_columns(schema)); j++)
      print_number(width, tacit_schema_column_name(schema, j), tacit_policy_coefficient(policy, g, j));
    print_others(tacit_schema_columns(schema));
    print_spread(policy, g);
  }
}
