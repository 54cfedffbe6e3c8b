/* The first part of the default learner: centre and spread of the target, mean and radius of the rows. */
#include "base/base.h"
#include "learn/counts.h"
#include "learn/median_newton.h"

#include <math.h>

static const double INSIDE_ONE_SPREAD = 0.683; /* of a normal distribution */
/* Bisections: the centre to 1/256 of the range, a spread to 1/32 of the logarithm of 1024, a radius likewise
 * of 64. */
enum { SPREAD_OCTAVES = 10 };
static const double CENTRE_PART = 0.6;
static const double RADIUS_LEVEL = 0.9;

static void target_value(const void *self, const double *x, const double *y, double *out) {
  (void)x;
  *out = y[((const tacit_newton *)self)->target];
}

static void target_distance(const void *self, const double *x, const double *y, double *out) {
  (void)x;
  const tacit_newton *newton = self;
  *out = log2(fmax(fabs(y[newton->target] - newton->a), 1e-9 * newton->range));
}

static void row_length(const void *self, const double *x, const double *y, double *out) {
  (void)y;
  const tacit_newton *newton = self;
  double square = 0;
  for (size_t j = 0; j < newton->d; j++)
    square += (x[j + 1] - newton->mean[j]) * (x[j + 1] - newton->mean[j]);
  *out = log2(sqrt(square) + 1e-12);
}

static void features(const void *self, const double *x, const double *y, double *out) {
  (void)y;
  for (size_t j = 0; j < ((const tacit_newton *)self)->d; j++) out[j] = x[j + 1];
}

/* The quantile of a number made from each row, by bisection of [lo, hi]. */
static tacit_status find(tacit_newton *newton, tacit_row_map map, double level, double lo, double hi,
                         double share, int halvings, double *quantile, tacit_error *error) {
  TACIT_TRY(tacit_row_values(newton->design, map, newton, newton->threads, newton->values, error));
  return tacit_private_quantile(&newton->budget, newton->values, newton->design->rows, newton->n, level, lo,
                                hi, share, halvings, quantile, error);
}

tacit_status tacit_newton_scale(tacit_newton *newton, tacit_error *error) {
  double share = newton->recipe.share.target, top = log2(2 * newton->range), log_spread;
  TACIT_TRY(find(newton, target_value, 0.5, -newton->range, newton->range, CENTRE_PART * share,
                 TACIT_CENTRE_COUNTS, &newton->a, error));
  TACIT_TRY(find(newton, target_distance, INSIDE_ONE_SPREAD, top - SPREAD_OCTAVES, top,
                 (1 - CENTRE_PART) * share, TACIT_SPREAD_COUNTS, &log_spread, error));
  newton->s = newton->y_spread = exp2(log_spread);
  newton->Va = (newton->d ? 1 : 0.25) * newton->y_spread * newton->y_spread;
  return TACIT_OK;
}

tacit_status tacit_newton_centre(tacit_newton *newton, tacit_error *error) {
  double sigma, square = 0;
  tacit_row_pass pass = {.map = features,
                         .self = newton,
                         .width = newton->d,
                         .clip = newton->recipe.mean_clip,
                         .bits = TACIT_MEAN_BITS};
  TACIT_TRY(tacit_budget_row_sum(&newton->budget, newton->design, &pass, newton->threads,
                                 newton->recipe.share.mean, newton->mean, &sigma, error));
  for (size_t j = 0; j < newton->d; j++) square += newton->mean[j] * newton->mean[j];
  /* A known centre is good unless the rows clearly say otherwise: twice the noise is taken off. */
  double keep = newton->recipe.known ? fmax(0, 1 - 2 * (double)newton->d * sigma * sigma / square) : 1;
  for (size_t j = 0; j < newton->d; j++) {
    newton->mean[j] *= keep / newton->n;
    if (!newton->recipe.known) newton->mean[j] = fmax(-1, fmin(1, newton->mean[j]));
  }
  newton->radius = newton->recipe.moment_clip;
  if (newton->recipe.known) return TACIT_OK;
  double top = log2(newton->recipe.largest_clip), log_radius;
  TACIT_TRY(find(newton, row_length, RADIUS_LEVEL, top - TACIT_RADIUS_OCTAVES, top,
                 newton->recipe.share.radius, TACIT_RADIUS_COUNTS, &log_radius, error));
  newton->radius = exp2(log_radius);
  return TACIT_OK;
}
