/* The exact sum behind descent on the SPO+ loss: decide each row twice, cut the difference to integers, hold
   the product with the row to its radius, add (proofs/spo.md). */
#include "base/base.h"
#include "learn/spo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* Scaling down is done a little too far, so that rounding does not make a product longer than the radius. */
static const double INSIDE = 1 - 0x1p-40;

/* A thread's room. */
typedef struct workspace {
  double *x, *y, *costs, *w, *work;
  int64_t *v;
  uint64_t *part;
  size_t bytes;
} workspace;

static bool open_workspace(workspace *s, const tacit_spo_task *task, bool sums) {
  size_t p = task->design->columns, d = task->region->dimension, cells = sums ? p * d : 0;
  s->bytes = (p + 4 * d + task->region->work + cells) * sizeof(double);
  s->x = tacit_alloc_aligned(s->bytes, 1);
  if (!s->x) return false;
  s->y = s->x + p;
  s->costs = s->y + d;
  s->w = s->costs + d;
  s->work = s->w + d;
  s->v = (int64_t *)(s->work + task->region->work);
  s->part = (uint64_t *)(s->v + d);
  return true;
}

static void close_workspace(workspace *s) {
  if (s->x) tacit_free_wiped(s->x, s->bytes);
}

static int32_t norm_of(const tacit_design *design, size_t row) {
  return design->block[row / TACIT_BLOCK].norms[row % TACIT_BLOCK];
}

/* The workspace is cleared first: a decision must depend on its own row alone (proofs/spo.md). */
static bool minimise(const tacit_spo_task *task, workspace *s, double *w) {
  memset(s->work, 0, task->region->work * sizeof(double));
  return tacit_region_minimise(task->region, s->costs, NULL, s->work, w, NULL, NULL) == TACIT_OK;
}

tacit_status tacit_spo_best(tacit_spo_task *task, tacit_error *error) {
  const tacit_design *design = task->design;
  size_t d = task->region->dimension;
  bool failed = false;
  task->best = tacit_alloc(design->rows * d, sizeof(double));
  if (!task->best) return tacit_no_memory(error);
#pragma omp parallel num_threads(tacit_threads(task->context)) if (design->blocks > 1)
  {
    workspace s = {0};
    bool open = open_workspace(&s, task, false);
#pragma omp for schedule(static)
    for (size_t i = 0; i < design->rows; i++) {
      if (!open || norm_of(design, i) == 0) continue;
      tacit_design_row(design, i, s.x, s.y);
      tacit_spo_costs(task, s.y, s.costs);
      if (!minimise(task, &s, task->best + i * d)) task->best[i * d] = NAN;
    }
    if (!open) {
#pragma omp atomic write
      failed = true;
    }
    close_workspace(&s);
  }
  return failed ? tacit_no_memory(error) : TACIT_OK;
}

bool tacit_spo_cut(size_t d, const double *u, int32_t norm, double radius, int cell_bits, int64_t *v) {
  double square = 0, limit = tacit_clip_radius(radius, cell_bits + TACIT_SCORE_BITS);
  for (size_t j = 0; j < d; j++) square += u[j] * u[j];
  double length = sqrt(square), product = ldexp(length, TACIT_SCORE_BITS) * norm;
  if (!(product > 0 && product < INFINITY)) return false; /* also a NaN */
  double scale = ldexp(product > limit ? limit / product * INSIDE : 1, TACIT_SCORE_BITS);
  wide whole = 0;
  for (size_t j = 0; j < d; j++) {
    v[j] = (int64_t)(u[j] * scale); /* toward zero; at most limit < 2^53 in size, so it fits */
    wide size = (wide)(v[j] < 0 ? -v[j] : v[j]);
    whole += size * size;
  }
  /* both sides below 2^107: the norm of v is within rounding of limit / norm, and d below 2^20 */
  wide most = (wide)(int64_t)limit, row = (wide)norm;
  return whole <= most * most / (row * row);
}

/* u of one row, into w; false where a decision is missing. */
static bool difference(const tacit_spo_task *task, const double *rule, size_t row, workspace *s) {
  size_t d = task->region->dimension;
  const double *best = task->best + row * d;
  tacit_design_row(task->design, row, s->x, s->y);
  tacit_spo_predict(task, rule, s->x, s->costs);
  tacit_spo_costs(task, s->y, s->w);
  for (size_t j = 0; j < d; j++) s->costs[j] = 2 * s->costs[j] - s->w[j];
  if (!minimise(task, s, s->w)) return false;
  for (size_t j = 0; j < d; j++) s->w[j] = (best[j] - s->w[j]) / task->region->diameter;
  return true;
}

static void add(const tacit_design *design, size_t d, size_t row, const int64_t *v, uint64_t *part) {
  const int32_t *cells = design->block[row / TACIT_BLOCK].cells + row % TACIT_BLOCK;
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; v[j] && k < design->columns; k++)
      part[j * design->columns + k] += (uint64_t)v[j] * (uint64_t)(int64_t)cells[k * TACIT_BLOCK];
}

tacit_status tacit_spo_sum(const tacit_spo_task *task, const double *rule, double radius, uint64_t *sum,
                           tacit_error *error) {
  const tacit_design *design = task->design;
  size_t d = task->region->dimension, cells = d * design->columns;
  bool failed = false;
  memset(sum, 0, cells * sizeof *sum);
#pragma omp parallel num_threads(tacit_threads(task->context)) if (design->blocks > 1)
  {
    workspace s = {0};
    bool open = open_workspace(&s, task, true);
#pragma omp for schedule(static)
    for (size_t i = 0; i < design->rows; i++) {
      int32_t norm = norm_of(design, i);
      if (!open || norm == 0 || !difference(task, rule, i, &s)) continue;
      if (tacit_spo_cut(d, s.w, norm, radius, design->cell_bits, s.v)) add(design, d, i, s.v, s.part);
    }
#pragma omp critical
    {
      failed = failed || !open;
      for (size_t j = 0; open && j < cells; j++) sum[j] += s.part[j];
    }
    close_workspace(&s);
  }
  return failed ? tacit_no_memory(error) : TACIT_OK;
}
