/* Tail probabilities of test statistics, for the tests of samplers. Include after <mpfr.h>.

   Every check compares a p-value with ALARM. Seeds are fixed, so that a passing check passes always; ALARM is
   what a fresh seed would risk per check. There are fewer than 100 checks in the room: 1e-6 together. */
#ifndef TACIT_SRC_STATISTICS_FOR_TEST_H
#define TACIT_SRC_STATISTICS_FOR_TEST_H

#include <math.h>
#include <stddef.h>

#define ALARM 1e-8

/* Q(a, x), the regularised upper incomplete gamma function. Far out, where MPFR would take very long,
   Chernoff's bound (x / a)^a e^(a - x) stands for it: any number below 1e-30 tells a test the same. */
static inline double upper_gamma(double a, double x) {
  double bound = x > a ? a * log(x / a) + a - x : 0;
  if (bound < log(1e-30)) return exp(bound);
  mpfr_t shape, from, value, whole;
  mpfr_inits2(128, shape, from, value, whole, (mpfr_ptr)0);
  mpfr_set_d(shape, a, MPFR_RNDN);
  mpfr_set_d(from, x, MPFR_RNDN);
  mpfr_gamma_inc(value, shape, from, MPFR_RNDN);
  mpfr_gamma(whole, shape, MPFR_RNDN);
  mpfr_div(value, value, whole, MPFR_RNDN);
  double result = mpfr_get_d(value, MPFR_RNDN);
  mpfr_clears(shape, from, value, whole, (mpfr_ptr)0);
  return result;
}

/* Pearson's chi-square over cells that each expect at least 50, so that its limit law holds well past ALARM.
 */
static inline double chi_square_p_value(size_t cells, const double *observed, const double *expected) {
  double sum = 0;
  for (size_t i = 0; i < cells; i++) {
    double surplus = observed[i] - expected[i];
    sum += surplus * surplus / expected[i];
  }
  return upper_gamma(0.5 * ((double)cells - 1), 0.5 * sum);
}

/* Two-sided, for a rare event counted over many draws. */
static inline double poisson_p_value(double count, double expected) {
  double at_most = upper_gamma(count + 1, expected);
  double at_least = count > 0 ? 1 - upper_gamma(count, expected) : 1;
  double smaller = at_most < at_least ? at_most : at_least;
  return fmin(1, 2 * smaller);
}

/* Two-sided, for a standard normal statistic. */
static inline double normal_p_value(double z) {
  return erfc(fabs(z) / sqrt(2));
}

#endif
