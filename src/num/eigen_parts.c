/* Reflections, their product and rotations, several columns at a time and by several threads. Each entry
   gets the same operations in the same order whatever the slices, and so the same bits. */
#include "num/eigen_parts.h"

#include "num/clones.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LANES = 4, /* of the vectors that every processor here has or can do with */
  SLICE = TACIT_EIGEN_SLICE,
  VECTORS = SLICE / LANES,
  ALONE = 192, /* a smaller matrix is not worth threads */
};
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

/* What is still to be taken away from the rows, v_i w + w_i v from row i, and what the rows are then to be
   multiplied by. */
typedef struct reflection {
  const double *v, *w, *next;
} reflection;

/* The columns from begin to end of row i, and of the three behind it. */
TACIT_CLONES static void reflect_four(size_t n, double *a, const reflection *r, size_t i, size_t begin,
                                      size_t end, double *restrict sum) {
  const double *restrict v = r->v, *restrict w = r->w, *next = r->next + i;
  double *restrict r0 = a + i * n, *restrict r1 = r0 + n, *restrict r2 = r1 + n, *restrict r3 = r2 + n;
  double v0 = v[i], v1 = v[i + 1], v2 = v[i + 2], v3 = v[i + 3];
  double w0 = w[i], w1 = w[i + 1], w2 = w[i + 2], w3 = w[i + 3];
  double x0 = next[0], x1 = next[1], x2 = next[2], x3 = next[3];
  for (size_t j = begin; j < end; j++) {
    double left0 = r0[j] - (v0 * w[j] + w0 * v[j]), left1 = r1[j] - (v1 * w[j] + w1 * v[j]);
    double left2 = r2[j] - (v2 * w[j] + w2 * v[j]), left3 = r3[j] - (v3 * w[j] + w3 * v[j]);
    r0[j] = left0, r1[j] = left1, r2[j] = left2, r3[j] = left3;
    sum[j] = (((sum[j] + left0 * x0) + left1 * x1) + left2 * x2) + left3 * x3;
  }
}

TACIT_CLONES static void reflect_one(size_t n, double *a, const reflection *r, size_t i, size_t begin,
                                     size_t end, double *restrict sum) {
  const double *restrict v = r->v, *restrict w = r->w;
  double *restrict row = a + i * n, vi = v[i], wi = w[i], x = r->next[i];
  for (size_t j = begin; j < end; j++) {
    row[j] -= vi * w[j] + wi * v[j];
    sum[j] += row[j] * x;
  }
}

/* Row k of A behind its diagonal, which is also its column, becomes v of the reflection that leaves alpha
   in its first place. Returns v'v, or 0 where there is nothing to reflect. */
static double make_vector(size_t n, double *v, size_t k, double *beside) {
  double square = 0;
  for (size_t i = k + 1; i < n; i++) square += v[i] * v[i];
  double first = v[k + 1], alpha = first > 0 ? -sqrt(square) : sqrt(square), vv;
  *beside = alpha;
  vv = 2 * (square - alpha * first);
  if (!(vv > 0)) return 0;
  v[k + 1] = first - alpha;
  return vv;
}

/* w = 2 A v / v'v less its part along v, twice. */
static void finish_product(size_t n, size_t k, const double *v, double vv, double *w) {
  double vp = 0;
  for (size_t i = k + 1; i < n; i++) {
    w[i] = 2 * w[i] / vv;
    vp += v[i] * w[i];
  }
  for (size_t i = k + 1; i < n; i++) w[i] -= vp / vv * v[i];
}

/* The rows behind k lose what the last reflection takes from them and are multiplied by the next one's
   vector, in one go: they are read once. */
static void reflect_rows(size_t n, double *a, size_t k, const reflection *r, double *sum) {
  enum { NEAR = 512 }; /* columns at a time, so that v, w and the sums stay in the first cache */
  for (size_t begin = k + 1; begin < n; begin += NEAR) {
    size_t end = begin + NEAR < n ? begin + NEAR : n, i = k + 1;
    for (; i + 4 <= n; i += 4) reflect_four(n, a, r, i, begin, end, sum);
    for (; i < n; i++) reflect_one(n, a, r, i, begin, end, sum);
  }
}

void tacit_eigen_reflect(size_t n, double *a, tacit_tridiagonal to) {
  double *product[2] = {to.room, to.room + n}, *nothing = to.room + 2 * n;
  memset(nothing, 0, n * sizeof *nothing);
  reflection last = {nothing, nothing, NULL};
  for (size_t k = 0; k < n; k++) {
    double *row = a + k * n, *w = product[k % 2];
    for (size_t j = k; j < n; j++) row[j] -= last.v[k] * last.w[j] + last.w[k] * last.v[j];
    to.d[k] = row[k];
    if (k + 1 == n) break;
    to.length[k] = make_vector(n, row, k, &to.e[k]);
    bool any = to.length[k] > 0;
    last.next = any ? row : nothing;
    memset(w, 0, n * sizeof *w);
    reflect_rows(n, a, k, &last, w);
    if (any) finish_product(n, k, row, to.length[k], w);
    last.v = last.next;
    last.w = any ? w : nothing;
  }
}

/* SLICE rows of Q' as t[j][row] times H from the right, of which v has entries from `first` on. */
TACIT_CLONES static void reflect_slice(size_t n, size_t first, const double *v, double length, double *t) {
  lanes sum[VECTORS] = {0}, x;
  for (size_t j = first; j < n; j++)
    for (size_t l = 0; l < VECTORS; l++) {
      memcpy(&x, t + j * SLICE + l * LANES, sizeof x);
      sum[l] += x * v[j];
    }
  for (size_t l = 0; l < VECTORS; l++) sum[l] = 2 * sum[l] / length;
  for (size_t j = first; j < n; j++)
    for (size_t l = 0; l < VECTORS; l++) {
      double *at = t + j * SLICE + l * LANES;
      memcpy(&x, at, sizeof x);
      x -= sum[l] * v[j];
      memcpy(at, &x, sizeof x);
    }
}

/* The rows of Q' from `begin` on; H_k leaves rows up to k as they are. */
static void collect_slice(size_t n, const double *a, const double *length, size_t begin, double *t,
                          double *q) {
  memset(t, 0, n * SLICE * sizeof *t);
  size_t rows = n - begin < SLICE ? n - begin : SLICE;
  for (size_t r = 0; r < rows; r++) t[(begin + r) * SLICE + r] = 1;
  for (size_t k = begin + rows - 1; k-- > 0;)
    if (length[k] > 0) reflect_slice(n, k + 1, a + k * n, length[k], t);
  for (size_t j = 0; j < n; j++)
    for (size_t r = 0; r < rows; r++) q[tacit_eigen_at(n, begin + r, j)] = t[j * SLICE + r];
}

bool tacit_eigen_collect(size_t n, const double *a, const double *length, double *q, int threads) {
  bool failed = false;
  memset(q, 0, tacit_eigen_entries(n) * sizeof *q);
#pragma omp parallel num_threads(threads) if (n >= ALONE)
  {
    double *t = malloc(n * SLICE * sizeof *t);
#pragma omp for schedule(dynamic)
    for (size_t begin = 0; begin < n; begin += SLICE)
      if (t) collect_slice(n, a, length, begin, t, q);
#pragma omp critical
    failed = failed || !t;
    free(t);
  }
  return !failed;
}

/* Two rows of one slice, of which the first is done: it goes to `done`, the second stays in x. */
static inline void turn_row(const tacit_rotation *turn, lanes *x, lanes y, lanes *done) {
  *done = turn->c * *x + turn->s * y;
  *x = turn->c * y - turn->s * *x;
}

static inline void load(const double *from, lanes *to) {
  memcpy(to, from, sizeof *to);
}

static inline void store(const lanes *from, double *to) {
  memcpy(to, from, sizeof *from);
}

/* A sweep over one slice: the row that two rotations share stays in registers. */
TACIT_CLONES static void rotate_once(size_t lo, size_t hi, const tacit_rotation *turn, double *q) {
  lanes x[VECTORS], y, done;
  memcpy(x, q + lo * SLICE, sizeof x);
  for (size_t k = lo; k < hi; k++, turn++)
    for (size_t l = 0; l < VECTORS; l++) {
      load(q + (k + 1) * SLICE + l * LANES, &y);
      turn_row(turn, &x[l], y, &done);
      store(&done, q + k * SLICE + l * LANES);
    }
  memcpy(q + hi * SLICE, x, sizeof x);
}

/* Two sweeps from the same row on, the second one row behind the first and no longer. */
TACIT_CLONES static void rotate_twice(size_t lo, const size_t hi[2], const tacit_rotation *const turn[2],
                                      double *q) {
  const tacit_rotation *one = turn[0], *two = turn[1];
  for (size_t half = 0; half < VECTORS; half += 2) {
    double *at = q + half * LANES;
    lanes x0, x1, z0, z1, y, done;
    load(at + lo * SLICE, &x0), load(at + lo * SLICE + LANES, &x1);
    load(at + (lo + 1) * SLICE, &y), turn_row(one, &x0, y, &z0);
    load(at + (lo + 1) * SLICE + LANES, &y), turn_row(one, &x1, y, &z1);
    for (size_t k = lo; k + 2 <= hi[0] && k < hi[1]; k++) { /* the first sweep's row k + 1, the second's k */
      const tacit_rotation *first = one + (k + 1 - lo), *second = two + (k - lo);
      lanes middle;
      load(at + (k + 2) * SLICE, &y), turn_row(first, &x0, y, &middle), turn_row(second, &z0, middle, &done);
      store(&done, at + k * SLICE);
      load(at + (k + 2) * SLICE + LANES, &y), turn_row(first, &x1, y, &middle);
      turn_row(second, &z1, middle, &done);
      store(&done, at + k * SLICE + LANES);
    }
    size_t end = hi[1] < hi[0] ? hi[1] : hi[0] - 1; /* rows before it are done; z is row `end`, x the next */
    store(&z0, at + end * SLICE), store(&z1, at + end * SLICE + LANES);
    store(&x0, at + (end + 1) * SLICE), store(&x1, at + (end + 1) * SLICE + LANES);
  }
}

/* What waits, over one slice. */
static void rotate_slice(const tacit_rotations *waiting, double *q) {
  const tacit_sweep *sweep = waiting->sweep;
  for (size_t i = 0; i < waiting->sweeps; i++) {
    const tacit_rotation *turn = waiting->turn + sweep[i].first;
    size_t lo = sweep[i].lo, hi = sweep[i].hi;
    if (i + 1 == waiting->sweeps || sweep[i + 1].lo != lo || sweep[i + 1].hi > hi) {
      rotate_once(lo, hi, turn, q);
      continue;
    }
    const tacit_rotation *both[] = {turn, waiting->turn + sweep[i + 1].first};
    size_t ends[] = {hi, sweep[i + 1].hi}, reached = ends[1] < hi ? ends[1] + 1 : hi;
    rotate_twice(lo, ends, both, q);
    if (reached < hi) rotate_once(reached, hi, turn + (reached - lo), q);
    if (ends[1] == hi) rotate_once(hi - 1, hi, both[1] + (hi - 1 - lo), q);
    i++;
  }
}

void tacit_eigen_rotate(size_t n, double *q, tacit_rotations *waiting, int threads) {
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (n >= ALONE)
  for (size_t j = 0; j < n; j += SLICE) rotate_slice(waiting, q + j * n);
  waiting->turns = waiting->sweeps = 0;
}
