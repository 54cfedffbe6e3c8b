/* Mean, covariance and clipped moments of rows whose features are public. */
#include "learn/public_rows.h"

#include "base/base.h"
#include "method/newton_plan.h"

#include <math.h>
#include <stdlib.h>

static const double LEAST_VARIANCE = 1e-6;

/* No row is longer than this, centred or not. */
static double longest(const tacit_schema *schema) {
  double square = 0;
  for (size_t f = 0; f < schema->feature_count; f++) {
    double limit = tacit_feature_limit(&schema->features[f]);
    square += (double)schema->features[f].width * limit * limit;
  }
  return 2 * sqrt(square);
}

tacit_status tacit_public_mean(tacit_task *task, double *mean, tacit_error *error) {
  size_t d = task->schema->columns - 1;
  const tacit_question rows = {
      .kind = TACIT_QUESTION_ROWS,
      .rows = {
          .first = 1, .columns = d, .stretch = 1, .clip = longest(task->schema), .bits = TACIT_MEAN_BITS}};
  TACIT_TRY(tacit_public_answer(task, &rows, mean, error));
  for (size_t j = 0; j < d; j++) mean[j] = ldexp(mean[j], -TACIT_MEAN_BITS) / task->facts.rows;
  return TACIT_OK;
}

tacit_status tacit_public_covariance(tacit_task *task, const double *mean, double *S, tacit_error *error) {
  size_t d = task->schema->columns - 1, at = 0;
  double clip = longest(task->schema), *triangle = tacit_alloc(d * (d + 1) / 2, sizeof *triangle);
  if (!triangle) return tacit_no_memory(error);
  int bits = tacit_moment_bits(TACIT_MOMENT_REACH, clip);
  const tacit_question moment = {
      .kind = TACIT_QUESTION_ROWS,
      .rows = {
          .first = 1, .columns = d, .stretch = 1, .shift = mean, .clip = clip, .bits = bits, .moment = true}};
  tacit_status status = tacit_public_answer(task, &moment, triangle, error);
  for (size_t j = 0; status == TACIT_OK && j < d; j++)
    for (size_t k = j; k < d; k++)
      S[j * d + k] = S[k * d + j] = ldexp(triangle[at++], -2 * bits) / task->facts.rows;
  for (size_t j = 0; status == TACIT_OK && j < d; j++) S[j * d + j] = fmax(S[j * d + j], LEAST_VARIANCE);
  free(triangle);
  return status;
}

tacit_status tacit_public_clipped(tacit_task *task, const tacit_row_image *image, double clip, double *sum,
                                  double *curve, tacit_error *error) {
  size_t d = image->columns, at = d;
  double *sums = tacit_alloc(d + d * (d + 1) / 2, sizeof *sums);
  if (!sums) return tacit_no_memory(error);
  const tacit_question clipped = {
      .kind = TACIT_QUESTION_FEATURES, .image = image, .features = {.clip = clip}};
  tacit_status status = tacit_public_answer(task, &clipped, sums, error);
  for (size_t k = 0; status == TACIT_OK && k < d; at += d - k++) {
    sum[k] = ldexp(sums[k], -TACIT_FEATURE_BITS - image->cell_bits);
    double moment = ldexp(sums[at], -TACIT_PRODUCT_BITS - 2 * image->cell_bits) / task->facts.rows;
    curve[k] = fmax(1e-6, fmin(1, moment));
  }
  free(sums);
  return status;
}
