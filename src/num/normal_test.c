/* Density, distribution function and quantile of the normal distribution against MPFR. */
#include "num/normal.h"

#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* Phi(x) - shift at 160 bits, so that 140 of them survive near x = 0 with shift 1/2 for |x| > 1e-6. */
static void exact_phi(mpfr_t result, double x, double shift) {
  mpfr_sqrt_ui(result, 2, MPFR_RNDN);
  mpfr_d_div(result, -x, result, MPFR_RNDN);
  mpfr_erfc(result, result, MPFR_RNDN);
  mpfr_div_2ui(result, result, 1, MPFR_RNDN);
  mpfr_sub_d(result, result, shift, MPFR_RNDN);
}

static double ulp_of(double x) {
  return nextafter(fabs(x), INFINITY) - fabs(x);
}

/* How far x is from the quantile of p, in units of x's last place: the residual of the exact Phi over the
   density, which is first-order exact for errors this small. */
static double quantile_error(double p, double x) {
  mpfr_t residual, slope;
  mpfr_inits2(160, residual, slope, (mpfr_ptr)0);
  exact_phi(residual, x, p);
  mpfr_set_d(slope, x, MPFR_RNDN);
  mpfr_sqr(slope, slope, MPFR_RNDN);
  mpfr_div_si(slope, slope, -2, MPFR_RNDN);
  mpfr_exp(slope, slope, MPFR_RNDN);
  mpfr_div_d(slope, slope, 2.50662827463100050242, MPFR_RNDN);
  mpfr_div(residual, residual, slope, MPFR_RNDN);
  double error = fabs(mpfr_get_d(residual, MPFR_RNDA)) / ulp_of(x);
  mpfr_clears(residual, slope, (mpfr_ptr)0);
  return error;
}

static void quantile_is_within_4_ulp(void **state) {
  (void)state;
  double worst = 0, where = 0;
  for (int i = 0; i < 40000; i++) {
    double fraction = (i + 0.5) / 40000;
    const double points[] = {
        fraction,                        /* the whole range */
        exp(-745 * fraction),            /* the lower tail down to subnormal numbers */
        1 - exp(-36.7 * fraction),       /* the upper tail to the last double below 1 */
        0.5 + exp(-36 * fraction - 0.7), /* close above and below 1/2 */
        0.5 - exp(-36.7 * fraction - 0.7),
        0.25 * (1 + (i - 20000) * 0x1p-50), /* where the methods change */
        0x1p-50 * (1 + (i - 20000) * 0x1p-45),
    };
    double p = points[i % 7];
    if (p <= 0 || p >= 1 || p == 0.5) continue;
    double error = quantile_error(p, tacit_normal_quantile(p));
    if (error > worst) worst = error, where = p;
  }
  print_message("quantile: at most %.3f ulp, at %.17g\n", worst, where);
  assert_true(worst <= 4);
}

static void quantile_at_its_ends(void **state) {
  (void)state;
  assert_true(tacit_normal_quantile(0) == -INFINITY);
  assert_true(tacit_normal_quantile(1) == INFINITY);
  assert_true(tacit_normal_quantile(0.5) == 0);
  assert_true(isnan(tacit_normal_quantile(-1e-300)));
  assert_true(isnan(tacit_normal_quantile(1.0000001)));
  assert_true(isnan(tacit_normal_quantile(NAN)));
  assert_true(isfinite(tacit_normal_quantile(5e-324)));
}

static void quantile_is_odd_about_one_half(void **state) {
  (void)state;
  /* Multiples of 2^-20, so that 1 - p is exact. */
  for (int i = 1; i < 1 << 19; i += 37) {
    double p = i * 0x1p-20;
    assert_true(tacit_normal_quantile(p) == -tacit_normal_quantile(1 - p));
  }
}

static void cdf_and_pdf_known_answers(void **state) {
  (void)state;
  /* Computed with 50 digits: Phi(-1), Phi(-10), Phi(-37), and the density at 3. */
  assert_true(fabs(tacit_normal_cdf(-1) / 0.15865525393145705141 - 1) < 1e-15);
  assert_true(fabs(tacit_normal_cdf(-10) / 7.619853024160526066e-24 - 1) < 1e-15);
  assert_true(fabs(tacit_normal_cdf(-37) / 5.7255712225245768227e-300 - 1) < 1e-15);
  assert_true(fabs(tacit_normal_pdf(3) / 0.0044318484119380071756 - 1) < 1e-15);
  assert_true(tacit_normal_cdf(INFINITY) == 1 && tacit_normal_cdf(-INFINITY) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantile_is_within_4_ulp),
      cmocka_unit_test(quantile_at_its_ends),
      cmocka_unit_test(quantile_is_odd_about_one_half),
      cmocka_unit_test(cdf_and_pdf_known_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
