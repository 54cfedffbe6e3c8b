/* How the cost of a rule curves at the quantile, without a release: n f E~[(1, zeta, t)(1, zeta, t)'], where
   t = weight (s / h - 1) and E~ weighs rows by 1 / s. Steps go along its eigenvectors, with the location
   taken out of them. */
#include "base/base.h"
#include "learn/location_scale.h"
#include "method/newton_plan.h"
#include "num/linalg.h"
#include "num/normal.h"
#include "num/product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Slopes at the quantile may differ from the median's by this part of z_tau spreads, and the number of
   spreads by that. */
static const double HETERO = 0.4, TIMES = 0.7;
static const double ROOM = 0.05; /* of the variance of s / h, at least */

bool tacit_curvature_open(tacit_curvature *curvature, size_t size) {
  *curvature =
      (tacit_curvature){.size = size, .direction = tacit_alloc(size * size + 3 * size, sizeof(double))};
  if (!curvature->direction) return false;
  curvature->curve = curvature->direction + size * size;
  curvature->length = curvature->curve + size;
  curvature->centre = curvature->length + size;
  return true;
}

void tacit_curvature_close(tacit_curvature *curvature) {
  free(curvature->direction);
}

static double held(const tacit_scaled *scaled, double log_spread) {
  return exp(fmax(scaled->least, fmin(scaled->most, log_spread)));
}

/* Slopes of log s in the rows' own columns; beyond what a spread can span they would only overflow. */
void tacit_scaled_slopes(const tacit_scaled *scaled, double factor, double *beta) {
  const tacit_newton *newton = &scaled->newton;
  double most = scaled->most - scaled->least;
  for (size_t j = 0; j < newton->d; j++) {
    double sum = 0;
    for (size_t k = 0; k < newton->d; k++) sum += newton->W[j * newton->d + k] * scaled->xg[k];
    beta[j] = factor * fmax(-most, fmin(most, sum));
  }
}

tacit_status tacit_scaled_tilted(const tacit_scaled *scaled, tacit_tilted *tilted, tacit_error *error) {
  double *beta = tacit_alloc(scaled->newton.d, sizeof *beta);
  if (!beta) return tacit_no_memory(error);
  tacit_scaled_slopes(scaled, -1, beta);
  double minus = tacit_scaled_tilt(scaled, beta, NULL, NULL);
  tacit_scaled_slopes(scaled, 1, beta);
  double plus = tacit_scaled_tilt(scaled, beta, NULL, NULL);
  tacit_scaled_slopes(scaled, 2, beta);
  double twice = tacit_scaled_tilt(scaled, beta, NULL, NULL);
  free(beta);
  tilted->h = held(scaled, scaled->ag - minus);
  tilted->average = held(scaled, scaled->ag + plus);
  tilted->typical = sqrt(tilted->average * tilted->h);
  tilted->full = tilted->average * exp(fmax(0, fmin(2, twice - 2 * plus)));
  tilted->variance = expm1(fmax(0, fmin(minus + plus, 3))) + ROOM;
  double own = exp(fmin(twice + 2 * minus, 8)) - 2 * exp(fmin(plus + minus, 4)) + 1;
  tilted->weight = 1 / sqrt(fmax(own, tilted->variance));
  return TACIT_OK;
}

/* The covariance of (x, s / h) weighed by 1 / s, and the weighed mean of zeta. */
static tacit_status covariance(const tacit_scaled *scaled, const tacit_tilted *tilted, double *beta,
                               double *C, double *centre, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  size_t d = newton->d, size = d + 1;
  double *mean = tacit_alloc(d + d * d, sizeof *mean), *S = mean + d;
  if (!mean) return tacit_no_memory(error);
  tacit_scaled_slopes(scaled, -1, beta);
  (void)tacit_scaled_tilt(scaled, beta, mean, S);
  for (size_t j = 0; j < d; j++) {
    memcpy(C + j * size, S + j * d, d * sizeof *C);
    C[j * size + d] = C[d * size + j] = newton->mean[j] - mean[j];
    for (size_t k = 0; k < d; k++) centre[k] += newton->W[j * d + k] * (mean[j] - newton->mean[j]);
  }
  C[d * size + d] = tilted->variance;
  free(mean);
  return tacit_scaled_definite(size, C, tacit_threads(newton->task->context)) ? TACIT_OK
                                                                              : tacit_no_memory(error);
}

/* T' C T in whitened rows, T = diag(W, weight); room: size x size twice. False without memory. */
static bool whiten(const tacit_newton *newton, double weight, const double *C, double *room, double *out) {
  size_t d = newton->d, size = d + 1;
  double *half = room, *turned = room + size * size;
  int threads = tacit_threads(newton->task->context);
  const tacit_matrix whole = {half, size, size, size}, W = {newton->W, d, d, d};
  for (size_t l = 0; l < d; l++)
    for (size_t j = 0; j < d; j++) turned[j * d + l] = newton->W[l * d + j];
  bool done = tacit_product(&(tacit_matrix){(double *)C, size, d, size}, &W, &whole, threads);
  for (size_t j = 0; j < size; j++) half[j * size + d] = C[j * size + d] * weight;
  done = done && tacit_product(&(tacit_matrix){turned, d, d, d}, &(tacit_matrix){half, d, size, size},
                               &(tacit_matrix){out, d, size, size}, threads);
  for (size_t k = 0; k < size; k++) out[d * size + k] = weight * half[d * size + k];
  for (size_t j = 0; j < size; j++)
    for (size_t k = j + 1; k < size; k++) out[k * size + j] = out[j * size + k];
  return done;
}

/* Directions as long as makes their curvature 1, but for those that are worth less than their steps' noise.
 */
static void scale(const tacit_scaled *scaled, double f_of_h, tacit_curvature *c) {
  const tacit_newton *newton = &scaled->newton;
  double noise = fmax(newton->tau, 1 - newton->tau) /
                 (tacit_newton_mu(&newton->task->facts, &newton->task->choice) * newton->n * f_of_h);
  double worth = (double)c->size * noise * noise / newton->recipe.share.quantile;
  for (size_t k = 0; k < c->size; k++) {
    double value = fmax(c->curve[k], 1e-12);
    c->length[k] = sqrt(value + worth);
    c->curve[k] = value / (value + worth);
    for (size_t j = 0; j < c->size; j++) c->direction[j * c->size + k] /= c->length[k];
  }
}

/* A level's own spread; for numbers the typical one. */
static void own_spreads(const tacit_scaled *scaled, double typical, const double *beta, double *own) {
  const tacit_newton *newton = &scaled->newton;
  for (size_t j = 0; j < newton->d; j++) own[j] = typical;
  for (size_t f = 0; f < newton->schema->feature_count; f++) {
    const tacit_feature *feature = &newton->schema->features[f];
    size_t first = feature->first - 1, last = first + feature->width;
    double shift = 0;
    if (!tacit_is_level(newton, feature)) continue;
    for (size_t j = first; j < last; j++) shift += beta[j] * newton->mean[j];
    for (size_t j = first; j < last; j++) own[j] = held(scaled, scaled->ag + beta[j] - shift);
  }
}

/* What is unknown of the slopes along each direction: how far they may be from the median's, and what is
   unknown of those. A slope of whitened rows is the inverse of W times one of the rows; room: size x size.
   False without memory. */
static bool prior(const tacit_scaled *scaled, const tacit_tilted *tilted, const tacit_curvature *c,
                  const double *own, double *room, double *V) {
  const tacit_newton *newton = &scaled->newton;
  size_t d = newton->d, size = c->size;
  double z = fabs(tacit_normal_quantile(newton->tau)) / TACIT_MAD, *parts = room;
  if (!tacit_product(&(tacit_matrix){scaled->back, d, d, d}, &(tacit_matrix){c->direction, d, size, size},
                     &(tacit_matrix){parts, d, size, size}, tacit_threads(newton->task->context)))
    return false;
  memset(V, 0, size * sizeof *V);
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < size; k++) {
      double back = c->length[k] * c->length[k]; /* from a direction to its inverse */
      double way = parts[j * size + k];
      V[k] += HETERO * z * own[j] * way * back * HETERO * z * own[j] * way * back;
    }
  tacit_newton_cap(V, c->curve, size, HETERO * z * tilted->typical * HETERO * z * tilted->typical);
  for (size_t k = 0; k < size; k++) {
    double back = c->length[k] * c->length[k], last = c->direction[d * size + k] * back;
    V[k] += TIMES * z * tilted->h / tilted->weight * last * TIMES * z * tilted->h / tilted->weight * last;
    for (size_t l = 0; l < d; l++) {
      double part = c->direction[l * size + k] * back;
      V[k] += part * part * newton->V[l];
    }
  }
  return true;
}

tacit_status tacit_scaled_curvature(const tacit_scaled *scaled, const tacit_tilted *tilted, double f,
                                    tacit_curvature *curvature, double *V, tacit_error *error) {
  size_t d = scaled->newton.d, size = d + 1;
  double *room = tacit_alloc(2 * d + 3 * size * size, sizeof *room);
  if (!room) return tacit_no_memory(error);
  double *beta = room, *own = beta + d, *C = own + d, *half = C + size * size;
  int threads = tacit_threads(scaled->newton.task->context);
  tacit_status status = covariance(scaled, tilted, beta, C, curvature->centre, error);
  if (status == TACIT_OK && !whiten(&scaled->newton, tilted->weight, C, half, curvature->direction))
    status = tacit_no_memory(error);
  if (status == TACIT_OK) {
    if (!tacit_eigen_by(size, curvature->direction, curvature->curve, threads))
      status = tacit_fail(error, TACIT_INTERNAL, "the eigenvalues of a curvature could not be found");
  }
  if (status == TACIT_OK) {
    scale(scaled, f * tilted->h, curvature);
    tacit_scaled_slopes(scaled, 1, beta);
    own_spreads(scaled, tilted->typical, beta, own);
    if (!prior(scaled, tilted, curvature, own, half, V)) status = tacit_no_memory(error);
  }
  free(room);
  return status;
}
