/* Zhao, Zhou and Wang's Algorithm 1 exactly as published, with eq. (7)'s update, in plain double arithmetic.

     b^(0) = 0, or a given start
     b^(t+1) = b^(t) - (eta / n) [ sum_i { Kbar((x_i'b^(t) - d_i) / h) - tau } w_i + sigma g_t ]
     w_i = x_i min(1, B / ||x_i||),   g_t ~ N(0, I)

   The margin x_i'b has the unclipped row. NOTHING HERE IS PRIVATE TO THE LAST BIT: sums and noise are rounded
   doubles. At a fixed step Zhao, Zhou and Wang's Theorem 1 holds up to that rounding. With the line search it
   does not hold at all. */
#include "papers/zhao/published.h"

#include "base/base.h"
#include "loss/check.h"

#include <math.h>
#include <stdlib.h>

void tacit_published_init(tacit_published *method, double tau, double mu, const tacit_sample *sample) {
  const double B = 2, T = TACIT_PUBLISHED_STEPS;
  *method = (tacit_published){
      .tau = tau,
      .steps = TACIT_PUBLISHED_STEPS,
      .clip_norm = B,
      .sigma = mu > 0 ? ceil(2 * fmax(tau, 1 - tau) * B * sqrt(T) / mu) : 0,
      .bandwidth = tacit_default_bandwidth(tau, (double)sample->rows, (double)sample->columns),
  };
}

typedef struct run {
  const tacit_published *method;
  const tacit_sample *sample;
  double *weight;   /* n: min(1, B / ||x_i||) */
  double *margin;   /* n: x_i'b - d_i, then the score */
  double *gradient; /* p: the noisy one, over n */
  double *trial;    /* p */
} run;

static void set_weights(const run *r) {
  const tacit_sample *s = r->sample;
  for (size_t i = 0; i < s->rows; i++) {
    double square = 0;
    for (size_t j = 0; j < s->columns; j++) square += s->x[j * s->rows + i] * s->x[j * s->rows + i];
    r->weight[i] = fmin(1, r->method->clip_norm / sqrt(square));
  }
}

static void set_margins(const run *r, const double *b) {
  const tacit_sample *s = r->sample;
  for (size_t i = 0; i < s->rows; i++) r->margin[i] = -s->y[i];
  for (size_t j = 0; j < s->columns; j++)
    for (size_t i = 0; i < s->rows; i++) r->margin[i] += b[j] * s->x[j * s->rows + i];
}

/* g is NULL without privacy. */
static void noisy_gradient(const run *r, const double *b, const double *g) {
  const tacit_sample *s = r->sample;
  size_t n = s->rows;
  double h = r->method->bandwidth, tau = r->method->tau, sigma = r->method->sigma;
  set_margins(r, b);
  for (size_t i = 0; i < n; i++) r->margin[i] /= h;
  tacit_kernel_cdf_block(TACIT_KERNEL_GAUSSIAN, n, r->margin, r->margin);
  for (size_t i = 0; i < n; i++) r->margin[i] = (r->margin[i] - tau) * r->weight[i];
  for (size_t j = 0; j < s->columns; j++) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += r->margin[i] * s->x[j * n + i];
    r->gradient[j] = (sum + (g ? sigma * g[j] : 0)) / (double)n;
  }
}

static double smoothed_loss(const run *r, const double *b) {
  double sum = 0;
  set_margins(r, b);
  for (size_t i = 0; i < r->sample->rows; i++)
    sum += tacit_smooth_loss(TACIT_KERNEL_GAUSSIAN, r->method->tau, r->method->bandwidth, -r->margin[i]);
  return sum / (double)r->sample->rows;
}

static void move(const run *r, const double *b, double eta, double *to) {
  for (size_t j = 0; j < r->sample->columns; j++) to[j] = b[j] - eta * r->gradient[j];
}

/* THE LINE SEARCH HAS NO PRIVACY GUARANTEE: it asks the private loss which step to take, and no noise covers
   the answer. Zhao, Zhou and Wang's section 6 uses one without saying by which rule; this is Armijo's with
   the constants below, the noisy gradient standing in for the gradient. After the last halving the step is
   taken as it is. Other rules as plausible (a decrease of 1/2, steps that never grow again, other first
   steps) move the regret at mu = 0.3 in Zhao, Zhou and Wang's Table 1 between 0.008 and 0.06, so the paper's
   own rule cannot be told from its figures. */
static const double FIRST_STEP = 8, SHRINK = 0.5, DECREASE = 0.25;
enum { HALVINGS = 12 };

static double line_search(const run *r, const double *b) {
  double eta = FIRST_STEP, before = smoothed_loss(r, b), square = 0;
  for (size_t j = 0; j < r->sample->columns; j++) square += r->gradient[j] * r->gradient[j];
  for (int k = 0; k < HALVINGS; k++, eta *= SHRINK) {
    move(r, b, eta, r->trial);
    if (smoothed_loss(r, r->trial) <= before - DECREASE * eta * square) break;
  }
  return eta;
}

tacit_status tacit_published_run(const tacit_published *method, const tacit_sample *sample,
                                 const double *noise, double *b, tacit_error *error) {
  size_t n = sample->rows, p = sample->columns;
  double *space = tacit_alloc(2 * n + 2 * p, sizeof *space);
  if (!space) return tacit_no_memory(error);
  run r = {method, sample, space, space + n, space + 2 * n, space + 2 * n + p};
  set_weights(&r);
  for (size_t j = 0; j < p; j++) b[j] = method->start ? method->start[j] : 0;
  for (size_t t = 0; t < method->steps; t++) {
    noisy_gradient(&r, b, method->sigma > 0 ? noise + t * p : NULL);
    move(&r, b, method->step > 0 ? method->step : line_search(&r, b), b);
  }
  free(space);
  return TACIT_OK;
}
