/* How much of epsilon several objectives may have each, against quadrature over the first one's noise; and
   runs of samples, which are one run. */
#include "method/objective_recipe.h"
#include "privacy/objective.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* delta at epsilon of two objectives with (share, delta/2) each; the minimisers' part is left out: it is
   below a thousandth. */
static double two_objectives(double share, double epsilon, double delta) {
  const tacit_objective one = {0.5, share / 2, 1, 0, TACIT_REPLACE_ONE};
  double sigma, c = log1p(share / 2), sum = 0, step = 1e-3;
  /* of both shares a thousandth pays for the minimiser */
  assert_int_equal(tacit_objective_sigma(&one, share * 0.999, delta / 2 * 0.999, &sigma, NULL), TACIT_OK);
  double m = 1 / sigma;
  for (double z = step / 2; z < 12; z += step)
    sum += step * 2 * exp(-z * z / 2) / sqrt(2 * acos(-1)) *
           tacit_half_normal_delta(m, epsilon - 2 * c - m * z - m * m / 2);
  return sum;
}

static void two_take_what_quadrature_allows(void **state) {
  (void)state;
  const double cases[][2] = {{2, 1e-5}, {1, 1e-3}, {0.5, 1e-8}};
  for (size_t i = 0; i < 3; i++) {
    double epsilon = cases[i][0], delta = cases[i][1], share, step = epsilon / 2 / 64;
    assert_int_equal(tacit_objective_share(epsilon, delta, 2, TACIT_REPLACE_ONE, &share, NULL), TACIT_OK);
    assert_true(share > epsilon / 2 && share < epsilon);
    double now = two_objectives(share, epsilon, delta), more = two_objectives(share + step, epsilon, delta);
    if (!(now <= delta && more > delta))
      fail_msg("epsilon %g: %g has %g, a little more %g of %g", epsilon, share, now, more, delta);
  }
}

/* Shares fall more slowly than 1/S, and never below an equal one. */
static void many_take_more_than_equal_shares(void **state) {
  (void)state;
  double four, sixteen;
  assert_int_equal(tacit_objective_share(2, 1e-5, 4, TACIT_ADD_REMOVE, &four, NULL), TACIT_OK);
  assert_int_equal(tacit_objective_share(2, 1e-5, 16, TACIT_ADD_REMOVE, &sixteen, NULL), TACIT_OK);
  assert_true(four > 1.2 * 2 / 4 && sixteen > four / 4 && sixteen >= 2.0 / 16);
}

static tacit_mechanism run(size_t target, double sigma, uint64_t count) {
  return (tacit_mechanism){.kind = TACIT_RELEASE_SAMPLED,
                           .target = target,
                           .sensitivity = 2,
                           .sigma = sigma,
                           .count = count,
                           .sample = TACIT_SAMPLE_FIXED,
                           .rate = 0.01};
}

static double delta_of(const tacit_mechanism *list, size_t count) {
  tacit_certificate *c;
  assert_int_equal(tacit_certificate_new("sgd", &c, NULL), TACIT_OK);
  c->adjacency = TACIT_REPLACE_ONE;
  for (size_t i = 0; i < count; i++) assert_int_equal(tacit_certificate_add(c, &list[i], NULL), TACIT_OK);
  double delta = tacit_certificate_delta(c, 1);
  tacit_certificate_free(c);
  return delta;
}

static void runs_are_one_run(void **state) {
  (void)state;
  const tacit_mechanism both[] = {run(0, 2, 300), run(1, 2, 300)},
                        noisier[] = {run(0, 2, 300), run(1, 3, 300)};
  const tacit_sampled one = {nextafter(2, 0), 0.01, 600, TACIT_SAMPLING_FIXED, TACIT_REPLACE_ONE};
  tacit_interval delta;
  assert_int_equal(tacit_sampled_delta(&one, 1, &delta, NULL), TACIT_OK);
  double together = delta_of(both, 2);
  assert_true(together >= delta.lower && together <= delta.upper * 1.01);
  assert_true(delta_of(noisier, 2) >= together * (1 - 1e-9)); /* the least noise counts for all */
  tacit_mechanism other[] = {run(0, 2, 300), run(1, 2, 300)};
  other[1].rate = 0.02; /* not alike: equal shares */
  assert_true(delta_of(other, 2) > together);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_take_what_quadrature_allows),
      cmocka_unit_test(many_take_more_than_equal_shares),
      cmocka_unit_test(runs_are_one_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
