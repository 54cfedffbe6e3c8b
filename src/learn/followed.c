/* Steps with gains, as a flow: along a direction of true curvature c and time t, exp(-c t) is left. */
#include "learn/followed.h"

#include "base/base.h"
#include "learn/median_newton.h"
#include "num/linalg.h"

#include <math.h>
#include <stdlib.h>

static const double STANDS_OUT = 2, LEAST_GONE = 0.1;
static const double WHOLE = 0.95; /* a step that takes all takes no longer than one that takes this part */

bool tacit_followed_open(tacit_followed *followed, size_t numbers) {
  followed->taken = tacit_alloc(4 * numbers, sizeof(double));
  followed->noise = followed->taken + numbers;
  followed->start = followed->noise + numbers;
  followed->last = followed->start + numbers;
  return followed->taken != NULL;
}

void tacit_followed_close(tacit_followed *followed) {
  free(followed->taken);
}

double tacit_followed_gain(tacit_followed *followed, size_t k, double *V, double v, double gamma,
                           double trust) {
  followed->start[k] += fmax(0, *V - followed->last[k]);
  double gain = tacit_newton_gain(V, v, gamma, trust), left = 1 - gain * gamma;
  followed->last[k] = *V;
  followed->taken[k] -= log1p(-fmin(WHOLE, gain * gamma)) / gamma;
  followed->noise[k] = left * left * followed->noise[k] + gain * gain * v;
  return gain;
}

bool tacit_flow_open(tacit_flow *flow, size_t n) {
  *flow = (tacit_flow){.n = n, .T = tacit_alloc(3 * n * n + 2 * n, sizeof(double))};
  flow->L = flow->T + n * n;
  flow->path = flow->L + n * n;
  flow->time = flow->path + n * n;
  flow->taken = flow->time + n;
  return flow->T != NULL;
}

void tacit_flow_close(tacit_flow *flow) {
  free(flow->T);
}

/* The part of a way that is gone after a time, over the time. */
static double pace(double time) {
  return time > 1e-9 ? -expm1(-time) / time : 1;
}

bool tacit_flow_turn(tacit_flow *flow, const double *curvature) {
  size_t n = flow->n;
  double *U = flow->path, *T = flow->T, *L = flow->L;
  const double *taken = flow->taken;
  for (size_t j = 0; j < n; j++)
    for (size_t k = 0; k < n; k++) U[j * n + k] = sqrt(taken[j]) * curvature[j * n + k] * sqrt(taken[k]);
  if (!tacit_eigen(n, U, flow->time)) return false;
  for (size_t k = 0; k < n; k++) flow->time[k] = fmax(0, flow->time[k]);
  for (size_t j = 0; j < n; j++)
    for (size_t k = 0; k < n; k++) {
      double sum = 0;
      for (size_t l = 0; l < n; l++) sum += U[j * n + l] * pace(flow->time[l]) * U[k * n + l];
      T[j * n + k] = sqrt(taken[j]) * sum * sqrt(taken[k]);
    }
  for (size_t j = 0; j < n; j++)
    for (size_t k = 0; k < n; k++) {
      double sum = j == k;
      for (size_t l = 0; l < n; l++) sum -= T[j * n + l] * curvature[l * n + k];
      L[j * n + k] = sum;
    }
  return true;
}

/* How far it may be along path k: what was moved, as far as it stands out from its error, over the part of
   the way that it is. */
static double ahead(const tacit_flow *flow, size_t k, const double *moved, const double *C, size_t stride) {
  size_t n = flow->n;
  double went = 0, variance = 0;
  for (size_t j = 0; j < n; j++) {
    if (!(flow->taken[j] > 0)) continue;
    double back = flow->path[j * n + k] / sqrt(flow->taken[j]), sum = 0;
    went += back * moved[j];
    for (size_t l = 0; l < n; l++)
      if (flow->taken[l] > 0) sum += C[j * stride + l] * flow->path[l * n + k] / sqrt(flow->taken[l]);
    variance += back * sum;
  }
  double gone = -expm1(-flow->time[k]), left = exp(-flow->time[k]);
  return fmax(0, went * went - STANDS_OUT * variance) * (left / fmax(gone, LEAST_GONE)) *
         (left / fmax(gone, LEAST_GONE));
}

bool tacit_flow_ahead(const tacit_flow *flow, const double *moved, double *C, size_t stride) {
  size_t n = flow->n;
  double *square = tacit_alloc(n, sizeof *square);
  if (!square) return false;
  for (size_t k = 0; k < n; k++) square[k] = ahead(flow, k, moved, C, stride);
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; square[k] > 0 && i < n; i++)
      for (size_t j = 0; j < n; j++)
        C[i * stride + j] += square[k] * sqrt(flow->taken[i]) * flow->path[i * n + k] * sqrt(flow->taken[j]) *
                             flow->path[j * n + k];
  free(square);
  return true;
}
