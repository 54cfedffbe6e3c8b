/* The run reader for every x86-64. */
#include "data/number_run.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)

typedef signed char bytes __attribute__((vector_size(32)));
typedef unsigned short ushorts16 __attribute__((vector_size(32)));
typedef char chars16 __attribute__((vector_size(16)));
typedef short shorts8 __attribute__((vector_size(16)));

static inline uint32_t mask(const bytes *x) {
  chars16 half[2];
  memcpy(half, x, sizeof half);
  return (uint32_t)__builtin_ia32_pmovmskb128(half[0]) | (uint32_t)__builtin_ia32_pmovmskb128(half[1]) << 16;
}

static inline void eights(const bytes *x, uint64_t words[2]) {
  const shorts8 hundreds = {100, 1, 100, 1, 100, 1, 100, 1};
  const shorts8 myriads = {10000, 1, 10000, 1, 10000, 1, 10000, 1};
  ushorts16 pairs = (ushorts16)*x;
  pairs = (pairs & 0xFF) * 10 + (pairs >> 8);
  shorts8 half[2];
  memcpy(half, &pairs, sizeof half);
  shorts8 fours = __builtin_ia32_packssdw128(__builtin_ia32_pmaddwd128(half[0], hundreds),
                                             __builtin_ia32_pmaddwd128(half[1], hundreds));
  half[0] = (shorts8)__builtin_ia32_pmaddwd128(fours, myriads);
  memcpy(words, half, sizeof half[0]);
}

#include "data/number_run_body.h"

tacit_number_run *const tacit_number_run_sse2 = run;

#else

tacit_number_run *const tacit_number_run_sse2 = NULL;

#endif
