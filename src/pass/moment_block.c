/* The exact moment of a block of rows in two bytes. Sums of products in 32 bits do not overflow where the two
   columns' sums of squares are below 2^31, by Cauchy and Schwarz; the few columns that are larger, such as
   the target's, are multiplied in 64 bits. */
#include "pass/moment_block.h"

#include "base/base.h"
#include "num/clones.h"
#include "num/pairs.h"
#include "pass/row_sum.h"

#include <string.h>

enum {
  TILE = TACIT_PAIR_TILE,
  NEAR = 64,  /* columns of two bytes that stay in the second cache while others go by */
  ROUGH = 16, /* one large column in so many is too much */
};
static const double LARGEST = 2147483647; /* 2^31 - 1 */

bool tacit_moment_open(tacit_moment_block *m, size_t width) {
  size_t padded = (width + TILE - 1) / TILE * TILE, cells = padded * TACIT_BLOCK * sizeof(int16_t);
  size_t bytes = cells + padded * (sizeof(double) + sizeof(uint32_t) + sizeof(bool));
  *m = (tacit_moment_block){.width = width, .padded = padded, .bytes = bytes};
  m->memory = tacit_alloc_aligned(bytes, 1);
  if (!m->memory) return false;
  m->cells = m->memory;
  m->squares = (double *)((char *)m->memory + cells);
  m->large = (uint32_t *)(m->squares + padded);
  m->is_large = (bool *)(m->large + padded);
  return true;
}

void tacit_moment_close(tacit_moment_block *m) {
  if (m->memory) tacit_free_wiped(m->memory, m->bytes);
}

void tacit_moment_begin(tacit_moment_block *m) {
  memset(m->memory, 0, m->bytes);
}

TACIT_CLONES static double narrow(const double *restrict v, int16_t *restrict cells) {
  double square = 0;
#pragma omp simd reduction(+ : square)
  for (size_t i = 0; i < TACIT_ROWS; i++) {
    cells[i] = (int16_t)(int32_t)v[i];
    square += v[i] * v[i];
  }
  return square;
}

void tacit_moment_take(tacit_moment_block *m, size_t first, const double *v) {
  for (size_t j = 0; j < m->width; j++)
    m->squares[j] += narrow(v + j * TACIT_ROWS, m->cells + j * TACIT_BLOCK + first);
}

void tacit_moment_give(const tacit_moment_block *m, size_t first, double *v) {
  for (size_t j = 0; j < m->width; j++)
    for (size_t i = 0; i < TACIT_ROWS; i++) v[j * TACIT_ROWS + i] = m->cells[j * TACIT_BLOCK + first + i];
}

bool tacit_moment_is_rough(tacit_moment_block *m) {
  m->larges = 0;
  for (size_t j = 0; j < m->width; j++) {
    m->is_large[j] = m->squares[j] > LARGEST;
    if (m->is_large[j]) m->large[m->larges++] = (uint32_t)j;
  }
  return m->larges > 1 + m->width / ROUGH;
}

/* Where row j of the upper triangle begins, less j: entry (j, k) is k further. */
static uint64_t *row_of(const tacit_moment_block *m, uint64_t *sum, size_t j) {
  return sum + j * m->width - j * (j + 1) / 2;
}

/* Whether a tile has no large column, no padding and nothing below the diagonal: most have not. */
static bool is_plain(const tacit_moment_block *m, size_t j, size_t k) {
  bool large = false;
  for (size_t s = 0; s < TILE; s++) large |= m->is_large[j + s] | m->is_large[k + s];
  return j != k && k + TILE <= m->width && !large;
}

/* A tile's sums, but for large columns and below the diagonal. */
static void add_tile(const tacit_moment_block *m, size_t j, size_t k, const int32_t part[TILE][TILE],
                     uint64_t *sum) {
  if (is_plain(m, j, k)) {
    for (size_t s = 0; s < TILE; s++) {
      uint64_t *row = row_of(m, sum, j + s) + k;
      for (size_t t = 0; t < TILE; t++) row[t] += (uint64_t)(int64_t)part[s][t];
    }
    return;
  }
  for (size_t s = 0; s < TILE && j + s < m->width; s++) {
    uint64_t *row = row_of(m, sum, j + s);
    if (m->is_large[j + s]) continue;
    for (size_t t = 0; t < TILE && k + t < m->width; t++)
      if (k + t >= j + s && !m->is_large[k + t]) row[k + t] += (uint64_t)(int64_t)part[s][t];
  }
}

TACIT_CLONES static int64_t long_product(const int16_t *a, const int16_t *b) {
  int64_t sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < TACIT_BLOCK; i++) sum += (int32_t)a[i] * (int32_t)b[i];
  return sum;
}

static void add_large(const tacit_moment_block *m, uint64_t *sum) {
  for (size_t l = 0; l < m->larges; l++) {
    size_t j = m->large[l];
    for (size_t k = 0; k < m->width; k++) {
      if (m->is_large[k] && k < j) continue; /* that one's turn was before */
      uint64_t part = (uint64_t)long_product(m->cells + j * TACIT_BLOCK, m->cells + k * TACIT_BLOCK);
      row_of(m, sum, j < k ? j : k)[j < k ? k : j] += part;
    }
  }
}

/* Columns j0 to j0 + NEAR with k0 to k0 + NEAR. */
static void add_square(const tacit_moment_block *m, size_t j0, size_t k0, uint64_t *sum) {
  size_t j_end = j0 + NEAR < m->padded ? j0 + NEAR : m->padded,
         k_end = k0 + NEAR < m->padded ? k0 + NEAR : m->padded;
  int32_t part[TILE][TILE];
  for (size_t j = j0; j < j_end; j += TILE)
    for (size_t k = k0 > j ? k0 : j; k < k_end; k += TILE) {
      tacit_pair_products(TACIT_BLOCK, m->cells + j * TACIT_BLOCK, m->cells + k * TACIT_BLOCK, TACIT_BLOCK,
                          part);
      add_tile(m, j, k, (const int32_t(*)[TILE])part, sum);
    }
}

void tacit_moment_add(const tacit_moment_block *m, uint64_t *sum) {
  for (size_t j = 0; j < m->padded; j += NEAR)
    for (size_t k = j; k < m->padded; k += NEAR) add_square(m, j, k, sum);
  add_large(m, sum);
}
