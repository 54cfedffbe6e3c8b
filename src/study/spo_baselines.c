/* Rules learned without privacy: the training mean, least squares, SPO+.

   SPO+ is convex and piecewise linear in the rule B; its subgradient on a row is 2 (w*(c) - w*(2Bx - c)) x'.
   Stochastic subgradient descent from the least-squares rule, over the rows in random order, with steps that
   fall like 1 / sqrt(t) and the average over the second half of them. Lengths are in units of the typical
   cost of one edge, so that one step size fits every degree. */
#include "study/spo_sample.h"

#include "base/base.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void tacit_spo_mean(const tacit_spo_sample *s, double *rule) {
  memset(rule, 0, s->d * s->p * sizeof *rule);
  for (size_t i = 0; i < s->rows; i++)
    for (size_t j = 0; j < s->d; j++) rule[j * s->p] += s->c[i * s->d + j] / (double)s->rows;
}

tacit_status tacit_spo_least_squares(const tacit_spo_sample *s, double *rule, tacit_error *error) {
  size_t n = s->rows, p = s->p, d = s->d, tall = n > p ? n : p;
  double *x = tacit_alloc(n * p, sizeof *x), *c = tacit_alloc(tall * d, sizeof *c),
         *singular = tacit_alloc(p, sizeof *singular);
  int rank = 0, info = -1;
  bool enough = x && c && singular;
  if (enough) {
    memcpy(x, s->x, n * p * sizeof *x);
    memcpy(c, s->c, n * d * sizeof *c);
    info = LAPACKE_dgelsd(LAPACK_ROW_MAJOR, (int)n, (int)p, (int)d, x, (int)p, c, (int)d, singular, 1e-12,
                          &rank);
    for (size_t j = 0; j < d; j++)
      for (size_t k = 0; k < p; k++) rule[j * p + k] = c[k * d + j];
  }
  free(x);
  free(c);
  free(singular);
  if (!enough) return tacit_no_memory(error);
  if (info != 0) return tacit_fail(error, TACIT_INTERNAL, "least squares did not converge");
  return TACIT_OK;
}

enum { PASSES = 60, BATCH = 10 };
static const double FIRST_STEP = 0.3; /* in typical costs */

typedef struct descent {
  const tacit_spo_sample *s;
  double unit;
  size_t *order; /* rows */
  double *turned, *w, *gradient, *average, *work;
} descent;

static tacit_status add_row(const descent *g, const double *rule, size_t i, tacit_error *error) {
  const tacit_spo_sample *s = g->s;
  const double *x = s->x + i * s->p, *c = s->c + i * s->d, *best = s->best + i * s->d;
  for (size_t j = 0; j < s->d; j++) {
    double sum = 0;
    for (size_t k = 0; k < s->p; k++) sum += rule[j * s->p + k] * x[k];
    g->turned[j] = 2 * sum - c[j];
  }
  TACIT_TRY(tacit_region_minimise(s->region, g->turned, NULL, g->work, g->w, NULL, error));
  for (size_t j = 0; j < s->d; j++) {
    double score = 2 * (best[j] - g->w[j]);
    if (score == 0) continue;
    for (size_t k = 0; k < s->p; k++) g->gradient[j * s->p + k] += score * x[k];
  }
  return TACIT_OK;
}

static tacit_status descend(const descent *g, tacit_stream *stream, double *rule, tacit_error *error) {
  const tacit_spo_sample *s = g->s;
  size_t size = s->d * s->p, batch = BATCH < s->rows ? BATCH : s->rows, per_pass = s->rows / batch, t = 0,
         all = PASSES * per_pass, averaged = 0;
  for (size_t i = 0; i < s->rows; i++) g->order[i] = i;
  for (size_t pass = 0; pass < PASSES; pass++) {
    tacit_shuffle(stream, s->rows, g->order);
    for (size_t m = 0; m < per_pass; m++, t++) {
      memset(g->gradient, 0, size * sizeof *g->gradient);
      for (size_t i = 0; i < batch; i++) TACIT_TRY(add_row(g, rule, g->order[m * batch + i], error));
      double step = FIRST_STEP * g->unit / sqrt(1 + (double)t) / (double)batch;
      for (size_t k = 0; k < size; k++) rule[k] -= step * g->gradient[k];
      if (2 * t < all) continue;
      averaged++;
      for (size_t k = 0; k < size; k++) g->average[k] += (rule[k] - g->average[k]) / (double)averaged;
    }
  }
  memcpy(rule, g->average, size * sizeof *rule);
  return TACIT_OK;
}

tacit_status tacit_spo_erm(const tacit_spo_sample *s, tacit_stream *stream, double *rule,
                           tacit_error *error) {
  size_t size = s->d * s->p;
  TACIT_TRY(tacit_spo_least_squares(s, rule, error));
  double *space = tacit_alloc(2 * s->d + 2 * size + tacit_region_work(s->region), sizeof *space);
  descent g = {.s = s, .order = tacit_alloc(s->rows, sizeof *g.order), .turned = space};
  tacit_status status = space && g.order ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK) {
    for (size_t i = 0; i < s->rows * s->d; i++) g.unit += fabs(s->c[i]) / (double)(s->rows * s->d);
    g.w = space + s->d;
    g.gradient = g.w + s->d;
    g.average = g.gradient + size;
    g.work = g.average + size;
    status = descend(&g, stream, rule, error);
  }
  free(space);
  free(g.order);
  return status;
}
