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
    const tacit_sold_rule rule = tacit_sold_rule_of(taus[t], 0.6, 0);
    for (int g = 0; g < 6; g++) {
      double c = zs[t] - gaps[g]; /* what was sold */
      assert_true(fabs(tacit_sold_below(&rule, (float)gaps[g]) - chance(-20, zs[t], c)) < 2e-4);
      assert_true(fabs(tacit_sold_within(&rule, (float)gaps[g]) - chance(zs[t] - 0.6, zs[t] + 0.6, c)) <
                  2e-4);
      assert_true(fabs(tacit_sold_near((float)gaps[g]) - chance(-0.67449, 0.67449, -gaps[g])) < 2e-4);
    }
  }
}

/* With a skew: demand is (e^(gZ) - 1) 0.6745 / w, of which w was computed apart (half of it lies within
   0.6745 of 0), so a distance from the rule is one of Z. */
static void skewed_chances_are_integrals(void **state) {
  (void)state;
  const struct { double g, w; } laws[] = {{0.4, 0.2644674}, {0.8, 0.4992459}, {-0.8, -0.4992459}};
  const double gaps[] = {-1.5, -0.3, 0.2, 0.9, 2}, z = 1.281552, span = 0.6;
  for (int k = 0; k < 3; k++) {
    const tacit_sold_rule rule = tacit_sold_rule_of(0.9, span, laws[k].g);
    double per = laws[k].w / 0.6745, order = expm1(laws[k].g * z) / per;
    for (int i = 0; i < 5; i++) {
      double z_at[3] = {order - gaps[i], order - span, order + span};
      for (int j = 0; j < 3; j++) {
        double inside = 1 + per * z_at[j]; /* a law ends where it is 0 */
        z_at[j] = inside > 0 ? log(inside) / laws[k].g : copysign(20, -laws[k].g);
      }
      float below = tacit_sold_below(&rule, (float)gaps[i]),
            within = tacit_sold_within(&rule, (float)gaps[i]);
      if (z_at[0] > 3) continue; /* next to nothing lies beyond what was sold */
      assert_true(fabs(below - chance(-20, z, z_at[0])) < 3e-4);
      assert_true(fabs(within - chance(z_at[1], z_at[2], z_at[0])) < 3e-3); /* Phi is good to 2^-16 */
    }
  }
}

/* Whatever a gap is, a chance stays one. */
static void chances_stay_within_bounds(void **state) {
  (void)state;
  const float gaps[] = {-INFINITY, -1e30f, -5, 5, 1e30f, INFINITY, NAN};
  const double taus[] = {1e-9, 0.5, 1 - 1e-9}, spans[] = {0, 1, 1e300};
  const double skews[] = {-INFINITY, -0.9, 0, 0.4, NAN};
  for (int t = 0; t < 3; t++)
    for (int s = 0; s < 3; s++)
      for (int g = 0; g < 35; g++) {
        int k = g / 7;
        const tacit_sold_rule rule = tacit_sold_rule_of(taus[t], spans[s], skews[k]);
        float gap = gaps[g % 7], below = tacit_sold_below(&rule, gap), within = tacit_sold_within(&rule, gap),
              near = tacit_sold_near(gap);
        assert_true(below >= 0 && below <= 1 && within >= 0 && within <= 1 && near >= 0 && near <= 1);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(chances_are_integrals),
                                     cmocka_unit_test(skewed_chances_are_integrals),
                                     cmocka_unit_test(chances_stay_within_bounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
