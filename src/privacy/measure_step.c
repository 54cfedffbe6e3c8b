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
static void spread_cell(const cell *c, double *mass, int64_t stride) {
  const long double room = 1 + 4 * TACIT_LIBM_ERROR; /* of x, gap and the operations below */
  for (int i = 0; i < 2; i++) {
    const tacit_step_part *h = &c->half[i];
    long double far = (h->moment.value + h->moment.error) / c->gap * room;
    long double near = h->q.value + h->q.error - (h->moment.value - h->moment.error) / c->gap;
    if (far > h->q.value + h->q.error) far = h->q.value + h->q.error;
    near = near > 0 ? near + 4 * TACIT_LIBM_ERROR * h->q.value : 4 * TACIT_LIBM_ERROR * h->q.value;
    mass[i * stride] += up(near * room * (i == 0 ? c->x : c->x_next));
    mass[(1 - i) * stride] += up(far * room * (i == 0 ? c->x_next : c->x));
  }
}

/* Shares of a cell's halves. */
typedef struct shares {
  long double of[2];
} shares;

static long double safe_q(const tacit_step_part *h) {
  return fmaxl(0, h->q.value - h->q.error) * (1 - 4 * TACIT_LIBM_ERROR);
}
/* Bounds on a half's moment about the cell's lower and upper end; the lower end is near the first half. */
static long double moment_of(const cell *c, int half, int end, int sign) {
  const tacit_step_part *h = &c->half[half];
  bool about_near = half == end;
  long double near = h->moment.value + (about_near ? sign : -sign) * h->moment.error;
  long double m = about_near ? near : c->gap * (h->q.value + sign * h->q.error) - near;
  m += sign * 8 * TACIT_LIBM_ERROR * (h->moment.value + c->gap * h->q.value);
  return m > 0 ? m : 0;
}

/* Halves taken in some order until their moments reach `wanted`, or a hair beyond it, as `room` says. */
static shares take_first(const long double weight[2], int first, long double wanted, long double room) {
  shares take = {{0, 0}};
  long double sum = 0;
  for (int k = 0; k < 2 && sum < wanted; k++) {
    int i = k == 0 ? first : 1 - first;
    take.of[i] = sum + weight[i] > wanted ? (wanted - sum) / weight[i] * room : 1;
    if (take.of[i] > 1) take.of[i] = 1;
    sum += take.of[i] * weight[i];
  }
  return take;
}

/* What to take of the outer cell. Any shares with the wanted moment will do. The nearer half first is best
   for this grid point, but what then is left decides how well the next one does, and the best to leave is
   about the farther half alone: so the shares are mixed until its moment is left, or nearly. */
static shares take_outer(const cell *outer, int side, long double wanted) {
  int near = side > 0 ? 0 : 1, far = 1 - near;
  long double weight[2], after[2], room = side * 4 * LDBL_EPSILON;
  for (int i = 0; i < 2; i++) {
    weight[i] = moment_of(outer, i, near, -side);
    after[i] = moment_of(outer, i, far, side);
  }
  shares take = take_first(weight, near, wanted, 1 + room), other = take_first(weight, far, wanted, 1 + room);
  long double leaves = (1 - take.of[0]) * after[0] + (1 - take.of[1]) * after[1];
  long double leaves_other = (1 - other.of[0]) * after[0] + (1 - other.of[1]) * after[1];
  if (!(leaves < after[far] && leaves_other > leaves)) return take;
  long double mix = fminl((after[far] - leaves) / (leaves_other - leaves), 1);
  for (int i = 0; i < 2; i++)
    take.of[i] = fminl((take.of[i] + mix * (other.of[i] - take.of[i])) * (1 + 2 * room), 1);
  return take;
}

/* Drawing together at the grid point between an inner cell, of which `over` is left, and the cell next to it
   further on: as much of the outer one is taken as makes the mean likelihood ratio of all x, or a hair more.
   On the way up the inner cell is below the point: where the outer cell is too little, only a share of
   the inner one joins it, and the rest goes to its other end, all its ratios being larger. On the way down,
   too little below only makes the ratio larger. Returns what is left of the outer cell. mass points at the
   grid point, and mass - side * stride at the inner one. */
static shares draw_point(const cell *inner, shares over, const cell *outer, int side, double *mass,
                         int64_t stride) {
  int end = side > 0 ? 1 : 0; /* of the inner cell */
  long double wanted = 0, q_inner = 0, q = 0, reached = 0, x = end ? inner->x_next : inner->x;
  for (int i = 0; i < 2; i++) {
    wanted += over.of[i] * moment_of(inner, i, end, side);
    q_inner += over.of[i] * safe_q(&inner->half[i]);
  }
  wanted *= 1 + side * 16 * LDBL_EPSILON;
  shares take = take_outer(outer, side, wanted), next;
  for (int i = 0; i < 2; i++) {
    reached += take.of[i] * moment_of(outer, i, 1 - end, -side);
    q += take.of[i] * safe_q(&outer->half[i]);
    next.of[i] = 1 - take.of[i];
  }
  long double joined = 1;
  if (side > 0 && reached < wanted * (1 - 8 * LDBL_EPSILON)) {
    joined = reached / wanted * (1 - 8 * LDBL_EPSILON);
    mass[-stride] +=
        (double)((1 - joined) * q_inner * inner->x * (1 - 8 * TACIT_LIBM_ERROR)) * (1 - 2 * DBL_EPSILON);
  }
  mass[0] += (double)((q + joined * q_inner) * x * (1 - 8 * TACIT_LIBM_ERROR)) * (1 - 2 * DBL_EPSILON);
  return next;
}

/* Where the masses go, and how far out cells have come. */
typedef struct filling {
  const tacit_step_curve *curve;
  double width, theta;
  double *upper, *lower; /* at loss 0 */
} filling;

/* Cells from one loss to another, longer ones beyond 0 where little mass is left further out. */
typedef struct walk {
  int side;
  int64_t at, end, stride, longest;
  size_t cells;
  tacit_step_edge edge; /* at `at` */
  long double x, growth;
  double checked_y;
  int64_t checked_at;
} walk;

enum { STRIDE_MAX = 1 << 12, CHECKED = 5 };

/* A stride of k where a share t of the tilted mass is left further out adds t k^2/6 to the variance, in
   squares of the width; and from one cell to the next the density should not change by much, or it is not
   balanced at the point between. */
static void lengthen(const filling *f, walk *w) {
  const double allowed = 0.04, change = 0.2;
  double y = (double)w->edge.tail[0].z, loss = (double)w->at * f->width;
  double per_point = fabs(y - w->checked_y) / fabs((double)(w->at - w->checked_at));
  double left = (double)(w->edge.tail[0].mass.value + f->curve->rate * w->edge.tail[1].mass.value);
  int64_t longer = w->stride + (w->stride > 1 ? w->stride / 2 : 1);
  double k = (double)longer;
  if (w->side * w->at > 0 && longer <= w->longest &&
      left * exp(f->theta * fmax(loss, 0)) * k * k <= allowed && fabs(y) * per_point * k <= change)
    w->stride = longer;
  w->checked_y = y;
  w->checked_at = w->at;
}

static walk start(const filling *f, int64_t from, int64_t end) {
  walk w = {.side = end < from ? -1 : 1, .at = from, .end = end, .stride = 1, .growth = expm1l(f->width)};
  double longest = 0.05 / ((1 + f->theta) * f->width); /* 0 where theta is infinite */
  w.longest = longest < STRIDE_MAX ? (int64_t)longest : STRIDE_MAX;
  w.x = expl((long double)from * f->width);
  tacit_step_edge_at(f->curve, (long double)from * f->width, &w.edge);
  w.checked_y = (double)w.edge.tail[0].z;
  w.checked_at = from;
  return w;
}

/* The next cell outward, whose length is returned; 0 at the end. Its upper masses are spread at once. */
static int64_t next_cell(const filling *f, walk *w, cell *c) {
  if (w->at == w->end) return 0;
  if (++w->cells % CHECKED == 0 && w->longest > 1) lengthen(f, w);
  int64_t left = (w->end - w->at) * w->side, stride = w->stride < left ? w->stride : left;
  int64_t to = w->at + w->side * stride;
  long double a = (long double)w->at * f->width, b = (long double)to * f->width;
  tacit_step_edge middle, far;
  tacit_step_edge_at(f->curve, a + (b - a) / 2, &middle);
  tacit_step_edge_at(f->curve, b, &far);
  bool rises = w->side > 0;
  long double x = b > -0.5L ? 1 + far.growth : expl(b);
  c->half[0] = rises ? tacit_step_between(f->curve, &w->edge, &middle, a, true)
                     : tacit_step_between(f->curve, &far, &middle, b, true);
  c->half[1] = rises ? tacit_step_between(f->curve, &middle, &far, b, false)
                     : tacit_step_between(f->curve, &middle, &w->edge, a, false);
  c->x = rises ? w->x : x;
  c->x_next = rises ? x : w->x;
  c->gap = c->x * (stride == 1 ? w->growth : expm1l((long double)stride * f->width));
  spread_cell(c, f->upper + (rises ? w->at : to), stride);
  w->at = to;
  w->edge = far;
  w->x = x;
  return stride;
}

/* One side, from the first cell on, of which `over` is left. */
static void fill_side(const filling *f, walk *w, cell inner, int64_t stride, shares over) {
  for (;;) {
    cell outer = {.x = 0};
    int64_t at = w->at, next = next_cell(f, w, &outer); /* nothing above the last cell */
    over = draw_point(&inner, over, &outer, w->side, f->lower + at, stride);
    if (next == 0) return;
    inner = outer;
    stride = next;
  }
}

/* From 0 outward, where the point 0 takes the nearer half of the first cell above it. */
static void fill_outward(const filling *f, int64_t low, int64_t high) {
  walk upward = start(f, 0, high), downward = start(f, 0, low);
  cell above = {.x = 1, .x_next = 1}, below = {.x = 1, .x_next = 1};
  int64_t up_stride = next_cell(f, &upward, &above), down_stride = next_cell(f, &downward, &below);
  shares near = {{1, 0}}, far = {{0, 1}};
  shares left = draw_point(&above, near, &below, -1, f->lower, 0);
  fill_side(f, &upward, above, up_stride, far);
  fill_side(f, &downward, below, down_stride, left);
}

/* From one end to the other. */
static void fill_across(const filling *f, int64_t from, int64_t to) {
  walk w = start(f, from, to);
  cell first = {.x = 1, .x_next = 1};
  shares all = {{1, 1}};
  int64_t stride = next_cell(f, &w, &first);
  fill_side(f, &w, first, stride, all);
}

/* Both bounds. What is left over at an end is lost, and should be next to nothing: losses of REMOVE end at
   ln(1 - q), perhaps with much mass there, and those of ADD at -ln(1 - q), so that these begin there. */
static void fill(const filling *f, int64_t low, int64_t high) {
  if (f->curve->kind == TACIT_STEP_REMOVE)
    fill_across(f, low, high);
  else if (f->curve->kind == TACIT_STEP_ADD)
    fill_across(f, high, low);
  else
    fill_outward(f, low, high);
  tacit_enclosed atom = tacit_step_atom(f->curve);
  if (!(atom.value > 0)) return;
  f->upper[0] += up(atom.value + atom.error);
  f->lower[0] += (double)(atom.value - atom.error) * (1 - 2 * DBL_EPSILON);
}

tacit_status tacit_measure_step(const tacit_step_curve *curve, const tacit_step_grid *grid,
                                tacit_measure *lower, tacit_measure *upper, double *beyond,
                                tacit_error *error) {
  const double width = grid->width;
  long double low, high, mass_beyond;
  tacit_step_range(curve, grid->reach, &low, &high, &mass_beyond);
  if (!((high - low) / width < (long double)grid->cells_max))
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
  *beyond = (double)mass_beyond * (1 + DBL_EPSILON) + DBL_TRUE_MIN; /* above it even among subnormals */
  filling f = {curve, width, grid->theta, upper->mass - upper->low, lower->mass - lower->low};
  fill(&f, upper->low, upper->low + (int64_t)upper->count - 1);
  return TACIT_OK;
}
