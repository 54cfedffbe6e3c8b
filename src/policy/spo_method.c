/* What the certificates of policies over a region must list, rebuilt from the public rules, the schema, the
   region and the stated inputs (proofs/spo.md). */
#include "policy/inputs.h"
#include "policy/listing.h"

#include "privacy/randomised_response.h"
#include "privacy/shares.h"
#include "privacy/spo_recipe.h"

#include <stdlib.h>
#include <string.h>

/* `steps` sums of decisions' errors times rows, all with one radius; before them, where the rows' scale is
   not known, one moment of theirs. */
static bool gaussian_lists(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  bool wide = !tacit_schema_scales_known(policy->schema);
  size_t p = policy->schema->columns, steps = (size_t)tacit_input_number(policy, "steps");
  double *share = tacit_alloc(steps, sizeof *share), growth = tacit_input_number(policy, "growth");
  tacit_listing listing;
  tacit_listing_open(&listing, policy);
  listing.tolerance = tacit_growing_slack(steps, growth);
  tacit_mechanism moment = {.kind = TACIT_RELEASE_MOMENT,
                            .target = TACIT_ALL_TARGETS,
                            .dimension = p * (p + 1) / 2,
                            .clip = tacit_spo_row_clip(p),
                            .bits = 2 * tacit_spo_row_bits(p)};
  tacit_mechanism sum = {.kind = TACIT_RELEASE_OUTER,
                         .target = TACIT_ALL_TARGETS,
                         .dimension = policy->region->dimension * p,
                         .clip = TACIT_SPO_RADIUS_SHARE * tacit_input_number(policy, "clip_norm"),
                         .bits =
                             (wide ? (int)TACIT_SPO_WHITE_BITS : (int)TACIT_CELL_BITS) + TACIT_SCORE_BITS};
  listing.fits = listing.fits && share && c->releases == steps + wide &&
                 !strcmp(tacit_certificate_find(c, "scales")->text, wide ? "wide" : "known");
  if (listing.fits) tacit_growing_shares(steps, growth, share);
  if (wide) tacit_listing_share(&listing, moment, c->mu, TACIT_SPO_WHITEN_SHARE, 1);
  for (size_t t = 0; t < steps && listing.fits; t++)
    tacit_listing_share(&listing, sum, c->mu, wide ? share[t] * (1 - TACIT_SPO_WHITEN_SHARE) : share[t], 1);
  free(share);
  return tacit_listing_close(&listing);
}

/* One moment of rows and costs. */
static bool least_squares_lists(const tacit_policy *policy) {
  size_t p = policy->schema->columns, d = policy->region->dimension;
  tacit_spo_moment choice = tacit_spo_moment_choose(p, d);
  tacit_mechanism moment = {.kind = TACIT_RELEASE_MOMENT,
                            .target = TACIT_ALL_TARGETS,
                            .dimension = (p + d) * (p + d + 1) / 2,
                            .clip = choice.clip,
                            .bits = 2 * choice.bits};
  tacit_listing listing;
  tacit_listing_open(&listing, policy);
  tacit_listing_share(&listing, moment, policy->certificate->mu, 1, 1);
  return tacit_listing_close(&listing);
}

/* `steps` responses alike, as true as the guarantee allows. */
static bool exponential_lists(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  uint64_t steps = (uint64_t)tacit_input_number(policy, "steps");
  double epsilon0 = 0;
  tacit_listing listing;
  tacit_listing_open(&listing, policy);
  const tacit_mechanism *stated = tacit_listing_next(&listing);
  listing.fits = listing.fits && stated &&
                 tacit_response_calibrate(c->epsilon, c->delta, steps, &epsilon0, NULL) == TACIT_OK &&
                 tacit_near(stated->level, epsilon0, TACIT_NEAR);
  tacit_mechanism response = {.kind = TACIT_RELEASE_SIGN,
                              .target = TACIT_ALL_TARGETS,
                              .dimension = 1,
                              .level = stated ? stated->level : 0,
                              .sensitivity = 1};
  tacit_listing_expect(&listing, &response, steps);
  return tacit_listing_close(&listing);
}

bool tacit_spo_method_lists(const tacit_policy *policy) {
  static const struct {
    const char *name;
    bool (*lists)(const tacit_policy *policy);
    bool gaussian; /* it promises mu, else (epsilon, delta) */
  } methods[] = {{"spo-gaussian", gaussian_lists, true},
                 {"spo-exponential", exponential_lists, false},
                 {"spo-least-squares", least_squares_lists, true}};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (!strcmp(policy->certificate->method, methods[i].name))
      return (policy->certificate->mu != 0) == methods[i].gaussian && methods[i].lists(policy);
  return false;
}
