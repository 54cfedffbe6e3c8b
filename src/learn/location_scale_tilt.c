/* Moments of rows that are weighed by exp(beta'x): from the mean and the covariance alone, as if features
   were independent. With beta = -g they are what curves the cost of a rule at a quantile: rows of small
   spread count for more. */
#include "learn/location_scale.h"

#include <math.h>
#include <string.h>

/* A level keeps at least this part of its frequency. */
static const double LEAST_PART = 0.05;

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
