/* The pass of smoothed ERM. Plain loops that the compiler vectorises; BLAS is not called from several
   threads, whose own threads would fight over the same cores. */
#include "erm/smooth_pass.h"

#include "erm/smooth_block.h"
#include "erm/smooth_pairs.h"
#include "num/dense.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
  TILE = TACIT_SMOOTH_TILE,
  LANES = 16,      /* rows of a moment are filled up to a multiple of these */
  ROWS = 256,      /* a block at most; */
  ROWS_LEAST = 32, /* fewer for many columns, so that a block and its weighted copy stay in */
  CACHE = 1 << 15, /* this many doubles of the second-level cache, each */
  PARTS = 64,      /* at most, */
  PART_BLOCKS = 8, /* with this many blocks or more, */
  SUMS = 1 << 22,  /* and no more than this many doubles in their sums */
  VECTORS = 10,    /* r, u, psi, w, excess, places, near */
  WAITING = 4,     /* blocks of rows in single precision for a moment */
  MANY = 1 << 18,  /* cells from which on threads are worth their start */
};
/* A weight that is a smaller share of its block's mean adds nothing that single precision could show: with a
   small bandwidth, the moment of the few rows near the fit is all there is to compute. */
static const double NEGLIGIBLE = 1e-8;

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Which blocks are taken, and in how many parts. */
static void cut(tacit_smooth_pass *pass, size_t every) {
  size_t all = (pass->n + pass->rows - 1) / pass->rows, blocks = (all + every - 1) / every;
  size_t last = (blocks - 1) * every * pass->rows, square = pass->padded * pass->padded;
  pass->every = every;
  pass->taken = (blocks - 1) * pass->rows + least(pass->rows, pass->n - last);
  pass->parts = least(least(PARTS, blocks / PART_BLOCKS), square > SUMS ? 1 : SUMS / square);
  if (pass->parts == 0) pass->parts = 1;
  pass->blocks = (blocks + pass->parts - 1) / pass->parts;
}

tacit_status tacit_smooth_pass_open(tacit_smooth_pass *pass, const tacit_smooth_table *table, double tau,
                                    tacit_kernel kernel, int threads, tacit_error *error) {
  *pass = (tacit_smooth_pass){.x = table->x,
                              .y = table->y,
                              .n = table->n,
                              .p = table->p,
                              .tau = tau,
                              .kernel = kernel,
                              .threads = threads};
  pass->padded = (pass->p + TILE) / TILE * TILE;
  pass->rows = ROWS;
  while (pass->rows > ROWS_LEAST && pass->rows * pass->padded > CACHE) pass->rows /= 2;
  cut(pass, 1);
  pass->sum_size = pass->padded * pass->padded + pass->padded + 1;
  bool wide = pass->p >= TACIT_SMOOTH_WIDE;
  pass->waiting = wide ? TACIT_SMOOTH_WAIT : WAITING * pass->rows;
  pass->room_size = pass->waiting * pass->padded / 2 + pass->rows * VECTORS;
  if (wide) pass->room_size += pass->waiting * pass->padded / 4 + pass->padded;
  pass->sums = tacit_alloc_aligned(pass->parts * pass->sum_size, sizeof *pass->sums);
  pass->room = tacit_alloc_aligned((size_t)threads * pass->room_size, sizeof *pass->room);
  return pass->sums && pass->room ? TACIT_OK : tacit_no_memory(error);
}

void tacit_smooth_pass_close(tacit_smooth_pass *pass) {
  tacit_free_wiped(pass->sums, pass->parts * pass->sum_size * sizeof *pass->sums);
  tacit_free_wiped(pass->room, (size_t)pass->threads * pass->room_size * sizeof *pass->room);
}

tacit_smooth_pass tacit_smooth_pass_thin(const tacit_smooth_pass *pass, size_t every) {
  tacit_smooth_pass thin = *pass;
  cut(&thin, every * pass->every);
  return thin;
}

/* What a part adds up: value, gradient, and the moment if its columns are given; or the gram alone. */
typedef struct task {
  const tacit_smooth_pass *pass;
  double h;
  const double *b;
  const tacit_smooth_columns *columns;
  bool gram;
} task;

/* One thread's memory. z: weighted rows that wait for their moment, in single precision; or a block's
   in double. */
typedef struct bench {
  double *r, *u, *psi, *w, *excess;
  uint32_t *places;
  double *near; /* u, psi, w, excess of some rows */
  void *z;
  int16_t *whole; /* the same in two bytes, */
  float *unit;    /* of these; for many columns */
  size_t waiting;
} bench;

static bench open_bench(const tacit_smooth_pass *pass) {
  size_t rows = pass->rows;
  double *room = pass->room + (size_t)omp_get_thread_num() * pass->room_size;
  return (bench){.r = room,
                 .u = room + rows,
                 .psi = room + 2 * rows,
                 .w = room + 3 * rows,
                 .excess = room + 4 * rows,
                 .places = (uint32_t *)(room + 5 * rows),
                 .near = room + 6 * rows,
                 .z = room + VECTORS * rows,
                 .whole = (int16_t *)(room + VECTORS * rows + pass->waiting * pass->padded / 2),
                 .unit = (float *)(room + VECTORS * rows + pass->waiting * pass->padded * 3 / 4)};
}

static const double *column(const task *t, size_t k, size_t begin) {
  const tacit_smooth_pass *pass = t->pass;
  if (t->gram) return k < pass->p ? pass->x + k * pass->n + begin : pass->y + begin;
  return pass->x + (size_t)t->columns->order[k] * pass->n + begin;
}

/* The waiting rows' moment; rows and columns are filled up with zeros. */
static void add_moment(const task *t, bench *s, double *moment) {
  bool wide = t->pass->p >= TACIT_SMOOTH_WIDE;
  size_t rank = t->gram ? t->pass->p + 1 : t->columns->rank, stride = t->pass->waiting;
  size_t lanes = wide ? 2 * LANES : LANES, m = (s->waiting + lanes - 1) / lanes * lanes;
  size_t columns = (rank + TILE - 1) / TILE * TILE;
  float *z = s->z;
  for (size_t k = 0; k < rank; k++)
    for (size_t i = s->waiting; i < m; i++) z[k * stride + i] = 0;
  for (size_t k = rank; k < columns; k++) memset(z + k * stride, 0, m * sizeof *z);
  const tacit_smooth_waiting waiting = {m, columns, z, s->whole, s->unit};
  if (m > 0 && wide)
    tacit_smooth_moment_pairs(&waiting, moment, t->pass->padded);
  else if (m > 0)
    tacit_smooth_moment(m, columns, z, stride, moment, t->pass->padded);
  s->waiting = 0;
}

static void weigh(const task *t, size_t begin, size_t m, bench *s, double *moment) {
  size_t rank = t->gram ? t->pass->p + 1 : t->columns->rank, stride = t->pass->waiting, count = m;
  double mean = 0;
  for (size_t i = 0; i < m; i++) mean += s->w[i] / (double)m;
  count = tacit_smooth_select(m, s->w, NEGLIGIBLE * mean, s->places);
  if (s->waiting + count > stride) add_moment(t, s, moment);
  for (size_t i = 0; i < count; i++) s->w[i] = sqrt(s->w[s->places[i]]);
  for (size_t k = 0; k < rank; k++) {
    float *z = (float *)s->z + k * stride + s->waiting;
    if (count == m)
      tacit_smooth_weigh(m, s->w, column(t, k, begin), z);
    else
      tacit_smooth_weigh_some(count, s->w, column(t, k, begin), s->places, z);
  }
  s->waiting += count;
}

static void careful_moment(const task *t, size_t begin, size_t m, bench *s, double *moment) {
  size_t rank = t->columns->rank, rows = t->pass->rows;
  double *z = s->z;
  for (size_t i = 0; i < m; i++) s->w[i] = sqrt(s->w[i]);
  for (size_t k = 0; k < rank; k++) {
    const double *x = column(t, k, begin);
    for (size_t i = 0; i < m; i++) z[k * rows + i] = s->w[i] * x[i];
  }
  tacit_dense_divide(m, rank, t->columns->upper, t->pass->p, z, rows);
  tacit_dense_add_gram(m, rank, z, rows, moment, t->pass->padded);
}

/* Past REACH the normal distribution is zero or one to rounding: with a small bandwidth that is most rows. */
static void kernel_of(const tacit_smooth_pass *pass, size_t m, bench *s) {
  static const double REACH = 8.5;
  size_t count = m, rows = pass->rows;
  if (pass->kernel == TACIT_KERNEL_GAUSSIAN) count = tacit_smooth_select_near(m, s->u, REACH, s->places);
  if (count > m / 4 * 3) {
    tacit_kernel_all_block(pass->kernel, m, s->u, s->psi, s->w, s->excess);
    return;
  }
  double *u = s->near, *psi = u + rows, *w = psi + rows, *excess = w + rows;
  for (size_t k = 0; k < count; k++) u[k] = s->u[s->places[k]];
  tacit_kernel_all_block(pass->kernel, count, u, psi, w, excess);
  for (size_t i = 0; i < m; i++) s->psi[i] = s->u[i] > 0 ? 1 : 0;
  memset(s->w, 0, m * sizeof *s->w);
  memset(s->excess, 0, m * sizeof *s->excess);
  for (size_t k = 0; k < count; k++) {
    size_t i = s->places[k];
    s->psi[i] = psi[k];
    s->w[i] = w[k];
    s->excess[i] = excess[k];
  }
}

static void one_block(const task *t, size_t begin, size_t m, bench *s, double *sum) {
  const tacit_smooth_pass *pass = t->pass;
  size_t p = pass->p, n = pass->n;
  double *moment = sum + 1 + pass->padded;
  if (t->gram) {
    for (size_t i = 0; i < m; i++) s->w[i] = 1;
    weigh(t, begin, m, s, moment);
    return;
  }
  tacit_smooth_residuals(m, p, pass->x + begin, n, pass->y + begin, t->b, s->r);
  tacit_smooth_arguments(m, s->r, 1 / t->h, s->u);
  kernel_of(pass, m, s);
  sum[0] += tacit_smooth_losses(m, pass->tau, t->h, s->r, s->excess);
  for (size_t i = 0; i < m; i++) s->psi[i] -= pass->tau;
  tacit_smooth_gradient(m, p, pass->x + begin, n, s->psi, sum + 1);
  if (!t->columns) return;
  for (size_t i = 0; i < m; i++) s->w[i] /= t->h;
  if (t->columns->upper)
    careful_moment(t, begin, m, s, moment);
  else
    weigh(t, begin, m, s, moment);
}

/* Every part's sums, added into the first one's, in order. */
static const double *all_parts(const task *t) {
  enum { RUN = 1024 };
  const tacit_smooth_pass *pass = t->pass;
  size_t used = t->columns || t->gram ? pass->sum_size : 1 + pass->padded;
  bool alone = t->columns && t->columns->upper; /* BLAS is called */
#pragma omp parallel num_threads(pass->threads) if (pass->taken * pass->padded >= MANY && !alone)
  {
    bench s = open_bench(pass);
#pragma omp for schedule(dynamic)
    for (size_t part = 0; part < pass->parts; part++) {
      double *sum = pass->sums + part * pass->sum_size;
      memset(sum, 0, used * sizeof *sum);
      for (size_t k = 0; k < pass->blocks; k++) {
        size_t begin = (part * pass->blocks + k) * pass->every * pass->rows;
        if (begin < pass->n) one_block(t, begin, least(pass->rows, pass->n - begin), &s, sum);
      }
      if (s.waiting > 0) add_moment(t, &s, sum + 1 + pass->padded);
    }
  }
#pragma omp parallel for num_threads(pass->threads) schedule(static) if (used * pass->parts >= MANY)
  for (size_t begin = 0; begin < used; begin += RUN)
    for (size_t part = 1; part < pass->parts; part++)
      for (size_t i = begin; i < least(begin + RUN, used); i++)
        pass->sums[i] += pass->sums[part * pass->sum_size + i];
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

void tacit_smooth_pass_gram(const tacit_smooth_pass *pass, double *gram) {
  task t = {.pass = pass, .gram = true};
  const double *moment = all_parts(&t) + 1 + pass->padded;
  size_t side = pass->p + 1;
  for (size_t k = 0; k < side; k++) memcpy(gram + k * side, moment + k * pass->padded, side * sizeof *gram);
}
