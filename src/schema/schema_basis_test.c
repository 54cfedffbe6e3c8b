/* The bases: partition of unity, agreement with their definitions, orthogonality, periods, and totality. */
#include "schema/schema.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* needs the headers above */

/* A schema with the one feature given as JSON. */
static tacit_schema *with_feature(const char *feature) {
  char text[1000];
  int length =
      snprintf(text, sizeof text,
               "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 1}, \"features\": [%s]}", feature);
  tacit_schema *schema;
  tacit_error error;
  if (tacit_schema_parse(text, (size_t)length, &schema, &error) != TACIT_OK) fail_msg("%s", error.text);
  return schema;
}

/* Cox and de Boor's recursion as it is written, on knots in the user's own units. */
static double cox_de_boor(const double *t, size_t i, size_t degree, double x, size_t last) {
  if (degree == 0) return (t[i] <= x && x < t[i + 1]) || (i == last && x == t[i + 1]);
  double rising = t[i + degree] - t[i], falling = t[i + degree + 1] - t[i + 1], sum = 0;
  if (rising > 0) sum += (x - t[i]) / rising * cox_de_boor(t, i, degree - 1, x, last);
  if (falling > 0) sum += (t[i + degree + 1] - x) / falling * cox_de_boor(t, i + 1, degree - 1, x, last);
  return sum;
}

static void check_spline(size_t degree, const char *knots, const double *interior, size_t count) {
  char text[300];
  snprintf(text, sizeof text,
           "{\"name\": \"a\", \"transform\": \"spline\", \"min\": -15, \"max\": 40, \"degree\": %zu, "
           "\"knots\": %s}",
           degree, knots);
  tacit_schema *schema = with_feature(text);
  const tacit_feature *feature = &schema->features[0];
  assert_int_equal(feature->width, count + degree);
  double t[40], out[40];
  size_t n = 0;
  for (size_t i = 0; i <= degree; i++) t[n++] = -15;
  for (size_t i = 0; i < count; i++) t[n++] = interior[i];
  for (size_t i = 0; i <= degree; i++) t[n++] = 40;
  for (int step = -20; step <= 240; step++) {
    double x = -15 + 55.0 * step / 220, inside = fmin(fmax(x, -15), 40), sum = 0;
    tacit_feature_encode(feature, x, out);
    for (size_t k = 0; k < feature->width; k++) {
      assert_true(fabs(out[k] - cox_de_boor(t, k + 1, degree, inside, degree + count)) < 1e-13);
      sum += out[k];
    }
    assert_true(fabs(sum + cox_de_boor(t, 0, degree, inside, degree + count) - 1) < 1e-13);
  }
  tacit_feature_encode(feature, 40, out);
  assert_true(out[feature->width - 1] == 1);
  tacit_feature_encode(feature, -15, out);
  for (size_t k = 0; k < feature->width; k++) assert_true(out[k] == 0);
  tacit_schema_free(schema);
}

static void splines_follow_cox_and_de_boor(void **state) {
  (void)state;
  const double even[] = {-4, 7, 18, 29}, uneven[] = {-14.9, 0, 1, 39};
  for (size_t degree = 1; degree <= 5; degree++) {
    check_spline(degree, "4", even, 4);
    check_spline(degree, "[-14.9, 0, 1, 39]", uneven, 4);
    check_spline(degree, "0", NULL, 0);
    check_spline(degree, "[]", NULL, 0);
  }
}

static void polynomials_are_powers(void **state) {
  (void)state;
  tacit_schema *schema =
      with_feature("{\"name\": \"a\", \"transform\": \"polynomial\", \"min\": 2, \"max\": 6, \"degree\": 9}");
  double out[9];
  tacit_feature_encode(&schema->features[0], 5, out);
  for (int k = 0; k < 9; k++) assert_true(out[k] == ldexp(1, -k - 1));
  tacit_feature_encode(&schema->features[0], -100, out);
  for (int k = 0; k < 9; k++) assert_true(out[k] == (k % 2 ? 1 : -1));
  tacit_schema_free(schema);
}

/* On a dyadic grid of midpoints the steps are orthogonal to each other and to the intercept, with squared
   norm 2^-j of the grid: all sums are of small integers, hence exact. */
static void haar_steps_are_orthogonal(void **state) {
  (void)state;
  tacit_schema *schema =
      with_feature("{\"name\": \"a\", \"transform\": \"haar\", \"min\": 3, \"max\": 5, \"levels\": 4}");
  enum { GRID = 64, WIDTH = 15 };
  double out[WIDTH], gram[WIDTH][WIDTH] = {{0}}, mean[WIDTH] = {0};
  for (int i = 0; i < GRID; i++) {
    tacit_feature_encode(&schema->features[0], 3 + 2 * (i + 0.5) / GRID, out);
    for (int a = 0; a < WIDTH; a++) {
      mean[a] += out[a];
      for (int b = 0; b < WIDTH; b++) gram[a][b] += out[a] * out[b];
    }
  }
  for (int a = 0; a < WIDTH; a++) {
    assert_true(mean[a] == 0);
    for (int b = 0; b < WIDTH; b++) assert_true(gram[a][b] == (a == b ? GRID >> ilogb(a + 1) : 0));
  }
  /* The ends belong to the first and to the last step of each scale; the middle starts the second half. */
  tacit_feature_encode(&schema->features[0], 3, out);
  assert_true(out[0] == 1 && out[1] == 1 && out[3] == 1 && out[7] == 1 && out[8] == 0);
  tacit_feature_encode(&schema->features[0], 5, out);
  assert_true(out[0] == -1 && out[2] == -1 && out[6] == -1 && out[14] == -1 && out[13] == 0);
  tacit_feature_encode(&schema->features[0], 4, out);
  assert_true(out[0] == -1 && out[1] == 0 && out[2] == 1 && out[5] == 1);
  tacit_schema_free(schema);
}

static void fourier_is_periodic(void **state) {
  (void)state;
  tacit_schema *schema =
      with_feature("{\"name\": \"a\", \"transform\": \"fourier\", \"period\": 7, \"harmonics\": 32}");
  const double turn = 2 * acos(-1);
  double here[64], there[64];
  for (int i = -50; i <= 50; i++) {
    double x = i / 4.0; /* exact, and so is x + 7 k */
    tacit_feature_encode(&schema->features[0], x, here);
    for (size_t k = 1; k <= 32; k++) {
      assert_true(fabs(here[2 * k - 2] - sin(turn * (double)k * x / 7)) < 1e-12);
      assert_true(fabs(here[2 * k - 1] - cos(turn * (double)k * x / 7)) < 1e-12);
    }
    for (int k = -3; k <= 3; k++) {
      tacit_feature_encode(&schema->features[0], x + 7.0e6 * k, there);
      for (int j = 0; j < 64; j++) assert_true(fabs(here[j] - there[j]) < 1e-13);
    }
  }
  tacit_schema_free(schema);
  schema = with_feature("{\"name\": \"a\", \"transform\": \"fourier\", \"period\": 7, \"harmonics\": 1, "
                        "\"min\": 0, \"max\": 2}");
  tacit_feature_encode(&schema->features[0], 2, here);
  tacit_feature_encode(&schema->features[0], 99, there);
  assert_memory_equal(here, there, 2 * sizeof *here);
  tacit_schema_free(schema);
}

static void every_number_has_an_encoding(void **state) {
  (void)state;
  static const char *const scales[] = {"\"min\": -1e99, \"max\": 3e99", "\"min\": 0, \"max\": 3e-100",
                                       "\"min\": -15, \"max\": 40", "\"min\": 1e6, \"max\": 1000001"};
  static const char *const kinds[] = {"",
                                      "\"transform\": \"spline\", \"knots\": 7,",
                                      "\"transform\": \"polynomial\", \"degree\": 9,",
                                      "\"transform\": \"haar\", \"levels\": 7,",
                                      "\"transform\": \"fourier\", \"period\": 1e-100, \"harmonics\": 32,",
                                      "\"transform\": \"fourier\", \"period\": 365.25, \"harmonics\": 3,"};
  static const double extremes[] = {0,       -0.0,        1,      -15,  40,    0.1,   5e-324,
                                    DBL_MIN, DBL_EPSILON, 1e-100, 1e99, 1e100, 1e308, DBL_MAX};
  double out[128];
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    for (size_t s = 0; s <= sizeof scales / sizeof *scales; s++) {
      if (s == 4 && k < 4) continue; /* only Fourier does without bounds */
      char text[300];
      snprintf(text, sizeof text, "{%s %s%s \"name\": \"a\"}", kinds[k], s < 4 ? scales[s] : "",
               s < 4 ? "," : "");
      tacit_schema *schema = with_feature(text);
      for (size_t i = 0; i < 2 * sizeof extremes / sizeof *extremes; i++) {
        tacit_feature_encode(&schema->features[0], i % 2 ? -extremes[i / 2] : extremes[i / 2], out);
        for (size_t j = 0; j < schema->features[0].width; j++) assert_true(out[j] >= -1 && out[j] <= 1);
      }
      tacit_schema_free(schema);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(splines_follow_cox_and_de_boor), cmocka_unit_test(polynomials_are_powers),
      cmocka_unit_test(haar_steps_are_orthogonal),      cmocka_unit_test(fourier_is_periodic),
      cmocka_unit_test(every_number_has_an_encoding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
