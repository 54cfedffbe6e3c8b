/* Products of columns of two-byte numbers: one loop, built for the processors that multiply them in pairs
   (vpdpwssd, vpmaddwd) and for all others. Whole numbers modulo 2^32 are the same in any order. */
#include "num/pairs.h"

enum { TILE = TACIT_PAIR_TILE };
typedef void products(size_t length, const int16_t *a, const int16_t *b, size_t stride,
                      int32_t out[TILE][TILE]);
typedef void sums(size_t length, const int16_t *a, const int16_t *b, size_t stride, int64_t out[TILE]);

#if defined(__x86_64__)
#include <immintrin.h>

/* Four sums from four vectors of parts of them, in each quarter. */
#define HALVES(bits, low, high, s, t) _mm##bits##_add_epi32(low(s, t), high(s, t))
#define QUARTERS(bits, s0, s1, s2, s3)                                                                       \
  HALVES(bits, _mm##bits##_unpacklo_epi64, _mm##bits##_unpackhi_epi64,                                       \
         HALVES(bits, _mm##bits##_unpacklo_epi32, _mm##bits##_unpackhi_epi32, s0, s1),                       \
         HALVES(bits, _mm##bits##_unpacklo_epi32, _mm##bits##_unpackhi_epi32, s2, s3))

/* The loop. `add` adds the products of two vectors, in pairs, to a third. The sums have names, because the
   compiler copies an array's to and fro. */
#define PRODUCTS(name, isa, vector, zero, load, add, fold)                                                   \
  __attribute__((target(isa))) static void name(size_t length, const int16_t *a, const int16_t *b,           \
                                                size_t stride, int32_t out[TILE][TILE]) {                    \
    enum { LANES = sizeof(vector) / sizeof(int16_t) };                                                       \
    vector s00 = zero(), s01 = zero(), s02 = zero(), s03 = zero(), s10 = zero(), s11 = zero(), s12 = zero(); \
    vector s13 = zero(), s20 = zero(), s21 = zero(), s22 = zero(), s23 = zero(), s30 = zero(), s31 = zero(); \
    vector s32 = zero(), s33 = zero(), x;                                                                    \
    for (size_t i = 0; i + LANES <= length; i += LANES) {                                                    \
      vector y0 = load((const void *)(b + i)), y1 = load((const void *)(b + stride + i));                    \
      vector y2 = load((const void *)(b + 2 * stride + i)), y3 = load((const void *)(b + 3 * stride + i));   \
      x = load((const void *)(a + 0 * stride + i));                                                          \
      s00 = add(s00, x, y0), s01 = add(s01, x, y1), s02 = add(s02, x, y2), s03 = add(s03, x, y3);            \
      x = load((const void *)(a + 1 * stride + i));                                                          \
      s10 = add(s10, x, y0), s11 = add(s11, x, y1), s12 = add(s12, x, y2), s13 = add(s13, x, y3);            \
      x = load((const void *)(a + 2 * stride + i));                                                          \
      s20 = add(s20, x, y0), s21 = add(s21, x, y1), s22 = add(s22, x, y2), s23 = add(s23, x, y3);            \
      x = load((const void *)(a + 3 * stride + i));                                                          \
      s30 = add(s30, x, y0), s31 = add(s31, x, y1), s32 = add(s32, x, y2), s33 = add(s33, x, y3);            \
    }                                                                                                        \
    _mm_storeu_si128((__m128i *)out[0], fold(s00, s01, s02, s03));                                           \
    _mm_storeu_si128((__m128i *)out[1], fold(s10, s11, s12, s13));                                           \
    _mm_storeu_si128((__m128i *)out[2], fold(s20, s21, s22, s23));                                           \
    _mm_storeu_si128((__m128i *)out[3], fold(s30, s31, s32, s33));                                           \
  }

/* Written out, because the intrinsic of gcc 12 copies every sum in every turn. */
__attribute__((target("avx512f,avx512vnni"))) static inline __m512i add_vnni(__m512i sum, __m512i x,
                                                                             __m512i y) {
  __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(y));
  return sum;
}

#define ADD_512(sum, x, y) _mm512_add_epi32(sum, _mm512_madd_epi16(x, y))
#define ADD_256(sum, x, y) _mm256_add_epi32(sum, _mm256_madd_epi16(x, y))
#define ADD_128(sum, x, y) _mm_add_epi32(sum, _mm_madd_epi16(x, y))

__attribute__((target("avx2"))) static inline __m128i fold_256(__m256i s, __m256i t, __m256i u, __m256i v) {
  __m256i all = QUARTERS(256, s, t, u, v);
  return _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}

__attribute__((target("avx512f"))) static inline __m128i fold_512(__m512i s, __m512i t, __m512i u,
                                                                  __m512i v) {
  __m512i all = QUARTERS(512, s, t, u, v);
  __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64(all, 1));
  return _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

static inline __m128i fold_128(__m128i s, __m128i t, __m128i u, __m128i v) {
  return QUARTERS(, s, t, u, v);
}

PRODUCTS(products_vnni, "avx512f,avx512bw,avx512vnni", __m512i, _mm512_setzero_si512, _mm512_loadu_si512,
         add_vnni, fold_512)
PRODUCTS(products_512, "avx512f,avx512bw", __m512i, _mm512_setzero_si512, _mm512_loadu_si512, ADD_512,
         fold_512)
PRODUCTS(products_256, "avx2", __m256i, _mm256_setzero_si256, _mm256_loadu_si256, ADD_256, fold_256)
PRODUCTS(products_128, "sse2", __m128i, _mm_setzero_si128, _mm_loadu_si128, ADD_128, fold_128)

/* Sums in 64 bits: a lane takes sixteen products below 2^27 before it is widened. */
enum { TURNS = 8 };
#define SUMS(name, isa, vector, load, add, widen, fold)                                                      \
  __attribute__((target(isa))) static void name(size_t length, const int16_t *a, const int16_t *b,           \
                                                size_t stride, int64_t out[TILE]) {                          \
    enum { LANES = sizeof(vector) / sizeof(int16_t) };                                                       \
    vector t0 = (vector){0}, t1 = (vector){0}, t2 = (vector){0}, t3 = (vector){0};                           \
    for (size_t i = 0; i < length;) {                                                                        \
      vector s0 = (vector){0}, s1 = (vector){0}, s2 = (vector){0}, s3 = (vector){0};                         \
      size_t end = length - i < TURNS * LANES ? length : i + TURNS * LANES;                                  \
      for (; i < end; i += LANES) {                                                                          \
        vector x = load((const void *)(a + i));                                                              \
        s0 = add(s0, x, load((const void *)(b + i)));                                                        \
        s1 = add(s1, x, load((const void *)(b + stride + i)));                                               \
        s2 = add(s2, x, load((const void *)(b + 2 * stride + i)));                                           \
        s3 = add(s3, x, load((const void *)(b + 3 * stride + i)));                                           \
      }                                                                                                      \
      t0 = widen(t0, s0), t1 = widen(t1, s1), t2 = widen(t2, s2), t3 = widen(t3, s3);                        \
    }                                                                                                        \
    out[0] = fold(t0), out[1] = fold(t1), out[2] = fold(t2), out[3] = fold(t3);                              \
  }

static inline __m128i widen_128(__m128i total, __m128i sum) {
  __m128i sign = _mm_srai_epi32(sum, 31);
  return _mm_add_epi64(total, _mm_add_epi64(_mm_unpacklo_epi32(sum, sign), _mm_unpackhi_epi32(sum, sign)));
}

static inline int64_t total_128(__m128i total) {
  return _mm_cvtsi128_si64(total) + _mm_cvtsi128_si64(_mm_unpackhi_epi64(total, total));
}

__attribute__((target("avx2"))) static inline __m256i widen_256(__m256i total, __m256i sum) {
  __m256i low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sum));
  return _mm256_add_epi64(total,
                          _mm256_add_epi64(low, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(sum, 1))));
}

__attribute__((target("avx2"))) static inline int64_t total_256(__m256i total) {
  return total_128(_mm_add_epi64(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1)));
}

__attribute__((target("avx512f"))) static inline __m512i widen_512(__m512i total, __m512i sum) {
  __m512i low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(sum));
  return _mm512_add_epi64(total,
                          _mm512_add_epi64(low, _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(sum, 1))));
}

__attribute__((target("avx512f"))) static inline int64_t total_512(__m512i total) {
  return total_256(_mm256_add_epi64(_mm512_castsi512_si256(total), _mm512_extracti64x4_epi64(total, 1)));
}

SUMS(sums_vnni, "avx512f,avx512bw,avx512vnni", __m512i, _mm512_loadu_si512, add_vnni, widen_512, total_512)
SUMS(sums_512, "avx512f,avx512bw", __m512i, _mm512_loadu_si512, ADD_512, widen_512, total_512)
SUMS(sums_256, "avx2", __m256i, _mm256_loadu_si256, ADD_256, widen_256, total_256)
SUMS(sums_128, "sse2", __m128i, _mm_loadu_si128, ADD_128, widen_128, total_128)

static products *const KINDS[] = {products_vnni, products_512, products_256, products_128};
static sums *const SUM_KINDS[] = {sums_vnni, sums_512, sums_256, sums_128};

static bool runs(size_t kind) {
  bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
  return kind == 0   ? wide && __builtin_cpu_supports("avx512vnni")
         : kind == 1 ? wide
         : kind == 2 ? __builtin_cpu_supports("avx2") != 0
                     : true;
}

#else

static void plain(size_t length, const int16_t *a, const int16_t *b, size_t stride, int32_t out[TILE][TILE]) {
  for (size_t s = 0; s < TILE; s++)
    for (size_t t = 0; t < TILE; t++) {
      uint32_t sum = 0;
      for (size_t i = 0; i < length; i++) sum += (uint32_t)(a[s * stride + i] * b[t * stride + i]);
      out[s][t] = (int32_t)sum;
    }
}

static void plain_sums(size_t length, const int16_t *a, const int16_t *b, size_t stride, int64_t out[TILE]) {
  for (size_t t = 0; t < TILE; t++) {
    out[t] = 0;
    for (size_t i = 0; i < length; i++) out[t] += a[i] * b[t * stride + i];
  }
}

static products *const KINDS[] = {plain};
static sums *const SUM_KINDS[] = {plain_sums};

static bool runs(size_t kind) {
  (void)kind;
  return true;
}

#endif

size_t tacit_pair_kinds(void) {
  return sizeof KINDS / sizeof *KINDS;
}

bool tacit_pair_products_by(size_t kind, size_t length, const int16_t *a, const int16_t *b, size_t stride,
                            int32_t out[TILE][TILE]) {
  if (!runs(kind)) return false;
  KINDS[kind](length, a, b, stride, out);
  return true;
}

void tacit_pair_products(size_t length, const int16_t *a, const int16_t *b, size_t stride,
                         int32_t out[TILE][TILE]) {
  static products *volatile best; /* whoever looks finds the same */
  products *chosen = best;
  for (size_t kind = 0; !chosen; kind++)
    if (runs(kind)) chosen = best = KINDS[kind];
  chosen(length, a, b, stride, out);
}

bool tacit_pair_sums_by(size_t kind, size_t length, const int16_t *a, const int16_t *b, size_t stride,
                        int64_t out[TILE]) {
  if (!runs(kind)) return false;
  SUM_KINDS[kind](length, a, b, stride, out);
  return true;
}

void tacit_pair_sums(size_t length, const int16_t *a, const int16_t *b, size_t stride, int64_t out[TILE]) {
  static sums *volatile best;
  sums *chosen = best;
  for (size_t kind = 0; !chosen; kind++)
    if (runs(kind)) chosen = best = SUM_KINDS[kind];
  chosen(length, a, b, stride, out);
}
