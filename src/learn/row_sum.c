/* Exact sums of vectors made from rows: decode a block, map each row, cut to integers, hold to the radius,
 * add. */
#include "learn/row_sum.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* Scaling down is done a little too far, so that rounding does not make a clipped vector longer than the
 * radius. */
static const double INSIDE = 1 - 0x1p-40;

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
  if (design->block[row / TACIT_BLOCK].norms[row % TACIT_BLOCK] == 0) return false;
  tacit_design_row(design, row, w->x, w->y);
  return true;
}

/* out -> integers v with norm at most radius, or zero. */
static bool cut(const tacit_row_pass *pass, const double *out, int64_t radius, int64_t *v) {
  double square = 0;
  for (size_t j = 0; j < pass->width; j++) square += out[j] * out[j];
  double norm = sqrt(square), scale = ldexp(norm > pass->clip ? pass->clip / norm * INSIDE : 1, pass->bits);
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

tacit_status tacit_row_sum(const tacit_design *design, const tacit_row_pass *pass, int threads, uint64_t *sum,
                           tacit_error *error) {
  size_t width = tacit_row_sum_width(pass);
  int64_t radius = (int64_t)floor(ldexp(pass->clip, pass->bits));
  bool failed = false;
  memset(sum, 0, width * sizeof *sum);
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
