/* What other accountants say of the same sampled steps. */
#include "privacy/rdp.h"
#include "privacy/sampled.h"
#include "privacy/sampled_rdp.h"

#include <float.h>
#include <math.h>

tacit_status tacit_sampled_rdp_at(const tacit_sampled *sampled, double order, double *rdp,
                                  tacit_error *error) {
  TACIT_TRY(tacit_sampled_check(sampled, error));
  if (!(order > 1 && order <= 1e4))
    return tacit_fail(error, TACIT_USAGE, "the order must be above 1 and at most 1e4");
  *rdp = 0;
  for (size_t i = 0; i < tacit_sampled_directions(sampled); i++) {
    tacit_step_curve curve;
    tacit_step_curve_set(&curve, tacit_sampled_direction(sampled, i), sampled->rate, sampled->sigma);
    *rdp = fmax(*rdp, tacit_step_rdp(&curve, order));
  }
  *rdp *= (double)sampled->steps * (1 + 4 * DBL_EPSILON);
  return TACIT_OK;
}

static tacit_status rdp_epsilon(const tacit_sampled *sampled, double log_order, double delta, double *epsilon,
                                tacit_error *error) {
  double rdp = 0, order = 1 + exp(log_order);
  TACIT_TRY(tacit_sampled_rdp_at(sampled, order, &rdp, error));
  *epsilon = tacit_rdp_epsilon_at(order, rdp, delta);
  return TACIT_OK;
}

/* Where the best ln(order - 1) would be, were all losses together normal. */
static double first_guess(const tacit_sampled *sampled, double delta) {
  tacit_step_curve curve;
  tacit_step_curve_set(&curve, tacit_sampled_direction(sampled, 0), sampled->rate, sampled->sigma);
  double mu = tacit_step_spread(&curve) * sqrt((double)sampled->steps);
  return fmin(fmax(log(sqrt(-2 * log(delta)) / mu), log(2e-2)), log(5e2));
}

typedef struct point {
  double at, value;
} point;

/* The lowest point of the parabola through three points; the middle of the longer side where it says little.
 */
static double vertex(const point p[3]) {
  double left = p[1].at - p[0].at, right = p[2].at - p[1].at;
  double a = left * (p[1].value - p[2].value), b = right * (p[1].value - p[0].value);
  double v = p[1].at + 0.5 * (right * b - left * a) / (a + b), least = 1e-3 * (left + right);
  if (fabs(v - p[1].at) < least) v = p[1].at + (left > right ? -least : least);
  if (v > p[0].at && v < p[2].at) return v;
  return left > right ? p[1].at - left / 2 : p[1].at + right / 2;
}

/* Over ln(order - 1), by parabolas; any order gives a bound. */
static tacit_status best_rdp_epsilon(const tacit_sampled *sampled, double delta, double *best,
                                     tacit_error *error) {
  const double low = log(1e-2), high = log(1e3), apart = 0.5;
  point p[3] = {{.at = first_guess(sampled, delta)}};
  for (int i = 0; i < 3; i++) {
    p[i].at = fmin(fmax(p[0].at, low), high - 2 * apart) + i * apart;
    TACIT_TRY(rdp_epsilon(sampled, p[i].at, delta, &p[i].value, error));
  }
  /* until the middle one is the lowest, or there is no more room */
  for (int side; side = p[0].value < p[1].value ? -1 : p[2].value < p[1].value ? 1 : 0, side != 0;) {
    point next = {.at = p[1 + side].at + side * 2 * apart};
    if (next.at < low || next.at > high) break;
    TACIT_TRY(rdp_epsilon(sampled, next.at, delta, &next.value, error));
    p[1 - side] = p[1], p[1] = p[1 + side], p[1 + side] = next;
  }
  *best = fmin(p[1].value, fmin(p[0].value, p[2].value));
  for (int i = 0; i < 12 && p[2].at - p[0].at > 1e-2; i++) {
    point v = {.at = vertex(p)};
    TACIT_TRY(rdp_epsilon(sampled, v.at, delta, &v.value, error));
    double gain = *best - v.value;
    *best = fmin(*best, v.value);
    bool lower = v.value<p[1].value, after = v.at> p[1].at;
    if (lower)
      p[after ? 0 : 2] = p[1], p[1] = v;
    else
      p[after ? 2 : 0] = v;
    if (i > 0 && gain < 1e-8 * *best && gain >= 0) break;
  }
  return TACIT_OK;
}

tacit_status tacit_sampled_compare(const tacit_sampled *sampled, double delta, tacit_accountants *out,
                                   tacit_error *error) {
  TACIT_TRY(tacit_sampled_check(sampled, error));
  if (!(delta > 0 && delta < 1)) return tacit_fail(error, TACIT_USAGE, "delta must be above 0 and below 1");
  TACIT_TRY(best_rdp_epsilon(sampled, delta, &out->rdp, error));
  double rho, steps = (double)sampled->steps;
  TACIT_TRY(tacit_zcdp_rho(sampled->adjacency == TACIT_REPLACE_ONE ? 2 : 1, sampled->sigma, sampled->steps,
                           &rho, error));
  TACIT_TRY(tacit_zcdp_epsilon(rho, delta, &out->zcdp, error));
  /* the closed forms are proportional to 1/epsilon; one record of n, so 1/n is the rate */
  out->moments = tacit_published_moments_noise(1, 1 / sampled->rate, steps, 1, delta) / sampled->sigma;
  out->advanced = tacit_published_advanced_noise(1, 1 / sampled->rate, steps, 1, delta) / sampled->sigma;
  return TACIT_OK;
}
