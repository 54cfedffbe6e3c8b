/* What the default learner's certificate must list, rebuilt from its public rules (privacy/recipe.h,
   proofs/default-learner.md). Two of its releases decide what comes after them: the radius of rows whose
   scale is not known, and whether the quantile lies far out; both are read from the list. */
#include "policy/inputs.h"
#include "policy/listing.h"

#include "privacy/recipe.h"
#include "privacy/shares.h"

#include <math.h>
#include <string.h>

typedef struct newton {
  tacit_listing listing;
  const tacit_recipe *recipe;
  size_t target;
  double mu, tau;
  int white_bits;
} newton;

static void expect_counts(newton *n, double share, uint64_t count) {
  tacit_mechanism m = {
      .kind = TACIT_RELEASE_COUNT, .target = n->target, .dimension = 1, .bits = TACIT_SCORE_BITS};
  tacit_listing_share(&n->listing, m, n->mu, share, count);
}

static void expect_scores(newton *n, double level, double share) {
  tacit_mechanism m = {.kind = TACIT_RELEASE_SCORES,
                       .target = n->target,
                       .dimension = n->recipe->d,
                       .level = level,
                       .clip = n->recipe->score_clip,
                       .bits = n->white_bits + TACIT_SCORE_BITS};
  tacit_listing_share(&n->listing, m, n->mu, share, 1);
}

/* The radius of the moment is the schema's, or was found by counts: then any within their range. */
static void expect_moment(newton *n) {
  const tacit_recipe *r = n->recipe;
  const tacit_mechanism *next = tacit_listing_next(&n->listing);
  double clip = r->moment_clip;
  if (!r->known) {
    double least = ldexp(r->largest_clip, -TACIT_RADIUS_OCTAVES) * (1 - TACIT_NEAR),
           most = r->largest_clip * (1 + TACIT_NEAR);
    clip = next && next->clip >= least && next->clip <= most ? next->clip : 0;
  }
  tacit_mechanism m = {.kind = TACIT_RELEASE_MOMENT,
                       .target = n->target,
                       .dimension = (r->d + 1) * (r->d + 2) / 2,
                       .clip = clip,
                       .bits = 2 * (TACIT_MOMENT_REACH - (int)ceil(log2(clip > 0 ? clip : 1)))};
  tacit_listing_share(&n->listing, m, n->mu, r->share.moment, 1);
}

/* Mean, radius unless it is known, moment; then spread, slopes and location at every step. */
static void expect_slopes(newton *n) {
  const tacit_recipe *r = n->recipe;
  double shares[TACIT_MEDIAN_STEPS];
  tacit_mechanism mean = {.kind = TACIT_RELEASE_ROWS,
                          .target = n->target,
                          .dimension = r->d,
                          .clip = r->mean_clip,
                          .bits = TACIT_MEAN_BITS};
  tacit_listing_share(&n->listing, mean, n->mu, r->share.mean, 1);
  if (!r->known) expect_counts(n, r->share.radius / TACIT_RADIUS_COUNTS, TACIT_RADIUS_COUNTS);
  expect_moment(n);
  tacit_recipe_median_shares(r->median_steps, shares);
  for (int t = 0; t < r->median_steps; t++) {
    double share = r->share.median * shares[t];
    expect_counts(n, share * TACIT_SPREAD_PART, 1);
    expect_scores(n, 0.5, share * (1 - TACIT_LOCATION_PART - TACIT_SPREAD_PART));
    expect_counts(n, share * TACIT_LOCATION_PART, 1);
  }
}

/* Whether the quantile was found by bisection: what follows the count of the tail tells. */
static bool is_far(const newton *n, double share) {
  const tacit_mechanism *next = tacit_listing_next(&n->listing);
  double sigma = tacit_share_sigma(ldexp(1, TACIT_SCORE_BITS), n->mu, share); /* for a unit of one row */
  return next && next->kind == TACIT_RELEASE_COUNT &&
         (n->recipe->d > 0 ||
          tacit_near(next->sigma / (double)n->listing.policy->schema->rows_per_unit, sigma, 1e-6));
}

static void expect_target(newton *n) {
  const tacit_recipe *r = n->recipe;
  expect_counts(n, TACIT_CENTRE_PART * r->share.target / TACIT_CENTRE_COUNTS, TACIT_CENTRE_COUNTS);
  expect_counts(n, (1 - TACIT_CENTRE_PART) * r->share.target / TACIT_SPREAD_COUNTS, TACIT_SPREAD_COUNTS);
  if (r->d) expect_slopes(n);
  expect_counts(n, r->share.tail, 1);
  double bisection = (r->share.quantile + r->share.last) / TACIT_TAIL_COUNTS;
  if (is_far(n, bisection)) {
    expect_counts(n, bisection, TACIT_TAIL_COUNTS);
    return;
  }
  double share = r->share.quantile / TACIT_QUANTILE_STEPS;
  for (int t = 0; t < TACIT_QUANTILE_STEPS; t++) {
    if (r->d) expect_scores(n, n->tau, share * (1 - TACIT_LOCATION_PART));
    expect_counts(n, r->d ? share * TACIT_LOCATION_PART : share, 1);
  }
  expect_counts(n, r->share.last, 1);
}

/* Rows have one grid for all of a policy's scores: that of its version, which the first of them tells. */
static int white_bits(const tacit_certificate *c) {
  for (size_t i = 0; i < c->mechanism_count; i++)
    if (c->mechanisms[i].kind == TACIT_RELEASE_SCORES)
      return c->mechanisms[i].bits == TACIT_OLD_WHITE_BITS + TACIT_SCORE_BITS ? TACIT_OLD_WHITE_BITS
                                                                              : TACIT_WHITE_BITS;
  return TACIT_WHITE_BITS;
}

/* The public rules again, from the file's own rows, guarantee and schema. */
bool tacit_method_newton(const tacit_policy *policy) {
  const tacit_certificate *c = policy->certificate;
  const tacit_schema *schema = policy->schema;
  double mu = c->mu / sqrt((double)schema->target_count);
  tacit_recipe recipe;
  tacit_recipe_choose(&recipe, (double)c->rows, schema->columns - 1, tacit_schema_scales_known(schema),
                      mu / (double)schema->rows_per_unit);
  if (tacit_input_number(policy, "features") != (double)recipe.d ||
      tacit_input_number(policy, "steps") != recipe.median_steps ||
      strcmp(tacit_certificate_find(c, "scales")->text, recipe.known ? "known" : "wide") != 0)
    return false;
  newton n = {.recipe = &recipe, .mu = mu, .white_bits = white_bits(c)};
  tacit_listing_open(&n.listing, policy);
  for (n.target = 0; n.target < schema->target_count; n.target++) {
    n.tau = policy->goals[n.target].quantile;
    expect_target(&n);
  }
  return tacit_listing_close(&n.listing);
}
