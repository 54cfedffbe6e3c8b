/* Known answers for the Gaussian mechanism, inversion both ways, and rounding to the safe side. */
#include "privacy/certificate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <mpfr.h>

static double delta_of(double mu, double epsilon) {
  double delta = NAN;
  assert_int_equal(tacit_gdp_delta(mu, epsilon, &delta, NULL), TACIT_OK);
  return delta;
}

static double epsilon_of(double mu, double delta) {
  double epsilon = NAN;
  assert_int_equal(tacit_gdp_epsilon(mu, delta, &epsilon, NULL), TACIT_OK);
  return epsilon;
}

static double mu_of(double epsilon, double delta) {
  double mu = NAN;
  assert_int_equal(tacit_gdp_mu(epsilon, delta, &mu, NULL), TACIT_OK);
  return mu;
}

/* The value printed to as many digits as the known answer must be the known answer. */
static void assert_prints(const char *known, double value) {
  char text[64];
  int digits = (int)(strcspn(known, "e") - (size_t)(strchr(known, '.') - known) - 1);
  if (strchr(known, 'e'))
    snprintf(text, sizeof text, "%.*e", digits, value);
  else
    snprintf(text, sizeof text, "%.*f", digits, value);
  assert_string_equal(text, known);
}

static void gaussian_known_answers(void **state) {
  (void)state;
  assert_prints("0.12693674", delta_of(1, 1));
  assert_prints("0.78760074", delta_of(3, 1));
  assert_prints("0.02092364", delta_of(1, 2));
  assert_prints("1.01624734e-05", delta_of(1 / 0.344, 16));
  assert_prints("14.000000", 1 / mu_of(1, 6.486452831e-47));
  assert_prints("3.42466240", 1 / mu_of(log(3), 1e-5));
}

static void composition_known_answers(void **state) {
  (void)state;
  double parts[100], total;
  for (int i = 0; i < 3; i++) parts[i] = 1 / sqrt(3);
  assert_int_equal(tacit_gdp_compose(3, parts, &total, NULL), TACIT_OK);
  assert_prints("0.12693674", delta_of(total, 1)); /* three times sqrt 3 is mu = 1 */
  for (int i = 0; i < 100; i++) parts[i] = i < 50 ? 0.1 : 0.2;
  assert_int_equal(tacit_gdp_compose(100, parts, &total, NULL), TACIT_OK);
  assert_prints("0.0164556729", delta_of(total, 4));
  for (int i = 0; i < 100; i++) parts[i] = 0.05;
  assert_int_equal(tacit_gdp_compose(100, parts, &total, NULL), TACIT_OK);
  assert_true(total >= 0.5 && total < 0.5 * (1 + 1e-14));
  assert_prints("1.9930914", epsilon_of(total, 1e-5));
}

/* Phi(-x1) - e^epsilon Phi(-x2) at a fixed 700 bits, an independent straight-line evaluation. */
static double delta_reference(double mu, double epsilon, mpfr_rnd_t rounding) {
  mpfr_t a, b, root;
  mpfr_inits2(700, a, b, root, (mpfr_ptr)0);
  mpfr_sqrt_ui(root, 2, MPFR_RNDN);
  mpfr_set_d(a, epsilon, MPFR_RNDN);
  mpfr_div_d(a, a, mu, MPFR_RNDN);
  mpfr_set(b, a, MPFR_RNDN);
  mpfr_sub_d(a, a, mu / 2, MPFR_RNDN);
  mpfr_add_d(b, b, mu / 2, MPFR_RNDN);
  mpfr_div(a, a, root, MPFR_RNDN);
  mpfr_div(b, b, root, MPFR_RNDN);
  mpfr_erfc(a, a, MPFR_RNDN);
  mpfr_erfc(b, b, MPFR_RNDN);
  mpfr_set_d(root, epsilon, MPFR_RNDN);
  mpfr_exp(root, root, MPFR_RNDN);
  mpfr_mul(b, b, root, MPFR_RNDN);
  mpfr_sub(a, a, b, MPFR_RNDN);
  mpfr_div_2ui(a, a, 1, MPFR_RNDN);
  double value = mpfr_get_d(a, rounding);
  mpfr_clears(a, b, root, (mpfr_ptr)0);
  return value;
}

static void delta_is_the_nearest_double_above_even_at_1e_300(void **state) {
  (void)state;
  const double mus[] = {1e-6, 1e-3, 0.05, 0.5, 1, 3, 10};
  double smallest = 1;
  for (size_t i = 0; i < sizeof mus / sizeof *mus; i++)
    for (double z = 0; z < 37.6; z += 0.91) { /* epsilon = z mu: delta from about 0.4 mu down to 1e-300 */
      double delta = delta_of(mus[i], z * mus[i]);
      double down = delta_reference(mus[i], z * mus[i], MPFR_RNDD),
             up = delta_reference(mus[i], z * mus[i], MPFR_RNDU);
      assert_true(delta >= down && delta <= nextafter(up, 1));
      if (delta < smallest) smallest = delta;
    }
  assert_true(smallest < 1e-300);
}

static void conversions_invert_each_other_on_the_safe_side(void **state) {
  (void)state;
  const double deltas[] = {0.3, 1e-2, 1e-5, 1e-30, 1e-300};
  for (size_t i = 0; i < sizeof deltas / sizeof *deltas; i++)
    for (double mu = 0.05; mu < 8; mu *= 2.3) {
      double epsilon = epsilon_of(mu, deltas[i]);
      assert_true(delta_of(mu, epsilon) <= deltas[i]);
      if (epsilon > 0) {
        assert_true(delta_of(mu, nextafter(epsilon, 0)) > deltas[i]); /* the smallest that holds */
        double back = mu_of(epsilon, deltas[i]);
        assert_true(back >= mu && fabs(back / mu - 1) < 1e-12);
        assert_true(delta_of(back, epsilon) <= deltas[i]);
      }
    }
}

static void calibration_rounds_noise_up(void **state) {
  (void)state;
  for (uint64_t steps = 1; steps < 5000; steps = steps * 3 + 1) {
    double sigma;
    assert_int_equal(tacit_gdp_sigma(0.3, 1.7, steps, &sigma, NULL), TACIT_OK);
    tacit_mechanism m = {.dimension = 1, .sensitivity = 1.7, .sigma = sigma, .count = steps};
    tacit_certificate c = {.mechanisms = &m, .mechanism_count = 1};
    double mu = tacit_certificate_mu(&c);
    assert_true(mu <= 0.3 * (1 + 1e-15) && mu > 0.3 * (1 - 1e-14));
  }
}

static void arguments_out_of_range_are_refused(void **state) {
  (void)state;
  double out;
  const double bad[] = {0, -1, NAN, INFINITY};
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(tacit_gdp_delta(bad[i], 1, &out, NULL), TACIT_USAGE);
    assert_int_equal(tacit_gdp_epsilon(1, bad[i], &out, NULL), TACIT_USAGE);
    assert_int_equal(tacit_gdp_sigma(1, bad[i], 1, &out, NULL), TACIT_USAGE);
  }
  assert_int_equal(tacit_gdp_delta(1, -1, &out, NULL), TACIT_USAGE);
  assert_int_equal(tacit_gdp_epsilon(1, 1, &out, NULL), TACIT_USAGE);
  assert_int_equal(tacit_gdp_sigma(1, 1, 0, &out, NULL), TACIT_USAGE);
}

static void a_mechanism_without_noise_has_no_guarantee(void **state) {
  (void)state;
  const double bad[] = {0, -1, NAN, INFINITY};
  for (size_t i = 0; i < 4; i++) {
    tacit_mechanism m = {.dimension = 1, .sensitivity = 1, .sigma = bad[i], .count = 1};
    tacit_certificate c = {.mechanisms = &m, .mechanism_count = 1};
    assert_true(isinf(tacit_certificate_mu(&c)));
  }
}

static double sensitivity_of(tacit_release_kind kind, double clip, int bits, tacit_adjacency adjacency,
                             size_t rows) {
  tacit_mechanism m = {.kind = kind, .dimension = 1, .level = 0.25, .clip = clip, .bits = bits, .count = 1};
  double sensitivity = NAN;
  assert_int_equal(tacit_mechanism_sensitivity(&m, adjacency, rows, &sensitivity, NULL), TACIT_OK);
  return ldexp(sensitivity, -bits);
}

/* Units multiply; sensitivities come from both bounds of the score and double under replace-one. */
static void sensitivities_of_each_release(void **state) {
  (void)state;
  const tacit_adjacency add = TACIT_ADD_REMOVE, replace = TACIT_REPLACE_ONE;
  assert_true(sensitivity_of(TACIT_RELEASE_SCORES, 2, 33, add, 1) == 1.5);
  assert_true(sensitivity_of(TACIT_RELEASE_SCORES, 2, 33, replace, 1) == 3);
  assert_true(sensitivity_of(TACIT_RELEASE_SCORES, 2, 33, replace, 3) == 9);
  assert_true(sensitivity_of(TACIT_RELEASE_ROWS, 1.5, 17, add, 2) == 3);
  assert_true(sensitivity_of(TACIT_RELEASE_ROWS, 1.5, 17, replace, 2) == 6);
  assert_true(sensitivity_of(TACIT_RELEASE_COUNT, 0, 16, add, 1) == 1);
  assert_true(sensitivity_of(TACIT_RELEASE_COUNT, 0, 16, replace, 5) == 5);
  assert_true(sensitivity_of(TACIT_RELEASE_MOMENT, 3, 24, add, 1) == 9);
  double moment = sensitivity_of(TACIT_RELEASE_MOMENT, 3, 24, replace, 1);
  assert_true(moment >= 9 * sqrt(2) && moment < 9 * sqrt(2) * (1 + 1e-6));
  /* tau on no grid: the bound is at least tau_bar B and close to it */
  tacit_score_bound bound;
  assert_int_equal(tacit_score_bound_set(&bound, 0.7, 1.1, 17, NULL), TACIT_OK);
  double radius = ldexp((double)bound.radius, -33);
  assert_true(bound.score >= 0.7 * 65536 && fabs(radius / 0.77 - 1) < 1e-4);
  assert_int_equal(tacit_score_bound_set(&bound, 0.5, 1e9, 17, NULL), TACIT_USAGE);
  assert_int_equal(tacit_score_bound_set(&bound, 0.5, NAN, 17, NULL), TACIT_USAGE);
  assert_int_equal(tacit_score_bound_set(&bound, 0, 1, 17, NULL), TACIT_USAGE);
  const double bad[] = {0, -1, NAN, INFINITY, 1e300};
  for (size_t i = 0; i < 5; i++)
    for (int kind = TACIT_RELEASE_SCORES; kind <= TACIT_RELEASE_MOMENT; kind++) {
      tacit_mechanism m = {.kind = (tacit_release_kind)kind, .level = 0.5, .clip = bad[i], .bits = 32};
      double out;
      assert_int_equal(tacit_mechanism_sensitivity(&m, add, 1, &out, NULL), TACIT_USAGE);
    }
}

/* Units that are clipped as a whole: their clip takes the place of their rows. */
static void sensitivities_of_whole_units(void **state) {
  (void)state;
  const tacit_adjacency add = TACIT_ADD_REMOVE, replace = TACIT_REPLACE_ONE;
  static const struct {
    tacit_release_kind kind;
    int bits;
    double clip, unit, add, replace;
  } cases[] = {
      {TACIT_RELEASE_SCORES, 33, 2, 2.5, 3.75, 7.5},    {TACIT_RELEASE_ROWS, 17, 1.5, 0.5, 0.75, 1.5},
      {TACIT_RELEASE_COUNT, 16, 0, 1.5, 1.5, 3},        {TACIT_RELEASE_COUNT, 16, 0, 6, 6, 10},
      {TACIT_RELEASE_MOMENT, 24, 3, 2, 18, 25.4558441}, {TACIT_RELEASE_UNITS, 16, 0, 0, 1, 1.41421356}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tacit_mechanism m = {.kind = cases[i].kind,
                         .dimension = 3,
                         .level = 0.25,
                         .clip = cases[i].clip,
                         .unit = cases[i].unit,
                         .bits = cases[i].bits};
    double one, two;
    assert_int_equal(tacit_mechanism_sensitivity(&m, add, 10, &one, NULL), TACIT_OK);
    assert_int_equal(tacit_mechanism_sensitivity(&m, replace, 10, &two, NULL), TACIT_OK);
    one = ldexp(one, -m.bits);
    two = ldexp(two, -m.bits);
    assert_true(one == cases[i].add);
    assert_true(two >= cases[i].replace * (1 - 1e-8) && two <= cases[i].replace * (1 + 1e-4));
  }
  const double bad[] = {-1, NAN, INFINITY, 10.5, 1e-9};
  for (size_t i = 0; i < 5; i++) {
    tacit_mechanism m = {.kind = TACIT_RELEASE_COUNT, .dimension = 1, .unit = bad[i], .bits = 16};
    double out;
    assert_int_equal(tacit_mechanism_sensitivity(&m, add, 10, &out, NULL), TACIT_USAGE);
    m = (tacit_mechanism){.kind = TACIT_RELEASE_OUTER, .dimension = 1, .clip = 1, .unit = 1, .bits = 16};
    assert_int_equal(tacit_mechanism_sensitivity(&m, add, 10, &out, NULL), TACIT_USAGE);
  }
}

static void equal_releases_are_counted_not_lost(void **state) {
  (void)state;
  tacit_certificate *c;
  assert_int_equal(tacit_certificate_new("test", &c, NULL), TACIT_OK);
  tacit_mechanism m = {.dimension = 1, .sensitivity = 1, .sigma = 10, .count = 1};
  for (int i = 0; i < 100; i++) assert_int_equal(tacit_certificate_add(c, &m, NULL), TACIT_OK);
  assert_int_equal(c->mechanism_count, 1);
  assert_int_equal(c->mechanisms[0].count, 100);
  assert_true(fabs(tacit_certificate_mu(c) - 1) < 1e-12);
  m.target = 1;
  assert_int_equal(tacit_certificate_add(c, &m, NULL), TACIT_OK);
  assert_int_equal(c->mechanism_count, 2);
  tacit_certificate_free(c);
}

static int free_caches(void **state) {
  (void)state;
  mpfr_free_cache();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaussian_known_answers),
      cmocka_unit_test(composition_known_answers),
      cmocka_unit_test(delta_is_the_nearest_double_above_even_at_1e_300),
      cmocka_unit_test(conversions_invert_each_other_on_the_safe_side),
      cmocka_unit_test(calibration_rounds_noise_up),
      cmocka_unit_test(arguments_out_of_range_are_refused),
      cmocka_unit_test(a_mechanism_without_noise_has_no_guarantee),
      cmocka_unit_test(sensitivities_of_each_release),
      cmocka_unit_test(sensitivities_of_whole_units),
      cmocka_unit_test(equal_releases_are_counted_not_lost),
  };
  return cmocka_run_group_tests(tests, NULL, free_caches);
}
