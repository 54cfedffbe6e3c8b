/* The pass of smoothed ERM. Plain loops that the compiler vectorises; BLAS is not called from several
   threads, whose own threads would fight over the same cores. */
#include "learn/smooth_pass.h"

#include "learn/smooth_block.h"
#include "num/solvers.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
  TILE = TACIT_SMOOTH_TILE,
  ROWS = 512,      /* a block at most; */
  ROWS_LEAST = 64, /* fewer for many columns, so that a block and its weighted copy stay in */
  CACHE = 1 << 16, /* this many doubles of the second-level cache */
  PARTS = 64,      /* at most, */
  SUMS = 1 << 22,  /* and no more than this many doubles in their sums */
  VECTORS = 5,     /* r, u, psi, w, excess */
};

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

tacit_status tacit_smooth_pass_open(tacit_smooth_pass *pass, const double *x, const double *y, size_t n,
                                    size_t p, double tau, tacit_kernel kernel, int threads,
                                    tacit_error *error) {
  *pass =
      (tacit_smooth_pass){.x = x, .y = y, .n = n, .p = p, .tau = tau, .kernel = kernel, .threads = threads};
  pass->padded = (p + TILE) / TILE * TILE;
  pass->rows = ROWS;
  while (pass->rows > ROWS_LEAST && pass->rows * pass->padded > CACHE) pass->rows /= 2;
  size_t blocks = (n + pass->rows - 1) / pass->rows, square = pass->padded * pass->padded;
  pass->parts = least(least(PARTS, blocks), square > SUMS ? 1 : SUMS / square);
  if (pass->parts == 0) pass->parts = 1;
  pass->blocks = (blocks + pass->parts - 1) / pass->parts;
  pass->sum_size = square + pass->padded + 1;
  pass->room_size = pass->rows * (pass->padded + VECTORS + 1);
  pass->sums = tacit_alloc_aligned(pass->parts * pass->sum_size, sizeof *pass->sums);
  pass->room = tacit_alloc_aligned((size_t)threads * pass->room_size, sizeof *pass->room);
  return pass->sums && pass->room ? TACIT_OK : tacit_no_memory(error);
}

void tacit_smooth_pass_close(tacit_smooth_pass *pass) {
  tacit_free_wiped(pass->sums, pass->parts * pass->sum_size * sizeof *pass->sums);
  tacit_free_wiped(pass->room, (size_t)pass->threads * pass->room_size * sizeof *pass->room);
}

/* What a part adds up: value, gradient, and the moment if its columns are given. */
typedef struct task {
  const tacit_smooth_pass *pass;
  double h;
  const double *b;
  const tacit_smooth_columns *columns;
} task;

static const double *column(const task *t, size_t k, size_t begin) {
  return t->pass->x + (size_t)t->columns->order[k] * t->pass->n + begin;
}

static void plain_moment(const task *t, size_t begin, size_t m, const double *w, float *z, double *moment) {
  size_t rank = t->columns->rank, padded = (rank + TILE - 1) / TILE * TILE, rows = t->pass->rows;
  for (size_t k = 0; k < rank; k++) tacit_smooth_weigh(m, w, column(t, k, begin), z + k * rows);
  tacit_smooth_moment(m, padded, z, rows, moment, t->pass->padded);
}

static void careful_moment(const task *t, size_t begin, size_t m, const double *w, double *z,
                           double *moment) {
  size_t rank = t->columns->rank, rows = t->pass->rows;
  for (size_t k = 0; k < rank; k++) {
    const double *x = column(t, k, begin);
    for (size_t i = 0; i < m; i++) z[k * rows + i] = w[i] * x[i];
  }
  cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, (int)m, (int)rank, 1,
              t->columns->upper, (int)t->pass->p, z, (int)rows);
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)rank, (int)m, 1, z, (int)rows, 1, moment,
              (int)t->pass->padded);
}

static void one_block(const task *t, size_t begin, size_t m, double *room, double *sum) {
  const tacit_smooth_pass *pass = t->pass;
  size_t p = pass->p, n = pass->n, rows = pass->rows;
  double *r = room, *u = r + rows, *psi = u + rows, *w = psi + rows, *excess = w + rows, *z = excess + rows;
  tacit_smooth_residuals(m, p, pass->x + begin, n, pass->y + begin, t->b, r);
  tacit_smooth_arguments(m, r, 1 / t->h, u);
  tacit_kernel_all_block(pass->kernel, m, u, psi, w, excess);
  sum[0] += tacit_smooth_losses(m, pass->tau, t->h, r, excess);
  for (size_t i = 0; i < m; i++) psi[i] -= pass->tau;
  tacit_smooth_gradient(m, p, pass->x + begin, n, psi, sum + 1);
  if (!t->columns) return;
  double *moment = sum + 1 + pass->padded;
  for (size_t i = 0; i < m; i++) w[i] = sqrt(w[i] / t->h);
  if (t->columns->upper)
    careful_moment(t, begin, m, w, z, moment);
  else
    plain_moment(t, begin, m, w, (float *)z, moment);
}

/* Every part's sums, added into the first one's, in order. */
static const double *all_parts(const task *t) {
  const tacit_smooth_pass *pass = t->pass;
  size_t used = t->columns ? pass->sum_size : 1 + pass->padded;
  bool alone = t->columns && t->columns->upper; /* BLAS is called */
#pragma omp parallel num_threads(pass->threads) if (pass->parts > 1 && !alone)
  {
    double *room = pass->room + (size_t)omp_get_thread_num() * pass->room_size;
    memset(room, 0, pass->room_size * sizeof *room); /* the tiles' unused columns */
#pragma omp for schedule(dynamic)
    for (size_t part = 0; part < pass->parts; part++) {
      double *sum = pass->sums + part * pass->sum_size;
      memset(sum, 0, used * sizeof *sum);
      for (size_t k = 0; k < pass->blocks; k++) {
        size_t begin = (part * pass->blocks + k) * pass->rows;
        if (begin < pass->n) one_block(t, begin, least(pass->rows, pass->n - begin), room, sum);
      }
    }
  }
  for (size_t part = 1; part < pass->parts; part++)
    for (size_t i = 0; i < used; i++) pass->sums[i] += pass->sums[part * pass->sum_size + i];
  return pass->sums;
}

double tacit_smooth_pass_run(const tacit_smooth_pass *pass, double h, const double *b, double *gradient,
                             const tacit_smooth_columns *columns, double *moment) {
  task t = {.pass = pass, .h = h, .b = b, .columns = moment ? columns : NULL};
  const double *sum = all_parts(&t);
  memcpy(gradient, sum + 1, pass->p * sizeof *gradient);
  for (size_t k = 0; moment && k < columns->rank; k++)
    memcpy(moment + k * pass->p, sum + 1 + pass->padded + k * pass->padded, columns->rank * sizeof *moment);
  return sum[0];
}

size_t tacit_smooth_pass_gram(const tacit_smooth_pass *pass, size_t every, double *gram) {
  size_t side = pass->p + 1, rows = 0, stride = pass->rows;
  double *sum = pass->sums, *ones = pass->room;
  float *z = (float *)(ones + stride);
  memset(sum, 0, pass->sum_size * sizeof *sum);
  memset(pass->room, 0, pass->room_size * sizeof *pass->room);
  for (size_t i = 0; i < stride; i++) ones[i] = 1;
  for (size_t begin = 0; begin < pass->n; begin += every * stride) {
    size_t m = least(stride, pass->n - begin);
    for (size_t j = 0; j < side; j++)
      tacit_smooth_weigh(m, ones, (j < pass->p ? pass->x + j * pass->n : pass->y) + begin, z + j * stride);
    tacit_smooth_moment(m, pass->padded, z, stride, sum, pass->padded);
    rows += m;
  }
  for (size_t k = 0; k < side; k++) memcpy(gram + k * side, sum + k * pass->padded, side * sizeof *gram);
  return rows;
}
