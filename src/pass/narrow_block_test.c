/* Rows in two bytes: a search for a contribution above the claimed radius, and sums against integers that
   cannot overflow. */
#include "pass/narrow_block.h"
#include "privacy/certificate.h"

#include "pass/draws_for_test.h"
#include "pass/score_sum.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

__extension__ typedef unsigned __int128 wide;

enum { P = 7, D = 5, BITS = 10, PAIRS = 6000 };

static int set_up(void **state) {
  (void)state;
  return begin_draws(7);
}

static tacit_design *rows_of(size_t n) {
  const tacit_schema schema = {.columns = P, .target_count = 1};
  tacit_design *design;
  assert_int_equal(tacit_design_new(&schema, NULL, TACIT_CELL_BITS, &design, NULL), TACIT_OK);
  for (size_t i = 0; i < n; i++) {
    double x[P] = {1}, y = any_number();
    for (size_t j = 1; j < P; j++) x[j] = any_number();
    assert_int_equal(tacit_design_add(design, x, &y, NULL), TACIT_OK);
  }
  return design;
}

/* A public matrix; a large one takes rows to the cells' bounds. */
static void any_matrix(double matrix[D * P]) {
  double size = pow(10, (double)pick(5) - 2);
  for (size_t k = 0; k < D * P; k++) matrix[k] = size * tacit_normal(&stream);
}

static tacit_design *narrow_of(const tacit_design *rows, const double *matrix) {
  const tacit_image image = {.matrix = matrix, .columns = D, .cell_bits = BITS, .narrow = true};
  tacit_design *narrow;
  assert_int_equal(tacit_design_transform(rows, &image, 2, &narrow, NULL), TACIT_OK);
  assert_true(narrow->narrow && (narrow->blocks == 0 || narrow->stored.block[0].narrow));
  return narrow;
}

/* Clip norms for each of the ways in which products are added, and beyond what the default learner takes. */
static tacit_score_pass any_pass(double coefficients[D], double *clip) {
  static const double taus[] = {0.01, 0.3, 0.5, 0.777, 0.99}, clips[] = {0.01, 0.5, 2.2, 3.9, 9, 14, 45, 1e3};
  tacit_score_pass pass = {.tau = taus[pick(5)],
                           .kernel = TACIT_KERNEL_GAUSSIAN,
                           .bandwidth = pow(10, -(double)pick(6)),
                           .coefficients = coefficients};
  for (size_t j = 0; j < D; j++) coefficients[j] = pick(3) ? tacit_normal(&stream) : any_number();
  *clip = clips[pick(8)];
  assert_int_equal(tacit_score_bound_set(&pass.bound, pass.tau, *clip, BITS, NULL), TACIT_OK);
  return pass;
}

static bool longer(const uint64_t *a, const uint64_t *b, double radius) {
  wide square = 0;
  for (size_t j = 0; j < D; j++) {
    int64_t d = (int64_t)a[j] - (b ? (int64_t)b[j] : 0);
    wide magnitude = (wide)(d < 0 ? -d : d);
    square += magnitude * magnitude;
  }
  return square > (wide)radius * (wide)radius;
}

static double sensitivity_of(const tacit_score_pass *pass, double clip, tacit_adjacency adjacency) {
  double sensitivity = NAN;
  tacit_mechanism m = {
      .kind = TACIT_RELEASE_SCORES, .level = pass->tau, .clip = clip, .bits = BITS + TACIT_SCORE_BITS};
  assert_int_equal(tacit_mechanism_sensitivity(&m, adjacency, 1, &sensitivity, NULL), TACIT_OK);
  return sensitivity;
}

static void no_pair_of_rows_moves_the_sum_further_than_claimed(void **state) {
  (void)state;
  double nearest = 0;
  for (int i = 0; i < PAIRS; i++) {
    double matrix[D * P], coefficients[D], clip;
    uint64_t sum[2][D];
    any_matrix(matrix);
    tacit_score_pass pass = any_pass(coefficients, &clip);
    for (int k = 0; k < 2; k++) {
      tacit_design *rows = rows_of(1), *narrow = narrow_of(rows, matrix);
      tacit_score_sum(narrow, &pass, 1, sum[k]);
      tacit_design_free(narrow);
      tacit_design_free(rows);
    }
    double once = sensitivity_of(&pass, clip, TACIT_ADD_REMOVE), norm = 0;
    assert_false(longer(sum[0], NULL, once));
    assert_false(longer(sum[0], sum[1], sensitivity_of(&pass, clip, TACIT_REPLACE_ONE)));
    for (size_t j = 0; j < D; j++) norm = hypot(norm, (double)(int64_t)sum[0][j]);
    nearest = fmax(nearest, norm / once);
  }
  assert_true(nearest > 0.99); /* the search comes close: the claim is tight, the test can fail */
}

/* Many rows, all of them alike and as long as they may be, so that parts in 32 bits are as large as they get:
   the sum is that of the rows one by one, in any order and by any number of threads. */
static void sums_are_those_of_the_rows(void **state) {
  (void)state;
  enum { N = 2 * TACIT_BLOCK + 5 };
  for (int turn = 0; turn < 40; turn++) {
    double matrix[D * P], coefficients[D], clip, x[P] = {1}, y = 0;
    uint64_t sum[D], one[D], all[D] = {0};
    any_matrix(matrix);
    tacit_score_pass pass = any_pass(coefficients, &clip);
    const tacit_schema schema = {.columns = P, .target_count = 1};
    tacit_design *rows = turn % 2 ? rows_of(N) : NULL;
    for (size_t j = 1; j < P; j++) x[j] = 8 * (pick(2) ? 1 : -1);
    if (!rows) {
      y = pick(2) ? -60 : 60;
      assert_int_equal(tacit_design_new(&schema, NULL, TACIT_CELL_BITS, &rows, NULL), TACIT_OK);
      for (size_t i = 0; i < N; i++) assert_int_equal(tacit_design_add(rows, x, &y, NULL), TACIT_OK);
    }
    tacit_design *narrow = narrow_of(rows, matrix), *single;
    for (size_t i = 0; i < N; i++) {
      double row[P], target;
      tacit_design_row(rows, i, row, &target);
      tacit_design *alone;
      assert_int_equal(tacit_design_new(&schema, NULL, TACIT_CELL_BITS, &alone, NULL), TACIT_OK);
      assert_int_equal(tacit_design_add(alone, row, &target, NULL), TACIT_OK);
      single = narrow_of(alone, matrix);
      tacit_score_sum(single, &pass, 1, one);
      for (size_t j = 0; j < D; j++) all[j] += one[j];
      tacit_design_free(single);
      tacit_design_free(alone);
    }
    for (int threads = 1; threads <= 3; threads++) {
      tacit_score_sum(narrow, &pass, threads, sum);
      assert_memory_equal(sum, all, sizeof sum);
    }
    tacit_design_free(narrow);
    tacit_design_free(rows);
  }
}

/* On ordinary rows the integer sum is the papers' sum up to the grid, in single precision and in doubles, and
   the counts beside it are those of the residuals. */
static void the_sum_is_the_clipped_gradient(void **state) {
  (void)state;
  enum { N = 1500 };
  const tacit_schema schema = {.columns = P, .target_count = 1};
  for (int fine = 0; fine < 2; fine++) {
    double unit = fine ? 1e-4 : 0.2, matrix[D * P], b[D], expected[D] = {0}, within = 0, below = 0;
    static double r[2 * TACIT_BLOCK];
    tacit_design *rows;
    assert_int_equal(tacit_design_new(&schema, NULL, TACIT_CELL_BITS, &rows, NULL), TACIT_OK);
    for (size_t k = 0; k < D * P; k++) matrix[k] = 0.5 * tacit_normal(&stream);
    for (size_t j = 0; j < D; j++) b[j] = unit * tacit_normal(&stream);
    for (size_t i = 0; i < N; i++) {
      double x[P] = {1}, y = 2 * unit * tacit_normal(&stream);
      for (size_t j = 1; j < P; j++) x[j] = tacit_normal(&stream);
      assert_int_equal(tacit_design_add(rows, x, &y, NULL), TACIT_OK);
    }
    tacit_design *narrow = narrow_of(rows, matrix);
    tacit_score_pass pass = {.tau = 0.7,
                             .kernel = TACIT_KERNEL_GAUSSIAN,
                             .bandwidth = unit,
                             .coefficients = b,
                             .offset = 0.3 * unit};
    tacit_side_counts counts = {.span = unit, .smoothing = 0.5 * unit};
    const double B = 2;
    assert_int_equal(tacit_score_bound_set(&pass.bound, pass.tau, B, BITS, NULL), TACIT_OK);
    for (size_t k = 0; k < narrow->blocks; k++)
      tacit_residuals(narrow, &narrow->stored.block[k], 0, b, unit, r + k * TACIT_BLOCK);
    for (size_t i = 0; i < N; i++) {
      const tacit_block *block = &narrow->stored.block[i / TACIT_BLOCK];
      double margin = pass.offset - ldexp(block->targets[i % TACIT_BLOCK], -TACIT_TARGET_BITS), norm = 0,
             x[D];
      for (size_t j = 0; j < D; j++) {
        x[j] = ldexp(block->narrow[j * TACIT_BLOCK + i % TACIT_BLOCK], -BITS);
        margin += x[j] * b[j];
        norm = hypot(norm, x[j]);
      }
      assert_true(fabs(r[i] - (pass.offset - margin)) < 1e-5 * unit);
      double weight = (tacit_kernel_cdf(pass.kernel, margin / unit) - pass.tau) * fmin(1, B / norm);
      for (size_t j = 0; j < D; j++) expected[j] += weight * x[j];
      within += fabs(margin) <= counts.span;
      below += tacit_kernel_cdf(pass.kernel, margin / counts.smoothing);
    }
    uint64_t sum[D];
    tacit_step_sum(narrow, &pass, 2, sum, &counts);
    for (size_t j = 0; j < D; j++)
      assert_true(fabs(ldexp((double)(int64_t)sum[j], -BITS - TACIT_SCORE_BITS) - expected[j]) < N * 1e-3);
    assert_true(within > 100 && fabs(ldexp((double)counts.within, -TACIT_SCORE_BITS) - within) <= 1);
    assert_true(fabs(ldexp((double)counts.below, -TACIT_SCORE_BITS) - below) < N * 0x1p-15);
    tacit_design_free(narrow);
    tacit_design_free(rows);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_pair_of_rows_moves_the_sum_further_than_claimed),
      cmocka_unit_test(sums_are_those_of_the_rows),
      cmocka_unit_test(the_sum_is_the_clipped_gradient),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
