/* Measures on a grid: tilting, moments, and the way from a grid to a wider one. */
#include "privacy/measure.h"

#include "num/vmath.h"

#include <stdlib.h>

void tacit_measure_free(tacit_measure *m) {
  free(m->mass);
  m->mass = NULL;
}

enum { BLOCK = 256, RATIO_MAX = TACIT_COARSEN_MAX };

/* mass e^(theta loss - shift) for up to BLOCK points from i on. */
static size_t weights(const tacit_measure *m, size_t i, double theta, double shift, double out[BLOCK]) {
  size_t n = m->count - i < BLOCK ? m->count - i : BLOCK;
  double argument[BLOCK] = {0};
  for (size_t j = 0; j < n; j++)
    argument[j] = theta * ((double)(m->low + (int64_t)(i + j)) * m->width) - shift;
  tacit_vexp(n, argument, out);
  for (size_t j = 0; j < n; j++) out[j] *= m->mass[i + j];
  return n;
}

void tacit_measure_tilt(tacit_measure *m, double theta, double log_scale, tacit_side side) {
  double sign = side == TACIT_UPPER_SIDE ? 1 : -1;
  for (size_t i = 0; i < m->count; i += BLOCK) {
    double w[BLOCK];
    size_t n = weights(m, i, theta, log_scale, w);
    for (size_t j = 0; j < n; j++) {
      /* the exponent is off by two roundings of its terms, vexp by 4 units, the product by half a one */
      double loss = fabs((double)(m->low + (int64_t)(i + j)) * m->width);
      double off = DBL_EPSILON * (fabs(theta) * loss * 2 + fabs(log_scale) + 8);
      double before = m->mass[i + j];
      m->mass[i + j] = w[j] * (1 + sign * off);
      if (side == TACIT_UPPER_SIDE && before > 0) m->mass[i + j] += 1e-300; /* where w underflows */
    }
  }
}

tacit_status tacit_measure_mirror(const tacit_measure *m, tacit_measure *out, tacit_error *error) {
  *out = *m;
  out->mass = tacit_alloc(m->count, sizeof *m->mass);
  if (!out->mass) return tacit_no_memory(error);
  for (size_t i = 0; i < m->count; i++) out->mass[i] = m->mass[i];
  tacit_measure_tilt(out, -1, 0, TACIT_UPPER_SIDE);
  for (size_t i = 0; i < m->count / 2; i++) {
    double last = out->mass[m->count - 1 - i];
    out->mass[m->count - 1 - i] = out->mass[i];
    out->mass[i] = last;
  }
  out->low = -(m->low + (int64_t)m->count - 1);
  return TACIT_OK;
}

static int64_t floor_ratio(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* Spreading: a point with loss d above the grid point below it gives the share (1 - e^-d)/(1 - e^-width) of
   its P-mass to the grid point above and the rest to the one below; the tilt adds e^(theta (new - old)). */
static void spread(const tacit_measure *m, size_t ratio, const double *to_lower, const double *to_upper,
                   tacit_measure *out) {
  size_t offset = (size_t)(m->low - out->low * (int64_t)ratio);
  double *at = out->mass;
  for (size_t i = 0; i < m->count; at++) {
    double below = 0, above = 0;
    for (; offset < ratio && i < m->count; offset++, i++) {
      below += m->mass[i] * to_lower[offset];
      above += m->mass[i] * to_upper[offset];
    }
    offset = 0;
    at[0] += below;
    at[1] += above;
  }
}

/* Drawing together: from left to right, what is left over below a grid point is joined with as much from
   above it as makes the mean likelihood ratio that of the grid point. At offset d from it (below: d < 0) a
   mass m counts m e^(-(1 + theta) d) there, and its imbalance is that times |e^d - 1|. Tables hold d = (j -
   ratio) width for j < 2 ratio. */
typedef struct drawing {
  size_t ratio;
  double counts[2 * RATIO_MAX], imbalance[2 * RATIO_MAX];
  double left[RATIO_MAX],
      right[RATIO_MAX]; /* of the cells below and above the grid point: what is not used */
} drawing;

/* Uses masses of the cell above until they balance `below`; returns the balance they reach. */
static double take_above(drawing *d, double below, double *mass) {
  double above = 0;
  for (size_t j = 0; j < d->ratio; j++) {
    double take = d->right[j], weight = take * d->imbalance[d->ratio + j];
    if (above + weight > below) take = fmin(take, take * ((below - above) / weight));
    if (!(take > 0)) continue;
    above += take * d->imbalance[d->ratio + j];
    *mass += take * d->counts[d->ratio + j];
    d->right[j] -= take;
  }
  return above;
}

static void draw(const tacit_measure *m, drawing *d, tacit_measure *out) {
  /* rather too much from above than too little: more than all roundings of the sums */
  const double caution = 64 * DBL_EPSILON * (double)d->ratio;
  for (size_t j = 0; j < d->ratio; j++) d->left[j] = 0;
  for (size_t k = 0; k < out->count; k++) {
    int64_t first = (out->low + (int64_t)k) * (int64_t)d->ratio - m->low;
    double below = 0, mass_below = 0, mass = 0;
    for (size_t j = 0; j < d->ratio; j++) {
      int64_t at = first + (int64_t)j;
      d->right[j] = at >= 0 && at < (int64_t)m->count && m->mass[at] > 1e-280 ? m->mass[at] : 0;
      below += d->left[j] * d->imbalance[j];
      mass_below += d->left[j] * d->counts[j];
    }
    below *= 1 + caution;
    double above = take_above(d, below, &mass), share = 1;
    if (above < below * (1 - caution / 4)) {
      /* too little above: a share of what is below joins it, the rest goes to the grid point below */
      share = above / below * (1 - caution);
      for (size_t j = 0; k > 0 && j < d->ratio; j++)
        out->mass[k - 1] += (1 - share) * d->left[j] * d->counts[d->ratio + j];
    }
    out->mass[k] += mass + share * mass_below;
    for (size_t j = 0; j < d->ratio; j++) d->left[j] = d->right[j];
  }
}

static void spread_to(const tacit_measure *m, size_t ratio, double theta, tacit_measure *out) {
  double to_lower[RATIO_MAX] = {0}, to_upper[RATIO_MAX] = {0}, width = out->width;
  for (size_t j = 0; j < ratio; j++) {
    double d = (double)j * m->width;
    to_upper[j] = expm1(-d) / expm1(-width) * exp(theta * (width - d));
    to_lower[j] = expm1(width - d) / expm1(width) * exp(-theta * d);
  }
  spread(m, ratio, to_lower, to_upper, out);
}

static void draw_to(const tacit_measure *m, size_t ratio, double theta, tacit_measure *out) {
  drawing d = {.ratio = ratio, .counts = {0}, .imbalance = {0}};
  for (size_t j = 0; j < 2 * ratio; j++) {
    double offset = ((double)j - (double)ratio) * m->width;
    d.counts[j] = exp(-(1 + theta) * offset);
    d.imbalance[j] = d.counts[j] * fabs(expm1(offset));
  }
  draw(m, &d, out);
}

tacit_status tacit_measure_coarsen(const tacit_measure *m, size_t ratio, double theta, tacit_side side,
                                   tacit_measure *out, tacit_error *error) {
  out->width = m->width * (double)ratio;
  out->low = floor_ratio(m->low, (int64_t)ratio);
  out->count = (size_t)(floor_ratio(m->low + (int64_t)m->count - 1, (int64_t)ratio) - out->low) + 2;
  out->mass = tacit_alloc(out->count, sizeof *out->mass);
  if (!out->mass) return tacit_no_memory(error);
  if (side == TACIT_UPPER_SIDE)
    spread_to(m, ratio, theta, out);
  else
    draw_to(m, ratio, theta, out);
  /* weights are off by a few units and by the roundings of their exponents, sums by one a term */
  double off = DBL_EPSILON * (64 + 4 * (1 + theta) * out->width + 4 * (double)ratio);
  double factor = side == TACIT_UPPER_SIDE ? 1 + off : 1 - off;
  for (size_t i = 0; i < out->count; i++) out->mass[i] *= factor;
  return TACIT_OK;
}
