/* Zhao, Zhou and Wang's synthetic demand: moments, quantiles, and exact regrets against a million simulated
 * rows. */
#include "study/zhao_model.h"

#include "loss/check.h"
#include "study/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { P = TACIT_ZHAO_COLUMNS, MANY = 1000000 };
static const double THETA[P] = {1.5, 1, -2.5, -1.5, 3};

static void begin(tacit_stream *stream, uint64_t seed) {
  tacit_noise_source source;
  tacit_noise_source_seeded(&source, seed);
  assert_int_equal(tacit_stream_begin(&source, stream, NULL), TACIT_OK);
}

/* Means and covariances of 200,000 rows: five standard errors of a product of normals are below 0.016. */
static void features_have_the_papers_covariance(void **state) {
  (void)state;
  enum { ROWS = 200000 };
  tacit_stream stream;
  begin(&stream, 1);
  double mean[P] = {0}, moment[P][P] = {{0}}, x[P];
  for (int i = 0; i < ROWS; i++) {
    tacit_zhao_draw(&stream, TACIT_ZHAO_T3, x);
    for (int j = 0; j < P; j++) {
      mean[j] += x[j] / ROWS;
      for (int k = 0; k < P; k++) moment[j][k] += x[j] * x[k] / ROWS;
    }
  }
  for (int j = 1; j < P; j++) {
    assert_near(mean[j], 0, 0.012);
    for (int k = 1; k < P; k++) assert_near(moment[j][k], pow(0.5, abs(j - k)), 0.016);
  }
}

/* The share of errors below each quantile, five standard errors. */
static void errors_have_their_quantiles(void **state) {
  (void)state;
  enum { ROWS = 200000 };
  for (int law = 0; law <= TACIT_ZHAO_HETERO; law++) {
    tacit_stream stream;
    begin(&stream, 2);
    const double tau[3] = {0.25, 0.5, 0.9};
    double q[3], below[3] = {0}, x[P];
    for (int k = 0; k < 3; k++) {
      q[k] = tacit_zhao_quantile((tacit_zhao_law)law, tau[k]);
      assert_near(tacit_zhao_cdf((tacit_zhao_law)law, q[k]), tau[k], 1e-14);
    }
    for (int i = 0; i < ROWS; i++) {
      double e = tacit_zhao_draw(&stream, (tacit_zhao_law)law, x);
      for (int j = 0; j < P; j++) e -= THETA[j] * x[j];
      for (int k = 0; k < 3; k++) below[k] += e <= q[k];
    }
    for (int k = 0; k < 3; k++) assert_near(below[k] / ROWS, tau[k], 5 * sqrt(tau[k] * (1 - tau[k]) / ROWS));
  }
  /* Tables of the normal and of Student's t. */
  assert_near(tacit_zhao_quantile(TACIT_ZHAO_NORMAL, 0.75), 0.674489750196082, 1e-13);
  assert_near(tacit_zhao_quantile(TACIT_ZHAO_T3, 0.75), 0.764892328404345, 1e-12);
}

static void the_best_policy_has_no_regret_and_others_have(void **state) {
  (void)state;
  for (int law = 0; law <= TACIT_ZHAO_HETERO; law++)
    for (int t = 1; t < 10; t++) {
      double b[P], tau = 0.1 * t;
      tacit_zhao_best((tacit_zhao_law)law, tau, b);
      assert_near(tacit_zhao_regret((tacit_zhao_law)law, tau, b), 0, 1e-9);
      for (int j = 0; j < P; j++)
        for (int side = -1; side <= 1; side += 2) {
          b[j] += 0.1 * side;
          assert_true(tacit_zhao_regret((tacit_zhao_law)law, tau, b) > 1e-5);
          b[j] -= 0.1 * side;
        }
    }
}

/* The paper averages over a million fresh rows; the integral must agree within four standard errors of that
   average (sixteen comparisons: a false alarm once in a thousand seeds, and the seed is fixed). */
static void regrets_agree_with_a_million_rows(void **state) {
  (void)state;
  static const double off[4][P] = {
      {0.2, 0, 0, 0, 0}, {0, 0.1, -0.1, 0.2, 0}, {-0.5, 0.3, 0.3, -0.2, 0.4}, {-1.5, -1, 2.5, 1.5, -3}};
  const double tau = 0.75;
  for (int law = 0; law <= TACIT_ZHAO_HETERO; law++) {
    double best[P], sum[4] = {0}, square[4] = {0}, x[P];
    tacit_stream stream;
    begin(&stream, 3);
    tacit_zhao_best((tacit_zhao_law)law, tau, best);
    for (int i = 0; i < MANY; i++) {
      double rest = tacit_zhao_draw(&stream, (tacit_zhao_law)law, x);
      for (int j = 0; j < P; j++) rest -= best[j] * x[j];
      for (int k = 0; k < 4; k++) {
        double more = 0;
        for (int j = 0; j < P; j++) more += off[k][j] * x[j];
        double excess = tacit_check_loss(tau, rest - more) - tacit_check_loss(tau, rest);
        sum[k] += excess;
        square[k] += excess * excess;
      }
    }
    for (int k = 0; k < 4; k++) {
      double b[P], mean = sum[k] / MANY, se = sqrt((square[k] / MANY - mean * mean) / MANY);
      for (int j = 0; j < P; j++) b[j] = best[j] + off[k][j];
      assert_near(tacit_zhao_regret((tacit_zhao_law)law, tau, b), mean, 4 * se);
    }
  }
}

static void a_shorter_sample_is_the_start_of_a_longer_one(void **state) {
  (void)state;
  tacit_sample *few = NULL, *more = NULL;
  tacit_stream stream;
  begin(&stream, 4);
  assert_int_equal(tacit_zhao_sample(&stream, TACIT_ZHAO_MIXTURE, 100, &few, NULL), TACIT_OK);
  begin(&stream, 4);
  assert_int_equal(tacit_zhao_sample(&stream, TACIT_ZHAO_MIXTURE, 150, &more, NULL), TACIT_OK);
  for (size_t i = 0; i < 100; i++) {
    assert_true(few->y[i] == more->y[i]);
    for (size_t j = 0; j < P; j++) assert_true(few->x[j * 100 + i] == more->x[j * 150 + i]);
  }
  tacit_sample_free(few);
  tacit_sample_free(more);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(features_have_the_papers_covariance),
      cmocka_unit_test(errors_have_their_quantiles),
      cmocka_unit_test(the_best_policy_has_no_regret_and_others_have),
      cmocka_unit_test(regrets_agree_with_a_million_rows),
      cmocka_unit_test(a_shorter_sample_is_the_start_of_a_longer_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
