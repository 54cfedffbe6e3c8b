/* The plain loops against OpenBLAS and LAPACK: the same to rounding, for every size around their unrolled
   loops, columns further apart than they are long, and matrices that have no inverse. */
#include "num/small.h"

#include "num/dense.h"
#include "num/linalg.h"
#include "num/solvers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 37, GAP = 3, TALL = MOST + GAP };

static double noise(size_t k) {
  double x = sin(12.9898 * (double)(k + 1)) * 43758.5453;
  return x - floor(x) - 0.5;
}

static void fill(size_t count, double *a, size_t seed) {
  for (size_t k = 0; k < count; k++) a[k] = noise(k + 1000 * seed);
}

static void near(size_t count, const double *a, const double *b, double most) {
  for (size_t k = 0; k < count; k++) assert_true(fabs(a[k] - b[k]) <= most);
}

static void needs_algebra(void) {
  if (!tacit_have_algebra()) skip(); /* nothing to compare with */
}

static void products_agree(void **state) {
  (void)state;
  needs_algebra();
  double a[TALL], b[TALL], x[TALL * MOST], one[TALL * MOST], two[TALL * MOST];
  for (size_t n = 0; n <= MOST; n++) {
    fill(TALL, a, n);
    fill(TALL, b, n + 50);
    assert_true(fabs(tacit_small_dot(n, a, b) - tacit_dense_dot(n, a, b)) <= 1e-15 * (double)n);
    assert_true(fabs(tacit_small_norm(n, a) - tacit_dense_norm(n, a)) <= 1e-15 * (double)n);
    fill(TALL * MOST, x, n + 100);
    fill(TALL * MOST, one, n + 150);
    memcpy(two, one, sizeof two);
    tacit_small_add_gram(MOST, n, x, TALL, one, TALL);
    tacit_dense_add_gram(MOST, n, x, TALL, two, TALL);
    near(TALL * MOST, one, two, 1e-13);
  }
  double wide[3] = {3e200, 4e200, 0}, narrow[2] = {3e-200, 4e-200}, odd[2] = {1, NAN};
  assert_true(fabs(tacit_small_norm(3, wide) / 5e200 - 1) < 1e-15);
  assert_true(fabs(tacit_small_norm(2, narrow) / 5e-200 - 1) < 1e-15);
  assert_true(isnan(tacit_small_norm(2, odd)));
}

static void triangles_agree(void **state) {
  (void)state;
  needs_algebra();
  double u[TALL * MOST], one[TALL * MOST], two[TALL * MOST];
  for (size_t n = 1; n <= MOST; n++) {
    fill(TALL * MOST, u, n);
    for (size_t k = 0; k < n; k++) u[k * (TALL + 1)] += 4;
    fill(TALL * MOST, one, n + 50);
    memcpy(two, one, sizeof two);
    tacit_small_divide(MOST, n, u, TALL, one, TALL);
    tacit_dense_divide(MOST, n, u, TALL, two, TALL);
    near(TALL * MOST, one, two, 1e-13);
  }
}

static void solutions_agree(void **state) {
  (void)state;
  needs_algebra();
  double a[MOST * MOST], one[MOST * MOST], two[MOST * MOST], b[MOST], x[MOST], y[MOST];
  for (size_t n = 1; n <= MOST; n++) {
    fill(n * n, a, n);
    for (size_t k = 0; k < n; k++) a[k * n + (k + 1) % n] += 3; /* the diagonal is no good pivot */
    fill(n, b, n + 50);
    memcpy(one, a, sizeof a);
    memcpy(two, a, sizeof a);
    memcpy(x, b, sizeof b);
    memcpy(y, b, sizeof b);
    assert_true(tacit_small_solve(n, one, x) && tacit_dense_solve(n, two, y));
    near(n, x, y, 1e-13);
  }
  double singular[4] = {1, 2, 2, 4}, right[2] = {1, 1};
  assert_false(tacit_small_solve(2, singular, right));
}

/* Where a is positive definite, the same triangle as ever; a column that is the sum of two others is left
   out, and what is left solves the equations all the same. */
static void dependent_columns_are_left_out(void **state) {
  (void)state;
  enum { N = 12 };
  double x[TALL * N], a[N * N] = {0}, l[N * N], b[N], sum;
  fill(TALL * N, x, 3);
  tacit_small_add_gram(TALL, N, x, TALL, a, N);
  memcpy(l, a, sizeof l);
  tacit_small_cholesky(N, l);
  assert_true(tacit_cholesky(N, a, N));
  for (size_t j = 0; j < N; j++) near(N - j, l + j * N + j, a + j * N + j, 1e-14);
  for (size_t i = 0; i < TALL; i++) x[7 * TALL + i] = x[2 * TALL + i] + x[4 * TALL + i];
  memset(a, 0, sizeof a);
  tacit_small_add_gram(TALL, N, x, TALL, a, N);
  memcpy(l, a, sizeof l);
  tacit_small_cholesky(N, l);
  for (size_t j = 0; j < N; j++) b[j] = tacit_small_dot(TALL, x + j * TALL, x);
  tacit_solve_lower(N, l, N, b);
  tacit_solve_lower_turned(N, l, N, b);
  assert_true(fabs(b[7]) < 1e-60);
  for (size_t j = 0; j < N; j++) {
    sum = 0;
    for (size_t k = 0; k < N; k++) sum += (k < j ? a[k * N + j] : a[j * N + k]) * b[k];
    assert_true(fabs(sum - tacit_small_dot(TALL, x + j * TALL, x)) < 1e-12);
  }
}

/* R is the same but for the signs of its rows, and Q'c too. */
static void reflections_agree(void **state) {
  (void)state;
  needs_algebra();
  double a[TALL * MOST], b[TALL * MOST], factors[MOST], others[MOST], c[TALL], d[TALL];
  int order[MOST], other[MOST];
  for (size_t n = 1; n <= MOST; n++)
    for (int ordered = 0; ordered < 2; ordered++) {
      size_t m = ordered ? n : TALL;
      fill(TALL * MOST, a, n);
      for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < TALL; i++) a[j * TALL + i] *= 1 + (double)((7 * j) % n);
      memcpy(b, a, sizeof b);
      fill(TALL, c, n + 50);
      memcpy(d, c, sizeof d);
      if (ordered) {
        assert_true(tacit_small_qr_ordered(n, n, a, TALL, order, factors));
        assert_true(tacit_dense_qr_ordered(n, b, TALL, other, others));
        assert_memory_equal(order, other, n * sizeof *order);
        tacit_small_turn(n, n, a, TALL, factors, c);
        assert_true(tacit_dense_turn(n, b, TALL, others, d));
      } else {
        assert_true(tacit_small_qr(m, n, a, TALL, factors) && tacit_dense_qr(m, n, b, TALL, others));
      }
      for (size_t i = 0; i < n; i++) {
        double sign = a[i * (TALL + 1)] * b[i * (TALL + 1)] < 0 ? -1 : 1;
        for (size_t j = i; j < n; j++)
          assert_true(fabs(a[j * TALL + i] - sign * b[j * TALL + i]) < 1e-11 * (double)n);
        if (ordered) assert_true(fabs(c[i] - sign * d[i]) < 1e-12 * (double)n);
      }
      fill(TALL, c, n);
      memcpy(d, c, sizeof d);
      tacit_small_turn(m, n, a, TALL, factors, c);
      tacit_small_turn_back(m, n, a, TALL, factors, c);
      near(m, c, d, 1e-13);
    }
  a[5] = INFINITY;
  assert_false(tacit_small_qr(TALL, MOST, a, TALL, factors));
}

/* Fewer equations than unknowns, some of them said twice: the shortest solution. */
static void shortest_solutions_agree(void **state) {
  (void)state;
  needs_algebra();
  double a[MOST * MOST], b[MOST * MOST], x[MOST], y[MOST], room[MOST];
  for (size_t p = 1; p <= MOST; p += 3)
    for (size_t m = 1; m <= p; m++) {
      fill(p * p, a, p + m);
      fill(p, x, p);
      if (m > 3) {
        for (size_t j = 0; j < p; j++) a[j * p + 2] = 2 * a[j * p + 1];
        x[2] = 2 * x[1];
      }
      memcpy(b, a, sizeof b);
      memcpy(y, x, sizeof y);
      assert_true(tacit_small_shortest(m, p, a, x) && tacit_dense_shortest(m, p, b, y, room));
      double size = 1 + tacit_small_norm(p, y);
      near(p, x, y, 1e-9 * size * size);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_agree),    cmocka_unit_test(triangles_agree),
      cmocka_unit_test(solutions_agree),   cmocka_unit_test(dependent_columns_are_left_out),
      cmocka_unit_test(reflections_agree), cmocka_unit_test(shortest_solutions_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
