/* A block of rows times a public matrix, in single precision: some rows and columns at a time, so that sums
   stay in registers and rows in the cache. */
#include "data/image_steps.h"

#include "base/base.h"
#include "num/clones.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LANES = 8,   /* twice so many rows' sums stay in registers, */
  AT_ONCE = 5, /* for so many columns; */
  NEAR = 128,  /* rows that stay in the cache */
};
typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));

/* Of a step of the new grid for a step of the old one: so that no sum of cells is beyond single precision. */
static const float STEP_MAX = 0x1p64f;

tacit_status tacit_steps_set(tacit_steps *steps, const tacit_image *image, size_t inputs, int bits,
                             tacit_error *error) {
  size_t columns = image->columns, strips = (columns + AT_ONCE - 1) / AT_ONCE;
  *steps = (tacit_steps){.inputs = inputs, .columns = columns};
  for (size_t i = 0; i < columns * inputs; i++)
    if (!isfinite(image->matrix[i]))
      return tacit_fail(error, TACIT_USAGE, "the rows' matrix holds a value that is not finite");
  if (image->narrow && inputs >= TACIT_PAIR_INPUTS) return tacit_pairs_set(steps, image, bits, error);
  steps->strip = tacit_alloc(strips * AT_ONCE * inputs, sizeof *steps->strip);
  if (!steps->strip) return tacit_no_memory(error);
  for (size_t j = 0; j < columns; j++)
    for (size_t k = 0; k < inputs; k++) {
      float step = (float)ldexp(image->matrix[j * inputs + k], bits);
      steps->strip[(j / AT_ONCE * inputs + k) * AT_ONCE + j % AT_ONCE] =
          fmaxf(-STEP_MAX, fminf(STEP_MAX, step));
    }
  return TACIT_OK;
}

void tacit_steps_free(tacit_steps *steps) {
  free(steps->strip);
  free(steps->whole);
  free(steps->length);
  free(steps->factor);
  *steps = (tacit_steps){0};
}

size_t tacit_steps_room(const tacit_steps *steps) {
  return steps->whole ? tacit_pairs_room(steps) : steps->inputs * NEAR * sizeof(float);
}

TACIT_CLONES static void convert(const int32_t *restrict cells, float *restrict x) {
  for (size_t i = 0; i < NEAR; i++) x[i] = (float)cells[i];
}

/* sum[t][i] for the strip's columns t, each over k in order. Single precision is good to 2^-24 of the largest
   term; a row's image depends on that row alone, and everything after it is exact. */
TACIT_CLONES static void map_strip(size_t inputs, const float *strip, const float *x,
                                   float sum[AT_ONCE][NEAR]) {
  for (size_t i = 0; i < NEAR; i += 2 * LANES) {
    lanes a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0}, a4 = {0}, b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0}, b4 = {0},
          u, v;
    const float *factor = strip;
    for (size_t k = 0; k < inputs; k++, factor += AT_ONCE) {
      memcpy(&u, x + k * NEAR + i, sizeof u);
      memcpy(&v, x + k * NEAR + i + LANES, sizeof v);
      a0 += factor[0] * u, b0 += factor[0] * v;
      a1 += factor[1] * u, b1 += factor[1] * v;
      a2 += factor[2] * u, b2 += factor[2] * v;
      a3 += factor[3] * u, b3 += factor[3] * v;
      a4 += factor[4] * u, b4 += factor[4] * v;
    }
    const lanes all[AT_ONCE][2] = {{a0, b0}, {a1, b1}, {a2, b2}, {a3, b3}, {a4, b4}};
    for (size_t t = 0; t < AT_ONCE; t++) memcpy(sum[t] + i, all[t], sizeof all[t]);
  }
}

TACIT_CLONES static void write_cells(const float *restrict values, float limit, int32_t *restrict cells,
                                     float *restrict square) {
  for (size_t i = 0; i < NEAR; i++) {
    cells[i] = tacit_on_grid(values[i], limit);
    square[i] += (float)cells[i] * (float)cells[i];
  }
}

TACIT_CLONES static void write_narrow(const float *restrict values, float limit, int16_t *restrict cells,
                                      float *restrict square) {
  for (size_t i = 0; i < NEAR; i++) {
    int32_t cell = tacit_on_grid(values[i], limit);
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

/* NEAR rows from `first` on. */
static void map_near(const tacit_steps *steps, float *x, const tacit_block *from, const tacit_block *to,
                     size_t first, float *square) {
  float sum[AT_ONCE][NEAR];
  for (size_t k = 0; k < steps->inputs; k++) convert(from->cells + k * TACIT_BLOCK + first, x + k * NEAR);
  for (size_t j = 0; j < steps->columns; j++) {
    const float *values = sum[j % AT_ONCE];
    size_t at = j * TACIT_BLOCK + first;
    if (j % AT_ONCE == 0) map_strip(steps->inputs, steps->strip + j * steps->inputs, x, sum);
    if (to->narrow)
      write_narrow(values, TACIT_NARROW_MAX, to->narrow + at, square + first);
    else
      write_cells(values, TACIT_CELL_MAX, to->cells + at, square + first);
  }
  tacit_wipe(sum, sizeof sum);
}

void tacit_steps_map(const tacit_steps *steps, void *room, const tacit_block *from,
                     const tacit_design *design, const tacit_block *to) {
  float square[TACIT_BLOCK] = {0};
  if (steps->whole)
    tacit_pairs_map(steps, room, from, to, square);
  else
    for (size_t first = 0; first < TACIT_BLOCK; first += NEAR) map_near(steps, room, from, to, first, square);
  write_norms(square, to->norms);
  memcpy(to->targets, from->targets, design->targets * TACIT_BLOCK * sizeof *to->targets);
  tacit_wipe(square, sizeof square); /* of a row of one column, its cell */
}
