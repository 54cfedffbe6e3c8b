/* The transform against sums of 300 bits, within its proved bound; and back. */
#include "num/fft.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <mpfr.h>

static uint64_t state_of = 88172645463325252u;
static double uniform(void) {
  state_of ^= state_of << 13;
  state_of ^= state_of >> 7;
  state_of ^= state_of << 17;
  return (double)(state_of >> 11) * 0x1p-53;
}

static size_t reversed(size_t k, int bits) {
  size_t r = 0;
  for (int b = 0; b < bits; b++) r |= ((k >> b) & 1) << (bits - 1 - b);
  return r;
}

enum { BITS = 9, LENGTH = 1 << BITS };

/* cos and sin of 2 pi j / n for all j, to 300 bits */
static void exact_roots(size_t n, mpfr_t *c, mpfr_t *s) {
  mpfr_t angle;
  mpfr_init2(angle, 300);
  for (size_t j = 0; j < n; j++) {
    mpfr_const_pi(angle, MPFR_RNDN);
    mpfr_mul_ui(angle, angle, 2 * j, MPFR_RNDN);
    mpfr_div_ui(angle, angle, n, MPFR_RNDN);
    mpfr_init2(c[j], 300);
    mpfr_init2(s[j], 300);
    mpfr_sin_cos(s[j], c[j], angle, MPFR_RNDN);
  }
  mpfr_clear(angle);
}

/* |sum_j x_j e^(sign 2 pi i jk/n) - (re + i im)| */
static double distance(size_t n, size_t k, int sign, const double *xr, const double *xi, double re, double im,
                       mpfr_t *c, mpfr_t *s) {
  mpfr_t a, b, t;
  mpfr_inits2(300, a, b, t, (mpfr_ptr)0);
  mpfr_set_d(a, -re, MPFR_RNDN);
  mpfr_set_d(b, -im, MPFR_RNDN);
  for (size_t j = 0; j < n; j++) {
    size_t at = j * k % n;
    mpfr_mul_d(t, c[at], xr[j], MPFR_RNDN);
    mpfr_add(a, a, t, MPFR_RNDN);
    mpfr_mul_d(t, s[at], -sign * xi[j], MPFR_RNDN);
    mpfr_add(a, a, t, MPFR_RNDN);
    mpfr_mul_d(t, s[at], sign * xr[j], MPFR_RNDN);
    mpfr_add(b, b, t, MPFR_RNDN);
    mpfr_mul_d(t, c[at], xi[j], MPFR_RNDN);
    mpfr_add(b, b, t, MPFR_RNDN);
  }
  double d = hypot(mpfr_get_d(a, MPFR_RNDN), mpfr_get_d(b, MPFR_RNDN));
  mpfr_clears(a, b, t, (mpfr_ptr)0);
  return d;
}

static void fill(int kind, size_t n, double *re, double *im) {
  for (size_t j = 0; j < n; j++) {
    re[j] = kind == 0 ? uniform() - 0.5 : kind == 1 ? exp(-0.01 * (double)(j * j)) : j == n / 3;
    im[j] = kind == 0 ? uniform() - 0.5 : kind == 1 ? 0 : ldexp(uniform(), -40);
  }
}

static void forward_and_backward_are_within_the_proved_bound(void **state) {
  (void)state;
  static double xr[LENGTH], xi[LENGTH], re[LENGTH], im[LENGTH];
  static mpfr_t c[LENGTH], s[LENGTH];
  double worst = 0;
  for (int bits = 0; bits <= BITS; bits++) {
    size_t n = (size_t)1 << bits;
    tacit_fft *fft = tacit_fft_new(bits);
    assert_non_null(fft);
    exact_roots(n, c, s);
    for (int kind = 0; kind < 3; kind++) {
      fill(kind, n, xr, xi);
      double size = 0;
      for (size_t j = 0; j < n; j++) size += hypot(xr[j], xi[j]);
      memcpy(re, xr, sizeof re);
      memcpy(im, xi, sizeof im);
      tacit_fft_forward(fft, re, im);
      for (size_t k = 0; k < n; k += 1 + n / 64) {
        double d = distance(n, k, -1, xr, xi, re[reversed(k, bits)], im[reversed(k, bits)], c, s);
        assert_true(d <= tacit_fft_error(bits) * size);
        if (bits) worst = fmax(worst, d / (tacit_fft_error(bits) * size));
      }
      for (size_t j = 0; j < n; j++) re[reversed(j, bits)] = xr[j], im[reversed(j, bits)] = xi[j];
      tacit_fft_backward(fft, re, im);
      for (size_t k = 0; k < n; k += 1 + n / 64)
        assert_true(distance(n, k, +1, xr, xi, re[k], im[k], c, s) <= tacit_fft_error(bits) * size);
    }
    for (size_t j = 0; j < n; j++) mpfr_clears(c[j], s[j], (mpfr_ptr)0);
    tacit_fft_free(fft);
  }
  assert_true(worst > 1e-3); /* the bound is not idle */
}

static void there_and_back_is_n_times_the_input(void **state) {
  (void)state;
  int bits = 16;
  size_t n = (size_t)1 << bits;
  double *re = malloc(n * sizeof *re), *im = calloc(n, sizeof *im), *x = malloc(n * sizeof *x);
  tacit_fft *fft = tacit_fft_new(bits);
  assert_true(re && im && x && fft);
  for (size_t j = 0; j < n; j++) re[j] = x[j] = uniform();
  tacit_fft_forward(fft, re, im);
  tacit_fft_backward(fft, re, im);
  for (size_t j = 0; j < n; j++) assert_true(fabs(re[j] / (double)n - x[j]) < 1e-14 && fabs(im[j]) < 1e-9);
  tacit_fft_free(fft);
  free(re), free(im), free(x);
}

static void lengths_out_of_range_have_no_transform(void **state) {
  (void)state;
  assert_null(tacit_fft_new(-1));
  assert_null(tacit_fft_new(TACIT_FFT_BITS_MAX + 1));
  tacit_fft_free(NULL);
}

static int free_caches(void **state) {
  (void)state;
  mpfr_free_cache();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forward_and_backward_are_within_the_proved_bound),
      cmocka_unit_test(there_and_back_is_n_times_the_input),
      cmocka_unit_test(lengths_out_of_range_have_no_transform),
  };
  return cmocka_run_group_tests(tests, NULL, free_caches);
}
