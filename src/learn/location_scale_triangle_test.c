/* Whitening by a triangle: it whitens, says how long its columns are, and leaves what is not for it. */
#include "learn/location_scale.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { D = TACIT_MANY_COLUMNS + 3 };
static double S[D * D], back[D * D], W[D * D], size[D], apart[D], gamma_of[D];

static const tacit_scaled WHITE = {
    .newton = {.d = D, .W = W, .gamma = gamma_of}, .S = S, .back = back, .size = size, .apart = apart};

static tacit_scaled make(tacit_task *task, const tacit_schema *schema, double rho) {
  for (size_t j = 0; j < D; j++)
    for (size_t k = 0; k < D; k++)
      S[j * D + k] = pow(rho, fabs((double)j - (double)k)) * (double)(1 + j % 3) * (double)(1 + k % 3);
  tacit_scaled scaled = WHITE;
  scaled.newton.task = task;
  scaled.newton.schema = schema;
  return scaled;
}

static void rows_are_white(void **state) {
  (void)state;
  static double half[D * D];
  tacit_task task = {0};
  const tacit_schema schema = {0};
  const double worth = 1e-5;
  tacit_scaled scaled = make(&task, &schema, 0.5);
  assert_true(tacit_scaled_triangle(&scaled, worth));
  for (size_t j = 0; j < D; j++)
    for (size_t k = 0; k < D; k++)
      for (size_t l = 0; l <= k; l++) half[j * D + k] += (S[j * D + l] + worth * (j == l)) * W[l * D + k];
  for (size_t k = 0; k < D; k++) {
    double in_W = 0, in_back = 0;
    for (size_t j = 0; j < D; j++) {
      double white = 0, one = 0;
      for (size_t l = 0; l < D; l++) {
        white += W[l * D + k] * half[l * D + j];
        one += W[l * D + k] * back[l * D + j];
      }
      assert_true(fabs(white - (j == k)) < 1e-10 && fabs(one - (j == k)) < 1e-10);
      if (j > k) assert_true(W[j * D + k] == 0);
      in_W += W[j * D + k] * W[j * D + k];
      in_back += back[j * D + k] * back[j * D + k];
    }
    assert_true(fabs(apart[k] * in_W - 1) < 1e-12 && fabs(size[k] / in_back - 1) < 1e-12);
    assert_true(fabs(gamma_of[k] - (1 - worth * in_W)) < 1e-12);
  }
}

/* Few columns; directions that are worth little; a level whose column would be cut; no triangle at all. */
static void others_are_left(void **state) {
  (void)state;
  tacit_task task = {0};
  tacit_feature level = {.kind = TACIT_FEATURE_CATEGORY, .first = 4, .width = 2};
  const tacit_schema schema = {0}, with_level = {.features = &level, .feature_count = 1};
  tacit_scaled scaled = make(&task, &schema, 0.5);
  assert_false(tacit_scaled_triangle(&scaled, 0.01));
  scaled.newton.d = TACIT_MANY_COLUMNS - 1;
  assert_false(tacit_scaled_triangle(&scaled, 1e-9));
  scaled = make(&task, &with_level, 0.5);
  assert_true(tacit_scaled_triangle(&scaled, 1e-9));
  for (size_t j = 0; j < D; j++) S[3 * D + j] /= 100, S[j * D + 3] /= 100; /* its column is divided by 0.01 */
  assert_false(tacit_scaled_triangle(&scaled, 1e-9));
  scaled.newton.schema = &schema;
  assert_true(tacit_scaled_triangle(&scaled, 1e-9));
  S[D + 1] = -1;
  assert_false(tacit_scaled_triangle(&scaled, 1e-9));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_white),
      cmocka_unit_test(others_are_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
