/* Covariances of many columns: those that are definite stay as they are, others are raised to the floor. */
#include "learn/location_scale.h"
#include "num/linalg.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 270 };

/* Correlations of one common part: eigenvalues 1 - rho, and 1 + (d - 1) rho once; columns of several sizes.
 */
static void fill(size_t d, double rho, double *S) {
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < d; k++)
      S[j * d + k] = (j == k ? 1 : rho) * (double)(1 + j % 5) * (double)(1 + k % 5);
}

static double least_correlation(size_t d, const double *S) {
  static double E[MOST * MOST], ev[MOST];
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < d; k++) E[j * d + k] = S[j * d + k] / ((double)(1 + j % 5) * (double)(1 + k % 5));
  assert_true(tacit_eigen(d, E, ev));
  return ev[0];
}

static void few_and_many_columns_keep_to_the_floor(void **state) {
  (void)state;
  static double S[MOST * MOST], before[MOST * MOST];
  const size_t sizes[] = {3, 60, MOST};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int threads = 1; threads <= 2; threads++) {
      size_t d = sizes[s];
      fill(d, 0.7, S); /* least eigenvalue 0.3: above the floor */
      memcpy(before, S, sizeof S);
      assert_true(tacit_scaled_definite(d, S, threads));
      for (size_t i = 0; i < d * d; i++) assert_true(fabs(S[i] - before[i]) <= 1e-11 * 25);
      if (d == MOST) assert_memory_equal(S, before, d * d * sizeof *S); /* nobody looked for eigenvalues */
      fill(d, 0.9, S);                                                  /* 0.1: below it */
      assert_true(tacit_scaled_definite(d, S, threads));
      assert_true(fabs(least_correlation(d, S) - 0.2) < 1e-9);
    }
}

/* Noise that leaves many correlations indefinite makes all of them smaller, and no variance. */
static void noise_makes_correlations_smaller(void **state) {
  (void)state;
  static double S[MOST * MOST], before[MOST * MOST], other[MOST * MOST];
  uint64_t seed = 3;
  fill(MOST, 0, S);
  for (size_t j = 0; j < MOST; j++)
    for (size_t k = 0; k < j; k++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      S[j * MOST + k] = S[k * MOST + j] =
          0.3 * (double)(int64_t)seed * 0x1p-63 * (double)(1 + j % 5) * (double)(1 + k % 5);
    }
  memcpy(before, S, sizeof S);
  memcpy(other, S, sizeof S);
  assert_true(least_correlation(MOST, S) < -1);
  assert_true(tacit_scaled_definite(MOST, S, 1) && tacit_scaled_definite(MOST, other, 2));
  assert_memory_equal(S, other, sizeof S);
  double least = least_correlation(MOST, S), keep = S[1] / before[1];
  assert_true(least >= 0.2 - 1e-12 && least < 0.25 && keep > 0.1 && keep < 0.2);
  for (size_t j = 0; j < MOST; j++)
    for (size_t k = 0; k < MOST; k++)
      assert_true(S[j * MOST + k] == (j == k ? 1 : keep) * before[j * MOST + k] ||
                  fabs(S[j * MOST + k] - keep * before[j * MOST + k]) < 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(few_and_many_columns_keep_to_the_floor),
                                     cmocka_unit_test(noise_makes_correlations_smaller)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
