/* A certificate's list of releases held against the one that its method makes: release by release, in the
   order in which the learner makes them. */
#ifndef TACIT_SRC_LISTING_H
#define TACIT_SRC_LISTING_H

#include "policy/policy.h"

/* Exponentials and logarithms differ in their last digits from system to system: two numbers that a search
   with them found are within this of each other, relatively. */
#define TACIT_NEAR 1e-12
bool tacit_near(double a, double b, double tolerance);

typedef struct tacit_listing {
  const tacit_policy *policy;
  double tolerance; /* of noise and smoothness, relative: a few last digits, unless the method says more */
  size_t begun;     /* how many items of the list have been begun */
  struct tacit_listing_course *course; /* of each target, and of all together at the end */
  bool fits;
} tacit_listing;

/* Without memory nothing fits. To be closed in any case. */
void tacit_listing_open(tacit_listing *listing, const tacit_policy *policy);
/* The item that is begun next; NULL at the end of the list. */
const tacit_mechanism *tacit_listing_next(const tacit_listing *listing);
/* The method's next `count` releases are like this one, which says everything but its count. */
void tacit_listing_expect(tacit_listing *listing, const tacit_mechanism *release, uint64_t count);
/* The same for releases that get a share of a target's mu^2 each: sensitivity and noise follow from it. */
void tacit_listing_share(tacit_listing *listing, tacit_mechanism release, double mu, double share,
                         uint64_t count);
/* Whether the list had all that was expected, and nothing else. */
bool tacit_listing_close(tacit_listing *listing);

#endif
