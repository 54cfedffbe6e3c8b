/* What the certificates of methods that are not Gaussian must list, rebuilt from the schema, the goals and
   the stated inputs (proofs/objective-perturbation.md, proofs/sampled-gaussian.md). */
#include "policy/inputs.h"

#include "privacy/objective.h"

#include <math.h>

/* A target's only release of a kind; NULL when there is none or another one. */
static const tacit_mechanism *only(const tacit_certificate *c, size_t target, tacit_release_kind kind) {
  const tacit_mechanism *found = NULL;
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    if (m->target != target || m->kind != kind) continue;
    if (found) return NULL;
    found = m;
  }
  return found;
}

/* One objective whose smoothness is what kernel, bandwidth and clip norm give, and its minimiser with the
   same lambda and a distance that the arithmetic can certify. */
static bool objective_target(const tacit_policy *policy, size_t t, double clip, double steepest) {
  const tacit_certificate *c = policy->certificate;
  const tacit_mechanism *objective = only(c, t, TACIT_RELEASE_OBJECTIVE),
                        *minimiser = only(c, t, TACIT_RELEASE_MINIMISER);
  if (!objective || !minimiser) return false;
  double h = tacit_input_of_target(policy, "bandwidth", t) / policy->schema->targets[t].scale.half;
  size_t p = policy->schema->columns;
  double gamma = tacit_objective_gamma_least(c->adjacency, (double)c->rows, (double)p, clip, objective->bits);
  return minimiser->clip >= gamma && objective->count == 1 && minimiser->count == 1 &&
         objective->dimension == p && minimiser->dimension == p &&
         objective->level == policy->goals[t].quantile && minimiser->level == objective->level &&
         objective->clip == clip && objective->lambda > 0 && minimiser->lambda == objective->lambda &&
         objective->smoothness >= steepest * clip * clip / h * (1 + 0x1p-31);
}

bool tacit_method_objective(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  size_t targets = policy->schema->target_count;
  double clip = tacit_input_number(policy, "clip_norm"),
         steepest = tacit_objective_steepest(tacit_certificate_find(c, "kernel")->text);
  if (!(steepest > 0) || c->mechanism_count != 2 * targets || policy->schema->rows_per_unit != 1)
    return false;
  for (size_t t = 0; t < targets; t++)
    if (!objective_target(policy, t, clip, steepest)) return false;
  return true;
}

/* One run of sampled sums for each target: `steps` of them, from batches of a fixed size or at a public rate.
 */
bool tacit_method_sgd(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  const tacit_setting *batch = tacit_certificate_find(c, "batch"), *rate = tacit_certificate_find(c, "rate");
  double steps = tacit_input_number(policy, "steps"), clip = tacit_input_number(policy, "clip_norm");
  size_t targets = policy->schema->target_count;
  if (c->mechanism_count != targets || policy->schema->rows_per_unit != 1) return false;
  bool fixed = batch != NULL;
  /* the quotient is rounded, the rate must not be below it */
  double least = fixed ? fmin(1, nextafter(batch->number / (double)c->rows, 2)) : 0;
  for (size_t t = 0; t < targets; t++) {
    const tacit_mechanism *m = only(c, t, TACIT_RELEASE_SAMPLED);
    if (!m || (double)m->count != steps || m->dimension != policy->schema->columns ||
        m->level != policy->goals[t].quantile || m->clip != clip ||
        m->bits != TACIT_CELL_BITS + TACIT_SCORE_BITS ||
        m->sample != (fixed ? TACIT_SAMPLE_FIXED : TACIT_SAMPLE_POISSON) ||
        (fixed ? !(m->rate >= least && m->rate <= 1) : m->rate != rate->number))
      return false;
  }
  return true;
}
