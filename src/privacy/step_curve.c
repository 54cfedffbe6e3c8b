/* Closed forms for the dominating pairs of one step; each claim is in proofs/sampled-gaussian.md. The base
   pair is N(0, 1) against N(s, 1) with likelihood ratio R0(y) = e^(s y - s^2/2); mixing gives
   R = 1 - q + q R0, so P - X Q on an interval is q (N_s - R0_X N_0) with R0_X = 1 + (X - 1)/q, where hardly
   any digits cancel. */
#include "privacy/step_curve.h"

#include <assert.h>
#include <stdbool.h>

void tacit_step_curve_set(tacit_step_curve *curve, tacit_step_kind kind, double rate, double sigma) {
  curve->kind = kind;
  curve->rate = rate;
  curve->shift = (kind == TACIT_STEP_FIXED ? 2 : 1) / (long double)sigma;
  curve->centre = expl(-curve->shift * curve->shift / 2);
}

/* R0 where 1 - q + q R0 = e^loss, growth = e^loss - 1; far below 0 the other way round, since there 1 +
   growth/q would cancel. 1 - q is exact where e^loss < 1/2 can be above it. */
static long double base_ratio(const tacit_step_curve *curve, long double loss, long double growth) {
  if (loss < -0.7L) return (expl(loss) - (1 - curve->rate)) / curve->rate;
  return 1 + growth / curve->rate;
}

/* y with 1 - q + q R0(y) = e^loss. */
static long double mixture_point(const tacit_step_curve *curve, long double loss, long double growth) {
  long double ratio = base_ratio(curve, loss, growth);
  if (ratio <= 0) return -INFINITY;
  long double log_ratio = loss < -0.7L ? logl(ratio) : log1pl(growth / curve->rate);
  return log_ratio / curve->shift + curve->shift / 2;
}

/* y with (1 - q + q R0(y)) / (1 - q + q R0(-y)) = e^loss: a quadratic in e^(s y), for loss >= 0. */
static long double replace_point(const tacit_step_curve *curve, long double loss, long double growth) {
  long double q = curve->rate, x = loss < 0 ? -growth / (1 + growth) : growth;
  long double c = q * curve->centre, b = (1 - q) * x / (2 * c);
  long double y = logl(b + sqrtl(b * b + 1 + x)) / curve->shift;
  return loss < 0 ? -y : y;
}

/* e^-loss - 1, from e^loss - 1 where that cancels nothing. */
static long double mirror_growth(long double loss, long double growth) {
  return fabsl(loss) < 0.5L ? -growth / (1 + growth) : expm1l(-loss);
}

/* Is this loss of the ADD direction, where the pair is the mirror of REMOVE? */
static bool mirrored(const tacit_step_curve *curve, long double loss) {
  return curve->kind == TACIT_STEP_ADD || (curve->kind == TACIT_STEP_FIXED && loss < 0);
}

void tacit_step_edge_at(const tacit_step_curve *curve, long double loss, tacit_step_edge *edge) {
  edge->growth = expm1l(loss);
  long double y;
  if (curve->kind == TACIT_STEP_REPLACE)
    y = replace_point(curve, loss, edge->growth);
  else if (mirrored(curve, loss))
    y = mixture_point(curve, -loss, mirror_growth(loss, edge->growth));
  else
    y = mixture_point(curve, loss, edge->growth);
  edge->tail[0] = tacit_tail_at(y, 0);
  edge->tail[1] = tacit_tail_at(y, curve->shift);
  if (curve->kind == TACIT_STEP_REPLACE) edge->tail[2] = tacit_tail_at(y, -curve->shift);
}

static tacit_enclosed scaled(tacit_enclosed a, long double by) {
  by = fabsl(by);
  return (tacit_enclosed){a.value * by,
                          a.error * by * (1 + 4 * LDBL_EPSILON) + a.value * by * 4 * LDBL_EPSILON};
}

static tacit_enclosed plus(tacit_enclosed a, tacit_enclosed b) {
  long double value = a.value + b.value;
  return (tacit_enclosed){value, (a.error + b.error) * (1 + 4 * LDBL_EPSILON) + value * LDBL_EPSILON};
}

/* |a - b|; scaled() by an exponential or a quotient adds what those may be off. */
static tacit_enclosed apart(tacit_enclosed a, tacit_enclosed b) {
  long double value = fabsl(a.value - b.value);
  long double rounding = 3 * TACIT_LIBM_ERROR * (a.value + b.value);
  return (tacit_enclosed){value, (a.error + b.error + rounding) * (1 + 4 * LDBL_EPSILON)};
}

/* e^loss. */
static long double exponential(long double loss, long double growth) {
  return loss > -0.5L ? 1 + growth : expl(loss);
}

static tacit_step_part replace_between(const tacit_step_curve *curve, const tacit_step_edge *from,
                                       const tacit_step_edge *to, long double near, long double growth) {
  tacit_enclosed zero = scaled(tacit_between(from->tail[0], to->tail[0]), 1 - curve->rate);
  tacit_enclosed up = scaled(tacit_between(from->tail[1], to->tail[1]), curve->rate);
  tacit_enclosed down = scaled(tacit_between(from->tail[2], to->tail[2]), curve->rate);
  /* P - X Q = (1 - X) zero + up - X down */
  tacit_enclosed first = scaled(zero, growth), last = scaled(down, exponential(near, growth));
  tacit_step_part part = {.q = plus(zero, down)};
  part.moment = near > 0 ? apart(up, plus(first, last)) : apart(plus(up, first), last);
  return part;
}

tacit_step_part tacit_step_between(const tacit_step_curve *curve, const tacit_step_edge *from,
                                   const tacit_step_edge *to, long double near, bool near_from) {
  long double growth = near_from ? from->growth : to->growth;
  if (curve->kind == TACIT_STEP_REPLACE) return replace_between(curve, from, to, near, growth);
  /* which side of 0 a fixed-size part is on: it never spans 0, and y falls with the loss in the mirror */
  bool mirror =
      curve->kind == TACIT_STEP_ADD || (curve->kind == TACIT_STEP_FIXED && from->tail[0].z > to->tail[0].z);
  const tacit_step_edge *a = mirror ? to : from, *b = mirror ? from : to;
  long double loss = mirror ? -near : near;
  tacit_enclosed zero = tacit_between(a->tail[0], b->tail[0]), one = tacit_between(a->tail[1], b->tail[1]);
  long double ratio = base_ratio(curve, loss, mirror ? mirror_growth(near, growth) : growth);
  tacit_enclosed moment;
  if (ratio > 0)
    moment = scaled(apart(one, scaled(zero, ratio)), curve->rate);
  else
    moment = scaled(plus(one, scaled(zero, ratio)), curve->rate);
  /* ratio is off by the error of its parts: that of 1 and of (e^loss - 1)/q, which in the mirror is a
   * quotient */
  moment.error += curve->rate * zero.value * 3 * TACIT_LIBM_ERROR * (2 + fabsl(ratio));
  if (!mirror) return (tacit_step_part){.q = zero, .moment = moment};
  /* |Q - P/X| = |P - X Q| / X */
  tacit_step_part part = {.q = plus(scaled(zero, 1 - curve->rate), scaled(one, curve->rate))};
  part.moment = scaled(moment, exponential(near, growth));
  part.moment.error += part.moment.value * 2 * TACIT_LIBM_ERROR;
  return part;
}

tacit_enclosed tacit_step_atom(const tacit_step_curve *curve) {
  if (curve->kind != TACIT_STEP_FIXED) return (tacit_enclosed){0, 0};
  /* (1 - q) times the total variation 2 Phi(s/2) - 1 = P(-s/2 < N < s/2) */
  return scaled(tacit_between(tacit_tail_at(-curve->shift / 2, 0), tacit_tail_at(curve->shift / 2, 0)),
                1 - curve->rate);
}

static long double mixture_loss(const tacit_step_curve *curve, long double y) {
  long double x = curve->shift * y - curve->shift * curve->shift / 2;
  if (x < -0.7L) return logl(1 - curve->rate + curve->rate * expl(x)); /* at rate 1 nothing may cancel */
  return log1pl(curve->rate * expm1l(x));
}

void tacit_step_range(const tacit_step_curve *curve, double reach, long double *low, long double *high,
                      long double *mass_beyond) {
  long double top = mixture_loss(curve, reach + curve->shift), bottom = mixture_loss(curve, -reach);
  switch (curve->kind) {
  case TACIT_STEP_REMOVE:
    *low = bottom, *high = top;
    break;
  case TACIT_STEP_ADD:
    *low = -top, *high = -bottom;
    break;
  case TACIT_STEP_REPLACE:
    *high = top - mixture_loss(curve, -reach - curve->shift), *low = -*high;
    break;
  case TACIT_STEP_FIXED:
    *low = -top, *high = top;
    break;
  }
  /* each side: at most every component's tail beyond `reach` */
  *mass_beyond = 3 * (erfcl(reach * 0.7071067811865475L) / 2) * 1.001L;
}

double tacit_step_spread(const tacit_step_curve *curve) {
  double s = (double)curve->shift, square = expm1(s * s), half = 0.7071067811865476 / 2 * s;
  /* fixed size: twice the part above ratio 1; the difference would cancel for small s, where they are alike
   */
  if (curve->kind == TACIT_STEP_FIXED && s > 1e-3)
    square = exp(s * s) * erfc(-3 * half) - 2 * erfc(-half) + erfc(half);
  return (double)curve->rate * fmin(sqrt(square), 2) * (curve->kind == TACIT_STEP_REPLACE ? 2 : 1);
}
