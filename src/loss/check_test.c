/* The smoothed check loss: its distance from the check loss, its derivatives, convexity and definition. */
#include "loss/check.h"

#include "num/quadrature.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double TAUS[] = {0.05, 0.3, 0.5, 0.9};
static const double WIDTHS[] = {0.01, 0.4, 3};

#define EACH_CASE                                                                                            \
  for (tacit_kernel k = 0; k < TACIT_KERNELS; k++)                                                           \
    for (int t = 0; t < 4; t++)                                                                              \
      for (int w = 0; w < 3; w++)
#define CASE                                                                                                 \
  const double tau = TAUS[t], h = WIDTHS[w];                                                                 \
  (void)tau, (void)h

static void near(double value, double truth, double margin) {
  if (!(fabs(value - truth) <= margin)) fail_msg("%.17g is not %.17g within %g", value, truth, margin);
}

static void check_loss_is_underage_or_overage(void **state) {
  (void)state;
  near(tacit_check_loss(0.9, 2), 1.8, 1e-15);
  near(tacit_check_loss(0.9, -2), 0.2, 1e-15);
  assert_true(tacit_check_loss(0.3, 0) == 0);
}

/* Zhao's Lemma 1: 0 <= l_h - rho <= kappa1 h / 2, the latter at 0. */
static void gap_is_between_zero_and_its_value_at_zero(void **state) {
  (void)state;
  EACH_CASE {
    CASE;
    double most = tacit_kernel_facts(k)->kappa1 * h / 2;
    near(tacit_smooth_loss(k, tau, h, 0), most, 1e-15 * h);
    for (double u = -8 * h; u < 8 * h; u += 0.037 * h) {
      double gap = tacit_smooth_loss(k, tau, h, u) - tacit_check_loss(tau, u);
      assert_true(gap >= 0 && gap <= most + 1e-15 * h);
    }
    assert_true(isinf(tacit_smooth_loss(k, tau, h, INFINITY)) &&
                isinf(tacit_smooth_loss(k, tau, h, -INFINITY)));
    assert_true(tacit_smooth_loss(k, tau, h, 1e300) == tacit_check_loss(tau, 1e300));
  }
}

typedef struct smoothing {
  tacit_kernel kernel;
  double tau, h, u;
} smoothing;

static double under_the_integral(double v, const void *with) {
  const smoothing *s = with;
  return tacit_check_loss(s->tau, s->u + s->h * v) * tacit_kernel_density(s->kernel, v);
}

/* The definition, the integral of rho(u + h v) K(v) dv, cut at every kink and at 40, where nothing
   is left. */
static void loss_is_the_convolution(void **state) {
  (void)state;
  EACH_CASE {
    CASE;
    for (double x = -2.3; x < 2.4; x += 0.91) {
      smoothing s = {k, tau, h, x * h};
      double cuts[] = {-40, -1, 0, 1, 40}, sum = 0;
      for (int i = 0; i < 4; i++) {
        double middle = fmin(cuts[i + 1], fmax(cuts[i], -x));
        sum += tacit_integrate(under_the_integral, &s, cuts[i], middle, 1e-14 * h, NULL);
        sum += tacit_integrate(under_the_integral, &s, middle, cuts[i + 1], 1e-14 * h, NULL);
      }
      near(tacit_smooth_loss(k, tau, h, s.u), sum, 1e-12 * h);
    }
  }
}

/* Central differences with step 1e-5 h: error below 1e-10 where the derivative is smooth; no
   point of the grid is within a step of a kink. */
static void derivatives_match_differences(void **state) {
  (void)state;
  EACH_CASE {
    CASE;
    double step = 1e-5 * h;
    for (double u = -4.03 * h; u < 4.03 * h; u += 0.0713 * h) {
      double slope =
          (tacit_smooth_loss(k, tau, h, u + step) - tacit_smooth_loss(k, tau, h, u - step)) / (2 * step);
      double curve =
          (tacit_smooth_slope(k, tau, h, u + step) - tacit_smooth_slope(k, tau, h, u - step)) / (2 * step);
      near(tacit_smooth_slope(k, tau, h, u), slope, 1e-9);
      near(tacit_smooth_curve(k, tau, h, u), curve, 1e-9 / h);
    }
  }
}

static void loss_is_convex_and_lipschitz(void **state) {
  (void)state;
  EACH_CASE {
    CASE;
    double before = tau - 1;
    for (double u = -9 * h; u < 9 * h; u += 0.01 * h) {
      double slope = tacit_smooth_slope(k, tau, h, u);
      assert_true(slope >= before - 3e-16);
      assert_true(fabs(slope) <= fmax(tau, 1 - tau) + 1e-15);
      assert_true(tacit_smooth_curve(k, tau, h, u) >= 0);
      assert_true(tacit_smooth_curve(k, tau, h, u) <= tacit_kernel_facts(k)->sup / h * (1 + 1e-15));
      double middle = tacit_smooth_loss(k, tau, h, u);
      double ends = tacit_smooth_loss(k, tau, h, u - 0.3 * h) + tacit_smooth_loss(k, tau, h, u + 0.3 * h);
      assert_true(middle <= 0.5 * ends + 1e-15 * (1 + fabs(u)));
      before = slope;
    }
  }
}

static void bandwidths_known_answers(void **state) {
  (void)state;
  /* n = 1000, p = 5, tau = 0.9: (5 + ln 1000) / 1000 = 0.0119077552789821371 */
  near(tacit_default_bandwidth(0.9, 1000, 5), 0.3 * pow(0.0119077552789821371, 0.4), 1e-15);
  near(tacit_theory_bandwidth(1000, 5), pow(0.0119077552789821371, 0.25), 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(check_loss_is_underage_or_overage),
      cmocka_unit_test(gap_is_between_zero_and_its_value_at_zero),
      cmocka_unit_test(loss_is_the_convolution),
      cmocka_unit_test(derivatives_match_differences),
      cmocka_unit_test(loss_is_convex_and_lipschitz),
      cmocka_unit_test(bandwidths_known_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
