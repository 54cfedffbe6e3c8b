/* Moments of rows in two bytes against products one by one, also where sums come to the edge of 32 bits or
   are beyond it. */
#include "pass/moment_block.h"
#include "pass/row_sum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COLUMNS = 45, ROWS = 2 * TACIT_BLOCK + 77, ENTRIES = COLUMNS * (COLUMNS + 1) / 2, RADIUS = 1 << 14 };

static void themselves(const void *self, const tacit_block *block, size_t first, double *out) {
  (void)self;
  for (size_t j = 0; j < COLUMNS; j++)
    tacit_rows_column(block->cells + j * TACIT_BLOCK + first, 1, 0, out + j * TACIT_ROWS);
}

enum { SMALL, ONE_LARGE, TWO_LARGE, EDGE, BEYOND, ALL_LARGE, MIXED, KINDS };

/* Rows of whole numbers, none longer than the radius. */
static double cell(int kind, size_t i, size_t j) {
  uint64_t seed = (uint64_t)(i * COLUMNS + j + 1) * 0x9e3779b97f4a7c15u;
  double noise = (double)((seed ^ seed >> 29) % 601) - 300;
  switch (kind) {
  case ONE_LARGE: /* as long as a row may be, and always the same */
    return j == 7 ? RADIUS : 0;
  case TWO_LARGE: /* 2 * 11585^2 < 2^28 */
    return j == 3 || j == COLUMNS - 1 ? (i % 2 ? 11585 : -11585) : 0;
  case EDGE: /* 1024 * 1448^2 < 2^31 < 1024 * 1449^2 */
    return j % 3 ? 1448 : -1448;
  case BEYOND:
    return j < 2 ? 1449 : 1448;
  case ALL_LARGE:
    return i % 3 ? 2400 : -2400;
  case MIXED: /* some blocks have large columns, others none */
    return i < TACIT_BLOCK && j < 2 ? 9000 + noise : noise;
  default:
    return noise;
  }
}

static void moments_are_exact(void **state) {
  (void)state;
  const tacit_schema schema = {.columns = COLUMNS, .target_count = 1};
  const tacit_row_pass pass = {
      .map_rows = themselves, .width = COLUMNS, .clip = RADIUS, .bits = 0, .moment = true};
  static uint64_t got[ENTRIES], plain[ENTRIES];
  for (int kind = 0; kind < KINDS; kind++) {
    tacit_design *design;
    assert_int_equal(tacit_design_new(&schema, NULL, 0, &design, NULL), TACIT_OK);
    memset(plain, 0, sizeof plain);
    for (size_t i = 0; i < ROWS; i++) {
      double x[COLUMNS], y = 0;
      for (size_t j = 0; j < COLUMNS; j++) x[j] = cell(kind, i, j);
      assert_int_equal(tacit_design_add(design, x, &y, NULL), TACIT_OK);
      for (size_t j = 0, at = 0; j < COLUMNS; j++)
        for (size_t k = j; k < COLUMNS; k++, at++) plain[at] += (uint64_t)((int64_t)x[j] * (int64_t)x[k]);
    }
    for (int threads = 1; threads <= 3; threads++) {
      assert_int_equal(tacit_row_sum(design, &pass, threads, got, NULL), TACIT_OK);
      assert_memory_equal(got, plain, sizeof got);
    }
    tacit_design_free(design);
  }
}

/* A column whose squares add up to more than 32 bits hold is seen to be large, one at the edge is not. */
static void large_columns_are_found(void **state) {
  (void)state;
  static double v[COLUMNS * TACIT_ROWS];
  tacit_moment_block m;
  assert_true(tacit_moment_open(&m, COLUMNS));
  tacit_moment_begin(&m);
  for (size_t first = 0; first < TACIT_BLOCK; first += TACIT_ROWS) {
    for (size_t i = 0; i < TACIT_ROWS; i++)
      for (size_t j = 0; j < COLUMNS; j++) v[j * TACIT_ROWS + i] = cell(BEYOND, first + i, j);
    tacit_moment_take(&m, first, v);
  }
  assert_false(tacit_moment_is_rough(&m));
  assert_int_equal(m.larges, 2);
  assert_true(m.is_large[0] && m.is_large[1] && !m.is_large[2]);
  tacit_moment_close(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moments_are_exact),
                                     cmocka_unit_test(large_columns_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
