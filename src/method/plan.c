/* Plans: making them, carrying them out, and holding a certificate's list against them. */
#include "method/plan.h"

#include "base/base.h"
#include "method/shares.h"

#include <math.h>
#include <stdlib.h>

/* The powers of shares that grow by a tenth, in 20 steps. */
static const double LAST_DIGITS = 0x1p-48;
enum { LISTED_MAX = 500000 }; /* about 300 bytes each, and a policy has at most 256 MB */

struct tacit_course {
  size_t at;     /* item of the list */
  uint64_t used; /* of its count */
};

tacit_status tacit_plan_open(tacit_release_plan *plan, const tacit_facts *facts, tacit_error *error) {
  *plan = (tacit_release_plan){.facts = facts, .slack = LAST_DIGITS};
  TACIT_TRY(tacit_certificate_new("plan", &plan->list, error));
  plan->list->adjacency = facts->adjacency;
  plan->list->rows = (size_t)facts->rows;
  plan->list->rows_per_unit = facts->schema->rows_per_unit;
  plan->course = tacit_alloc(facts->schema->target_count + 1, sizeof *plan->course);
  return plan->course ? TACIT_OK : tacit_no_memory(error);
}

void tacit_plan_close(tacit_release_plan *plan) {
  tacit_certificate_free(plan->list);
  free(plan->course);
  *plan = (tacit_release_plan){0};
}

tacit_status tacit_plan_add(tacit_release_plan *plan, const tacit_mechanism *release, tacit_error *error) {
  if (!(release->sigma <= TACIT_PLAN_SIGMA_MAX))
    return tacit_fail(error, TACIT_REFUSED,
                      "this guarantee needs more noise than the grid can hold; use a larger mu, fewer steps, "
                      "a growth nearer 1 or a smaller clip norm");
  TACIT_TRY(tacit_certificate_add(plan->list, release, error));
  if (plan->list->mechanism_count <= LISTED_MAX) return TACIT_OK;
  return tacit_fail(error, TACIT_REFUSED,
                    "the certificate would list more different releases than a policy file can hold (%d); "
                    "use fewer steps, or steps with equal shares (growth 1)",
                    LISTED_MAX);
}

tacit_status tacit_plan_share(tacit_release_plan *plan, tacit_mechanism release, double share, uint64_t count,
                              tacit_error *error) {
  const tacit_facts *facts = plan->facts;
  release.count = count;
  TACIT_TRY(tacit_mechanism_sensitivity(&release, facts->adjacency, facts->schema->rows_per_unit,
                                        &release.sensitivity, error));
  release.sigma = tacit_share_sigma(release.sensitivity, tacit_facts_mu(facts), share);
  return tacit_plan_add(plan, &release, error);
}

tacit_status tacit_plan_growing(tacit_release_plan *plan, tacit_mechanism release, size_t steps,
                                double growth, double part, tacit_error *error) {
  double *share = tacit_alloc(steps, sizeof *share);
  if (!share) return tacit_no_memory(error);
  tacit_growing_shares(steps, growth, share);
  plan->slack = tacit_growing_slack(steps, growth);
  tacit_status status = TACIT_OK;
  size_t alike = growth == 1 ? steps : 1;
  for (size_t t = 0; t < steps && status == TACIT_OK; t += alike)
    status = tacit_plan_share(plan, release, part == 1 ? share[t] : share[t] * part, alike, error);
  free(share);
  return status;
}

void tacit_plan_cut(tacit_release_plan *plan, size_t items) {
  tacit_certificate *list = plan->list;
  while (list->mechanism_count > items) list->releases -= list->mechanisms[--list->mechanism_count].count;
}

static const tacit_mechanism *next_of(const tacit_certificate *list, struct tacit_course *course,
                                      size_t target) {
  for (; course->at < list->mechanism_count; course->at++, course->used = 0) {
    const tacit_mechanism *m = &list->mechanisms[course->at];
    if (m->target == target && course->used < m->count) return m;
  }
  return NULL;
}

static struct tacit_course *course_of(const tacit_release_plan *plan, size_t target) {
  return &plan->course[target == TACIT_ALL_TARGETS ? plan->facts->schema->target_count : target];
}

const tacit_mechanism *tacit_plan_next(tacit_release_plan *plan, size_t target) {
  return next_of(plan->list, course_of(plan, target), target);
}

void tacit_plan_take(tacit_release_plan *plan, size_t target, uint64_t count) {
  if (tacit_plan_next(plan, target)) course_of(plan, target)->used += count;
}

tacit_status tacit_plan_check(const tacit_release_plan *plan, tacit_error *error) {
  const tacit_facts *facts = plan->facts;
  bool kept = facts->mu > 0 ? tacit_certificate_mu(plan->list) <= facts->mu
                            : tacit_certificate_delta(plan->list, facts->epsilon) <= facts->delta;
  if (kept) return TACIT_OK;
  return tacit_fail(error, TACIT_INTERNAL,
                    "the planned noise would not keep the promise; nothing was released");
}

/* How many turns all targets take before one of them comes to another kind of release; 0 at the end. */
static uint64_t turns_alike(const tacit_release_plan *plan, struct tacit_course *course) {
  uint64_t least = 0;
  for (size_t t = 0; t < plan->facts->schema->target_count; t++) {
    const tacit_mechanism *m = next_of(plan->list, &course[t], t);
    if (m && (least == 0 || m->count - course[t].used < least)) least = m->count - course[t].used;
  }
  return least;
}

/* The list as it comes about when the targets take turns. */
static tacit_certificate *in_turns(const tacit_release_plan *plan) {
  size_t targets = plan->facts->schema->target_count;
  struct tacit_course *course = tacit_alloc(targets, sizeof *course);
  tacit_certificate *list = NULL;
  uint64_t turns;
  bool made = course && tacit_certificate_new("plan", &list, NULL) == TACIT_OK;
  while (made && (turns = turns_alike(plan, course)) > 0)
    for (size_t t = 0; t < targets && made; t++) {
      const tacit_mechanism *m = next_of(plan->list, &course[t], t);
      if (!m) continue;
      tacit_mechanism some = *m;
      some.count = turns;
      made = tacit_certificate_add(list, &some, NULL) == TACIT_OK;
      course[t].used += turns;
    }
  free(course);
  if (made) return list;
  tacit_certificate_free(list);
  return NULL;
}

bool tacit_near(double a, double b, double tolerance) {
  return fabs(a - b) <= tolerance * fabs(b);
}

/* The same number, and 0 not as -0. */
static bool same(double a, double b) {
  return a == b && !signbit(a) == !signbit(b);
}

/* The gradient that a minimiser was certified with comes out of roots: the last digit may differ, and its
   sensitivity with it. */
static bool same_clip(const tacit_release_plan *plan, const tacit_mechanism *stated,
                      const tacit_mechanism *planned) {
  double sensitivity;
  if (planned->kind != TACIT_RELEASE_MINIMISER)
    return same(stated->clip, planned->clip) && same(stated->sensitivity, planned->sensitivity);
  return tacit_near(stated->clip, planned->clip, plan->slack) &&
         tacit_mechanism_sensitivity(stated, plan->facts->adjacency, plan->facts->schema->rows_per_unit,
                                     &sensitivity, NULL) == TACIT_OK &&
         same(stated->sensitivity, sensitivity);
}

static bool is(const tacit_release_plan *plan, const tacit_mechanism *stated,
               const tacit_mechanism *planned) {
  return stated->kind == planned->kind && stated->target == planned->target &&
         stated->dimension == planned->dimension && same(stated->level, planned->level) &&
         same_clip(plan, stated, planned) && same(stated->unit, planned->unit) &&
         stated->bits == planned->bits && !signbit(stated->sigma) &&
         tacit_near(stated->sigma, planned->sigma, plan->slack) && stated->sample == planned->sample &&
         same(stated->rate, planned->rate) && same(stated->lambda, planned->lambda) &&
         tacit_near(stated->smoothness, planned->smoothness, plan->slack) &&
         same(stated->width, planned->width) && same(stated->change, planned->change) &&
         stated->count == planned->count;
}

tacit_status tacit_plan_continues(const tacit_release_plan *plan, const tacit_certificate *made,
                                  tacit_error *error) {
  size_t done = made->mechanism_count;
  bool begins = done <= plan->list->mechanism_count;
  for (size_t i = 0; i < done && begins; i++) {
    const tacit_mechanism *m = &made->mechanisms[i], *p = &plan->list->mechanisms[i];
    begins = m->kind == p->kind && m->target == p->target && m->dimension == p->dimension &&
             same(m->level, p->level) && same(m->clip, p->clip) && same(m->unit, p->unit) &&
             m->bits == p->bits && same(m->width, p->width) && same(m->change, p->change) &&
             same(m->sensitivity, p->sensitivity) && same(m->sigma, p->sigma) &&
             (i + 1 == done ? m->count <= p->count : m->count == p->count);
  }
  if (begins) return TACIT_OK;
  return tacit_fail(
      error, TACIT_INTERNAL,
      "a plan that was made on the way is not the one that was begun; nothing more was released");
}

bool tacit_plan_is_listed(tacit_release_plan *plan, const tacit_certificate *certificate) {
  if (plan->list->releases != certificate->releases ||
      plan->list->mechanism_count != certificate->mechanism_count)
    return false;
  tacit_certificate *turns = plan->in_turn ? in_turns(plan) : NULL;
  const tacit_certificate *list = plan->in_turn ? turns : plan->list;
  bool listed = list && list->mechanism_count == certificate->mechanism_count;
  for (size_t i = 0; listed && i < list->mechanism_count; i++)
    listed = is(plan, &certificate->mechanisms[i], &list->mechanisms[i]);
  tacit_certificate_free(turns);
  return listed;
}
