/* A certificate's list of releases held against the one that its method makes.

   Releases of one target that are alike and follow each other are one item of the list, with their number
   (tacit_certificate_add); those of several targets may come in turn. So an item is begun by the first
   release that it counts, in the list's order, and counts just those that are alike. */
#include "policy/listing.h"

#include "privacy/shares.h"

#include <math.h>
#include <stdlib.h>

struct tacit_listing_course {
  const tacit_mechanism *item; /* begun last; NULL before the first */
  uint64_t left;               /* of its count */
  tacit_mechanism release;     /* the one expected last */
};

/* The powers of shares that grow by a tenth, in 20 steps. */
static const double LAST_DIGITS = 0x1p-48;

bool tacit_near(double a, double b, double tolerance) {
  return fabs(a - b) <= tolerance * fabs(b);
}

void tacit_listing_open(tacit_listing *listing, const tacit_policy *policy) {
  *listing = (tacit_listing){.policy = policy, .tolerance = LAST_DIGITS};
  listing->course = tacit_alloc(policy->schema->target_count + 1, sizeof *listing->course);
  listing->fits = listing->course != NULL;
}

const tacit_mechanism *tacit_listing_next(const tacit_listing *listing) {
  const tacit_certificate *c = listing->policy->certificate;
  return listing->begun < c->mechanism_count ? &c->mechanisms[listing->begun] : NULL;
}

/* The same number, and 0 not as -0. */
static bool same(double a, double b) {
  return a == b && !signbit(a) == !signbit(b);
}

static bool is(const tacit_mechanism *stated, const tacit_mechanism *release, double tolerance) {
  return stated->kind == release->kind && stated->target == release->target &&
         stated->dimension == release->dimension && same(stated->level, release->level) &&
         same(stated->clip, release->clip) && stated->bits == release->bits &&
         same(stated->sensitivity, release->sensitivity) && !signbit(stated->sigma) &&
         tacit_near(stated->sigma, release->sigma, tolerance) && stated->sample == release->sample &&
         same(stated->rate, release->rate) && same(stated->lambda, release->lambda) &&
         tacit_near(stated->smoothness, release->smoothness, tolerance);
}

void tacit_listing_expect(tacit_listing *listing, const tacit_mechanism *release, uint64_t count) {
  if (!listing->fits) return;
  size_t targets = listing->policy->schema->target_count;
  struct tacit_listing_course *course =
      &listing->course[release->target == TACIT_ALL_TARGETS ? targets : release->target];
  if (!course->item || !is(&course->release, release, 0)) { /* not like the last: an item of its own */
    listing->fits = course->left == 0;
    course->item = tacit_listing_next(listing);
    course->left = course->item ? course->item->count : 0;
    course->release = *release;
    listing->begun++;
  }
  listing->fits = listing->fits && course->left >= count && is(course->item, release, listing->tolerance);
  course->left -= listing->fits ? count : 0;
}

void tacit_listing_share(tacit_listing *listing, tacit_mechanism release, double mu, double share,
                         uint64_t count) {
  const tacit_policy *policy = listing->policy;
  if (!listing->fits) return;
  listing->fits =
      tacit_mechanism_sensitivity(&release, policy->certificate->adjacency, policy->schema->rows_per_unit,
                                  &release.sensitivity, NULL) == TACIT_OK;
  release.sigma = tacit_share_sigma(release.sensitivity, mu, share);
  tacit_listing_expect(listing, &release, count);
}

bool tacit_listing_close(tacit_listing *listing) {
  bool whole = listing->fits && !tacit_listing_next(listing);
  for (size_t t = 0; whole && t <= listing->policy->schema->target_count; t++)
    whole = listing->course[t].left == 0;
  free(listing->course);
  listing->course = NULL;
  return whole;
}
