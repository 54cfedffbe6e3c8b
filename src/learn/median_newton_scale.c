/* The first part of the default learner: centre and spread of the target, mean and radius of the rows. */
#include "base/base.h"
#include "learn/counts.h"
#include "learn/median_newton.h"
#include "num/clones.h"

#include <math.h>
#include <string.h>

static const double INSIDE_ONE_SPREAD = 0.683; /* of a normal distribution */
/* Bisections: the centre to 1/256 of the range, a spread to 1/32 of the logarithm of 1024, a radius likewise
 * of 64. */
enum { SPREAD_OCTAVES = 10 };
static const double RADIUS_LEVEL = 0.9;

/* A row without encoding is counted nowhere. */
static inline double unless_empty(double value, int32_t norm) {
  return norm ? value : NAN;
}

TACIT_CLONES static void target_values(const void *self, const tacit_block *block, double *restrict values) {
  const int32_t *y = block->targets + ((const tacit_newton *)self)->target * TACIT_BLOCK;
  for (size_t i = 0; i < TACIT_BLOCK; i++)
    values[i] = unless_empty(TACIT_TARGET_STEP * y[i], block->norms[i]);
}

TACIT_CLONES static void target_distances(const void *self, const tacit_block *block,
                                          double *restrict values) {
  const tacit_newton *newton = self;
  const int32_t *y = block->targets + newton->target * TACIT_BLOCK;
  double a = newton->a;
  for (size_t i = 0; i < TACIT_BLOCK; i++)
    values[i] = unless_empty(fabs(TACIT_TARGET_STEP * y[i] - a), block->norms[i]);
}

TACIT_CLONES static void row_lengths(const void *self, const tacit_block *block, double *values) {
  const tacit_newton *newton = self;
  double cell = ldexp(1, -newton->design->cell_bits);
  for (size_t i = 0; i < TACIT_BLOCK; i++) values[i] = 0;
  for (size_t j = 0; j < newton->d; j++) {
    const int32_t *x = block->cells + (j + 1) * TACIT_BLOCK;
    double mean = newton->mean[j];
    for (size_t i = 0; i < TACIT_BLOCK; i++) values[i] += (cell * x[i] - mean) * (cell * x[i] - mean);
  }
  for (size_t i = 0; i < TACIT_BLOCK; i++) values[i] = unless_empty(sqrt(values[i]), block->norms[i]);
}

static void features(const void *self, const tacit_block *block, size_t first, double *out) {
  const tacit_newton *newton = self;
  for (size_t j = 0; j < newton->d; j++)
    tacit_rows_column(block->cells + (j + 1) * TACIT_BLOCK + first, ldexp(1, -newton->design->cell_bits), 0,
                      out + j * TACIT_ROWS);
}

tacit_status tacit_newton_scale(tacit_newton *newton, tacit_error *error) {
  double share = newton->recipe.share.target, top = log2(2 * newton->range), log_spread;
  tacit_values y = {newton->design, target_values, newton, newton->threads};
  tacit_values distance = {newton->design, target_distances, newton, newton->threads};
  TACIT_TRY(tacit_private_quantile(&newton->budget, &y, newton->n, 0.5, -newton->range, newton->range, false,
                                   TACIT_CENTRE_PART * share, TACIT_CENTRE_COUNTS, &newton->a, error));
  TACIT_TRY(tacit_private_quantile(&newton->budget, &distance, newton->n, INSIDE_ONE_SPREAD,
                                   top - SPREAD_OCTAVES, top, true, (1 - TACIT_CENTRE_PART) * share,
                                   TACIT_SPREAD_COUNTS, &log_spread, error));
  newton->s = newton->y_spread = exp2(log_spread);
  newton->Va = (newton->d ? 1 : 0.25) * newton->y_spread * newton->y_spread;
  return TACIT_OK;
}

tacit_status tacit_newton_centre(tacit_newton *newton, tacit_error *error) {
  double sigma, square = 0;
  tacit_row_pass pass = {.map_rows = features,
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
  tacit_values length = {newton->design, row_lengths, newton, newton->threads};
  TACIT_TRY(tacit_private_quantile(&newton->budget, &length, newton->n, RADIUS_LEVEL,
                                   top - TACIT_RADIUS_OCTAVES, top, true, newton->recipe.share.radius,
                                   TACIT_RADIUS_COUNTS, &log_radius, error));
  newton->radius = exp2(log_radius);
  return TACIT_OK;
}
