/* The pass against plain sums: every column count around the tiles, bandwidths from all rows to few, all rows
   and some of the blocks. */
#include "erm/smooth_pass.h"

#include "loss/check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { N = 5003, MOST = 13 };
static const double TAU = 0.7;
/* What a sum of up to 1024 rows in single precision may lose, relative to the sum of the sizes, if it is
   taken one by one; a row too many or too few would show. */
static const double SINGLE = 1030 * 0x1p-24;

static double uniform(uint64_t *seed) {
  *seed = *seed * 6364136223846793005U + 1442695040888963407U;
  return ((double)(*seed >> 11) + 0.5) * 0x1p-53;
}

static double *draw(size_t p) {
  double *x = calloc((p + 1) * N, sizeof *x);
  assert_non_null(x);
  uint64_t seed = p;
  for (size_t i = 0; i < (p + 1) * N; i++) x[i] = i < N ? 1 : 2 * uniform(&seed) - 1;
  return x; /* the last column is y */
}

/* Whether the pass takes row i. */
static bool taken(const tacit_smooth_pass *pass, size_t i) {
  return i / pass->rows % pass->every == 0;
}

static void assert_sums(const tacit_smooth_pass *pass, double h, const double *b) {
  size_t p = pass->p, count = 0;
  int order[MOST];
  double g[MOST], s[MOST * MOST], want_g[MOST] = {0}, want_s[MOST * MOST] = {0}, want = 0;
  for (size_t j = 0; j < p; j++) order[j] = (int)(p - 1 - j);
  tacit_smooth_columns columns = {order, p, NULL};
  double value = tacit_smooth_pass_run(pass, h, b, g, &columns, s);
  for (size_t i = 0; i < N; i++) {
    if (!taken(pass, i)) continue;
    double r = pass->y[i];
    for (size_t j = 0; j < p; j++) r -= pass->x[j * N + i] * b[j];
    double w = tacit_kernel_density(pass->kernel, r / h) / h;
    want += fmax(TAU * r, (TAU - 1) * r) + h * tacit_kernel_excess(pass->kernel, r / h);
    count++;
    for (size_t j = 0; j < p; j++) {
      want_g[j] -= tacit_smooth_slope(pass->kernel, TAU, h, r) * pass->x[j * N + i];
      for (size_t k = 0; k <= j; k++)
        want_s[k * p + j] += w * pass->x[(size_t)order[j] * N + i] * pass->x[(size_t)order[k] * N + i];
    }
  }
  assert_int_equal(count, pass->taken);
  assert_true(fabs(value - want) <= 1e-12 * want);
  for (size_t j = 0; j < p; j++) {
    assert_true(fabs(g[j] - want_g[j]) <= 1e-12 * (double)count);
    for (size_t k = 0; k <= j; k++)
      assert_true(fabs(s[k * p + j] - want_s[k * p + j]) <=
                  SINGLE * sqrt(want_s[k * (p + 1)] * want_s[j * (p + 1)]));
  }
}

static void assert_gram(const tacit_smooth_pass *pass) {
  size_t side = pass->p + 1;
  double gram[(MOST + 1) * (MOST + 1)];
  tacit_smooth_pass_gram(pass, gram);
  for (size_t j = 0; j < side; j++)
    for (size_t k = 0; k <= j; k++) {
      double want = 0;
      for (size_t i = 0; i < N; i++)
        if (taken(pass, i)) want += pass->x[j * N + i] * pass->x[k * N + i]; /* y follows the columns */
      assert_true(fabs(gram[k * side + j] - want) <= SINGLE * (double)pass->taken);
    }
}

static void sums_are_what_plain_loops_give(void **state) {
  (void)state;
  for (size_t p = 1; p <= MOST; p++) {
    double *x = draw(p), b[MOST];
    for (size_t j = 0; j < p; j++) b[j] = 0.3 / (double)(j + 1);
    for (tacit_kernel kernel = 0; kernel < TACIT_KERNELS; kernel++) {
      tacit_smooth_pass pass;
      const tacit_smooth_table table = {x, x + p * N, N, p};
      assert_int_equal(tacit_smooth_pass_open(&pass, &table, TAU, kernel, 2, NULL), TACIT_OK);
      assert_int_equal(pass.taken, N);
      for (int power = 0; power >= -2; power--) {
        assert_sums(&pass, pow(10, power), b);
        tacit_smooth_pass some = tacit_smooth_pass_thin(&pass, 3), few = tacit_smooth_pass_thin(&some, 2);
        assert_int_equal(few.every, 6);
        assert_sums(&some, pow(10, power), b);
        assert_sums(&few, pow(10, power), b);
        assert_gram(power ? &few : &pass);
      }
      tacit_smooth_pass_close(&pass);
    }
    free(x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_what_plain_loops_give)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
