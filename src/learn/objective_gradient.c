/* The gradient of the perturbed objective, exactly: margins, table look-ups and sums in 128-bit integers
   (proofs/objective-perturbation.md, "The computed minimiser").

     G_j = sum_i (Kbar((x_i'theta - y_i) / h) - tau) x_ij + lambda theta_j + b_j   on the grid 2^-77

   Only the interpolated score is rounded, by less than 2^-57. */
#include "learn/objective_gradient.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

enum {
  MARGIN_BITS = TACIT_CELL_BITS + TACIT_THETA_BITS,        /* 83 */
  TARGET_SHIFT = MARGIN_BITS - TACIT_TARGET_BITS,          /* targets to the margins' grid */
  VALUE_SHIFT = TACIT_EXACT_SCORE_BITS - TACIT_TABLE_BITS, /* table values to scores */
  ROWS_AT_ONCE = 512
};

/* What does not change from row to row. */
typedef struct look_up {
  const int64_t *value;
  tacit_int128 width, half; /* of one step of the table, and of half the table, on the margins' grid */
  double per_width;         /* 1 / width */
  double per_bandwidth;
  int64_t tau;
} look_up;

/* x'theta - y on the grid 2^-83: below 2^122. */
static tacit_int128 margin_of(const tacit_perturbed *p, size_t row, const tacit_int128 *theta) {
  const int32_t *x = p->rows->cells + row * p->rows->columns;
  tacit_int128 sum = -(tacit_int128)p->rows->targets[row] * ((tacit_int128)1 << TARGET_SHIFT);
  for (size_t j = 0; j < p->rows->columns; j++) sum += x[j] * theta[j];
  return sum;
}

/* Kbar - tau on the grid 2^-60, and the table's slope there, in units of 1 / margin. */
static int64_t score_of(const look_up *t, tacit_int128 margin, double *slope) {
  *slope = 0;
  if (margin <= -t->half) return -t->tau;
  if (margin >= t->half) return (INT64_C(1) << TACIT_EXACT_SCORE_BITS) - t->tau;
  tacit_int128 at = margin + t->half;
  int64_t step = (int64_t)((double)at * t->per_width); /* may be one off: put right in integers */
  tacit_int128 rest = at - step * t->width;
  while (rest < 0) step--, rest += t->width;
  while (rest >= t->width) step++, rest -= t->width;
  int64_t rise = t->value[step + 1] - t->value[step];
  double fraction = (double)rest * t->per_width;
  fraction = fraction < 1 ? fraction : 1;
  *slope = ldexp((double)rise, -TACIT_TABLE_BITS) * 64 * t->per_bandwidth;
  return (t->value[step] << VALUE_SHIFT) + (int64_t)(ldexp((double)rise, VALUE_SHIFT) * fraction) - t->tau;
}

static void prepare(const tacit_perturbed *p, look_up *t) {
  t->value = p->table->value;
  t->width = (tacit_int128)ldexp(p->bandwidth, MARGIN_BITS - 6); /* exact for bandwidths from 2^-24 on */
  t->half = t->width * (TACIT_TABLE_STEPS / 2);
  t->per_width = 1 / (double)t->width;
  t->per_bandwidth = 1 / p->bandwidth;
  t->tau = (int64_t)nearbyint(ldexp(p->tau, TACIT_EXACT_SCORE_BITS));
}

/* lambda theta_j + b_j on the gradient's grid. lambda = digits 2^exponent. */
static tacit_int128 public_part(const tacit_perturbed *p, size_t j, tacit_int128 theta) {
  int exponent;
  int64_t digits = (int64_t)ldexp(frexp(p->lambda, &exponent), TACIT_LAMBDA_DIGITS);
  int shift = exponent - TACIT_LAMBDA_DIGITS + TACIT_GRADIENT_BITS - TACIT_THETA_BITS;
  tacit_int128 ridge = digits * theta;
  ridge = shift >= 0 ? ridge * ((tacit_int128)1 << shift) : ridge / ((tacit_int128)1 << -shift);
  return ridge + p->linear[j] * ((tacit_int128)1 << (TACIT_GRADIENT_BITS - p->linear_bits));
}

double tacit_perturbed_gradient_slopes(const tacit_perturbed *p, const tacit_int128 *theta, double *gradient,
                                       double *slopes, tacit_int128 *sums) {
  size_t n = p->rows->rows, d = p->rows->columns, blocks = (n + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE;
  int threads = p->threads > 1 && blocks > 1 ? p->threads : 1;
  look_up table;
  prepare(p, &table);
  memset(sums, 0, (size_t)threads * d * sizeof *sums);
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(static)
  for (int part = 0; part < threads; part++) {
    tacit_int128 *sum = sums + (size_t)part * d;
    size_t from = n * (size_t)part / (size_t)threads, to = n * ((size_t)part + 1) / (size_t)threads;
    for (size_t i = from; i < to; i++) {
      const int32_t *x = p->rows->cells + i * d;
      int64_t score = score_of(&table, margin_of(p, i, theta), &slopes[i]);
      for (size_t j = 0; j < d; j++) sum[j] += (tacit_int128)score * x[j];
    }
  }
  double square = 0;
  for (size_t j = 0; j < d; j++) {
    tacit_int128 total = public_part(p, j, theta[j]);
    for (int part = 0; part < threads; part++) total += sums[(size_t)part * d + j];
    gradient[j] = ldexp((double)total, -TACIT_GRADIENT_BITS);
    square += gradient[j] * gradient[j];
  }
  /* the conversions, squares, sum and root round by far less than 2^-40; lambda theta by a unit of the grid
   */
  return sqrt(square) * (1 + 0x1p-40) + p->slack + ldexp(sqrt((double)d), 1 - TACIT_GRADIENT_BITS);
}
