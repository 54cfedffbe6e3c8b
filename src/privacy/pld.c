/* Composition level by level: 16 steps at a time, after which the grid is made 4 times as wide, so that the
   grid grows with the standard deviation of what stands on it and no transform is long. */
#include "privacy/pld.h"

#include "privacy/convolve.h"

#include <stdlib.h>

/* Levels of so many steps, each with a wider grid after it, until few enough steps are left. Few steps have
   no level. Short levels take short transforms but a finer grid, which so many steps that round-off decides
   do not bear. */
typedef struct levels {
  uint64_t steps, last;
  size_t ratio;
} levels;

static levels choose_levels(uint64_t steps) {
  if (steps <= 2048) return (levels){16, steps, 4};
  return steps < UINT64_C(1) << 29 ? (levels){16, 64, 4} : (levels){256, 2048, 16};
}

size_t tacit_pld_levels(uint64_t steps) {
  const levels l = choose_levels(steps);
  size_t count = 0;
  for (; steps > l.last; steps /= l.steps) count++;
  return count;
}

/* A factor of the composition: how far it is from the exact product of the factors it was made of, in sum of
   absolute values, and a bound on the mass of either. */
typedef struct factor {
  tacit_measure m;
  double off, bound;
  bool there;
} factor;

/* How many steps, how long a transform may be, the roots of unity, and the tilt and side of all measures. */
typedef struct composing {
  double steps; /* in all */
  levels levels;
  int bits_max;
  tacit_fft **roots;
  double theta;
  tacit_side side;
} composing;

/* What may be left outside the window of a product of so many steps: in all, about as much as round-off,
   which grows with the steps. */
static double log_outside(double steps) {
  return fmin(-34 + log(steps), -16);
}

/* One or two powers of the block; `copies` of the first enter the whole. */
typedef struct powers {
  uint64_t power[2];
  size_t count;
  double copies;
} powers;

/* out = rest * block^power for each of the powers, the second with the rest and the first without where there
   are two; each within its off. */
static tacit_status multiply(const factor *block, const factor *rest, const powers *to, const composing *c,
                             factor *out, tacit_error *error) {
  const uint64_t *power = to->power;
  size_t count = to->count;
  const tacit_measure *in[2] = {&block->m, rest->there ? &rest->m : NULL};
  tacit_product products[2] = {{.power = {power[0], count == 1}}, {.power = {count > 1 ? power[1] : 0, 1}}};
  TACIT_TRY(tacit_convolve_products(in, products, count, log_outside(c->steps / to->copies), c->bits_max,
                                    c->roots, error));
  for (size_t i = 0; i < count; i++) {
    bool with = products[i].power[1] && rest->there;
    double off = products[i].off;
    /* a product of factors moves by at most the sum over factors of its own error times the others' masses */
    double others = with ? rest->bound : 1;
    double before = exp(((double)power[i] - 1) * log(block->bound) * (1 + 4 * DBL_EPSILON) + 1e-12);
    out[i] = (factor){.m = products[i].out, .there = true};
    out[i].bound = fmax(tacit_measure_total(&out[i].m), before * block->bound * others) + off;
    out[i].off = off + ((double)power[i] * block->off * before * others +
                        (with ? rest->off : 0) * before * block->bound) *
                           1.001;
    if (!(out[i].off >= 0)) out[i].off = INFINITY;
  }
  return TACIT_OK;
}

static tacit_status widen(factor *f, const composing *c, tacit_error *error) {
  tacit_measure wide;
  TACIT_TRY(tacit_measure_coarsen(&f->m, c->levels.ratio, c->theta, c->side, &wide, error));
  tacit_measure_free(&f->m);
  f->m = wide;
  f->bound = fmax(f->bound, tacit_measure_total(&wide));
  return TACIT_OK;
}

static void replace(factor *old, const factor *new) {
  tacit_measure_free(&old->m);
  *old = *new;
}

/* One level of 16 steps, say: rest *= block^(steps mod 16), block = block^16, both on the wider grid. */
static tacit_status level(factor *block, factor *rest, uint64_t steps, const composing *c,
                          tacit_error *error) {
  factor out[2] = {{.off = 0}, {.off = 0}}, none = {.off = 0};
  uint64_t whole = steps / c->levels.steps, left = steps % c->levels.steps;
  const powers to = {{c->levels.steps, left}, left ? 2 : 1, (double)whole};
  TACIT_TRY(multiply(block, left ? rest : &none, &to, c, out, error));
  if (left) replace(rest, &out[1]);
  replace(block, &out[0]);
  TACIT_TRY(widen(block, c, error));
  return rest->there ? widen(rest, c, error) : TACIT_OK;
}

/* Backwards from the largest loss, B_j = sum over losses L_i >= L_j of mass e^(-(1 + theta)(L_i - L_j)) and
   D_j = sum of mass e^(-theta (L_i - L_j)) (1 - e^-(L_i - L_j)): then delta at any epsilon takes one cell of
   them. */
static tacit_status sum_up(tacit_pld *pld, tacit_error *error) {
  const tacit_measure *m = &pld->sum;
  pld->ahead = tacit_alloc(m->count, sizeof *pld->ahead);
  if (!pld->ahead) return tacit_no_memory(error);
  double less = exp(-pld->theta * m->width), least = exp(-(1 + pld->theta) * m->width),
         gap = -expm1(-m->width);
  double b = 0, d = 0;
  for (size_t i = m->count; i-- > 0;) {
    d = less * (d + gap * b);
    b = m->mass[i] + least * b;
    if (d < 1e-305) d = 0; /* see `spare` */
    if (b < 1e-305) b = 0;
    pld->ahead[i] = d;
    m->mass[i] = b;
  }
  return TACIT_OK;
}

tacit_status tacit_pld_power(tacit_measure *step, const tacit_composition *of, tacit_fft **roots,
                             tacit_power *out, tacit_error *error) {
  uint64_t steps = of->steps;
  double scale = tacit_measure_cumulant(step, of->theta).value;
  tacit_measure_tilt(step, of->theta, scale, of->side);
  factor block = {.m = *step, .bound = tacit_measure_total(step), .there = true}, rest = {.off = 0},
         all = {.off = 0};
  step->mass = NULL; /* it is the block's now */
  const composing c = {(double)steps, choose_levels(steps), of->bits_max, roots, of->theta, of->side};
  tacit_status status = TACIT_OK;
  for (; steps > c.levels.last && status == TACIT_OK; steps /= c.levels.steps)
    status = level(&block, &rest, steps, &c, error);
  const powers last = {{steps, 0}, 1, 1};
  if (status == TACIT_OK) status = multiply(&block, &rest, &last, &c, &all, error);
  *out = (tacit_power){all.m, all.off, all.bound, (long double)scale * (long double)of->steps};
  tacit_measure_free(&block.m);
  tacit_measure_free(&rest.m);
  return status;
}

tacit_status tacit_pld_from(tacit_power *power, double theta, tacit_side side, double beyond, tacit_pld *out,
                            tacit_error *error) {
  *out = (tacit_pld){.side = side,
                     .sum = power->m,
                     .theta = theta,
                     .log_scale = power->log_scale,
                     .off = power->off,
                     .beyond = fmin(1, beyond)};
  power->m.mass = NULL;
  return sum_up(out, error);
}

tacit_status tacit_pld_compose_with(tacit_measure *step, const tacit_composition *of, tacit_fft **roots,
                                    tacit_pld *out, tacit_error *error) {
  tacit_power all = {.off = 0};
  *out = (tacit_pld){.side = of->side};
  tacit_status status = tacit_pld_power(step, of, roots, &all, error);
  if (status == TACIT_OK)
    status = tacit_pld_from(&all, of->theta, of->side, of->beyond * (double)of->steps * (1 + 4 * DBL_EPSILON),
                            out, error);
  tacit_measure_free(&all.m);
  return status;
}

tacit_status tacit_pld_compose(tacit_measure *step, const tacit_composition *of, tacit_pld *out,
                               tacit_error *error) {
  tacit_fft *roots = NULL;
  tacit_status status = tacit_pld_compose_with(step, of, &roots, out, error);
  tacit_fft_free(roots);
  return status;
}

void tacit_pld_free(tacit_pld *pld) {
  tacit_measure_free(&pld->sum);
  free(pld->ahead);
  pld->ahead = NULL;
}

/* delta(epsilon) = e^(log_scale - theta epsilon) sum mass e^(-theta v) (1 - e^-v) over v = loss - epsilon >
   0, and no weight there is above (theta/(1 + theta))^theta / (1 + theta). With a = L_j - epsilon, L_j the
   first loss that is not below epsilon, the sum is e^(-theta a) (D_j + (1 - e^-a) B_j). */
double tacit_pld_delta(const tacit_pld *pld, double epsilon) {
  double theta = pld->theta, sum = 0;
  const tacit_measure *m = &pld->sum;
  double first = ceil(epsilon / m->width) - 1 - (double)m->low;
  if (first < 0) first = 0;
  size_t i = first < (double)m->count ? (size_t)first : m->count;
  while (i < m->count && (double)(m->low + (int64_t)i) * m->width < epsilon) i++;
  if (i < m->count) {
    double a = (double)(m->low + (int64_t)i) * m->width - epsilon;
    sum = exp(-theta * a) * (pld->ahead[i] - expm1(-a) * m->mass[i]);
  }
  double largest = theta > 0 ? exp(theta * log(theta / (1 + theta))) / (1 + theta) : 1;
  double spare = largest * (pld->off * (1 + 1e-9) + 1e-280);
  bool upper = pld->side == TACIT_UPPER_SIDE;
  /* sums of positive terms: from one loss to the next each is rounded and multiplied by exponentials, which
     are off by their exponents' rounding; and at last by 700 units, above which nothing is left */
  double slack = DBL_EPSILON * (1000 + (double)m->count * (8 + 2 * (1 + theta) * m->width));
  sum = upper ? sum * (1 + slack) + spare : sum * (1 - slack) - spare;
  if (!(sum > 0)) return upper ? (isfinite(sum) ? pld->beyond + DBL_TRUE_MIN : 1) : 0;
  long double exponent = pld->log_scale - (long double)theta * epsilon;
  long double room = LDBL_EPSILON * (fabsl(pld->log_scale) + (long double)theta * epsilon + 64);
  long double times =
      expl(exponent + (upper ? room : -room)) * (upper ? 1 + TACIT_LIBM_ERROR : 1 - TACIT_LIBM_ERROR);
  long double delta = times * sum;
  if (!upper) return (double)(delta * (1 - 2 * DBL_EPSILON));
  delta += pld->beyond;
  return delta < 1 ? (double)(delta * (1 + 2 * DBL_EPSILON)) + DBL_TRUE_MIN : 1; /* never 0: it is not */
}
