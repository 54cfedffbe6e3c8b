/* The run reader for processors with AVX2. */
#include "data/number_run.h"

#include <string.h>

/* clang has no such pragma */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("avx2,bmi,bmi2")

typedef signed char bytes __attribute__((vector_size(32)));
typedef char chars32 __attribute__((vector_size(32)));
typedef short shorts16 __attribute__((vector_size(32)));
typedef int ints8 __attribute__((vector_size(32)));
typedef unsigned long long words4 __attribute__((vector_size(32)));

static inline uint32_t mask(const bytes *x) {
  return (uint32_t)__builtin_ia32_pmovmskb256((chars32)*x);
}

static inline void eights(const bytes *x, uint64_t words[2]) {
  const chars32 tens = {10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1,
                        10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1};
  const shorts16 hundreds = {100, 1, 100, 1, 100, 1, 100, 1, 100, 1, 100, 1, 100, 1, 100, 1};
  const shorts16 myriads = {10000, 1, 10000, 1, 10000, 1, 10000, 1, 10000, 1, 10000, 1, 10000, 1, 10000, 1};
  ints8 fours = __builtin_ia32_pmaddwd256(__builtin_ia32_pmaddubsw256((chars32)*x, tens), hundreds);
  shorts16 packed = (shorts16)__builtin_ia32_packusdw256(fours, fours); /* each half twice */
  words4 all = (words4)__builtin_ia32_pmaddwd256(packed, myriads);
  words[0] = all[0];
  words[1] = all[2];
}

#include "data/number_run_body.h"

tacit_number_run *const tacit_number_run_avx2 = run;

#else

tacit_number_run *const tacit_number_run_avx2 = NULL;

#endif
