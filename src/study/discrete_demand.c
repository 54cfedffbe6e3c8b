/* The restricted discrete demand of the companion's EC.2.4: rows that meet its Assumption EC.1 with equality,
   and the exact excess of any rule. */
#include "study/discrete_demand.h"

#include "num/normal.h"
#include "num/quadrature.h"

#include <math.h>

enum { P = TACIT_DISCRETE_COLUMNS };
const double tacit_discrete_best[P] = {10.5, 5, -2};
static const double TAU = TACIT_DISCRETE_TAU, QUANTILE = 0.5;

/* Whole numbers 0, 1, 2, ... that fall by 3/4 each time. */
static double steps_away(tacit_stream *stream) {
  return floor(log(tacit_uniform(stream)) / log(0.75));
}

static double draw_error(tacit_stream *stream) {
  const double near = exp(-1 / (TACIT_DISCRETE_THRESHOLD * TACIT_DISCRETE_THRESHOLD));
  if (tacit_uniform(stream) < near) {
    /* Pr(T <= t | T <= 1/2) = e^(4 - 1/t^2) */
    double t =
        1 / sqrt(1 / (TACIT_DISCRETE_THRESHOLD * TACIT_DISCRETE_THRESHOLD) - log(tacit_uniform(stream)));
    return tacit_stream_bits(stream) >> 63 ? QUANTILE + t : QUANTILE - t;
  }
  /* as much below the quantile as makes it one */
  bool below = tacit_uniform(stream) < (TAU - near / 2) / (1 - near);
  return below ? -steps_away(stream) : 1 + steps_away(stream);
}

double tacit_discrete_draw(tacit_stream *stream, double x[P]) {
  x[0] = 1;
  do {
    x[1] = nearbyint(2 * tacit_normal(stream));
    x[2] = nearbyint(3 * tacit_normal(stream));
  } while (hypot(x[1], x[2]) > 10);
  return 10 + 5 * x[1] - 2 * x[2] + draw_error(stream);
}

/* The excess of E rho(e - t) over its least value at the quantile q: the integral of F - 0.7 from q to t. On
   (0, 1) F - 0.7 is sign(s - q) e^(-1/(s - q)^2) / 2; beyond, F has steps at whole numbers. */
static double near_mass(void) {
  return exp(-1 / (TACIT_DISCRETE_THRESHOLD * TACIT_DISCRETE_THRESHOLD));
}

static double bump(double t, const void *with) {
  (void)with;
  return t > 0 ? exp(-1 / (t * t)) / 2 : 0;
}

static double error_excess(double t) {
  double off = fabs(t - QUANTILE), near = near_mass();
  double side = t > QUANTILE ? 1 - TAU - near / 2 : TAU - near / 2; /* mass of the steps on that side */
  double sum = tacit_integrate(bump, NULL, 0, fmin(off, TACIT_DISCRETE_THRESHOLD), 1e-14, NULL), far = 1;
  for (double at = TACIT_DISCRETE_THRESHOLD; at < off && at < 400; at++) {
    far *= 0.75;
    sum += (near / 2 + side * (1 - far)) * fmin(1, off - at);
  }
  return sum;
}

static double inside(double t, const void *with) {
  (void)with;
  return t > 0 ? 1 - exp(1 / (TACIT_DISCRETE_THRESHOLD * TACIT_DISCRETE_THRESHOLD) - 1 / (t * t)) : 1;
}

/* E rho(e - q): the steps are 1/2 + 3 away on average, the others as far as the integral says. */
double tacit_discrete_least(void) {
  double near = near_mass(), close = tacit_integrate(inside, NULL, 0, TACIT_DISCRETE_THRESHOLD, 1e-12, NULL);
  return (1 - TAU) * (3.5 * (TAU - near / 2) + near / 2 * close) +
         TAU * (3.5 * (1 - TAU - near / 2) + near / 2 * close);
}

/* Pr(round(sd Z) = k) */
static double cell_mass(double sd, int k) {
  return tacit_normal_cdf((k + 0.5) / sd) - tacit_normal_cdf((k - 0.5) / sd);
}

double tacit_discrete_excess(const double theta[P]) {
  double sum = 0, mass = 0;
  for (int a = -10; a <= 10; a++)
    for (int b = -10; b <= 10; b++) {
      if (a * a + b * b > 100) continue;
      double weight = cell_mass(2, a) * cell_mass(3, b);
      double t = theta[0] - 10 + (theta[1] - 5) * a + (theta[2] + 2) * b;
      mass += weight;
      sum += weight * error_excess(t);
    }
  return sum / mass / tacit_discrete_least();
}
