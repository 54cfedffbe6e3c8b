/* Unlike releases together, against sums and integrals that know nothing of grids and transforms. */
#include "privacy/bundle.h"
#include "privacy/gdp.h"
#include "privacy/objective.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static tacit_bundled gaussian(double mu) {
  tacit_bundled p;
  tacit_bundled_init(&p, TACIT_BUNDLED_GAUSSIAN);
  p.mu = mu;
  return p;
}

static tacit_bundled pair(double epsilon, double delta, uint64_t times) {
  tacit_bundled p;
  tacit_bundled_init(&p, TACIT_BUNDLED_PAIR);
  p.epsilon = epsilon;
  p.delta = delta;
  p.times = times;
  return p;
}

static tacit_bundled sampled(double sigma, double rate, uint64_t times) {
  tacit_bundled p;
  tacit_bundled_init(&p, TACIT_BUNDLED_SAMPLED);
  p.sigma = sigma;
  p.rate = rate;
  p.times = times;
  return p;
}

static double gdp(double mu, double epsilon) {
  tacit_interval d;
  tacit_gdp_enclose(mu, epsilon, &d);
  return d.upper;
}

/* The same without enclosing it, for quadrature; epsilon of any sign. */
static double plain_gdp(double mu, double epsilon) {
  double z = (epsilon / mu - mu / 2) / sqrt(2);
  return (erfc(z) - exp(epsilon) * erfc(z + mu / sqrt(2))) / 2;
}

/* The bundle's interval holds the truth, and is narrow. */
static void holds(const tacit_bundled *releases, size_t count, tacit_adjacency adjacency, double epsilon,
                  double truth) {
  const tacit_bundle bundle = {releases, count, adjacency};
  tacit_interval delta, back;
  tacit_error error;
  assert_int_equal(tacit_bundle_delta(&bundle, epsilon, &delta, &error), TACIT_OK);
  if (!(delta.lower <= truth * (1 + 1e-9) && delta.upper >= truth * (1 - 1e-9) &&
        delta.upper <= 1.02 * truth))
    fail_msg("epsilon %g: [%.10g, %.10g] for %.10g", epsilon, delta.lower, delta.upper, truth);
  assert_int_equal(tacit_bundle_epsilon(&bundle, truth, &back, &error), TACIT_OK);
  if (!(back.lower <= epsilon * (1 + 1e-9) && back.upper >= epsilon * (1 - 1e-9) &&
        back.upper <= epsilon * 1.01 + 1e-3))
    fail_msg("delta %g: [%.10g, %.10g] for %.10g", truth, back.lower, back.upper, epsilon);
}

static double choose(int n, int k) {
  return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1));
}

/* Five pairs of one kind and three of another: all ways in which the bits can come out. */
static void pairs_by_counting(void **state) {
  (void)state;
  const double e1 = 0.3, e2 = 0.75, d1 = 1e-3, t1 = 1 / (1 + exp(-e1)), t2 = 1 / (1 + exp(-e2));
  const tacit_bundled list[] = {pair(e1, d1, 5), pair(e2, 0, 3)};
  for (double epsilon = 0; epsilon < 3; epsilon += 0.6) {
    double finite = pow(1 - d1, 5), sum = 1 - finite;
    for (int a = 0; a <= 5; a++)
      for (int b = 0; b <= 3; b++) {
        double loss = (2 * a - 5) * e1 + (2 * b - 3) * e2;
        double p =
            choose(5, a) * pow(t1, a) * pow(1 - t1, 5 - a) * choose(3, b) * pow(t2, b) * pow(1 - t2, 3 - b);
        if (loss > epsilon) sum += finite * p * -expm1(epsilon - loss);
      }
    holds(list, 2, TACIT_REPLACE_ONE, epsilon, sum);
  }
}

/* A pair's two losses move the Gaussian's curve. */
static void gaussian_with_pair(void **state) {
  (void)state;
  const double mu = 0.8, e = 0.5, d = 1e-4, t = 1 / (1 + exp(-e));
  const tacit_bundled list[] = {gaussian(0.48), pair(e, d, 1), gaussian(0.64)};
  for (double epsilon = 0.25; epsilon < 4; epsilon += 0.75)
    holds(list, 3, TACIT_REPLACE_ONE, epsilon,
          d + (1 - d) * (t * gdp(mu, epsilon - e) + (1 - t) * gdp(mu, epsilon + e)));
}

/* A Poisson step with a Gaussian release, both directions, by quadrature over the step. */
static void sampled_with_gaussian(void **state) {
  (void)state;
  const double mu = 0.6, q = 0.2, sigma = 0.9, step = 0.01;
  const tacit_bundled list[] = {sampled(sigma, q, 1), gaussian(mu)};
  for (double epsilon = 0.2; epsilon < 3; epsilon += 0.9) {
    double remove = 0, add = 0;
    for (double y = -12 * sigma; y < 12 * sigma + 1; y += step) {
      double n0 = exp(-y * y / (2 * sigma * sigma)) / (sigma * sqrt(2 * acos(-1)));
      double ratio = 1 - q + q * exp((2 * y - 1) / (2 * sigma * sigma)), loss = log(ratio);
      remove += step * n0 * ratio * plain_gdp(mu, epsilon - loss);
      add += step * n0 * plain_gdp(mu, epsilon + loss);
    }
    holds(list, 2, TACIT_ADD_REMOVE, epsilon, fmax(remove, add));
  }
}

/* Many steps alone are what the accountant of equal steps finds; more than 2048, so that levels are used. */
static void steps_alone(void **state) {
  (void)state;
  const tacit_bundled list[] = {sampled(1.1, 0.01, 3000), pair(0, 0, 1)};
  const tacit_bundle bundle = {list, 2, TACIT_REPLACE_ONE};
  const tacit_sampled same = {1.1, 0.01, 3000, TACIT_SAMPLING_POISSON, TACIT_REPLACE_ONE};
  tacit_interval a, b;
  tacit_error error;
  assert_int_equal(tacit_bundle_epsilon(&bundle, 1e-6, &a, &error), TACIT_OK);
  assert_int_equal(tacit_sampled_epsilon(&same, 1e-6, &b, &error), TACIT_OK);
  assert_true(a.lower <= b.upper && b.lower <= a.upper);
  assert_true(a.upper <= 1.01 * b.upper);
}

/* A release that is made with chance 0.3, twice: never, once or twice; and one of two with a third left over.
 */
static void mixtures(void **state) {
  (void)state;
  tacit_bundled twice = gaussian(0.9);
  twice.chance = 0.3;
  twice.times = 2;
  for (double epsilon = 0.1; epsilon < 3; epsilon += 0.7)
    holds(&twice, 1, TACIT_REPLACE_ONE, epsilon,
          0.09 * gdp(0.9 * sqrt(2), epsilon) + 0.42 * gdp(0.9, epsilon));
  tacit_bundled either[] = {gaussian(0.5), pair(1.25, 1e-5, 1)};
  either[0].chance = 0.25;
  either[1].chance = 0.5;
  either[1].alternative = true;
  double t = 1 / (1 + exp(-1.25));
  holds(either, 2, TACIT_REPLACE_ONE, 0.5,
        0.25 * gdp(0.5, 0.5) + 0.5 * (1e-5 + (1 - 1e-5) * t * -expm1(0.5 - 1.25)));
}

/* Objective perturbation: one by its closed form, two by quadrature over the first's noise. */
static void objectives(void **state) {
  (void)state;
  tacit_bundled one;
  tacit_error error;
  tacit_interval delta;
  const double m = 0.4, c = 0.2;
  tacit_bundled_init(&one, TACIT_BUNDLED_OBJECTIVE);
  one.reach = m;
  one.offset = c;
  for (int times = 1; times <= 2; times++)
    for (double epsilon = 0.3; epsilon < 3; epsilon += 0.6) {
      double truth = 0, step = 1e-3;
      if (times == 1) truth = tacit_half_normal_delta(m, epsilon - c);
      for (double z = step / 2; times == 2 && z < 12; z += step)
        truth += step * 2 * exp(-z * z / 2) / sqrt(2 * acos(-1)) *
                 tacit_half_normal_delta(m, epsilon - 2 * c - m * z - m * m / 2);
      one.times = (uint64_t)times;
      assert_int_equal(
          tacit_bundle_delta(&(tacit_bundle){&one, 1, TACIT_REPLACE_ONE}, epsilon, &delta, &error), TACIT_OK);
      if (!(delta.upper >= truth * (1 - 1e-6) && delta.upper < 1.01 * truth + 1e-12))
        fail_msg("%d at %g: %.10g for %.10g", times, epsilon, delta.upper, truth);
    }
}

/* The most powerful test of two responses takes the outcomes in the order of their likelihood ratios. */
static void power_by_hand(void **state) {
  (void)state;
  const double e = 0.8, t = 1 / (1 + exp(-e));
  const double p[] = {t * t, 2 * t * (1 - t), (1 - t) * (1 - t)}, q[] = {p[2], p[1], p[0]};
  const tacit_bundled list[] = {pair(e, 0, 1), pair(e, 0, 1)};
  const tacit_bundle bundle = {list, 2, TACIT_REPLACE_ONE};
  double level[] = {0.01, 0.05, 0.2, 0.5, 0.9}, power[5];
  tacit_error error;
  assert_int_equal(tacit_bundle_power(&bundle, 5, level, power, &error), TACIT_OK);
  for (int i = 0; i < 5; i++) {
    double left = level[i], best = 0;
    for (int k = 0; k < 3 && left > 0; k++) {
      double share = fmin(left / q[k], 1);
      best += share * p[k];
      left -= share * q[k];
    }
    if (!(power[i] >= best * (1 - 1e-9) && power[i] < best * 1.001))
      fail_msg("level %g: %.10g for %.10g", level[i], power[i], best);
  }
}

/* G_mu by its definition, on a grid and in closed form; the corners of a pair's. */
static void power_of_gaussians(void **state) {
  (void)state;
  const tacit_bundled list[] = {gaussian(0.5), pair(0, 0, 1)};
  double level[] = {0.001, 0.05, 0.3, 0.8}, power[4], closed;
  /* Phi(Phi^-1(level) + 0.5), from tables of the normal distribution to four places */
  const double table[] = {0.0048, 0.1261, 0.4903, 0.9101};
  tacit_error error;
  assert_int_equal(tacit_bundle_power(&(tacit_bundle){list, 2, TACIT_REPLACE_ONE}, 4, level, power, &error),
                   TACIT_OK);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(tacit_gdp_power(0.5, level[i], &closed, &error), TACIT_OK);
    assert_true(fabs(closed - table[i]) < 1e-4);
    assert_true(power[i] >= closed * (1 - 1e-9) && power[i] < closed * 1.002);
  }
  assert_int_equal(tacit_pair_power(1, 0.01, 0.05, &closed, &error), TACIT_OK);
  assert_true(fabs(closed - (0.05 * exp(1) + 0.01)) < 1e-9);
  assert_int_equal(tacit_pair_power(1, 0.01, 0.9, &closed, &error), TACIT_OK);
  assert_true(fabs(closed - (1 - 0.09 * exp(-1))) < 1e-9);
}

static void closed_forms(void **state) {
  (void)state;
  const tacit_bundled list[] = {pair(0.1, 0, 50), pair(0.2, 1e-7, 10)};
  const tacit_bundle bundle = {list, 2, TACIT_REPLACE_ONE};
  tacit_pair_bounds b;
  tacit_interval exact;
  tacit_error error;
  assert_int_equal(tacit_bundle_closed_forms(&bundle, 1e-5, &b, &error), TACIT_OK);
  double slack = 1e-5 - 1e-6, squares = 0.9, root = sqrt(squares * -log(slack));
  assert_true(fabs(b.sum - 7) < 1e-9);
  assert_true(fabs(b.advanced - (sqrt(2) * root + 5 * expm1(0.1) + 2 * expm1(0.2))) < 1e-9);
  assert_true(fabs(b.wang_qin - (1.35 + sqrt(6) * root)) < 1e-9);
  assert_int_equal(tacit_bundle_epsilon(&bundle, 1e-5, &exact, &error), TACIT_OK);
  assert_true(exact.upper < b.advanced && exact.upper < b.wang_qin);
  assert_int_equal(tacit_bundle_closed_forms(&bundle, 1e-7, &b, &error), TACIT_OK);
  assert_true(isinf(b.sum));
  assert_int_equal(tacit_bundle_epsilon(&bundle, 1e-7, &exact, &error), TACIT_OK);
  assert_true(isinf(exact.upper) && isinf(exact.lower));
}

static void refusals(void **state) {
  (void)state;
  tacit_error error;
  tacit_interval delta;
  tacit_bundled bad[] = {gaussian(-1), pair(1, 1, 1), pair(-1, 0, 1), sampled(1, 2, 1), pair(1, 0, 0)};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(tacit_bundle_delta(&(tacit_bundle){&bad[i], 1, TACIT_REPLACE_ONE}, 1, &delta, &error),
                     TACIT_USAGE);
  tacit_bundled too_likely[] = {pair(1, 0, 1), gaussian(1)};
  too_likely[1].alternative = true;
  assert_int_equal(tacit_bundle_delta(&(tacit_bundle){too_likely, 2, TACIT_REPLACE_ONE}, 1, &delta, &error),
                   TACIT_USAGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_by_counting),
      cmocka_unit_test(gaussian_with_pair),
      cmocka_unit_test(sampled_with_gaussian),
      cmocka_unit_test(steps_alone),
      cmocka_unit_test(mixtures),
      cmocka_unit_test(objectives),
      cmocka_unit_test(power_by_hand),
      cmocka_unit_test(power_of_gaussians),
      cmocka_unit_test(closed_forms),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
