/* The delta of certificates that promise (epsilon, delta): runs of samples as one run, objectives by their
   losses together or, as runs that are not alike, each by its own curve and an equal share of epsilon
   (proofs/objective-perturbation.md, proofs/sampled-gaussian.md); randomised responses together
   (proofs/randomised-response.md). */
#include "privacy/bundle.h"
#include "privacy/certificate.h"
#include "privacy/objective.h"
#include "privacy/randomised_response.h"
#include "privacy/sampled.h"

#include <math.h>

/* What exact samplers may do beyond 512 standard deviations, and more: far below any double that is used. */
static const double SLACK = 1e-300;

static double up(double x) {
  return nextafter(x, INFINITY);
}

static double down(double x) {
  return nextafter(x, -INFINITY);
}

static double gaussian_delta(const tacit_mechanism *m, double epsilon) {
  tacit_interval delta;
  double mu = up(m->sensitivity / m->sigma * up(sqrt((double)m->count)));
  if (!(mu > 0 && mu <= TACIT_MU_MAX)) return INFINITY;
  tacit_gdp_enclose(mu, epsilon, &delta);
  return delta.upper;
}

/* Theorems 1 and 2; sensitivity is L or 2 L. */
static double objective_delta(const tacit_mechanism *m, double epsilon) {
  double reach = up(m->sensitivity / m->sigma);
  if (!(m->count == 1 && m->smoothness > 0 && m->smoothness < 1e100 && m->lambda > 0 && m->lambda < 1e100 &&
        reach > 0 && reach < TACIT_MU_MAX))
    return INFINITY;
  double c = tacit_objective_determinant(m->smoothness, m->lambda);
  return tacit_half_normal_delta(reach, down(epsilon - c));
}

/* `sensitivity` is of one record replaced or added; the accountant takes sigma in norms of one record. */
tacit_sampled tacit_mechanism_sampled(const tacit_mechanism *m, tacit_adjacency adjacency) {
  double one = adjacency == TACIT_REPLACE_ONE ? m->sensitivity / 2 : m->sensitivity;
  return (tacit_sampled){.sigma = down(m->sigma / one),
                         .rate = m->rate,
                         .steps = m->count,
                         .sampling =
                             m->sample == TACIT_SAMPLE_FIXED ? TACIT_SAMPLING_FIXED : TACIT_SAMPLING_POISSON,
                         .adjacency = adjacency};
}

static double sampled_delta(const tacit_mechanism *m, tacit_adjacency adjacency, double epsilon) {
  tacit_interval delta;
  tacit_sampled sampled = tacit_mechanism_sampled(m, adjacency);
  if (m->sample == TACIT_SAMPLE_ALL || tacit_sampled_delta(&sampled, epsilon, &delta, NULL) != TACIT_OK)
    return INFINITY;
  return delta.upper;
}

/* Randomised responses of one kind compose exactly; mixed with anything else nothing is claimed here. */
static double responses_delta(const tacit_certificate *c, double epsilon) {
  double delta;
  uint64_t count = 0;
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    if (m->kind != TACIT_RELEASE_SIGN || m->level != c->mechanisms[0].level || m->count > TACIT_RESPONSES_MAX)
      return INFINITY;
    count += m->count;
    if (count > TACIT_RESPONSES_MAX) return INFINITY;
  }
  return tacit_response_delta(c->mechanisms[0].level, count, epsilon, &delta, NULL) == TACIT_OK ? delta
                                                                                                : INFINITY;
}

/* How many targets the mechanisms serve; 0 where one serves all. */
static size_t targets_of(const tacit_certificate *c) {
  size_t most = 0;
  for (size_t i = 0; i < c->mechanism_count; i++) {
    if (c->mechanisms[i].target == TACIT_ALL_TARGETS) return 0;
    if (c->mechanisms[i].target >= most) most = c->mechanisms[i].target + 1;
  }
  return most;
}

/* Targets mostly have runs alike, and a curve takes a while: it is computed once. */
typedef struct known_run {
  tacit_sampled sampled;
  double delta;
} known_run;

static bool is_known(const known_run *known, const tacit_sampled *s) {
  const tacit_sampled *k = &known->sampled;
  return known->delta > 0 && k->sigma == s->sigma && k->rate == s->rate && k->steps == s->steps &&
         k->sampling == s->sampling;
}

static double run_delta(const tacit_mechanism *m, tacit_adjacency adjacency, double epsilon,
                        known_run *known) {
  tacit_sampled sampled = tacit_mechanism_sampled(m, adjacency);
  if (m->sample != TACIT_SAMPLE_ALL && is_known(known, &sampled)) return known->delta;
  *known = (known_run){sampled, sampled_delta(m, adjacency, epsilon)};
  return known->delta;
}

/* Every target's run as one run of all their steps, where they are alike: then delta at the whole epsilon. */
static double runs_delta(const tacit_certificate *c, size_t targets, double epsilon) {
  tacit_sampled all = {.steps = 0};
  tacit_interval delta;
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    const tacit_sampled one = tacit_mechanism_sampled(m, c->adjacency);
    if (m->kind != TACIT_RELEASE_SAMPLED || m->sample == TACIT_SAMPLE_ALL) return INFINITY;
    if (i == 0) all = one;
    if (i > 0 && (one.rate != all.rate || one.sampling != all.sampling)) return INFINITY;
    if (i > 0 && one.steps > TACIT_SAMPLED_STEPS_MAX - all.steps) return INFINITY;
    if (i > 0) all.steps += one.steps;
    all.sigma = fmin(all.sigma, one.sigma); /* less noise is no better */
  }
  if (targets < 2 || tacit_sampled_delta(&all, epsilon, &delta, NULL) != TACIT_OK) return INFINITY;
  return up(delta.upper + SLACK);
}

/* Objectives and minimisers of all targets together, by the losses of both (proofs/pld.md, "Unlike
 * releases"). */
static double objectives_delta(const tacit_certificate *c, size_t targets, double epsilon) {
  tacit_bundled list[TACIT_BUNDLE_MAX];
  size_t count = 0;
  double square = 0;
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    double reach = up(m->sensitivity / m->sigma);
    if (!(reach > 0 && reach <= TACIT_BUNDLE_MU_MAX)) return INFINITY;
    if (m->kind == TACIT_RELEASE_MINIMISER) {
      square = up(square + up(up(reach * reach) * (double)m->count));
      continue;
    }
    if (m->kind != TACIT_RELEASE_OBJECTIVE || m->count != 1 || !(m->smoothness > 0 && m->lambda > 0))
      return INFINITY;
    double offset = tacit_objective_determinant(m->smoothness, m->lambda);
    bool alike = count && list[count - 1].reach == reach && list[count - 1].offset == offset;
    if (!alike && count + 1 >= TACIT_BUNDLE_MAX) return INFINITY;
    if (!alike) tacit_bundled_init(&list[count++], TACIT_BUNDLED_OBJECTIVE);
    list[count - 1].reach = reach;
    list[count - 1].offset = offset;
    list[count - 1].times += alike;
  }
  if (targets < 2 || !count) return INFINITY;
  if (square > 0) {
    tacit_bundled_init(&list[count], TACIT_BUNDLED_GAUSSIAN);
    list[count++].mu = up(sqrt(square));
  }
  const tacit_bundle bundle = {list, count, c->adjacency};
  tacit_interval delta;
  return tacit_bundle_delta(&bundle, epsilon, &delta, NULL) == TACIT_OK ? up(delta.upper + SLACK) : INFINITY;
}

double tacit_certificate_delta(const tacit_certificate *c, double epsilon) {
  if (c->mechanism_count && c->mechanisms[0].kind == TACIT_RELEASE_SIGN) return responses_delta(c, epsilon);
  size_t targets = targets_of(c), special = 0, objectives = 0, minimisers = 0;
  known_run known = {.delta = 0};
  double as_one = runs_delta(c, targets, epsilon);
  if (as_one < INFINITY) return as_one;
  double delta = SLACK, share = targets ? down(epsilon / (double)targets) : 0;
  for (size_t i = 0; i < c->mechanism_count; i++) {
    const tacit_mechanism *m = &c->mechanisms[i];
    double part = INFINITY;
    if (m->kind == TACIT_RELEASE_OBJECTIVE)
      part = objective_delta(m, down(share * (1 - TACIT_MINIMISER_SHARE)));
    if (m->kind == TACIT_RELEASE_MINIMISER) part = gaussian_delta(m, down(share * TACIT_MINIMISER_SHARE));
    if (m->kind == TACIT_RELEASE_SAMPLED) part = run_delta(m, c->adjacency, share, &known);
    special += part < INFINITY && m->kind != TACIT_RELEASE_MINIMISER;
    objectives += m->kind == TACIT_RELEASE_OBJECTIVE;
    minimisers += m->kind == TACIT_RELEASE_MINIMISER ? m->count : 0;
    delta = up(delta + part);
  }
  /* one objective or one run of samples for each target: two would share an epsilon that was given out once
   */
  if (special > 0 && special == targets && objectives == minimisers)
    return objectives > 1 ? fmin(delta, objectives_delta(c, targets, epsilon)) : delta;
  if (special > 0 || targets == 0) return INFINITY;
  double mu = tacit_certificate_mu(c); /* all Gaussian */
  for (size_t i = 0; i < c->mechanism_count; i++)
    if (!tacit_release_gaussian(c->mechanisms[i].kind)) return INFINITY;
  return tacit_gdp_delta(mu, epsilon, &delta, NULL) == TACIT_OK ? delta : INFINITY;
}
