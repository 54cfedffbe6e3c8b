/* The records of a design as rows matrix * x: stored, made on the fly, or in the old rows' place. */
#include "base/base.h"
#include "data/design_inner.h"
#include "num/clones.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Sums for five columns and some rows at once stay in registers. */
enum { LANES = 8, AT_ONCE = 5 };
typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t whole __attribute__((vector_size(LANES * sizeof(int32_t))));

static inline void load(const int32_t *cells, lanes *out) {
  whole numbers;
  memcpy(&numbers, cells, sizeof numbers);
  *out = __builtin_convertvector(numbers, lanes);
}

/* sum[t][i] for columns j + t, t < AT_ONCE (beyond the last: the last again), each over k in order. Single
   precision is good to 2^-24 of the largest term; a row's image depends on that row alone, and everything
   after it is exact. */
TACIT_CLONES static void map_columns(size_t inputs, size_t columns, const float *matrix_t,
                                     const int32_t *cells, size_t j, float sum[AT_ONCE][TACIT_BLOCK]) {
  size_t last = columns - 1, c0 = j, c1 = j + 1 < last ? j + 1 : last, c2 = j + 2 < last ? j + 2 : last,
         c3 = j + 3 < last ? j + 3 : last, c4 = j + 4 < last ? j + 4 : last;
  for (size_t i = 0; i < TACIT_BLOCK; i += 2 * LANES) {
    lanes a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0}, a4 = {0}, b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0}, b4 = {0},
          x, y;
    for (size_t k = 0; k < inputs; k++) {
      const float *factor = matrix_t + k * columns;
      load(cells + k * TACIT_BLOCK + i, &x);
      load(cells + k * TACIT_BLOCK + i + LANES, &y);
      a0 += factor[c0] * x;
      b0 += factor[c0] * y;
      a1 += factor[c1] * x;
      b1 += factor[c1] * y;
      a2 += factor[c2] * x;
      b2 += factor[c2] * y;
      a3 += factor[c3] * x;
      b3 += factor[c3] * y;
      a4 += factor[c4] * x;
      b4 += factor[c4] * y;
    }
    const lanes all[AT_ONCE][2] = {{a0, b0}, {a1, b1}, {a2, b2}, {a3, b3}, {a4, b4}};
    for (size_t t = 0; t < AT_ONCE; t++) memcpy(sum[t] + i, all[t], sizeof all[t]);
  }
}

/* Clamped and rounded to nearest. The limit is an argument because the compiler fails to vectorise
   comparisons with constants. */
static inline int32_t on_grid(float value, float limit) {
  value = value > -limit ? value : -limit;
  value = value < limit ? value : limit;
  return (int32_t)(value + (value > 0 ? 0.5f : -0.5f));
}

TACIT_CLONES static void write_cells(const float *restrict values, float limit, int32_t *restrict cells,
                                     float *restrict square) {
  for (size_t i = 0; i < TACIT_BLOCK; i++) {
    cells[i] = on_grid(values[i], limit);
    square[i] += (float)cells[i] * (float)cells[i];
  }
}

TACIT_CLONES static void write_narrow(const float *restrict values, float limit, int16_t *restrict cells,
                                      float *restrict square) {
  for (size_t i = 0; i < TACIT_BLOCK; i++) {
    int32_t cell = on_grid(values[i], limit);
    cells[i] = (int16_t)cell;
    square[i] += (float)cell * (float)cell;
  }
}

/* Not below the norm: a cell is exact in single precision, its square and each of at most 2^11 sums lose no
   more than 2^-24 of themselves, the root likewise, and 2^-12 is added. The zero row has none. */
TACIT_CLONES static void write_norms(const float *restrict square, int32_t *restrict norms) {
  const float more = 1 + 0x1p-12f;
  for (size_t i = 0; i < TACIT_BLOCK; i++) norms[i] = (int32_t)(sqrtf(square[i]) * more) + (square[i] > 0);
}

/* matrix * x for a block of `inputs` columns. matrix_t is in steps of the new grid for steps of the old one.
 */
static void map_block(size_t inputs, const float *matrix_t, const tacit_block *from,
                      const tacit_design *design, const tacit_block *to) {
  float sum[AT_ONCE][TACIT_BLOCK], square[TACIT_BLOCK] = {0};
  for (size_t j = 0; j < design->columns; j++) {
    const float *values = sum[j % AT_ONCE];
    if (j % AT_ONCE == 0) map_columns(inputs, design->columns, matrix_t, from->cells, j, sum);
    if (to->narrow)
      write_narrow(values, TACIT_NARROW_MAX, to->narrow + j * TACIT_BLOCK, square);
    else
      write_cells(values, TACIT_CELL_MAX, to->cells + j * TACIT_BLOCK, square);
  }
  write_norms(square, to->norms);
  memcpy(to->targets, from->targets, design->targets * TACIT_BLOCK * sizeof *to->targets);
  tacit_wipe(sum, sizeof sum);
  tacit_wipe(square, sizeof square); /* of a row of one column, its cell */
}

/* Of a step of the new grid for a step of the old one: so that no sum of cells is beyond single precision. */
static const float STEP_MAX = 0x1p64f;

/* The matrix transposed, in steps of the new grid for a step of the old one; to be freed. */
static tacit_status steps_of(const double *matrix, size_t columns, size_t inputs, int bits, float **steps,
                             tacit_error *error) {
  *steps = tacit_alloc(columns * inputs, sizeof **steps);
  if (!*steps) return tacit_no_memory(error);
  for (size_t j = 0; j < columns; j++)
    for (size_t k = 0; k < inputs; k++) {
      if (!isfinite(matrix[j * inputs + k])) {
        free(*steps);
        *steps = NULL;
        return tacit_fail(error, TACIT_USAGE, "the rows' matrix holds a value that is not finite");
      }
      float step = (float)ldexp(matrix[j * inputs + k], bits);
      (*steps)[k * columns + j] = fmaxf(-STEP_MAX, fminf(STEP_MAX, step));
    }
  return TACIT_OK;
}

/* A design for the rows, and the steps. */
static tacit_status begin(const tacit_design *from, const tacit_image *image, tacit_design **to,
                          float **steps, tacit_error *error) {
  *to = NULL;
  TACIT_TRY(steps_of(image->matrix, image->columns, from->columns, image->cell_bits - from->cell_bits, steps,
                     error));
  tacit_status status =
      tacit_design_make(from->columns, image->columns, from->targets, NULL, image->cell_bits, to, error);
  if (status)
    free(*steps);
  else {
    (*to)->narrow = image->narrow;
    (*to)->units = from->units;
  }
  return status;
}

static tacit_status give_up(tacit_design **design, tacit_status status) {
  tacit_design_free(*design);
  *design = NULL;
  return status;
}

tacit_status tacit_design_transform(const tacit_design *from, const tacit_image *image, int threads,
                                    tacit_design **to, tacit_error *error) {
  float *steps;
  TACIT_TRY(begin(from, image, to, &steps, error));
  tacit_row_store store = tacit_design_store(*to);
  const tacit_design *design = *to;
  tacit_status status = store.reserve(*to, from->rows, error);
  if (status == TACIT_OK) {
#pragma omp parallel for num_threads(threads) if (from->blocks > 1)
    for (size_t b = 0; b < from->blocks; b++) {
      tacit_block source = tacit_design_block(from, b);
      map_block(from->columns, steps, &source, design, &design->block[b]);
    }
    status = store.keep(*to, from->rows, error);
  }
  free(steps);
  return status ? give_up(to, status) : TACIT_OK;
}

/* One block of memory for each thread. */
static tacit_status make_rooms(tacit_design *design, int threads, size_t bytes, tacit_error *error) {
  design->rooms = tacit_alloc((size_t)threads, sizeof *design->rooms);
  if (!design->rooms) return tacit_no_memory(error);
  design->room_bytes = bytes;
  for (; design->room_count < threads; design->room_count++)
    if (!(design->rooms[design->room_count] = tacit_alloc_aligned(bytes, 1))) return tacit_no_memory(error);
  return TACIT_OK;
}

tacit_status tacit_design_view(const tacit_design *from, const tacit_image *image, int threads,
                               tacit_design **to, tacit_error *error) {
  float *steps;
  TACIT_TRY(begin(from, image, to, &steps, error));
  tacit_design *design = *to;
  design->base = from;
  design->steps = steps;
  design->rows = from->rows;
  design->blocks = from->blocks;
  tacit_status status = make_rooms(design, threads, tacit_block_bytes(design), error);
  return status ? give_up(to, status) : TACIT_OK;
}

tacit_status tacit_design_turn(tacit_design *design, const tacit_image *image, int threads,
                               tacit_error *error) {
  size_t inputs = design->columns;
  float *steps;
  bool stored = design->block || design->blocks == 0; /* a table without rows has no blocks */
  assert(image->columns <= inputs && stored && !design->map && !design->rooms && !design->narrow);
  (void)stored;
  TACIT_TRY(
      steps_of(image->matrix, image->columns, inputs, image->cell_bits - design->cell_bits, &steps, error));
  tacit_status status = make_rooms(design, threads, tacit_block_bytes(design), error);
  if (status == TACIT_OK) {
    tacit_wipe(design->scratch, TACIT_TILE * inputs * sizeof *design->scratch);
    design->columns = image->columns;
    design->cell_bits = image->cell_bits;
    design->narrow = image->narrow;
    for (size_t b = design->blocks; b < design->made; b++)
      design->block[b] = tacit_block_in(design, design->block[b].cells);
#pragma omp parallel for num_threads(threads) if (design->blocks > 1)
    for (size_t b = 0; b < design->blocks; b++) {
      tacit_block old = design->block[b], made = tacit_block_in(design, design->rooms[tacit_thread()]);
      map_block(inputs, steps, &old, design, &made);
      memcpy(old.cells, design->rooms[tacit_thread()], tacit_block_bytes(design));
      design->block[b] = tacit_block_in(design, old.cells);
    }
  }
  free(steps);
  return status;
}

/* A file of this size may stay in memory: to map its pages anew in each pass would take longer than the pass.
 */
static const size_t STAYS = (size_t)256 << 20;

void tacit_design_pass(const tacit_design *design, size_t b) {
  enum { WINDOW = 64 }; /* blocks: enough for one call to the system to cost nothing */
  if (!design->map || b % WINDOW || b < 2 * WINDOW) return;
  if (design->blocks * tacit_block_bytes(design) <= STAYS) return;
  (void)madvise(design->block[b - 2 * WINDOW].cells, WINDOW * tacit_block_bytes(design), MADV_DONTNEED);
}

tacit_block tacit_design_block(const tacit_design *design, size_t b) {
  if (!design->base) {
    tacit_design_pass(design, b);
    return design->block[b];
  }
  assert(tacit_thread() < design->room_count);
  tacit_block source = tacit_design_block(design->base, b);
  tacit_block made = tacit_block_in(design, design->rooms[tacit_thread()]);
  map_block(design->base->columns, design->steps, &source, design, &made);
  return made;
}
