/* The asked guarantee, and what `fit` says of a policy it made. */
#include "fitted.h"

#include <math.h>
#include <stdio.h>

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
  if (counts->dropped_unit) printf("; %zu dropped beyond a unit's limit", counts->dropped_unit);
  printf("\n");
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
