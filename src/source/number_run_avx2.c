/* The run reader for processors with AVX2. */
#include "source/number_run.h"

#include <string.h>

/* clang has no such pragma */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")

typedef signed char bytes __attribute__((vector_size(32)));
typedef unsigned char ubytes __attribute__((vector_size(32)));
typedef char chars __attribute__((vector_size(32)));
typedef short shorts __attribute__((vector_size(32)));
typedef int ints __attribute__((vector_size(32)));
typedef unsigned long long words4 __attribute__((vector_size(32)));

static inline bytes load(const void *p) {
  bytes x;
  memcpy(&x, p, sizeof x);
  return x;
}

/* The high bits of 32 bytes. */
static inline uint64_t mask(bytes x) {
  return (uint32_t)__builtin_ia32_pmovmskb256((chars)x);
}

static inline void look(const char *p, uint64_t *commas, uint64_t *points) {
  bytes a = load(p), b = load(p + 32);
  *commas = mask(a == ',') | mask(b == ',') << 32;
  *points = mask(a == '.') | mask(b == '.') << 32;
}

static inline void look_ends(const char *p, uint64_t *ends, uint64_t *points) {
  bytes a = load(p);
  *ends = mask(a < '-');
  *points = mask(a == '.');
}

static inline bool convert(const char *end, const unsigned char *keep, const unsigned char *use,
                           uint64_t words[2]) {
  const chars tens = {10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1,
                      10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1};
  const shorts hundreds = {100, 1, 100, 1, 100, 1, 100, 1, 100, 1, 100, 1, 100, 1, 100, 1};
  const shorts myriads = {10000, 1, 10000, 1, 10000, 1, 10000, 1, 10000, 1, 10000, 1, 10000, 1, 10000, 1};
  chars joined = __builtin_ia32_pblendvb256((chars)load(end - 33), (chars)load(end - 32), (chars)load(keep));
  bytes x = ((bytes)joined ^ '0') & load(use);
  ints fours = __builtin_ia32_pmaddwd256(__builtin_ia32_pmaddubsw256((chars)x, tens), hundreds);
  shorts packed = (shorts)__builtin_ia32_packusdw256(fours, fours); /* each half of them twice */
  words4 all = (words4)__builtin_ia32_pmaddwd256(packed, myriads);
  words[0] = all[0];
  words[1] = all[2];
  /* a byte above 9 has its high bit set, or a carry into it */
  return mask((bytes)((ubytes)x + 0x76) | x) == 0;
}

#include "source/number_run_body.h"
#pragma GCC pop_options

tacit_number_run *tacit_number_run_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") ? run : NULL;
}

#else

tacit_number_run *tacit_number_run_avx2(void) {
  return NULL;
}

#endif
