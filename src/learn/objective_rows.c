/* Integer rows clipped to a norm, and the kernel as a table of integers: what makes the perturbed objective's
   gradient exact (proofs/objective-perturbation.md, "The computed minimiser"). */
#include "learn/objective.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

bool tacit_kernel_table_fill(tacit_kernel_table *table, tacit_kernel kernel) {
  int64_t *v = table->value, one = INT64_C(1) << TACIT_TABLE_BITS, before = 0;
  double slope = 0;
  for (int k = 0; k <= TACIT_TABLE_STEPS; k++) {
    double cdf = tacit_kernel_cdf(kernel, k / 64.0 - 32);
    int64_t value = (int64_t)nearbyint(ldexp(cdf, TACIT_TABLE_BITS));
    value = value < before ? before : value > one ? one : value; /* whatever cdf returned: it never falls */
    v[k] = before = value;
  }
  v[0] = 0;
  v[TACIT_TABLE_STEPS] = one;
  for (int k = 0; k < TACIT_TABLE_STEPS; k++)
    slope = fmax(slope, 64 * ldexp((double)(v[k + 1] - v[k]), -TACIT_TABLE_BITS));
  return slope <= tacit_kernel_facts(kernel)->sup + 0x1p-20;
}

/* One row's cells to norm at most clip, all integers; false for one that rounding left longer. */
static bool clip_row(int32_t *cells, size_t columns, int64_t clip) {
  static const double INSIDE = 1 - 0x1p-40;
  int64_t square = 0, after = 0; /* 2048 cells of 2^20: below 2^52 */
  for (size_t j = 0; j < columns; j++) square += (int64_t)cells[j] * cells[j];
  if (square <= clip * clip) return true;
  double scale = (double)clip / sqrt((double)square) * INSIDE;
  for (size_t j = 0; j < columns; j++) {
    cells[j] = (int32_t)((double)cells[j] * scale); /* toward zero */
    after += (int64_t)cells[j] * cells[j];
  }
  return after <= clip * clip;
}

tacit_status tacit_clipped_rows_new(const tacit_design *design, tacit_clipped_rows *rows,
                                    tacit_error *error) {
  size_t n = design->rows, p = design->columns;
  *rows = (tacit_clipped_rows){.rows = n, .columns = p};
  if (n <= TACIT_OBJECTIVE_ROWS_MAX) {
    rows->cells = tacit_alloc(n * p + 1, sizeof *rows->cells);
    rows->targets = tacit_alloc(n + 1, sizeof *rows->targets);
  }
  if (rows->cells && rows->targets) return TACIT_OK;
  tacit_clipped_rows_free(rows);
  return tacit_no_memory(error);
}

void tacit_clipped_rows_fill(const tacit_design *design, size_t target, double clip,
                             tacit_clipped_rows *rows) {
  size_t p = design->columns;
  int64_t most = (int64_t)floor(fmin(ldexp(clip, TACIT_CELL_BITS), 0x1p31)); /* no row is longer than 2^26 */
  for (size_t i = 0; i < design->rows; i++) {
    const tacit_block *block = &design->stored.block[i / TACIT_BLOCK];
    size_t at = i % TACIT_BLOCK;
    int32_t *cells = rows->cells + i * p;
    for (size_t j = 0; j < p; j++) cells[j] = block->cells[j * TACIT_BLOCK + at];
    rows->targets[i] = block->targets[target * TACIT_BLOCK + at];
    if (!clip_row(cells, p, most)) memset(cells, 0, p * sizeof *cells);
  }
}

void tacit_clipped_rows_free(tacit_clipped_rows *rows) {
  if (rows->cells) tacit_free_wiped(rows->cells, (rows->rows * rows->columns + 1) * sizeof *rows->cells);
  if (rows->targets) tacit_free_wiped(rows->targets, (rows->rows + 1) * sizeof *rows->targets);
  *rows = (tacit_clipped_rows){0};
}
