/* Measures on a grid of privacy losses, and the two ways to bring a pair of distributions onto a grid: spread
   apart, which dominates the pair, and drawn together, which the pair dominates (proofs/pld.md). */
#ifndef TACIT_SRC_MEASURE_H
#define TACIT_SRC_MEASURE_H

#include "base/base.h"
#include "privacy/step_curve.h"

typedef enum tacit_side { TACIT_LOWER_SIDE, TACIT_UPPER_SIDE } tacit_side;

/* mass[i] at the loss (low + i) width, under P times e^(theta loss - shift_i) after tilting. width has few
   bits, so that losses are exact. */
typedef struct tacit_measure {
  double width;
  int64_t low;
  size_t count;
  double *mass; /* owned */
} tacit_measure;

void tacit_measure_free(tacit_measure *m);

/* The grid of one step: points `width` apart, within `reach` standard deviations. With a finite theta only
   some of them have mass: fewer further out, where hardly any is left even when it is tilted by theta. */
typedef struct tacit_step_grid {
  double width, reach;
  size_t cells_max;
  double theta; /* INFINITY: mass on every point */
} tacit_step_grid;

/* One step on the grid, from both sides. The P-mass left out is below *beyond: an upper bound has to add it,
   steps times. TACIT_REFUSED when the grid would need more than cells_max cells. Free both. */
tacit_status tacit_measure_step(const tacit_step_curve *curve, const tacit_step_grid *grid,
                                tacit_measure *lower, tacit_measure *upper, double *beyond,
                                tacit_error *error) TACIT_CHECKED;

/* The measure with masses m e^(theta loss - log_scale), rounded to the side. */
void tacit_measure_tilt(tacit_measure *m, double theta, double log_scale, tacit_side side);

/* P and Q exchanged: the mass e^-loss m at -loss, rounded up. */
tacit_status tacit_measure_mirror(const tacit_measure *m, tacit_measure *out,
                                  tacit_error *error) TACIT_CHECKED;

enum { TACIT_COARSEN_MAX = 64 };
/* A measure that was tilted by theta, on a grid `ratio` (at most TACIT_COARSEN_MAX) times as wide; rounded to
 * the side. */
tacit_status tacit_measure_coarsen(const tacit_measure *m, size_t ratio, double theta, tacit_side side,
                                   tacit_measure *out, tacit_error *error) TACIT_CHECKED;

/* All mass, from above; the variance of the losses, to about 1e-12. */
double tacit_measure_total(const tacit_measure *m);
double tacit_measure_variance(const tacit_measure *m);
/* ln sum mass e^(+-lambda loss), to about 1e-12; infinite where an exponential could overflow. */
void tacit_measure_log_moments(const tacit_measure *m, double lambda, double *up, double *down);

/* K(theta) = ln sum mass e^(theta loss) and its first two derivatives, to about 1e-12. */
typedef struct tacit_cumulant {
  double value, mean, variance;
} tacit_cumulant;
tacit_cumulant tacit_measure_cumulant(const tacit_measure *m, double theta);

/* Only the losses that have mass, for many cumulants of one measure. Free with tacit_points_free. */
typedef struct tacit_points {
  size_t count;
  double *loss, *mass; /* owned */
} tacit_points;
tacit_status tacit_points_of(const tacit_measure *m, tacit_points *points, tacit_error *error) TACIT_CHECKED;
void tacit_points_free(tacit_points *points);
tacit_cumulant tacit_points_cumulant(const tacit_points *points, double theta);

#endif
