/* Products in pairs against the plain loop, for every way that this processor has. */
#include "num/pairs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LENGTH = 1024, STRIDE = LENGTH + 32, TILE = TACIT_PAIR_TILE };

/* Sums of whole numbers modulo 2^32, also of the largest ones, which wrap. */
static void every_way_has_the_same_sums(void **state) {
  (void)state;
  static int16_t a[TILE * STRIDE], b[TILE * STRIDE];
  static const int16_t extremes[] = {INT16_MIN + 1, INT16_MAX, 0, 1, -1, 16384, -16384, 1448};
  uint64_t seed = 1;
  for (int kind = 0; kind < 4; kind++)
    for (size_t length = 0; length <= LENGTH; length += kind < 3 ? LENGTH / 2 : TACIT_PAIR_RUN) {
      for (size_t i = 0; i < TILE * STRIDE; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        a[i] = kind == 0 ? INT16_MAX : kind == 1 ? extremes[seed >> 61] : (int16_t)(int64_t)(seed >> 48);
        b[i] = kind == 0 ? INT16_MIN + 1 : kind == 1 ? extremes[seed >> 58 & 7] : (int16_t)(seed >> 32);
        if (a[i] == INT16_MIN) a[i] = 7; /* no pair of its squares fits */
      }
      for (size_t way = 0; way <= tacit_pair_kinds(); way++) {
        int32_t out[TILE][TILE];
        if (way == tacit_pair_kinds())
          tacit_pair_products(length, a, b, STRIDE, out);
        else if (!tacit_pair_products_by(way, length, a, b, STRIDE, out))
          continue;
        for (size_t s = 0; s < TILE; s++)
          for (size_t t = 0; t < TILE; t++) {
            uint32_t sum = 0;
            for (size_t i = 0; i < length; i++) sum += (uint32_t)(a[s * STRIDE + i] * b[t * STRIDE + i]);
            assert_int_equal(out[s][t], (int32_t)sum);
          }
      }
    }
}

/* Sums in 64 bits of products just below 2^27, all of one sign and mixed. */
static void long_sums_are_exact(void **state) {
  (void)state;
  static int16_t a[LENGTH], b[TILE * STRIDE];
  uint64_t seed = 2;
  for (int kind = 0; kind < 3; kind++)
    for (size_t length = 0; length <= LENGTH; length += TACIT_PAIR_RUN) {
      for (size_t i = 0; i < TILE * STRIDE; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        bool minus = kind == 1 || (kind == 2 && seed >> 63);
        b[i] = kind == 2 && seed >> 62 & 1 ? (int16_t)(seed >> 40 & 0x7fff) : INT16_MAX;
        if (i < LENGTH) a[i] = minus ? -4096 : 4096;
      }
      for (size_t way = 0; way <= tacit_pair_kinds(); way++) {
        int64_t out[TILE];
        if (way == tacit_pair_kinds())
          tacit_pair_sums(length, a, b, STRIDE, out);
        else if (!tacit_pair_sums_by(way, length, a, b, STRIDE, out))
          continue;
        for (size_t t = 0; t < TILE; t++) {
          int64_t sum = 0;
          for (size_t i = 0; i < length; i++) sum += (int64_t)a[i] * b[t * STRIDE + i];
          assert_true(out[t] == sum);
        }
      }
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_way_has_the_same_sums),
                                     cmocka_unit_test(long_sums_are_exact)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
