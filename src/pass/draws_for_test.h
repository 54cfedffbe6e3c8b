/* Draws for searches: a seeded stream, and numbers that are ordinary, extreme, or no numbers at all. */
#ifndef TACIT_SRC_DRAWS_FOR_TEST_H
#define TACIT_SRC_DRAWS_FOR_TEST_H

#include "random/random.h"

#include <math.h>

static tacit_stream stream;

static inline int begin_draws(uint64_t seed) {
  tacit_noise_source source;
  tacit_noise_source_seeded(&source, seed);
  return tacit_stream_begin(&source, &stream, NULL) == TACIT_OK ? 0 : -1;
}

static inline size_t pick(size_t n) {
  return (size_t)tacit_stream_below(&stream, n);
}

static inline double any_number(void) {
  static const double extremes[] = {0,        -0.0, 1,         -1, 0x1p-1074, -0x1p-1022, 1e308,       -1e308,
                                    INFINITY, NAN,  -INFINITY, 5,  5.08,      8,          1 - 0x1p-53, -8};
  if (pick(3) == 0) return extremes[pick(sizeof extremes / sizeof *extremes)];
  return tacit_normal(&stream) * pow(10, (double)pick(8) - 3);
}

#endif
