/* Wang and Qin's Algorithms 1 and 2 as published, in plain double arithmetic.

     B_1 = 0;  for t = 1 .. T - 1:  B_(t+1) = B_t - eta G_t;  B = Proj(mean of B_t)
     exponential  G = ||grad|| v, v uniform on the half sphere <v, grad> >= 0 with probability
                  e^eps0 / (1 + e^eps0), else on the other
     Gaussian     G = grad + N(0, sigma^2 I)
     grad         mean over rows of 2 (w*(c) - w_s) x',  w_s = Proj((c - 2Bx) / mu_s) onto the unit ball

   The gradient is one pass over all rows, n^2 times: rows are eight to a lane so that the loop vectorises. */
#include "papers/wang/published.h"

#include "num/clones.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { D = TACIT_WANG_D, CELLS = TACIT_WANG_CELLS, LANES = 8 };

const double tacit_wang_lipschitz = 6.92820323027550917; /* 2 * 2 * sqrt(3) */
const double tacit_wang_bound = 1.73205080756887729;

tacit_status tacit_wang_rows_new(size_t rows, tacit_wang_rows **made, tacit_error *error) {
  tacit_wang_rows *r = *made = tacit_alloc(1, sizeof *r);
  if (!r) return tacit_no_memory(error);
  r->rows = rows;
  r->padded = (rows + LANES - 1) / LANES * LANES;
  r->x = tacit_alloc_aligned(3 * D * r->padded, sizeof *r->x);
  if (r->x) {
    r->c = r->x + D * r->padded;
    r->best = r->c + D * r->padded;
    return TACIT_OK;
  }
  free(r);
  *made = NULL;
  return tacit_no_memory(error);
}

void tacit_wang_rows_free(tacit_wang_rows *rows) {
  if (!rows) return;
  free(rows->x);
  free(rows);
}

void tacit_wang_rows_set(tacit_wang_rows *r, size_t i, const double *x, const double *c) {
  double norm = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
  for (size_t j = 0; j < D; j++) {
    r->x[j * r->padded + i] = x[j];
    r->c[j * r->padded + i] = c[j];
    r->best[j * r->padded + i] = norm > 0 ? -c[j] / norm : 0;
  }
}

void tacit_wang_rows_draw(tacit_wang_rows *rows, tacit_stream *stream) {
  for (size_t i = 0; i < rows->rows; i++) {
    double x[D];
    for (size_t j = 0; j < D; j++) x[j] = tacit_normal(stream);
    tacit_wang_rows_set(rows, i, x, x);
  }
}

/* Eight rows at a time, their sums kept apart: sum[k][l] over the rows i = l mod 8. */
TACIT_CLONES
static void add_rows(const tacit_wang_rows *r, double smoothing, const double *restrict b,
                     double sum[restrict CELLS][LANES]) {
  size_t n = r->padded;
  const double *restrict x = r->x, *restrict c = r->c, *restrict w = r->best;
  double inverse = 1 / smoothing, s[CELLS][LANES] = {{0}};
  for (size_t i = 0; i < n; i += LANES) {
    double g[D][LANES];
#pragma GCC unroll 1
    for (size_t l = 0; l < LANES; l++) {
      double x0 = x[i + l], x1 = x[n + i + l], x2 = x[2 * n + i + l];
      double v0 = (c[i + l] - 2 * (b[0] * x0 + b[1] * x1 + b[2] * x2)) * inverse;
      double v1 = (c[n + i + l] - 2 * (b[3] * x0 + b[4] * x1 + b[5] * x2)) * inverse;
      double v2 = (c[2 * n + i + l] - 2 * (b[6] * x0 + b[7] * x1 + b[8] * x2)) * inverse;
      double square = v0 * v0 + v1 * v1 + v2 * v2;
      double shrink = 1 / sqrt(square > 1 ? square : 1);
      g[0][l] = w[i + l] - v0 * shrink;
      g[1][l] = w[n + i + l] - v1 * shrink;
      g[2][l] = w[2 * n + i + l] - v2 * shrink;
    }
    for (size_t j = 0; j < D; j++)
      for (size_t k = 0; k < D; k++)
        for (size_t l = 0; l < LANES; l++) s[D * j + k][l] += g[j][l] * x[k * n + i + l];
  }
  memcpy(sum, s, sizeof s);
}

void tacit_wang_gradient(const tacit_wang_rows *rows, double smoothing, const double *rule,
                         double gradient[TACIT_WANG_CELLS]) {
  double sum[CELLS][LANES] = {{0}};
  add_rows(rows, smoothing, rule, sum);
  for (size_t k = 0; k < CELLS; k++) {
    gradient[k] = 0;
    for (size_t l = 0; l < LANES; l++) gradient[k] += sum[k][l];
    gradient[k] *= 2 / (double)rows->rows;
  }
}

void tacit_wang_init(tacit_wang *w, tacit_wang_kind kind, size_t rows, double epsilon, double delta,
                     bool every_step) {
  const double L = tacit_wang_lipschitz, reach = 1, bound = tacit_wang_bound;
  double n = (double)rows, T = n * n, log_delta = log(1 / delta);
  *w = (tacit_wang){.kind = kind, .steps = rows * rows, .bound = bound};
  double stability = L * L * (1 + T) / n;
  if (kind == TACIT_WANG_EXPONENTIAL) {
    double rho = tanh(epsilon / 2); /* (e^eps - 1) / (e^eps + 1) */
    w->epsilon0 =
        every_step ? epsilon : (sqrt(2 * log_delta + 2 * epsilon) - sqrt(2 * log_delta)) / sqrt(3 * T);
    w->eta = sqrt(rho * bound * bound / (4 * T)) / sqrt(stability + rho * (L * L + reach * reach) / 4);
  } else {
    if (kind == TACIT_WANG_GAUSSIAN) w->sigma = sqrt(8 * L * L * T * log_delta) / (n * epsilon);
    w->eta = sqrt(bound * bound / (2 * T)) /
             sqrt(L * L / 2 + D * w->sigma * w->sigma / 2 + reach * reach / 4 + stability);
  }
  w->smoothing = w->eta / 2;
}

static double norm(const double v[TACIT_WANG_CELLS]) {
  double square = 0;
  for (size_t k = 0; k < CELLS; k++) square += v[k] * v[k];
  return sqrt(square);
}

/* What a step moves along, from the gradient. */
static void perturb(const tacit_wang *w, tacit_stream *stream, double gradient[TACIT_WANG_CELLS]) {
  if (w->kind == TACIT_WANG_GAUSSIAN)
    for (size_t k = 0; k < CELLS; k++) gradient[k] += w->sigma * tacit_normal(stream);
  if (w->kind != TACIT_WANG_EXPONENTIAL) return;
  double v[CELLS], along = 0, length = norm(gradient); /* RELEASED WITHOUT NOISE: no guarantee */
  tacit_direction(stream, CELLS, v);
  for (size_t k = 0; k < CELLS; k++) along += v[k] * gradient[k];
  bool keep = tacit_uniform(stream) < 1 / (1 + exp(-w->epsilon0));
  double sign = (along >= 0) == keep ? 1 : -1;
  for (size_t k = 0; k < CELLS; k++) gradient[k] = sign * length * v[k];
}

void tacit_wang_run(const tacit_wang *w, const tacit_wang_rows *rows, tacit_stream *stream, double *rule) {
  double b[CELLS] = {0}, mean[CELLS] = {0}, gradient[CELLS];
  for (size_t t = 1; t < w->steps; t++) {
    tacit_wang_gradient(rows, w->smoothing, b, gradient);
    perturb(w, stream, gradient);
    for (size_t k = 0; k < CELLS; k++) {
      b[k] -= w->eta * gradient[k];
      mean[k] += b[k] / (double)w->steps;
    }
  }
  double length = norm(mean);
  for (size_t k = 0; k < CELLS; k++) rule[k] = length > w->bound ? mean[k] * (w->bound / length) : mean[k];
}

double tacit_wang_loss(const tacit_wang_rows *r, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < r->rows; i++) {
    double x[D], chat[D], along = 0, size = 0, length = 0;
    for (size_t j = 0; j < D; j++) x[j] = r->x[j * r->padded + i];
    for (size_t j = 0; j < D; j++) {
      chat[j] = b[D * j] * x[0] + b[D * j + 1] * x[1] + b[D * j + 2] * x[2];
      along += x[j] * chat[j];
      size += chat[j] * chat[j];
      length += x[j] * x[j];
    }
    length = sqrt(length);
    sum += size > 0 ? length - along / sqrt(size) : 2 * length;
  }
  return sum / (double)r->rows;
}
