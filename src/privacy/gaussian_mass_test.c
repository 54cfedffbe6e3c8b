/* What the error bounds of the accountant assume of the C library, and the bounds themselves, against MPFR.
 */
#include "privacy/gaussian_mass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <mpfr.h>

static uint64_t state_of = 88172645463325252u;
static long double uniform(void) {
  state_of ^= state_of << 13;
  state_of ^= state_of >> 7;
  state_of ^= state_of << 17;
  return (long double)state_of * 0x1p-64L;
}

typedef int (*exact)(mpfr_t out, const mpfr_t in, mpfr_rnd_t rounding);
static int exact_erfc(mpfr_t out, const mpfr_t in, mpfr_rnd_t rounding) {
  return mpfr_erfc(out, in, rounding);
}
static int exact_exp(mpfr_t out, const mpfr_t in, mpfr_rnd_t rounding) {
  return mpfr_exp(out, in, rounding);
}
static int exact_expm1(mpfr_t out, const mpfr_t in, mpfr_rnd_t rounding) {
  return mpfr_expm1(out, in, rounding);
}
static int exact_log(mpfr_t out, const mpfr_t in, mpfr_rnd_t rounding) {
  return mpfr_log(out, in, rounding);
}
static int exact_log1p(mpfr_t out, const mpfr_t in, mpfr_rnd_t rounding) {
  return mpfr_log1p(out, in, rounding);
}

/* The largest relative error of f on n random points, in units of LDBL_EPSILON / 2. */
static double worst(long double (*f)(long double), exact g, long double low, long double high, int n) {
  mpfr_t x, y;
  mpfr_inits2(200, x, y, (mpfr_ptr)0);
  double most = 0;
  for (int i = 0; i < n; i++) {
    long double at = low + (high - low) * uniform();
    if (i % 3 == 0) at *= powl(2, -40 * uniform()); /* near 0 too */
    mpfr_set_ld(x, at, MPFR_RNDN);
    g(y, x, MPFR_RNDN);
    mpfr_set_ld(x, f(at), MPFR_RNDN);
    mpfr_sub(x, x, y, MPFR_RNDN);
    mpfr_div(x, x, y, MPFR_RNDN);
    most = fmax(most, fabs(mpfr_get_d(x, MPFR_RNDN)) / (double)(LDBL_EPSILON / 2));
  }
  mpfr_clears(x, y, (mpfr_ptr)0);
  return most;
}

static void the_library_is_as_exact_as_assumed(void **state) {
  (void)state;
  int n = getenv("TACIT_QUICK") ? 300 : 4000;
  assert_true(worst(erfcl, exact_erfc, 0, 60, n) < 10);
  assert_true(worst(erfcl, exact_erfc, 0, 3, n) < 10);
  assert_true(worst(expl, exact_exp, -3000, 3000, n) < 10);
  assert_true(worst(expl, exact_exp, -1, 1, n) < 10);
  assert_true(worst(expm1l, exact_expm1, -50, 3000, n) < 10);
  assert_true(worst(expm1l, exact_expm1, -1, 1, n) < 10);
  assert_true(worst(logl, exact_log, 1e-6L, 1e6L, n) < 10);
  assert_true(worst(log1pl, exact_log1p, -0.999L, 10, n) < 10);
}

static void masses_are_inside_their_bounds(void **state) {
  (void)state;
  mpfr_t a, b, root;
  mpfr_inits2(900, a, b, root, (mpfr_ptr)0);
  mpfr_sqrt_ui(root, 2, MPFR_RNDN);
  for (int i = 0; i < 300; i++) {
    long double y = 30 * uniform() - 15, w = powl(2, -30 * uniform()), s = 5 * uniform();
    tacit_enclosed m = tacit_between(tacit_tail_at(y, s), tacit_tail_at(y + w, s));
    mpfr_set_ld(a, y, MPFR_RNDN);
    mpfr_set_ld(b, s, MPFR_RNDN);
    mpfr_sub(a, a, b, MPFR_RNDN);
    mpfr_set_ld(b, y + w, MPFR_RNDN);
    mpfr_t shift;
    mpfr_init2(shift, 900);
    mpfr_set_ld(shift, s, MPFR_RNDN);
    mpfr_sub(b, b, shift, MPFR_RNDN);
    mpfr_clear(shift);
    mpfr_div(a, a, root, MPFR_RNDN);
    mpfr_div(b, b, root, MPFR_RNDN);
    mpfr_erfc(a, a, MPFR_RNDN);
    mpfr_erfc(b, b, MPFR_RNDN);
    mpfr_sub(a, a, b, MPFR_RNDN);
    mpfr_div_2ui(a, a, 1, MPFR_RNDN);
    mpfr_set_ld(b, m.value, MPFR_RNDN);
    mpfr_sub(a, a, b, MPFR_RNDN);
    assert_true(fabsl(mpfr_get_ld(a, MPFR_RNDN)) <= m.error);
  }
  mpfr_clears(a, b, root, (mpfr_ptr)0);
}

static int free_caches(void **state) {
  (void)state;
  mpfr_free_cache();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_library_is_as_exact_as_assumed),
      cmocka_unit_test(masses_are_inside_their_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, free_caches);
}
