/* Rows of which some columns are levels. A row has one level of each category: so it is no longer than the
   root of the number of features, frequencies are positive and sum to less than one, and the covariance
   inside a category follows from them. Only what is between features comes from the moment, as far as its
   noise lets it be believed. */
#include "base/base.h"
#include "learn/location_scale.h"
#include "method/newton_plan.h"
#include "num/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RAREST = 0.02;        /* of a level, in parts of 1 / (levels) */
static const double CROSS = 0.15;         /* correlations between features are about this large */
static const double VARIANCE_FLOOR = 0.2; /* of a number's variance, in sizes of the moment's noise */
static const double CURVE = 0.16;         /* of a normal residual at the median, squared */
static const double FARTHER = 0.95;       /* of targets; two spreads, were they normal */

/* How far some rows' targets lie: the start, and the steps after it, must reach them. */
tacit_status tacit_scaled_far(tacit_newton *newton, tacit_error *error) {
  const tacit_mechanism *planned = tacit_plan_next(&newton->task->plan, newton->target);
  if (newton->recipe.share.far == 0) return TACIT_OK;
  if (!planned) return tacit_gate_astray(error);
  double noise = ldexp(planned->sigma, -planned->bits) / newton->n;
  double top = log2(2 * newton->range), low = fmin(top, log2(newton->y_spread)), log_far;
  const tacit_bisection far = {.level = fmax(TACIT_INSIDE, FARTHER - 2 * noise),
                               .lo = low,
                               .hi = top,
                               .octaves = true,
                               .halvings = TACIT_FAR_COUNTS};
  tacit_question question = {
      .kind = TACIT_QUESTION_COUNT,
      .units = tacit_newton_part(newton, TACIT_UNIT_TARGET),
      .count = {.value = TACIT_VALUE_DISTANCE, .target = newton->column, .centre = newton->a}};
  TACIT_TRY(tacit_private_quantile(newton->task, newton->target, &question, &far, &log_far, error));
  newton->s = newton->y_far = fmax(newton->y_spread, exp2(log_far) / 2);
  newton->Va = newton->y_far * newton->y_far;
  return TACIT_OK;
}

/* Frequencies go to equal ones where noise rules. */
static void believe_levels(tacit_newton *newton, double noise) {
  for (size_t f = 0; f < newton->schema->feature_count; f++) {
    const tacit_feature *feature = &newton->schema->features[f];
    size_t first = feature->first - 1, last = first + feature->width;
    double p = 1 / (double)(feature->width + 1), keep = p * p / (p * p + noise * noise), sum = 0;
    if (!tacit_is_level(newton, feature)) continue;
    for (size_t j = first; j < last; j++)
      sum += newton->mean[j] = fmax(RAREST * p, fmin(1, p + keep * (newton->mean[j] - p)));
    for (size_t j = first; j < last; j++) newton->mean[j] *= fmin(1, (1 - RAREST * p) / sum);
  }
}

/* Whether two columns are of one category. */
static void find_categories(const tacit_newton *newton, size_t *category) {
  for (size_t j = 0; j < newton->d; j++) category[j] = SIZE_MAX;
  for (size_t f = 0; f < newton->schema->feature_count; f++) {
    const tacit_feature *feature = &newton->schema->features[f];
    for (size_t j = 0; tacit_is_level(newton, feature) && j < feature->width; j++)
      category[feature->first - 1 + j] = f;
  }
}

static double believed(double entry, double limit, double noise) {
  double prior = CROSS * limit * CROSS * limit;
  return fmax(-limit, fmin(limit, entry)) * prior / (prior + noise * noise / 2);
}

static tacit_status set_covariance(tacit_scaled *scaled, tacit_error *error) {
  const tacit_newton *newton = &scaled->newton;
  size_t d = newton->d, category[TACIT_COLUMNS_MAX];
  double noise = scaled->moment_noise, floor = VARIANCE_FLOOR * noise * sqrt((double)d), *S = scaled->S;
  const double *m = newton->mean;
  find_categories(newton, category);
  for (size_t j = 0; j < d; j++)
    S[j * d + j] =
        category[j] == SIZE_MAX ? fmax(tacit_newton_entry(newton, j, j), floor) : m[j] * (1 - m[j]);
  for (size_t j = 0; j < d; j++)
    for (size_t k = j + 1; k < d; k++) {
      bool same = category[j] != SIZE_MAX && category[j] == category[k];
      double limit = sqrt(S[j * d + j] * S[k * d + k]);
      S[j * d + k] = S[k * d + j] =
          same ? -m[j] * m[k] : believed(tacit_newton_entry(newton, j, k), limit, noise);
    }
  memcpy(scaled->S0, S, d * d * sizeof *S);
  return tacit_scaled_definite(d, S, tacit_threads(newton->task->context)) ? TACIT_OK
                                                                           : tacit_no_memory(error);
}

/* The least that column k of E may be divided by, squared. */
static double least_size(const tacit_newton *newton, size_t k) {
  double most = 0;
  for (size_t f = 0; f < newton->schema->feature_count; f++) {
    const tacit_feature *feature = &newton->schema->features[f];
    for (size_t j = 0; tacit_is_level(newton, feature) && j < feature->width; j++)
      most = fmax(most, fabs(newton->W[(feature->first - 1 + j) * newton->d + k]));
  }
  return most * most / (TACIT_LEVEL_REACH * TACIT_LEVEL_REACH);
}

/* W = E (ev + worth)^(-1/2): directions whose curvature is worth less than the noise of their steps stay
   short. */
static tacit_status find_directions(tacit_scaled *scaled, double worth, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  size_t d = newton->d;
  for (size_t i = 0; i < d * d; i++) newton->W[i] = scaled->S[i];
  if (!tacit_eigen_by(d, newton->W, scaled->size, tacit_threads(newton->task->context)))
    return tacit_fail(error, TACIT_INTERNAL, "the eigenvalues of a moment could not be found");
  for (size_t k = 0; k < d; k++) {
    double ev = fmax(scaled->size[k], 1e-12);
    scaled->apart[k] = scaled->size[k] = fmax(ev + worth, least_size(newton, k));
    newton->gamma[k] = ev / scaled->size[k];
    for (size_t j = 0; j < d; j++) newton->W[j * d + k] /= sqrt(scaled->size[k]);
  }
  return TACIT_OK;
}

/* The inverse of W as rows are made with it, of directions. */
static void turn_back(tacit_scaled *scaled) {
  size_t d = scaled->newton.d;
  for (size_t j = 0; j < d; j++)
    for (size_t k = 0; k < d; k++) scaled->back[j * d + k] = scaled->newton.W[j * d + k] * scaled->size[k];
}

tacit_status tacit_scaled_whiten(tacit_scaled *scaled, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  double reach = 0, strength = tacit_newton_mu(&newton->task->facts, &newton->task->choice) * newton->n;
  double worth = (double)newton->d / (CURVE * strength * strength * newton->recipe.share.median);
  bool triangle = tacit_scaled_triangle(scaled, worth);
  if (!triangle) TACIT_TRY(find_directions(scaled, worth, error));
  for (size_t k = 0; k < newton->d; k++) reach += newton->gamma[k];
  reach = fmax(TACIT_LEAST_REACH, sqrt(reach));
  newton->recipe.score_clip = newton->recipe.clip_part * reach;
  newton->recipe.clip_gain = tacit_clip_gain(fmax(1, reach * reach), newton->recipe.score_clip);
  newton->task->choice.clip[newton->place] = newton->recipe.score_clip;
  TACIT_TRY(tacit_task_plan_on(newton->task, error));
  TACIT_TRY(tacit_newton_seal(newton, error));
  if (!triangle) turn_back(scaled);
  return TACIT_OK;
}

tacit_status tacit_scaled_rows(tacit_scaled *scaled, tacit_target_part *targets, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  double noise;
  if (newton->recipe.open) return tacit_scaled_public_rows(scaled, error);
  newton->target = tacit_newton_of_rows(&newton->task->facts);
  TACIT_TRY(tacit_newton_mean(newton, &noise, error));
  tacit_scaled_mark_rare(scaled, noise);
  believe_levels(newton, noise);
  TACIT_TRY(tacit_newton_radius(newton, error));
  for (size_t t = 0; t < newton->recipe.targets; t++)
    targets[t].factor = newton->radius / sqrt((double)newton->recipe.targets);
  TACIT_TRY(tacit_newton_moment(newton, targets, &scaled->moment_noise, error));
  TACIT_TRY(set_covariance(scaled, error));
  return tacit_scaled_whiten(scaled, error);
}
