/* Builds the private learners' rows: integers on a public grid with the exact ceiling of each row's norm
   (proofs/exact-sums.md). A row depends on its own values alone. */
#include "data/design_inner.h"

#include "base/base.h"
#include "data/design_units.h"
#include "data/image_steps.h"
#include "num/clones.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
  CELL_BITS_MAX = 20,  /* a finer grid would clamp an intercept of 1 */
  TARGET_MAX = 1 << 30 /* TACIT_TARGET_LIMIT on the targets' grid */
};

static tacit_status copy_transposed(tacit_design *design, const double *matrix, tacit_error *error) {
  size_t rows = design->columns, columns = design->inputs;
  design->stored.matrix_t = tacit_alloc(rows * columns, sizeof *matrix);
  if (!design->stored.matrix_t) return tacit_no_memory(error);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++) {
      if (!isfinite(matrix[i * columns + j]))
        return tacit_fail(error, TACIT_USAGE, "the rows' matrix holds a value that is not finite");
      design->stored.matrix_t[j * rows + i] = matrix[i * columns + j];
    }
  return TACIT_OK;
}

tacit_status tacit_design_make(size_t inputs, size_t columns, size_t targets, const double *matrix,
                               int cell_bits, tacit_design **design, tacit_error *error) {
  *design = NULL;
  if (cell_bits < 0 || cell_bits > CELL_BITS_MAX)
    return tacit_fail(error, TACIT_USAGE, "the grid must have 0 to %d bits, not %d", CELL_BITS_MAX,
                      cell_bits);
  tacit_design *self = tacit_alloc(1, sizeof *self);
  if (!self) return tacit_no_memory(error);
  self->inputs = inputs;
  self->columns = columns;
  self->targets = targets;
  self->cell_bits = cell_bits;
  self->stored.scratch = tacit_alloc(TACIT_TILE * columns, sizeof *self->stored.scratch);
  tacit_status status = self->stored.scratch ? TACIT_OK : tacit_no_memory(error);
  if (!status && matrix) status = copy_transposed(self, matrix, error);
  if (status)
    tacit_design_free(self);
  else
    *design = self;
  return status;
}

tacit_status tacit_design_new(const tacit_schema *schema, const double *whiten, int cell_bits,
                              tacit_design **design, tacit_error *error) {
  return tacit_design_make(schema->columns, schema->columns, schema->target_count, whiten, cell_bits, design,
                           error);
}

void tacit_design_row(const tacit_design *design, size_t row, double *x, double *y) {
  const tacit_block *block = &design->stored.block[row / TACIT_BLOCK];
  size_t i = row % TACIT_BLOCK;
  double cell = 1.0 / (double)(1 << design->cell_bits), target = 1.0 / (1 << TACIT_TARGET_BITS);
  for (size_t j = 0; j < design->columns; j++) x[j] = cell * block->cells[j * TACIT_BLOCK + i];
  for (size_t t = 0; t < design->targets; t++) y[t] = target * block->targets[t * TACIT_BLOCK + i];
}

size_t tacit_design_filled(const tacit_design *design, size_t b) {
  size_t left = design->rows - b * TACIT_BLOCK, most = left < TACIT_BLOCK ? left : TACIT_BLOCK;
  return design->units ? tacit_unit_runs_filled(design->units, b) : most;
}

/* By all threads, of which each had a room: the system keeps pages for the processor that gave them back,
   which asks for them again in the next fit. */
static void give_back(const tacit_slab *slab, int threads) {
  enum { PIECE = 4 << 20 };
  size_t pieces = slab->bytes / PIECE;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && pieces > 1)
  for (size_t i = 0; i < pieces; i++) (void)madvise((char *)slab->memory + i * PIECE, PIECE, MADV_DONTNEED);
  tacit_free_rows(slab->memory, slab->bytes);
}

void tacit_design_free(tacit_design *design) {
  if (!design) return;
  for (size_t i = 0; i < design->stored.slabs; i++)
    give_back(&design->stored.slab[i], design->view.room_count > 0 ? design->view.room_count : 1);
  for (int i = 0; design->view.rooms && i < design->view.room_count; i++)
    if (design->view.rooms[i]) tacit_free_wiped(design->view.rooms[i], design->view.room_bytes);
  if (design->file.map) munmap(design->file.map, design->file.map_bytes);
  tacit_free_wiped(design->stored.scratch, TACIT_TILE * design->columns * sizeof *design->stored.scratch);
  tacit_unit_runs_free(design->own_units);
  free(design->view.rooms);
  if (design->view.steps) tacit_steps_free(design->view.steps);
  free(design->view.steps);
  free(design->stored.slab);
  free(design->stored.block);
  free(design->stored.matrix_t);
  free(design);
}

/* Memory for so many more blocks, all zero. */
static tacit_status add_slab(tacit_design *design, size_t blocks, tacit_error *error) {
  size_t bytes = tacit_block_bytes(design), end = design->stored.made + blocks;
  void *block =
      tacit_grow(design->stored.block, &design->stored.block_capacity, end, sizeof *design->stored.block);
  if (block) design->stored.block = block;
  void *slab = tacit_grow(design->stored.slab, &design->stored.slab_capacity, design->stored.slabs + 1,
                          sizeof *design->stored.slab);
  if (slab) design->stored.slab = slab;
  char *memory = block && slab ? tacit_alloc_rows(blocks, bytes) : NULL;
  if (!memory) return tacit_no_memory(error);
  design->stored.slab[design->stored.slabs++] = (tacit_slab){memory, blocks * bytes};
  for (size_t i = 0; i < blocks; i++)
    design->stored.block[design->stored.made++] = tacit_block_in(design, memory + i * bytes);
  return TACIT_OK;
}

static tacit_status reserve(void *self, size_t rows, tacit_error *error) {
  enum { AHEAD = 64 }; /* blocks at most for rows that come one by one */
  tacit_design *design = self;
  size_t needed = (design->rows + rows + TACIT_BLOCK - 1) / TACIT_BLOCK;
  if (needed > design->stored.made) {
    size_t missing = needed - design->stored.made,
           more = design->stored.made < AHEAD ? design->stored.made : AHEAD;
    TACIT_TRY(add_slab(design, missing > more ? missing : more, error));
  }
  if (needed > design->blocks) design->blocks = needed;
  design->stored.reserved = rows;
  return TACIT_OK;
}

static void clear_row(const tacit_design *design, const tacit_block *block, size_t i) {
  for (size_t j = 0; j < design->columns; j++) block->cells[j * TACIT_BLOCK + i] = 0;
  block->norms[i] = 0;
  for (size_t t = 0; t < design->targets; t++) block->targets[t * TACIT_BLOCK + i] = 0;
}

/* Rows that were written but are not kept are wiped: unused rows are zero. */
static tacit_status keep(void *self, size_t rows, tacit_error *error) {
  (void)error;
  tacit_design *design = self;
  size_t end = design->rows + design->stored.reserved;
  design->rows += rows;
  design->stored.reserved = 0;
  for (size_t i = design->rows; i < end; i++)
    clear_row(design, &design->stored.block[i / TACIT_BLOCK], i % TACIT_BLOCK);
  design->blocks = (design->rows + TACIT_BLOCK - 1) / TACIT_BLOCK;
  return TACIT_OK;
}

/* matrix * x for a tile, by columns. Each sum runs over k in order, whatever the compiler makes of it. */
static tacit_tile mapped(const tacit_design *design, const tacit_tile *tile, double *scratch) {
  if (!design->stored.matrix_t) return *tile;
  size_t p = design->columns;
  memset(scratch, 0, TACIT_TILE * p * sizeof *scratch);
  for (size_t k = 0; k < design->inputs; k++) {
    const double *restrict x = tile->x + k * tile->stride;
    for (size_t j = 0; j < p; j++) {
      double factor = design->stored.matrix_t[k * p + j], *restrict out = scratch + j * TACIT_TILE;
      for (size_t i = 0; i < tile->count; i++) out[i] += factor * x[i];
    }
  }
  return (tacit_tile){.count = tile->count, .stride = TACIT_TILE, .x = scratch};
}

/* Clamped and rounded to nearest; a NaN becomes a bound. The limit is an argument because the compiler fails
   to vectorise comparisons with constants. */
static inline int32_t on_grid(double value, double scale, double limit) {
  double v = value * scale;
  v = v > -limit ? v : -limit;
  v = v < limit ? v : limit;
  return (int32_t)(v + (v > 0 ? 0.5 : -0.5));
}

/* A row's trouble is NaN where one of its values is not finite. */
TACIT_CLONES static void write_cells(const double *restrict column, size_t count, double scale, double limit,
                                     int32_t *restrict cells, double *restrict square,
                                     double *restrict trouble) {
  for (size_t i = 0; i < count; i++) {
    cells[i] = on_grid(column[i], scale, limit);
    square[i] += (double)cells[i] * cells[i];
    trouble[i] += 0 * column[i];
  }
}

TACIT_CLONES static void write_targets(const double *restrict y, size_t count, double scale, double limit,
                                       int32_t *restrict targets, double *restrict trouble) {
  for (size_t i = 0; i < count; i++) {
    targets[i] = on_grid(y[i], scale, limit);
    trouble[i] += 0 * y[i];
  }
}

/* The smallest whole root with root^2 >= square, for whole squares below 2^52: all whole numbers here are
   exact, and so are the comparisons. A root rounded to nearest and cut is the root's floor, or already its
   ceiling. */
static inline int32_t root_ceiling(double square) {
  double root = (double)(int32_t)sqrt(square);
  return (int32_t)root + (root * root < square);
}

TACIT_CLONES static void write_norms(const double *square, size_t count, int32_t *restrict norms) {
  for (size_t i = 0; i < count; i++) norms[i] = root_ceiling(square[i]);
}

/* Rows first.. first + count of a tile as rows at.. of a block. A record that cannot be encoded counts, and
   contributes nothing: its row is zero. */
static void write_rows(const tacit_design *design, const tacit_block *block, size_t at, size_t count,
                       const tacit_tile *tile, const double *y, size_t y_stride) {
  double scale = (double)(1 << design->cell_bits), trouble[TACIT_TILE] = {0};
  double square[TACIT_TILE] = {0}; /* at most TACIT_COLUMNS_MAX * TACIT_CELL_MAX^2 = 2^51 */
  for (size_t j = 0; j < design->columns; j++)
    write_cells(tile->x + j * tile->stride, count, scale, TACIT_CELL_MAX, block->cells + j * TACIT_BLOCK + at,
                square, trouble);
  write_norms(square, count, block->norms + at);
  for (size_t t = 0; t < design->targets; t++)
    write_targets(y + t * y_stride, count, 1 << TACIT_TARGET_BITS, TARGET_MAX,
                  block->targets + t * TACIT_BLOCK + at, trouble);
  for (size_t i = 0; i < count; i++)
    if (trouble[i] != 0) clear_row(design, block, at + i);
  tacit_wipe(square, count * sizeof *square); /* as those of mapped rows are */
}

static void put(void *self, size_t row, const tacit_tile *tile, void *scratch) {
  const tacit_design *design = self;
  tacit_tile rest = mapped(design, tile, scratch);
  const double *y = tile->y;
  for (size_t done = 0; done < tile->count;) {
    size_t i = design->rows + row + done, at = i % TACIT_BLOCK, left = tile->count - done;
    size_t part = left < TACIT_BLOCK - at ? left : TACIT_BLOCK - at;
    write_rows(design, &design->stored.block[i / TACIT_BLOCK], at, part, &rest, y, tile->stride);
    done += part;
    rest.x += part;
    y += part;
  }
}

/* Their memory is for the blocks to come. */
void tacit_design_forget(tacit_design *design, size_t blocks) {
  for (size_t b = 0; b < blocks; b++) {
    tacit_block first = design->stored.block[b];
    tacit_wipe(first.cells, tacit_block_bytes(design));
  }
  for (size_t b = blocks; b < design->blocks; b++) {
    tacit_block kept = design->stored.block[b];
    design->stored.block[b] = design->stored.block[b - blocks];
    design->stored.block[b - blocks] = kept;
  }
  design->blocks -= blocks;
  design->rows -= blocks * TACIT_BLOCK;
}

tacit_row_store tacit_design_store(tacit_design *design) {
  return (tacit_row_store){.self = design,
                           .scratch = TACIT_TILE * design->columns * sizeof(double),
                           .reserve = reserve,
                           .put = put,
                           .keep = keep};
}

tacit_status tacit_design_add(void *self, const double *x, const double *y, tacit_error *error) {
  tacit_design *design = self;
  TACIT_TRY(reserve(design, 1, error));
  put(design, 0, &(tacit_tile){.count = 1, .stride = 1, .x = x, .y = y}, design->stored.scratch);
  return keep(design, 1, error);
}
