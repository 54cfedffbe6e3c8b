/* Integrals with known values over finite, half-infinite and infinite intervals. */
#include "num/quadrature.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;

static double power(double x, const void *with) {
  return pow(x, *(const int *)with);
}
static double gauss(double x, const void *with) {
  const double *centre = with;
  return exp(-0.5 * (x - *centre) * (x - *centre));
}
static double decay(double x, const void *with) {
  (void)with;
  return exp(-fabs(x));
}
static double cauchy(double x, const void *with) {
  (void)with;
  return 1 / (1 + x * x);
}
static double distance(double x, const void *with) {
  return fabs(x - *(const double *)with);
}
static double inverse_root(double x, const void *with) {
  (void)with;
  return 1 / sqrt(x);
}
static double peak(double x, const void *with) {
  (void)with;
  double z = (x - 0.345) / 0.01;
  return exp(-z * z);
}
static double not_a_number(double x, const void *with) {
  (void)with;
  return x > 0.3 ? NAN : 1;
}

static void near(double value, double truth, double margin) {
  if (!(fabs(value - truth) <= margin)) fail_msg("%.17g is not %.17g within %g", value, truth, margin);
}

/* A 15-point Kronrod rule is exact to degree 22, so that even a tolerance of 1 gives the exact value. */
static void polynomials_are_exact(void **state) {
  (void)state;
  for (int degree = 0; degree <= 22; degree++) {
    near(tacit_integrate(power, &degree, -1, 2, 1, NULL),
         (pow(2, degree + 1) - pow(-1, degree + 1)) / (degree + 1), 1e-15 * pow(2, degree + 1));
  }
}

static void infinite_ranges(void **state) {
  (void)state;
  double zero = 0, three = 3;
  near(tacit_integrate(gauss, &zero, -INFINITY, INFINITY, 1e-13, NULL), sqrt(2 * PI), 1e-13);
  near(tacit_integrate(gauss, &three, -INFINITY, INFINITY, 1e-13, NULL), sqrt(2 * PI), 1e-13);
  near(tacit_integrate(gauss, &three, 3, INFINITY, 1e-13, NULL), sqrt(PI / 2), 1e-13);
  near(tacit_integrate(gauss, &three, -INFINITY, 3, 1e-13, NULL), sqrt(PI / 2), 1e-13);
  near(tacit_integrate(cauchy, NULL, -INFINITY, INFINITY, 1e-13, NULL), PI, 1e-13);
  near(tacit_integrate(decay, NULL, -INFINITY, 1, 1e-13, NULL), 2 - exp(-1), 1e-13);
}

static void kinks_and_singular_ends(void **state) {
  (void)state;
  double kink = 0.123456, error;
  near(tacit_integrate(distance, &kink, 0, 1, 1e-13, &error), 0.5 * (kink * kink + (1 - kink) * (1 - kink)),
       1e-13);
  assert_true(error <= 1e-13);
  near(tacit_integrate(inverse_root, NULL, 0, 1, 1e-9, NULL), 2, 1e-9);
}

/* 0.345 is five widths from the nearest of fifteen nodes on [0, 1]: a single rule would see next to none. */
static void narrow_peaks_are_seen(void **state) {
  (void)state;
  near(tacit_integrate(peak, NULL, 0, 1, 1e-10, NULL), 0.01 * sqrt(PI), 1e-10);
}

static void direction_emptiness_and_nan(void **state) {
  (void)state;
  int one = 1;
  near(tacit_integrate(power, &one, 2, -1, 1e-14, NULL), -1.5, 1e-14);
  assert_true(tacit_integrate(power, &one, 5, 5, 1e-14, NULL) == 0);
  assert_true(tacit_integrate(power, &one, INFINITY, INFINITY, 1e-14, NULL) == 0);
  assert_true(isnan(tacit_integrate(power, &one, NAN, 1, 1e-14, NULL)));
  assert_true(isnan(tacit_integrate(not_a_number, NULL, 0, 1, 1e-14, NULL)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polynomials_are_exact),       cmocka_unit_test(infinite_ranges),
      cmocka_unit_test(kinks_and_singular_ends),     cmocka_unit_test(narrow_peaks_are_seen),
      cmocka_unit_test(direction_emptiness_and_nan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
