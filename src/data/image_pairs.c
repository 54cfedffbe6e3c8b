/* A block of rows times a public matrix, in two bytes and in pairs: for many columns several times as fast as
   in single precision. A row c and a column w of the matrix become whole numbers c' and w' with
   |c'| |w'| < 2^31, so that no sum leaves 32 bits: for a longer row the numbers are coarser. Only the row's
   own norm decides that, and its image depends on that row alone. */
#include "base/base.h"
#include "data/image_steps.h"
#include "num/clones.h"
#include "num/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  TILE = TACIT_PAIR_TILE,
  RUN = TACIT_PAIR_RUN,
  NEAR = 128,   /* rows at a time, */
  ROWS = 16,    /* of which so many stay in the first cache */
  COLUMNS = 64, /* while so many columns of the matrix stay in the second */
  SHIFT = 5,    /* from a cell of 20 bits to one of 15 */
};
/* Rows of up to about twice the root of their columns' number lose no precision. */
static const double LENGTH = 0x1p18;
/* A matrix that was rounded is taken as it is: rounding again leaves a little room. */
static const double ROUNDED = 1.01, TAKEN = 1.005;

/* So that nothing overflows. */
static double held(double entry) {
  return fmax(-0x1p64, fmin(0x1p64, entry));
}

static double norm_of(const double *row, size_t inputs) {
  double square = 0;
  for (size_t k = 1; k < inputs; k++) square += held(row[k]) * held(row[k]);
  return sqrt(square);
}

/* The finest grid 2^-e on which a row of the matrix is short enough. */
static int grid_of(double norm, size_t inputs, double room) {
  double most = fmin(LENGTH / sqrt((double)inputs), INT16_MAX - 1) / room;
  return norm > 0x1p-200 ? (int)floor(log2(most / norm)) : 0;
}

void tacit_image_round(size_t columns, size_t inputs, double *matrix) {
  if (inputs < TACIT_PAIR_INPUTS) return;
  for (size_t j = 0; j < columns; j++) {
    double *row = matrix + j * inputs;
    int e = grid_of(norm_of(row, inputs), inputs, ROUNDED);
    for (size_t k = 1; k < inputs; k++) row[k] = ldexp(rint(ldexp(held(row[k]), e)), -e);
  }
}

tacit_status tacit_pairs_set(tacit_steps *steps, const tacit_image *image, int bits, tacit_error *error) {
  size_t inputs = steps->inputs, padded = (steps->columns + TILE - 1) / TILE * TILE;
  double longest = 1;
  steps->stride = (inputs - 1 + RUN - 1) / RUN * RUN;
  steps->whole = tacit_alloc_aligned(padded * steps->stride + RUN, sizeof *steps->whole);
  steps->factor = tacit_alloc(2 * steps->columns + 1, sizeof *steps->factor);
  steps->length = tacit_alloc(padded / TILE + 1, sizeof *steps->length);
  if (!steps->whole || !steps->factor || !steps->length) return tacit_no_memory(error);
  steps->constant = steps->factor + steps->columns;
  for (size_t j = 0; j < steps->columns; j++) {
    const double *row = image->matrix + j * inputs;
    int16_t *whole = steps->whole + j * steps->stride;
    double square = 0;
    size_t end = 0, *length = &steps->length[j / TILE];
    int e = grid_of(norm_of(row, inputs), inputs, TAKEN);
    for (size_t k = 1; k < inputs; k++) {
      whole[k - 1] = (int16_t)rint(ldexp(held(row[k]), e));
      square += (double)whole[k - 1] * whole[k - 1];
      if (whole[k - 1]) end = k;
    }
    end = (end + RUN - 1) / RUN * RUN; /* a triangle's rows are half as long */
    *length = end > *length ? end : *length;
    longest = fmax(longest, sqrt(square));
    steps->factor[j] = (float)fmin(0x1p100, ldexp(1, bits + SHIFT - e));
    steps->constant[j] = (float)fmax(-0x1p64, fmin(0x1p64, ldexp(row[0], bits)));
  }
  steps->reach = (0x1p31 - 1) / longest * (1 - 0x1p-40);
  return TACIT_OK;
}

size_t tacit_pairs_room(const tacit_steps *steps) {
  return NEAR * steps->stride * sizeof(int16_t);
}

/* By how many bits the cells of each row are cut, so that it is no longer than the reach: |c'| is at most
   |c| / 2^bits and half a unit for each column. */
static void find_cuts(const tacit_steps *steps, const int32_t *norms, int32_t *cut) {
  double room = steps->reach - 0.5 * sqrt((double)steps->inputs) - 1;
  for (size_t i = 0; i < NEAR; i++) {
    cut[i] = SHIFT;
    while (cut[i] < 30 && ldexp((double)norms[i], -cut[i]) > room) cut[i]++;
  }
}

TACIT_CLONES static void cut_column(const int32_t *restrict cells, const int32_t *restrict cut,
                                    const int32_t *restrict half, int32_t limit, int16_t *restrict out) {
  for (size_t i = 0; i < NEAR; i++) {
    int32_t cell = (cells[i] + half[i]) >> cut[i];
    cell = cell < limit ? cell : limit;
    cell = cell > -limit ? cell : -limit;
    out[i] = (int16_t)cell;
  }
}

/* NEAR rows from `first` on, in two bytes, by rows. */
static void take_rows(const tacit_steps *steps, const tacit_block *from, size_t first, const int32_t *cut,
                      int16_t *rows) {
  int16_t tile[RUN][NEAR];
  int32_t half[NEAR];
  for (size_t i = 0; i < NEAR; i++) half[i] = 1 << (cut[i] - 1);
  for (size_t begin = 0; begin < steps->stride; begin += RUN) {
    size_t count = steps->inputs - 1 - begin < RUN ? steps->inputs - 1 - begin : RUN;
    if (count < RUN) memset(tile, 0, sizeof tile);
    for (size_t k = 0; k < count; k++)
      cut_column(from->cells + (1 + begin + k) * TACIT_BLOCK + first, cut, half, TACIT_NARROW_MAX, tile[k]);
    for (size_t i = 0; i < NEAR; i++)
      for (size_t k = 0; k < RUN; k++) rows[i * steps->stride + begin + k] = tile[k][i];
  }
  tacit_wipe(tile, sizeof tile);
}

/* What is made of ROWS rows at a time. */
typedef struct group {
  const int32_t *constant; /* their first cells */
  float scale[ROWS];       /* 2^(cut - SHIFT) */
  float *square;
} group;

TACIT_CLONES static void write_column(const int32_t *restrict sum, const group *g, float factor,
                                      float constant, float limit, int16_t *restrict out) {
  for (size_t i = 0; i < ROWS; i++) {
    float value = (float)sum[i] * (g->scale[i] * factor) + constant * (float)g->constant[i];
    int32_t cell = tacit_on_grid(value, limit);
    out[i] = (int16_t)cell;
    g->square[i] += (float)cell * (float)cell;
  }
}

/* ROWS rows times the columns from `begin` to `end`. */
static void multiply(const tacit_steps *steps, const int16_t *rows, const group *g, size_t begin, size_t end,
                     int16_t *out) {
  int32_t sum[TILE][ROWS], part[TILE][TILE];
  for (size_t j = begin; j < end; j += TILE) {
    for (size_t i = 0; i < ROWS; i += TILE) {
      tacit_pair_products(steps->length[j / TILE], steps->whole + j * steps->stride, rows + i * steps->stride,
                          steps->stride, part);
      for (size_t t = 0; t < TILE; t++) memcpy(sum[t] + i, part[t], sizeof part[t]);
    }
    for (size_t t = 0; t < TILE && j + t < end; t++)
      write_column(sum[t], g, steps->factor[j + t], steps->constant[j + t], TACIT_NARROW_MAX,
                   out + (j + t) * TACIT_BLOCK);
  }
  tacit_wipe(sum, sizeof sum);
}

void tacit_pairs_map(const tacit_steps *steps, void *room, const tacit_block *from, const tacit_block *to,
                     float square[TACIT_BLOCK]) {
  int16_t *rows = room;
  int32_t cut[NEAR];
  for (size_t first = 0; first < TACIT_BLOCK; first += NEAR) {
    find_cuts(steps, from->norms + first, cut);
    take_rows(steps, from, first, cut, rows);
    for (size_t begin = 0; begin < steps->columns; begin += COLUMNS) {
      size_t end = begin + COLUMNS < steps->columns ? begin + COLUMNS : steps->columns;
      for (size_t i = 0; i < NEAR; i += ROWS) {
        group g = {.constant = from->cells + first + i, .square = square + first + i};
        for (size_t r = 0; r < ROWS; r++) g.scale[r] = (float)(1 << (cut[i + r] - SHIFT));
        multiply(steps, rows + i * steps->stride, &g, begin, end, to->narrow + first + i);
      }
    }
  }
}
