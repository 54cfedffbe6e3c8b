/* The vector functions against MPFR: random points, and points where a reduction changes sides. */
#include "num/vmath.h"

#include "num/vmath_core.h"

#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { POINTS_MAX = 200000 };
/* Under a tool that makes everything fifty times slower, TACIT_QUICK asks for fewer points. */
#define POINTS (getenv("TACIT_QUICK") ? POINTS_MAX / 50 : POINTS_MAX)
static const double ALLOWED_ULP = 4.0;
static double x[POINTS_MAX], y[POINTS_MAX], z[POINTS_MAX];

typedef void vector_function(size_t n, const double *in, double *out);
typedef void exact_function(mpfr_t result, double at);

/* A fixed linear congruential generator (Knuth's MMIX constants): the points are the same everywhere. */
static uint64_t seed;
static double uniform(double low, double high) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}

static void exact_exp(mpfr_t result, double at) {
  mpfr_set_d(result, at, MPFR_RNDN);
  mpfr_exp(result, result, MPFR_RNDN);
}

/* Phi(x) = erfc(-x / sqrt 2) / 2 */
static void exact_phi(mpfr_t result, double at) {
  mpfr_sqrt_ui(result, 2, MPFR_RNDN);
  mpfr_d_div(result, -at, result, MPFR_RNDN);
  mpfr_erfc(result, result, MPFR_RNDN);
  mpfr_div_2ui(result, result, 1, MPFR_RNDN);
}

static void exact_density(mpfr_t result, double at) {
  mpfr_t root;
  mpfr_init2(root, mpfr_get_prec(result));
  mpfr_const_pi(root, MPFR_RNDN);
  mpfr_mul_2ui(root, root, 1, MPFR_RNDN);
  mpfr_sqrt(root, root, MPFR_RNDN);
  mpfr_set_d(result, at, MPFR_RNDN);
  mpfr_sqr(result, result, MPFR_RNDN);
  mpfr_div_si(result, result, -2, MPFR_RNDN);
  mpfr_exp(result, result, MPFR_RNDN);
  mpfr_div(result, result, root, MPFR_RNDN);
  mpfr_clear(root);
}

/* Fills x: the first half spread evenly at random over [low, high], a quarter with random magnitudes down to
   1e-20, a quarter within a few ulp of where k = round(exponent / ln 2) jumps; at(k) inverts the exponent. */
static void choose_points(double low, double high, double (*at)(double exponent)) {
  seed = 20240607;
  for (int i = 0, n = POINTS; i < n; i++) {
    if (i % 4 < 2) {
      x[i] = uniform(low, high);
    } else if (i % 4 == 2) {
      double size = exp(uniform(log(1e-20), log(fmax(-low, high))));
      x[i] = fmin(high, fmax(low, i % 8 == 2 ? size : -size));
    } else {
      double k = floor(uniform(-1100, 1100)) + 0.5;
      double edge = at(k * 0.693147180559945309);
      x[i] = fmin(high, fmax(low, edge * (1 + floor(uniform(-4, 5)) * 0x1p-53)));
    }
  }
}

static double exponent_itself(double e) {
  return e;
}
static double exponent_squared(double e) {
  return copysign(sqrt(2 * fabs(e)), e);
}

/* The largest error in units in the last place of the exact value; below the normal range that place
   stays 2^-1074. */
static double worst_ulp(vector_function *f, exact_function *exact, const char *name) {
  f(POINTS, x, y);
  mpfr_t truth, error;
  mpfr_inits2(120, truth, error, (mpfr_ptr)0);
  double worst = 0, where = 0;
  for (int i = 0, n = POINTS; i < n; i++) {
    exact(truth, x[i]);
    long last_place = mpfr_get_exp(truth) - 53;
    mpfr_d_sub(error, y[i], truth, MPFR_RNDN);
    mpfr_mul_2si(error, error, last_place < -1074 ? 1074 : -last_place, MPFR_RNDN);
    double ulp = fabs(mpfr_get_d(error, MPFR_RNDA));
    if (ulp > worst) worst = ulp, where = x[i];
  }
  mpfr_clears(truth, error, (mpfr_ptr)0);
  print_message("%s: at most %.3f ulp, at %.17g\n", name, worst, where);
  return worst;
}

static void exp_is_within_4_ulp(void **state) {
  (void)state;
  choose_points(-745.0, 709.78, exponent_itself);
  assert_true(worst_ulp(tacit_vexp, exact_exp, "exp") <= ALLOWED_ULP);
}

static void phi_is_within_4_ulp(void **state) {
  (void)state;
  choose_points(-38.4, 9.0, exponent_squared);
  assert_true(worst_ulp(tacit_vphi, exact_phi, "Phi, both sides") <= ALLOWED_ULP);
  choose_points(-3.0, 3.0, exponent_squared);
  assert_true(worst_ulp(tacit_vphi, exact_phi, "Phi, centre") <= ALLOWED_ULP);
}

static void density_is_within_4_ulp(void **state) {
  (void)state;
  choose_points(-38.5, 38.5, exponent_squared);
  assert_true(worst_ulp(tacit_vdensity, exact_density, "density") <= ALLOWED_ULP);
}

static void limits_and_nan(void **state) {
  (void)state;
  const double in[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, -NAN, 1e300, -1e300, 5e-324, -5e-324};
  const double want_exp[] = {1, 1, INFINITY, 0, NAN, NAN, INFINITY, 0, 1, 1};
  const double want_phi[] = {0.5, 0.5, 1, 0, NAN, NAN, 1, 0, 0.5, 0.5};
  enum { N = sizeof in / sizeof *in };
  double out[N];
  tacit_vexp(N, in, out);
  for (int i = 0; i < N; i++) assert_true(isnan(want_exp[i]) ? isnan(out[i]) : out[i] == want_exp[i]);
  tacit_vphi(N, in, out);
  for (int i = 0; i < N; i++) assert_true(isnan(want_phi[i]) ? isnan(out[i]) : out[i] == want_phi[i]);
  tacit_vdensity(N, in, out);
  assert_true(out[2] == 0 && out[3] == 0 && isnan(out[4]) && isnan(out[5]) && out[6] == 0 &&
              out[8] == out[0]);
  tacit_vexp(1, (const double[]){709.79}, out);
  assert_true(isinf(out[0]));
}

/* Element i depends on x[i] alone: not on its neighbours, its place in the array, or whether out is x. */
static void elements_are_independent(void **state) {
  (void)state;
  choose_points(-38.4, 9.0, exponent_squared);
  vector_function *const functions[] = {tacit_vexp, tacit_vphi, tacit_vdensity};
  for (int f = 0; f < 3; f++) {
    functions[f](1000, x, y);
    for (int i = 0; i < 1000; i++) functions[f](1, x + i, z + i);
    assert_memory_equal(y, z, 1000 * sizeof *y);
    memcpy(z, x, 1000 * sizeof *z);
    functions[f](1000 - 3, z + 3, z + 3);
    assert_memory_equal(y + 3, z + 3, 997 * sizeof *y);
  }
}

/* The same element code built for one named instruction set, to compare with whichever the loader chose. */
#define BUILD_FOR(set, attribute)                                                                            \
  attribute static void exp_##set(size_t n, const double *in, double *out) {                                 \
    for (size_t i = 0; i < n; i++) out[i] = tacit_core_exp(in[i]);                                           \
  }                                                                                                          \
  attribute static void phi_##set(size_t n, const double *in, double *out) {                                 \
    for (size_t i = 0; i < n; i++) out[i] = tacit_core_phi(in[i]);                                           \
  }
BUILD_FOR(baseline, )
#ifdef __x86_64__
BUILD_FOR(avx2, __attribute__((target("avx2"))))
BUILD_FOR(avx512, __attribute__((target("avx512f"))))
#endif

static void same_bits(vector_function *f, vector_function *library) {
  library(POINTS, x, y);
  f(POINTS, x, z);
  assert_memory_equal(y, z, sizeof y);
}

static void instruction_sets_agree_to_the_bit(void **state) {
  (void)state;
  choose_points(-50, 50, exponent_squared);
  same_bits(exp_baseline, tacit_vexp);
  same_bits(phi_baseline, tacit_vphi);
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) same_bits(exp_avx2, tacit_vexp), same_bits(phi_avx2, tacit_vphi);
  if (__builtin_cpu_supports("avx512f")) same_bits(exp_avx512, tacit_vexp), same_bits(phi_avx512, tacit_vphi);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exp_is_within_4_ulp),      cmocka_unit_test(phi_is_within_4_ulp),
      cmocka_unit_test(density_is_within_4_ulp),  cmocka_unit_test(limits_and_nan),
      cmocka_unit_test(elements_are_independent), cmocka_unit_test(instruction_sets_agree_to_the_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
