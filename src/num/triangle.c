/* The inverse of a triangle, by several threads: each row is found by the same operations in the same order,
   whoever does it. */
#include "num/clones.h"
#include "num/linalg.h"

#include <string.h>

enum { ROWS = 4 }; /* for which the triangle is read once */

/* Rows `first` to first + 3 of the turned inverse: L x = e_c, from x_first on. */
TACIT_CLONES static void solve_four(size_t n, const double *l, size_t first, double *out) {
  double *restrict x0 = out + first * n, *restrict x1 = x0 + n, *restrict x2 = x1 + n, *restrict x3 = x2 + n;
  for (size_t k = first; k < n; k++) {
    const double *restrict column = l + k * n;
    double s0 = x0[k] /= column[k], s1 = x1[k] /= column[k], s2 = x2[k] /= column[k], s3 = x3[k] /= column[k];
    for (size_t i = k + 1; i < n; i++) {
      x0[i] -= s0 * column[i];
      x1[i] -= s1 * column[i];
      x2[i] -= s2 * column[i];
      x3[i] -= s3 * column[i];
    }
  }
}

void tacit_invert_lower(size_t n, const double *l, double *out, int threads) {
  memset(out, 0, n * n * sizeof *out);
  for (size_t c = 0; c < n; c++) out[c * n + c] = 1;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (size_t c = 0; c < n; c += ROWS) {
    if (c + ROWS <= n)
      solve_four(n, l, c, out);
    else
      for (size_t i = c; i < n; i++) tacit_solve_lower(n - i, l + i * n + i, n, out + i * n + i);
  }
}
