/* Where the quantile lies above the median: a number for all rows, and one that grows with the median. Two
   columns need little budget, and where demand scatters as it grows they say most of what a quantile's own
   slopes would. */
#include "learn/follow.h"
#include "num/normal.h"

#include <math.h>
#include <string.h>

static const double BANDWIDTH = 0.3; /* in spreads */
/* In z_tau spreads: what is believed first, what a period may change, and the largest step. */
static const double FIRST = 0.7071067811865476, DRIFT = 0.3, LARGEST = 1;
static const double VARIANCE_MOST = 4;   /* in squares of z_tau spreads */
static const double TRUST = 0.7;         /* how much of a step is believed to arrive */
static const double SCATTER_LEAST = 0.5; /* of medians, in spreads */

/* Rows (1, (x'b - usual) / scatter). */
static tacit_status see(tacit_follower *f, double *usual, double *scatter, tacit_error *error) {
  size_t p = f->p;
  const double *b = f->state->centre;
  double square = 0, s = f->state->spread;
  *usual = 0;
  for (size_t j = 0; j < p; j++) *usual += b[j] * f->mean[j];
  for (size_t j = 0; j < p; j++)
    for (size_t k = 0; k < p; k++) square += b[j] * b[k] * (f->M[j * p + k] - f->mean[j] * f->mean[k]);
  *scatter = fmax(sqrt(fmax(0, square)), SCATTER_LEAST * s);
  memset(f->matrix, 0, TACIT_FOLLOW_TAIL * p * sizeof *f->matrix);
  f->matrix[0] = 1;
  for (size_t j = 0; j < p; j++) f->matrix[p + j] = b[j] / *scatter;
  f->matrix[p] -= *usual / *scatter;
  f->image = (tacit_row_image){.inputs = p,
                               .columns = TACIT_FOLLOW_TAIL,
                               .cell_bits = TACIT_WHITE_BITS,
                               .narrow = true,
                               .matrix = f->matrix};
  return tacit_row_image_seal(&f->image, error);
}

static void believe(tacit_follower *f, double z) {
  tacit_state *state = f->state;
  double far = z * state->spread;
  for (size_t k = 0; k < TACIT_FOLLOW_TAIL; k++) {
    if (f->recipe.first) state->tail[k] = k == 0 ? far : 0;
    if (f->recipe.first) state->tail_variance[k] = FIRST * FIRST * far * far;
    state->tail_variance[k] += DRIFT * DRIFT * far * far;
  }
}

/* What the sample cannot know is added; and nothing grows without end from period to period. */
static void hold(tacit_follower *f, double z, double sampling) {
  tacit_state *state = f->state;
  double far = VARIANCE_MOST * z * z * state->spread * state->spread, most = 4 * f->range;
  for (size_t k = 0; k < TACIT_FOLLOW_TAIL; k++) {
    state->tail_variance[k] = fmin(state->tail_variance[k] + sampling, far);
    state->tail[k] = fmax(-most, fmin(most, state->tail[k]));
  }
}

/* The rule at the quantile from the median's. */
static void write_rule(const tacit_follower *f, double usual, double scatter) {
  double *rule = tacit_task_coefficients(f->task, 0), grows = f->state->tail[1] / scatter;
  for (size_t j = 0; j < f->p; j++) rule[j] = (1 + grows) * f->state->centre[j];
  rule[0] += f->state->tail[0] - grows * usual;
}

tacit_status tacit_follow_tail(tacit_follower *f, tacit_error *error) {
  tacit_state *state = f->state;
  double tau = f->task->facts.quantiles[0], z = tacit_normal_quantile(tau), wide = hypot(1, BANDWIDTH);
  double usual, scatter, density = tacit_normal_pdf(z / wide) / (state->spread * wide), sigma;
  double largest = LARGEST * fmax(fabs(z), 0.1) * state->spread;
  TACIT_TRY(see(f, &usual, &scatter, error));
  believe(f, z);
  for (size_t t = 0; t < TACIT_FOLLOW_TAIL_STEPS; t++) {
    const double at[TACIT_FOLLOW_TAIL] = {usual + state->tail[0], scatter + state->tail[1]};
    const tacit_score_part part = {.target = f->column,
                                   .tau = tau,
                                   .kernel = TACIT_KERNEL_GAUSSIAN,
                                   .bandwidth = BANDWIDTH * state->spread,
                                   .coefficients = at,
                                   .clip_norm = f->recipe.tail_clip};
    TACIT_TRY(tacit_follow_ask(f, &part, false, error));
    TACIT_TRY(tacit_follow_scores(f, &part, &sigma, error));
    for (size_t k = 0; k < TACIT_FOLLOW_TAIL; k++) {
      double noise = sigma / (f->n * density), *v = &state->tail_variance[k], square = noise * noise;
      double gain = *v / (*v + square), step = gain * f->released[k] / (f->n * density);
      state->tail[k] -= fmax(-largest, fmin(largest, step));
      *v = (1 - TRUST * gain) * (1 - TRUST * gain) * *v + gain * gain * square;
    }
  }
  hold(f, z, tau * (1 - tau) / (f->n * density * density));
  write_rule(f, usual, scatter);
  return TACIT_OK;
}
