/* Large tables take short cuts: a start on some rows, a kept Hessian, fixed signs. The fits are the same. */
#include "base/base.h"
#include "erm/erm.h"
#include "erm/erm_for_test.h"
#include "loss/check.h"

#include <lapacke.h>
#include <string.h>
#include <tacit/solvers.h>

enum { N = 40000, P = 6 };

static double residual(const tacit_sample *s, size_t i, const double *b) {
  double r = s->y[i];
  for (size_t j = 0; j < P; j++) r -= s->x[j * N + i] * b[j];
  return r;
}

static void assert_stationary(const tacit_sample *s, double tau, tacit_kernel kernel, double h) {
  double b[P], g[P] = {0}, norm = 0;
  assert_int_equal(tacit_erm_smooth(s, 0, &(const tacit_erm_loss){tau, kernel, h}, b, NULL, NULL), TACIT_OK);
  for (size_t i = 0; i < N; i++) {
    double slope = tacit_smooth_slope(kernel, tau, h, residual(s, i, b));
    for (size_t j = 0; j < P; j++) g[j] -= slope * s->x[j * N + i] / N;
  }
  for (size_t j = 0; j < P; j++) norm += g[j] * g[j];
  if (!(sqrt(norm) <= 1e-10)) fail_msg("kernel %d, tau %g, h %g: %g", (int)kernel, tau, h, sqrt(norm));
}

/* A proof from the fit alone: the rows it interpolates can balance the signs of all others. Needs as many of
   them as columns. */
static void assert_optimal(const tacit_sample *s, double tau, const double *b) {
  double rest[P] = {0}, left[P * P];
  size_t basic = 0;
  lapack_int pivots[P];
  for (size_t i = 0; i < N; i++) {
    double r = residual(s, i, b);
    if (fabs(r) <= 1e-12) {
      assert_true(basic < P);
      for (size_t j = 0; j < P; j++) left[basic * P + j] = s->x[j * N + i];
      basic++;
      continue;
    }
    for (size_t j = 0; j < P; j++) rest[j] -= (r > 0 ? tau : tau - 1) * s->x[j * N + i];
  }
  assert_int_equal(basic, P);
  assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, P, 1, left, P, pivots, rest, P), 0);
  for (size_t k = 0; k < P; k++) assert_true(rest[k] >= tau - 1 - 1e-8 && rest[k] <= tau + 1e-8);
}

static void fits_of_many_rows_are_minimisers(void **state) {
  (void)state;
  tacit_sample *s = draw(N, P, 1);
  double b[P];
  for (tacit_kernel kernel = 0; kernel < TACIT_KERNELS; kernel++)
    for (int power = 0; power >= -3; power--)
      assert_stationary(s, 0.3 + 0.1 * (int)kernel, kernel, pow(10, power));
  for (int level = 1; level < 20; level += 6) {
    assert_int_equal(tacit_erm_exact(s, 0, 0.05 * level, b, NULL, NULL), TACIT_OK);
    assert_optimal(s, 0.05 * level, b);
  }
  discard(s);
}

static const double *keys;
static int by_key(const void *a, const void *b) {
  double u = keys[*(const size_t *)a], v = keys[*(const size_t *)b];
  return u < v ? -1 : u > v;
}

/* In order of demand no piece of the table looks like the whole. */
static void sorted_rows_are_fitted(void **state) {
  (void)state;
  tacit_sample *s = draw(N, P, 2);
  size_t *order = calloc(N, sizeof *order);
  double *copy = calloc(N, sizeof *copy), b[P], c[P];
  assert_true(order && copy);
  assert_int_equal(tacit_erm_exact(s, 0, 0.9, b, NULL, NULL), TACIT_OK);
  for (size_t i = 0; i < N; i++) order[i] = i;
  keys = s->y;
  qsort(order, N, sizeof *order, by_key);
  for (size_t j = 0; j <= P; j++) {
    double *column = j < P ? s->x + j * N : s->y;
    for (size_t i = 0; i < N; i++) copy[i] = column[order[i]];
    memcpy(column, copy, N * sizeof *copy);
  }
  assert_stationary(s, 0.9, TACIT_KERNEL_GAUSSIAN, 0.01);
  assert_int_equal(tacit_erm_exact(s, 0, 0.9, c, NULL, NULL), TACIT_OK);
  assert_optimal(s, 0.9, c);
  for (size_t j = 0; j < P; j++) assert_true(fabs(b[j] - c[j]) <= 1e-11);
  free(order);
  free(copy);
  discard(s);
}

/* A level that a start on some rows does not see, an outlier, and a column that repeats another. */
static void odd_columns_are_fitted(void **state) {
  (void)state;
  tacit_sample *s = draw(N, P, 3);
  double b[P];
  for (size_t i = 0; i < N; i++) s->x[3 * N + i] = i % 4001 == 130;
  s->x[2 * N + 777] = 1e4;
  assert_stationary(s, 0.6, TACIT_KERNEL_GAUSSIAN, 0.01);
  assert_int_equal(tacit_erm_exact(s, 0, 0.6, b, NULL, NULL), TACIT_OK);
  /* six in ten rows of that level lie below: on a flat side the simplex method alone finds a corner */
  if (tacit_load_solvers(NULL) == TACIT_OK) assert_optimal(s, 0.6, b);
  for (size_t i = 0; i < N; i++) s->x[3 * N + i] = s->x[N + i];
  assert_stationary(s, 0.6, TACIT_KERNEL_LOGISTIC, 0.01);
  double two[P];
  s->columns = 3;
  assert_int_equal(tacit_erm_exact(s, 0, 0.6, b, NULL, NULL), TACIT_OK);
  double least = tacit_check_objective(s, 0, 0.6, b);
  memcpy(s->x + (size_t)2 * N, s->x + N, N * sizeof *s->x);
  s->columns = 2;
  assert_int_equal(tacit_erm_exact(s, 0, 0.6, b, NULL, NULL), TACIT_OK);
  s->columns = 3;
  assert_int_equal(tacit_erm_exact(s, 0, 0.6, two, NULL, NULL), TACIT_OK);
  assert_true(tacit_check_objective(s, 0, 0.6, two) >= least);
  s->columns = 2;
  double lean = tacit_check_objective(s, 0, 0.6, b);
  s->columns = 3;
  assert_true(fabs(tacit_check_objective(s, 0, 0.6, two) - lean) <= 1e-10 * lean);
  discard(s);
}

static void threads_do_not_change_a_bit(void **state) {
  (void)state;
  tacit_sample *s = draw(N, P, 4);
  tacit_context context;
  double b[3][P];
  tacit_context_init(&context);
  for (int threads = 1; threads <= 3; threads++) {
    context.threads = threads;
    assert_int_equal(tacit_erm_smooth(s, 0, &(const tacit_erm_loss){0.7, TACIT_KERNEL_GAUSSIAN, 0.02},
                                      b[threads - 1], &context, NULL),
                     TACIT_OK);
  }
  assert_memory_equal(b[0], b[1], sizeof b[0]);
  assert_memory_equal(b[0], b[2], sizeof b[0]);
  for (int threads = 1; threads <= 3; threads++) {
    context.threads = threads;
    assert_int_equal(tacit_erm_exact(s, 0, 0.7, b[threads - 1], &context, NULL), TACIT_OK);
  }
  assert_memory_equal(b[0], b[1], sizeof b[0]);
  assert_memory_equal(b[0], b[2], sizeof b[0]);
  discard(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fits_of_many_rows_are_minimisers),
      cmocka_unit_test(sorted_rows_are_fitted),
      cmocka_unit_test(odd_columns_are_fitted),
      cmocka_unit_test(threads_do_not_change_a_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
