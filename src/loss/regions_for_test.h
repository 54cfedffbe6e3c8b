/* For this room's tests: one region or more of every kind, and small random numbers. */
#ifndef TACIT_SRC_REGIONS_FOR_TEST_H
#define TACIT_SRC_REGIONS_FOR_TEST_H

#include "base/bits_for_test.h"
#include "loss/region.h"

#include <stdlib.h>
#include <string.h>

static const char *const REGIONS[] = {
    "{\"kind\":\"ball\",\"dimension\":3,\"radius\":1}",
    "{\"kind\":\"ball\",\"dimension\":2,\"radius\":2.5,\"center\":[1,-3]}",
    "{\"kind\":\"box\",\"min\":[0,-1,2],\"max\":[1,4,2]}",
    "{\"kind\":\"simplex\",\"dimension\":2}",
    "{\"kind\":\"simplex\",\"dimension\":7,\"sum\":3}",
    "{\"kind\":\"grid\",\"rows\":2,\"columns\":2}",
    "{\"kind\":\"grid\",\"rows\":5,\"columns\":5}",
    "{\"kind\":\"grid\",\"rows\":4,\"columns\":7}",
    "{\"kind\":\"graph\",\"nodes\":4,\"edges\":[[1,2],[1,3],[2,4],[3,4],[3,2]],\"source\":1,\"sink\":4}",
    "{\"kind\":\"polytope\",\"A\":[[1,1]],\"b\":[1]}",
    "{\"kind\":\"polytope\",\"A\":[[2,1,0],[0,1,3],[-1,1,1],[1,1,1]],\"b\":[4,5,2,3.5]}",
    "{\"kind\":\"polytope\",\"A\":[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1],[1,1,1,1],[-1,-1,-1,-1]],"
    "\"b\":[1,1,1,1,3,-1]}",
};
enum { REGIONS_COUNT = sizeof REGIONS / sizeof *REGIONS };

/* splitmix64; uniform on [-1, 1] */
static uint64_t seed = 7;
static inline uint64_t bits(void) {
  return bits_of(&seed);
}
static inline double number(void) {
  return (double)(int64_t)bits() * 0x1p-63;
}
static inline void fill(size_t n, double size, double *values) {
  for (size_t i = 0; i < n; i++) values[i] = size * number();
}

static inline double inner(size_t n, const double *a, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

#endif
