/* Householder's reflections in plain loops: QR, QR with its columns ordered, and shortest solutions.

     H_k = I - f_k v v'   v = (1, what stands below the diagonal)   Q = H_1 H_2 ...   R = Q'A */
#include "num/small.h"

#include "base/base.h"
#include "num/linalg.h"

#include <math.h>
#include <stdlib.h>

static const double NONE = 1e-12; /* of the largest direction */

/* Turns x (m) onto its first axis: that number stays in x[0], v below it. Returns the factor; 0: it is there
   already. */
static double reflect(size_t m, double *x) {
  double below = tacit_small_norm(m - 1, x + 1);
  if (!(below > 0)) return 0;
  double length = copysign(hypot(x[0], below), x[0]), first = x[0] + length; /* no cancellation */
  for (size_t i = 1; i < m; i++) x[i] /= first;
  x[0] = -length;
  return first / length;
}

/* c <- H c; v starts below its one */
static void apply(size_t m, const double *v, double factor, double *c) {
  if (!(factor > 0)) return;
  double sum = factor * (c[0] + tacit_small_dot(m - 1, v + 1, c + 1));
  c[0] -= sum;
  tacit_small_take(m - 1, sum, v + 1, c + 1);
}

static bool all_finite(size_t m, size_t n, const double *a, size_t stride) {
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < m; i++)
      if (!isfinite(a[j * stride + i])) return false;
  return true;
}

/* The longest of the columns from k on, of what is left of them, comes first. */
static void bring_longest(size_t m, size_t n, size_t k, double *a, size_t stride, int *order) {
  size_t longest = k;
  double most = -1;
  for (size_t j = k; j < n; j++) {
    double length = tacit_small_norm(m - k, a + j * stride + k);
    if (length > most) most = length, longest = j;
  }
  if (longest == k) return;
  int place = order[k];
  order[k] = order[longest];
  order[longest] = place;
  for (size_t i = 0; i < m; i++) {
    double kept = a[k * stride + i];
    a[k * stride + i] = a[longest * stride + i];
    a[longest * stride + i] = kept;
  }
}

static bool factor(size_t m, size_t n, double *a, size_t stride, int *order, double *factors) {
  if (!all_finite(m, n, a, stride)) return false;
  for (size_t k = 0; k < n && k < m; k++) {
    if (order) bring_longest(m, n, k, a, stride, order);
    double *column = a + k * stride + k;
    factors[k] = reflect(m - k, column);
    for (size_t j = k + 1; j < n; j++) apply(m - k, column, factors[k], a + j * stride + k);
  }
  return true;
}

bool tacit_small_qr(size_t m, size_t n, double *a, size_t stride, double *factors) {
  return factor(m, n, a, stride, NULL, factors);
}

bool tacit_small_qr_ordered(size_t m, size_t n, double *a, size_t stride, int *order, double *factors) {
  for (size_t j = 0; j < n; j++) order[j] = (int)j;
  return factor(m, n, a, stride, order, factors);
}

void tacit_small_turn(size_t m, size_t reflectors, const double *a, size_t stride, const double *factors,
                      double *c) {
  for (size_t k = 0; k < reflectors; k++) apply(m - k, a + k * (stride + 1), factors[k], c + k);
}

void tacit_small_turn_back(size_t m, size_t reflectors, const double *a, size_t stride, const double *factors,
                           double *c) {
  for (size_t k = reflectors; k-- > 0;) apply(m - k, a + k * (stride + 1), factors[k], c + k);
}

/* R (rank x p, the first rows of a) x = b has the shortest solution V (T')^-1 b, with R' = V T. */
static bool shortest_of(size_t rank, size_t p, const double *a, double *turned, double *b) {
  double *factors = turned + rank * p;
  for (size_t k = 0; k < rank; k++)
    for (size_t j = 0; j < p; j++) turned[k * p + j] = j >= k ? a[j * p + k] : 0;
  if (!tacit_small_qr(p, rank, turned, p, factors)) return false;
  tacit_solve_upper_turned(rank, turned, p, b);
  for (size_t j = rank; j < p; j++) b[j] = 0;
  tacit_small_turn_back(p, rank, turned, p, factors, b);
  return true;
}

bool tacit_small_shortest(size_t m, size_t p, double *a, double *b) {
  size_t rank = 0, count = p * p + 3 * p;
  double *room = tacit_alloc(count, sizeof *room);
  int *order = tacit_alloc(p, sizeof *order);
  bool done = room && order && tacit_small_qr_ordered(m, p, a, p, order, room);
  if (done) {
    double *turned = room + p, *x = turned + p * p + p;
    tacit_small_turn(m, m, a, p, room, b);
    while (rank < m && fabs(a[rank * (p + 1)]) > NONE * fabs(a[0])) rank++;
    done = shortest_of(rank, p, a, turned, b);
    for (size_t j = 0; done && j < p; j++) x[order[j]] = b[j];
    for (size_t j = 0; done && j < p; j++) b[j] = x[j];
  }
  tacit_free_wiped(room, count * sizeof *room);
  free(order);
  return done;
}
