/* Moments of rows that are weighed by exp(beta'x): from the mean and the covariance alone, as if features
   were independent. With beta = -g they are what curves the cost of a rule at a quantile: rows of small
   spread count for more. */
#include "learn/location_scale.h"

#include "base/base.h"
#include "num/linalg.h"
#include "num/product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A level keeps at least this part of its frequency. */
static const double LEAST_PART = 0.05;
/* The least eigenvalue of correlations. */
static const double CORRELATION_FLOOR = 0.2;

bool tacit_is_level(const tacit_newton *newton, const tacit_feature *feature) {
  return feature->kind == TACIT_FEATURE_CATEGORY && !newton->recipe.known;
}

/* A category's frequencies p become p exp(beta) over their sum. */
static double tilt_levels(const tacit_newton *newton, const tacit_feature *feature, const double *beta,
                          double *mean) {
  size_t first = feature->first - 1, last = first + feature->width;
  double base = 1, total, shift = 0, kept = 0;
  for (size_t j = first; j < last; j++) base -= newton->mean[j], shift += beta[j] * newton->mean[j];
  base = total = fmax(1e-9, base);
  for (size_t j = first; j < last; j++) total += newton->mean[j] * exp(beta[j]);
  kept = fmax(base / total, LEAST_PART * base);
  for (size_t j = first; j < last; j++)
    kept += fmax(newton->mean[j] * exp(beta[j]) / total, LEAST_PART * newton->mean[j]);
  for (size_t j = first; mean && j < last; j++)
    mean[j] = fmax(newton->mean[j] * exp(beta[j]) / total, LEAST_PART * newton->mean[j]) / kept;
  return log(total) - shift;
}

/* Columns of numbers are taken to be normal: their mean moves by S beta, over those columns. */
static double tilt_numbers(const tacit_scaled *scaled, const bool *number, const double *beta, double *mean) {
  size_t d = scaled->newton.d;
  double half = 0;
  for (size_t j = 0; j < d; j++) {
    if (!number[j]) continue;
    double moved = 0;
    for (size_t k = 0; k < d; k++) moved += number[k] ? scaled->S[j * d + k] * beta[k] : 0;
    if (mean) mean[j] = scaled->newton.mean[j] + moved;
    half += beta[j] * moved / 2;
  }
  return half;
}

/* Correlations are kept, but for those within a category, which its frequencies give. */
static void tilt_covariance(const tacit_scaled *scaled, const double *mean, double *S) {
  const tacit_newton *newton = &scaled->newton;
  size_t d = newton->d;
  memcpy(S, scaled->S, d * d * sizeof *S);
  for (size_t f = 0; f < newton->schema->feature_count; f++) {
    const tacit_feature *feature = &newton->schema->features[f];
    size_t first = feature->first - 1, last = first + feature->width;
    if (!tacit_is_level(newton, feature)) continue;
    for (size_t j = first; j < last; j++) {
      double ratio = sqrt(fmax(mean[j] * (1 - mean[j]), 1e-12) / scaled->S[j * d + j]);
      for (size_t k = 0; k < d; k++) S[j * d + k] *= ratio, S[k * d + j] *= ratio;
    }
    for (size_t j = first; j < last; j++)
      for (size_t k = first; k < last; k++) S[j * d + k] = (j == k ? mean[j] : 0) - mean[j] * mean[k];
  }
}

double tacit_scaled_tilt(const tacit_scaled *scaled, const double *beta, double *mean, double *S) {
  const tacit_newton *newton = &scaled->newton;
  bool number[TACIT_COLUMNS_MAX];
  double factor = 0;
  for (size_t j = 0; j < newton->d; j++) number[j] = true;
  for (size_t f = 0; f < newton->schema->feature_count; f++) {
    const tacit_feature *feature = &newton->schema->features[f];
    if (!tacit_is_level(newton, feature)) continue;
    for (size_t j = feature->first - 1; j < feature->first - 1 + feature->width; j++) number[j] = false;
    factor += tilt_levels(newton, feature, beta, mean);
  }
  factor += tilt_numbers(scaled, number, beta, mean);
  if (S) tilt_covariance(scaled, mean, S);
  return factor;
}

/* S = E' diag(ev, not below the floor) E times the sizes on both sides, E by rows. */
static bool put_together(size_t d, const double *E, const double *ev, const double *size, double *S,
                         int threads) {
  double *room = tacit_alloc(3 * d * d, sizeof *room), *left = room, *right = left + d * d,
         *all = right + d * d;
  if (!room) return false;
  for (size_t j = 0; j < d; j++)
    for (size_t l = 0; l < d; l++) {
      left[j * d + l] = E[j * d + l] * fmax(ev[l], CORRELATION_FLOOR);
      right[l * d + j] = E[j * d + l];
    }
  bool done = tacit_product(&(tacit_matrix){left, d, d, d}, &(tacit_matrix){right, d, d, d},
                            &(tacit_matrix){all, d, d, d}, threads);
  for (size_t j = 0; done && j < d; j++)
    for (size_t k = j; k < d; k++) S[j * d + k] = S[k * d + j] = all[j * d + k] * size[j] * size[k];
  free(room);
  return done;
}

static void correlate(size_t d, const double *S, const double *size, double *E) {
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < d; k++) E[j * d + k] = S[j * d + k] / (size[j] * size[k]);
}

/* Whether no eigenvalue of the correlations is below the floor: what is left of them above it has a triangle.
   Much faster than looking at them, and worth it where there are many. */
static bool is_definite(size_t d, double *E) {
  enum { MANY = 256 };
  for (size_t j = 0; d >= MANY && j < d; j++) E[j * d + j] -= CORRELATION_FLOOR;
  return d >= MANY && tacit_cholesky(d, E, d);
}

bool tacit_scaled_definite(size_t d, double *S, int threads) {
  double *size = tacit_alloc(2 * d, sizeof *size), *E = tacit_alloc(d * d, sizeof *E), *ev = size + d;
  bool right = size && E, already = false;
  for (size_t j = 0; right && j < d; j++) size[j] = sqrt(S[j * d + j]);
  if (right) {
    correlate(d, S, size, E);
    already = is_definite(d, E);
  }
  if (right && !already) {
    correlate(d, S, size, E);
    right = tacit_eigen_by(d, E, ev, threads) && put_together(d, E, ev, size, S, threads);
  }
  free(size);
  free(E);
  return right;
}
