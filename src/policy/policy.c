/* The released artefact: made from a fit, kept in the user's own units, asked for decisions. */
#include "policy/policy.h"

#include "num/normal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tacit_status tacit_policy_allocate(tacit_policy *policy, tacit_error *error) {
  size_t targets = policy->schema->target_count, cells = targets * policy->schema->columns;
  policy->goals = tacit_alloc(targets, sizeof *policy->goals);
  policy->raw = tacit_alloc(cells, sizeof(double));
  policy->encoded = tacit_alloc(cells, sizeof(double));
  return policy->goals && policy->raw && policy->encoded ? TACIT_OK : tacit_no_memory(error);
}

/* A schema is its JSON: the copy is parsed from it, and was held to the same limits when it was read. */
static tacit_status copy_schema(const tacit_schema *schema, tacit_schema **copy, tacit_error *error) {
  char *text = tacit_json_text(schema->json, JSON_COMPACT | JSON_REAL_PRECISION(17));
  if (!text) return tacit_no_memory(error);
  tacit_status status = tacit_schema_parse(text, strlen(text), copy, error);
  free(text);
  return status;
}

tacit_status tacit_policy_fill(tacit_policy *policy, const tacit_schema *schema, const double *coefficients,
                               const tacit_certificate *certificate, const tacit_goal *goals,
                               tacit_error *error) {
  TACIT_TRY(copy_schema(schema, &policy->schema, error));
  TACIT_TRY(tacit_policy_allocate(policy, error));
  TACIT_TRY(tacit_certificate_copy(certificate, &policy->certificate, error));
  memcpy(policy->schema_hash, policy->schema->hash, sizeof policy->schema_hash);
  size_t p = policy->schema->columns;
  for (size_t t = 0; t < policy->schema->target_count; t++) {
    if (goals) policy->goals[t] = goals[t];
    tacit_schema_user_units(policy->schema, t, coefficients + t * p, policy->raw + t * p);
    for (size_t j = 0; j < p; j++)
      /* of a private fit it never does: units, options and whitening have limits of their own */
      if (!(fabs(policy->raw[t * p + j]) <= TACIT_COEFFICIENT_MAX))
        return tacit_fail(
            error, TACIT_INTERNAL,
            "a coefficient leaves the range of numbers in the user's units; choose wider bounds");
    tacit_schema_encoded_units(policy->schema, t, policy->raw + t * p, policy->encoded + t * p);
  }
  return TACIT_OK;
}

tacit_status tacit_policy_new(const tacit_schema *schema, const double *coefficients,
                              const tacit_certificate *certificate, const tacit_goal *goals,
                              tacit_policy **policy, tacit_error *error) {
  *policy = NULL;
  tacit_policy *made = tacit_alloc(1, sizeof *made);
  if (!made) return tacit_no_memory(error);
  made->version = TACIT_POLICY_VERSION;
  tacit_status status = tacit_policy_fill(made, schema, coefficients, certificate, goals, error);
  if (status != TACIT_OK) {
    tacit_policy_free(made);
    return status;
  }
  *policy = made;
  return TACIT_OK;
}

void tacit_policy_free(tacit_policy *policy) {
  if (!policy) return;
  tacit_policy_free_uncertainty(policy);
  tacit_schema_free(policy->schema);
  tacit_certificate_free(policy->certificate);
  json_decref(policy->file);
  tacit_region_free(policy->region);
  free(policy->goals);
  free(policy->raw);
  free(policy->encoded);
  free(policy->raw_spread);
  free(policy->encoded_spread);
  free(policy);
}

const tacit_schema *tacit_policy_schema(const tacit_policy *policy) {
  return policy->schema;
}

tacit_goal tacit_policy_goal(const tacit_policy *policy, size_t target) {
  return policy->goals[target];
}

bool tacit_policy_private(const tacit_policy *policy) {
  return policy->certificate && policy->certificate->private;
}

double tacit_policy_mu(const tacit_policy *policy) {
  return tacit_policy_private(policy) ? policy->certificate->mu : 0;
}

double tacit_policy_epsilon(const tacit_policy *policy) {
  return tacit_policy_private(policy) ? policy->certificate->epsilon : 0;
}

tacit_adjacency tacit_policy_adjacency(const tacit_policy *policy) {
  return policy->certificate ? policy->certificate->adjacency : TACIT_REPLACE_ONE;
}

bool tacit_policy_result_rows(const tacit_policy *policy) {
  return policy->certificate && policy->certificate->result_rows;
}

double tacit_policy_delta(const tacit_policy *policy) {
  return tacit_policy_private(policy) ? policy->certificate->delta : 0;
}

const char *tacit_policy_method(const tacit_policy *policy) {
  return policy->certificate ? policy->certificate->method : "unknown";
}

void tacit_policy_set_receipt(tacit_policy *policy, const tacit_receipt *receipt) {
  if (policy->certificate) policy->certificate->receipt = *receipt;
}

const tacit_receipt *tacit_policy_receipt(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  return c && c->receipt.sequence ? &c->receipt : NULL;
}

double tacit_policy_coefficient(const tacit_policy *policy, size_t target, size_t column) {
  return policy->raw[target * policy->schema->columns + column];
}

/* Demand never leaves its bounds, so an order beyond them could only cost more. */
double tacit_policy_decide(const tacit_policy *policy, size_t target, const double *x) {
  const tacit_scale *scale = &policy->schema->targets[target].scale;
  const tacit_rule rule = tacit_policy_rule(policy, target);
  double order = tacit_rule_order(&rule, x);
  return tacit_scale_decode(scale, fmax(-scale->limit, fmin(scale->limit, order)));
}

/* The best guess between two tables: (1 + total variation) / 2. Phi(mu/2) for mu-GDP; under (epsilon, delta)
   total variation is at most (e^epsilon - 1 + 2 delta) / (e^epsilon + 1). */
static double guess_probability(const tacit_certificate *c) {
  if (c->mu > 0) return tacit_normal_cdf(c->mu / 2);
  return fmin(1, (1 + c->delta * exp(-c->epsilon)) / (1 + exp(-c->epsilon)));
}

/* The shortest of 4 digits or more that is not below x: a promise is never shown stronger than it is. */
static const char *rounded_up(double x, char text[32]) {
  for (int digits = 4; digits <= 17; digits++) {
    snprintf(text, 32, "%.*g", digits, x);
    if (strtod(text, NULL) >= x) break;
  }
  return text;
}

void tacit_policy_statement(const tacit_policy *policy, char text[1024]) {
  const tacit_certificate *c = policy->certificate;
  if (!c) {
    snprintf(text, 1024,
             "This policy carries no certificate: nothing is promised about the records behind it.");
    return;
  }
  if (!c->private) {
    snprintf(text, 1024,
             "This policy is NOT PRIVATE: %s. It may reveal records and must be guarded like them.",
             c->reason);
    return;
  }
  const char *unit = policy->schema->unit_column ? "one unit (limited by dropping its surplus rows)"
                     : c->rows_per_unit > 1      ? "one unit (its number of rows is asserted, not enforced)"
                     : c->result_rows            ? "one row of a query's result"
                                                 : "one row of the table";
  char promise[80], first[32], second[32];
  if (c->mu > 0)
    snprintf(promise, sizeof promise, "%s-Gaussian", rounded_up(c->mu, first));
  else
    snprintf(promise, sizeof promise, "(%s, %s)-", rounded_up(c->epsilon, first),
             rounded_up(c->delta, second));
  snprintf(
      text, 1024,
      "What the %s in this file tell about the data of %s (%zu row%s%s) is limited by %s%s"
      "differential privacy: someone who knows all other rows, and guesses whether that data %s, is right "
      "with "
      "probability at most %.1f %%, where a coin is right with 50 %%. Not covered are %s computed from "
      "private features, the schema's own contents, and errors, exit codes, progress and timing seen by "
      "whoever "
      "ran the fit.",
      policy->raw_spread ? "coefficients and the spread" : "coefficients", unit, c->rows_per_unit,
      c->rows_per_unit > 1 ? "s" : "",
      c->result_rows ? "; nothing is promised about the records that the result was computed from" : "",
      promise, c->mu > 0 ? " " : "",
      c->adjacency == TACIT_REPLACE_ONE ? "is the one or the other of two possibilities"
      : c->result_rows                  ? "is in the result"
                                        : "is in the table",
      fmin(ceil(1000 * guess_probability(c) + 1e-9) / 10, 100), policy->region ? "decisions" : "orders");
}
