/* The first part of both Newton learners: centre and spread of the target, mean and radius of the rows. */
#include "base/base.h"
#include "learn/median_newton.h"
#include "method/newton_plan.h"

#include <math.h>
#include <string.h>

/* Bisections: the centre to 1/256 of the range, a spread to 1/32 of the logarithm of 1024, a radius likewise
 * of 64. */
enum { SPREAD_OCTAVES = 10 };
static const double RADIUS_LEVEL = 0.9;

tacit_status tacit_newton_scale(tacit_newton *newton, tacit_error *error) {
  double top = log2(2 * newton->range), log_spread;
  const tacit_bisection centre = {
      .level = 0.5, .lo = -newton->range, .hi = newton->range, .halvings = TACIT_CENTRE_COUNTS};
  const tacit_bisection spread = {.level = TACIT_INSIDE,
                                  .lo = top - SPREAD_OCTAVES,
                                  .hi = top,
                                  .octaves = true,
                                  .halvings = TACIT_SPREAD_COUNTS};
  tacit_question question = {.kind = TACIT_QUESTION_COUNT,
                             .units = tacit_newton_part(newton, TACIT_UNIT_TARGET),
                             .count = {.value = TACIT_VALUE_TARGET, .target = newton->column}};
  TACIT_TRY(tacit_private_quantile(newton->task, newton->target, &question, &centre, &newton->a, error));
  question.count.value = TACIT_VALUE_DISTANCE;
  question.count.centre = newton->a;
  TACIT_TRY(tacit_private_quantile(newton->task, newton->target, &question, &spread, &log_spread, error));
  newton->s = newton->y_spread = newton->y_far = exp2(log_spread);
  newton->Va = (newton->d ? 1 : 0.25) * newton->y_spread * newton->y_spread;
  return TACIT_OK;
}

tacit_status tacit_newton_centre(tacit_newton *newton, tacit_error *error) {
  double sigma;
  TACIT_TRY(tacit_newton_mean(newton, &sigma, error));
  return tacit_newton_radius(newton, error);
}

/* Where a unit's rows are added first they are taken less what is expected of them: each level as often as
   the others. */
static void expect(tacit_newton *newton) {
  memset(newton->mean, 0, newton->d * sizeof *newton->mean);
  for (size_t f = 0; f < newton->schema->feature_count; f++) {
    const tacit_feature *feature = &newton->schema->features[f];
    for (size_t j = 0; feature->kind == TACIT_FEATURE_CATEGORY && j < feature->width; j++)
      newton->mean[feature->first - 1 + j] = 1 / (double)(feature->width + 1);
  }
}

tacit_status tacit_newton_mean(tacit_newton *newton, double *noise, tacit_error *error) {
  double sigma, square = 0, *expected = newton->step; /* there are no steps yet */
  if (newton->recipe.units && !newton->recipe.known) expect(newton);
  memcpy(expected, newton->mean, newton->d * sizeof *expected);
  const tacit_question features = {.kind = TACIT_QUESTION_ROWS,
                                   .units = tacit_newton_part(newton, TACIT_UNIT_ROWS),
                                   .rows = {.first = 1,
                                            .columns = newton->d,
                                            .stretch = 1,
                                            .shift = newton->recipe.units ? expected : NULL,
                                            .clip = newton->recipe.mean_clip,
                                            .bits = TACIT_MEAN_BITS}};
  TACIT_TRY(tacit_private_rows(newton->task, newton->target, &features, newton->mean, &sigma, error));
  for (size_t j = 0; j < newton->d; j++) square += newton->mean[j] * newton->mean[j];
  /* A known centre is good unless the rows clearly say otherwise: twice the noise is taken off. */
  double keep = newton->recipe.known ? fmax(0, 1 - 2 * (double)newton->d * sigma * sigma / square) : 1;
  for (size_t j = 0; j < newton->d; j++) {
    newton->mean[j] = expected[j] + newton->mean[j] * (keep / newton->n);
    if (!newton->recipe.known) newton->mean[j] = fmax(-1, fmin(1, newton->mean[j]));
  }
  *noise = sigma / newton->n;
  return TACIT_OK;
}

tacit_status tacit_newton_radius(tacit_newton *newton, tacit_error *error) {
  newton->radius = newton->recipe.moment_clip;
  if (newton->recipe.known) return TACIT_OK;
  double top = log2(newton->recipe.largest_clip), log_radius;
  const tacit_bisection radius = {.level = RADIUS_LEVEL,
                                  .lo = top - TACIT_RADIUS_OCTAVES,
                                  .hi = top,
                                  .octaves = true,
                                  .halvings = TACIT_RADIUS_COUNTS};
  tacit_question length = {.kind = TACIT_QUESTION_COUNT,
                           .units = tacit_newton_part(newton, TACIT_UNIT_TARGET),
                           .count = {.value = TACIT_VALUE_LENGTH, .vector = newton->mean}};
  TACIT_TRY(tacit_private_quantile(newton->task, newton->target, &length, &radius, &log_radius, error));
  newton->radius = newton->task->choice.radius[newton->place] = exp2(log_radius);
  return tacit_task_plan_on(newton->task, error);
}
