/* Below the least eigenvalue of a symmetric matrix, by Lanczos' steps: a few products with a vector in place
   of all eigenvalues. Sums run in one order, whatever the processor and the number of threads. */
#include "num/clones.h"
#include "num/linalg.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  STEPS = 40,  /* Ritz values at the ends of a dense spectrum are then within some hundredths of its width */
  SLICE = 128, /* columns that a thread takes at a time */
};

/* The entries from begin to end of a v, each summed over the rows in order. */
TACIT_CLONES static void multiply(size_t n, const double *a, const double *restrict v, size_t begin,
                                  size_t end, double *restrict out) {
  for (size_t j = begin; j < end; j++) out[j] = 0;
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const double *r0 = a + i * n, *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n;
    double v0 = v[i], v1 = v[i + 1], v2 = v[i + 2], v3 = v[i + 3];
    for (size_t j = begin; j < end; j++)
      out[j] = (((out[j] + r0[j] * v0) + r1[j] * v1) + r2[j] * v2) + r3[j] * v3;
  }
  for (; i < n; i++)
    for (size_t j = begin; j < end; j++) out[j] += a[i * n + j] * v[i];
}

static double dot(size_t n, const double *a, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* Signs that no structure of columns is likely to share. */
static void begin_with(size_t n, double *v) {
  uint64_t state = 1;
  for (size_t i = 0; i < n; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    v[i] = (state >> 63 ? 1 : -1) / sqrt((double)n);
  }
}

/* The least eigenvalue of the tridiagonal matrix of d and e, and that less how far one of the large matrix is
   from it at most. */
static double below(size_t steps, const double *d, const double *e, double *above) {
  double t[STEPS * STEPS] = {0}, value[STEPS];
  for (size_t k = 0; k < steps; k++) {
    t[k * steps + k] = d[k];
    if (k + 1 < steps) t[k * steps + k + 1] = t[(k + 1) * steps + k] = e[k];
  }
  if (!tacit_eigen(steps, t, value)) return NAN;
  *above = value[0];
  return value[0] - fabs(e[steps - 1] * t[(steps - 1) * steps]);
}

double tacit_least_eigenvalue(size_t n, const double *a, double *above, int threads) {
  double *room = malloc(3 * n * sizeof *room), d[STEPS], e[STEPS];
  if (!room || n == 0) {
    free(room);
    return NAN;
  }
  double *v = room, *before = v + n, *w = before + n, beside = 0;
  size_t steps = 0;
  begin_with(n, v);
  memset(before, 0, n * sizeof *before);
  while (steps < STEPS) {
#pragma omp parallel for num_threads(threads) schedule(static) if (n >= 4 * SLICE)
    for (size_t j = 0; j < n; j += SLICE) multiply(n, a, v, j, j + SLICE < n ? j + SLICE : n, w);
    d[steps] = dot(n, v, w);
    for (size_t i = 0; i < n; i++) w[i] -= d[steps] * v[i] + beside * before[i];
    e[steps] = beside = sqrt(dot(n, w, w));
    if (!(e[steps++] > (double)n * DBL_EPSILON * fabs(d[0])))
      break; /* nothing is left, or it is not finite */
    for (size_t i = 0; i < n; i++) w[i] /= beside;
    double *free_one = before;
    before = v;
    v = w;
    w = free_one;
  }
  double least = below(steps, d, e, above);
  free(room);
  return least;
}
