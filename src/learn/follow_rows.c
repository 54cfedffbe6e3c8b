/* What `follow` makes of the rows before it steps: their mean, the second moment that follows from it, and
   the basis in which rows and beliefs both are plain. */
#include "base/base.h"
#include "learn/follow.h"
#include "learn/public_rows.h"
#include "method/fit.h"
#include "num/linalg.h"

#include <math.h>
#include <string.h>

/* A level is taken to be at least this part as frequent as if all were alike. */
static const double LEVEL_FLOOR = 0.3;
static const double NUMBER_REACH = 0.9; /* of a number's mean, in its bounds */
/* Added to the diagonal of the moment: of itself, and for columns that are hardly ever on. */
static const double RIDGE = 1e-3, RIDGE_BESIDE = 0.01;
/* What a period may change: a coefficient, in spreads, and demand as a whole, in itself. */
static const double DRIFT = 0.3, SCALE_DRIFT = 0.25;
/* The variance of orders that is believed at most, in squares of the spread. */
static const double BELIEVED = 2, BELIEVED_FIRST = 1;

static double clamp(double x, double low, double high) {
  return fmax(low, fmin(high, x));
}

/* The released mean of a column and what was likely before, weighed by how sure they are. */
static double weigh(const tacit_column_prior *prior, double off, double noise) {
  double gain = prior->variance / (prior->variance + noise * noise);
  return prior->mean + gain * off;
}

/* A category's frequencies, none below a floor, the base's neither. */
static void hold_levels(const tacit_column_prior *prior, double *mean, size_t width) {
  double least = LEVEL_FLOOR / (double)prior->levels, all = 0;
  for (size_t j = 0; j < width; j++) all += mean[j] = fmax(mean[j], least);
  for (size_t j = 0; all > 1 - least && j < width; j++) mean[j] *= (1 - least) / all;
}

static tacit_status release_mean(tacit_follower *f, double *noise, tacit_error *error) {
  const tacit_schema *schema = f->task->schema;
  for (size_t k = 0; k < schema->feature_count; k++) {
    const tacit_feature *feature = &schema->features[k];
    for (size_t j = feature->first; j < feature->first + feature->width; j++)
      f->at[j] = tacit_follow_prior(feature).mean;
  }
  const tacit_question rows = {.kind = TACIT_QUESTION_ROWS,
                               .rows = {.first = 1,
                                        .columns = f->p - 1,
                                        .stretch = 1,
                                        .shift = f->at + 1,
                                        .clip = f->recipe.mean_clip,
                                        .bits = TACIT_MEAN_BITS}};
  TACIT_TRY(tacit_private_rows(f->task, 0, &rows, f->released + 1, noise, error));
  *noise /= f->n;
  return TACIT_OK;
}

/* Inside a category levels exclude each other; a number scatters as its bounds suggest; between features
   independence is assumed. */
static void moment_of(tacit_follower *f) {
  const tacit_schema *schema = f->task->schema;
  size_t p = f->p;
  for (size_t j = 0; j < p; j++)
    for (size_t k = 0; k < p; k++) f->M[j * p + k] = f->mean[j] * f->mean[k];
  for (size_t i = 0; i < schema->feature_count; i++) {
    const tacit_feature *feature = &schema->features[i];
    const tacit_column_prior prior = tacit_follow_prior(feature);
    size_t end = feature->first + feature->width;
    for (size_t j = feature->first; j < end; j++) {
      for (size_t k = feature->first; prior.levels && k < end; k++) f->M[j * p + k] = 0;
      f->M[j * p + j] = prior.levels ? f->mean[j] : f->mean[j] * f->mean[j] + prior.scatter;
    }
  }
}

static void add_ridge(tacit_follower *f) {
  size_t p = f->p;
  for (size_t j = 0; j < p; j++) f->M[j * p + j] += RIDGE * (f->M[j * p + j] + RIDGE_BESIDE);
}

/* Features that are public: mean and moment as they are (proofs/public-features.md). */
static tacit_status exact_moment(tacit_follower *f, tacit_error *error) {
  size_t p = f->p, d = p - 1;
  TACIT_TRY(tacit_public_mean(f->task, f->mean + 1, error));
  TACIT_TRY(tacit_public_covariance(f->task, f->mean + 1, f->root, error));
  for (size_t j = 0; j < p; j++)
    for (size_t k = 0; k < p; k++)
      f->M[j * p + k] = f->mean[j] * f->mean[k] + (j && k ? f->root[(j - 1) * d + k - 1] : 0);
  add_ridge(f);
  return TACIT_OK;
}

tacit_status tacit_follow_rows(tacit_follower *f, tacit_error *error) {
  const tacit_schema *schema = f->task->schema;
  double noise = 0;
  f->mean[0] = 1;
  if (schema->features_public && f->p > 1) return exact_moment(f, error);
  if (f->recipe.mean > 0) TACIT_TRY(release_mean(f, &noise, error));
  for (size_t k = 0; k < schema->feature_count; k++) {
    const tacit_feature *feature = &schema->features[k];
    const tacit_column_prior prior = tacit_follow_prior(feature);
    double *mean = f->mean + feature->first;
    for (size_t j = 0; j < feature->width; j++) {
      mean[j] = weigh(&prior, f->released[feature->first + j] / f->n, noise);
      if (!prior.levels) mean[j] = clamp(mean[j], -NUMBER_REACH * prior.reach, NUMBER_REACH * prior.reach);
    }
    if (prior.levels) hold_levels(&prior, mean, feature->width);
  }
  moment_of(f);
  add_ridge(f);
  return TACIT_OK;
}

/* P with a period's drift. u is what all coefficients do when demand changes as a whole. */
static void believe(tacit_follower *f) {
  const tacit_scale *scale = &f->task->schema->targets[0].scale;
  size_t p = f->p;
  const double *from = f->state->covariance;
  double s = f->state->spread, *u = f->at;
  memcpy(u, f->state->centre, p * sizeof *u);
  u[0] -= clamp(-scale->center / scale->half, -scale->limit, scale->limit); /* of no demand at all */
  for (size_t j = 0; j < p; j++)
    for (size_t k = 0; k <= j; k++)
      f->P[j * p + k] = f->P[k * p + j] = *from++ + SCALE_DRIFT * SCALE_DRIFT * u[j] * u[k];
  for (size_t j = 0; j < p; j++) f->P[j * p + j] += DRIFT * DRIFT * s * s;
}

/* out = a b, all p x p; turned: a b'. */
static void multiply(size_t p, const double *a, const double *b, bool turned, double *out) {
  for (size_t j = 0; j < p; j++)
    for (size_t k = 0; k < p; k++) {
      double sum = 0;
      for (size_t l = 0; l < p; l++) sum += a[j * p + l] * (turned ? b[k * p + l] : b[l * p + k]);
      out[j * p + k] = sum;
    }
}

/* root = E diag(values^power) E'. */
static void power_of(size_t p, const double *E, const double *values, double power, double *root) {
  for (size_t j = 0; j < p; j++)
    for (size_t k = j; k < p; k++) {
      double sum = 0;
      for (size_t l = 0; l < p; l++) sum += E[j * p + l] * pow(values[l], power) * E[k * p + l];
      root[j * p + k] = root[k * p + j] = sum;
    }
}

static void hold_belief(tacit_follower *f) {
  double all = 0, s = f->state->spread;
  double most = (f->recipe.first ? BELIEVED_FIRST : BELIEVED) * s * s;
  for (size_t k = 0; k < f->p; k++) all += f->e[k] = fmax(f->e[k], 1e-12 * s * s);
  for (size_t k = 0; all > most && k < f->p; k++) f->e[k] *= most / all;
}

/* With R = M^(1/2) and R P R = U diag(e) U': V = R^-1 U. */
tacit_status tacit_follow_basis(tacit_follower *f, tacit_error *error) {
  size_t p = f->p;
  believe(f);
  memcpy(f->V, f->M, p * p * sizeof *f->V);
  bool found = tacit_eigen(p, f->V, f->values);
  for (size_t k = 0; k < p; k++) f->values[k] = fmax(f->values[k], 1e-9);
  power_of(p, f->V, f->values, 0.5, f->root);
  multiply(p, f->root, f->P, false, f->matrix);
  multiply(p, f->matrix, f->root, false, f->P);
  power_of(p, f->V, f->values, -0.5, f->root);
  found = found && tacit_eigen(p, f->P, f->e);
  if (!found) return tacit_fail(error, TACIT_INTERNAL, "the eigenvalues of a moment could not be found");
  multiply(p, f->root, f->P, false, f->V);
  hold_belief(f);
  for (size_t k = 0; k < p; k++)
    for (size_t j = 0; j < p; j++) f->matrix[k * p + j] = f->V[j * p + k];
  f->image = (tacit_row_image){
      .inputs = p, .columns = p, .cell_bits = TACIT_WHITE_BITS, .narrow = true, .matrix = f->matrix};
  return tacit_row_image_seal(&f->image, error);
}
