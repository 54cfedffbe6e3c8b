/* One step of a sampled Gaussian on a grid. The pair comes in half cells: with edges at every half width,
   each half cell is next to one grid point, its near one, and has a mass under Q and a moment |P - X Q| about
   it (proofs/pld.md). */
#include "privacy/measure.h"

#include <stdlib.h>

/* The cell between two grid points with likelihood ratios x and x_next: its halves, the first near x and the
   second near x_next. */
typedef struct cell {
  tacit_step_part half[2];
  long double x, x_next, gap; /* gap = x_next - x */
} cell;

static double up(long double value) {
  return (double)value * (1 + 2 * DBL_EPSILON) + 1e-300;
}

/* Connecting the dots: the mass of each half goes to the two grid points so that mass and mean likelihood
   ratio stay. The far one gets moment / gap under Q, the near one the rest. */
static void spread_cell(const cell *c, double *mass) {
  const long double room = 1 + 4 * TACIT_LIBM_ERROR; /* of x, gap and the operations below */
  for (int i = 0; i < 2; i++) {
    const tacit_step_part *h = &c->half[i];
    long double far = (h->moment.value + h->moment.error) / c->gap * room;
    long double near = h->q.value + h->q.error - (h->moment.value - h->moment.error) / c->gap;
    if (far > h->q.value + h->q.error) far = h->q.value + h->q.error;
    near = near > 0 ? near + 4 * TACIT_LIBM_ERROR * h->q.value : 4 * TACIT_LIBM_ERROR * h->q.value;
    mass[i] += up(near * room * (i == 0 ? c->x : c->x_next));
    mass[1 - i] += up(far * room * (i == 0 ? c->x_next : c->x));
  }
}

/* What is left of a cell's halves when the grid point at its lower end has taken its part. */
typedef struct rest {
  long double share[2];
} rest;

static long double safe_q(const tacit_step_part *h) {
  return fmaxl(0, h->q.value - h->q.error) * (1 - 4 * TACIT_LIBM_ERROR);
}
/* Bounds on the moment about the near and the far grid point. */
static long double moment_of(const cell *c, int half, bool about_near, int sign) {
  const tacit_step_part *h = &c->half[half];
  long double near = h->moment.value + (about_near ? sign : -sign) * h->moment.error;
  long double m = about_near ? near : c->gap * (h->q.value + sign * h->q.error) - near;
  m += sign * 8 * TACIT_LIBM_ERROR * (h->moment.value + c->gap * h->q.value);
  return m > 0 ? m : 0;
}

/* Drawing together at the grid point between the cells `left` and `right`: what is left over on the left is
   joined with as much from the right as makes the mean likelihood ratio at least x. mass points at the grid
   point. */
static rest draw_point(const cell *left, rest over, const cell *right, double *mass) {
  long double below = 0, q_below = 0, q = 0, above = 0;
  for (int i = 0; i < 2; i++) {
    below += over.share[i] * moment_of(left, i, i == 1, +1);
    q_below += over.share[i] * safe_q(&left->half[i]);
  }
  below *= 1 + 16 * LDBL_EPSILON;
  rest next = {{1, 1}};
  for (int i = 0; i < 2 && above < below; i++) {
    long double weight = moment_of(right, i, i == 0, -1);
    long double take = above + weight > below ? (below - above) / weight * (1 + 4 * LDBL_EPSILON) : 1;
    if (take > 1) take = 1;
    above += take * weight;
    q += take * safe_q(&right->half[i]);
    next.share[i] = 1 - take;
  }
  long double joined = 1, x = right->x;
  if (above < below * (1 - 8 * LDBL_EPSILON)) {
    joined = above / below * (1 - 8 * LDBL_EPSILON);
    mass[-1] +=
        (double)((1 - joined) * q_below * left->x * (1 - 8 * TACIT_LIBM_ERROR)) * (1 - 2 * DBL_EPSILON);
  }
  mass[0] += (double)((q + joined * q_below) * x * (1 - 8 * TACIT_LIBM_ERROR)) * (1 - 2 * DBL_EPSILON);
  return next;
}

/* Both sides in one pass over the cells. */
static void fill(const tacit_step_curve *curve, double width, double *upper, double *lower, int64_t low,
                 size_t count) {
  tacit_step_edge edge, middle, next;
  cell before = {.x = 0}, now;
  rest over = {{0, 0}};
  long double growth = expm1l(width), x = expl((long double)low * width);
  tacit_step_edge_at(curve, (long double)low * width, &edge);
  for (size_t i = 0; i + 1 < count; i++) {
    long double a = (long double)(low + (int64_t)i) * width, b = a + width;
    tacit_step_edge_at(curve, a + width / 2, &middle);
    tacit_step_edge_at(curve, b, &next);
    now.half[0] = tacit_step_between(curve, &edge, &middle, a);
    now.half[1] = tacit_step_between(curve, &middle, &next, b);
    now.x = x;
    now.x_next = x = expl(b);
    now.gap = now.x * growth;
    spread_cell(&now, upper + i);
    over = draw_point(&before, over, &now, lower + i);
    before = now;
    edge = next;
  }
  cell nothing = {.x = before.x_next}; /* above the last cell */
  (void)draw_point(&before, over, &nothing, lower + count - 1);
  tacit_enclosed atom = tacit_step_atom(curve);
  if (!(atom.value > 0)) return;
  upper[-low] += up(atom.value + atom.error);
  lower[-low] += (double)(atom.value - atom.error) * (1 - 2 * DBL_EPSILON);
}

tacit_status tacit_measure_step(const tacit_step_curve *curve, double width, double reach, size_t cells_max,
                                tacit_measure *lower, tacit_measure *upper, double *beyond,
                                tacit_error *error) {
  long double low, high, mass_beyond;
  tacit_step_range(curve, reach, &low, &high, &mass_beyond);
  if (!((high - low) / width < (long double)cells_max))
    return tacit_fail(error, TACIT_REFUSED, "the privacy losses need too fine a grid");
  upper->width = width;
  upper->low = (int64_t)floorl(low / width) - 1;
  upper->count = (size_t)((int64_t)ceill(high / width) - upper->low) + 2;
  *lower = *upper;
  upper->mass = tacit_alloc(upper->count, sizeof *upper->mass);
  lower->mass = tacit_alloc(lower->count, sizeof *lower->mass);
  if (!upper->mass || !lower->mass) {
    tacit_measure_free(upper);
    tacit_measure_free(lower);
    return tacit_no_memory(error);
  }
  *beyond = (double)mass_beyond * (1 + DBL_EPSILON);
  fill(curve, width, upper->mass, lower->mass, upper->low, upper->count);
  return TACIT_OK;
}
