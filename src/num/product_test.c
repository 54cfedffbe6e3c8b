/* Products in tiles against the plain loop: the same bits, whatever the sizes and threads. */
#include "num/product.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 150, STRIDE = MOST + 3 };

static void tiles_and_threads_change_no_bit(void **state) {
  (void)state;
  static double a[MOST * STRIDE], b[MOST * STRIDE], c[MOST * STRIDE], plain[MOST * STRIDE];
  const size_t sizes[][3] = {{1, 1, 1}, {3, 17, 5}, {4, 16, 16}, {5, 2, 33}, {MOST, MOST, MOST}, {7, 0, 9}};
  for (size_t i = 0; i < MOST * STRIDE; i++) a[i] = sin(7.1 * (double)i), b[i] = cos(3.3 * (double)i);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int threads = 1; threads <= 3; threads++) {
      size_t rows = sizes[s][0], inner = sizes[s][1], columns = sizes[s][2];
      memset(c, 1, sizeof c);
      memset(plain, 1, sizeof plain); /* what is behind a row's end stays */
      for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < columns; k++) {
          plain[i * STRIDE + k] = 0;
          for (size_t l = 0; l < inner; l++) plain[i * STRIDE + k] += a[i * STRIDE + l] * b[l * STRIDE + k];
        }
      assert_true(tacit_product(&(tacit_matrix){a, rows, inner, STRIDE},
                                &(tacit_matrix){b, inner, columns, STRIDE},
                                &(tacit_matrix){c, rows, columns, STRIDE}, threads));
      assert_memory_equal(c, plain, sizeof c);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tiles_and_threads_change_no_bit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
