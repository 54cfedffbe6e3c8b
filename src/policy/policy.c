/* The released artefact: made from a fit, kept in the user's own units, asked for decisions. */
#include "policy/policy.h"

#include "method/state.h"
#include "num/normal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tacit_status open_goals(tacit_policy *policy, const tacit_goal *goals, size_t count,
                               tacit_error *error) {
  double quantiles[TACIT_QUANTILES_MAX] = {0};
  for (size_t g = 0; goals && g < count && g < TACIT_QUANTILES_MAX; g++) quantiles[g] = goals[g].quantile;
  return tacit_goals_open(policy->schema, quantiles, goals ? count : 0, &policy->by_goal, error);
}

/* Costs in tiers are the schema's to say: a goal has their dearest rates, and the quantile that follows. */
static tacit_status take_tiers(tacit_policy *policy, size_t g, tacit_error *error) {
  const tacit_schema *schema = &policy->by_goal.schema;
  tacit_goal *goal = &policy->goals[g], tiers;
  if (!tacit_schema_target_costs(schema, g, &tiers.underage, &tiers.overage)) return TACIT_OK;
  tiers.quantile = tiers.underage / (tiers.underage + tiers.overage);
  bool plain = goal->underage == 0 && goal->overage == 0;
  bool same = goal->underage == tiers.underage && goal->overage == tiers.overage;
  if (tacit_goals_several(schema) || goal->quantile != tiers.quantile || !(plain || same))
    return tacit_fail(error, TACIT_BAD_INPUT,
                      "the schema says what the target costs, in tiers; the goal says otherwise");
  *goal = tiers;
  return TACIT_OK;
}

tacit_status tacit_policy_set_goals(tacit_policy *policy, const tacit_goal *goals, size_t count,
                                    tacit_error *error) {
  TACIT_TRY(open_goals(policy, goals, count, error));
  size_t cells = tacit_policy_goal_count(policy) * policy->schema->columns;
  if (goals && count != tacit_policy_goal_count(policy))
    return tacit_fail(error, TACIT_USAGE, "the schema has %zu targets, but %zu goals were given",
                      policy->schema->target_count, count);
  policy->goals = tacit_alloc(tacit_policy_goal_count(policy), sizeof *policy->goals);
  policy->raw = tacit_alloc(cells, sizeof(double));
  policy->encoded = tacit_alloc(cells, sizeof(double));
  if (!policy->goals || !policy->raw || !policy->encoded) return tacit_no_memory(error);
  for (size_t g = 0; goals && g < count; g++) policy->goals[g] = goals[g];
  for (size_t g = 0; goals && g < count; g++) TACIT_TRY(take_tiers(policy, g, error));
  return TACIT_OK;
}

/* A schema is its JSON: the copy is parsed from it, and was held to the same limits when it was read. */
static tacit_status copy_schema(const tacit_schema *schema, tacit_schema **copy, tacit_error *error) {
  char *text = tacit_json_text(schema->json, JSON_COMPACT | JSON_REAL_PRECISION(17));
  if (!text) return tacit_no_memory(error);
  tacit_status status = tacit_schema_parse(text, strlen(text), copy, error);
  free(text);
  return status;
}

tacit_status tacit_policy_fill(tacit_policy *policy, const tacit_learned *learned, tacit_error *error) {
  TACIT_TRY(copy_schema(learned->schema, &policy->schema, error));
  TACIT_TRY(tacit_policy_set_goals(policy, learned->goals, learned->goal_count, error));
  TACIT_TRY(tacit_certificate_copy(learned->certificate, &policy->certificate, error));
  memcpy(policy->schema_hash, policy->schema->hash, sizeof policy->schema_hash);
  size_t p = policy->schema->columns;
  const tacit_schema *schema = &policy->by_goal.schema;
  for (size_t t = 0; t < schema->target_count; t++) {
    tacit_schema_user_units(schema, t, learned->coefficients + t * p, policy->raw + t * p);
    for (size_t j = 0; j < p; j++)
      /* of a private fit it never does: units, options and whitening have limits of their own */
      if (!(fabs(policy->raw[t * p + j]) <= TACIT_COEFFICIENT_MAX))
        return tacit_fail(
            error, TACIT_INTERNAL,
            "a coefficient leaves the range of numbers in the user's units; choose wider bounds");
    tacit_schema_encoded_units(schema, t, policy->raw + t * p, policy->encoded + t * p);
  }
  return learned->spread ? tacit_policy_fill_spread(policy, learned->spread, error) : TACIT_OK;
}

tacit_status tacit_policy_make(const tacit_learned *learned, const tacit_region *region,
                               tacit_policy **policy, tacit_error *error) {
  *policy = NULL;
  tacit_policy *made = tacit_alloc(1, sizeof *made);
  if (!made) return tacit_no_memory(error);
  made->version = TACIT_POLICY_VERSION;
  made->region = region ? tacit_region_share(region) : NULL;
  tacit_status status = tacit_policy_fill(made, learned, error);
  if (status != TACIT_OK) {
    tacit_policy_free(made);
    return status;
  }
  *policy = made;
  return TACIT_OK;
}

tacit_status tacit_policy_new(const tacit_schema *schema, const double *coefficients,
                              const tacit_certificate *certificate, const tacit_goal *goals,
                              tacit_policy **policy, tacit_error *error) {
  const tacit_learned learned = {.schema = schema,
                                 .coefficients = coefficients,
                                 .certificate = certificate,
                                 .goals = goals,
                                 .goal_count = schema->target_count};
  return tacit_policy_make(&learned, NULL, policy, error);
}

void tacit_policy_free(tacit_policy *policy) {
  if (!policy) return;
  tacit_goals_close(&policy->by_goal);
  tacit_policy_free_uncertainty(policy);
  tacit_state_free(policy->state);
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

size_t tacit_policy_goal_count(const tacit_policy *policy) {
  return policy->by_goal.schema.target_count;
}

tacit_goal tacit_policy_goal(const tacit_policy *policy, size_t goal) {
  return policy->goals[goal];
}

const char *tacit_policy_goal_name(const tacit_policy *policy, size_t goal) {
  return policy->by_goal.schema.targets[goal].name;
}

size_t tacit_policy_goal_target(const tacit_policy *policy, size_t goal) {
  return policy->by_goal.schema.targets[goal].column;
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

size_t tacit_policy_rows(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  return c && c->adjacency == TACIT_REPLACE_ONE ? (size_t)c->rows : 0;
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
static double order_by_itself(const tacit_policy *policy, size_t goal, const double *x) {
  const tacit_scale *scale = &policy->by_goal.schema.targets[goal].scale;
  const tacit_rule rule = tacit_policy_rule(policy, goal);
  double order = tacit_rule_order(&rule, x);
  return tacit_scale_decode(scale, fmax(-scale->limit, fmin(scale->limit, order)));
}

/* Each quantile has slopes of its own, so that their orders may cross far from most rows: sorted, they are
   never further from the truth than they were. */
double tacit_policy_decide(const tacit_policy *policy, size_t goal, const double *x) {
  if (!tacit_goals_several(&policy->by_goal.schema)) return order_by_itself(policy, goal, x);
  double orders[TACIT_QUANTILES_MAX];
  for (size_t g = 0; g < tacit_policy_goal_count(policy); g++) {
    double order = order_by_itself(policy, g, x);
    size_t at = g;
    for (; at > 0 && orders[at - 1] > order; at--) orders[at] = orders[at - 1];
    orders[at] = order;
  }
  return orders[goal];
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

/* Whether what a unit adds was clipped as a whole. */
static bool is_whole(const tacit_policy *policy) {
  return policy->schema->unit_column && tacit_certificate_find(policy->certificate, "units");
}

/* Whom it protects, in words. */
static const char *whom(const tacit_policy *policy, char about[200]) {
  const tacit_certificate *c = policy->certificate;
  const char *column = policy->schema->unit_column;
  bool one_record =
      tacit_schema_looks_up(policy->schema) && tacit_schema_records_per_unit(policy->schema) == 1;
  if (is_whole(policy)) {
    snprintf(about, 200, "one \"%.60s\", all its rows together", column);
    return about;
  }
  if (!policy->schema->features_public)
    return column                 ? "one unit (limited by dropping its surplus rows)"
           : one_record           ? "one record (its own row and those that look it up)"
           : c->rows_per_unit > 1 ? "one unit (its number of rows is asserted, not enforced)"
           : c->result_rows       ? "one row of a query's result"
                                  : "one row of the table";
  if (policy->schema->change > 0) {
    snprintf(about, 200,
             "any one customer%s, who changes at most %zu totals by at most %.10g each (which is %s),",
             policy->schema->events ? "" : " or other unit behind the totals", c->rows_per_unit,
             policy->schema->change,
             policy->schema->events ? "enforced in adding them up" : "asserted, not enforced");
    return about;
  }
  if (c->rows_per_unit == 1) return "the target of one row of the table";
  snprintf(about, 200, "the targets of one unit (%zu rows, %s)", c->rows_per_unit,
           column ? "limited by dropping surplus ones" : "which is asserted, not enforced");
  return about;
}

/* Whose records these were not, as far as somebody says so, and what came before. */
static void say_chain(const tacit_certificate *c, char text[1024]) {
  size_t n = strlen(text);
  if (c->period[0])
    snprintf(text + n, 1024 - n,
             " The records are of the period %s; that nobody has records in another one is asserted, not "
             "enforced.",
             c->period);
  n = strlen(text);
  if (c->before[0])
    snprintf(text + n, 1024 - n, " What the policy before it tells is limited by that one's own promise.");
}

/* What is guessed where features are public. A customer who bought elsewhere instead is one that went and one
   that came: twice as many totals (proofs/transactions.md). */
static const char *guessed(const tacit_policy *policy) {
  return policy->schema->events       ? "whether that customer's purchases are among the events at all"
         : policy->schema->change > 0 ? "which of two possibilities that differ by no more than that is true"
                                      : "which of two possibilities is true";
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
  char promise[80], first[32], second[32], about[200];
  if (c->mu > 0)
    snprintf(promise, sizeof promise, "%s-Gaussian", rounded_up(c->mu, first));
  else
    snprintf(promise, sizeof promise, "(%s, %s)-", rounded_up(c->epsilon, first),
             rounded_up(c->delta, second));
  const char *what = policy->raw_spread ? "coefficients and the spread"
                     : policy->state    ? "coefficients and the state"
                                        : "coefficients";
  double guess = fmin(ceil(1000 * guess_probability(c) + 1e-9) / 10, 100);
  if (policy->schema->features_public)
    snprintf(
        text, 1024,
        "What the %s in this file tell about %s is limited by %s%sdifferential privacy: someone who knows "
        "all features and everything else about targets, and guesses %s, is right with probability at most "
        "%.1f %%, where a coin is right with 50 %%. Not covered are "
        "features, "
        "keys and the number of rows, which the schema says anybody may know, the schema's own contents, and "
        "errors, exit codes, progress and timing seen by whoever ran the fit.",
        what, whom(policy, about), promise, c->mu > 0 ? " " : "", guessed(policy), guess);
  else
    snprintf(
        text, 1024,
        "What the %s in this file tell about the data of %s (%s%zu row%s%s) is limited by %s%s"
        "differential privacy: someone who knows all other rows, and guesses whether that data %s, is "
        "right with "
        "probability at most %.1f %%, where a coin is right with 50 %%. Not covered are %s computed from "
        "private features, the schema's own contents, and errors, exit codes, progress and timing seen by "
        "whoever "
        "ran the fit.",
        what, whom(policy, about), is_whole(policy) ? "at most " : "", c->rows_per_unit,
        c->rows_per_unit > 1 ? "s" : "",
        c->result_rows ? "; nothing is promised about the records that the result was computed from" : "",
        promise, c->mu > 0 ? " " : "",
        c->adjacency == TACIT_REPLACE_ONE ? "is the one or the other of two possibilities"
        : c->result_rows                  ? "is in the result"
                                          : "is in the table",
        guess, policy->region ? "decisions" : "orders");
  say_chain(c, text);
}
