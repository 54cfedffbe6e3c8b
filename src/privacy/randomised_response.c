/* Many randomised responses, exactly: binomial tails in multi-precision arithmetic, rounded up.

     p = e^eps0 / (1 + e^eps0),  K ~ Binomial(T, p) true answers
     loss = (2K - T) eps0
     delta(eps) = sum over k of P(K = k) max(0, 1 - e^(eps - (2k - T) eps0)) (proofs/randomised-response.md)
 */
#include "privacy/randomised_response.h"

#include "privacy/gdp.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <mpfr.h>

/* Enough that a billion roundings do not show in a double, after a cancellation of ninety bits. */
enum { PRECISION = 256 };

static tacit_status check(double epsilon0, uint64_t steps, tacit_error *error) {
  if (!(epsilon0 > 0 && epsilon0 <= TACIT_RESPONSE_EPSILON_MAX))
    return tacit_fail(error, TACIT_USAGE, "epsilon of one response must be above 0 and at most %g",
                      TACIT_RESPONSE_EPSILON_MAX);
  if (steps < 1 || steps > TACIT_RESPONSES_MAX)
    return tacit_fail(error, TACIT_USAGE, "there must be from 1 to 1000000000 responses");
  return TACIT_OK;
}

/* P(K = k) from above: exp(ln C(T, k) + k eps0 - T (eps0 + ln(1 + e^-eps0))). */
static void first_term(mpfr_t term, double epsilon0, uint64_t steps, uint64_t k) {
  mpfr_t part, less;
  mpfr_inits2(PRECISION, part, less, (mpfr_ptr)0);
  mpfr_set_uj(part, steps + 1, MPFR_RNDN);
  mpfr_lngamma(term, part, MPFR_RNDU);
  mpfr_set_uj(part, k + 1, MPFR_RNDN);
  mpfr_lngamma(less, part, MPFR_RNDD);
  mpfr_sub(term, term, less, MPFR_RNDU);
  mpfr_set_uj(part, steps - k + 1, MPFR_RNDN);
  mpfr_lngamma(less, part, MPFR_RNDD);
  mpfr_sub(term, term, less, MPFR_RNDU);
  /* k eps0 - T eps0 = -(T - k) eps0, exact: 30 bits times 53 */
  mpfr_set_d(part, epsilon0, MPFR_RNDN);
  mpfr_mul_ui(part, part, (unsigned long)(steps - k), MPFR_RNDN);
  mpfr_sub(term, term, part, MPFR_RNDU);
  mpfr_set_d(part, -epsilon0, MPFR_RNDN);
  mpfr_exp(part, part, MPFR_RNDD);
  mpfr_log1p(part, part, MPFR_RNDD);
  mpfr_mul_ui(part, part, (unsigned long)steps, MPFR_RNDD);
  mpfr_sub(term, term, part, MPFR_RNDU);
  mpfr_exp(term, term, MPFR_RNDU);
  mpfr_clears(part, less, (mpfr_ptr)0);
}

/* The first k with a loss above epsilon, or a few before it. */
static uint64_t first_index(double epsilon0, uint64_t steps, double epsilon) {
  double k = floor((epsilon / epsilon0 + (double)steps) / 2) - 3;
  double half = floor((double)steps / 2); /* loss <= 0 up to there */
  return (uint64_t)fmin(fmax(k, half > 3 ? half - 3 : 0), (double)steps);
}

/* Far below the mean the terms rise with k and are nothing: twelve standard deviations. */
static uint64_t first_that_counts(double epsilon0, uint64_t steps, uint64_t k) {
  double T = (double)steps, p = 1 / (1 + exp(-epsilon0)), low = T * p - 12 * sqrt(T * p * (1 - p)) - 100;
  return low > (double)k ? (uint64_t)low : k;
}

typedef struct sum {
  mpfr_t term;   /* P(K = k), from above */
  mpfr_t weight; /* e^(eps - (2k - T) eps0), from below */
  mpfr_t total, part, odds, square;
} sum;

/* What follows term k is at most a geometric series: successive ratios fall. True when it is below 2^-100 of
   the total, to which it is then added. */
static bool tail_is_nothing(sum *s, uint64_t steps, uint64_t k) {
  mpfr_set_uj(s->part, steps - k, MPFR_RNDN);
  mpfr_div_ui(s->part, s->part, (unsigned long)(k + 1), MPFR_RNDU);
  mpfr_mul(s->part, s->part, s->odds, MPFR_RNDU); /* the next ratio r */
  if (mpfr_cmp_d(s->part, 0.999) >= 0) return false;
  mpfr_t rest;
  mpfr_init2(rest, PRECISION);
  mpfr_ui_sub(rest, 1, s->part, MPFR_RNDD);
  mpfr_div(rest, s->part, rest, MPFR_RNDU);
  mpfr_mul(rest, rest, s->term, MPFR_RNDU); /* term r / (1 - r) */
  mpfr_mul_2ui(s->part, rest, 100, MPFR_RNDU);
  bool small = mpfr_cmp(s->part, s->total) <= 0;
  if (small) mpfr_add(s->total, s->total, rest, MPFR_RNDU);
  mpfr_clear(rest);
  return small;
}

static double delta_upper(double epsilon0, uint64_t steps, double epsilon) {
  sum s;
  mpfr_inits2(PRECISION, s.term, s.weight, s.total, s.part, s.odds, s.square, (mpfr_ptr)0);
  uint64_t from = first_index(epsilon0, steps, epsilon), k = first_that_counts(epsilon0, steps, from);
  first_term(s.term, epsilon0, steps, k);
  mpfr_mul_ui(s.total, s.term, (unsigned long)(k - from), MPFR_RNDU); /* none left out exceeds this one */
  mpfr_set_d(s.part, epsilon0, MPFR_RNDN);
  mpfr_exp(s.odds, s.part, MPFR_RNDU);
  mpfr_mul_si(s.part, s.part, (long)steps - 2 * (long)k, MPFR_RNDN); /* exact */
  mpfr_add_d(s.part, s.part, epsilon, MPFR_RNDD);
  mpfr_exp(s.weight, s.part, MPFR_RNDD);
  mpfr_set_d(s.square, -2 * epsilon0, MPFR_RNDN);
  mpfr_exp(s.square, s.square, MPFR_RNDD);
  for (;; k++) {
    mpfr_ui_sub(s.part, 1, s.weight, MPFR_RNDU);
    if (mpfr_sgn(s.part) > 0) {
      mpfr_mul(s.part, s.part, s.term, MPFR_RNDU);
      mpfr_add(s.total, s.total, s.part, MPFR_RNDU);
    }
    if (k == steps || tail_is_nothing(&s, steps, k)) break;
    mpfr_mul_ui(s.term, s.term, (unsigned long)(steps - k), MPFR_RNDU);
    mpfr_div_ui(s.term, s.term, (unsigned long)(k + 1), MPFR_RNDU);
    mpfr_mul(s.term, s.term, s.odds, MPFR_RNDU);
    mpfr_mul(s.weight, s.weight, s.square, MPFR_RNDD);
  }
  double delta = fmin(mpfr_get_d(s.total, MPFR_RNDU), 1);
  mpfr_clears(s.term, s.weight, s.total, s.part, s.odds, s.square, (mpfr_ptr)0);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* of this thread, which may end */
  return delta;
}

tacit_status tacit_response_delta(double epsilon0, uint64_t steps, double epsilon, double *delta,
                                  tacit_error *error) {
  TACIT_TRY(check(epsilon0, steps, error));
  if (!(epsilon >= 0 && epsilon <= TACIT_EPSILON_MAX))
    return tacit_fail(error, TACIT_USAGE, "epsilon must be at least 0 and at most %g", TACIT_EPSILON_MAX);
  *delta = delta_upper(epsilon0, steps, epsilon);
  return TACIT_OK;
}

/* steps * epsilon0, rounded up: pure differential privacy. */
static double all_of_it(double epsilon0, uint64_t steps) {
  double product = (double)steps * epsilon0;
  return fma((double)steps, epsilon0, -product) > 0 ? nextafter(product, INFINITY) : product;
}

static bool suffices(double epsilon0, uint64_t steps, double epsilon, double delta) {
  return epsilon >= all_of_it(epsilon0, steps) ||
         (delta > 0 && delta_upper(epsilon0, steps, epsilon) <= delta);
}

/* Halves the bracket until it is a relative 2^-45 wide: what remains is on the safe side, and each question
   is a long sum. */
static double narrow(double bad, double good, bool for_epsilon, double fixed, uint64_t steps, double delta) {
  while (fabs(good - bad) > 0x1p-45 * fmax(fabs(good), DBL_MIN)) {
    double middle = bad + (good - bad) / 2;
    if (middle == bad || middle == good) break;
    bool holds = for_epsilon ? suffices(fixed, steps, middle, delta) : suffices(middle, steps, fixed, delta);
    if (holds)
      good = middle;
    else
      bad = middle;
  }
  return good;
}

tacit_status tacit_response_epsilon(double epsilon0, uint64_t steps, double delta, double *epsilon,
                                    tacit_error *error) {
  TACIT_TRY(check(epsilon0, steps, error));
  if (!(delta >= 0 && delta < 1))
    return tacit_fail(error, TACIT_USAGE, "delta must be at least 0 and below 1");
  *epsilon = all_of_it(epsilon0, steps);
  if (delta == 0) return TACIT_OK;
  if (suffices(epsilon0, steps, 0, delta))
    *epsilon = 0;
  else
    *epsilon = narrow(0, *epsilon, true, epsilon0, steps, delta);
  return TACIT_OK;
}

tacit_status tacit_response_calibrate(double epsilon, double delta, uint64_t steps, double *epsilon0,
                                      tacit_error *error) {
  TACIT_TRY(check(1, steps, error));
  if (!(epsilon >= 0 && epsilon <= TACIT_EPSILON_MAX && delta >= 0 && delta < 1 && epsilon + delta > 0))
    return tacit_fail(error, TACIT_USAGE, "epsilon must be at least 0, delta from 0 to below 1, one above 0");
  *epsilon0 = TACIT_RESPONSE_EPSILON_MAX;
  if (suffices(*epsilon0, steps, epsilon, delta)) return TACIT_OK;
  /* Pure composition, or total variation of one response times their number, surely fits. */
  double safe = fmax(epsilon, delta) / (double)steps * (1 - 0x1p-40);
  if (!(safe > 1e-300) || !suffices(safe, steps, epsilon, delta))
    return tacit_fail(error, TACIT_USAGE, "no response meets this epsilon and delta; allow a little more");
  *epsilon0 = narrow(*epsilon0, safe, false, epsilon, steps, delta);
  return TACIT_OK;
}

/* (1 / (a - 1)) ln(p^a q^(1-a) + q^a p^(1-a)) = (1 / (a - 1)) (ln(e^(a e) + e^((1-a) e)) - ln(1 + e^e)),
   times the number of responses. */
tacit_status tacit_response_rdp(double epsilon0, uint64_t steps, double rdp[TACIT_RDP_ORDERS],
                                tacit_error *error) {
  TACIT_TRY(check(epsilon0, steps, error));
  mpfr_t up, part, down;
  mpfr_inits2(PRECISION, up, part, down, (mpfr_ptr)0);
  for (int i = 0; i < TACIT_RDP_ORDERS; i++) {
    double a = tacit_rdp_orders[i];
    mpfr_set_d(part, epsilon0, MPFR_RNDN);
    mpfr_mul_d(part, part, a, MPFR_RNDU);
    mpfr_exp(up, part, MPFR_RNDU);
    mpfr_set_d(part, epsilon0, MPFR_RNDN);
    mpfr_mul_d(part, part, 1 - a, MPFR_RNDU); /* 1 - a is exact for these orders */
    mpfr_exp(part, part, MPFR_RNDU);
    mpfr_add(up, up, part, MPFR_RNDU);
    mpfr_log(up, up, MPFR_RNDU);
    mpfr_set_d(down, epsilon0, MPFR_RNDN);
    mpfr_exp(down, down, MPFR_RNDD);
    mpfr_log1p(down, down, MPFR_RNDD);
    mpfr_sub(up, up, down, MPFR_RNDU);
    mpfr_div_d(up, up, a - 1, MPFR_RNDU);
    mpfr_mul_ui(up, up, (unsigned long)steps, MPFR_RNDU);
    rdp[i] = fmax(0, mpfr_get_d(up, MPFR_RNDU));
  }
  mpfr_clears(up, part, down, (mpfr_ptr)0);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* of this thread, which may end */
  return TACIT_OK;
}

uint64_t tacit_response_threshold(double epsilon0) {
  mpfr_t part;
  mpfr_init2(part, PRECISION);
  mpfr_set_d(part, epsilon0 > 0 ? -fmin(epsilon0, TACIT_RESPONSE_EPSILON_MAX) : 0, MPFR_RNDN);
  mpfr_exp(part, part, MPFR_RNDU);
  mpfr_add_ui(part, part, 1, MPFR_RNDU);
  mpfr_ui_div(part, 1, part, MPFR_RNDD);
  mpfr_mul_2ui(part, part, 64, MPFR_RNDD);
  uint64_t threshold = mpfr_get_uj(part, MPFR_RNDD);
  mpfr_clear(part);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* of this thread, which may end */
  return threshold;
}
