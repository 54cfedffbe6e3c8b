/* Renyi divergences of sampled Gaussians, zCDP and advanced composition: known answers and relations. */
#include "privacy/rdp.h"
#include "privacy/sampled_rdp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static double rdp_of(tacit_step_kind kind, double rate, double sigma, double alpha) {
  tacit_step_curve curve;
  tacit_step_curve_set(&curve, kind, rate, sigma);
  return tacit_step_rdp(&curve, alpha);
}
static bool near(double a, double b, double relative) {
  return fabs(a / b - 1) <= relative;
}

static void known_divergences(void **state) {
  (void)state;
  assert_true(near(50 * rdp_of(TACIT_STEP_REMOVE, 0.01, 2.5, 2.5), 1.085418e-3, 5e-7));
  assert_true(near(50 * rdp_of(TACIT_STEP_REMOVE, 0.01, 2.5, 5), 2.180757e-3, 5e-7));
  assert_true(near(rdp_of(TACIT_STEP_REMOVE, 0.01, 0.5, 2), 0.005345502314, 1e-10));
}

/* At whole orders the binomial theorem gives a sum: E = sum_k C(a, k) (1-q)^(a-k) q^k e^(k (k-1) s^2/2). */
static void whole_orders_agree_with_the_binomial_sum(void **state) {
  (void)state;
  for (double q = 1e-4; q < 1; q *= 7)
    for (double sigma = 0.6; sigma < 20; sigma *= 3)
      for (int a = 2; a <= 64; a *= 2) {
        long double sum = 0, choose = 1;
        for (int k = 0; k <= a; k++) {
          sum +=
              choose * powl(1 - (long double)q, a - k) * powl(q, k) * expl(k * (k - 1) / (2 * sigma * sigma));
          choose = choose * (a - k) / (k + 1);
        }
        double exact = (double)(logl(sum) / (a - 1)), ours = rdp_of(TACIT_STEP_REMOVE, q, sigma, a);
        assert_true(ours >= exact * (1 - 1e-9) - 1e-16 && ours <= exact * (1 + 1e-6) + 1e-15);
      }
}

static void without_sampling_it_is_the_gaussian_divergence(void **state) {
  (void)state;
  for (double alpha = 1.25; alpha < 300; alpha *= 3) {
    assert_true(near(rdp_of(TACIT_STEP_REMOVE, 1, 2, alpha), alpha / 8, 1e-9));
    assert_true(near(rdp_of(TACIT_STEP_ADD, 1, 2, alpha), alpha / 8, 1e-9));
    assert_true(near(rdp_of(TACIT_STEP_REPLACE, 1, 2, alpha), alpha / 2, 1e-9));
    assert_true(near(rdp_of(TACIT_STEP_FIXED, 1, 2, alpha), alpha / 2, 1e-3));
  }
}

/* Poisson replace-one is between one direction of add-remove and fixed size; everything grows with the order.
 */
static void curves_are_ordered(void **state) {
  (void)state;
  for (double q = 1e-3; q < 1; q *= 5)
    for (double sigma = 0.8; sigma < 10; sigma *= 3.3) {
      double before[4] = {0, 0, 0, 0};
      for (double alpha = 1.5; alpha < 40; alpha *= 1.7) {
        double now[4];
        for (int kind = 0; kind < 4; kind++) {
          now[kind] = rdp_of((tacit_step_kind)kind, q, sigma, alpha);
          assert_true(now[kind] >= before[kind] * (1 - 1e-6));
          before[kind] = now[kind];
        }
        assert_true(now[TACIT_STEP_ADD] <= now[TACIT_STEP_REMOVE] * (1 + 1e-9));
        assert_true(now[TACIT_STEP_REPLACE] >= now[TACIT_STEP_REMOVE] * (1 - 1e-9));
        assert_true(now[TACIT_STEP_FIXED] >= now[TACIT_STEP_REPLACE] * (1 - 1e-9));
      }
    }
}

/* (1.5, 0.04, 2250) at 1e-5: 7.32911117143 over a list of orders, a little less at the best one; and never
   less than the exact accountant. */
static void conversion_to_epsilon(void **state) {
  (void)state;
  tacit_sampled of = {1.5, 0.04, 2250, TACIT_SAMPLING_POISSON, TACIT_ADD_REMOVE};
  tacit_accountants others;
  assert_int_equal(tacit_sampled_compare(&of, 1e-5, &others, NULL), TACIT_OK);
  assert_true(others.rdp <= 7.32911117143 && others.rdp > 7.327);
  tacit_interval exact;
  assert_int_equal(tacit_sampled_epsilon(&of, 1e-5, &exact, NULL), TACIT_OK);
  assert_true(others.rdp > exact.upper);
  double order = 3.5, rdp, epsilon, delta;
  assert_int_equal(tacit_sampled_rdp_at(&of, order, &rdp, NULL), TACIT_OK);
  assert_int_equal(tacit_rdp_epsilon(1, &order, &rdp, 1e-5, &epsilon, NULL), TACIT_OK);
  assert_int_equal(tacit_rdp_delta(1, &order, &rdp, epsilon, &delta, NULL), TACIT_OK);
  assert_true(near(delta, 1e-5, 1e-9) && delta >= 1e-5);
  double all[TACIT_RDP_ORDERS];
  assert_int_equal(tacit_sampled_rdp(&of, all, NULL), TACIT_OK);
  assert_int_equal(tacit_rdp_epsilon(TACIT_RDP_ORDERS, tacit_rdp_orders, all, 1e-5, &epsilon, NULL),
                   TACIT_OK);
  assert_true(epsilon >= others.rdp * (1 - 1e-9) && epsilon < 7.5);
  assert_int_equal(tacit_rdp_epsilon(1, &order, &rdp, 0, &epsilon, NULL), TACIT_USAGE);
  order = 1;
  assert_int_equal(tacit_rdp_epsilon(1, &order, &rdp, 1e-5, &epsilon, NULL), TACIT_USAGE);
}

static void zero_concentrated_and_advanced(void **state) {
  (void)state;
  double rho, epsilon, delta, exact;
  assert_int_equal(tacit_zcdp_rho(2, 4, 8, &rho, NULL), TACIT_OK);
  assert_true(near(rho, 1, 1e-14) && rho >= 1);
  assert_int_equal(tacit_zcdp_epsilon(rho, 1e-6, &epsilon, NULL), TACIT_OK);
  assert_int_equal(tacit_gdp_epsilon(sqrt(2), 1e-6, &exact, NULL), TACIT_OK);
  assert_true(epsilon > exact && epsilon < 1 + 2 * sqrt(6 * log(10))); /* better than the simple conversion */
  assert_int_equal(tacit_zcdp_epsilon(0, 1e-6, &epsilon, NULL), TACIT_USAGE);
  assert_int_equal(tacit_zcdp_rho(1, 0, 1, &rho, NULL), TACIT_USAGE);
  assert_int_equal(tacit_advanced_composition(0.01, 1e-8, 1000, 1e-6, &epsilon, &delta, NULL), TACIT_OK);
  assert_true(near(epsilon, 0.01 * sqrt(2000 * log(1e6)) + 10 * expm1(0.01), 1e-12) &&
              near(delta, 1.1e-5, 1e-12));
  assert_int_equal(tacit_advanced_composition(0.01, 1e-8, 0, 1e-6, &epsilon, &delta, NULL), TACIT_USAGE);
  /* sigma = 6.07 clip norms is what the moments accountant's closed form asks at (1, 0.01) for n^2 steps */
  assert_true(near(tacit_published_moments_noise(1, 5000, 25e6, 1, 0.01), 6.07, 1e-3));
  assert_true(
      near(tacit_published_advanced_noise(1, 1000, 1e6, 1, 0.01), sqrt(64 * log(2.5e8) * log(200)), 1e-12));
}

/* Where the integrand's peak nears the end of a long double's range; the truth by integration in 60 digits.
 */
static void fixed_size_far_out(void **state) {
  (void)state;
  static const struct {
    double sigma, rate, order, truth;
  } CASES[] = {{0.05, 1e-3, 3.75, 2990.58033},
               {1, 0.05, 74.5, 145.963509},
               {3.45, 0.01, 256, 38.3929434},
               {0.2, 0.01, 14.9, 740.063523}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    tacit_sampled of = {CASES[i].sigma, CASES[i].rate, 1, TACIT_SAMPLING_FIXED, TACIT_REPLACE_ONE};
    double rdp;
    assert_int_equal(tacit_sampled_rdp_at(&of, CASES[i].order, &rdp, NULL), TACIT_OK);
    assert_true(rdp >= CASES[i].truth * (1 - 1e-8));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_size_far_out),
      cmocka_unit_test(known_divergences),
      cmocka_unit_test(whole_orders_agree_with_the_binomial_sum),
      cmocka_unit_test(without_sampling_it_is_the_gaussian_divergence),
      cmocka_unit_test(curves_are_ordered),
      cmocka_unit_test(conversion_to_epsilon),
      cmocka_unit_test(zero_concentrated_and_advanced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
