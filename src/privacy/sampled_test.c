/* The accountant of sampled Gaussians: known answers, direct numerical integration for few steps, refusals.
 */
#include "privacy/sampled.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tacit_sampled poisson(double sigma, double rate, uint64_t steps, tacit_adjacency adjacency) {
  return (tacit_sampled){sigma, rate, steps, TACIT_SAMPLING_POISSON, adjacency};
}
static tacit_sampled fixed(double sigma, double rate, uint64_t steps) {
  return (tacit_sampled){sigma, rate, steps, TACIT_SAMPLING_FIXED, TACIT_REPLACE_ONE};
}
static tacit_interval delta_of(tacit_sampled of, double epsilon) {
  tacit_interval x = {NAN, NAN};
  assert_int_equal(tacit_sampled_delta(&of, epsilon, &x, NULL), TACIT_OK);
  assert_true(x.lower <= x.upper);
  return x;
}
static tacit_interval epsilon_of(tacit_sampled of, double delta) {
  tacit_interval x = {NAN, NAN};
  assert_int_equal(tacit_sampled_epsilon(&of, delta, &x, NULL), TACIT_OK);
  assert_true(x.lower <= x.upper);
  return x;
}
/* The interval meets [known - slack, known + slack], slack for the digits that are given. */
static bool meets(tacit_interval x, double known, double slack) {
  return x.lower <= known + slack && x.upper >= known - slack;
}

static void one_step_known_answers(void **state) {
  (void)state;
  const tacit_adjacency add = TACIT_ADD_REMOVE, replace = TACIT_REPLACE_ONE;
  assert_true(meets(delta_of(poisson(1, 0.2, 1, add), 1), 0.00229682, 5e-9));
  assert_true(meets(delta_of(poisson(1, 1, 1, replace), 1), 0.50986166, 5e-9));
  assert_true(meets(delta_of(poisson(1, 0.2, 1, replace), 1), 0.004734828, 5e-10));
  assert_true(meets(delta_of(fixed(1, 0.2, 1), 1), 0.0578404, 5e-8));
  assert_true(meets(delta_of(poisson(0.5, 0.2, 3, add), 1), 0.15594, 0.001));
}

/* What dp-accounting on fine grids and prv_accountant agree on, to half a unit of the last digit given: the
   interval holds it, is narrow, and has it near its middle. */
static void many_steps_known_answers(void **state) {
  (void)state;
  const struct {
    double sigma, rate, delta, epsilon, digit;
    uint64_t steps;
  } known[] = {{0.8, 0.001, 1e-6, 0.260337, 1e-6, 100},
               {1.5, 0.05, 1e-6, 6.19969, 1e-5, 1000},
               {2, 0.2, 1e-6, 5.66179, 1e-5, 100},
               {3, 0.001, 1e-6, 0.29966, 1e-5, 50000},
               {1.5, 0.04, 1e-5, 6.76878, 1e-5, 2250}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    tacit_interval x =
        epsilon_of(poisson(known[i].sigma, known[i].rate, known[i].steps, TACIT_ADD_REMOVE), known[i].delta);
    assert_true(meets(x, known[i].epsilon, known[i].digit / 2));
    assert_true(x.upper / x.lower < 1.0005);
    assert_true(fabs((x.lower + x.upper) / 2 / known[i].epsilon - 1) < 1e-4);
  }
  /* two of them with more digits, from a program with an allowed error of 2e-3 */
  assert_true(meets(epsilon_of(poisson(1.5, 0.04, 2250, TACIT_ADD_REMOVE), 1e-5), 6.768780436, 1e-5));
  assert_true(meets(epsilon_of(poisson(3, 0.001, 50000, TACIT_ADD_REMOVE), 1e-6), 0.29965805, 1e-5));
}

static void noise_known_answers(void **state) {
  (void)state;
  tacit_interval sigma;
  tacit_sampled once = poisson(0, 0.01, 1, TACIT_ADD_REMOVE), often = poisson(0, 0.001, 25, TACIT_ADD_REMOVE);
  assert_int_equal(tacit_sampled_sigma_bounds(&once, 1, 1e-5, &sigma, NULL), TACIT_OK);
  assert_true(meets(sigma, 0.67379294682, 1e-7) && meets(sigma, 0.67379289246030105, 1e-12)); /* exact */
  once.sigma = sigma.upper;
  assert_true(delta_of(once, 1).upper <= 1e-5);
  if (getenv("TACIT_QUICK")) return;
  assert_int_equal(tacit_sampled_sigma_bounds(&often, 1, 1e-5, &sigma, NULL), TACIT_OK);
  assert_true(meets(sigma, 3.20956502598 / 6, 1e-6) && sigma.upper / sigma.lower < 1.001);
}

/* Without sampling the steps are one Gaussian release. */
static void without_sampling_it_is_the_gaussian_mechanism(void **state) {
  (void)state;
  const uint64_t steps[] = {1, 7, 300, 5000, 1000000};
  for (size_t i = 0; i < 5; i++)
    for (int replace = 0; replace < 3; replace++) {
      double sigma = 1.3 * sqrt((double)steps[i]), mu = (replace ? 2 : 1) / 1.3, exact;
      tacit_sampled of = replace == 2
                             ? fixed(sigma, 1, steps[i])
                             : poisson(sigma, 1, steps[i], replace ? TACIT_REPLACE_ONE : TACIT_ADD_REMOVE);
      for (double epsilon = 0; epsilon < 9; epsilon += 2.5) {
        assert_int_equal(tacit_gdp_delta(mu, epsilon, &exact, NULL), TACIT_OK);
        tacit_interval x = delta_of(of, epsilon);
        assert_true(x.lower <= exact && exact <= x.upper * (1 + 1e-15) && x.upper <= x.lower * 1.005);
      }
    }
}

/* Little noise: losses of a hundred at rate 1, losses of ten million spreads at a tiny rate. The interval
   must still say something. */
static void little_noise_is_enclosed_closely(void **state) {
  (void)state;
  for (int replace = 0; replace < 2; replace++)
    for (double epsilon = 10; epsilon < 70; epsilon += 25) {
      double exact;
      assert_int_equal(tacit_gdp_delta((replace ? 2 : 1) / 0.2, epsilon, &exact, NULL), TACIT_OK);
      tacit_interval x =
          delta_of(poisson(0.2, 1, 1, replace ? TACIT_REPLACE_ONE : TACIT_ADD_REMOVE), epsilon);
      assert_true(x.lower <= exact && exact <= x.upper * (1 + 1e-15) && x.upper <= x.lower * 1.005);
    }
  tacit_interval x = delta_of(poisson(0.2, 0.9999999999999999, 1, TACIT_REPLACE_ONE), 60);
  assert_true(meets(x, 0.0102770556689, 1e-13) && x.upper <= x.lower * 1.005);
  x = delta_of(poisson(0.25, 0x1p-22, 1, TACIT_ADD_REMOVE), 0.25);
  assert_true(meets(x, 1.05348993040155e-8, 1e-20) && x.upper <= x.lower * 2);
}

/* A straightforward evaluation in doubles that shares nothing with the code under test: nodes of the loss
   under P, and the closed form of one step's curve. */
enum { NODES = 2001, FEWER = 301 };
typedef struct brute {
  int kind; /* 0 remove, 1 add, 2 replace, 3 fixed size */
  double q, s;
  double loss[2 * NODES + 1], weight[2 * NODES + 1];
  size_t count;
} brute;

static double tail(double y) {
  return erfc(y * sqrt(0.5)) / 2;
}
static double density(double y) {
  return exp(-y * y / 2) / sqrt(2 * acos(-1));
}
static double mixture(const brute *b, double y) {
  return 1 - b->q + b->q * exp(b->s * y - b->s * b->s / 2);
}

static double gaussian_curve(double s, double a) {
  return tail(log(a) / s - s / 2) - a * tail(log(a) / s + s / 2);
}
static double remove_curve(const brute *b, double a) {
  if (a <= 1 - b->q) return 1 - a;
  double y = log((a - 1 + b->q) / b->q) / b->s + b->s / 2;
  return (1 - b->q - a) * tail(y) + b->q * tail(y - b->s);
}
static double curve(const brute *b, double epsilon) {
  double a = exp(epsilon);
  if (b->kind == 0) return remove_curve(b, a);
  if (b->kind == 1) return 1 - a + a * remove_curve(b, 1 / a);
  if (b->kind == 3) {
    if (a >= 1) return b->q * gaussian_curve(b->s, 1 + (a - 1) / b->q);
    return 1 - a + a * b->q * gaussian_curve(b->s, 1 + (1 / a - 1) / b->q);
  }
  double low = -60, high = 60; /* where mixture(y)/mixture(-y) = a */
  for (int i = 0; i < 60; i++) {
    double y = (low + high) / 2;
    if (log(mixture(b, y)) - log(mixture(b, -y)) < epsilon)
      low = y;
    else
      high = y;
  }
  return (1 - b->q) * (1 - a) * tail(low) + b->q * (tail(low - b->s) - a * tail(low + b->s));
}

static void add_node(brute *b, double loss, double weight) {
  b->loss[b->count] = loss;
  b->weight[b->count++] = weight;
}

static void set_nodes(brute *b, int nodes) {
  b->count = 0;
  double low = b->kind == 3 ? b->s / 2 : -9, high = 9 + b->s, step = (high - low) / nodes;
  for (int i = 0; i < nodes; i++) {
    double y = low + (i + 0.5) * step, l = log(mixture(b, y));
    double mixed = ((1 - b->q) * density(y) + b->q * density(y - b->s)) * step;
    if (b->kind == 2) add_node(b, l - log(mixture(b, -y)), mixed);
    if (b->kind == 0 || b->kind == 3) add_node(b, l, mixed);
    if (b->kind == 1 || b->kind == 3) add_node(b, -l, density(y) * step);
  }
  if (b->kind == 3) add_node(b, 0, (1 - b->q) * (1 - 2 * tail(b->s / 2)));
}

/* delta of one or two steps: the P-expectation over the first of the last one's curve. */
static double brute_delta(const brute *b, int steps, double epsilon) {
  if (steps == 1) return curve(b, epsilon);
  double sum = 0;
  for (size_t i = 0; i < b->count; i++) sum += b->weight[i] * brute_delta(b, steps - 1, epsilon - b->loss[i]);
  return sum;
}

static double direct(int kind, double q, double s, int steps, double epsilon) {
  static brute b;
  b.kind = kind, b.q = q, b.s = s;
  set_nodes(&b, steps < 3 ? NODES : FEWER);
  if (steps < 3) return brute_delta(&b, steps, epsilon);
  double sum = 0;
  for (size_t i = 0; i < b.count; i++) {
    double inner = 0;
    for (size_t j = 0; j < b.count; j++)
      if (b.weight[i] * b.weight[j] > 1e-20)
        inner += b.weight[j] * curve(&b, epsilon - b.loss[i] - b.loss[j]);
    sum += b.weight[i] * inner;
  }
  return sum;
}

static void few_steps_agree_with_direct_integration(void **state) {
  (void)state;
  const double rates[] = {0.5, 0.05}, sigmas[] = {0.7, 2};
  int most = getenv("TACIT_QUICK") ? 2 : 3;
  for (int kind = 1; kind < 4; kind++)
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        for (int steps = 1; steps <= (kind == 2 && most == 3 && i + j != 1 ? 2 : most); steps++)
          for (double epsilon = 0.1; epsilon < 2.5; epsilon += 1.15) {
            double q = rates[i], s = (kind == 3 ? 2 : 1) / sigmas[j],
                   exact = direct(kind, q, s, steps, epsilon);
            if (kind == 1) exact = fmax(exact, direct(0, q, s, steps, epsilon)); /* the worst direction */
            tacit_sampled of = kind == 3 ? fixed(sigmas[j], q, (uint64_t)steps)
                                         : poisson(sigmas[j], q, (uint64_t)steps,
                                                   kind == 2 ? TACIT_REPLACE_ONE : TACIT_ADD_REMOVE);
            tacit_interval x = delta_of(of, epsilon);
            /* how good direct integration with so many nodes is: halving them moves it by less */
            double slack = (steps < 3 ? 1e-5 : 3e-4) * exact + 1e-14;
            assert_true(x.lower <= exact + slack && exact <= x.upper + slack);
            assert_true(exact < 1e-10 || x.upper <= 1.004 * x.lower);
          }
}

/* Add-remove, "add" direction alone (0.02313621041 at rate 0.8) is below "remove"; fixed size is not Poisson.
 */
static void directions_and_samplings_are_not_mixed_up(void **state) {
  (void)state;
  assert_true(fabs(direct(1, 0.8, 1, 1, 1) - 0.02313621041) < 1e-11);
  tacit_interval both = delta_of(poisson(1, 0.8, 1, TACIT_ADD_REMOVE), 1);
  assert_true(both.lower > 0.081 && both.upper < 0.082);
  double ratio =
      delta_of(fixed(1, 0.2, 1), 1).lower / delta_of(poisson(1, 0.2, 1, TACIT_REPLACE_ONE), 1).upper;
  assert_true(ratio > 10 && ratio < 14);
}

/* A composition that dropped the mechanism's count would not see the steps. */
static void steps_are_counted(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; kind++) {
    double before = 0;
    for (uint64_t steps = 1; steps < 40000000; steps = steps * 6 + 1) { /* across all levels and remainders */
      tacit_sampled of = kind == 2 ? fixed(5, 1e-4, steps)
                                   : poisson(5, 1e-4, steps, kind ? TACIT_REPLACE_ONE : TACIT_ADD_REMOVE);
      tacit_interval x = delta_of(of, 0);
      /* at epsilon 0 and small losses delta grows as the root of the steps once they are many */
      if (before > 0) assert_true(x.lower > before * 1.9 && x.upper < before * 7.5);
      assert_true(x.upper <= x.lower * 1.005);
      before = x.upper;
    }
  }
  /* one step more or less at the borders between levels is one step more or less */
  const uint64_t borders[] = {255, 256, 257, 2047, 2048, 2049, 65535, 65536, 65537, 524288, 524289};
  double before = 0;
  for (size_t i = 0; i < sizeof borders / sizeof *borders; i++) {
    double one = epsilon_of(poisson(4, 0.01, borders[i], TACIT_REPLACE_ONE), 1e-5).upper;
    assert_true(one > before * 0.998);
    before = one;
  }
}

static void curves_are_monotone(void **state) {
  (void)state;
  double before = 2;
  for (double epsilon = 0; epsilon < 3; epsilon += 0.5) {
    tacit_interval x = delta_of(fixed(6.07, 1.0 / 5000, 25000000), epsilon);
    assert_true(x.upper < before && x.upper <= x.lower * 1.005);
    before = x.lower;
  }
  double less = 0;
  for (double rate = 1e-3; rate < 1; rate *= 3) {
    tacit_interval x = delta_of(poisson(3, rate, 1000, TACIT_ADD_REMOVE), 0.1);
    assert_true(x.lower > less);
    less = x.upper;
  }
}

/* Both ways through the curve meet; delta far below what doubles could hold as a difference of masses. */
static void epsilon_and_delta_are_inverse_down_to_1e_40(void **state) {
  (void)state;
  const double deltas[] = {0.3, 1e-8, 1e-40};
  for (size_t i = 0; i < 3; i++) {
    tacit_sampled of = poisson(2, 0.01, 3000, TACIT_ADD_REMOVE);
    tacit_interval epsilon = epsilon_of(of, deltas[i]);
    assert_true(epsilon.upper <= epsilon.lower * 1.003 + 1e-12);
    if (epsilon.upper == 0) continue;
    assert_true(delta_of(of, epsilon.upper).lower <= deltas[i]);
    assert_true(delta_of(of, epsilon.lower).upper >= deltas[i]);
  }
}

static void arguments_out_of_range_are_refused(void **state) {
  (void)state;
  tacit_error error;
  tacit_interval x;
  double sigma, rdp[TACIT_RDP_ORDERS];
  const tacit_sampled good = poisson(1, 0.1, 10, TACIT_ADD_REMOVE);
  const double bad_sigma[] = {0, -1, NAN, INFINITY, 1e-3}, bad_rate[] = {0, -0.1, 1.0000001, NAN, 5};
  for (size_t i = 0; i < 5; i++) {
    tacit_sampled of = good;
    of.sigma = bad_sigma[i];
    assert_int_equal(tacit_sampled_delta(&of, 1, &x, &error), TACIT_USAGE);
    assert_int_equal(tacit_sampled_epsilon(&of, 1e-5, &x, &error), TACIT_USAGE);
    assert_int_equal(tacit_sampled_rdp(&of, rdp, &error), TACIT_USAGE);
    of = good;
    of.rate = bad_rate[i];
    assert_int_equal(tacit_sampled_delta(&of, 1, &x, &error), TACIT_USAGE);
    assert_int_equal(tacit_sampled_sigma(&of, 1, 1e-5, &sigma, &error), TACIT_USAGE);
  }
  tacit_sampled of = good;
  of.steps = 0;
  assert_int_equal(tacit_sampled_delta(&of, 1, &x, &error), TACIT_USAGE);
  of = good;
  of.sampling = TACIT_SAMPLING_FIXED;
  assert_int_equal(tacit_sampled_delta(&of, 1, &x, &error), TACIT_USAGE);
  assert_non_null(strstr(error.text, "fixed size"));
  assert_int_equal(tacit_sampled_sigma(&of, 1, 1e-5, &sigma, &error), TACIT_USAGE);
  const double bad_delta[] = {0, 1, -1, NAN};
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(tacit_sampled_epsilon(&good, bad_delta[i], &x, &error), TACIT_USAGE);
    assert_int_equal(tacit_sampled_sigma(&good, 1, bad_delta[i], &sigma, &error), TACIT_USAGE);
  }
  assert_int_equal(tacit_sampled_delta(&good, -1, &x, &error), TACIT_USAGE);
  assert_int_equal(tacit_sampled_delta(&good, NAN, &x, &error), TACIT_USAGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_step_known_answers),
      cmocka_unit_test(many_steps_known_answers),
      cmocka_unit_test(noise_known_answers),
      cmocka_unit_test(without_sampling_it_is_the_gaussian_mechanism),
      cmocka_unit_test(little_noise_is_enclosed_closely),
      cmocka_unit_test(few_steps_agree_with_direct_integration),
      cmocka_unit_test(directions_and_samplings_are_not_mixed_up),
      cmocka_unit_test(steps_are_counted),
      cmocka_unit_test(curves_are_monotone),
      cmocka_unit_test(epsilon_and_delta_are_inverse_down_to_1e_40),
      cmocka_unit_test(arguments_out_of_range_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
