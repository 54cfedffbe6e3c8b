/* Wavelets against what is known of them: the filters' equations, Daubechies' values at whole and half
   numbers, orthonormal by quadrature, no response to polynomials, and never longer than they may be. */
#include "schema/wavelet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <string.h>

#include <cmocka.h>

enum { POINTS = 1 << 14 };

static double integral(const tacit_wavelet *w, size_t j, size_t k, size_t j2, size_t k2) {
  double sum = 0;
  for (int i = 0; i < POINTS; i++) {
    double t = (double)i / POINTS;
    sum += tacit_wavelet_at(w, j, k, t) * tacit_wavelet_at(w, j2, k2, t);
  }
  return sum / POINTS;
}

/* The integral of psi_jk psi_lm over the period is 2^-j where they are the same, else 0; that of psi_jk is 0.
   Straight lines between points cost the rough D4 some digits. */
static void they_are_orthogonal(void **state) {
  (void)state;
  enum { J = 4 };
  for (int f = 0; f < TACIT_WAVELET_FILTERS; f++) {
    tacit_wavelet *w = tacit_wavelet_new((tacit_wavelet_filter)f, J);
    for (size_t a = 1; a < 1 << J; a++) {
      size_t j = a >= 8 ? 3 : a >= 4 ? 2 : a >= 2, k = a - ((size_t)1 << j);
      double mean = 0;
      for (int i = 0; i < POINTS; i++) mean += tacit_wavelet_at(w, j, k, (double)i / POINTS) / POINTS;
      assert_true(fabs(mean) < 1e-9);
      for (size_t b = a; b < 1 << J; b++) {
        size_t l = b >= 8 ? 3 : b >= 4 ? 2 : b >= 2, m = b - ((size_t)1 << l);
        double expected = a == b ? ldexp(1, -(int)j) : 0, found = integral(w, j, k, l, m);
        if (!(fabs(found - expected) < 2e-3)) fail_msg("%d: %zu, %zu: %g", f, a, b, found);
      }
    }
    tacit_wavelet_free(w);
  }
}

/* Of D4: psi(x) = sqrt 2 sum (-1)^k h_(3-k) phi(2x - k) with phi(1) = (1 + sqrt 3)/2 and phi(2) = (1 - sqrt
   3)/2, the filter in closed form. */
static void values_of_d4_are_daubechies_s(void **state) {
  (void)state;
  double r = sqrt(3), h[4] = {(1 + r) / 4, (3 + r) / 4, (3 - r) / 4, (1 - r) / 4}; /* times 1 / sqrt 2 */
  double phi[4] = {0, (1 + r) / 2, (1 - r) / 2, 0};
  tacit_wavelet *w = tacit_wavelet_new(TACIT_WAVELET_D4, 1);
  for (int half = 0; half <= 6; half++) { /* x = half / 2: phi at whole numbers is enough */
    double expected = 0;
    for (int k = 0; k < 4; k++)
      if (half - k >= 0 && half - k <= 3) expected += (k % 2 ? -1 : 1) * h[3 - k] * phi[half - k];
    assert_true(fabs(w->value[half * TACIT_WAVELET_STEPS / 2] - expected) < 1e-12);
  }
  /* psi(1/2) = h_3 phi(1) = (1 - sqrt 3)(1 + sqrt 3)/8 = -1/4; psi(3/2) = -h_2 phi(2) + h_1 phi(1) = sqrt 3
   */
  assert_true(fabs(w->value[TACIT_WAVELET_STEPS / 2] + 0.25) < 1e-12);
  assert_true(fabs(w->value[3 * TACIT_WAVELET_STEPS / 2] - r) < 1e-12);
  tacit_wavelet_free(w);
}

/* The integral of x^m psi(x) is 0 for m below the number of vanishing moments, and not for that one. */
static void moments_vanish(void **state) {
  (void)state;
  for (int f = 0; f < TACIT_WAVELET_FILTERS; f++) {
    tacit_wavelet *w = tacit_wavelet_new((tacit_wavelet_filter)f, 1);
    size_t n = tacit_wavelet_moments((tacit_wavelet_filter)f);
    for (size_t m = 0; m <= n; m++) {
      double sum = 0, size = 0;
      for (size_t i = 0; i <= w->support * TACIT_WAVELET_STEPS; i++) {
        double x = (double)i / TACIT_WAVELET_STEPS, term = pow(x, (double)m) * w->value[i];
        sum += term;
        size += fabs(term);
      }
      if (m < n)
        assert_true(fabs(sum) < 1e-6 * size);
      else
        assert_true(fabs(sum) > 1e-4 * size);
    }
    tacit_wavelet_free(w);
  }
}

static void no_row_is_longer_than_its_levels(void **state) {
  (void)state;
  for (int f = 0; f < TACIT_WAVELET_FILTERS; f++)
    for (size_t levels = 1; levels <= TACIT_WAVELET_LEVELS; levels += 2) {
      tacit_wavelet *w = tacit_wavelet_new((tacit_wavelet_filter)f, levels);
      double out[127], longest = 0;
      for (int i = 0; i <= 5000; i++) {
        double square = 0;
        tacit_wavelet_encode(w, i / 5000.0, out);
        for (size_t k = 0; k < ((size_t)1 << levels) - 1; k++) {
          assert_true(fabs(out[k]) <= 1);
          square += out[k] * out[k];
        }
        longest = fmax(longest, square);
      }
      assert_true(longest <= (double)levels * (1 + 1e-12) && longest > 0.5 * (double)levels);
      double first[127];
      tacit_wavelet_encode(w, 0, first);
      tacit_wavelet_encode(w, 1, out);
      for (size_t k = 0; k < ((size_t)1 << levels) - 1; k++) assert_true(first[k] == out[k]);
      tacit_wavelet_free(w);
    }
}

static size_t columns_of(const char *text, tacit_status expected) {
  tacit_schema *schema = NULL;
  tacit_error error = {""};
  tacit_status status = tacit_schema_parse(text, strlen(text), &schema, &error);
  if (status != expected) fail_msg("%s", error.text);
  size_t columns = status == TACIT_OK ? tacit_schema_columns(schema) : 0;
  tacit_schema_free(schema);
  return columns;
}

#define SCHEMA(feature, more)                                                                                \
  "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 1}, \"features\": [{\"name\": \"x\", \"min\": 0, "    \
  "\"max\": 1, \"transform\": " feature "}]" more "}"
#define ROWS ", \"nominal_rows\": "

/* The least m with m^(2s + 1) >= n: 2^9 < 1000 <= 3^9, 9^3 < 1000 <= 10^3, 3^5 < 1000 <= 4^5. */
static void sizes_follow_the_number_of_rows(void **state) {
  (void)state;
  assert_int_equal(columns_of(SCHEMA("\"spline\", \"knots\": \"auto\"", ROWS "1000"), TACIT_OK), 1 + 3 + 3);
  assert_int_equal(columns_of(SCHEMA("\"spline\", \"knots\": \"auto\"", ROWS "512"), TACIT_OK), 1 + 2 + 3);
  assert_int_equal(
      columns_of(SCHEMA("\"spline\", \"knots\": \"auto\", \"degree\": 1", ROWS "1000"), TACIT_OK), 1 + 4 + 1);
  assert_int_equal(columns_of(SCHEMA("\"haar\", \"levels\": \"auto\"", ROWS "1000"), TACIT_OK), 16);
  assert_int_equal(
      columns_of(SCHEMA("\"wavelet\", \"filter\": \"D4\", \"levels\": \"auto\"", ROWS "1000"), TACIT_OK), 4);
  assert_int_equal(
      columns_of(SCHEMA("\"wavelet\", \"filter\": \"D8\", \"levels\": \"auto\"", ROWS "20000"), TACIT_OK), 4);
  assert_int_equal(columns_of(SCHEMA("\"haar\", \"levels\": \"auto\"", ROWS "9007199254740992"), TACIT_OK),
                   128);
  assert_int_equal(columns_of(SCHEMA("\"wavelet\", \"filter\": \"D8\", \"levels\": 7", ""), TACIT_OK), 128);
  columns_of(SCHEMA("\"spline\", \"knots\": \"auto\"", ""), TACIT_REFUSED);
  columns_of(SCHEMA("\"spline\", \"knots\": \"many\"", ROWS "9"), TACIT_BAD_INPUT);
  columns_of(SCHEMA("\"wavelet\", \"filter\": \"D6\", \"levels\": 2", ""), TACIT_BAD_INPUT);
  columns_of(SCHEMA("\"wavelet\", \"levels\": 2", ""), TACIT_BAD_INPUT);
  columns_of(SCHEMA("\"wavelet\", \"filter\": \"D4\", \"levels\": 8", ""), TACIT_BAD_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_are_orthogonal), cmocka_unit_test(values_of_d4_are_daubechies_s),
      cmocka_unit_test(moments_vanish), cmocka_unit_test(no_row_is_longer_than_its_levels),
      cmocka_unit_test(sizes_follow_the_number_of_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
