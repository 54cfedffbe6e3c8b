/* A policy's inputs, releases and coefficients held against its method's rules (src/method). */
#include "policy/rebuilt.h"

#include "base/base.h"
#include "schema/sold.h"

#include <math.h>
#include <stdlib.h>

static bool set_facts(const tacit_policy *policy, tacit_rebuilt *r) {
  const tacit_certificate *c = policy->certificate;
  size_t targets = tacit_policy_goal_count(policy);
  r->quantiles = tacit_alloc(targets, sizeof *r->quantiles);
  for (size_t t = 0; r->quantiles && t < targets; t++) r->quantiles[t] = policy->goals[t].quantile;
  r->facts = (tacit_facts){.schema = &policy->by_goal.schema,
                           .region = policy->region,
                           .quantiles = policy->region ? NULL : r->quantiles,
                           .rows = (double)c->rows,
                           .mu = c->mu,
                           .epsilon = c->epsilon,
                           .delta = c->delta,
                           .adjacency = c->adjacency};
  return r->quantiles && tacit_choice_open(&r->choice, &r->facts, NULL) == TACIT_OK;
}

static bool is_listed(const tacit_certificate *certificate, const tacit_rebuilt *r) {
  tacit_release_plan plan;
  bool listed = tacit_plan_open(&plan, &r->facts, NULL) == TACIT_OK &&
                r->method->plan(&r->facts, &r->choice, &plan, NULL) == TACIT_OK &&
                tacit_plan_is_listed(&plan, certificate);
  tacit_plan_close(&plan);
  return listed;
}

void tacit_rebuild(const tacit_policy *policy, tacit_rebuilt *r) {
  const tacit_certificate *c = policy->certificate;
  *r = (tacit_rebuilt){.wrong = "method"};
  const tacit_method *method = tacit_method_certified(c->method, policy->region != NULL);
  if (method && method->spread && c->format == 1) return; /* such a policy there never was */
  if (!method || method->promise != (c->mu != 0 ? TACIT_PROMISE_GAUSSIAN : TACIT_PROMISE_PAIR)) return;
  bool tiers = policy->schema->targets[0].tiers, sold = tacit_sold_any(policy->schema);
  if ((tiers && !method->tiers) || (sold && !method->sold)) return;
  if (!set_facts(policy, r)) return;
  r->method = method;
  if (!tacit_choice_recall(&r->choice, &r->facts, method->inputs, method->input_count, c, &r->wrong)) return;
  r->wrong = "intervals"; /* of a plain problem's variance */
  if (r->choice.intervals && (tiers || sold)) return;
  r->wrong = "goes_on_from";
  if (r->choice.followed != (c->before[0] != 0)) return;
  r->wrong = "the list of releases"; /* which says what the others follow from */
  if (method->read_list && !method->read_list(&r->facts, c, &r->choice)) return;
  r->inputs = !method->possible || method->possible(&r->facts, &r->choice, &r->wrong);
  r->listed = r->inputs && is_listed(c, r);
}

void tacit_rebuilt_free(tacit_rebuilt *r) {
  tacit_choice_close(&r->choice);
  free(r->quantiles);
}

/* A file has them in the user's units: back in encoded ones the intercept may be off by the rounding of
   centres up to 1e9 half widths away. */
static double rounding(double columns, double bound) {
  return 1e-6 * (columns + 4) * (1 + sqrt(columns) * bound);
}

/* Iterates are projected, and their average with them. */
static bool within_reach(const tacit_rebuilt *r, const tacit_policy *policy, size_t target) {
  size_t p = policy->schema->columns;
  double bound = r->method->reach(&r->facts, &r->choice, target), norm = 0;
  for (size_t j = 0; j < p; j++) norm = hypot(norm, policy->encoded[target * p + j]);
  return norm <= bound + rounding((double)p, bound);
}

/* 0, and not -0. */
static bool is_flat(const tacit_policy *policy, size_t target) {
  for (size_t j = 1; j < policy->schema->columns; j++) {
    double slope = tacit_policy_coefficient(policy, target, j),
           growth = tacit_policy_log_spread(policy, target, j);
    if (slope != 0 || signbit(slope) || growth != 0 || signbit(growth)) return false;
  }
  return true;
}

/* A spread that no release paid for adds nothing: 0 times 1, in encoded units. */
static bool spread_fits(const tacit_policy *policy, size_t target, tacit_spread_paid paid) {
  size_t p = policy->schema->columns;
  const double *spread = policy->encoded_spread + target * (p + 1);
  bool fits = paid == TACIT_SPREAD_USED || (spread[p] == 0 && !signbit(spread[p]));
  for (size_t j = 0; paid == TACIT_SPREAD_NONE && j < p; j++) fits &= fabs(spread[j]) < 1e-9;
  return fits;
}

/* There is a spread exactly where some target's releases paid for one. */
static bool spreads_fit(const tacit_rebuilt *r, const tacit_policy *policy) {
  bool some = false, fit = true;
  if (!r->method->spread_paid) return r->method->spread || !policy->raw_spread;
  for (size_t t = 0; t < tacit_policy_goal_count(policy); t++) {
    tacit_spread_paid paid = r->method->spread_paid(&r->facts, &r->choice, t);
    some |= paid != TACIT_SPREAD_NONE;
    fit &= !policy->raw_spread || spread_fits(policy, t, paid);
  }
  return fit && some == (policy->raw_spread != NULL);
}

/* The rules say how sure they are where that was asked for, but for a target whose quantile was far out. */
static bool uncertainty_fits(const tacit_rebuilt *r, const tacit_policy *policy) {
  if (!r->choice.intervals || !policy->uncertainty) return !r->choice.intervals && !policy->uncertainty;
  for (size_t t = 0; t < policy->schema->target_count; t++) {
    bool spread = r->method->spread_paid(&r->facts, &r->choice, t) == TACIT_SPREAD_USED;
    if ((r->choice.way[t] == TACIT_WAY_FAR && policy->uncertainty[t]) ||
        !tacit_policy_uncertainty_fits(policy, t, r->choice.features, spread))
      return false;
  }
  return true;
}

bool tacit_rebuilt_coefficients(const tacit_rebuilt *r, const tacit_policy *policy) {
  if (!spreads_fit(r, policy) || !uncertainty_fits(r, policy)) return false;
  if (r->method->follows != (policy->state != NULL)) return false;
  bool sloped = !r->method->slopes || r->method->slopes(&r->choice);
  for (size_t t = 0; t < tacit_policy_goal_count(policy); t++)
    if ((r->method->reach && !within_reach(r, policy, t)) || (!sloped && !is_flat(policy, t))) return false;
  return true;
}
