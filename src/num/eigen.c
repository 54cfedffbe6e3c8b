/* Eigenvalues and eigenvectors of a symmetric matrix: Householder reflections to tridiagonal form, then QR
   steps with Wilkinson's shift (Golub and Van Loan, 8.3). LAPACK's bits depend on its threads and on the
   CPU's kernel, and ranks on different machines must agree on a whitening; these loops give the same bits
   everywhere.

   A symmetric n x n, d its diagonal, e beside it, Q' the vectors as rows. */
#include "num/linalg.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 60 }; /* for one eigenvalue; two or three are usual */

/* A <- H A H on the rows and columns from k + 1 on, H = I - 2 v v' / v'v, so that column k below its second
   entry vanishes. v replaces that column of A, and its squared length is returned. */
static double reflect(size_t n, double *a, size_t k, double *w, double *beside) {
  double square = 0, vv, vp = 0;
  for (size_t i = k + 1; i < n; i++) square += a[i * n + k] * a[i * n + k];
  double first = a[(k + 1) * n + k], alpha = first > 0 ? -sqrt(square) : sqrt(square);
  *beside = alpha;
  vv = 2 * (square - alpha * first);
  if (!(vv > 0)) return 0;
  a[(k + 1) * n + k] = first - alpha;
  for (size_t i = k + 1; i < n; i++) {
    double sum = 0;
    for (size_t j = k + 1; j < n; j++) sum += (j <= i ? a[i * n + j] : a[j * n + i]) * a[j * n + k];
    w[i] = 2 * sum / vv;
    vp += a[i * n + k] * w[i];
  }
  for (size_t i = k + 1; i < n; i++) w[i] -= vp / vv * a[i * n + k];
  for (size_t i = k + 1; i < n; i++)
    for (size_t j = k + 1; j <= i; j++) a[i * n + j] -= a[i * n + k] * w[j] + w[i] * a[j * n + k];
  return vv;
}

/* The lower triangle of a becomes the reflections; q gets their product's transpose. */
static void tridiagonal(size_t n, double *a, double *d, double *e, double *w, double *length, double *q) {
  for (size_t k = 0; k + 1 < n; k++) length[k] = reflect(n, a, k, w, &e[k]);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) q[i * n + j] = i == j;
  for (size_t i = 0; i < n; i++) d[i] = a[i * n + i];
  for (size_t k = n - 1; k-- > 0;) {
    if (!(length[k] > 0)) continue;
    for (size_t r = k + 1; r < n; r++) { /* each row of Q' times H_k from the right */
      double sum = 0, *row = q + r * n;
      for (size_t j = k + 1; j < n; j++) sum += row[j] * a[j * n + k];
      for (size_t j = k + 1; j < n; j++) row[j] -= 2 * sum / length[k] * a[j * n + k];
    }
  }
}

static void rotate(size_t n, double *x, double *y, double c, double s) {
  for (size_t j = 0; j < n; j++) {
    double t = c * x[j] + s * y[j];
    y[j] = c * y[j] - s * x[j];
    x[j] = t;
  }
}

/* One QR step on the rows lo to hi, of which no entry of e is zero. */
static void step(size_t n, double *d, double *e, double *q, size_t lo, size_t hi) {
  double half = (d[hi - 1] - d[hi]) / 2, t = e[hi - 1], root = sqrt(half * half + t * t);
  double shift = d[hi] - t * t / (half < 0 ? half - root : half + root), x = d[lo] - shift, z = e[lo];
  for (size_t k = lo; k < hi; k++) {
    double r = sqrt(x * x + z * z), c = r > 0 ? x / r : 1, s = r > 0 ? z / r : 0;
    if (k > lo) e[k - 1] = r;
    double a = d[k], b = e[k], g = d[k + 1];
    d[k] = c * c * a + 2 * c * s * b + s * s * g;
    d[k + 1] = s * s * a - 2 * c * s * b + c * c * g;
    e[k] = c * s * (g - a) + (c * c - s * s) * b;
    rotate(n, q + k * n, q + (k + 1) * n, c, s);
    if (k + 1 == hi) break;
    x = e[k];
    z = s * e[k + 1];
    e[k + 1] *= c;
  }
}

static bool diagonal(size_t n, double *d, double *e, double *q) {
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
      step(n, d, e, q, lo, hi);
    }
  }
  return true;
}

/* Ascending, by selection; vectors go into the columns of a. */
static void sort(size_t n, double *d, double *q, double *a) {
  for (size_t k = 0; k < n; k++) {
    size_t least = k;
    for (size_t i = k + 1; i < n; i++)
      if (d[i] < d[least]) least = i;
    double t = d[k];
    d[k] = d[least];
    d[least] = t;
    for (size_t j = 0; j < n; j++) {
      a[j * n + k] = q[least * n + j];
      q[least * n + j] = q[k * n + j];
    }
  }
}

bool tacit_eigen(size_t n, double *a, double *values) {
  double largest = 0;
  for (size_t i = 0; i < n * n; i++) {
    if (!isfinite(a[i])) return false;
    largest = fmax(largest, fabs(a[i]));
  }
  double *space = n ? malloc((n * n + 3 * n) * sizeof *space) : NULL;
  if (!space) return n == 0;
  double *q = space, *e = q + n * n, *w = e + n, *length = w + n, unit = largest > 0 ? largest : 1;
  for (size_t i = 0; i < n * n; i++) a[i] /= unit; /* squares then stay in range */
  tridiagonal(n, a, values, e, w, length, q);
  bool found = diagonal(n, values, e, q);
  if (found) sort(n, values, q, a);
  for (size_t i = 0; i < n; i++) values[i] *= unit;
  free(space);
  return found;
}
