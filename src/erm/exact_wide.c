/* Exact ERM of many columns. The simplex method takes a step for every row that changes sides, each as long
   as a pass; an interior point takes some twenty steps, whatever the size. */
#include "base/base.h"
#include "erm/exact_interior.h"
#include "erm/exact_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The central path's u and the smoothed fit's are alike near the fit at this part of its bandwidth. */
static const double START = 0.3;

/* Whether b and the kept rows' a are optimal over all rows. */
static bool proves(tacit_exact_problem *q, const double *b, const double *a) {
  for (size_t k = 0; k < q->m; k++) q->a[q->kept[k]] = fmin(fmax(a[k], q->tau - 1), q->tau);
  tacit_exact_set_residuals(q, b);
  return tacit_exact_is_optimal(q);
}

/* The program over the kept rows by an interior point: the corner that it points to or, where several are as
   good, the point itself. *close: it got near one. */
static tacit_status solve_inside(tacit_exact_problem *q, double start, double *b, bool *close, bool *proved,
                                 tacit_error *error) {
  size_t n = q->n, p = q->p, m = q->m, count = m * p + 5 * m + 2 * p;
  double *x = tacit_alloc(count, sizeof *x);
  *close = *proved = false;
  if (!x) return tacit_no_memory(error);
  double *y = x + m * p, *a = y + m, *freedom = a + m, *r = freedom + m, *corner_a = r + m,
         *sums = corner_a + m, *corner = sums + p;
  for (size_t k = 0; k < m; k++) q->a[q->kept[k]] = 0;
  tacit_exact_balance(&q->rows, q->a, sums);
  for (size_t j = 0; j < p; j++) sums[j] = -sums[j];
#pragma omp parallel for num_threads(q->rows.threads) schedule(static)
  for (size_t j = 0; j < p; j++)
    for (size_t k = 0; k < m; k++) x[j * m + k] = q->x[j * n + q->kept[k]];
  for (size_t k = 0; k < m; k++) y[k] = q->y[q->kept[k]];
  const tacit_exact_rows rows = {x, y, m, p, q->rows.threads, q->rows.room};
  const tacit_interior inside = {&rows, q->tau, sums, start, q->context};
  bool found = false;
  memcpy(b, q->rough, p * sizeof *b);
  tacit_status status = tacit_exact_interior(&inside, b, a, freedom, error);
  *close = status == TACIT_OK;
  if (status == TACIT_INTERNAL) status = TACIT_OK; /* the simplex method may do */
  if (*close) status = tacit_exact_corner(&inside, freedom, corner, corner_a, r, &found, error);
  if (found && proves(q, corner, corner_a)) {
    memcpy(b, corner, p * sizeof *b);
    *proved = true;
  } else if (*close) {
    *proved = proves(q, b, a);
  }
  tacit_free_wiped(x, count * sizeof *x);
  return status;
}

/* Many columns: an interior point, over the rows near a smoothed fit where they are few enough. */
tacit_status tacit_exact_solve_wide(tacit_exact_problem *q, const tacit_sample *sample, size_t target,
                                    double *b, bool *proved, tacit_error *error) {
  double share = tacit_exact_share(q), size;
  TACIT_TRY(tacit_exact_rough(q, sample, target, share, &size, b, error));
  if (!(size > 0)) return TACIT_OK;
  double near = tacit_exact_near(q, share, size);
  bool close = false;
  tacit_exact_keep_near(q, near);
  for (int round = 0; round < TACIT_EXACT_ROUNDS; round++) {
    if (q->m < 4 * q->p || q->m > q->n / 2) tacit_exact_keep_near(q, INFINITY);
    bool all = q->m == q->n;
    TACIT_TRY(solve_inside(q, START * share * size, b, &close, proved, error));
    if (*proved || all) return TACIT_OK;
    if (!tacit_exact_keep_more(q, close, &near)) return TACIT_OK;
  }
  return TACIT_OK;
}
