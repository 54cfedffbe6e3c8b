/* What each method's certificate must list, rebuilt from the schema, the goals and the stated inputs; here
   noisy gradient descent, and which method is rebuilt where. */
#include "policy/inputs.h"
#include "policy/listing.h"

#include "privacy/shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The grid of noisy-gd's rows: the encoded rows', or that of rows whitened by the schema's second moment. */
static bool noisy_gd_bits(const tacit_policy *policy, int *bits) {
  const char *update = tacit_certificate_find(policy->certificate, "update")->text;
  size_t p = policy->schema->columns;
  *bits = TACIT_CELL_BITS;
  if (!strcmp(update, "Z eq. (7)")) return true;
  double *root = tacit_alloc(p * p, sizeof *root);
  bool known = root && tacit_schema_whitening(policy->schema, root, bits, NULL) == TACIT_OK;
  free(root);
  return known;
}

/* Z Algorithm 1: `steps` times, for every target in turn, a sum of scores times whole rows, all with one clip
   norm; the shares of mu^2 grow from step to step. */
static bool noisy_gd_lists(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  double growth = tacit_input_number(policy, "growth");
  size_t steps = (size_t)tacit_input_number(policy, "steps"), targets = policy->schema->target_count;
  double *share = tacit_alloc(steps, sizeof *share), mu = c->mu / sqrt((double)targets);
  tacit_listing listing;
  tacit_listing_open(&listing, policy);
  tacit_mechanism m = {.kind = TACIT_RELEASE_SCORES,
                       .dimension = policy->schema->columns,
                       .clip = tacit_input_number(policy, "clip_norm")};
  listing.tolerance = tacit_growing_slack(steps, growth);
  listing.fits = listing.fits && share && c->releases == steps * targets && noisy_gd_bits(policy, &m.bits);
  if (listing.fits) tacit_growing_shares(steps, growth, share);
  m.bits += TACIT_SCORE_BITS;
  size_t alike = growth == 1 ? steps : 1; /* equal shares: one item for each target */
  for (size_t t = 0; t < steps && listing.fits; t += alike)
    for (m.target = 0; m.target < targets && listing.fits; m.target++) {
      m.level = policy->goals[m.target].quantile;
      tacit_listing_share(&listing, m, mu, share[t], alike);
    }
  free(share);
  return tacit_listing_close(&listing);
}

bool tacit_method_lists(const tacit_policy *policy) {
  if (policy->region) return tacit_spo_method_lists(policy);
  static const struct {
    const char *name;
    bool (*lists)(const tacit_policy *policy);
    bool gaussian; /* it promises mu, else (epsilon, delta) */
  } methods[] = {
      {"median-newton", tacit_method_newton, true},
      {"noisy-gd", noisy_gd_lists, true},
      {"gradient", noisy_gd_lists, true}, /* E's algorithm is the same releases, averaged and projected */
      {"objective", tacit_method_objective, false},
      {"sgd", tacit_method_sgd, false}};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (!strcmp(policy->certificate->method, methods[i].name))
      return (policy->certificate->mu != 0) == methods[i].gaussian && methods[i].lists(policy);
  return false;
}
