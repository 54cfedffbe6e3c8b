/* A list of unlike releases in groups, and the measure of one release of a group: mixtures are sums. */
#include "privacy/bundle.h"

#include "privacy/sampled.h"

#include <stdlib.h>

void tacit_bundled_init(tacit_bundled *part, tacit_bundled_kind kind) {
  *part = (tacit_bundled){.kind = kind, .times = 1, .chance = 1};
}

void tacit_group_step_free(tacit_group_step *step) {
  tacit_measure_free(&step->lower);
  tacit_measure_free(&step->upper);
}

static tacit_sampled sampled_of(const tacit_bundled *p, tacit_adjacency adjacency) {
  return (tacit_sampled){p->sigma, p->rate, 1, p->sampling, adjacency};
}

static tacit_status check_part(const tacit_bundled *p, tacit_adjacency adjacency, tacit_error *error) {
  if (!(p->times >= 1 && p->times <= TACIT_BUNDLE_TIMES_MAX))
    return tacit_fail(error, TACIT_USAGE, "a release must be made at least once and at most %g times",
                      (double)TACIT_BUNDLE_TIMES_MAX);
  if (!(p->chance > 0 && p->chance <= 1))
    return tacit_fail(error, TACIT_USAGE, "a release's chance must be above 0 and at most 1");
  switch (p->kind) {
  case TACIT_BUNDLED_GAUSSIAN:
    if (p->mu > 0 && p->mu <= TACIT_BUNDLE_MU_MAX) return TACIT_OK;
    return tacit_fail(error, TACIT_USAGE, "the mu of a release must be above 0 and at most %g",
                      TACIT_BUNDLE_MU_MAX);
  case TACIT_BUNDLED_PAIR:
    if (p->epsilon >= 0 && p->epsilon <= TACIT_BUNDLE_EPSILON_MAX && p->delta >= 0 && p->delta < 1)
      return TACIT_OK;
    return tacit_fail(error, TACIT_USAGE,
                      "the epsilon of a release must be in [0, %g] and its delta in [0, 1)",
                      TACIT_BUNDLE_EPSILON_MAX);
  case TACIT_BUNDLED_SAMPLED: {
    const tacit_sampled s = sampled_of(p, adjacency);
    return tacit_sampled_check(&s, error);
  }
  case TACIT_BUNDLED_OBJECTIVE:
    if (p->offset >= 0 && p->offset <= TACIT_BUNDLE_EPSILON_MAX && p->reach > 0 &&
        p->reach <= TACIT_BUNDLE_MU_MAX)
      return TACIT_OK;
    return tacit_fail(error, TACIT_USAGE, "the offset of a release must be in [0, %g], its reach in (0, %g]",
                      TACIT_BUNDLE_EPSILON_MAX, TACIT_BUNDLE_MU_MAX);
  }
  return tacit_fail(error, TACIT_USAGE, "no such kind of release");
}

/* One part after the other: into the last group, into the Gaussians, or into a group of its own. */
static void enter(tacit_grouped *g, const tacit_bundled *p, bool alone, long double *square) {
  if (p->alternative) {
    g->group[g->count - 1].count++;
  } else if (alone && p->kind == TACIT_BUNDLED_GAUSSIAN && p->chance == 1) {
    *square += (long double)p->mu * p->mu * (long double)p->times;
  } else {
    g->group[g->count++] = (tacit_group){p, 1, p->times};
  }
}

tacit_status tacit_bundle_group(const tacit_bundle *bundle, tacit_grouped *g, tacit_error *error) {
  *g = (tacit_grouped){.adjacency = bundle->adjacency};
  if (bundle->count < 1 || bundle->count > TACIT_BUNDLE_MAX)
    return tacit_fail(error, TACIT_USAGE, "give at least one release and at most %d", (int)TACIT_BUNDLE_MAX);
  long double square = 0;
  double chance = 0;
  for (size_t i = 0; i < bundle->count; i++) {
    const tacit_bundled *p = &bundle->releases[i];
    TACIT_TRY(check_part(p, bundle->adjacency, error));
    if (i == 0 && p->alternative)
      return tacit_fail(error, TACIT_USAGE, "the first release cannot be an alternative");
    chance = p->alternative ? chance + p->chance : p->chance;
    if (chance > 1 + 4 * DBL_EPSILON)
      return tacit_fail(error, TACIT_USAGE, "the chances of alternatives must add up to at most 1");
    enter(g, p, !(i + 1 < bundle->count && bundle->releases[i + 1].alternative), &square);
  }
  g->only_gaussian = g->count == 0;
  if (!(square > 0)) return TACIT_OK;
  tacit_bundled_init(&g->gaussian, TACIT_BUNDLED_GAUSSIAN);
  g->gaussian.mu = (double)(sqrtl(square) * (1 + 8 * LDBL_EPSILON)) * (1 + DBL_EPSILON);
  if (g->gaussian.mu > TACIT_BUNDLE_MU_MAX)
    return tacit_fail(error, TACIT_USAGE, "the Gaussian releases together have a mu above %g",
                      TACIT_BUNDLE_MU_MAX);
  g->group[g->count++] = (tacit_group){&g->gaussian, 1, 1};
  return TACIT_OK;
}

static bool is_poisson(const tacit_bundled *p) {
  return p->kind == TACIT_BUNDLED_SAMPLED && p->sampling == TACIT_SAMPLING_POISSON && p->rate < 1;
}

size_t tacit_grouped_directions(const tacit_grouped *g) {
  if (g->adjacency != TACIT_ADD_REMOVE) return 1;
  for (size_t i = 0; i < g->count; i++)
    for (size_t k = 0; k < g->group[i].count; k++)
      if (is_poisson(&g->group[i].part[k])) return 2;
  return 1;
}

static void curve_of(const tacit_bundled *p, tacit_adjacency adjacency, size_t direction,
                     tacit_step_curve *curve) {
  if (p->kind == TACIT_BUNDLED_GAUSSIAN) {
    tacit_step_curve_set(curve, TACIT_STEP_REMOVE, 1, 1);
    curve->shift = p->mu;
    curve->centre = expl(-curve->shift * curve->shift / 2);
    return;
  }
  const tacit_sampled s = sampled_of(p, adjacency);
  tacit_step_curve_set(curve, tacit_sampled_direction(&s, direction), p->rate, p->sigma);
}

static double variance_of(const tacit_bundled *p, tacit_adjacency adjacency) {
  tacit_step_curve curve;
  if (p->kind == TACIT_BUNDLED_GAUSSIAN) return p->mu * p->mu;
  if (p->kind == TACIT_BUNDLED_OBJECTIVE) return p->reach * p->reach;
  if (p->kind == TACIT_BUNDLED_PAIR) return p->epsilon * p->epsilon * (1 - p->delta);
  curve_of(p, adjacency, 0, &curve);
  return tacit_step_spread(&curve) * tacit_step_spread(&curve);
}

double tacit_group_variance(const tacit_group *group, tacit_adjacency adjacency) {
  double sum = 0;
  for (size_t k = 0; k < group->count; k++)
    sum += group->part[k].chance * variance_of(&group->part[k], adjacency);
  return sum;
}

static tacit_status part_measure(const tacit_bundled *p, const tacit_group_grid *grid, tacit_group_step *step,
                                 tacit_error *error) {
  if (p->kind == TACIT_BUNDLED_PAIR) return tacit_pair_measure(p, grid->width, step, error);
  if (p->kind == TACIT_BUNDLED_OBJECTIVE) return tacit_objective_measure(p, grid, step, error);
  tacit_step_curve curve;
  curve_of(p, grid->adjacency, grid->direction, &curve);
  const tacit_step_grid one = {grid->width, grid->reach, TACIT_BUNDLE_CELLS_MAX, INFINITY};
  step->infinite = 0;
  return tacit_measure_step(&curve, &one, &step->lower, &step->upper, &step->beyond, error);
}

/* m += chance * other, on the union of their ranges; rounded to the side. */
static tacit_status add_measure(tacit_measure *m, const tacit_measure *other, double chance, tacit_side side,
                                tacit_error *error) {
  int64_t low = m->low < other->low ? m->low : other->low;
  int64_t end = m->low + (int64_t)m->count, other_end = other->low + (int64_t)other->count;
  tacit_measure sum = {
      .width = m->width, .low = low, .count = (size_t)((end > other_end ? end : other_end) - low)};
  double factor = chance * (side == TACIT_UPPER_SIDE ? 1 + 4 * DBL_EPSILON : 1 - 4 * DBL_EPSILON);
  sum.mass = tacit_alloc(sum.count, sizeof *sum.mass);
  if (!sum.mass) return tacit_no_memory(error);
  for (size_t i = 0; i < m->count; i++) sum.mass[m->low - low + (int64_t)i] = m->mass[i];
  for (size_t i = 0; i < other->count; i++)
    sum.mass[other->low - low + (int64_t)i] += other->mass[i] * factor;
  tacit_measure_free(m);
  *m = sum;
  return TACIT_OK;
}

static tacit_status add_alternative(tacit_group_step *all, const tacit_bundled *p,
                                    const tacit_group_grid *grid, tacit_error *error) {
  tacit_group_step one = {.infinite = 0};
  tacit_status status = part_measure(p, grid, &one, error);
  if (status == TACIT_OK) status = add_measure(&all->lower, &one.lower, p->chance, TACIT_LOWER_SIDE, error);
  if (status == TACIT_OK) status = add_measure(&all->upper, &one.upper, p->chance, TACIT_UPPER_SIDE, error);
  all->infinite += p->chance * one.infinite;
  all->beyond += one.beyond;
  tacit_group_step_free(&one);
  return status;
}

/* What is seen when nothing is released has loss 0. */
static tacit_status nothing(const tacit_group *group, double width, tacit_group_step *step,
                            tacit_error *error) {
  double rest = 1;
  for (size_t k = 0; k < group->count; k++) rest -= group->part[k].chance;
  step->lower = step->upper = (tacit_measure){.width = width, .low = 0, .count = 1};
  step->lower.mass = tacit_alloc(1, sizeof(double));
  step->upper.mass = tacit_alloc(1, sizeof(double));
  if (!step->lower.mass || !step->upper.mass) return tacit_no_memory(error);
  double spare = DBL_EPSILON * (double)group->count; /* the rounding of the sum */
  step->lower.mass[0] = fmax(rest - spare, 0);
  step->upper.mass[0] = fmax(rest + spare, 0);
  return TACIT_OK;
}

tacit_status tacit_group_measure(const tacit_group *group, const tacit_group_grid *grid,
                                 tacit_group_step *step, tacit_error *error) {
  *step = (tacit_group_step){.infinite = 0};
  tacit_status status = TACIT_OK;
  if (group->count == 1 && group->part->chance == 1) {
    status = part_measure(group->part, grid, step, error);
  } else {
    status = nothing(group, grid->width, step, error);
    for (size_t k = 0; k < group->count && status == TACIT_OK; k++)
      status = add_alternative(step, &group->part[k], grid, error);
  }
  if (status != TACIT_OK) tacit_group_step_free(step);
  return status;
}
