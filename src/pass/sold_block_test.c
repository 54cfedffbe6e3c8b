/* Chances of demand beyond what was sold, against integrals over the normal law that is cut there. */
#include "pass/sold_block.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* P(a < Z < b given Z > c) by the trapezoidal rule, Z normal. */
static double chance(double a, double b, double c) {
  enum { STEPS = 200000 };
  double whole = 0, part = 0, low = c > -9 ? c : -9, step = (12 - low) / STEPS;
  for (int k = 0; k <= STEPS; k++) {
    double z = low + k * step, density = exp(-z * z / 2) * (k == 0 || k == STEPS ? 0.5 : 1);
    whole += density;
    if (z > a && z < b) part += density;
  }
  return part / whole;
}

static void chances_are_integrals(void **state) {
  (void)state;
  const double taus[] = {0.2, 0.5, 0.9}, zs[] = {-0.841621, 0, 1.281552},
               gaps[] = {-3, -0.7, -0.2, 0.1, 0.8, 2.5};
  for (int t = 0; t < 3; t++) {
    const tacit_sold_rule rule = tacit_sold_rule_of(taus[t], 0.6);
    for (int g = 0; g < 6; g++) {
      double c = zs[t] - gaps[g]; /* what was sold */
      assert_true(fabs(tacit_sold_below(&rule, (float)gaps[g]) - chance(-20, zs[t], c)) < 2e-4);
      assert_true(fabs(tacit_sold_within(&rule, (float)gaps[g]) - chance(zs[t] - 0.6, zs[t] + 0.6, c)) <
                  2e-4);
      assert_true(fabs(tacit_sold_near((float)gaps[g]) - chance(-0.67449, 0.67449, -gaps[g])) < 2e-4);
    }
  }
}

/* Whatever a gap is, a chance stays one. */
static void chances_stay_within_bounds(void **state) {
  (void)state;
  const float gaps[] = {-INFINITY, -1e30f, -5, 5, 1e30f, INFINITY, NAN};
  const double taus[] = {1e-9, 0.5, 1 - 1e-9}, spans[] = {0, 1, 1e300};
  for (int t = 0; t < 3; t++)
    for (int s = 0; s < 3; s++)
      for (int g = 0; g < 7; g++) {
        const tacit_sold_rule rule = tacit_sold_rule_of(taus[t], spans[s]);
        float below = tacit_sold_below(&rule, gaps[g]), within = tacit_sold_within(&rule, gaps[g]),
              near = tacit_sold_near(gaps[g]);
        assert_true(below >= 0 && below <= 1 && within >= 0 && within <= 1 && near >= 0 && near <= 1);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(chances_are_integrals),
                                     cmocka_unit_test(chances_stay_within_bounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
