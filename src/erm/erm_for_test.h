/* What tests of fits without privacy share: drawn samples. */
#ifndef TACIT_SRC_ERM_FOR_TEST_H
#define TACIT_SRC_ERM_FOR_TEST_H

#include "base/bits_for_test.h"
#include "data/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static inline double uniform(uint64_t *seed) {
  return ((double)(bits_of(seed) >> 11) + 0.5) * 0x1p-53;
}

/* Linear demand with skewed, heteroscedastic noise; the intercept first, features in [-1, 1]. */
static inline tacit_sample *draw(size_t n, size_t p, uint64_t seed) {
  tacit_sample *s = calloc(1, sizeof *s);
  assert_non_null(s);
  *s = (tacit_sample){.rows = n, .columns = p, .targets = 1};
  s->x = calloc(n * p, sizeof *s->x);
  s->y = calloc(n, sizeof *s->y);
  assert_true(s->x && s->y);
  for (size_t i = 0; i < n; i++) {
    s->x[i] = 1;
    s->y[i] = -0.2 - 0.1 * log(uniform(&seed));
    for (size_t j = 1; j < p; j++) {
      double x = s->x[j * n + i] = 2 * uniform(&seed) - 1;
      s->y[i] += x * (0.3 + 0.1 * uniform(&seed)) / (double)j;
    }
  }
  return s;
}

static inline void discard(tacit_sample *s) {
  free(s->x);
  free(s->y);
  free(s);
}

#endif
