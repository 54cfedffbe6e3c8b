/* U by Cholesky's factorisation of X'X over a part of a large table, where the columns are far from
   dependent; otherwise by a QR factorisation, block by block, with pivoting in the end, which tells the rank.
 */
#include "erm/smooth_whiten.h"

#include "erm/smooth_pairs.h"
#include "num/dense.h"
#include "num/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024 };                 /* rows at a time */
static const double DEPENDENT = 1e-12; /* share of a column outside the others' span that counts as none */
/* A share that a moment in single precision, which squares it, still knows to three digits; and the
   residuals' share of y, of which one digit is enough. */
static const double CLEAR = 1e-2, CLEAR_RESIDUALS = 3e-3;
/* Some of a large table's blocks are enough for a metric: full rank there is full rank everywhere. */
enum { SOME_ROWS = 10000, SOME_ROWS_PER_COLUMN = 100, SOME_ROWS_OF_MANY = 25 };

/* G = (X y)'(X y) scaled to ones on the diagonal = L L'; L's last row is Z'y / |y| and what is left of y. */
static bool by_cholesky(const tacit_smooth_pass *pass, size_t every, tacit_smooth_metric *metric,
                        double *gram, double *b) {
  size_t p = pass->p, side = p + 1;
  double *scale = gram + side * side;
  tacit_smooth_pass some = tacit_smooth_pass_thin(pass, every);
  double root = sqrt((double)some.taken);
  tacit_smooth_pass_gram(&some, gram);
  for (size_t j = 0; j < side; j++) {
    scale[j] = sqrt(gram[j * (side + 1)]);
    if (!(scale[j] > 1e-9 * root && scale[j] < 1e9 * root))
      return false; /* within single precision's reach */
  }
  for (size_t k = 0; k < p; k++)
    for (size_t j = k; j < p; j++) metric->moment[k * p + j] = gram[k * side + j] / (root * root);
  for (size_t k = 0; k < side; k++)
    for (size_t j = k; j < side; j++) gram[k * side + j] /= scale[j] * scale[k];
  if (!tacit_cholesky(side, gram, side)) return false;
  for (size_t j = 0; j < side; j++)
    if (!(gram[j * (side + 1)] > (j < p ? CLEAR : CLEAR_RESIDUALS))) return false;
  metric->rank = p;
  metric->spread = gram[p * (side + 1)] * scale[p] / root;
  for (size_t j = 0; j < p; j++) {
    metric->order[j] = (int)j;
    b[j] = gram[j * side + p];
    for (size_t i = 0; i <= j; i++) metric->upper[j * p + i] = gram[i * side + j] * scale[j] / root;
  }
  tacit_solve_lower_turned(p, gram, side, b);
  for (size_t j = 0; j < p; j++) b[j] *= scale[p] / scale[j];
  return true;
}

/* The triangle R of (X y) = QR is built block by block, as the QR of (R so far above the next rows); its X
   part is then factored again with pivoting. U = R / sqrt(n). */
static bool by_reflections(const tacit_smooth_pass *pass, tacit_smooth_metric *metric, double *a, double *b) {
  size_t n = pass->n;
  int p = (int)pass->p, stride = p + 1 + BLOCK;
  double *c = a + (size_t)p * stride, *factors = a + (size_t)(p + 1) * stride, rest = 0; /* c: y's column */
  memset(a, 0, (size_t)(p + 1) * stride * sizeof *a);
  for (size_t begin = 0; begin < n; begin += BLOCK) {
    int m = n - begin < BLOCK ? (int)(n - begin) : BLOCK;
    for (int j = 0; j <= p; j++) {
      const double *column = j < p ? pass->x + (size_t)j * n : pass->y;
      memcpy(a + (size_t)j * stride + p + 1, column + begin, m * sizeof *a);
    }
    if (!tacit_dense_qr(pass->p + 1 + m, pass->p + 1, a, stride, factors)) return false;
    for (int j = 0; j < p; j++)
      for (int i = j + 1; i <= p; i++) a[(size_t)j * stride + i] = 0; /* the reflectors' remains */
  }
  if (!tacit_dense_qr_ordered(pass->p, a, stride, metric->order, factors)) return false;
  if (!tacit_dense_turn(pass->p, a, stride, factors, c)) return false;
  int rank = 0;
  while (rank < p && fabs(a[(size_t)rank * (stride + 1)]) > DEPENDENT * fabs(a[0])) rank++;

  for (int k = rank; k <= p; k++) rest += c[k] * c[k];
  tacit_dense_solve_upper((size_t)rank, a, stride, c);
  memset(b, 0, pass->p * sizeof *b);
  for (int k = 0; k < rank; k++) b[metric->order[k]] = c[k];
  for (int j = 0; j < p; j++)
    for (int i = 0; i <= j; i++) metric->upper[j * p + i] = a[(size_t)j * stride + i] / sqrt((double)n);
  metric->rank = (size_t)rank;
  tacit_free_wiped(metric->moment, pass->p * pass->p * sizeof *metric->moment);
  metric->moment = NULL;
  metric->spread = sqrt(rest / (double)n);
  return metric->spread >= 0 && metric->spread < INFINITY;
}

tacit_status tacit_smooth_whiten(const tacit_smooth_pass *pass, tacit_smooth_metric *metric, double *b,
                                 tacit_error *error) {
  size_t p = pass->p, count = (p + 2 + BLOCK) * (p + 1);
  size_t rows = (p < TACIT_SMOOTH_WIDE ? SOME_ROWS_PER_COLUMN : SOME_ROWS_OF_MANY) * p,
         every = pass->n / (rows < SOME_ROWS ? SOME_ROWS : rows);
  double *space = tacit_alloc(count, sizeof *space);
  *metric = (tacit_smooth_metric){.order = tacit_alloc(p, sizeof *metric->order),
                                  .upper = tacit_alloc(p * p, sizeof *metric->upper),
                                  .moment = tacit_alloc(p * p, sizeof *metric->moment)};
  tacit_status status =
      space && metric->order && metric->upper && metric->moment ? TACIT_OK : tacit_no_memory(error);
  if (status == TACIT_OK && !(every > 1 && by_cholesky(pass, every, metric, space, b)) &&
      !by_cholesky(pass, 1, metric, space, b) && !by_reflections(pass, metric, space, b))
    status = tacit_fail(error, TACIT_INTERNAL, "no memory, or rows with a value that is not finite");
  tacit_free_wiped(space, count * sizeof *space);
  return status;
}

void tacit_smooth_metric_free(tacit_smooth_metric *metric, size_t p) {
  tacit_free_wiped(metric->upper, p * p * sizeof *metric->upper);
  tacit_free_wiped(metric->moment, p * p * sizeof *metric->moment);
  free(metric->order);
}
