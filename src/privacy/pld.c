/* Composition level by level: 256 steps at a time, after which the grid is made 16 times as wide, so that the
   grid grows with the standard deviation of what stands on it and no transform is long. */
#include "privacy/pld.h"

#include "privacy/convolve.h"

#include <stdlib.h>

/* A level and what it does to the grid; levels end when few enough steps are left. */
enum { LEVEL_STEPS = 256, LEVEL_RATIO = 16, LAST_LEVEL = 2048 };

/* A factor of the composition: how far it is from the exact product of the factors it was made of, in sum of
   absolute values, and a bound on the mass of either. */
typedef struct factor {
  tacit_measure m;
  double off, bound;
  bool there;
} factor;

/* How long a transform may be, and the roots of unity of the last one. */
typedef struct transforms {
  int bits_max;
  tacit_fft *roots;
} transforms;

static double total(const tacit_measure *m) {
  double sum = 0;
  for (size_t i = 0; i < m->count; i++) sum += m->mass[i];
  return sum * (1 + DBL_EPSILON * (double)m->count);
}

/* out = rest * block^power, both within their offs. */
static tacit_status multiply(const factor *block, uint64_t power, const factor *rest, transforms *t,
                             factor *out, tacit_error *error) {
  tacit_convolve_part parts[2] = {{&block->m, power}, {&rest->m, 1}};
  TACIT_TRY(tacit_convolve(parts, rest->there ? 2 : 1, t->bits_max, &t->roots, &out->m, &out->off, error));
  out->there = true;
  /* a product of factors moves by at most the sum over factors of its own error times the others' masses */
  double others = rest->there ? rest->bound : 1;
  double powers = exp(((double)power - 1) * log(block->bound) * (1 + 4 * DBL_EPSILON) + 1e-12);
  out->bound = fmax(total(&out->m), powers * block->bound * others) + out->off;
  out->off +=
      ((double)power * block->off * powers * others + (rest->there ? rest->off : 0) * powers * block->bound) *
      1.001;
  if (!(out->off >= 0)) out->off = INFINITY;
  return TACIT_OK;
}

static tacit_status widen(factor *f, double theta, tacit_side side, tacit_error *error) {
  tacit_measure wide;
  TACIT_TRY(tacit_measure_coarsen(&f->m, LEVEL_RATIO, theta, side, &wide, error));
  tacit_measure_free(&f->m);
  f->m = wide;
  f->bound = fmax(f->bound, total(&wide));
  return TACIT_OK;
}

/* One level: rest *= block^(steps mod 256), block = block^256, both on the wider grid. */
static tacit_status level(factor *block, factor *rest, uint64_t steps, double theta, tacit_side side,
                          transforms *t, tacit_error *error) {
  factor power = {0}, with = {0};
  tacit_status status = TACIT_OK;
  if (steps % LEVEL_STEPS) {
    status = multiply(block, steps % LEVEL_STEPS, rest, t, &with, error);
    if (status == TACIT_OK) {
      tacit_measure_free(&rest->m);
      *rest = with;
    }
  }
  factor none = {0};
  if (status == TACIT_OK) status = multiply(block, LEVEL_STEPS, &none, t, &power, error);
  if (status == TACIT_OK) {
    tacit_measure_free(&block->m);
    *block = power;
    status = widen(block, theta, side, error);
  }
  if (status == TACIT_OK && rest->there) status = widen(rest, theta, side, error);
  return status;
}

tacit_status tacit_pld_compose(tacit_measure *step, double beyond, uint64_t steps, double theta,
                               tacit_side side, int bits_max, tacit_pld *out, tacit_error *error) {
  double scale = tacit_measure_cumulant(step, theta).value;
  tacit_measure_tilt(step, theta, scale, side);
  *out = (tacit_pld){.side = side, .theta = theta, .log_scale = (long double)scale * (long double)steps};
  out->beyond = fmin(1, beyond * (double)steps * (1 + 4 * DBL_EPSILON));
  factor block = {.m = *step, .bound = total(step), .there = true}, rest = {0}, all = {0};
  step->mass = NULL; /* it is the block's now */
  transforms t = {bits_max, NULL};
  tacit_status status = TACIT_OK;
  for (; steps > LAST_LEVEL && status == TACIT_OK; steps /= LEVEL_STEPS)
    status = level(&block, &rest, steps, theta, side, &t, error);
  if (status == TACIT_OK) status = multiply(&block, steps, &rest, &t, &all, error);
  out->sum = all.m;
  out->off = all.off;
  tacit_measure_free(&block.m);
  tacit_measure_free(&rest.m);
  tacit_fft_free(t.roots);
  return status;
}

void tacit_pld_free(tacit_pld *pld) {
  tacit_measure_free(&pld->sum);
}

/* delta(epsilon) = e^(log_scale - theta epsilon) sum mass e^(-theta v) (1 - e^-v) over v = loss - epsilon >
   0, and no weight there is above (theta/(1 + theta))^theta / (1 + theta). */
double tacit_pld_delta(const tacit_pld *pld, double epsilon) {
  double theta = pld->theta, sum = 0;
  const tacit_measure *m = &pld->sum;
  double first = floor(epsilon / m->width) - 1 - (double)m->low;
  if (first < 0) first = 0;
  for (size_t i = first < (double)m->count ? (size_t)first : m->count; i < m->count; i++) {
    double v = (double)(m->low + (int64_t)i) * m->width - epsilon;
    if (v > 0) sum -= m->mass[i] * exp(-theta * v) * expm1(-v);
    if (theta * v > 700) break; /* the rest is below 1e-300 of the largest weight; see `spare` */
  }
  double largest = theta > 0 ? exp(theta * log(theta / (1 + theta))) / (1 + theta) : 1;
  double spare = largest * (pld->off * (1 + 1e-9) + 1e-280);
  bool upper = pld->side == TACIT_UPPER_SIDE;
  /* a sum of positive terms: each off by its exponent's rounding, at most 700 units, and one for each
   * addition */
  double slack = DBL_EPSILON * (1000 + (double)m->count);
  sum = upper ? sum * (1 + slack) + spare : sum * (1 - slack) - spare;
  if (!(sum > 0)) return upper ? (isfinite(sum) ? pld->beyond : 1) : 0;
  long double exponent = pld->log_scale - (long double)theta * epsilon;
  long double room = LDBL_EPSILON * (fabsl(pld->log_scale) + (long double)theta * epsilon + 64);
  long double times =
      expl(exponent + (upper ? room : -room)) * (upper ? 1 + TACIT_LIBM_ERROR : 1 - TACIT_LIBM_ERROR);
  long double delta = times * sum;
  if (!upper) return (double)(delta * (1 - 2 * DBL_EPSILON));
  delta += pld->beyond;
  return delta < 1 ? (double)(delta * (1 + 2 * DBL_EPSILON)) : 1;
}
