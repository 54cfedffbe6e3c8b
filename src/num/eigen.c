/* Eigenvalues and eigenvectors of a symmetric matrix: Householder reflections to tridiagonal form, then QR
   steps with Wilkinson's shift (Golub and Van Loan, 8.3). LAPACK's bits depend on its threads and on the
   CPU's kernel, and ranks on different machines must agree on a whitening; these loops give the same bits
   everywhere, for any number of threads: every entry is computed by the same operations in the same order,
   and only which entries are computed together is chosen for speed.

   A symmetric n x n, both triangles; d its diagonal, e beside it, Q' the vectors as rows. */
#include "num/eigen_parts.h"
#include "num/linalg.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
  STEPS = 60, /* for one eigenvalue; two or three are usual */
  WAIT = 64   /* steps whose rotations wait for the vectors */
};

/* A QR step's rotations, of rows lo and lo + 1 to hi - 1 and hi, wait to be applied to the vectors. */
static void rotate(tacit_rotations *waiting, double c, double s) {
  waiting->turn[waiting->turns++] = (tacit_rotation){c, s};
}

/* One QR step on the rows lo to hi, of which no entry of e is zero. */
static void step(double *d, double *e, size_t lo, size_t hi, tacit_rotations *waiting) {
  double half = (d[hi - 1] - d[hi]) / 2, t = e[hi - 1], root = sqrt(half * half + t * t);
  double shift = d[hi] - t * t / (half < 0 ? half - root : half + root), x = d[lo] - shift, z = e[lo];
  waiting->sweep[waiting->sweeps++] = (tacit_sweep){lo, hi, waiting->turns};
  for (size_t k = lo; k < hi; k++) {
    double r = sqrt(x * x + z * z), c = r > 0 ? x / r : 1, s = r > 0 ? z / r : 0;
    if (k > lo) e[k - 1] = r;
    double a = d[k], b = e[k], g = d[k + 1];
    d[k] = c * c * a + 2 * c * s * b + s * s * g;
    d[k + 1] = s * s * a - 2 * c * s * b + c * c * g;
    e[k] = c * s * (g - a) + (c * c - s * s) * b;
    rotate(waiting, c, s);
    if (k + 1 == hi) break;
    x = e[k];
    z = s * e[k + 1];
    e[k + 1] *= c;
  }
}

static bool diagonal(size_t n, double *d, double *e, double *q, tacit_rotations *waiting, int threads) {
  size_t steps = 0;
  for (size_t hi = n - 1; hi > 0;) {
    size_t lo = hi;
    while (lo > 0 && fabs(e[lo - 1]) > DBL_EPSILON * (fabs(d[lo - 1]) + fabs(d[lo])) &&
           fabs(e[lo - 1]) > DBL_MIN)
      lo--;
    if (lo == hi) {
      e[--hi] = 0;
      steps = 0;
    } else {
      if (++steps > STEPS) return false;
      if (waiting->turns + n > waiting->most) tacit_eigen_rotate(n, q, waiting, threads);
      step(d, e, lo, hi, waiting);
    }
  }
  tacit_eigen_rotate(n, q, waiting, threads);
  return true;
}

/* Ascending, by selection; vectors go into the columns of a. */
static void sort(size_t n, double *d, const double *q, size_t *place, double *a) {
  for (size_t k = 0; k < n; k++) place[k] = k;
  for (size_t k = 0; k < n; k++) {
    size_t least = k;
    for (size_t i = k + 1; i < n; i++)
      if (d[i] < d[least]) least = i;
    double t = d[k];
    d[k] = d[least];
    d[least] = t;
    size_t p = place[k];
    place[k] = place[least];
    place[least] = p;
  }
  for (size_t j = 0; j < n; j++)
    for (size_t k = 0; k < n; k++) a[j * n + k] = q[tacit_eigen_at(n, place[k], j)];
}

/* False without memory. */
static bool open_rotations(tacit_rotations *r, size_t n) {
  r->most = WAIT * n;
  r->turn = malloc(r->most * sizeof *r->turn);
  r->sweep = malloc(r->most * sizeof *r->sweep);
  return r->turn && r->sweep;
}

bool tacit_eigen_by(size_t n, double *a, double *values, int threads) {
  double largest = 0;
  for (size_t i = 0; i < n * n; i++) {
    if (!isfinite(a[i])) return false;
    largest = fmax(largest, fabs(a[i]));
  }
  if (n == 0) return true;
  size_t entries = tacit_eigen_entries(n);
  double *space = malloc((entries + 5 * n) * sizeof *space);
  size_t *place = malloc(n * sizeof *place);
  tacit_rotations waiting = {0};
  bool found = space && place && open_rotations(&waiting, n);
  if (found) {
    double *q = space, *e = q + entries, *length = e + n, *room = length + n,
           unit = largest > 0 ? largest : 1;
    for (size_t i = 0; i < n; i++) /* squares then stay in range; the lower triangle counts */
      for (size_t j = 0; j <= i; j++) a[j * n + i] = a[i * n + j] /= unit;
    tacit_eigen_reflect(n, a, (tacit_tridiagonal){values, e, length, room});
    found = tacit_eigen_collect(n, a, length, q, threads) && diagonal(n, values, e, q, &waiting, threads);
    if (found) sort(n, values, q, place, a);
    for (size_t i = 0; i < n; i++) values[i] *= unit;
  }
  free(waiting.turn);
  free(waiting.sweep);
  free(place);
  free(space);
  return found;
}

bool tacit_eigen(size_t n, double *a, double *values) {
  return tacit_eigen_by(n, a, values, 1);
}
