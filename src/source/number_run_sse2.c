/* The run reader for every x86-64. */
#include "source/number_run.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)

typedef signed char bytes __attribute__((vector_size(16)));
typedef unsigned char ubytes __attribute__((vector_size(16)));
typedef char chars __attribute__((vector_size(16)));
typedef short shorts __attribute__((vector_size(16)));
typedef unsigned short ushorts __attribute__((vector_size(16)));
typedef int ints __attribute__((vector_size(16)));

static inline bytes load(const void *p) {
  bytes x;
  memcpy(&x, p, sizeof x);
  return x;
}

/* The high bits of sixteen bytes. */
static inline uint64_t mask(bytes x) {
  return (uint32_t)__builtin_ia32_pmovmskb128((chars)x);
}

static inline void look(const char *p, uint64_t *commas, uint64_t *points) {
  bytes a = load(p), b = load(p + 16), c = load(p + 32), d = load(p + 48);
  *commas = mask(a == ',') | mask(b == ',') << 16 | mask(c == ',') << 32 | mask(d == ',') << 48;
  *points = mask(a == '.') | mask(b == '.') << 16 | mask(c == '.') << 32 | mask(d == '.') << 48;
}

static inline void look_ends(const char *p, uint64_t *ends, uint64_t *points) {
  bytes a = load(p), b = load(p + 16);
  *ends = mask(a < '-') | mask(b < '-') << 16;
  *points = mask(a == '.') | mask(b == '.') << 16;
}

/* Sixteen digits as four numbers of four. */
static inline ints fours(bytes x) {
  const shorts hundreds = {100, 1, 100, 1, 100, 1, 100, 1};
  ushorts pairs = (ushorts)x;
  pairs = (pairs & 0xFF) * 10 + (pairs >> 8);
  return __builtin_ia32_pmaddwd128((shorts)pairs, hundreds);
}

static inline bytes align(const char *p, const unsigned char *keep, const unsigned char *use) {
  bytes moved = load(p - 1);
  return (moved ^ '0' ^ ((load(p) ^ moved) & load(keep))) & load(use);
}

static inline bool convert(const char *end, const unsigned char *keep, const unsigned char *use,
                           uint64_t words[2]) {
  const shorts myriads = {10000, 1, 10000, 1, 10000, 1, 10000, 1};
  bytes x = align(end - 32, keep, use), y = align(end - 16, keep + 16, use + 16);
  ints eights = __builtin_ia32_pmaddwd128(__builtin_ia32_packssdw128(fours(x), fours(y)), myriads);
  memcpy(words, &eights, sizeof eights);
  /* a byte above 9 has its high bit set, or a carry into it */
  return mask((bytes)((ubytes)x + 0x76) | x | (bytes)((ubytes)y + 0x76) | y) == 0;
}

#include "source/number_run_body.h"

tacit_number_run *tacit_number_run_sse2(void) {
  return run;
}

#else

tacit_number_run *tacit_number_run_sse2(void) {
  return NULL;
}

#endif
