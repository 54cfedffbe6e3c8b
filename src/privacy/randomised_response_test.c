/* Many randomised responses against exhaustive enumeration, against long double sums, and against the
   formulas of the literature that they must beat. */
#include "privacy/randomised_response.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static double delta_of(double epsilon0, uint64_t steps, double epsilon) {
  double delta;
  assert_int_equal(tacit_response_delta(epsilon0, steps, epsilon, &delta, NULL), TACIT_OK);
  return delta;
}

/* All 2^T strings of answers: the most one table's probability exceeds e^epsilon times the other's. */
static long double enumerate(long double epsilon0, unsigned steps, long double epsilon) {
  long double p = 1 / (1 + expl(-epsilon0)), delta = 0;
  for (unsigned answers = 0; answers < 1u << steps; answers++) {
    long double one = 1, other = 1;
    for (unsigned t = 0; t < steps; t++) {
      one *= answers >> t & 1 ? p : 1 - p;
      other *= answers >> t & 1 ? 1 - p : p;
    }
    delta += fmaxl(0, one - expl(epsilon) * other);
  }
  return delta;
}

static void delta_is_the_enumerated_one(void **state) {
  (void)state;
  for (unsigned steps = 1; steps <= 12; steps++)
    for (double epsilon0 = 0.01; epsilon0 < 4; epsilon0 *= 3)
      for (double share = 0; share < 1; share += 0.09) {
        double epsilon = share * steps * epsilon0;
        long double truth = enumerate(epsilon0, steps, epsilon);
        double found = delta_of(epsilon0, steps, epsilon);
        assert_true((long double)found >= truth - 1e-17L);
        assert_true((long double)found <= truth * (1 + 1e-12L) + 1e-16L);
      }
}

static void edges(void **state) {
  (void)state;
  assert_true(delta_of(0.5, 10, 5.0001) == 0);
  assert_true(delta_of(0.5, 10, 1e9) == 0);
  /* one response at epsilon 0: total variation (e - 1)/(e + 1) */
  assert_true(fabs(delta_of(1, 1, 0) - tanh(0.5)) < 1e-15 && delta_of(1, 1, 0) >= tanh(0.5) - 1e-17);
  double epsilon;
  assert_int_equal(tacit_response_epsilon(0.5, 10, 0, &epsilon, NULL), TACIT_OK);
  assert_true(epsilon == 5);
  assert_int_equal(tacit_response_epsilon(1e-9, 10, 0.5, &epsilon, NULL), TACIT_OK);
  assert_true(epsilon == 0);
  double out;
  assert_int_equal(tacit_response_delta(0, 10, 1, &out, NULL), TACIT_USAGE);
  assert_int_equal(tacit_response_delta(NAN, 10, 1, &out, NULL), TACIT_USAGE);
  assert_int_equal(tacit_response_delta(1, 0, 1, &out, NULL), TACIT_USAGE);
  assert_int_equal(tacit_response_delta(1, 10, -1, &out, NULL), TACIT_USAGE);
  assert_int_equal(tacit_response_epsilon(1, 10, 1, &out, NULL), TACIT_USAGE);
  assert_int_equal(tacit_response_calibrate(0, 0, 10, &out, NULL), TACIT_USAGE);
}

/* Inversions land on the safe side and near. */
static void inversions_are_safe_and_tight(void **state) {
  (void)state;
  static const double deltas[] = {1e-10, 1e-5, 0.01, 0.4};
  static const uint64_t counts[] = {1, 7, 100, 10000};
  for (int d = 0; d < 4; d++)
    for (int c = 0; c < 4; c++) {
      double epsilon0, epsilon;
      assert_int_equal(tacit_response_calibrate(1, deltas[d], counts[c], &epsilon0, NULL), TACIT_OK);
      assert_true(delta_of(epsilon0, counts[c], 1) <= deltas[d] || epsilon0 * (double)counts[c] <= 1);
      assert_true(delta_of(epsilon0 * (1 + 1e-9), counts[c], 1) > deltas[d]);
      assert_int_equal(tacit_response_epsilon(epsilon0, counts[c], deltas[d], &epsilon, NULL), TACIT_OK);
      assert_true(epsilon <= 1 + 1e-9 && epsilon > 1 - 1e-6);
      /* it is no worse than the advanced composition that Wang and Qin's Lemma 3 quotes */
      double k = (double)counts[c], e = epsilon0;
      assert_true(epsilon <= 1.5 * k * e * e + sqrt(6 * k * log(1 / deltas[d])) * e + 1e-9);
    }
}

/* Wang and Qin's section 7: 250,000 steps at (10, 0.4). The exact composition allows each step more than the
   published epsilon0, and for a quarter of a million steps it is close to Gaussian with mu = sqrt(T)
   tanh-like. */
static void a_quarter_of_a_million_steps(void **state) {
  (void)state;
  double T = 250000, L = log(1 / 0.4), published = (sqrt(2 * L + 20) - sqrt(2 * L)) / sqrt(3 * T), epsilon0,
         epsilon;
  assert_int_equal(tacit_response_calibrate(10, 0.4, 250000, &epsilon0, NULL), TACIT_OK);
  assert_true(epsilon0 > published);
  assert_int_equal(tacit_response_epsilon(published, 250000, 0.4, &epsilon, NULL), TACIT_OK);
  assert_true(epsilon < 10);
  /* losses have mean T e tanh(e/2) and variance T e^2 / cosh^2(e/2): Gaussian with mu = sqrt(T) e, nearly */
  double delta = delta_of(published, 250000, 1), mu = sqrt(T) * published;
  double gaussian =
      0.5 * erfc((1 / mu - mu / 2) / sqrt(2)) - exp(1) * 0.5 * erfc((1 / mu + mu / 2) / sqrt(2));
  assert_true(fabs(delta - gaussian) < 2e-3);
}

static void renyi_divergences_bound_the_exact_ones(void **state) {
  (void)state;
  double rdp[TACIT_RDP_ORDERS];
  assert_int_equal(tacit_response_rdp(0.3, 50, rdp, NULL), TACIT_OK);
  long double p = 1 / (1 + expl(-0.3L)), q = 1 - p;
  for (int i = 0; i < TACIT_RDP_ORDERS; i++) {
    long double a = tacit_rdp_orders[i],
                truth = 50 / (a - 1) * logl(powl(p, a) * powl(q, 1 - a) + powl(q, a) * powl(p, 1 - a));
    assert_true(rdp[i] >= (double)(truth * (1 - 1e-15L)) && rdp[i] <= (double)(truth * (1 + 1e-12L)));
    assert_true(rdp[i] <= 50 * 0.3);
  }
}

static void thresholds_never_exceed_their_odds(void **state) {
  (void)state;
  for (double epsilon0 = 1e-12; epsilon0 <= 30; epsilon0 *= 1.7) {
    uint64_t threshold = tacit_response_threshold(epsilon0);
    assert_true(threshold >= (uint64_t)1 << 63);
    long double p = (long double)threshold / 0x1p64L, odds = p / (1 - p);
    assert_true(odds <= expl(epsilon0) * (1 + 1e-18L));
    assert_true(fabsl(p - 1 / (1 + expl(-(long double)epsilon0))) < 1e-18L);
  }
  assert_true(tacit_response_threshold(0) == (uint64_t)1 << 63);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(delta_is_the_enumerated_one),
      cmocka_unit_test(edges),
      cmocka_unit_test(inversions_are_safe_and_tight),
      cmocka_unit_test(a_quarter_of_a_million_steps),
      cmocka_unit_test(renyi_divergences_bound_the_exact_ones),
      cmocka_unit_test(thresholds_never_exceed_their_odds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
