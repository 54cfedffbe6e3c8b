/* The exact sum behind descent on the SPO+ loss: decide each row twice, cut the difference to integers, hold
   the product with the row to its radius, add (proofs/spo.md). */
#include "pass/decision_sum.h"

#include "base/base.h"
#include "question/radius.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* Scaling down is done a little too far, so that rounding does not make a product longer than the radius. */
static const double INSIDE = 1 - 0x1p-40;

/* A thread's room, and the block that it is at. */
typedef struct workspace {
  double *x, *costs, *own, *w, *work;
  int64_t *v;
  uint64_t *part;
  size_t bytes, at;
  tacit_block block;
} workspace;

static bool open_workspace(workspace *s, const tacit_design *design, const tacit_region *region, bool sums) {
  size_t p = design->columns, d = region->dimension, cells = sums ? p * d : 0;
  s->bytes = (p + 4 * d + region->work + cells) * sizeof(double);
  s->at = SIZE_MAX;
  s->x = tacit_alloc_aligned(s->bytes, 1);
  if (!s->x) return false;
  s->costs = s->x + p;
  s->own = s->costs + d;
  s->w = s->own + d;
  s->work = s->w + d;
  s->v = (int64_t *)(s->work + region->work);
  s->part = (uint64_t *)(s->v + d);
  return true;
}

static void close_workspace(workspace *s) {
  if (s->x) tacit_free_wiped(s->x, s->bytes);
}

/* Goes to a row; false for one that has no encoding. Its costs, in their own units, are then in `own`. */
static bool go_to(const tacit_design *design, const tacit_schema *schema, size_t row, workspace *s) {
  size_t i = row % TACIT_BLOCK;
  if (row / TACIT_BLOCK != s->at) {
    s->at = row / TACIT_BLOCK;
    s->block = tacit_design_block(design, s->at);
  }
  if (s->block.norms[i] == 0) return false;
  for (size_t t = 0; t < design->targets; t++)
    s->own[t] = tacit_scale_decode(&schema->targets[t].scale,
                                   TACIT_TARGET_STEP * s->block.targets[t * TACIT_BLOCK + i]);
  return true;
}

/* The workspace is cleared first: a decision must depend on its own row alone (proofs/spo.md). */
static bool minimise(const tacit_region *region, workspace *s, const double *costs, double *w) {
  memset(s->work, 0, region->work * sizeof(double));
  return tacit_region_minimise(region, costs, NULL, s->work, w, NULL, NULL) == TACIT_OK;
}

tacit_status tacit_decision_best(const tacit_design *design, const tacit_decision_pass *pass, int threads,
                                 double *best, tacit_error *error) {
  size_t d = pass->region->dimension;
  bool failed = false;
#pragma omp parallel num_threads(threads) if (design->blocks > 1)
  {
    workspace s = {0};
    bool open = open_workspace(&s, design, pass->region, false);
#pragma omp for schedule(static)
    for (size_t i = 0; i < design->rows; i++) {
      if (!open || !go_to(design, pass->schema, i, &s)) continue;
      if (!minimise(pass->region, &s, s.own, best + i * d)) best[i * d] = NAN;
    }
    if (!open) {
#pragma omp atomic write
      failed = true;
    }
    close_workspace(&s);
  }
  return failed ? tacit_no_memory(error) : TACIT_OK;
}

bool tacit_decision_cut(size_t d, const double *u, int32_t norm, double radius, int cell_bits, int64_t *v) {
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

/* Predicted costs of the row that the workspace is at, in their own units. */
static void predict(const tacit_design *design, const tacit_decision_pass *pass, const double *rule, size_t i,
                    workspace *s) {
  size_t p = design->columns;
  double cell = 1.0 / (double)(1 << design->cell_bits);
  for (size_t j = 0; j < p; j++) s->x[j] = cell * s->block.cells[j * TACIT_BLOCK + i];
  for (size_t t = 0; t < design->targets; t++) {
    double sum = 0;
    for (size_t j = 0; j < p; j++) sum += rule[t * p + j] * s->x[j];
    s->costs[t] = pass->schema->targets[t].scale.center + pass->unit * sum;
  }
}

/* u of one row, into w; false where a decision is missing. */
static bool difference(const tacit_design *design, const tacit_decision_pass *pass, const double *rule,
                       size_t row, workspace *s) {
  size_t d = pass->region->dimension;
  const double *best = pass->best + row * d;
  predict(design, pass, rule, row % TACIT_BLOCK, s);
  for (size_t j = 0; j < d; j++) s->costs[j] = 2 * s->costs[j] - s->own[j];
  if (!minimise(pass->region, s, s->costs, s->w)) return false;
  for (size_t j = 0; j < d; j++) s->w[j] = (best[j] - s->w[j]) / pass->region->diameter;
  return true;
}

static void add(size_t columns, size_t d, size_t i, const workspace *s) {
  const int32_t *cells = s->block.cells + i;
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; s->v[j] && k < columns; k++)
      s->part[j * columns + k] += (uint64_t)s->v[j] * (uint64_t)(int64_t)cells[k * TACIT_BLOCK];
}

tacit_status tacit_decision_sum(const tacit_design *design, const tacit_decision_pass *pass,
                                const double *rule, double radius, int threads, uint64_t *sum,
                                tacit_error *error) {
  size_t d = pass->region->dimension, cells = d * design->columns;
  bool failed = false;
  memset(sum, 0, cells * sizeof *sum);
#pragma omp parallel num_threads(threads) if (design->blocks > 1)
  {
    workspace s = {0};
    bool open = open_workspace(&s, design, pass->region, true);
#pragma omp for schedule(static)
    for (size_t i = 0; i < design->rows; i++) {
      if (!open || !go_to(design, pass->schema, i, &s) || !difference(design, pass, rule, i, &s)) continue;
      if (tacit_decision_cut(d, s.w, s.block.norms[i % TACIT_BLOCK], radius, design->cell_bits, s.v))
        add(design->columns, d, i % TACIT_BLOCK, &s);
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
