/* Rows whose features are public: their mean, their covariance and what clipping leaves of it are exact and
   cost nothing (proofs/public-features.md). What targets say is asked by scores and counts alone. */
#include "base/base.h"
#include "learn/location_scale.h"
#include "learn/public_rows.h"
#include "method/newton_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RAREST = 1e-4; /* a frequency is at least this */
/* The start's scores are of a target that is cut at so many spreads; the prior of a slope is one spread of y
   per encoded unit. */
static const double CUT = 2, SLOPE_PRIOR = 1;

static tacit_status find_rows(tacit_scaled *scaled, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  TACIT_TRY(tacit_public_mean(newton->task, newton->mean, error));
  for (size_t f = 0; f < newton->schema->feature_count; f++) {
    const tacit_feature *feature = &newton->schema->features[f];
    for (size_t j = feature->first - 1; j < feature->first - 1 + feature->width; j++)
      if (tacit_is_level(newton, feature)) newton->mean[j] = fmax(RAREST, fmin(1 - RAREST, newton->mean[j]));
  }
  TACIT_TRY(tacit_public_covariance(newton->task, newton->mean, scaled->S, error));
  memcpy(scaled->S0, scaled->S, newton->d * newton->d * sizeof *scaled->S);
  return TACIT_OK;
}

tacit_status tacit_scaled_public_rows(tacit_scaled *scaled, tacit_error *error) {
  tacit_newton *newton = &scaled->newton;
  TACIT_TRY(find_rows(scaled, error));
  TACIT_TRY(tacit_scaled_whiten(scaled, error));
  newton->recipe.clip_gain = 1;
  return tacit_public_clipped(newton->task, &newton->white, newton->recipe.score_clip, newton->shortened,
                              newton->gamma, error);
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
