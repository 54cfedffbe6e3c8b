/* Measures of single parts that are no sampled Gaussian: pairs (epsilon, delta) and objective perturbation.
 */
#include "privacy/bundle.h"

#include <stdlib.h>

static const double UP = 1 + 16 * DBL_EPSILON, DOWN = 1 - 16 * DBL_EPSILON;

static tacit_status both_sides(double width, int64_t low, size_t count, tacit_group_step *step,
                               tacit_error *error) {
  step->lower = step->upper = (tacit_measure){.width = width, .low = low, .count = count};
  step->lower.mass = tacit_alloc(count, sizeof(double));
  step->upper.mass = tacit_alloc(count, sizeof(double));
  return step->lower.mass && step->upper.mass ? TACIT_OK : tacit_no_memory(error);
}

/* Mass at a loss `above` the grid point at[0], spread to it and the next (proofs/pld.md, Lemma 2). */
static void spread(long double mass, long double above, long double width, double *at) {
  long double far = expm1l(-above) / expm1l(-width);
  at[0] += (double)(mass * (1 - far > 0 ? 1 - far : 0)) * UP + DBL_EPSILON * (double)mass;
  at[1] += (double)(mass * far) * UP;
}

/* Every (epsilon, delta) release is dominated by one bit that is told truly with odds e^epsilon to 1, and
   with probability delta together with the truth (Kairouz, Oh and Viswanath). A smaller epsilon is dominated.
 */
tacit_status tacit_pair_measure(const tacit_bundled *part, double width, tacit_group_step *step,
                                tacit_error *error) {
  long double epsilon = part->epsilon, cells = floorl(epsilon / width);
  if (!(cells < TACIT_BUNDLE_CELLS_MAX / 2))
    return tacit_fail(error, TACIT_REFUSED, "the privacy losses need too fine a grid");
  int64_t k = (int64_t)cells;
  TACIT_TRY(both_sides(width, -k - 1, 2 * (size_t)k + 3, step, error));
  long double over = epsilon - cells * width, finite = 1 - (long double)part->delta;
  double *upper = step->upper.mass + k + 1, *lower = step->lower.mass + k + 1;
  spread(finite / (1 + expl(-epsilon)), over, width, upper + k);
  spread(finite / (1 + expl(epsilon)), width - over, width, upper - k - 1);
  lower[k] += (double)(finite / (1 + expl(-cells * width))) * DOWN;
  lower[-k] += (double)(finite / (1 + expl(cells * width))) * DOWN;
  step->infinite = part->delta;
  step->beyond = 0;
  return TACIT_OK;
}

/* The loss c + m |N| + m^2/2: between losses z and z' of |N|, P-mass 2 P(z < N < z') and Q-mass
   2 e^-c P(z + m < N < z' + m). Each cell's masses go to its ends, unchanged in sum. */
tacit_status tacit_objective_measure(const tacit_bundled *part, const tacit_group_grid *grid,
                                     tacit_group_step *step, tacit_error *error) {
  long double c = part->offset, m = part->reach, start = c + m * m / 2, width = grid->width;
  long double end = start + m * grid->reach;
  if (!(end / width < TACIT_BUNDLE_CELLS_MAX / 2))
    return tacit_fail(error, TACIT_REFUSED, "the privacy losses need too fine a grid");
  int64_t first = (int64_t)floorl(start / width), last = (int64_t)ceill(end / width);
  TACIT_TRY(both_sides(grid->width, 0, (size_t)last + 3, step, error));
  step->lower.mass[0] = 1; /* nothing is known from below: no release at all */
  tacit_tail p = tacit_tail_at(0, 0), q = tacit_tail_at(0, -m);
  for (int64_t i = first; i < last; i++) {
    long double near = (long double)i * width, to = near + width, z = (to - start) / m;
    tacit_tail next_p = tacit_tail_at(z, 0), next_q = tacit_tail_at(z, -m);
    tacit_enclosed mass = tacit_between(p, next_p), other = tacit_between(q, next_q);
    /* more at the upper end is a bound too, and that is where rounding goes */
    long double here = 2 * (mass.value + mass.error), there = 2 * expl(-c) * (other.value - other.error);
    long double near_share = (there - here * expl(-to)) / (expl(-near) - expl(-to));
    near_share -= here * (64 * LDBL_EPSILON / -expm1l(-width));
    near_share = near_share < 0 ? 0 : near_share > here ? here : near_share;
    step->upper.mass[i] += (double)near_share * UP + 1e-300;
    step->upper.mass[i + 1] += (double)(here - near_share) * UP + 1e-300;
    p = next_p;
    q = next_q;
  }
  step->infinite = 0;
  step->beyond = (double)(2 * (p.mass.value + p.mass.error)) * UP + DBL_TRUE_MIN;
  return TACIT_OK;
}
