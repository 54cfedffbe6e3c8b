/* Moments of measures on a grid: all mass, variance, and exponential moments. */
#include "num/vmath.h"
#include "privacy/measure.h"

#include <stdlib.h>

enum { BLOCK = 256 };

void tacit_points_free(tacit_points *points) {
  free(points->loss);
  free(points->mass);
  points->loss = points->mass = NULL;
}

tacit_status tacit_points_of(const tacit_measure *m, tacit_points *points, tacit_error *error) {
  points->count = 0;
  points->loss = tacit_alloc(m->count, sizeof(double));
  points->mass = tacit_alloc(m->count, sizeof(double));
  if (!points->loss || !points->mass) {
    tacit_points_free(points);
    return tacit_no_memory(error);
  }
  for (size_t i = 0; i < m->count; i++) {
    points->loss[points->count] = (double)(m->low + (int64_t)i) * m->width;
    points->mass[points->count] = m->mass[i];
    points->count += m->mass[i] > 0;
  }
  return TACIT_OK;
}

/* Masses with their losses, which are listed or on a grid. */
typedef struct losses {
  const double *listed;
  double low, width;
} losses;

static inline double loss_at(const losses *l, size_t i) {
  return l->listed ? l->listed[i] : (l->low + (double)i) * l->width;
}

static tacit_cumulant cumulant(size_t count, const losses *l, const double *mass, double theta) {
  /* the largest term first, so that no exponential overflows */
  double shift = -INFINITY;
  for (size_t i = 0; i < count; i += BLOCK) {
    size_t end = count - i < BLOCK ? count : i + BLOCK;
    double most = 0;
    for (size_t j = i; j < end; j++) most = mass[j] > most ? mass[j] : most;
    double loss = loss_at(l, theta > 0 ? end - 1 : i);
    if (most > 0) shift = fmax(shift, theta * loss + log(most));
  }
  if (!(shift > -INFINITY)) return (tacit_cumulant){-INFINITY, 0, 0};
  double sum = 0, first = 0, second = 0;
  /* moments about 0 are good enough: losses near the mean are small against their spread, or few */
  for (size_t i = 0; i < count; i += BLOCK) {
    double x[BLOCK], w[BLOCK], s0 = 0, s1 = 0, s2 = 0;
    size_t n = count - i < BLOCK ? count - i : BLOCK;
    for (size_t j = 0; j < n; j++) x[j] = loss_at(l, i + j);
    for (size_t j = 0; j < n; j++) w[j] = theta * x[j] - shift;
    tacit_vexp(n, w, w);
    for (size_t j = 0; j < n; j++) {
      double weight = w[j] * mass[i + j];
      s0 += weight;
      s1 += weight * x[j];
      s2 += weight * x[j] * x[j];
    }
    sum += s0;
    first += s1;
    second += s2;
  }
  if (!(sum > 0)) return (tacit_cumulant){-INFINITY, 0, 0};
  double mean = first / sum;
  return (tacit_cumulant){shift + log(sum), mean, fmax(second / sum - mean * mean, 0)};
}

tacit_cumulant tacit_points_cumulant(const tacit_points *p, double theta) {
  return cumulant(p->count, &(losses){.listed = p->loss}, p->mass, theta);
}

tacit_cumulant tacit_measure_cumulant(const tacit_measure *m, double theta) {
  return cumulant(m->count, &(losses){NULL, (double)m->low, m->width}, m->mass, theta);
}

enum { LANES = 8 };

static double lanes_sum(const double lane[LANES]) {
  double sum = 0;
  for (size_t j = 0; j < LANES; j++) sum += lane[j];
  return sum;
}

double tacit_measure_total(const tacit_measure *m) {
  double lane[LANES] = {0};
  size_t i = 0;
  for (; i + LANES <= m->count; i += LANES)
    for (size_t j = 0; j < LANES; j++) lane[j] += m->mass[i + j];
  for (; i < m->count; i++) lane[0] += m->mass[i];
  return lanes_sum(lane) * (1 + DBL_EPSILON * (double)m->count);
}

double tacit_measure_variance(const tacit_measure *m) {
  size_t half = m->count / 2, i = 0;
  double sum[LANES] = {0}, first[LANES] = {0}, second[LANES] = {0}, middle = (double)half;
  for (; i + LANES <= m->count; i += LANES)
    for (size_t j = 0; j < LANES; j++) {
      double mass = m->mass[i + j], x = (double)(i + j) - middle;
      sum[j] += mass;
      first[j] += mass * x;
      second[j] += mass * x * x;
    }
  for (; i < m->count; i++) {
    double mass = m->mass[i], x = (double)i - middle;
    sum[0] += mass;
    first[0] += mass * x;
    second[0] += mass * x * x;
  }
  double all = lanes_sum(sum), mean = lanes_sum(first) / all;
  return all > 0 ? fmax(lanes_sum(second) / all - mean * mean, 0) * m->width * m->width : 0;
}

void tacit_measure_log_moments(const tacit_measure *m, double lambda, double *up, double *down) {
  size_t half = m->count / 2;
  double middle = (double)half, rises[LANES] = {0}, falls[LANES] = {0};
  *up = *down = INFINITY;
  if (!(lambda * m->width * (middle + 1) < 300)) return;
  for (size_t i = 0; i < m->count; i += BLOCK) {
    size_t n = m->count - i < BLOCK ? m->count - i : BLOCK;
    double w[BLOCK] = {0}, mass[BLOCK] = {0};
    for (size_t j = 0; j < n; j++) {
      w[j] = lambda * (((double)(i + j) - middle) * m->width);
      mass[j] = m->mass[i + j];
    }
    tacit_vexp(BLOCK, w, w);
    for (size_t j = 0; j < BLOCK; j += LANES)
      for (size_t k = 0; k < LANES; k++) {
        rises[k] += mass[j + k] * w[j + k];
        falls[k] += mass[j + k] / w[j + k];
      }
  }
  double shift = lambda * (((double)m->low + middle) * m->width);
  *up = log(lanes_sum(rises)) + shift;
  *down = log(lanes_sum(falls)) - shift;
}
