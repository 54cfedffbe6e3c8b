/* The nearest point of a polytope by Wolfe's method (1976), which sees the polytope only through its linear
   oracle.

     minimise ||x - p||^2   over x in conv(vertices)

     V      the corral: affinely independent vertices v_0, ..., v_k whose hull has x inside
     lambda their weights, x = sum lambda_i v_i, all above 0
     y      the weights of the point nearest to p in the corral's affine hull
     gap    (x - p)'(x - v) with v the oracle's answer to the cost x - p: 0 exactly at the nearest point

   A major step adds v to the corral; minor steps move x toward the affine hull's nearest point and drop the
   vertices whose weight reaches 0, until it lies inside. Both lower the distance, no corral comes twice, so
   it ends. Weights solve D'D y = D'(p - v_0), D the differences from v_0: with p itself in the matrix a
   distant point would cost half of the digits. */
#include "loss/region_kinds.h"

#include <math.h>
#include <string.h>

typedef struct corral {
  size_t d, most, count;  /* at most `most` + 1 vertices */
  double *vertex;         /* (most + 1) x d, by rows */
  double *factor;         /* lower triangle of Cholesky's L of D'D, (most + 1) x (most + 1) */
  double *lambda, *y, *x; /* most + 1, most + 1, d */
  double *direction;      /* d: x - p; also scratch for one difference */
} corral;

size_t tacit_nearest_work(size_t dimension, size_t most) {
  return (most + 1) * dimension + (most + 1) * (most + 1) + 2 * (most + 1) + 2 * dimension;
}

static double dot(size_t d, const double *a, const double *b) {
  double sum = 0;
  for (size_t j = 0; j < d; j++) sum += a[j] * b[j];
  return sum;
}

static double *row(const corral *c, size_t i) {
  return c->vertex + i * c->d;
}

/* (v_i - v_0)'(v_k - v_0) */
static double gram(const corral *c, size_t i, size_t k) {
  const double *zero = row(c, 0), *a = row(c, i), *b = row(c, k);
  double sum = 0;
  for (size_t j = 0; j < c->d; j++) sum += (a[j] - zero[j]) * (b[j] - zero[j]);
  return sum;
}

/* Row i >= 1 of the factor. False where v_i lies in the hull of those before it, to rounding. */
static bool factorise(const corral *c, size_t i) {
  double *line = c->factor + i * (c->most + 1);
  for (size_t k = 1; k <= i; k++) {
    const double *other = c->factor + k * (c->most + 1);
    double sum = gram(c, i, k), whole = sum;
    for (size_t m = 1; m < k; m++) sum -= line[m] * other[m];
    if (k < i)
      line[k] = sum / other[k];
    else if (!(sum > 1e-13 * whole))
      return false;
    else
      line[i] = sqrt(sum);
  }
  return true;
}

/* y: D'D y_(1..) = D'(p - v_0), y_0 the rest to 1. */
static void solve(const corral *c, const double *point) {
  double *y = c->y;
  const double *zero = row(c, 0);
  size_t n = c->count, wide = c->most + 1;
  for (size_t i = 1; i < n; i++) {
    const double *v = row(c, i);
    double sum = 0;
    for (size_t j = 0; j < c->d; j++) sum += (v[j] - zero[j]) * (point[j] - zero[j]);
    for (size_t m = 1; m < i; m++) sum -= c->factor[i * wide + m] * y[m];
    y[i] = sum / c->factor[i * wide + i];
  }
  y[0] = 1;
  for (size_t i = n; i-- > 1;) {
    for (size_t m = i + 1; m < n; m++) y[i] -= c->factor[m * wide + i] * y[m];
    y[i] /= c->factor[i * wide + i];
    y[0] -= y[i];
  }
}

/* Drops vertex i; the factor is made again from where it changed. False only for a loss of rank, which
   rounding may cause. */
static bool drop(corral *c, size_t i) {
  c->count--;
  memmove(row(c, i), row(c, i + 1), (c->count - i) * c->d * sizeof(double));
  memmove(c->lambda + i, c->lambda + i + 1, (c->count - i) * sizeof(double));
  for (size_t k = i > 0 ? i : 1; k < c->count; k++)
    if (!factorise(c, k)) return false;
  return true;
}

static void mix(const corral *c) {
  memset(c->x, 0, c->d * sizeof *c->x);
  for (size_t i = 0; i < c->count; i++)
    for (size_t j = 0; j < c->d; j++) c->x[j] += c->lambda[i] * row(c, i)[j];
}

/* Minor steps. False where rounding leaves nothing to gain. */
static bool settle(corral *c, const double *point) {
  for (;;) {
    solve(c, point);
    double step = 1;
    size_t leaving = c->count;
    for (size_t i = 0; i < c->count; i++) {
      if (c->y[i] > 0) continue;
      double ratio = c->lambda[i] / (c->lambda[i] - c->y[i]);
      if (leaving == c->count || ratio < step) {
        step = ratio;
        leaving = i;
      }
    }
    if (leaving == c->count) {
      memcpy(c->lambda, c->y, c->count * sizeof *c->y);
      return true;
    }
    for (size_t i = 0; i < c->count; i++)
      c->lambda[i] = fmax(0, c->lambda[i] + step * (c->y[i] - c->lambda[i]));
    c->lambda[leaving] = 0;
    if (!drop(c, leaving)) return false;
    if (c->count == 1) c->lambda[0] = 1;
  }
}

static void lay_out(corral *c, size_t d, size_t most, double *work) {
  *c = (corral){.d = d, .most = most};
  c->vertex = work;
  c->factor = c->vertex + (most + 1) * d;
  c->lambda = c->factor + (most + 1) * (most + 1);
  c->y = c->lambda + most + 1;
  c->x = c->y + most + 1;
  c->direction = c->x + d;
}

/* ||x - p||^2 - ||w - p||^2, from the difference of x and w: a distant p hides nothing. */
static double nearer(const corral *c, const double *w, const double *point) {
  double sum = 0;
  for (size_t j = 0; j < c->d; j++) sum += (c->x[j] - w[j]) * ((c->x[j] - point[j]) + (w[j] - point[j]));
  return sum;
}

/* The gap at which rounding takes over: a few units in the last place of the products in it. */
static const double CLOSE = 1e-15;

tacit_status tacit_nearest(const tacit_region *region, const double *point, size_t most, double *work,
                           double *oracle_work, double *w, tacit_error *error) {
  size_t d = region->dimension;
  corral c;
  lay_out(&c, d, most, work);
  for (size_t j = 0; j < d; j++) c.direction[j] = -point[j]; /* a first vertex on the point's side */
  TACIT_TRY(region->kind->minimise(region, c.direction, NULL, oracle_work, row(&c, 0), error));
  c.count = 1;
  c.lambda[0] = 1;
  for (size_t major = 0; major < 50 * (most + 1); major++) {
    mix(&c);
    if (major > 0 && !(nearer(&c, w, point) < 0)) break; /* but for rounding no corral comes twice */
    memcpy(w, c.x, d * sizeof *w);
    for (size_t j = 0; j < d; j++) c.direction[j] = c.x[j] - point[j];
    double distance = dot(d, c.direction, c.direction);
    if (c.count > most) break;
    double *added = row(&c, c.count);
    TACIT_TRY(region->kind->minimise(region, c.direction, NULL, oracle_work, added, error));
    double gap = 0;
    for (size_t j = 0; j < d; j++) gap += c.direction[j] * (c.x[j] - added[j]);
    if (!(gap > CLOSE * region->diameter * sqrt(distance))) break;
    c.lambda[c.count] = 0;
    if (!factorise(&c, c.count)) break;
    c.count++;
    if (!settle(&c, point)) break;
  }
  return TACIT_OK;
}
