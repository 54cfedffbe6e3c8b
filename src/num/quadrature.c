/* Adaptive integration: every piece gets a Gauss-Kronrod 7-15 rule, and the piece with the largest error
   estimate is halved until the estimates add up to less than the tolerance. */
#include "num/quadrature.h"

#include <math.h>
#include <stddef.h>

/* The rule on [-1, 1], for the nodes >= 0 (bench/quadrature_nodes.py): node, weight in the 15-point rule,
   weight in the 7-point rule that shares every second node. */
enum { HALF = 8 };
static const double NODE[HALF] = {0.0,
                                  0.2077849550078984676,
                                  0.40584515137739716691,
                                  0.58608723546769113029,
                                  0.74153118559939443986,
                                  0.86486442335976907279,
                                  0.94910791234275852453,
                                  0.99145537112081263921};
static const double KRONROD[HALF] = {0.20948214108472782801,  0.20443294007529889241, 0.19035057806478540991,
                                     0.16900472663926790283,  0.14065325971552591875, 0.10479001032225018384,
                                     0.063092092629978553291, 0.022935322010529224964};
static const double GAUSS[HALF] = {0.41795918367346938776, 0, 0.38183005050511894495, 0,
                                   0.2797053914892766679,  0, 0.12948496616886969327, 0};

enum {
  START = 8,   /* pieces to begin with: one rule over everything can miss a narrow peak and see no error */
  LIMIT = 1000 /* pieces at most: fifteen thousand evaluations, far beyond what smooth functions need */
};

typedef struct piece {
  double from, to, value, error;
} piece;

/* What is integrated: f itself, or f on a half-line or the line mapped to [0, 1). */
typedef struct integrand {
  double (*f)(double x, const void *with);
  const void *with;
  enum { FINITE, HALF_LINE, LINE } domain;
  double origin, direction; /* the half-line {origin + direction s, s >= 0} */
} integrand;

/* s = t / (1 - t) maps [0, 1) to [0, inf), with ds = dt / (1 - t)^2. The line is folded at the origin. */
static double at(const integrand *g, double t) {
  if (g->domain == FINITE) return g->f(t, g->with);
  double rest = 1 - t;
  if (rest <= 0)
    return 0; /* only by rounding, at the far end, where an integrable function has nothing left */
  double s = t / rest;
  double value = g->f(g->origin + g->direction * s, g->with);
  if (g->domain == LINE) value += g->f(g->origin - g->direction * s, g->with);
  return value / (rest * rest);
}

static piece apply_rule(const integrand *g, double from, double to) {
  double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double centre = at(g, middle);
  double kronrod = KRONROD[0] * centre, gauss = GAUSS[0] * centre;
  for (int i = 1; i < HALF; i++) {
    double pair = at(g, middle - half * NODE[i]) + at(g, middle + half * NODE[i]);
    kronrod += KRONROD[i] * pair;
    gauss += GAUSS[i] * pair;
  }
  return (piece){from, to, half * kronrod, fabs(half * (kronrod - gauss))};
}

static double integrate(const integrand *g, double from, double to, double tolerance, double *error_out) {
  piece pieces[LIMIT];
  size_t count = START;
  for (size_t i = 0; i < START; i++)
    pieces[i] = apply_rule(g, from + (to - from) * ((double)i / START),
                           from + (to - from) * ((double)(i + 1) / START));
  for (;;) {
    double value = 0, error = 0;
    size_t worst = 0;
    for (size_t i = 0; i < count; i++) {
      value += pieces[i].value;
      error += pieces[i].error;
      if (pieces[i].error > pieces[worst].error) worst = i;
    }
    /* Written so that a NaN ends the work too. */
    if (!(error > tolerance) || count == LIMIT) {
      if (error_out) *error_out = error;
      return value;
    }
    piece halved = pieces[worst];
    double middle = 0.5 * (halved.from + halved.to);
    pieces[worst] = apply_rule(g, halved.from, middle);
    pieces[count++] = apply_rule(g, middle, halved.to);
  }
}

double tacit_integrate(double (*f)(double x, const void *with), const void *with, double a, double b,
                       double tolerance, double *error_out) {
  if (isnan(a) || isnan(b)) {
    if (error_out) *error_out = NAN;
    return NAN;
  }
  if (a == b) {
    if (error_out) *error_out = 0;
    return 0;
  }
  if (a > b) return -tacit_integrate(f, with, b, a, tolerance, error_out);
  integrand g = {.f = f, .with = with, .domain = FINITE, .origin = 0, .direction = 1};
  if (isfinite(a) && isfinite(b)) return integrate(&g, a, b, tolerance, error_out);
  g.domain = isfinite(a) || isfinite(b) ? HALF_LINE : LINE;
  if (isfinite(a)) g.origin = a;
  if (isfinite(b)) g.origin = b, g.direction = -1;
  return integrate(&g, 0, 1, tolerance, error_out);
}
