/* Exact sums of vectors made from rows: decode a block, map each row, cut to integers, hold to the radius,
 * add. */
#include "pass/row_sum.h"

#include "base/base.h"
#include "pass/moment_block.h"
#include "pass/row_block.h"
#include "question/radius.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* A thread's room: one row of the table, its image, the image in integers, and the thread's part of the sum.
 */
typedef struct workspace {
  double *x, *y, *out;
  int64_t *v;
  uint64_t *part;
  size_t bytes;
} workspace;

static bool open_workspace(workspace *w, const tacit_design *design, size_t width, size_t sum_width) {
  size_t doubles = design->columns + design->targets + width;
  w->bytes = (doubles + width + sum_width) * sizeof(double);
  w->x = tacit_alloc_aligned(w->bytes, 1);
  if (!w->x) return false;
  w->y = w->x + design->columns;
  w->out = w->y + design->targets;
  w->v = (int64_t *)(w->out + width);
  w->part = (uint64_t *)(w->v + width);
  return true;
}

/* False for rows that had no encoding. */
static bool decode(const tacit_design *design, size_t row, workspace *w) {
  if (row % TACIT_BLOCK == 0) tacit_design_pass(design, row / TACIT_BLOCK);
  if (design->stored.block[row / TACIT_BLOCK].norms[row % TACIT_BLOCK] == 0) return false;
  tacit_design_row(design, row, w->x, w->y);
  return true;
}

/* out -> integers v with norm at most radius, or zero. */
static bool cut(const tacit_row_pass *pass, const double *out, int64_t radius, int64_t *v) {
  double square = 0;
  for (size_t j = 0; j < pass->width; j++) square += out[j] * out[j];
  double norm = sqrt(square), clip = ldexp((double)radius, -pass->bits);
  double scale = ldexp(norm > clip ? clip / norm * TACIT_ROW_INSIDE : 1, pass->bits);
  if (!(norm < INFINITY)) return false; /* also a NaN */
  wide length = 0;
  for (size_t j = 0; j < pass->width; j++) {
    v[j] = (int64_t)(out[j] * scale); /* toward zero; |out| <= clip, so it fits */
    wide magnitude = (wide)(v[j] < 0 ? -v[j] : v[j]);
    length += magnitude * magnitude;
  }
  return length <= (wide)radius * (wide)radius;
}

static void add(const tacit_row_pass *pass, const int64_t *v, uint64_t *sum) {
  if (!pass->moment) {
    for (size_t j = 0; j < pass->width; j++) sum[j] += (uint64_t)v[j];
    return;
  }
  for (size_t j = 0, at = 0; j < pass->width; j++)
    for (size_t k = j; k < pass->width; k++, at++) sum[at] += (uint64_t)v[j] * (uint64_t)v[k];
}

size_t tacit_row_sum_width(const tacit_row_pass *pass) {
  return pass->moment ? pass->width * (pass->width + 1) / 2 : pass->width;
}

/* A thread's room for rows by the hundred: their columns, their images, and a block's sum in doubles. */
typedef struct room {
  tacit_moment_block pairs; /* of moments in two bytes */
  double *x, *y, *v, *sum, *one;
  uint64_t *part;
  int64_t *unit; /* a unit's sum so far */
  size_t padded, entries, bytes;
} room;

static bool open_room(room *w, const tacit_design *design, const tacit_row_pass *pass, bool in_pairs) {
  size_t rows = TACIT_ROWS, columns = design->columns, targets = design->targets;
  w->padded = (pass->width + TACIT_ROW_TILE - 1) / TACIT_ROW_TILE * TACIT_ROW_TILE;
  w->entries = pass->moment ? w->padded * w->padded : w->padded;
  size_t doubles = (columns + targets + w->padded) * rows + w->entries + columns + targets + pass->width;
  size_t width = tacit_row_sum_width(pass), sums = width > TACIT_UNIT_BINS ? width : TACIT_UNIT_BINS;
  w->bytes = (doubles + sums + width) * sizeof(double);
  w->x = tacit_alloc_aligned(w->bytes, 1);
  if (!w->x) return false;
  w->y = w->x + columns * rows;
  w->v = w->y + targets * rows;
  w->sum = w->v + w->padded * rows;
  w->one = w->sum + w->entries;
  w->part = (uint64_t *)(w->one + columns + targets + pass->width);
  w->unit = (int64_t *)(w->part + sums);
  return !in_pairs || tacit_moment_open(&w->pairs, pass->width);
}

static void close_room(room *w) {
  tacit_moment_close(&w->pairs);
  if (w->x) tacit_free_wiped(w->x, w->bytes);
}

static void map_rows(const tacit_design *design, const tacit_row_pass *pass, const tacit_block *block,
                     size_t first, room *w) {
  if (pass->map_rows) {
    pass->map_rows(pass->self, block, first, w->v);
    return;
  }
  tacit_rows_decode(design, block, first, w->x, w->y);
  double *x = w->one, *y = x + design->columns, *out = y + design->targets;
  for (size_t i = 0; i < TACIT_ROWS; i++) {
    for (size_t j = 0; j < design->columns; j++) x[j] = w->x[j * TACIT_ROWS + i];
    for (size_t t = 0; t < design->targets; t++) y[t] = w->y[t * TACIT_ROWS + i];
    pass->map(pass->self, x, y, out);
    for (size_t j = 0; j < pass->width; j++) w->v[j * TACIT_ROWS + i] = out[j];
  }
}

/* A block's sums in doubles, added to the thread's part. */
static void keep_sums(const tacit_row_pass *pass, room *w) {
  for (size_t j = 0, at = 0; j < pass->width; j++) {
    size_t end = pass->moment ? pass->width : j + 1;
    for (size_t k = j; k < end; k++, at++)
      w->part[at] += (uint64_t)(int64_t)w->sum[pass->moment ? j * w->padded + k : j];
  }
}

/* Whole numbers below 2^53 in magnitude: exact, whatever the order (proofs/exact-sums.md, "In doubles"). */
static void add_block(const tacit_design *design, const tacit_row_pass *pass, double radius, size_t b,
                      room *w) {
  tacit_block block = tacit_design_block(design, b);
  memset(w->sum, 0, w->entries * sizeof *w->sum);
  for (size_t first = 0; first < TACIT_BLOCK; first += TACIT_ROWS) {
    if (b * TACIT_BLOCK + first >= design->rows) break; /* unused rows have no norm and add nothing */
    map_rows(design, pass, &block, first, w);
    tacit_rows_cut(pass, block.norms + first, radius, w->v);
    if (pass->moment)
      tacit_rows_multiply(w->padded, w->v, w->sum, w->padded);
    else
      tacit_rows_add(pass->width, w->v, w->sum);
  }
  keep_sums(pass, w);
}

/* The same in two bytes. Where too many columns are large, their numbers go back into doubles. */
static void add_pairs(const tacit_design *design, const tacit_row_pass *pass, double radius, size_t b,
                      room *w) {
  tacit_block block = tacit_design_block(design, b);
  tacit_moment_begin(&w->pairs);
  for (size_t first = 0; first < TACIT_BLOCK; first += TACIT_ROWS) {
    if (b * TACIT_BLOCK + first >= design->rows) break;
    map_rows(design, pass, &block, first, w);
    tacit_rows_cut(pass, block.norms + first, radius, w->v);
    tacit_moment_take(&w->pairs, first, w->v);
  }
  if (!tacit_moment_is_rough(&w->pairs)) {
    tacit_moment_add(&w->pairs, w->part);
    return;
  }
  memset(w->sum, 0, w->entries * sizeof *w->sum);
  for (size_t first = 0; first < TACIT_BLOCK; first += TACIT_ROWS) {
    tacit_moment_give(&w->pairs, first, w->v);
    tacit_rows_multiply(w->padded, w->v, w->sum, w->padded);
  }
  keep_sums(pass, w);
}

/* A row's whole numbers, below 2^26, or their products, below 2^42: a unit has at most 2^10 of them. */
static void add_row(const tacit_row_pass *pass, const double *v, size_t i, int64_t *unit) {
  for (size_t j = 0, at = 0; j < pass->width; j++) {
    int64_t value = (int64_t)v[j * TACIT_ROWS + i];
    if (!pass->moment) unit[j] += value;
    for (size_t k = j; pass->moment && k < pass->width; k++)
      unit[at++] += value * (int64_t)v[k * TACIT_ROWS + i];
  }
}

/* The same block by units, each of which is added when its last row was. */
static void add_units(const tacit_design *design, const tacit_row_pass *pass, double radius, size_t b,
                      room *w) {
  tacit_block block = tacit_design_block(design, b);
  tacit_block_units units = tacit_units_of_block(design, b);
  size_t filled = tacit_design_filled(design, b), width = tacit_row_sum_width(pass), u = 0;
  memset(w->unit, 0, width * sizeof *w->unit);
  for (size_t i = 0; i < filled; i++) {
    if (i % TACIT_ROWS == 0) {
      map_rows(design, pass, &block, i, w);
      tacit_rows_cut(pass, block.norms + i, radius, w->v);
    }
    add_row(pass, w->v, i % TACIT_ROWS, w->unit);
    if (i + 1 < units.end[u]) continue;
    tacit_unit_add(pass->units, width, w->unit, w->part);
    memset(w->unit, 0, width * sizeof *w->unit);
    u++;
  }
}

static tacit_status sum_blocks(const tacit_design *design, const tacit_row_pass *pass, int threads,
                               double radius, uint64_t *sum, tacit_error *error) {
  size_t width = pass->units && pass->units->bins ? TACIT_UNIT_BINS : tacit_row_sum_width(pass);
  bool failed = false;
  bool in_pairs = pass->moment && radius <= 1 << TACIT_PAIR_BITS && pass->width >= TACIT_PAIR_WIDTH;
#pragma omp parallel num_threads(threads) if (design->blocks > 1)
  {
    room w = {0};
    bool open = open_room(&w, design, pass, in_pairs);
#pragma omp for schedule(static)
    for (size_t b = 0; b < design->blocks; b++) {
      if (!open) continue;
      if (pass->units)
        add_units(design, pass, radius, b, &w);
      else if (in_pairs)
        add_pairs(design, pass, radius, b, &w);
      else
        add_block(design, pass, radius, b, &w);
    }
#pragma omp critical
    {
      failed = failed || !open;
      for (size_t j = 0; open && j < width; j++) sum[j] += w.part[j];
    }
    close_room(&w);
  }
  return failed ? tacit_no_memory(error) : TACIT_OK;
}

tacit_status tacit_row_sum(const tacit_design *design, const tacit_row_pass *pass, int threads, uint64_t *sum,
                           tacit_error *error) {
  size_t width = pass->units && pass->units->bins ? TACIT_UNIT_BINS : tacit_row_sum_width(pass);
  int64_t radius = (int64_t)tacit_clip_radius(pass->clip, pass->bits);
  bool failed = false;
  memset(sum, 0, width * sizeof *sum);
  if (radius <= INT64_C(1) << (pass->moment ? TACIT_MOMENT_BITS : TACIT_ROW_BITS))
    return sum_blocks(design, pass, threads, (double)radius, sum, error);
  if (!pass->map || pass->units) return tacit_fail(error, TACIT_INTERNAL, "a sum of rows on too fine a grid");
#pragma omp parallel num_threads(threads) if (design->blocks > 1)
  {
    workspace w = {0};
    bool open = open_workspace(&w, design, pass->width, width);
#pragma omp for schedule(static)
    for (size_t i = 0; i < design->rows; i++) {
      if (!open || !decode(design, i, &w)) continue;
      pass->map(pass->self, w.x, w.y, w.out);
      if (cut(pass, w.out, radius, w.v)) add(pass, w.v, w.part);
    }
#pragma omp critical
    {
      failed = failed || !open;
      for (size_t j = 0; open && j < width; j++) sum[j] += w.part[j];
    }
    if (open) tacit_free_wiped(w.x, w.bytes);
  }
  return failed ? tacit_no_memory(error) : TACIT_OK;
}
