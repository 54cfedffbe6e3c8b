/* The curvature that steps learn: found where it can be seen, left alone where it cannot. */
#include "learn/secant.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { D = 5 };

/* The gradient of a bowl around (1, 2, ..), some directions far flatter or steeper than the guess of 1. */
static void bowl(const double *x, double *u) {
  static const double curvature[D] = {0.07, 1, 1.5, 0.4, 1};
  double mean = 0;
  for (int k = 1; k < D; k++) mean += (x[k] - k - 1) / D;
  for (int k = 0; k < D; k++) u[k] = curvature[k] * (x[k] - k - 1) + (k ? 0.3 * mean : 0);
}

static double distance(const double *x) {
  double square = 0;
  for (int k = 0; k < D; k++) square += (x[k] - k - 1) * (x[k] - k - 1);
  return sqrt(square);
}

static double steps(int count, bool learn, double noise) {
  tacit_secant secant;
  double x[D] = {0}, u[D], step[D];
  assert_true(tacit_secant_open(&secant, D));
  for (int t = 0; t < count; t++) {
    bowl(x, u);
    if (learn) tacit_secant_learn(&secant, x, u, noise, 0.5);
    tacit_secant_turn(&secant, u, step);
    for (int k = 0; k < D; k++) x[k] -= step[k];
  }
  tacit_secant_close(&secant);
  return distance(x);
}

static void it_learns_what_it_sees(void **state) {
  (void)state;
  assert_true(steps(10, false, 0) > 0.2);
  assert_true(steps(10, true, 0) < 0.01);
  assert_true(steps(14, true, 1e-6) < 1e-4);
}

static void it_ignores_noise(void **state) {
  (void)state;
  assert_true(steps(10, true, 100) == steps(10, false, 0));
}

/* Neither another level nor a direction that seems to curve downward teaches anything; H du = dx after a
 * lesson. */
static void a_lesson(void **state) {
  (void)state;
  tacit_secant secant;
  assert_true(tacit_secant_open(&secant, 2));
  const double x[4][2] = {{0, 0}, {1, 0}, {2, 1}, {3, 1}}, u[4][2] = {{0, 0}, {2, 0.5}, {1, 1}, {0, 1}};
  double out[2];
  tacit_secant_learn(&secant, x[0], u[0], 0, 0.5);
  tacit_secant_learn(&secant, x[1], u[1], 0, 0.5);
  tacit_secant_turn(&secant, u[1], out);
  assert_true(fabs(out[0] - 1) < 1e-12 && fabs(out[1]) < 1e-12);
  const double identity[4] = {1, 0, 0, 1};
  tacit_secant_learn(&secant, x[2], u[2], 0, 0.7);
  assert_memory_equal(identity, secant.H, sizeof identity);
  tacit_secant_learn(&secant, x[3], u[3], 0, 0.7);
  assert_memory_equal(identity, secant.H, sizeof identity);
  tacit_secant_close(&secant);
  assert_true(tacit_secant_open(&secant, 0));
  tacit_secant_learn(&secant, NULL, NULL, 0, 0.5);
  tacit_secant_close(&secant);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_learns_what_it_sees),
      cmocka_unit_test(it_ignores_noise),
      cmocka_unit_test(a_lesson),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
