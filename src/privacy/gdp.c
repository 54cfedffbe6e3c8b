/* mu-GDP: its delta(epsilon) enclosed in multi-precision arithmetic, inverted and composed with outward
   rounding.

   delta(epsilon) = Phi(-epsilon/mu + mu/2) - e^epsilon Phi(-epsilon/mu - mu/2)
                  = (erfc(x1) - e^epsilon erfc(x2)) / 2,   x1, x2 = (epsilon/mu -+ mu/2) / sqrt 2
   (Dong, Roth, Su, Corollary 1; proofs/composition.md). The two terms may agree in most of their digits, so
   they are enclosed by MPFR's directed rounding, and the precision is doubled until the enclosure is tight.
 */
#include "privacy/gdp.h"

#include "num/normal.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#include <mpfr.h>
#include <string.h>

enum { FIRST_PRECISION = 128, LAST_PRECISION = 8192 };
/* erfc(x) for x beyond this is under 10^-4300000: far below any double. */
static const double FAR_TAIL = 3000;

static mpfr_rnd_t opposite(mpfr_rnd_t rounding) {
  return rounding == MPFR_RNDU ? MPFR_RNDD : MPFR_RNDU;
}

/* x = (epsilon/mu + sign mu/2) / sqrt 2, rounded in the given direction. */
static void tail_argument(mpfr_t x, double mu, double epsilon, int sign, mpfr_rnd_t rounding) {
  mpfr_t part;
  mpfr_init2(part, mpfr_get_prec(x));
  mpfr_set_d(x, epsilon, rounding);
  mpfr_div_d(x, x, mu, rounding);
  mpfr_set_d(part, sign * mu / 2, rounding); /* exact: halving a double, and precision is at least 53 bits */
  mpfr_add(x, x, part, rounding);
  mpfr_set_ui(part, 2, MPFR_RNDN);
  /* dividing by sqrt 2: a larger divisor gives a smaller result only for positive x */
  mpfr_sqrt(part, part, mpfr_sgn(x) >= 0 ? opposite(rounding) : rounding);
  mpfr_div(x, x, part, rounding);
  mpfr_clear(part);
}

/* One side of the enclosure of delta at the precision of `delta`. */
static void delta_bound(mpfr_t delta, double mu, double epsilon, mpfr_rnd_t rounding) {
  mpfr_t second, factor;
  mpfr_inits2(mpfr_get_prec(delta), second, factor, (mpfr_ptr)0);
  tail_argument(delta, mu, epsilon, -1, opposite(rounding)); /* erfc falls */
  mpfr_erfc(delta, delta, rounding);
  tail_argument(second, mu, epsilon, +1, rounding);
  mpfr_erfc(second, second, opposite(rounding));
  mpfr_set_d(factor, epsilon, MPFR_RNDN);
  mpfr_exp(factor, factor, opposite(rounding));
  mpfr_mul(second, second, factor, opposite(rounding));
  mpfr_sub(delta, delta, second, rounding);
  mpfr_div_2ui(delta, delta, 1, rounding);
  mpfr_clears(second, factor, (mpfr_ptr)0);
}

void tacit_gdp_enclose(double mu, double epsilon, tacit_interval *delta) {
  *delta = (tacit_interval){0, 0};
  if (mu == 0) return;
  delta->upper = DBL_TRUE_MIN;
  if ((epsilon / mu - mu / 2) / sqrt(2) > FAR_TAIL) return;
  delta->upper = 1;
  for (mpfr_prec_t precision = FIRST_PRECISION; precision <= LAST_PRECISION; precision *= 2) {
    mpfr_t lo, hi, gap;
    mpfr_inits2(precision, lo, hi, gap, (mpfr_ptr)0);
    delta_bound(lo, mu, epsilon, MPFR_RNDD);
    delta_bound(hi, mu, epsilon, MPFR_RNDU);
    mpfr_sub(gap, hi, lo, MPFR_RNDU);
    mpfr_mul_2ui(gap, gap, 60, MPFR_RNDU);
    bool tight = mpfr_cmp(gap, hi) <= 0;
    delta->lower = fmax(delta->lower, mpfr_get_d(lo, MPFR_RNDD));
    delta->upper = fmin(delta->upper, mpfr_get_d(hi, MPFR_RNDU));
    mpfr_clears(lo, hi, gap, (mpfr_ptr)0);
    if (tight) break;
  }
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* of this thread, which may end */
}

static double delta_upper(double mu, double epsilon) {
  tacit_interval delta;
  tacit_gdp_enclose(mu, epsilon, &delta);
  return delta.upper;
}

/* Bisection over the doubles between lo and hi, where holds(lo) is false and holds(hi) is true: the smallest
   (or, with lo > hi, the largest) double that holds. Non-negative doubles are ordered like their bit
   patterns. */
typedef bool (*predicate)(double x, double fixed, double delta);

static double boundary(double lo, double hi, predicate holds, double fixed, double delta) {
  uint64_t a, b;
  memcpy(&a, &lo, sizeof a);
  memcpy(&b, &hi, sizeof b);
  while ((a > b ? a - b : b - a) > 1) {
    uint64_t middle = a < b ? a + (b - a) / 2 : b + (a - b) / 2;
    double x;
    memcpy(&x, &middle, sizeof x);
    if (holds(x, fixed, delta))
      b = middle;
    else
      a = middle;
  }
  memcpy(&hi, &b, sizeof hi);
  return hi;
}

static bool epsilon_suffices(double epsilon, double mu, double delta) {
  return delta_upper(mu, epsilon) <= delta;
}
static bool mu_allowed(double mu, double epsilon, double delta) {
  return delta_upper(mu, epsilon) <= delta;
}

/* The same in doubles, for guesses: wrong where both terms nearly agree. */
static double rough_delta(double mu, double epsilon) {
  return tacit_normal_cdf(mu / 2 - epsilon / mu) - exp(epsilon) * tacit_normal_cdf(-epsilon / mu - mu / 2);
}

/* Newton's steps toward the epsilon of delta, which is falling and convex: in doubles while they are long,
   then with delta itself enclosed. A guess for where to look; what is found is checked. */
static double epsilon_guess(double mu, double delta) {
  double epsilon = mu * mu / 2 + mu * sqrt(-2 * log(delta)); /* above the answer: the Gaussian tail's bound */
  bool rough = true;
  for (int i = 0; i < 60; i++) {
    double value = rough ? rough_delta(mu, epsilon) : delta_upper(mu, epsilon);
    double slope = exp(epsilon) * tacit_normal_cdf(-epsilon / mu - mu / 2);
    double step = value * log(value / delta) / slope; /* Newton on the logarithm of delta */
    if (rough && !(value > 0 && fabs(step) > 0x1p-30 * epsilon)) {
      rough = false;
      if (!isfinite(step)) continue;
    }
    if (!(slope > 0) || !isfinite(step)) return NAN;
    epsilon = fmax(epsilon + step, 0);
    if (!rough && fabs(step) <= 4 * DBL_EPSILON * epsilon) break;
  }
  return epsilon;
}

static tacit_status check_mu(double mu, tacit_error *error) {
  if (mu > 0 && mu <= TACIT_MU_MAX) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "mu must be above 0 and at most %g", TACIT_MU_MAX);
}

static tacit_status check_epsilon(double epsilon, tacit_error *error) {
  if (epsilon >= 0 && epsilon <= TACIT_EPSILON_MAX) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "epsilon must be at least 0 and at most %g", TACIT_EPSILON_MAX);
}

static tacit_status check_delta(double delta, tacit_error *error) {
  if (delta > 0 && delta < 1) return TACIT_OK;
  return tacit_fail(
      error, TACIT_USAGE,
      "delta must be above 0 and below 1: no Gaussian noise gives delta = 0, choose one far below "
      "1/rows, such as 1e-6");
}

tacit_status tacit_gdp_delta(double mu, double epsilon, double *delta, tacit_error *error) {
  TACIT_TRY(check_mu(mu, error));
  TACIT_TRY(check_epsilon(epsilon, error));
  *delta = delta_upper(mu, epsilon);
  return TACIT_OK;
}

tacit_status tacit_gdp_epsilon(double mu, double delta, double *epsilon, tacit_error *error) {
  TACIT_TRY(check_mu(mu, error));
  TACIT_TRY(check_delta(delta, error));
  *epsilon = 0;
  if (epsilon_suffices(0, mu, delta)) return TACIT_OK;
  if (!epsilon_suffices(TACIT_EPSILON_MAX, mu, delta))
    return tacit_fail(error, TACIT_USAGE, "mu is so large that epsilon would exceed %g", TACIT_EPSILON_MAX);
  double guess = epsilon_guess(mu, delta), below = 0, above = TACIT_EPSILON_MAX;
  for (int bits = 50; bits > 0; bits -= 5) { /* a NaN finds nothing */
    double width = ldexp(1, -bits), lo = guess * (1 - width), hi = guess * (1 + width);
    if (!(lo > 0 && hi < TACIT_EPSILON_MAX) || !epsilon_suffices(hi, mu, delta) ||
        epsilon_suffices(lo, mu, delta))
      continue;
    below = lo, above = hi;
    break;
  }
  *epsilon = boundary(below, above, epsilon_suffices, mu, delta);
  return TACIT_OK;
}

tacit_status tacit_gdp_mu(double epsilon, double delta, double *mu, tacit_error *error) {
  TACIT_TRY(check_epsilon(epsilon, error));
  TACIT_TRY(check_delta(delta, error));
  *mu = TACIT_MU_MAX;
  if (!mu_allowed(TACIT_MU_MAX, epsilon, delta)) *mu = boundary(TACIT_MU_MAX, 0, mu_allowed, epsilon, delta);
  if (*mu > 0) return TACIT_OK;
  return tacit_fail(error, TACIT_USAGE, "no mu above 0 meets this epsilon and delta; allow a little more");
}

tacit_status tacit_gdp_compose(size_t n, const double *mu, double *total, tacit_error *error) {
  mpfr_t sum, square;
  mpfr_inits2(FIRST_PRECISION, sum, square, (mpfr_ptr)0);
  mpfr_set_zero(sum, +1);
  tacit_status status = TACIT_OK;
  for (size_t i = 0; i < n && status == TACIT_OK; i++) {
    status = check_mu(mu[i], error);
    mpfr_set_d(square, mu[i], MPFR_RNDU);
    mpfr_sqr(square, square, MPFR_RNDU);
    mpfr_add(sum, sum, square, MPFR_RNDU);
  }
  mpfr_sqrt(sum, sum, MPFR_RNDU);
  *total = mpfr_get_d(sum, MPFR_RNDU);
  mpfr_clears(sum, square, (mpfr_ptr)0);
  return status;
}

tacit_status tacit_gdp_sigma(double mu, double sensitivity, uint64_t steps, double *sigma,
                             tacit_error *error) {
  TACIT_TRY(check_mu(mu, error));
  if (!(sensitivity > 0 && sensitivity <= DBL_MAX))
    return tacit_fail(error, TACIT_USAGE, "the sensitivity must be above 0 and finite");
  if (steps == 0) return tacit_fail(error, TACIT_USAGE, "there must be at least one step");
  mpfr_t value;
  mpfr_init2(value, FIRST_PRECISION);
  mpfr_set_uj(value, steps, MPFR_RNDU);
  mpfr_sqrt(value, value, MPFR_RNDU);
  mpfr_mul_d(value, value, sensitivity, MPFR_RNDU);
  mpfr_div_d(value, value, mu, MPFR_RNDU);
  *sigma = mpfr_get_d(value, MPFR_RNDU);
  mpfr_clear(value);
  if (*sigma > DBL_MAX) return tacit_fail(error, TACIT_USAGE, "the noise would be beyond any number");
  return TACIT_OK;
}
