/* The product of all groups' measures on one grid: every group by itself, level by level where it is made
   many times, then one after the other (proofs/pld.md, "Unlike releases"). */
#include "privacy/bundle.h"
#include "privacy/convolve.h"

#include <stdlib.h>

enum { BITS_MAX = 20, FINENESS = 8, LEVEL_RATIO = 4, ALIGNED_BITS = 24 };
/* A loss has no meaning on a wider grid. */
static const double WIDTH_MOST = 0.25;

void tacit_bundle_sum_free(tacit_bundle_sum *sum) {
  tacit_pld_free(&sum->pld);
}

/* How much finer than the result's the grid of one release must be, so that all levels end on the same. */
static double finer(uint64_t times) {
  double ratio = 1;
  for (size_t i = tacit_pld_levels(times); i > 0; i--) ratio *= LEVEL_RATIO;
  return ratio;
}

/* A whole number of widths in the epsilon that matters most, so that rounding it down hardly changes it. */
static double align(const tacit_grouped *g, double width) {
  double most = 0, epsilon = 0;
  for (size_t i = 0; i < g->count; i++)
    for (size_t k = 0; k < g->group[i].count; k++) {
      const tacit_bundled *p = &g->group[i].part[k];
      double weight = p->epsilon * p->epsilon * (double)g->group[i].times * p->chance;
      if (p->kind != TACIT_BUNDLED_PAIR || !(weight > most)) continue;
      most = weight;
      epsilon = p->epsilon;
    }
  if (most > 0) width = epsilon / ceil(epsilon / width);
  int exponent, bits = most > 0 ? ALIGNED_BITS : 5;
  double fraction = frexp(width, &exponent);
  return ldexp(floor(ldexp(fraction, bits)), exponent - bits);
}

/* A release adds about width^2/4 to the variance of all losses, or takes that away. */
double tacit_bundle_width(const tacit_grouped *g) {
  double variance = 0, releases = 0;
  for (size_t i = 0; i < g->count; i++) {
    double times = (double)g->group[i].times, ratio = finer(g->group[i].times);
    variance += times * tacit_group_variance(&g->group[i], g->adjacency);
    releases += times / (ratio * ratio);
  }
  return align(g, fmin(fmax(sqrt(variance / releases), 1e-9) / FINENESS, WIDTH_MOST));
}

static tacit_status group_step(const tacit_grouped *g, size_t i, const tacit_bundle_grid *grid,
                               tacit_group_step *step, tacit_error *error) {
  const tacit_group_grid one = {grid->width / finer(g->group[i].times), grid->reach, grid->direction,
                                g->adjacency};
  return tacit_group_measure(&g->group[i], &one, step, error);
}

/* a = a * b; the errors of both, each with the other's mass. */
static tacit_status times(tacit_power *a, tacit_power *b, double releases, tacit_fft **roots,
                          tacit_error *error) {
  const tacit_measure *in[2] = {&a->m, &b->m};
  tacit_product product = {.power = {1, 1}};
  TACIT_TRY(tacit_convolve_products(in, &product, 1, fmin(-34 + log(releases), -16), BITS_MAX, roots, error));
  double off = product.off + (a->off * b->bound + b->off * a->bound) * 1.001;
  tacit_measure_free(&a->m);
  a->m = product.out;
  a->bound = fmax(tacit_measure_total(&a->m), a->bound * b->bound) * (1 + 4 * DBL_EPSILON) + off;
  a->off = off >= 0 ? off : INFINITY;
  a->log_scale += b->log_scale;
  return TACIT_OK;
}

typedef struct composing {
  const tacit_grouped *g;
  const tacit_bundle_grid *grid;
  tacit_side side;
  double releases;    /* in all */
  long double finite; /* ln of the P-mass that no release gives an infinite loss */
} composing;

/* One group's power, multiplied onto the others'. */
static tacit_status add_group(composing *c, size_t i, tacit_power *all, tacit_fft **roots, double *beyond,
                              tacit_error *error) {
  const tacit_group *group = &c->g->group[i];
  tacit_group_step step;
  tacit_power power = {.off = 0};
  TACIT_TRY(group_step(c->g, i, c->grid, &step, error));
  const tacit_composition of = {
      .steps = group->times, .theta = c->grid->theta, .side = c->side, .bits_max = BITS_MAX};
  tacit_measure *one = c->side == TACIT_UPPER_SIDE ? &step.upper : &step.lower;
  tacit_status status = tacit_pld_power(one, &of, roots, &power, error);
  if (status == TACIT_OK && !all->m.mass) {
    *all = power;
    power.m.mass = NULL;
  } else if (status == TACIT_OK) {
    status = times(all, &power, c->releases, roots, error);
  }
  *beyond += step.beyond * (double)group->times * (1 + 4 * DBL_EPSILON);
  c->finite += log1pl(-(long double)step.infinite) * (long double)group->times;
  tacit_measure_free(&power.m);
  tacit_group_step_free(&step);
  return status;
}

tacit_status tacit_bundle_compose(const tacit_grouped *g, const tacit_bundle_grid *grid, tacit_side side,
                                  tacit_fft **roots, tacit_bundle_sum *sum, tacit_error *error) {
  composing c = {g, grid, side, 0, 0};
  tacit_power all = {.off = 0};
  *sum = (tacit_bundle_sum){.pld = {.side = side}};
  for (size_t i = 0; i < g->count; i++) c.releases += (double)g->group[i].times;
  tacit_status status = TACIT_OK;
  for (size_t i = 0; i < g->count && status == TACIT_OK; i++)
    status = add_group(&c, i, &all, roots, &sum->beyond, error);
  /* log1pl is good to a few units of what it gives, however small */
  sum->infinite = (double)-expm1l(c.finite) * (side == TACIT_UPPER_SIDE ? 1 + 1e-12 : 1 - 1e-12);
  if (status == TACIT_OK) status = tacit_pld_from(&all, grid->theta, side, sum->beyond, &sum->pld, error);
  tacit_measure_free(&all.m);
  return status;
}

double tacit_bundle_sum_delta(const tacit_bundle_sum *sum, double epsilon) {
  double finite = tacit_pld_delta(&sum->pld, epsilon);
  if (sum->pld.side == TACIT_LOWER_SIDE) return (finite + sum->infinite) * (1 - 1e-12);
  return fmin(1, (finite + sum->infinite) * (1 + 1e-12));
}

/* All groups' cumulants, each as often as the group is made. */
static tacit_cumulant cumulant(const tacit_grouped *g, const tacit_points *points, double theta) {
  tacit_cumulant sum = {0, 0, 0};
  for (size_t i = 0; i < g->count; i++) {
    tacit_cumulant k = tacit_points_cumulant(&points[i], theta);
    double n = (double)g->group[i].times;
    sum.value += n * k.value;
    sum.mean += n * k.mean;
    sum.variance += n * k.variance;
  }
  return sum;
}

/* K'(theta) = epsilon, or K(theta) - theta K'(theta) = ln delta, up to what the last factor costs. */
static bool below_saddle(const tacit_bundle_aim *aim, const tacit_cumulant *k, double theta) {
  if (!aim->wants_epsilon) return k->mean < aim->given;
  double spread = theta * (1 + theta) * sqrt(2 * 3.14159 * k->variance);
  return k->value - theta * k->mean - log1p(spread) > log(aim->given);
}

static double saddle(const tacit_grouped *g, const tacit_points *points, const tacit_bundle_aim *aim,
                     double width) {
  double low = 0, high = 1;
  tacit_cumulant k = cumulant(g, points, 0);
  if (!below_saddle(aim, &k, 0)) return 0;
  k = cumulant(g, points, high);
  while (high * width < 0.1 && below_saddle(aim, &k, high)) {
    low = high;
    high *= 4;
    k = cumulant(g, points, high);
  }
  while (high > 1.1 * low && high > 1e-6) {
    double middle = low > 0 ? sqrt(low * high) : high / 8;
    k = cumulant(g, points, middle);
    if (below_saddle(aim, &k, middle))
      low = middle;
    else
      high = middle;
  }
  return low > 0 ? low : high;
}

tacit_status tacit_bundle_tilt(const tacit_grouped *g, const tacit_bundle_grid *grid,
                               const tacit_bundle_aim *aim, double *theta, tacit_error *error) {
  tacit_points points[TACIT_BUNDLE_MAX + 1] = {{0, NULL, NULL}};
  tacit_status status = TACIT_OK;
  for (size_t i = 0; i < g->count && status == TACIT_OK; i++) {
    tacit_group_step step;
    status = group_step(g, i, grid, &step, error);
    if (status != TACIT_OK) break;
    status = tacit_points_of(&step.upper, &points[i], error);
    tacit_group_step_free(&step);
  }
  if (status == TACIT_OK) *theta = saddle(g, points, aim, grid->width);
  for (size_t i = 0; i < g->count; i++) tacit_points_free(&points[i]);
  return status;
}
