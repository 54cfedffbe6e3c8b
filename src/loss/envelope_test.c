/* The envelopes against brute-force minimisation and their lemmas' bounds; Gaussian smoothing
   against quadrature. */
#include "loss/envelope.h"

#include "loss/check.h"
#include "num/quadrature.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double TAUS[] = {0.1, 0.5, 0.8};

static void near(double value, double truth, double margin) {
  if (!(fabs(value - truth) <= margin)) fail_msg("%.17g is not %.17g within %g", value, truth, margin);
}

typedef struct envelope {
  tacit_phi phi;
  double parameter;
} envelope;
static const envelope ENVELOPES[] = {
    {TACIT_PHI_ENERGY, 2},  {TACIT_PHI_ENERGY, 1.5},  {TACIT_PHI_ENERGY, 4},
    {TACIT_PHI_L2, 1},      {TACIT_PHI_L2, 0.3},      {TACIT_PHI_HUBER, 1},
    {TACIT_PHI_HUBER, 2.5}, {TACIT_PHI_HELLINGER, 1}, {TACIT_PHI_HELLINGER, 0.95},
};
enum { COUNT = sizeof ENVELOPES / sizeof *ENVELOPES };

/* The smallest rho(v) + h phi((u - v) / h): the objective is convex, so a third of the interval can go
   each time. */
static double brute_force(envelope e, double tau, double h, double u) {
  double low = -fabs(u) - 1, high = fabs(u) + 1;
#define OBJECTIVE(v) (tacit_check_loss(tau, v) + h * tacit_phi_value(e.phi, e.parameter, (u - (v)) / h))
  for (int i = 0; i < 200; i++) {
    double one = low + (high - low) / 3, two = high - (high - low) / 3;
    if (OBJECTIVE(one) < OBJECTIVE(two))
      high = two;
    else
      low = one;
  }
  return OBJECTIVE(0.5 * (low + high));
#undef OBJECTIVE
}

#define EACH_ENVELOPE                                                                                        \
  for (int i = 0; i < COUNT; i++)                                                                            \
    for (int t = 0; t < 3; t++)                                                                              \
      for (double h = 0.2; h < 2; h *= 3)                                                                    \
        for (double u = -5.01; u < 5; u += 0.13)

static void envelopes_match_brute_force(void **state) {
  (void)state;
  EACH_ENVELOPE {
    envelope e = ENVELOPES[i];
    near(tacit_general_moreau_loss(e.phi, e.parameter, TAUS[t], h, u), brute_force(e, TAUS[t], h, u), 1e-12);
  }
}

/* the companion's Lemma EC.5, part 3: -h sup phi* <= envelope - rho <= h phi(0), the supremum over slopes up
   to max(tau, 1
   - tau). phi* is even and grows with |y|, so it is taken at the end. Hellinger's is negative: an envelope
   from above. */
static void envelopes_keep_lemma_EC5(void **state) {
  (void)state;
  EACH_ENVELOPE {
    envelope e = ENVELOPES[i];
    double tau = TAUS[t], top = fmax(tau, 1 - tau);
    double gap = tacit_general_moreau_loss(e.phi, e.parameter, tau, h, u) - tacit_check_loss(tau, u);
    assert_true(gap >= -h * tacit_phi_conjugate(e.phi, e.parameter, top) - 1e-14);
    assert_true(gap <= h * tacit_phi_value(e.phi, e.parameter, 0) + 1e-14);
    if (e.phi == TACIT_PHI_HELLINGER)
      assert_true(gap > 0);
    else
      assert_true(gap <= 1e-14);
  }
}

static void envelope_slopes_match_differences(void **state) {
  (void)state;
  EACH_ENVELOPE {
    envelope e = ENVELOPES[i];
    double tau = TAUS[t], step = 1e-6;
    double difference = tacit_general_moreau_loss(e.phi, e.parameter, tau, h, u + step) -
                        tacit_general_moreau_loss(e.phi, e.parameter, tau, h, u - step);
    double slope = tacit_general_moreau_slope(e.phi, e.parameter, tau, h, u);
    near(slope, difference / (2 * step), 2e-5);
    assert_true(slope >= tau - 1 && slope <= tau);
    assert_true(tacit_general_moreau_slope(e.phi, e.parameter, tau, h, u + 0.1) >= slope);
  }
}

/* Fenchel's inequality phi(x) + phi*(y) >= x y, tight for some x. */
static void conjugates_are_conjugate(void **state) {
  (void)state;
  for (int i = 0; i < COUNT; i++) {
    envelope e = ENVELOPES[i];
    for (double y = -0.9; y < 0.95; y += 0.15) {
      double best = -INFINITY;
      for (double x = -8; x < 8; x += 1e-3) best = fmax(best, x * y - tacit_phi_value(e.phi, e.parameter, x));
      double conjugate = tacit_phi_conjugate(e.phi, e.parameter, y);
      assert_true(best <= conjugate + 1e-14);
      near(best, conjugate, 1e-5);
    }
  }
  assert_true(tacit_phi_value(TACIT_PHI_HUBER, 2, 1) == 1 && tacit_phi_value(TACIT_PHI_HUBER, 2, -3) == 5);
  assert_true(isinf(tacit_phi_conjugate(TACIT_PHI_HUBER, 1, 1.01)));
  assert_true(isinf(tacit_phi_conjugate(TACIT_PHI_HELLINGER, 1, -1.01)));
}

static void parameters_outside_condition_1_give_nan(void **state) {
  (void)state;
  assert_true(isnan(tacit_general_moreau_loss(TACIT_PHI_HUBER, 0.8, 0.8, 1, 0.3)));
  assert_true(isnan(tacit_general_moreau_slope(TACIT_PHI_HELLINGER, 0.5, 0.8, 1, 0.3)));
  assert_true(isnan(tacit_general_moreau_loss(TACIT_PHI_ENERGY, 1, 0.8, 1, 0.3)));
  assert_true(isnan(tacit_general_moreau_loss(TACIT_PHI_L2, 0, 0.8, 1, 0.3)));
}

/* Zhao's eq. 4, the three pieces as printed, and the companion's Lemma EC.4's bound. */
static void moreau_is_equation_4(void **state) {
  (void)state;
  for (int t = 0; t < 3; t++) {
    double tau = TAUS[t], gamma = 0.7;
    for (double u = -3; u < 3; u += 0.01) {
      double printed = u < -(1 - tau) * gamma ? -(1 - tau) * u - 0.5 * (1 - tau) * (1 - tau) * gamma
                       : u > tau * gamma      ? tau * u - 0.5 * tau * tau * gamma
                                              : u * u / (2 * gamma);
      double slope = u < -(1 - tau) * gamma ? tau - 1 : u > tau * gamma ? tau : u / gamma;
      near(tacit_moreau_loss(tau, gamma, u), printed, 1e-15);
      near(tacit_moreau_slope(tau, gamma, u), slope, 1e-15);
      double gap = tacit_moreau_loss(tau, gamma, u) - tacit_check_loss(tau, u);
      assert_true(gap <= 1e-15 && gap >= -gamma * fmax(tau, 1 - tau) * fmax(tau, 1 - tau) / 2 - 1e-15);
    }
  }
}

/* Z Remark 1: Horowitz's loss meets the check loss far away but is not convex, for any kernel. */
static void horowitz_is_not_convex(void **state) {
  (void)state;
  for (tacit_kernel k = 0; k < TACIT_KERNELS; k++) {
    double worst = 0;
    for (double u = -6; u < 6; u += 0.01) {
      double ends = tacit_horowitz_loss(k, 0.5, 1, u - 0.1) + tacit_horowitz_loss(k, 0.5, 1, u + 0.1);
      worst = fmax(worst, tacit_horowitz_loss(k, 0.5, 1, u) - 0.5 * ends);
    }
    assert_true(worst > 1e-5);
    near(tacit_horowitz_loss(k, 0.3, 0.1, 9), tacit_check_loss(0.3, 9), 1e-14);
    near(tacit_horowitz_loss(k, 0.3, 0.1, -9), tacit_check_loss(0.3, -9), 1e-14);
  }
}

/* Three slopes -1, 0.5, 2 with kinks at -0.4 and 1.1. */
static const double KINKS[] = {-0.4, 1.1}, SLOPES[] = {-1, 0.5, 2};
static double plain(int which, double x) {
  if (which == 0) return fabs(x);
  if (which == 1) return fmax(0, x);
  if (which == 2) return fmax(0, fabs(x) - 0.6);
  return x < KINKS[0]   ? 3 - (x - KINKS[0])
         : x < KINKS[1] ? 3 + 0.5 * (x - KINKS[0])
                        : 3.75 + 2 * (x - KINKS[1]);
}

typedef struct point {
  int which;
  double h, u;
} point;
static double weighted(double v, const void *with) {
  const point *p = with;
  return plain(p->which, p->u + p->h * v) * tacit_kernel_density(TACIT_KERNEL_GAUSSIAN, v);
}

static void gaussian_smoothing_matches_quadrature(void **state) {
  (void)state;
  for (double h = 0.3; h < 1; h += 0.4)
    for (double u = -2.2; u < 2.3; u += 0.37) {
      const double smooth[] = {tacit_l1_smooth(1, &u, h, NULL), tacit_relu_smooth(h, u),
                               tacit_soft_threshold_smooth(0.6, h, u),
                               tacit_piecewise_smooth(2, KINKS, SLOPES, 3, h, u)};
      for (int which = 0; which < 4; which++) {
        point p = {which, h, u};
        near(smooth[which], tacit_integrate(weighted, &p, -12, 12, 1e-12, NULL), 1e-11);
      }
      /* the companion's halved arguments have half the bandwidth. */
      near(smooth[1], tacit_l1_smooth(1, (const double[]){u / 2}, h / 2, NULL) + u / 2, 1e-15);
    }
}

/* the companion's Lemma EC.6 as printed, its gap's bound, and the gradient. */
static void l1_smoothing_is_lemma_EC6(void **state) {
  (void)state;
  enum { M = 4 };
  double u[M] = {0, 0.3, -1.7, 25}, gradient[M], h = 0.5, printed = 0, norm = 0, bound = 0;
  for (int j = 0; j < M; j++) {
    double a = fabs(u[j]), bump = h * 0.797884560802865356 * exp(-a * a / (2 * h * h));
    printed += a + bump - 2 * a * 0.5 * erfc(a / h / sqrt(2));
    norm += a;
    bound += bump;
  }
  double value = tacit_l1_smooth(M, u, h, gradient);
  near(value, printed, 1e-13);
  assert_true(value >= norm && value - norm <= bound + 1e-13);
  for (int j = 0; j < M; j++) {
    double at = u[j], step = 1e-5;
    u[j] = at + step;
    double above = tacit_l1_smooth(M, u, h, NULL);
    u[j] = at - step;
    near(gradient[j], (above - tacit_l1_smooth(M, u, h, NULL)) / (2 * step), 1e-8);
    u[j] = at;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(envelopes_match_brute_force),
      cmocka_unit_test(envelopes_keep_lemma_EC5),
      cmocka_unit_test(envelope_slopes_match_differences),
      cmocka_unit_test(conjugates_are_conjugate),
      cmocka_unit_test(parameters_outside_condition_1_give_nan),
      cmocka_unit_test(moreau_is_equation_4),
      cmocka_unit_test(horowitz_is_not_convex),
      cmocka_unit_test(gaussian_smoothing_matches_quadrature),
      cmocka_unit_test(l1_smoothing_is_lemma_EC6),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
