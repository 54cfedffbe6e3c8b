/* Residuals, balances and widths, block by block with the loops of the smoothed pass. */
#include "erm/exact_sums.h"

#include "erm/smooth_block.h"

#include <string.h>

enum {
  PARTS = TACIT_EXACT_PARTS,
  BLOCK = 256,    /* rows */
  MANY = 1 << 16, /* cells from which on threads are worth their start */
};

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* The first row of a part: whole blocks. */
static size_t part_begin(size_t n, size_t part) {
  size_t blocks = (n + BLOCK - 1) / BLOCK;
  return least(n, blocks * part / PARTS * BLOCK);
}

double tacit_exact_residuals(const tacit_exact_rows *rows, double tau, const double *b, double *r) {
  size_t n = rows->n, p = rows->p;
  double loss[PARTS] = {0}, sum = 0;
#pragma omp parallel for num_threads(rows->threads) schedule(dynamic) if (n * p >= MANY)
  for (size_t part = 0; part < PARTS; part++)
    for (size_t i = part_begin(n, part), end = part_begin(n, part + 1); i < end; i += BLOCK) {
      size_t m = least(BLOCK, end - i);
      tacit_smooth_residuals(m, p, rows->x + i, n, rows->y + i, b, r + i);
      loss[part] += tacit_smooth_losses(m, tau, 0, r + i, r + i);
    }
  for (size_t part = 0; part < PARTS; part++) sum += loss[part];
  return sum;
}

void tacit_exact_balance(const tacit_exact_rows *rows, const double *a, double *sums) {
  size_t n = rows->n, p = rows->p;
#pragma omp parallel for num_threads(rows->threads) schedule(dynamic) if (n * p >= MANY)
  for (size_t part = 0; part < PARTS; part++) {
    double *sum = rows->room + part * p;
    memset(sum, 0, p * sizeof *sum);
    for (size_t i = part_begin(n, part), end = part_begin(n, part + 1); i < end; i += BLOCK)
      tacit_smooth_gradient(least(BLOCK, end - i), p, rows->x + i, n, a + i, sum);
  }
  memset(sums, 0, p * sizeof *sums);
  for (size_t part = 0; part < PARTS; part++)
    for (size_t j = 0; j < p; j++) sums[j] += rows->room[part * p + j];
}

void tacit_exact_widths(const tacit_exact_rows *rows, double *widths) {
  size_t n = rows->n, p = rows->p;
#pragma omp parallel for num_threads(rows->threads) schedule(dynamic) if (n * p >= MANY)
  for (size_t j = 0; j < p; j++) {
    double most = tacit_smooth_largest(n, rows->x + j * n);
    widths[j] = most > 0 ? most : 1;
  }
}
