/* Daubechies' wavelets: values at dyadic points by the refinement equation, exact but for rounding, straight
   lines between them, folded onto the unit interval. */
#include "schema/wavelet.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const tacit_wavelet_names[] = {"D4", "D8", NULL};

enum { TAPS_MAX = 8 };
/* h_k with sum sqrt 2, sum of squares 1, and N vanishing moments for 2N taps. D4 in closed form: (1 + sqrt 3,
   3 + sqrt 3, 3 - sqrt 3, 1 - sqrt 3) / (4 sqrt 2). */
static const struct {
  size_t taps;
  double h[TAPS_MAX];
} FILTERS[] = {
    [TACIT_WAVELET_D4] = {4,
                          {0.48296291314453414337, 0.83651630373780790558, 0.22414386804201338103,
                           -0.12940952255126038117}},
    [TACIT_WAVELET_D8] = {8,
                          {0.23037781330889650086, 0.71484657055291564708, 0.63088076792985890788,
                           -0.027983769416859854211, -0.18703481171909308407, 0.030841381835560763627,
                           0.032883011666885199735, -0.010597401785069032105}},
};

size_t tacit_wavelet_moments(tacit_wavelet_filter filter) {
  return FILTERS[filter].taps / 2;
}

/* phi at the whole numbers: phi(i) = sqrt 2 sum_k h_k phi(2i - k), summing to 1. The other eigenvalues are
   1/2 and less, so that iterating forgets them. */
static void at_whole_numbers(size_t taps, const double *h, double *phi) {
  enum { TIMES = 100 };
  double next[TAPS_MAX];
  for (size_t i = 0; i < taps; i++) phi[i] = i == 1;
  for (int t = 0; t < TIMES; t++) {
    double sum = 0;
    for (size_t i = 0; i < taps; i++) {
      next[i] = 0;
      for (size_t k = 0; k < taps; k++)
        if (2 * i >= k && 2 * i - k < taps) next[i] += M_SQRT2 * h[k] * phi[2 * i - k];
      sum += next[i];
    }
    for (size_t i = 0; i < taps; i++) phi[i] = next[i] / sum;
  }
}

/* sqrt 2 sum_k weight_k phi(2x - k) at point i of the table: phi is 0 outside it. */
static double refined(const double *weight, size_t taps, const double *phi, size_t points, size_t i) {
  double sum = 0;
  for (size_t k = 0; k < taps; k++) {
    size_t shift = k * TACIT_WAVELET_STEPS;
    if (2 * i >= shift && 2 * i - shift < points) sum += M_SQRT2 * weight[k] * phi[2 * i - shift];
  }
  return sum;
}

/* phi at whole numbers, then at halves, quarters, ..., each from the points before it. */
static void fill(size_t taps, const double *h, double *phi, double *psi) {
  size_t support = taps - 1, points = support * TACIT_WAVELET_STEPS + 1;
  double whole[TAPS_MAX], g[TAPS_MAX];
  at_whole_numbers(taps, h, whole);
  for (size_t i = 0; i <= support; i++) phi[i * TACIT_WAVELET_STEPS] = whole[i];
  for (size_t step = TACIT_WAVELET_STEPS / 2; step > 0; step /= 2)
    for (size_t i = step; i < points; i += 2 * step) phi[i] = refined(h, taps, phi, points, i);
  for (size_t k = 0; k < taps; k++) g[k] = k % 2 ? -h[taps - 1 - k] : h[taps - 1 - k];
  for (size_t i = 0; i < points; i++) psi[i] = refined(g, taps, phi, points, i);
}

/* By a straight line between points of the table; v is in [0, support]. */
static double between(const tacit_wavelet *w, double v) {
  double place = v * TACIT_WAVELET_STEPS;
  size_t last = w->support * TACIT_WAVELET_STEPS, i = place > 0 ? (size_t)place : 0;
  if (i >= last) return w->value[last];
  return w->value[i] + (place - (double)i) * (w->value[i + 1] - w->value[i]);
}

double tacit_wavelet_at(const tacit_wavelet *w, size_t j, size_t k, double t) {
  double period = (double)((size_t)1 << j), u = t * period - (double)k, sum = 0;
  if (u < 0) u += period;
  if (!(u < period)) u = 0; /* the end is the beginning */
  for (; u <= (double)w->support; u += period) sum += between(w, u);
  return sum;
}

/* The columns of a level have together at most this length at any t: at points of the table, where the
   largest sum of squares of straight lines is. */
static double length_of(const tacit_wavelet *w, size_t j) {
  double most = 0;
  size_t count = (size_t)1 << j;
  for (size_t i = 0; i < TACIT_WAVELET_STEPS; i++) { /* moving by one column moves them all along */
    double square = 0, t = (double)i / TACIT_WAVELET_STEPS / (double)count;
    for (size_t k = 0; k < count; k++) {
      double value = tacit_wavelet_at(w, j, k, t);
      square += value * value;
    }
    most = fmax(most, square);
  }
  return sqrt(most);
}

tacit_wavelet *tacit_wavelet_new(tacit_wavelet_filter filter, size_t levels) {
  size_t taps = FILTERS[filter].taps, points = (taps - 1) * TACIT_WAVELET_STEPS + 1;
  tacit_wavelet *w = tacit_alloc(1, sizeof *w);
  double *phi = tacit_alloc(points, sizeof *phi);
  if (w) *w = (tacit_wavelet){.filter = filter, .levels = levels, .support = taps - 1};
  if (w) w->value = tacit_alloc(points, sizeof *w->value);
  bool made = w && phi && w->value;
  if (made) {
    fill(taps, FILTERS[filter].h, phi, w->value);
    for (size_t j = 0; j < levels; j++) w->length[j] = length_of(w, j);
  }
  free(phi);
  if (made) return w;
  tacit_wavelet_free(w);
  return NULL;
}

void tacit_wavelet_free(tacit_wavelet *wavelet) {
  if (wavelet) free(wavelet->value);
  free(wavelet);
}

void tacit_wavelet_encode(const tacit_wavelet *w, double t, double *out) {
  for (size_t j = 0; j < w->levels; j++)
    for (size_t k = 0; k < (size_t)1 << j; k++) {
      double value = tacit_wavelet_at(w, j, k, t) / w->length[j];
      out[((size_t)1 << j) - 1 + k] = fmax(-1, fmin(1, value));
    }
}
