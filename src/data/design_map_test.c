/* Rows made from others by a public matrix: stored, on the fly or in place the same integers, with norms that
 * hold. */
#include "data/design.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAPPED = 3 * TACIT_BLOCK + 17, IN = 4, OUT = 3, GRID = 10 };

/* Rows of a centre and scale, some without encoding, and a matrix that takes some of them to a cell's bounds.
 */
static tacit_design *rows_to_map(double matrix[OUT * IN]) {
  const char *json = "{\"target\": {\"name\": \"y\", \"min\": 0, \"max\": 1}, \"features\": "
                     "[{\"name\": \"a\", \"center\": 0, \"scale\": 1}, {\"name\": \"b\", \"center\": 0, "
                     "\"scale\": 1}, {\"name\": \"c\", \"center\": 0, \"scale\": 1}]}";
  tacit_schema *schema;
  tacit_design *design;
  assert_int_equal(tacit_schema_parse(json, strlen(json), &schema, NULL), TACIT_OK);
  assert_int_equal(tacit_design_new(schema, NULL, TACIT_CELL_BITS, &design, NULL), TACIT_OK);
  tacit_schema_free(schema);
  for (size_t k = 0; k < OUT * IN; k++) matrix[k] = sin((double)k) * (k == 5 ? 300 : 1);
  for (size_t i = 0; i < MAPPED; i++) {
    double x[IN], y = i % 97 ? cos((double)i) : NAN;
    for (size_t k = 0; k < IN; k++) x[k] = k ? 8 * sin((double)(i * IN + k)) : 1;
    assert_int_equal(tacit_design_add(design, x, &y, NULL), TACIT_OK);
  }
  return design;
}

static double mapped_cell(const tacit_design *design, size_t i, size_t j) {
  const tacit_block *block = &design->stored.block[i / TACIT_BLOCK];
  size_t at = j * TACIT_BLOCK + i % TACIT_BLOCK;
  return block->narrow ? block->narrow[at] : block->cells[at];
}

/* What single precision gives of the matrix times the row, and a norm that is not below the row's. */
static void is_the_matrix_times_the_row(const tacit_design *to, const tacit_design *from,
                                        const double *matrix) {
  double limit = to->narrow ? TACIT_NARROW_MAX : TACIT_CELL_MAX, x[IN], y;
  size_t at_bounds = 0;
  for (size_t i = 0; i < MAPPED; i++) {
    tacit_design_row(from, i, x, &y);
    double square = 0, norm = to->stored.block[i / TACIT_BLOCK].norms[i % TACIT_BLOCK];
    for (size_t j = 0; j < OUT; j++) {
      double sum = 0, terms = 0, cell = mapped_cell(to, i, j);
      for (size_t k = 0; k < IN; k++) {
        sum += matrix[j * IN + k] * x[k];
        terms += fabs(matrix[j * IN + k] * x[k]);
      }
      double wanted = fmax(-limit, fmin(limit, sum * (1 << GRID)));
      assert_true(fabs(cell - wanted) <= 0.5 + 0x1p-22 * terms * (1 << GRID));
      at_bounds += fabs(cell) == limit;
      square += cell * cell;
    }
    assert_true(norm * norm >= square);
    assert_true(norm <= (square > 0) + sqrt(square) * (1 + 0x1p-11));
  }
  assert_true(at_bounds > 100 || !to->narrow);
}

/* Stored at once, made on the fly or in the old rows' place: the same integers. */
static void a_view_is_the_transform(void **state) {
  (void)state;
  for (int narrow = 0; narrow < 2; narrow++) {
    double matrix[OUT * IN];
    tacit_design *from = rows_to_map(matrix), *stored, *view, *none, *refused;
    const tacit_image image = {.matrix = matrix, .columns = OUT, .cell_bits = GRID, .narrow = narrow};
    const tacit_image nothing = {.narrow = narrow};
    size_t bytes = OUT * TACIT_BLOCK * (narrow ? 2 : 4) + 2 * TACIT_BLOCK * sizeof(int32_t);
    assert_int_equal(tacit_design_transform(from, &image, 2, &stored, NULL), TACIT_OK);
    assert_int_equal(tacit_design_view(from, &image, 2, &view, NULL), TACIT_OK);
    assert_int_equal(stored->rows, MAPPED);
    assert_int_equal(view->rows, MAPPED);
    assert_int_equal(stored->blocks, view->blocks);
    is_the_matrix_times_the_row(stored, from, matrix);
    for (size_t b = 0; b < stored->blocks; b++) {
      tacit_block made = tacit_design_block(view, b), kept = stored->stored.block[b];
      assert_memory_equal(narrow ? (void *)made.narrow : made.cells,
                          narrow ? (void *)kept.narrow : kept.cells, bytes);
    }
    assert_int_equal(tacit_design_view(from, &nothing, 1, &none, NULL), TACIT_OK);
    tacit_block made = tacit_design_block(none, 1);
    assert_memory_equal(made.targets, from->stored.block[1].targets, TACIT_BLOCK * sizeof(int32_t));
    assert_int_equal(tacit_design_turn(from, &image, 2, NULL), TACIT_OK);
    for (size_t b = 0; b < stored->blocks; b++) {
      tacit_block turned = from->stored.block[b], kept = stored->stored.block[b];
      assert_memory_equal(narrow ? (void *)turned.narrow : turned.cells,
                          narrow ? (void *)kept.narrow : kept.cells, bytes);
    }
    matrix[3] = NAN;
    assert_int_equal(tacit_design_view(from, &image, 1, &refused, NULL), TACIT_USAGE);
    assert_null(refused);
    tacit_design_free(none);
    tacit_design_free(view);
    tacit_design_free(stored);
    tacit_design_free(from);
  }
}

/* However large the public numbers are, every row has an image with a norm that holds. */
static void no_matrix_is_too_large(void **state) {
  (void)state;
  double matrix[OUT * IN];
  tacit_design *from = rows_to_map(matrix), *to;
  for (size_t k = 0; k < OUT * IN; k++) matrix[k] = k % 2 ? -DBL_MAX : DBL_MAX;
  const tacit_image image = {.matrix = matrix, .columns = OUT, .cell_bits = GRID, .narrow = true};
  assert_int_equal(tacit_design_transform(from, &image, 2, &to, NULL), TACIT_OK);
  for (size_t i = 0; i < MAPPED; i++) {
    double square = 0, norm = to->stored.block[i / TACIT_BLOCK].norms[i % TACIT_BLOCK];
    for (size_t j = 0; j < OUT; j++) square += mapped_cell(to, i, j) * mapped_cell(to, i, j);
    assert_true(norm * norm >= square && norm < 1e6);
  }
  tacit_design_free(to);
  tacit_design_free(from);
}

/* In as many columns as a schema may have, with squares that single precision loses when they are added: one
   large cell before small ones, or all of them odd and large. */
static void norms_hold_in_many_columns(void **state) {
  (void)state;
  enum { MANY = TACIT_COLUMNS_MAX - 1, TWO = 2, RANDOM = 200 };
  const tacit_schema schema = {.columns = TWO, .target_count = 1};
  double *matrix = calloc(MANY * TWO, sizeof *matrix);
  assert_non_null(matrix);
  for (int turn = 0; turn < 4; turn++) {
    tacit_design *from, *to;
    assert_int_equal(tacit_design_new(&schema, NULL, TACIT_CELL_BITS, &from, NULL), TACIT_OK);
    for (int i = 0; i < RANDOM; i++) {
      double x[TWO] = {1, 8 * sin(i)}, y = 0;
      assert_int_equal(tacit_design_add(from, x, &y, NULL), TACIT_OK);
    }
    for (size_t j = 0; j < MANY; j++) {
      matrix[j * TWO] = ldexp(turn % 2 ? 4097 + 2 * (double)(j % 5000) : j ? 5 : 32767, -GRID);
      matrix[j * TWO + 1] = turn < 2 ? 0 : sin((double)j) / 100;
    }
    for (int narrow = 0; narrow < 2; narrow++) {
      const tacit_image image = {.matrix = matrix, .columns = MANY, .cell_bits = GRID, .narrow = narrow};
      assert_int_equal(tacit_design_transform(from, &image, 1, &to, NULL), TACIT_OK);
      for (size_t i = 0; i < TACIT_BLOCK; i++) {
        int64_t square = 0, norm = to->stored.block[0].norms[i];
        for (size_t j = 0; j < MANY; j++)
          square += (int64_t)mapped_cell(to, i, j) * (int64_t)mapped_cell(to, i, j);
        assert_true(norm * norm >= square);
        assert_true((double)norm <= (square > 0) + sqrt((double)square) * (1 + 0x1p-11));
      }
      tacit_design_free(to);
    }
    tacit_design_free(from);
  }
  free(matrix);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_view_is_the_transform),
      cmocka_unit_test(no_matrix_is_too_large),
      cmocka_unit_test(norms_hold_in_many_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
