/* A plan: every release of a fit with its noise, made from public facts before the first of them. The learner
   carries it out, one release after the other; verification makes it again and compares. */
#ifndef TACIT_SRC_PLAN_H
#define TACIT_SRC_PLAN_H

#include "method/choice.h"

/* More noise than this no sampler draws. */
#define TACIT_PLAN_SIGMA_MAX 0x1p54

typedef struct tacit_release_plan {
  const tacit_facts *facts;
  tacit_certificate *list;     /* the releases, target by target */
  bool in_turn;                /* targets take turns, release by release; else one follows the other */
  double slack;                /* how far another system's noise may be from this one's, relatively */
  struct tacit_course *course; /* how far each target has come, and all together at the end */
} tacit_release_plan;

tacit_status tacit_plan_open(tacit_release_plan *plan, const tacit_facts *facts,
                             tacit_error *error) TACIT_CHECKED;
void tacit_plan_close(tacit_release_plan *plan);

/* Adds a release, or `count` of them alike, that says everything about itself. */
tacit_status tacit_plan_add(tacit_release_plan *plan, const tacit_mechanism *release,
                            tacit_error *error) TACIT_CHECKED;
/* The same for releases that get a share of mu^2 each, the target's or, over a region, the whole one:
   sensitivity and noise follow from it. TACIT_REFUSED for more noise than the grid can hold. */
tacit_status tacit_plan_share(tacit_release_plan *plan, tacit_mechanism release, double share, uint64_t count,
                              tacit_error *error) TACIT_CHECKED;
/* Shares that grow from release to release, `part` of mu^2 together. */
tacit_status tacit_plan_growing(tacit_release_plan *plan, tacit_mechanism release, size_t steps,
                                double growth, double part, tacit_error *error) TACIT_CHECKED;
/* Takes back what was added after the first `items` of the list. */
void tacit_plan_cut(tacit_release_plan *plan, size_t items);

/* The target's next release, to be carried out; NULL after its last one. */
const tacit_mechanism *tacit_plan_next(tacit_release_plan *plan, size_t target);
void tacit_plan_take(tacit_release_plan *plan, size_t target, uint64_t count); /* at most as many as it is */

/* Whether all releases together keep the asked guarantee: TACIT_INTERNAL where they would not, TACIT_REFUSED
   for more of them than a policy can list. */
tacit_status tacit_plan_check(const tacit_release_plan *plan, tacit_error *error) TACIT_CHECKED;
/* Whether a plan that was made on the way begins with what was released already: TACIT_INTERNAL if not. */
tacit_status tacit_plan_continues(const tacit_release_plan *plan, const tacit_certificate *made,
                                  tacit_error *error) TACIT_CHECKED;
/* Whether a certificate lists what the plan has, in the order in which it is carried out. */
bool tacit_plan_is_listed(tacit_release_plan *plan, const tacit_certificate *certificate);

/* Exponentials and logarithms differ in their last digits from system to system: two numbers that a search
   with them found are within this of each other, relatively. */
#define TACIT_NEAR 1e-12
bool tacit_near(double a, double b, double tolerance);

#endif
