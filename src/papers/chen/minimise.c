/* The smoothed, regularised quantile loss with a linear term, minimised by Newton's method:

     F(theta) = (1/n) sum l_h(theta; x_i, y_i) + a ||theta - c||^2 + v'theta
     gradient   (1/n) sum {Kbar((x_i'theta - y_i) / h) - tau} x_i + 2 a (theta - c) + v
     Hessian    (1/n) sum K((x_i'theta - y_i) / h) / h x_i x_i' + 2 a I

   A step s is halved until the slope along it, which convexity makes increase from g's < 0, is at most half
   of |g's|. The Hessian is kept while the gradient falls fast enough without a new one. As in the papers, the
   minimiser is taken for exact: what is left of the gradient is not paid for. */
#include "num/clones.h"
#include "papers/chen/methods.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 200, HALVINGS = 40 };
static const double TOLERANCE = 1e-10, FAST = 0.1;

typedef struct work {
  const tacit_chen_goal *goal;
  const tacit_chen_rows *rows;
  double *margin;   /* n */
  double *score;    /* n */
  double *gradient; /* d */
  double *step;     /* d */
  double *trial;    /* d */
  double *hessian;  /* d x d, then its Cholesky factor */
} work;

TACIT_CLONES static void set_margins(size_t n, size_t d, const double *x, const double *y, double h,
                                     const double *theta, double *margin) {
  for (size_t i = 0; i < n; i++) {
    double sum[4] = {0}; /* four sums side by side: the compiler may not reorder one */
    size_t j = 0;
    for (; j + 4 <= d; j += 4)
      for (size_t k = 0; k < 4; k++) sum[k] += x[i * d + j + k] * theta[j + k];
    double dot = sum[0] + sum[1] + (sum[2] + sum[3]);
    for (; j < d; j++) dot += x[i * d + j] * theta[j];
    margin[i] = (dot - y[i]) / h;
  }
}

TACIT_CLONES static void add_rows(size_t n, size_t d, const double *x, const double *weight, double *sum) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < d; j++) sum[j] += weight[i] * x[i * d + j];
}

/* The lower triangle; a row far from the kink has no curvature worth adding. */
TACIT_CLONES static void add_squares(size_t n, size_t d, const double *x, const double *weight, double *H) {
  for (size_t i = 0; i < n; i++) {
    if (!(weight[i] > 1e-14)) continue;
    for (size_t j = 0; j < d; j++) {
      double part = weight[i] * x[i * d + j];
      for (size_t k = 0; k <= j; k++) H[j * d + k] += part * x[i * d + k];
    }
  }
}

static void set_gradient(work *w, const double *theta) {
  const tacit_chen_rows *r = w->rows;
  const tacit_chen_goal *g = w->goal;
  size_t n = r->rows, d = r->columns;
  set_margins(n, d, r->x, r->y, g->bandwidth, theta, w->margin);
  tacit_kernel_cdf_block(g->kernel, n, w->margin, w->score);
  for (size_t i = 0; i < n; i++) w->score[i] = (w->score[i] - g->tau) / (double)n;
  for (size_t j = 0; j < d; j++)
    w->gradient[j] =
        2 * g->weight * (theta[j] - (g->centre ? g->centre[j] : 0)) + (g->linear ? g->linear[j] : 0);
  add_rows(n, d, r->x, w->score, w->gradient);
}

/* The Cholesky factor of the Hessian at the margins of the last gradient. */
static bool factor(work *w) {
  const tacit_chen_rows *r = w->rows;
  size_t n = r->rows, d = r->columns;
  double *H = w->hessian;
  tacit_kernel_density_block(w->goal->kernel, n, w->margin, w->score);
  for (size_t i = 0; i < n; i++) w->score[i] /= (double)n * w->goal->bandwidth;
  memset(H, 0, d * d * sizeof *H);
  add_squares(n, d, r->x, w->score, H);
  for (size_t j = 0; j < d; j++) {
    H[j * d + j] += 2 * w->goal->weight;
    for (size_t k = 0; k <= j; k++) {
      double sum = H[j * d + k];
      for (size_t l = 0; l < k; l++) sum -= H[j * d + l] * H[k * d + l];
      if (j == k && !(sum > 0)) return false;
      H[j * d + k] = j == k ? sqrt(sum) : sum / H[k * d + k];
    }
  }
  return true;
}

static void solve(const work *w) {
  size_t d = w->rows->columns;
  const double *H = w->hessian;
  for (size_t j = 0; j < d; j++) {
    double sum = -w->gradient[j];
    for (size_t k = 0; k < j; k++) sum -= H[j * d + k] * w->step[k];
    w->step[j] = sum / H[j * d + j];
  }
  for (size_t j = d; j-- > 0;) {
    double sum = w->step[j];
    for (size_t k = j + 1; k < d; k++) sum -= H[k * d + j] * w->step[k];
    w->step[j] = sum / H[j * d + j];
  }
}

static double dot(size_t d, const double *a, const double *b) {
  double sum = 0;
  for (size_t j = 0; j < d; j++) sum += a[j] * b[j];
  return sum;
}

/* Moves theta and leaves the gradient there; false where the step leads nowhere. */
static bool line_search(work *w, double *theta) {
  size_t d = w->rows->columns;
  double before = dot(d, w->gradient, w->step), part = 1;
  for (int k = 0; k < HALVINGS; k++, part /= 2) {
    for (size_t j = 0; j < d; j++) w->trial[j] = theta[j] + part * w->step[j];
    set_gradient(w, w->trial);
    if (dot(d, w->gradient, w->step) <= -0.5 * before) {
      memcpy(theta, w->trial, d * sizeof *theta);
      return true;
    }
  }
  set_gradient(w, theta);
  return false;
}

static bool descend(work *w, double *theta) {
  size_t d = w->rows->columns;
  bool fresh = false;
  set_gradient(w, theta);
  double size = sqrt(dot(d, w->gradient, w->gradient));
  for (int t = 0; t < STEPS_MAX && size > TOLERANCE; t++) {
    if (!fresh && !factor(w)) return false;
    solve(w);
    double before = size;
    bool moved = line_search(w, theta);
    size = sqrt(dot(d, w->gradient, w->gradient));
    if (!moved && !fresh) break; /* as close as rounding lets it */
    fresh = moved && size < FAST * before;
  }
  return true;
}

tacit_status tacit_chen_minimise(const tacit_chen_goal *goal, const tacit_chen_rows *rows, double *theta,
                                 tacit_error *error) {
  size_t n = rows->rows, d = rows->columns;
  double *space = tacit_alloc(2 * n + 3 * d + d * d, sizeof *space);
  if (!space) return tacit_no_memory(error);
  work w = {goal,
            rows,
            space,
            space + n,
            space + 2 * n,
            space + 2 * n + d,
            space + 2 * n + 2 * d,
            space + 2 * n + 3 * d};
  bool done = descend(&w, theta);
  free(space);
  return done ? TACIT_OK : tacit_fail(error, TACIT_INTERNAL, "a Hessian is not definite");
}
