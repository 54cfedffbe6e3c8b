/* Builds the private learners' rows: integers on a public grid with the exact ceiling of each row's norm
   (proofs/exact-sums.md). A row depends on its own values alone. */
#include "data/design.h"

#include "base/base.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  CELL_BITS_MAX = 20,  /* a finer grid would clamp an intercept of 1 */
  TARGET_MAX = 1 << 30 /* TACIT_SCALE_LIMIT on the targets' grid */
};

static size_t block_bytes(const tacit_design *design) {
  return (design->columns + 1 + design->targets) * TACIT_BLOCK * sizeof(int32_t);
}

static tacit_status copy_transposed(tacit_design *design, const double *whiten, tacit_error *error) {
  size_t p = design->columns;
  design->whiten_t = tacit_alloc(p * p, sizeof *whiten);
  if (!design->whiten_t) return tacit_no_memory(error);
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) {
      if (!isfinite(whiten[i * p + j]))
        return tacit_fail(error, TACIT_USAGE, "the whitening matrix holds a value that is not finite");
      design->whiten_t[j * p + i] = whiten[i * p + j];
    }
  return TACIT_OK;
}

tacit_status tacit_design_new(const tacit_schema *schema, const double *whiten, int cell_bits,
                              tacit_design **design, tacit_error *error) {
  *design = NULL;
  if (cell_bits < 0 || cell_bits > CELL_BITS_MAX)
    return tacit_fail(error, TACIT_USAGE, "the grid must have 0 to %d bits, not %d", CELL_BITS_MAX,
                      cell_bits);
  tacit_design *self = tacit_alloc(1, sizeof *self);
  if (!self) return tacit_no_memory(error);
  self->columns = schema->columns;
  self->targets = schema->target_count;
  self->cell_bits = cell_bits;
  self->scratch = tacit_alloc(self->columns, sizeof *self->scratch);
  tacit_status status = self->scratch ? TACIT_OK : tacit_no_memory(error);
  if (!status && whiten) status = copy_transposed(self, whiten, error);
  if (status)
    tacit_design_free(self);
  else
    *design = self;
  return status;
}

void tacit_design_free(tacit_design *design) {
  if (!design) return;
  for (size_t b = 0; b < design->blocks; b++) tacit_free_wiped(design->block[b].cells, block_bytes(design));
  tacit_free_wiped(design->scratch, design->columns * sizeof *design->scratch);
  free(design->block);
  free(design->whiten_t);
  free(design);
}

/* One allocation for a block: cells, then norms, then targets, all zero. */
static tacit_status add_block(tacit_design *design, tacit_error *error) {
  void *blocks =
      tacit_grow(design->block, &design->block_capacity, design->blocks + 1, sizeof *design->block);
  if (!blocks) return tacit_no_memory(error);
  design->block = blocks;
  int32_t *memory = tacit_alloc_aligned(block_bytes(design), 1);
  if (!memory) return tacit_no_memory(error);
  tacit_block *block = &design->block[design->blocks++];
  block->cells = memory;
  block->norms = memory + design->columns * TACIT_BLOCK;
  block->targets = block->norms + TACIT_BLOCK;
  return TACIT_OK;
}

/* whiten * x into scratch. The sums run over k in order for every j at once: the compiler may vectorise them,
   and their value does not depend on whether it does. */
static const double *whitened(tacit_design *design, const double *x) {
  if (!design->whiten_t) return x;
  size_t p = design->columns;
  double *restrict out = design->scratch;
  memset(out, 0, p * sizeof *out);
  for (size_t k = 0; k < p; k++) {
    const double *restrict column = design->whiten_t + k * p;
    double factor = x[k];
    for (size_t j = 0; j < p; j++) out[j] += column[j] * factor;
  }
  return out;
}

static bool all_finite(const double *values, size_t count) {
  bool finite = true;
  for (size_t i = 0; i < count; i++) finite &= isfinite(values[i]) != 0;
  return finite;
}

/* Clamped before it is rounded: llround of a huge number is not defined. */
static int32_t on_grid(double value, int bits, int32_t largest) {
  double scaled = value * (double)((int64_t)1 << bits);
  double limit = largest;
  return (int32_t)llround(scaled < -limit ? -limit : scaled > limit ? limit : scaled);
}

/* The smallest root with root^2 >= square. The double is within one of it; the integers decide. */
static int32_t root_ceiling(int64_t square) {
  int64_t root = (int64_t)sqrt((double)square);
  while (root * root < square) root++;
  while (root > 0 && (root - 1) * (root - 1) >= square) root--;
  return (int32_t)root;
}

tacit_status tacit_design_add(void *self, const double *x, const double *y, tacit_error *error) {
  tacit_design *design = self;
  size_t at = design->rows % TACIT_BLOCK;
  if (at == 0) TACIT_TRY(add_block(design, error));
  const tacit_block *block = &design->block[design->blocks - 1];
  design->rows++;
  const double *row = whitened(design, x);
  /* A record that cannot be encoded counts, and contributes nothing: its row stays zero. */
  if (!all_finite(row, design->columns) || !all_finite(y, design->targets)) return TACIT_OK;
  int64_t square = 0; /* at most TACIT_COLUMNS_MAX * TACIT_CELL_MAX^2 = 2^51 */
  for (size_t j = 0; j < design->columns; j++) {
    int32_t cell = on_grid(row[j], design->cell_bits, TACIT_CELL_MAX);
    block->cells[j * TACIT_BLOCK + at] = cell;
    square += (int64_t)cell * cell;
  }
  block->norms[at] = root_ceiling(square);
  for (size_t t = 0; t < design->targets; t++)
    block->targets[t * TACIT_BLOCK + at] = on_grid(y[t], TACIT_TARGET_BITS, TARGET_MAX);
  return TACIT_OK;
}
