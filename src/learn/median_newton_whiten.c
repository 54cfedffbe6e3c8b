/* The second part of median-newton: one private moment of (z, y), the whitening it gives, and least
   squares as a start for the slopes. */
#include "base/base.h"
#include "learn/median_newton.h"
#include "method/newton_plan.h"
#include "num/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The target enters the moment in its spreads, cut at two of them, which count as much as the radius of a
   row. */
static const double TARGET_CUT = 2;
/* A level's variance is taken from its mean where the moment has this many times less, and that for sure. */
static const double LEVEL_CUT = 4, LEVEL_SURE = 3;
/* The prior of a slope: one spread of y per encoded unit. */
static const double SLOPE_PRIOR = 1;

/* An upper triangle by rows; behind the d columns stand the targets. */
double tacit_newton_entry(const tacit_newton *newton, size_t j, size_t k) {
  return newton->moment[j * (newton->d + newton->recipe.targets) - j * (j + 1) / 2 + k] / newton->n;
}

/* A level is 0 or 1, so its variance follows from its mean. Where rows that have it are cut to a much smaller
   radius, as those of rare events are, the moment says far too little: such rows would outgrow the whitened
   rows' reach. */
static void know_levels(tacit_newton *newton, double sigma) {
  size_t d = newton->d;
  for (size_t f = 0; f < newton->schema->feature_count; f++) {
    const tacit_feature *feature = &newton->schema->features[f];
    for (size_t j = feature->first - 1; j < feature->first - 1 + feature->width; j++) {
      double variance = newton->mean[j] * (1 - newton->mean[j]), *said = &newton->W[j * d + j];
      bool cut = variance > LEVEL_CUT * (fmax(0, *said) + LEVEL_SURE * sigma);
      if (feature->kind == TACIT_FEATURE_CATEGORY && cut) *said = variance;
    }
  }
}

/* W = E diag(ev)^(-1/2), eigenvalues not below the noise's own; whitened rows W' (z - mean) as a design. */
static tacit_status whiten(tacit_newton *newton, double sigma, double *ev, tacit_error *error) {
  size_t d = newton->d;
  for (size_t j = 0; j < d; j++)
    for (size_t k = j; k < d; k++)
      newton->W[j * d + k] = newton->W[k * d + j] = tacit_newton_entry(newton, j, k);
  know_levels(newton, sigma);
  if (!tacit_eigen_by(d, newton->W, ev, tacit_threads(newton->task->context)))
    return tacit_fail(error, TACIT_INTERNAL, "the eigenvalues of a moment could not be found");
  for (size_t k = 0; k < d; k++) {
    ev[k] = fmax(ev[k], sigma * sqrt((double)d));
    for (size_t j = 0; j < d; j++) newton->W[j * d + k] /= sqrt(ev[k]);
  }
  return tacit_newton_seal(newton, error);
}

tacit_status tacit_newton_seal(tacit_newton *newton, tacit_error *error) {
  double *matrix = newton->matrix;
  size_t d = newton->d, p = newton->schema->columns;
  for (size_t k = 0; k < d; k++)
    for (size_t j = 0; j < d; j++) matrix[k * p + j + 1] = newton->W[j * d + k];
  tacit_image_round(d, p, matrix); /* so that W is what rows are made with */
  for (size_t k = 0; k < d; k++) {
    matrix[k * p] = 0;
    for (size_t j = 0; j < d; j++) {
      newton->W[j * d + k] = matrix[k * p + j + 1];
      matrix[k * p] -= newton->W[j * d + k] * newton->mean[j];
    }
  }
  return tacit_newton_set_white(newton, error);
}

void tacit_newton_start(tacit_newton *newton, double sigma, const double *size, const double *apart) {
  size_t d = newton->d;
  double parts = sqrt((double)newton->recipe.targets), square = newton->y_far * newton->y_far;
  double unit = TARGET_CUT * newton->y_far * parts / newton->radius;
  size_t at = newton->recipe.targets > 1 ? newton->column : 0;
  double spill = unit * unit; /* noise of the moment of (z, y), and of that of z times the slopes */
  for (size_t k = 0; k < d; k++) {
    newton->x[k] = 0;
    for (size_t j = 0; j < d; j++)
      newton->x[k] += newton->W[j * d + k] * tacit_newton_entry(newton, j, d + at) * unit;
    newton->V[k] = square * fmin(1, SLOPE_PRIOR * SLOPE_PRIOR * size[k]);
    spill += newton->x[k] * newton->x[k] / apart[k];
  }
  tacit_newton_cap(newton->V, newton->gamma, d, square);
  for (size_t k = 0; k < d; k++)
    newton->x[k] *= tacit_newton_gain(&newton->V[k], sigma * sigma / 2 * spill / apart[k], newton->gamma[k],
                                      TACIT_NEWTON_TRUST);
}

tacit_target_part tacit_newton_target_part(const tacit_newton *newton) {
  return (tacit_target_part){.target = newton->column,
                             .centre = newton->a,
                             .spread = newton->y_far,
                             .cut = TARGET_CUT,
                             .factor = newton->radius,
                             .over = TARGET_CUT};
}

tacit_status tacit_newton_moment(tacit_newton *newton, const tacit_target_part *targets, double *sigma,
                                 tacit_error *error) {
  const tacit_question rows_and_target = {
      .kind = TACIT_QUESTION_ROWS,
      .units = tacit_newton_part(newton, TACIT_UNIT_ROWS),
      .rows = {.first = 1,
               .columns = newton->d,
               .stretch = 1,
               .shift = newton->mean,
               .targets = targets,
               .target_count = newton->recipe.targets,
               .clip = newton->radius,
               .bits = tacit_moment_bits(newton->task->choice.moment_reach, newton->radius),
               .moment = true}};
  TACIT_TRY(tacit_private_rows(newton->task, newton->target, &rows_and_target, newton->moment, sigma, error));
  *sigma /= newton->n;
  return TACIT_OK;
}

tacit_status tacit_newton_whiten(tacit_newton *newton, tacit_error *error) {
  size_t d = newton->d;
  double sigma;
  const tacit_target_part target = tacit_newton_target_part(newton);
  TACIT_TRY(tacit_newton_moment(newton, &target, &sigma, error));
  double *ev = tacit_alloc(d, sizeof *ev);
  tacit_status status = ev ? whiten(newton, sigma, ev, error) : tacit_no_memory(error);
  if (status == TACIT_OK) tacit_newton_start(newton, sigma, ev, ev);
  free(ev);
  return status;
}
