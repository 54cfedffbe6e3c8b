/* Rows whose features are public: their mean, their covariance and what clipping leaves of it are exact and
   cost nothing (proofs/public-features.md). What targets say is asked by scores and counts alone. */
#include "base/base.h"
#include "learn/location_scale.h"
#include "method/newton_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A frequency is at least this, and no column's variance is 0. */
static const double RAREST = 1e-4, LEAST_VARIANCE = 1e-6;
/* The start's scores are of a target that is cut at so many spreads; the prior of a slope is one spread of y
   per encoded unit. */
static const double CUT = 2, SLOPE_PRIOR = 1;

/* No row is longer than this, centred or not. */
static double longest(const tacit_newton *newton) {
  double square = 0;
  for (size_t f = 0; f < newton->schema->feature_count; f++) {
    const tacit_feature *feature = &newton->schema->features[f];
    double limit = tacit_feature_limit(feature);
    square += (double)feature->width * limit * limit;
  }
  return 2 * sqrt(square);
}

static tacit_status find_mean(tacit_newton *newton, tacit_error *error) {
  const tacit_question rows = {
      .kind = TACIT_QUESTION_ROWS,
      .rows = {
          .first = 1, .columns = newton->d, .stretch = 1, .clip = longest(newton), .bits = TACIT_MEAN_BITS}};
  TACIT_TRY(tacit_public_answer(newton->task, &rows, newton->mean, error));
  for (size_t j = 0; j < newton->d; j++)
    newton->mean[j] = ldexp(newton->mean[j], -TACIT_MEAN_BITS) / newton->n;
  for (size_t f = 0; f < newton->schema->feature_count; f++) {
    const tacit_feature *feature = &newton->schema->features[f];
    for (size_t j = feature->first - 1; j < feature->first - 1 + feature->width; j++)
      if (tacit_is_level(newton, feature)) newton->mean[j] = fmax(RAREST, fmin(1 - RAREST, newton->mean[j]));
  }
  return TACIT_OK;
}

static tacit_status find_covariance(tacit_scaled *scaled, double *triangle, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  size_t d = newton->d, at = 0;
  double clip = longest(newton);
  int bits = tacit_moment_bits(clip);
  const tacit_question moment = {.kind = TACIT_QUESTION_ROWS,
                                 .rows = {.first = 1,
                                          .columns = d,
                                          .stretch = 1,
                                          .shift = newton->mean,
                                          .clip = clip,
                                          .bits = bits,
                                          .moment = true}};
  TACIT_TRY(tacit_public_answer(newton->task, &moment, triangle, error));
  for (size_t j = 0; j < d; j++)
    for (size_t k = j; k < d; k++)
      scaled->S[j * d + k] = scaled->S[k * d + j] = ldexp(triangle[at++], -2 * bits) / newton->n;
  for (size_t j = 0; j < d; j++) scaled->S[j * d + j] = fmax(scaled->S[j * d + j], LEAST_VARIANCE);
  memcpy(scaled->S0, scaled->S, d * d * sizeof *scaled->S);
  return TACIT_OK;
}

/* What clipping leaves of the curvature in each direction, and the sum of clipped rows. */
static tacit_status find_clipped(tacit_newton *newton, double *sums, tacit_error *error) {
  size_t d = newton->d, at = d;
  const tacit_question clipped = {.kind = TACIT_QUESTION_FEATURES,
                                  .image = &newton->white,
                                  .features = {.clip = newton->recipe.score_clip}};
  TACIT_TRY(tacit_public_answer(newton->task, &clipped, sums, error));
  for (size_t k = 0; k < d; at += d - k++) {
    newton->shortened[k] = ldexp(sums[k], -TACIT_FEATURE_BITS - TACIT_WHITE_BITS);
    double curve = ldexp(sums[at], -TACIT_PRODUCT_BITS - 2 * TACIT_WHITE_BITS) / newton->n;
    newton->gamma[k] = fmax(1e-6, fmin(1, curve));
  }
  newton->recipe.clip_gain = 1;
  return TACIT_OK;
}

tacit_status tacit_scaled_public_rows(tacit_scaled *scaled, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  size_t d = newton->d;
  double *room = tacit_alloc(d + d * (d + 1) / 2, sizeof *room);
  if (!room) return tacit_no_memory(error);
  tacit_status status = find_mean(newton, error);
  if (status == TACIT_OK) status = find_covariance(scaled, room, error);
  if (status == TACIT_OK) status = tacit_scaled_whiten(scaled, error);
  if (status == TACIT_OK) status = find_clipped(newton, room, error);
  free(room);
  return status;
}

/* The sum of {clamp((a - y) / (2 cut spreads)) } w, in which a slope of 1 is 1 / (2 cut spreads). */
tacit_status tacit_scaled_public_start(tacit_scaled *scaled, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  size_t d = newton->d;
  double cut = CUT * newton->y_far, square = newton->y_far * newton->y_far, sigma;
  const tacit_mechanism *planned = tacit_plan_next(&newton->task->plan, newton->target);
  memset(newton->x, 0, d * sizeof *newton->x);
  const tacit_score_part part = {.target = newton->column,
                                 .tau = 0.5,
                                 .kernel = TACIT_KERNEL_UNIFORM,
                                 .bandwidth = cut,
                                 .coefficients = newton->x,
                                 .offset = newton->a,
                                 .clip_norm = newton->recipe.score_clip};
  const tacit_question question = {.kind = TACIT_QUESTION_SCORES,
                                   .image = &newton->white,
                                   .last_image = newton->last,
                                   .scores = {.parts = &part, .count = 1, .scores = true}};
  if (!planned || planned->level != part.tau || planned->clip != part.clip_norm)
    return tacit_gate_astray(error);
  TACIT_TRY(tacit_rows_ask(&newton->task->rows, &question, newton->sum, error));
  TACIT_TRY(tacit_release_sum(&newton->task->gate, newton->target, TACIT_RELEASE_SCORES, newton->sum,
                              newton->u, &sigma, error));
  double unit = 2 * cut / newton->n;
  for (size_t k = 0; k < d; k++) newton->V[k] = square * fmin(1, SLOPE_PRIOR * SLOPE_PRIOR * scaled->size[k]);
  tacit_newton_cap(newton->V, newton->gamma, d, square);
  for (size_t k = 0; k < d; k++)
    newton->x[k] =
        -unit * newton->u[k] *
        tacit_newton_gain(&newton->V[k], unit * unit * sigma * sigma, newton->gamma[k], TACIT_NEWTON_TRUST);
  return TACIT_OK;
}

tacit_status tacit_scaled_public_sums(const tacit_scaled *scaled, const tacit_score_part *part, double *sums,
                                      tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  size_t width = newton->d + 1;
  const tacit_question clipped = {
      .kind = TACIT_QUESTION_FEATURES,
      .image = &newton->white,
      .last_image = newton->last,
      .features = {.clip = part->clip_norm, .scaled = true, .spread = part->spread}};
  double *all = tacit_alloc(width + width * (width + 1) / 2, sizeof *all);
  tacit_status status =
      all ? tacit_public_answer(newton->task, &clipped, all, error) : tacit_no_memory(error);
  for (size_t j = 0; status == TACIT_OK && j < width; j++)
    sums[j] = ldexp(all[j], -TACIT_FEATURE_BITS - TACIT_WHITE_BITS);
  free(all);
  return status;
}
