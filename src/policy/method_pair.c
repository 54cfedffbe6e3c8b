/* What the certificates of methods that are not Gaussian must list, rebuilt from the schema, the goals and
   the stated inputs (proofs/objective-perturbation.md, proofs/sampled-gaussian.md). */
#include "policy/inputs.h"
#include "policy/listing.h"

#include "privacy/sampled.h"

#include <math.h>

/* One objective, with a lambda of few digits, and its computed minimiser: noise, grids and gamma by the
   method's rules. Both are rebuilt from the stated lambda and bandwidth. */
static void expect_objective(tacit_listing *listing, size_t target, tacit_theta_rule rule) {
  const tacit_policy *policy = listing->policy;
  const tacit_certificate *c = policy->certificate;
  tacit_objective_facts facts = tacit_inputs_objective(policy, target, rule);
  tacit_mechanism objective, minimiser;
  const tacit_mechanism *stated = tacit_listing_next(listing);
  double bandwidth =
      tacit_input_of_target(policy, "bandwidth", target) / policy->schema->targets[target].scale.half;
  listing->fits = listing->fits && stated && listing->begun + 1 < c->mechanism_count &&
                  tacit_objective_holds(stated->lambda) &&
                  stated->lambda == tacit_objective_few_digits(stated->lambda);
  if (!listing->fits) return;
  tacit_objective_noise noise = tacit_objective_noise_of(stated, stated + 1);
  listing->fits = tacit_objective_noise_is(&facts, stated->lambda, bandwidth, &noise, TACIT_NEAR) &&
                  tacit_objective_releases(&facts, target, stated->lambda, bandwidth, &noise, &objective,
                                           &minimiser, NULL) == TACIT_OK;
  if (!listing->fits) return;
  tacit_listing_expect(listing, &objective, 1);
  /* gamma within a last digit, and its own sensitivity */
  const tacit_mechanism *next = stated + 1;
  listing->fits =
      listing->fits && tacit_near(next->clip, minimiser.clip, TACIT_NEAR) && minimiser.sensitivity > 0;
  if (!listing->fits) return;
  double mu = minimiser.sensitivity / minimiser.sigma;
  minimiser.clip = next->clip;
  listing->fits =
      tacit_mechanism_sensitivity(&minimiser, c->adjacency, 1, &minimiser.sensitivity, NULL) == TACIT_OK;
  minimiser.sigma = minimiser.sensitivity / mu;
  tacit_listing_expect(listing, &minimiser, 1);
}

static bool objective_lists(const tacit_policy *policy, tacit_theta_rule rule) {
  tacit_listing listing;
  tacit_listing_open(&listing, policy);
  listing.tolerance = TACIT_NEAR;
  for (size_t t = 0; t < policy->schema->target_count; t++) expect_objective(&listing, t, rule);
  return tacit_listing_close(&listing);
}

bool tacit_method_objective(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  if (c->epsilon > TACIT_OBJECTIVE_EPSILON_MAX || c->delta < TACIT_OBJECTIVE_DELTA_LEAST ||
      c->rows > TACIT_OBJECTIVE_ROWS_MAX)
    return false;
  if (policy->schema->rows_per_unit != 1 ||
      policy->certificate->mechanism_count != 2 * policy->schema->target_count)
    return false;
  return objective_lists(policy, TACIT_THETA_GIVEN) ||
         (tacit_inputs_theta_default(policy) && objective_lists(policy, TACIT_THETA_DEFAULT));
}

/* Of the noise, what covers the rounding of its scale. */
static const double RAISED = 1 + 0x1p-30;

/* Whether a noise, in norms of one record's gradient, is the one that a target's share of the guarantee asks
   for: the same for all of them. The learner's search ends when delta is within 2e-5 of the asked one; where
   it ends elsewhere, since little noise is more than enough, it is made again. */
static bool sampled_noise_is(const tacit_policy *policy, tacit_sampled sampled, double sigma) {
  static const double FOUND = 1 - 3e-5, AGAIN = 1e-6;
  const tacit_certificate *c = policy->certificate;
  double targets = (double)policy->schema->target_count, delta = c->delta / targets * (1 - 0x1p-40);
  double epsilon = c->epsilon / targets * (1 - 0x1p-40);
  tacit_interval reached;
  sampled.sigma = sigma;
  if (tacit_sampled_delta(&sampled, epsilon, &reached, NULL) != TACIT_OK) return false;
  if (reached.upper >= delta * FOUND) return true;
  return tacit_sampled_sigma(&sampled, epsilon, delta, &sampled.sigma, NULL) == TACIT_OK &&
         tacit_near(sigma, sampled.sigma, AGAIN);
}

/* One run of sampled sums for each target: `steps` of them, from batches of a fixed size or at a public rate.
 */
bool tacit_method_sgd(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  const tacit_setting *batch = tacit_certificate_find(c, "batch");
  size_t targets = policy->schema->target_count;
  double noise = 0;
  tacit_sampled sampled = {/* the quotient is rounded, the rate must not be below it */
                           .rate = batch ? fmin(1, nextafter(batch->number / (double)c->rows, 2))
                                         : tacit_input_number(policy, "rate"),
                           .steps = (uint64_t)tacit_input_number(policy, "steps"),
                           .sampling = batch ? TACIT_SAMPLING_FIXED : TACIT_SAMPLING_POISSON,
                           .adjacency = c->adjacency};
  tacit_listing listing;
  tacit_listing_open(&listing, policy);
  listing.tolerance = TACIT_NEAR;
  for (size_t t = 0; t < targets && listing.fits; t++) {
    const tacit_mechanism *stated = tacit_listing_next(&listing);
    tacit_mechanism m = {.kind = TACIT_RELEASE_SAMPLED,
                         .target = t,
                         .dimension = policy->schema->columns,
                         .level = policy->goals[t].quantile,
                         .clip = tacit_input_number(policy, "clip_norm"),
                         .bits = TACIT_CELL_BITS + TACIT_SCORE_BITS,
                         .sample = batch ? TACIT_SAMPLE_FIXED : TACIT_SAMPLE_POISSON,
                         .rate = sampled.rate};
    listing.fits = stated && policy->schema->rows_per_unit == 1 &&
                   tacit_mechanism_sensitivity(&m, c->adjacency, 1, &m.sensitivity, NULL) == TACIT_OK;
    if (!listing.fits) break;
    double one = c->adjacency == TACIT_REPLACE_ONE ? m.sensitivity / 2 : m.sensitivity;
    if (t == 0) noise = stated->sigma / (one * RAISED);
    m.sigma = noise * one * RAISED;
    tacit_listing_expect(&listing, &m, sampled.steps);
  }
  return tacit_listing_close(&listing) && sampled_noise_is(policy, sampled, noise);
}
