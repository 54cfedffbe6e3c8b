/* Smoothed empirical risk minimisation: Newton's method with Levenberg damping along a shrinking bandwidth,
   on a part of a large table first.

     minimise over b   F(b) = (1/n) sum_i l_h(y_i - x_i'b)

     n, p    rows, columns                    r     y - X b
     psi     Kbar(-r/h) - tau                 w     K(r/h) / h
     g       X'psi / n, the gradient          P     the columns' order, independent ones first
     U       upper triangle, XP = ZU          Z     whitened rows, Z'Z = n I (never stored)
     H       Z' diag(w) Z / n                 d     the step: (H + lambda I) U d = -U^-T g

   F is convex with a bounded second derivative, so a damping that is large enough always gives a decrease,
   and one proportional to |g| leaves Newton's rate intact even where H is singular (Li, Fukushima, Qi,
   Yamashita 2004). Measured in Z, the damping does not depend on the columns' units or on how collinear they
   are. For a small h, F is nearly a polyhedron and Newton's model reaches only as far as h: hence the way
   there through larger ones. On a large table that way is gone on a part of the rows, whose minimiser is
   so near that a few steps on all rows are left; H is kept as long as the gradient shrinks fast with it. */
#include "erm/erm.h"
#include "erm/erm_gradient.h"
#include "erm/smooth_block.h"
#include "erm/smooth_pairs.h"
#include "erm/smooth_whiten.h"
#include "num/dense.h"
#include "num/linalg.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  PASSES = 1000, /* over the rows; a bandwidth of a millionth of the spread takes a hundred */
  LARGE = 20000, /* rows from which on passes are saved */
  PART_ROWS = 4000,
  PART_ROWS_PER_COLUMN = 50, /* of a large table to start from, at the least */
};
static const double SHRINK = 4;     /* of the bandwidth from stage to stage */
static const double ENOUGH = 1e-10; /* gradient norm that the contract promises */
static const double NEAR = 0.05;    /* of the bandwidth: a rough fit's last step */
static const double CLOSE = 0.3;    /* of a part's chance */
static const double SUITS = 0.3; /* of the bandwidth that suits the rows: gradients are enough from it on */
static const double FAST = 0.05; /* a factor on the gradient norm with which H is kept, */
static const double FAIR = 0.2;  /* or not worth another pass to renew it at once */

typedef struct problem {
  tacit_smooth_pass pass;
  const tacit_smooth_metric *metric;
  size_t p;
  double largest, size;      /* max |y|; a row's length in the quadratic mean, or infinity if not known */
  double *step, *factor, *d; /* p, p x p, p */
  double chance;             /* of a part of the rows: how far |U^-T g| may be from the table's, or 0 */
  bool large;
} problem;

/* F and its derivatives at b, for one bandwidth. */
typedef struct point {
  double *b, *g, *hessian; /* p, p, rank x rank (lower triangle) */
  double value, norm;
} point;

static void evaluate(const problem *q, double h, bool hessian, point *at) {
  const tacit_smooth_metric *metric = q->metric;
  tacit_smooth_columns columns = {metric->order, metric->rank, metric->moment ? NULL : metric->upper};
  size_t p = q->p;
  double n = (double)q->pass.taken;
  at->value = tacit_smooth_pass_run(&q->pass, h, at->b, at->g, &columns, hessian ? at->hessian : NULL) / n;
  tacit_dense_scale(p, 1 / n, at->g);
  at->norm = tacit_dense_norm(p, at->g);
  if (hessian) tacit_dense_scale(p * p, 1 / n, at->hessian);
}

/* (A + lambda M) s = s, with A and M (NULL: I) rank x rank in arrays of p columns; false when the left side
   is not positive to rounding. */
static bool solve_damped(const problem *q, const double *a, double lambda, const double *m, double *s) {
  size_t p = q->p, rank = q->metric->rank;
  double *left = q->factor;
  for (size_t k = 0; k < rank; k++) {
    for (size_t j = k; j < rank; j++) left[k * p + j] = a[k * p + j] + (m ? lambda * m[k * p + j] : 0);
    if (!m) left[k * (p + 1)] += lambda;
  }
  if (!tacit_cholesky(rank, left, p)) return false;
  tacit_solve_lower(rank, left, p, s);
  tacit_solve_lower_turned(rank, left, p, s);
  return true;
}

/* |U s| */
static double stretched(const problem *q, const double *s) {
  size_t p = q->p;
  double sum = 0;
  for (size_t i = 0; i < q->metric->rank; i++) {
    double v = 0;
    for (size_t k = i; k < q->metric->rank; k++) v += q->metric->upper[k * p + i] * s[k];
    sum += v * v;
  }
  return sqrt(sum);
}

/* The step d for the damping lambda = mu |U^-T g| / h, in the units of H, of which 1 / h is about the most
   there can be. Returns |U d|, how far it moves the fitted values in the quadratic mean, or infinity when
   H + lambda I is not positive to rounding. With M = U'U at hand it is (X'WX / n + lambda M) d = -g, which is
   the same; without, the columns are so nearly dependent that only Z'WZ knows what matters. slope: |U^-T g|.
 */
static double newton_step(const problem *q, double h, const point *at, double mu, double *slope) {
  const tacit_smooth_metric *metric = q->metric;
  size_t p = q->p, rank = metric->rank;
  double *s = q->step, length;
  for (size_t k = 0; k < rank; k++) s[k] = -at->g[metric->order[k]];
  tacit_solve_upper_turned(rank, metric->upper, p, s);
  *slope = tacit_dense_norm(rank, s);
  double lambda = mu * *slope / h;
  if (metric->moment) {
    for (size_t k = 0; k < rank; k++) s[k] = -at->g[metric->order[k]];
    if (!solve_damped(q, at->hessian, lambda, metric->moment, s)) return INFINITY;
    length = stretched(q, s);
  } else {
    if (!solve_damped(q, at->hessian, lambda, NULL, s)) return INFINITY;
    length = tacit_dense_norm(rank, s);
    tacit_solve_upper(rank, metric->upper, p, s);
  }
  memset(q->d, 0, p * sizeof *q->d);
  for (size_t k = 0; k < rank; k++) q->d[metric->order[k]] = s[k];
  return length;
}

/* Enough of a decrease: Armijo's test or, where differences of F drown in rounding, its form in slopes, equal
   to it for a quadratic (Hager and Zhang's approximate Wolfe condition, 2005). */
static bool decreased(const problem *q, double h, const point *at, const point *trial) {
  double before = tacit_dense_dot(q->p, at->g, q->d), after = tacit_dense_dot(q->p, trial->g, q->d);
  if (trial->value <= at->value + 1e-4 * before) return true;
  return trial->value <= at->value + 1e-13 * (q->largest + h) && after <= -0.9 * before;
}

/* A step with the same H from a nearer place shrinks the gradient by at least the last one's factor, or about
   that: is it then so small that nobody need look? Not if the norm may be all rounding, that of a slope being
   about epsilon (1 + |y| / h). */
static bool one_more_will_do(const problem *q, double h, double norm, double factor) {
  double rounding = DBL_EPSILON * q->size * (1 + q->largest / h);
  return q->large && norm <= (rounding <= ENOUGH / 2 ? 100 : 1) * ENOUGH && norm * factor <= ENOUGH / 20;
}

static void move(const problem *q, const point *at, point *trial) {
  for (size_t j = 0; j < q->p; j++) trial->b[j] = at->b[j] + q->d[j];
}

/* trial becomes at; an H that was not computed there stays the one at hand. */
static void accept(point *at, point *trial, bool keep) {
  point t = *at;
  *at = *trial;
  *trial = t;
  if (!keep) return;
  trial->hessian = at->hessian;
  at->hessian = t.hessian;
}

typedef struct state {
  point at, trial;
  double *squares; /* p: the least-squares fit */
  int passes;
  const tacit_context *context;
} state;

/* From at.b to the minimiser at bandwidth h, as far as rounding allows; or, on the way (near > 0), until a
   step that the damping does not hold back moves the fitted values by no more than near; or, if far is not
   NULL, until a step was no decrease: then *far says so. Otherwise such a step is taken back and the damping
   raised. Running out of passes is no failure here: the caller looks at the norm. */
static tacit_status descend(const problem *q, double h, double near, double done, bool *far, state *s,
                            tacit_error *error) {
  point *at = &s->at, *trial = &s->trial;
  double mu = 0.1, slope;
  bool stale = false, reuse = false; /* H is of an earlier point; of the next one it will be */
  evaluate(q, h, true, at);
  while (at->norm > 0 && s->passes++ < PASSES && mu < 1e30) {
    TACIT_TRY(tacit_progress(s->context, "smoothed fit", done, error));
    double length = newton_step(q, h, at, mu, &slope);
    if (slope <= CLOSE * q->chance) break; /* other rows would say something else */
    if (isinf(length)) {
      mu = 8 * mu;
      continue;
    }
    move(q, at, trial);
    if (length <= near && mu <= 0.1) { /* so close that the step may be taken unseen */
      accept(at, trial, true);
      break;
    }
    evaluate(q, h, !reuse, trial);
    double factor = trial->norm / at->norm;
    bool better = decreased(q, h, at, trial), last = !stale && at->norm <= ENOUGH && !(factor < 0.5);
    if (last && !(factor < 1)) break;
    if (better || last) accept(at, trial, reuse);
    if (last) break;
    stale = reuse && (stale || better);
    if (better && one_more_will_do(q, h, at->norm, factor)) {
      if (isinf(newton_step(q, h, at, mu / 8, &slope))) break;
      move(q, at, trial);
      trial->norm = at->norm * factor;
      accept(at, trial, true);
      break;
    }
    if (far && !better) {
      *far = true;
      break;
    }
    if (stale && !(better && factor < FAIR)) { /* H does not fit any more */
      evaluate(q, h, true, at);
      stale = false;
    }
    reuse = q->large && better && factor < FAST;
    mu = better ? mu / 8 : mu * 8;
  }
  return TACIT_OK;
}

/* The whole way, from least squares and bandwidths as wide as its residuals. */
static tacit_status descend_all(const problem *q, double h, double near, state *s, tacit_error *error) {
  double spread = q->metric->spread, wide = spread;
  memcpy(s->at.b, s->squares, q->p * sizeof *s->squares);
  while (wide > h) {
    TACIT_TRY(descend(q, wide, wide / SHRINK, log(spread / wide) / log(spread / h), NULL, s, error));
    wide /= SHRINK;
  }
  return descend(q, h, near, 1, NULL, s, error);
}

/* How many rows to start from; none when the table is not much larger. A part of n / k rows is off by about
   (k p / n)^(1/2) spreads, and Newton's model for n rows reaches as far as a bandwidth that suits them, about
   (p / n)^0.4 spreads: k may grow like (n / p)^0.2. */
static size_t part_rows(size_t n, size_t p) {
  double k = 1.25 * pow((double)n / (double)p, 0.2);
  size_t rows = (size_t)((double)n / k), least = PART_ROWS_PER_COLUMN * p;
  if (rows < least) rows = least;
  if (rows < PART_ROWS) rows = PART_ROWS;
  return rows <= n / 2 ? rows : 0;
}

static tacit_status start(const problem *whole, size_t rows, double h, state *s, tacit_error *error);

/* At a bandwidth that suits fewer rows, to within their sampling error. */
static tacit_status start_on(const problem *q, double h, state *s, tacit_error *error) {
  double n = (double)q->pass.taken, rate = ((double)q->p + log(n)) / n, spread = q->metric->spread;
  double wide = fmax(h, spread * pow(rate, 0.4)), near = fmin(wide, 0.3 * spread * sqrt(rate));
  size_t rows = part_rows(q->pass.taken, q->p);
  bool far = rows == 0;
  if (rows) TACIT_TRY(start(q, rows, h, s, error));
  if (rows) TACIT_TRY(descend(q, wide, near, 1, &far, s, error));
  return far ? descend_all(q, wide, near, s, error) : TACIT_OK;
}

/* The same problem on some of the rows, block by block from the whole table. */
static tacit_status start(const problem *whole, size_t rows, double h, state *s, tacit_error *error) {
  problem q = *whole;
  q.large = false;
  q.pass = tacit_smooth_pass_thin(&whole->pass, whole->pass.taken / rows);
  q.chance = sqrt(q.pass.tau * (1 - q.pass.tau) * (double)q.p / (double)q.pass.taken);
  return start_on(&q, h, s, error);
}

/* Where columns are many and the bandwidth is not much smaller than suits the rows, gradients are enough. */
static tacit_status try_gradients(const problem *q, double h, double near, state *s, bool *settled,
                                  tacit_error *error) {
  double rate = ((double)q->p + log((double)q->pass.taken)) / (double)q->pass.taken;
  *settled = false;
  if (q->p < TACIT_SMOOTH_WIDE || !q->metric->moment || !(h >= SUITS * q->metric->spread * pow(rate, 0.4)))
    return TACIT_OK;
  const tacit_gradient_fit fit = {.pass = &q->pass,
                                  .metric = q->metric,
                                  .h = h,
                                  .largest = q->largest,
                                  .enough = ENOUGH,
                                  .near = near,
                                  .context = s->context};
  memcpy(s->at.b, s->squares, q->p * sizeof *s->squares);
  return tacit_erm_by_gradients(&fit, s->at.b, settled, error);
}

/* near > 0: only until a step moves the fitted values by less. */
static tacit_status solve(problem *q, double h, double near, state *s, tacit_error *error) {
  bool settled;
  TACIT_TRY(try_gradients(q, h, near, s, &settled, error));
  if (settled) return TACIT_OK;
  size_t rows = q->large ? part_rows(q->pass.taken, q->p) : 0;
  bool far = rows == 0;
  if (rows) TACIT_TRY(start(q, rows, h, s, error));
  s->passes = 0;
  if (rows) TACIT_TRY(descend(q, h, near, 1, &far, s, error));
  if (far) TACIT_TRY(descend_all(q, h, near, s, error));
  if (near > 0 || s->at.norm <= ENOUGH) return TACIT_OK;
  return tacit_fail(error, TACIT_INTERNAL,
                    "the smoothed fit did not settle: raise the bandwidth, or narrow the schema's bounds");
}

/* To the end or, with a share above zero, roughly: then a bandwidth of zero becomes that share of the
   residuals' spread. */
static tacit_status fit(const tacit_sample *sample, size_t target, tacit_erm_loss *loss, double share,
                        double *coefficients, const tacit_context *context, tacit_error *error) {
  if (!(loss->tau > 0 && loss->tau < 1))
    return tacit_fail(error, TACIT_USAGE, "the quantile must lie between 0 and 1");
  if (sample->rows == 0) return tacit_fail(error, TACIT_BAD_INPUT, "there are no rows to learn from");
  if (sample->rows > INT_MAX / 2 || sample->columns > 10000)
    return tacit_fail(error, TACIT_BAD_INPUT, "the table is too large for the smoothed fit");

  size_t n = sample->rows, p = sample->columns, count = 3 * p * p + 7 * p;
  const tacit_smooth_table table = {sample->x, sample->y + target * n, n, p};
  double *space = tacit_alloc(count, sizeof *space);
  if (!space) return tacit_no_memory(error);
  tacit_smooth_metric metric = {0};
  problem q = {.metric = &metric, .p = p, .largest = tacit_smooth_largest(n, table.y), .large = n >= LARGE};
  state s = {.context = context};
  s.at = (point){.hessian = space, .b = space + 3 * p * p, .g = space + 3 * p * p + p};
  s.trial = (point){.hessian = space + p * p, .b = s.at.g + p, .g = s.at.g + 2 * p};
  q.factor = space + 2 * p * p;
  q.step = s.trial.g + p;
  q.d = q.step + p;
  s.squares = q.d + p;
  tacit_status status =
      tacit_smooth_pass_open(&q.pass, &table, loss->tau, loss->kernel, tacit_threads(context), error);
  if (status == TACIT_OK) status = tacit_smooth_whiten(&q.pass, &metric, s.squares, error);
  for (size_t j = 0; status == TACIT_OK && j < p; j++)
    q.size = metric.moment ? hypot(q.size, sqrt(metric.moment[j * (p + 1)])) : INFINITY;
  if (!(loss->h > 0)) loss->h = share * metric.spread;
  if (status == TACIT_OK) status = solve(&q, loss->h, share > 0 ? NEAR * loss->h : 0, &s, error);
  memcpy(coefficients, s.at.b, p * sizeof *coefficients);
  tacit_smooth_metric_free(&metric, p);
  tacit_smooth_pass_close(&q.pass);
  tacit_free_wiped(space, count * sizeof *space);
  return status;
}

tacit_status tacit_erm_smooth(const tacit_sample *sample, size_t target, const tacit_erm_loss *loss,
                              double *coefficients, const tacit_context *context, tacit_error *error) {
  if (!(loss->h > 0) || isinf(loss->h))
    return tacit_fail(error, TACIT_USAGE, "the bandwidth must be positive");
  tacit_erm_loss own = *loss;
  return fit(sample, target, &own, 0, coefficients, context, error);
}

tacit_status tacit_erm_rough(const tacit_sample *sample, size_t target, tacit_erm_loss *loss, double share,
                             double *coefficients, const tacit_context *context, tacit_error *error) {
  return fit(sample, target, loss, share, coefficients, context, error);
}
