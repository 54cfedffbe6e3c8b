/* The integer design: exact norms, zero rows for what cannot be encoded, the layout; and the plain sample. */
#include "data/design.h"

#include "base/base.h"
#include "data/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* last: it needs the others */
#include <cmocka.h>

enum { MOST = 2048 };

static uint64_t draw(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545F4914F6CDD1DULL;
}

static double uniform(uint64_t *state) {
  return (double)(draw(state) >> 11) * 0x1p-53 * 2 - 1;
}

static tacit_design *design_of(size_t columns, size_t targets, const double *whiten, int bits) {
  const tacit_schema schema = {.columns = columns, .target_count = targets}; /* all that a design looks at */
  tacit_design *design;
  tacit_error error = {""};
  if (tacit_design_new(&schema, whiten, bits, &design, &error)) fail_msg("%s", error.text);
  return design;
}

static int32_t cell(const tacit_design *design, size_t row, size_t column) {
  return design->stored.block[row / TACIT_BLOCK].cells[column * TACIT_BLOCK + row % TACIT_BLOCK];
}

static int32_t norm(const tacit_design *design, size_t row) {
  return design->stored.block[row / TACIT_BLOCK].norms[row % TACIT_BLOCK];
}

static void add(tacit_design *design, const double *x, const double *y) {
  assert_int_equal(tacit_design_add(design, x, y, NULL), TACIT_OK);
}

static void norm_is_the_exact_ceiling(const tacit_design *design, size_t row) {
  int64_t square = 0, n = norm(design, row);
  for (size_t j = 0; j < design->columns; j++) {
    int64_t c = cell(design, row, j);
    assert_true(c >= -TACIT_CELL_MAX && c <= TACIT_CELL_MAX);
    square += c * c;
  }
  assert_true(n * n >= square);
  assert_true(n == 0 || (n - 1) * (n - 1) < square);
}

static void norms_are_exact_ceilings(void **state) {
  (void)state;
  uint64_t random = 5;
  static const size_t widths[] = {1, 2, 3, 17, 200, MOST};
  static double x[MOST];
  const double y[] = {0};
  for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
    tacit_design *design = design_of(widths[w], 1, NULL, TACIT_CELL_BITS);
    for (size_t row = 0; row < 1500; row++) {
      double size = row % 3 == 0 ? 1e300 : row % 3 == 1 ? 8 : ldexp(1, -(int)(draw(&random) % 20));
      for (size_t j = 0; j < widths[w]; j++) x[j] = size * uniform(&random);
      add(design, x, y);
      norm_is_the_exact_ceiling(design, row);
    }
    /* all cells at their limit, none at all, and the smallest one */
    for (int kind = 0; kind < 3; kind++) {
      for (size_t j = 0; j < widths[w]; j++) x[j] = kind == 0 ? -8 : kind == 1 ? 0 : j == 0 ? 0x1p-17 : 0;
      add(design, x, y);
      norm_is_the_exact_ceiling(design, 1500 + (size_t)kind);
    }
    assert_int_equal(norm(design, 1501), 0);
    assert_int_equal(norm(design, 1502), 1);
    tacit_design_free(design);
  }
}

/* Squares and their neighbours, where a rounded square root would be off by one. */
static void norms_next_to_squares(void **state) {
  (void)state;
  tacit_design *design = design_of(2, 1, NULL, 0);
  const double y[] = {0};
  size_t row = 0;
  for (int32_t big = TACIT_CELL_MAX - 2000; big <= TACIT_CELL_MAX; big++)
    for (int32_t small = 0; small < 3; small++) {
      const double x[] = {big, small};
      add(design, x, y);
      norm_is_the_exact_ceiling(design, row);
      assert_int_equal(norm(design, row++), big + (small > 0));
    }
  tacit_design_free(design);
}

static void rounding_and_clamping(void **state) {
  (void)state;
  tacit_design *design = design_of(4, 2, NULL, 2);
  const double x[] = {1, 0.125, -0.125, 1e308}, y[] = {0x1p-25, -65};
  add(design, x, y);
  assert_int_equal(cell(design, 0, 0), 4);
  assert_int_equal(cell(design, 0, 1), 1); /* halves go away from zero */
  assert_int_equal(cell(design, 0, 2), -1);
  assert_int_equal(cell(design, 0, 3), TACIT_CELL_MAX);
  assert_int_equal(design->stored.block[0].targets[0], 1);
  assert_int_equal(design->stored.block[0].targets[TACIT_BLOCK], -(1 << 30));
  tacit_design_free(design);
}

static void rows_that_are_not_finite_are_zero(void **state) {
  (void)state;
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  const double identity[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double huge[] = {1, 0, 0, 0, 1e308, 1e308, 0, 0, 1};
  for (int whitened = 0; whitened < 2; whitened++) {
    tacit_design *design = design_of(3, 2, whitened ? identity : NULL, TACIT_CELL_BITS);
    for (size_t k = 0; k < 15; k++) {
      double x[] = {1, 0.5, -0.5}, y[] = {0.25, 0.25};
      if (k / 3 < 3)
        x[k / 3] = bad[k % 3];
      else
        y[k / 3 - 3] = bad[k % 3];
      add(design, x, y);
      for (size_t j = 0; j < 3; j++) assert_int_equal(cell(design, k, j), 0);
      assert_int_equal(norm(design, k), 0);
      assert_int_equal(design->stored.block[0].targets[k], 0);
      assert_int_equal(design->stored.block[0].targets[TACIT_BLOCK + k], 0);
    }
    assert_int_equal(design->rows, 15); /* they count all the same */
    tacit_design_free(design);
  }
  tacit_design *design = design_of(3, 1, huge, TACIT_CELL_BITS);
  const double x[] = {1, 1, 1}, y[] = {0};
  add(design, x, y);
  for (size_t j = 0; j < 3; j++) assert_int_equal(cell(design, 0, j), 0);
  tacit_design_free(design);
}

static void whitening_is_a_matrix_times_the_row(void **state) {
  (void)state;
  const double whiten[] = {1, 0, 0, 2, 3, 0, -1, 0.5, 4};
  tacit_design *design = design_of(3, 1, whiten, 10);
  const double x[] = {1, 0.5, -0.25}, y[] = {0};
  add(design, x, y);
  assert_int_equal(cell(design, 0, 0), 1024);
  assert_int_equal(cell(design, 0, 1), 3584);
  assert_int_equal(cell(design, 0, 2), -1792);
  norm_is_the_exact_ceiling(design, 0);
  tacit_design_free(design);
}

static void blocks_are_aligned_and_padded_with_zeros(void **state) {
  (void)state;
  tacit_design *design = design_of(3, 2, NULL, TACIT_CELL_BITS);
  const double x[] = {1, 1, 1}, y[] = {1, 1};
  assert_int_equal(design->blocks, 0);
  for (size_t row = 0; row < 2 * TACIT_BLOCK + 1; row++) add(design, x, y);
  assert_int_equal(design->rows, 2 * TACIT_BLOCK + 1);
  assert_int_equal(design->blocks, 3);
  for (size_t b = 0; b < 3; b++) {
    const tacit_block *block = &design->stored.block[b];
    assert_int_equal((uintptr_t)block->cells % 64, 0);
    assert_int_equal((uintptr_t)block->norms % 64, 0);
    assert_int_equal((uintptr_t)block->targets % 64, 0);
    assert_ptr_equal(block->norms, block->cells + 3 * TACIT_BLOCK);
    assert_ptr_equal(block->targets, block->norms + TACIT_BLOCK);
    for (size_t i = b == 2 ? 1 : TACIT_BLOCK; i < TACIT_BLOCK; i++)
      assert_int_equal(
          block->cells[i] | block->norms[i] | block->targets[i] | block->targets[TACIT_BLOCK + i], 0);
  }
  tacit_design_free(design);
  tacit_design_free(NULL);
}

/* A row's integers do not depend on the rows around it. */
static void rows_do_not_meet(void **state) {
  (void)state;
  enum { N = 1500, P = 5 };
  static double x[N][P], y[N][1];
  uint64_t random = 9;
  double whiten[P * P];
  for (size_t i = 0; i < P * P; i++) whiten[i] = 3 * uniform(&random);
  for (size_t i = 0; i < N; i++) {
    for (size_t j = 0; j < P; j++) x[i][j] = 8 * uniform(&random);
    y[i][0] = i % 10 == 0 ? NAN : uniform(&random);
  }
  tacit_design *forward = design_of(P, 1, whiten, 15), *backward = design_of(P, 1, whiten, 15);
  for (size_t i = 0; i < N; i++) {
    add(forward, x[i], y[i]);
    add(backward, x[N - 1 - i], y[N - 1 - i]);
  }
  for (size_t i = 0; i < N; i++) {
    for (size_t j = 0; j < P; j++) assert_int_equal(cell(forward, i, j), cell(backward, N - 1 - i, j));
    assert_int_equal(norm(forward, i), norm(backward, N - 1 - i));
  }
  tacit_design_free(forward);
  tacit_design_free(backward);
}

static void what_a_design_refuses(void **state) {
  (void)state;
  const tacit_schema schema = {.columns = 1, .target_count = 1};
  tacit_design *design;
  tacit_error error = {""};
  const double bad[] = {NAN};
  assert_int_equal(tacit_design_new(&schema, NULL, 21, &design, &error), TACIT_USAGE);
  assert_int_equal(tacit_design_new(&schema, NULL, -1, &design, &error), TACIT_USAGE);
  assert_int_equal(tacit_design_new(&schema, bad, 17, &design, &error), TACIT_USAGE);
  assert_null(design);
}

static void samples_are_column_major(void **state) {
  (void)state;
  static const size_t sizes[] = {0, 1, 64, 255, 256, 257, 1000};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    tacit_sample *sample;
    assert_int_equal(tacit_sample_new(3, 2, &sample, NULL), TACIT_OK);
    for (size_t i = 0; i < sizes[s]; i++) {
      const double v = (double)i, x[] = {1, v, -v}, y[] = {2 * v, 3 * v};
      assert_int_equal(tacit_sample_add(sample, x, y, NULL), TACIT_OK);
    }
    assert_int_equal(tacit_sample_finish(sample, NULL), TACIT_OK);
    assert_int_equal(sample->rows, sizes[s]);
    for (size_t i = 0; i < sizes[s]; i++) {
      double v = (double)i;
      assert_true(sample->x[i] == 1 && sample->x[sizes[s] + i] == v && sample->x[2 * sizes[s] + i] == -v);
      assert_true(sample->y[i] == 2 * v && sample->y[sizes[s] + i] == 3 * v);
    }
    tacit_sample_free(sample);
  }
  tacit_sample_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(norms_are_exact_ceilings),
      cmocka_unit_test(norms_next_to_squares),
      cmocka_unit_test(rounding_and_clamping),
      cmocka_unit_test(rows_that_are_not_finite_are_zero),
      cmocka_unit_test(whitening_is_a_matrix_times_the_row),
      cmocka_unit_test(blocks_are_aligned_and_padded_with_zeros),
      cmocka_unit_test(rows_do_not_meet),
      cmocka_unit_test(what_a_design_refuses),
      cmocka_unit_test(samples_are_column_major),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
