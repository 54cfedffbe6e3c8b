/* What exact ERM's ways to a fit share. */
#include "erm/exact_problem.h"

#include "base/base.h"
#include "erm/smooth_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 4 }; /* towards the bandwidth */
/* In steps of how far the smoothed fit may be from the exact one: h^2 of bias and (h p / n)^(1/2) of chance,
   with h and both in spreads. */
static const double REACH = 3;
/* About the mean of |r| over its median for normal errors; and how many times too wide a bandwidth may be. */
static const double NORMAL = 1.1, WILD = 4;

void tacit_exact_set_residuals(tacit_exact_problem *q, const double *b) {
  q->loss = tacit_exact_residuals(&q->rows, q->tau, b, q->r);
}

/* For any a in the box and any b*, sum rho(r*) >= a'r* = a'r + (X'a)'(b - b*). So b is optimal when X'a = 0
   and every rho(r_i) = a_i r_i. Neither CLP's word nor the polish is needed for this to hold. X'a is held to
   rounding: with columns that are nearly dependent b* may be far away, and CLP's own tolerance would let a
   wrong fit through. */
bool tacit_exact_is_optimal(const tacit_exact_problem *q) {
  double product = 0;
  tacit_smooth_gradient(q->n, 1, q->r, q->n, q->a, &product);
  if (!(q->loss - product <= 1e-9 * q->loss + 1e-13 * q->size)) return false;
  tacit_exact_balance(&q->rows, q->a, q->balance);
  for (size_t j = 0; j < q->p; j++)
    if (!(fabs(q->balance[j]) <= 1e-13 * (double)q->n * q->width[j])) return false;
  return true;
}

void tacit_exact_keep_near(tacit_exact_problem *q, double near) {
  q->m = 0;
  for (size_t i = 0; i < q->n; i++) {
    q->a[i] = q->r[i] > 0 ? q->tau : q->tau - 1;
    if (fabs(q->r[i]) <= near) q->kept[q->m++] = i;
  }
}

static int by_row(const void *a, const void *b) {
  size_t i = *(const size_t *)a, k = *(const size_t *)b;
  return i < k ? -1 : i > k;
}

/* Rows whose residual, now in r, has another sign than their fixed a join the kept ones: how many did. */
static size_t keep_wrong(tacit_exact_problem *q) {
  size_t before = q->m, next = 0;
  for (size_t i = 0; i < q->n; i++) {
    if (next < before && q->kept[next] == i) {
      next++;
    } else if (q->r[i] != 0 && (q->r[i] > 0) != (q->a[i] > 0)) {
      q->kept[q->m++] = i;
    }
  }
  qsort(q->kept, q->m, sizeof *q->kept, by_row);
  return q->m - before;
}

bool tacit_exact_keep_more(tacit_exact_problem *q, bool feasible, double *near) {
  if (feasible) return keep_wrong(q) > 0;
  *near *= 4; /* too many signs were fixed */
  tacit_exact_set_residuals(q, q->rough);
  tacit_exact_keep_near(q, *near);
  return true;
}

static int by_value(const void *a, const void *b) {
  double u = *(const double *)a, v = *(const double *)b;
  return u < v ? -1 : u > v;
}

/* The median of |r| over some of the rows: a few wild ones do not move it, as they do the mean. */
static double usual(const tacit_exact_problem *q) {
  enum { SOME = 1001 };
  double sizes[SOME];
  for (size_t k = 0; k < SOME; k++) sizes[k] = fabs(q->r[q->n < SOME ? k % q->n : q->n / SOME * k]);
  qsort(sizes, SOME, sizeof *sizes, by_value);
  return sizes[SOME / 2];
}

tacit_status tacit_exact_rough(tacit_exact_problem *q, const tacit_sample *sample, size_t target,
                               double share, double *size, double *b, tacit_error *error) {
  tacit_erm_loss loss = {q->tau, TACIT_KERNEL_GAUSSIAN, 0};
  for (int turn = 0;;
       turn++) { /* with heavy tails the spread is no measure of the bandwidth that is needed */
    if (tacit_erm_rough(sample, target, &loss, share, b, q->context, error) == TACIT_CANCELLED)
      return TACIT_CANCELLED; /* another failure leaves a start that may be poor, no more */
    tacit_exact_set_residuals(q, b);
    *size = NORMAL * usual(q);
    if (turn == TURNS || !(*size > 0 && loss.h > WILD * share * *size)) break;
    loss.h = share * *size;
  }
  if (!(*size > 0 && *size < INFINITY)) *size = 0;
  memcpy(q->rough, b, q->p * sizeof *b);
  return TACIT_OK;
}

double tacit_exact_share(const tacit_exact_problem *q) {
  return pow(((double)q->p + log((double)q->n)) / (double)q->n, 0.4);
}

double tacit_exact_near(const tacit_exact_problem *q, double share, double size) {
  return REACH * size * (share * share + sqrt(share * (double)q->p / (double)q->n));
}
