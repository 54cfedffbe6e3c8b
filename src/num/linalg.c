/* The inverse root of a symmetric matrix. */
#include "num/linalg.h"

#include "num/solvers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tacit_inverse_root(size_t n, const double *a, double *out) {
  double *vectors = malloc(n * n * sizeof *vectors), *values = malloc(n * sizeof *values);
  bool done = false;
  if (!vectors || !values) goto end;
  memcpy(vectors, a, n * n * sizeof *vectors);
  if (!tacit_eigen(n, vectors, values)) goto end;
  if (!(values[0] > (double)n * DBL_EPSILON * values[n - 1])) goto end; /* ascending */
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = 0;
      for (size_t k = 0; k < n; k++) sum += vectors[i * n + k] * vectors[j * n + k] / sqrt(values[k]);
      out[i * n + j] = out[j * n + i] = sum;
    }
  done = true;
end:
  free(vectors);
  free(values);
  return done;
}

bool tacit_solve_definite(size_t n, double *a, double *b) {
  if (!tacit_have_algebra()) {
    if (!tacit_cholesky(n, a, n)) return false; /* symmetric: rows are columns */
    tacit_solve_lower(n, a, n, b);
    tacit_solve_lower_turned(n, a, n, b);
    return true;
  }
  return LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', (lapack_int)n, 1, a, (lapack_int)n, b, 1) == 0;
}
