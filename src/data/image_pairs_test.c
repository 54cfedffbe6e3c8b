/* Rows of two bytes that are made from many columns, in pairs: near to the true product, a function of their
   own row alone, and never beyond 32 bits on the way. */
#include "data/design_inner.h"
#include "data/image_steps.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { INPUTS = TACIT_PAIR_INPUTS + 5, COLUMNS = 37, ROWS = TACIT_BLOCK + 50, BITS = 10 };

static double matrix[COLUMNS * INPUTS];

static double noise(size_t i) {
  uint64_t seed = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u;
  seed = (seed ^ seed >> 31) * 0xbf58476d1ce4e5b9u;
  return (double)(int64_t)(seed ^ seed >> 29) * 0x1p-63;
}

/* Row i of a table; of kind 1 as long as cells can be, along a column of the matrix or against it. */
static void fill(int kind, size_t i, double *x) {
  for (size_t j = 0; j < INPUTS; j++) {
    double along = matrix[i % COLUMNS * INPUTS + j];
    x[j] = j == 0      ? 1
           : kind == 1 ? copysign(8, i % 2 ? along : -along)
                       : noise(i * INPUTS + j) * (i % 7 ? 1 : 7);
  }
}

static tacit_design *make(int kind, size_t first) {
  const tacit_schema schema = {.columns = INPUTS, .target_count = 1};
  tacit_design *design;
  double x[INPUTS], y = 0;
  assert_int_equal(tacit_design_new(&schema, NULL, 17, &design, NULL), TACIT_OK);
  for (size_t i = 0; i < ROWS; i++) {
    fill(kind, (first + i) % ROWS, x);
    assert_int_equal(tacit_design_add(design, x, &y, NULL), TACIT_OK);
  }
  return design;
}

static int set_up(void **state) {
  (void)state;
  for (size_t i = 0; i < COLUMNS * INPUTS; i++)
    matrix[i] = noise(i + 1000003) * (i / INPUTS == 3 ? 1e-3 : 0.3);
  tacit_image_round(COLUMNS, INPUTS, matrix);
  return 0;
}

static const tacit_image IMAGE = {matrix, COLUMNS, BITS, true};

static int16_t cell_of(const tacit_design *design, size_t row, size_t j) {
  return design->stored.block[row / TACIT_BLOCK].narrow[j * TACIT_BLOCK + row % TACIT_BLOCK];
}

/* A cell loses at most half a unit of 2^-12 for a row that is short enough, more in proportion for a longer
   one; the image is then rounded once. */
static void images_are_near(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++) {
    tacit_design *design = make(kind, 0), *image;
    assert_int_equal(tacit_design_transform(design, &IMAGE, 2, &image, NULL), TACIT_OK);
    assert_true(image->narrow && !image->view.rooms);
    for (size_t i = 0; i < ROWS; i++) {
      double x[INPUTS];
      fill(kind, i, x);
      for (size_t j = 0; j < COLUMNS; j++) {
        double sum = 0, size = 0, length = 0;
        for (size_t k = 0; k < INPUTS; k++) {
          sum += matrix[j * INPUTS + k] * x[k];
          size += fabs(matrix[j * INPUTS + k]);
          length += x[k] * x[k];
        }
        double unit = fmax(0x1p-13, sqrt(length / INPUTS) * 0x1p-12), most = TACIT_NARROW_MAX;
        double true_cell = fmax(-most, fmin(most, ldexp(sum, BITS)));
        assert_true(fabs(cell_of(image, i, j) - true_cell) <= 0.51 + ldexp(size * unit, BITS));
      }
    }
    tacit_design_free(image);
    tacit_design_free(design);
  }
}

/* Zeros behind a row of the matrix are left out, and nothing changes: the same as with a next to nothing in
   their place, which is rounded away. */
static void triangles_are_like_other_matrices(void **state) {
  (void)state;
  static double lower[COLUMNS * INPUTS], full[COLUMNS * INPUTS];
  for (size_t j = 0; j < COLUMNS; j++)
    for (size_t k = 0; k < INPUTS; k++) {
      lower[j * INPUTS + k] = k <= 2 * j ? matrix[j * INPUTS + k] : 0;
      full[j * INPUTS + k] = k <= 2 * j || k + 1 < INPUTS ? lower[j * INPUTS + k] : 0x1p-12;
    }
  tacit_image_round(COLUMNS, INPUTS, lower);
  const tacit_image images[] = {{lower, COLUMNS, BITS, true}, {full, COLUMNS, BITS, true}};
  tacit_design *design = make(0, 0), *short_one, *long_one;
  double x[INPUTS];
  assert_int_equal(tacit_design_transform(design, &images[0], 2, &short_one, NULL), TACIT_OK);
  assert_int_equal(tacit_design_transform(design, &images[1], 2, &long_one, NULL), TACIT_OK);
  for (size_t i = 0; i < ROWS; i++) {
    fill(0, i, x);
    for (size_t j = 0; j < COLUMNS; j++) {
      int apart = cell_of(short_one, i, j) - cell_of(long_one, i, j);
      assert_true(abs(apart) <= 2 + (int)ldexp(fabs(x[INPUTS - 1]), BITS - 12));
    }
  }
  tacit_design_free(short_one);
  tacit_design_free(long_one);
  tacit_design_free(design);
}

/* Long rows along the matrix reach the ends of two bytes on the right side: nothing wraps. */
static void long_rows_do_not_wrap(void **state) {
  (void)state;
  tacit_design *design = make(1, 0), *image;
  assert_int_equal(tacit_design_transform(design, &IMAGE, 1, &image, NULL), TACIT_OK);
  for (size_t i = 0; i < ROWS; i++)
    if (i % COLUMNS != 3) assert_int_equal(cell_of(image, i, i % COLUMNS), i % 2 ? INT16_MAX : -INT16_MAX);
  tacit_design_free(image);
  tacit_design_free(design);
}

/* Rows in other places, beside other rows, in views and in the old rows' place are the same. */
static void images_are_of_their_own_row(void **state) {
  (void)state;
  enum { MOVED = 333 };
  tacit_design *design = make(0, 0), *moved = make(0, MOVED), *image, *other, *view;
  assert_int_equal(tacit_design_transform(design, &IMAGE, 1, &image, NULL), TACIT_OK);
  assert_int_equal(tacit_design_transform(moved, &IMAGE, 3, &other, NULL), TACIT_OK);
  assert_int_equal(tacit_design_view(design, &IMAGE, 1, &view, NULL), TACIT_OK);
  for (size_t i = 0; i < ROWS; i++) {
    size_t at = (i + ROWS - MOVED) % ROWS;
    for (size_t j = 0; j < COLUMNS; j++) assert_int_equal(cell_of(image, i, j), cell_of(other, at, j));
    assert_int_equal(image->stored.block[i / TACIT_BLOCK].norms[i % TACIT_BLOCK],
                     other->stored.block[at / TACIT_BLOCK].norms[at % TACIT_BLOCK]);
  }
  for (size_t b = 0; b < view->blocks; b++) {
    tacit_block made = tacit_design_block(view, b);
    assert_memory_equal(made.narrow, image->stored.block[b].narrow, tacit_block_bytes(image));
  }
  tacit_design_free(view);
  assert_int_equal(tacit_design_turn(design, &IMAGE, 2, NULL), TACIT_OK);
  for (size_t b = 0; b < design->blocks; b++)
    assert_memory_equal(design->stored.block[b].narrow, image->stored.block[b].narrow,
                        tacit_block_bytes(image));
  tacit_design_free(image);
  tacit_design_free(other);
  tacit_design_free(moved);
  tacit_design_free(design);
}

/* A matrix that was rounded stays what it is, and rows are made with it and no other. */
static void rounding_is_done_once(void **state) {
  (void)state;
  double again[COLUMNS * INPUTS];
  tacit_steps steps;
  memcpy(again, matrix, sizeof again);
  tacit_image_round(COLUMNS, INPUTS, again);
  assert_memory_equal(again, matrix, sizeof again);
  assert_int_equal(tacit_steps_set(&steps, &IMAGE, INPUTS, BITS - 17, NULL), TACIT_OK);
  for (size_t j = 0; j < COLUMNS; j++) {
    double unit = ldexp((double)steps.factor[j], 17 - BITS - 5);
    for (size_t k = 1; k < INPUTS; k++)
      assert_true(steps.whole[j * steps.stride + k - 1] * unit == matrix[j * INPUTS + k]);
  }
  tacit_steps_free(&steps);
}

/* Numbers of all sizes: nothing overflows, and a matrix of zeros gives zeros. */
static void odd_matrices_are_fine(void **state) {
  (void)state;
  static double odd[COLUMNS * INPUTS];
  const double sizes[] = {0, 1e-320, 1e-200, 1e-30, 1e30, 1e200, 1e308};
  tacit_design *design = make(1, 0), *image;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    for (size_t i = 0; i < COLUMNS * INPUTS; i++) odd[i] = sizes[s] * (i % INPUTS ? matrix[i] : 0);
    const tacit_image of = {odd, COLUMNS, BITS, true};
    assert_int_equal(tacit_design_transform(design, &of, 1, &image, NULL), TACIT_OK);
    for (size_t i = 0; i < ROWS; i++)
      for (size_t j = 0; j < COLUMNS; j++) {
        int16_t cell = cell_of(image, i, j);
        assert_true(sizes[s] > 1 || cell == 0);
        if (sizes[s] > 1 && j == i % COLUMNS) assert_int_equal(cell, i % 2 ? INT16_MAX : -INT16_MAX);
      }
    tacit_design_free(image);
  }
  tacit_design_free(design);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(images_are_near),       cmocka_unit_test(triangles_are_like_other_matrices),
      cmocka_unit_test(long_rows_do_not_wrap), cmocka_unit_test(images_are_of_their_own_row),
      cmocka_unit_test(rounding_is_done_once), cmocka_unit_test(odd_matrices_are_fine),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
